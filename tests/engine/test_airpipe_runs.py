"""Runs of interfaces that the pack has none of: gates, guards, delays, short waits, state, answers, calls to each other."""

import json
from datetime import timedelta

import pytest
from fermata.application.airpipe.interfaces import publish, registered, withdraw
from fermata.application.airpipe.serving import Place, respond
from fermata.domain.airpipe.caller import CallerRequest
from fermata.domain.errors import Conflict, NotFound
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.ports import WorkflowQuery

from tests.support.airpipe import config, read
from tests.support.world import World, answer

URL = "https://api.test/x"


class Vendor:
    """Gives each answer once, the last one for ever."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers) or [answer({})], []

    def __call__(self, request):
        self.requests.append(request)
        return self.answers[min(len(self.requests), len(self.answers)) - 1]


class Served(World):
    def __init__(self, *actions, vendor=None, **fields):
        self.vendor = vendor or Vendor()
        super().__init__(self.vendor)
        publish(self.engine, read(config(*actions, **fields)))

    def call(self, body=None, **params):
        content = b"" if body is None else json.dumps(body).encode()
        return respond(self.engine, CallerRequest("POST", "/try", params, {"X-Trace": "t"}, content, "203.0.113.9"), Place())

    def entries(self, body=None, **params):
        return json.loads(self.call(body, **params).body)["data"]

    @property
    def last(self):
        return self.executions.search(WorkflowQuery()).workflows[0]


def _out(name, value=None, **fields):
    return {"name": name, "json_output": {} if value is None else value, **fields}


FAILS = {"assert": {"http_code_on_error": 418, "tests": [{"value": "x", "is_not_null": True}]}}


def test_gates_and_guards_let_run_skip_or_fail():
    served = Served(
        _out("Ok"),
        _out("Bad", **FAILS),
        _out("IfBad", run_when_failed=["Bad"]),
        _out("IfOkFails", run_when_failed=["Ok"]),
        _out("AfterSkip", run_when_succeeded=["previous"]),
        _out("AfterBad", run_when_succeeded=["Bad"]),
        _out("Whatever", depends_on=["Bad", "AfterSkip"]),
        _out("Guarded", run_on_assertion={"tests": [{"custom_value": "a|params::go|", "is_equal_to": "yes"}]}),
    )
    sent = served.call(go="no")
    tasks = {name: task.status for name, task in served.tasks(served.last.workflow_id).items()}
    failed, skipped = TaskStatus.COMPLETED_WITH_ERRORS, TaskStatus.SKIPPED
    assert tasks == {
        "Ok": TaskStatus.COMPLETED,
        "Bad": failed,
        "IfBad": TaskStatus.COMPLETED,
        "IfOkFails": skipped,
        "AfterSkip": skipped,
        "AfterBad": failed,
        "Whatever": TaskStatus.COMPLETED,
        "Guarded": skipped,
        "(answer)": TaskStatus.COMPLETED,
    }
    assert sent.http_code == 200
    assert json.loads(sent.body)["data"]["AfterBad"]["error"] == "action 'Bad' did not succeed"


def test_the_code_of_a_gated_last_action_is_that_of_its_cause():
    served = Served(_out("Bad", **FAILS), _out("Then", run_when_succeeded=["Bad"]), _out("Last", run_when_succeeded=["Then"]))
    assert served.call().http_code == 418
    assert served.last.status is WorkflowStatus.FAILED


def test_an_interfaces_own_assert_looks_at_the_last_action():
    checks = {"tests": [{"value": "rows.count()", "is_equal_to": 1}], "http_code_on_error": 404, "error_message": "not found"}
    served = Served(_out("First"), _out("Find", {"rows": "a|body::rows|"}), **{"assert": {**checks, "http_code_on_success": 206}})
    assert served.call({"rows": [1]}).http_code == 206
    missing = served.call({"rows": []})
    assert (missing.http_code, served.last.status) == (404, WorkflowStatus.FAILED)
    told = json.loads(missing.body)
    assert (told["error"], told["errors"]) == ("not found", ["rows.count()::is_equal_to: expected 1, got 0"])
    assert told["data"]["Find"]["data"] == {"rows": []}


def test_an_interfaces_own_assert_sees_every_action_and_the_request():
    checks = {
        "tests": [
            {"action": "First", "value": "n", "is_equal_to": "a|body::n|"},
            {"custom_value": "a|headers::x-trace|", "regex": "^(a|t)$"},
        ]
    }
    served = Served(_out("First", {"n": 1}), _out("Last"), **{"assert": checks})
    assert [served.call({"n": n}).http_code for n in (1, 2)] == [200, 500]


def test_a_named_actions_failure_decides_the_status():
    served = Served(_out("Bad", **FAILS), _out("Ok", depends_on=["Bad"]), response={"http_code_inherit_error": ["Bad"]})
    assert served.call().http_code == 418


def test_what_a_caller_forgot_is_the_callers_fault():
    served = Served(_out("A", {"x": "a|body::missing|"}))
    sent = served.call({})
    assert (sent.http_code, json.loads(sent.body)["data"]["A"]["error"]) == (400, "cannot resolve a|body::missing|")


@pytest.mark.parametrize(
    "said", [b'{"id": 1e999}', b'{"id": "\\ud800"}', b"[" * 5000, b'{"id": "x\\",\\"status\\":\\"done"}', b"\xff\x00", b"9" * 5000]
)
def test_whatever_a_vendor_says_a_run_ends_and_can_be_told(said):
    show = {"name": "Show", "json_output": '{"id": "a|Ask::body.id->default(none)|", "status": "open"}', "depends_on": ["Ask"]}
    served = Served({"name": "Ask", "http": {"url": URL}}, show, vendor=Vendor(answer(said)))
    sent = served.call()
    assert sent.http_code == 200
    assert json.loads(sent.body.encode())["data"]["Show"]["data"]["status"] == "open"


@pytest.mark.parametrize(
    "given", [b'{"k": "\\ud800"}', b'{"k": "a|ap_var::KEY|"}', b'{"k": "${workflow.input}"}', b'{"k": 1e999}', b"\xff", b""]
)
def test_whatever_a_caller_sends_a_run_ends_and_can_be_told(given):
    served = Served(
        _out("Told", {"k": "a|body|"}),
        {"name": "Kept", "state": {"set": {"key": "k", "value": "a|body->default(none)|"}}},
        {"name": "Sent", "http": {"url": URL, "method": "POST", "body": "a|body|"}},
    )
    sent = respond(served.engine, CallerRequest("POST", "/try", {}, {}, given), Place())
    assert sent.http_code in (200, 400)
    assert b"secret" not in sent.body.encode()
    assert all(run.status.terminal for run in served.executions.search(WorkflowQuery()).workflows)


def test_what_a_marker_of_the_request_sees():
    served = Served(
        _out("A", {"h": "a|headers::x-trace|", "ip": "a|ip|", "raw": "a|raw_body|", "p": "a|params::q|", "m": "a|request::method|"})
    )
    seen = served.entries({"b": 1}, q="5")["A"]["data"]
    assert seen == {"h": "t", "ip": "203.0.113.9", "raw": '{"b": 1}', "p": "5", "m": "POST"}


def test_an_action_that_answers_ends_the_interface():
    served = Served(
        _out("A", response_on_success={"http_code": 202, "body": "done a|uuid|"}),
        {"name": "B", "http": {"url": URL}},
    )
    sent = served.call()
    assert (sent.http_code, sent.body.startswith("done ")) == (202, True)
    assert served.vendor.requests == []
    assert served.tasks(served.last.workflow_id)["B"].status is TaskStatus.SKIPPED


def test_short_waits_are_waited_out_before_the_caller_is_answered():
    vendor = Vendor(answer({}, 503), answer({}, 503), answer({"x": 1}))
    served = Served({"name": "A", "http": {"url": URL}, "retry": {"attempts": 3, "delay": 200, "jitter": "none"}}, vendor=vendor)
    began = served.clock.now()
    assert served.entries()["A"]["data"]["body"] == {"x": 1}
    assert served.clock.now() - began == timedelta(milliseconds=400)


def test_a_wait_that_is_too_long_together_is_parked():
    vendor = Vendor(answer({}, 503))
    served = Served({"name": "A", "http": {"url": URL}, "retry": {"attempts": 9, "delay": 2000, "jitter": "none"}}, vendor=vendor)
    sent = served.call()
    assert (sent.http_code, len(vendor.requests)) == (202, 3)
    served.run()
    assert len(vendor.requests) == 9


def test_a_delay_is_no_step_of_the_callers_patience():
    served = Served({"name": "A", "delay": "30s"}, _out("B", {"d": "a|A::delayed_ms|"}, run_when_succeeded=["A"]))
    told = json.loads(served.call().body)
    assert (told["status"], told["action"]) == ("suspended", "A")
    served.run()
    assert json.loads(served.last.output["body"])["data"]["B"]["data"] == {"d": 30000}


def test_state_is_left_from_run_to_run():
    served = Served(
        {"name": "Set", "state": {"set": {"key": "a|params::k|", "value": {"n": 1}, "ttl": "1h"}}},
        {"name": "Get", "depends_on": ["Set"], "state": {"get": {"key": "a|params::k|"}}},
        {"name": "Seen", "depends_on": ["Get"], "state": {"seen": {"key": "s", "id": "a|params::k|"}}},
    )
    first, second = served.entries(k="x"), served.entries(k="x")
    assert [each["Set"]["data"] for each in (first, second)] == [{"version": 1}, {"version": 2}]
    assert second["Get"]["data"] == {"value": {"n": 1}, "version": 2, "found": True}
    assert [each["Seen"]["data"] for each in (first, second)] == [{"was_new": True}, {"was_new": False}]
    served.clock.move_to(served.clock.now() + timedelta(hours=1))
    assert served.entries(k="x")["Set"]["data"] == {"version": 1}


def test_interfaces_that_call_themselves_without_end_are_stopped():
    served = Served({"name": "A", "http": {"url": "http://localhost:44111/try", "method": "POST"}})
    assert served.call().http_code == 500
    runs = served.executions.search(WorkflowQuery()).workflows
    assert len(runs) == 6
    assert any("5 deep" in json.dumps(dict(served.tasks(run.workflow_id)["A"].output)) for run in runs)


def test_a_program_that_never_ends_fails_its_action():
    served = Served(_out("A", {"x": "a|body::jq::[range(1e12)]|length|"}))
    assert served.call({}).http_code == 400


@pytest.mark.parametrize("text", ["${workflow.input}", "$${x}", "a ${b} c"])
def test_texts_of_the_engines_own_kind_mean_nothing_here(text):
    served = Served(_out("A", {"x": text}))
    assert served.entries()["A"]["data"] == {"x": text}


def test_two_configurations_cannot_answer_the_same():
    served = Served(_out("A"))
    with pytest.raises(Conflict, match="Test answers POST /try already"):
        publish(served.engine, read({**config(_out("A")), "name": "Other"}))
    assert len(list(registered(served.engine))) == 1


def _versions(served):
    return {each.name: each.version for each in served.engine.definitions.list_workflows()}


def test_an_interface_that_changed_is_the_next_version_and_one_that_did_not_stays():
    served = Served(_out("A", {"v": 1}))
    stays = {"other": config(_out("B"))["interfaces"]["try"]}

    def published(value):
        file = config(_out("A", {"v": value}))
        return publish(served.engine, read({**file, "interfaces": {**file["interfaces"], **stays}}))

    assert published(1).changed == ("airpipe:POST:other",)
    for value in (2, 3, 4):
        again = published(value)
        assert (again.changed, again.withdrawn) == (("airpipe:POST:try",), ())
        assert {each.name: each.version for each in again.served} == {"airpipe:POST:try": value, "airpipe:POST:other": 1}
    assert published(4).changed == ()
    kept = sorted(each.version for each in served.engine.definitions.list_workflows() if each.name == "airpipe:POST:try")
    assert kept == [3, 4], "the last but one: a request may have found it just before"
    assert served.entries()["A"]["data"] == {"v": 4}
    assert served.last.workflow_version == 4
    gone = publish(served.engine, read(config(_out("A", {"v": 4}))))
    assert gone.withdrawn == ("airpipe:POST:other",)
    assert set(_versions(served)) == {"airpipe:POST:try"}


def test_a_configuration_is_withdrawn_whole_and_its_runs_go_on():
    served = Served({"name": "Wait", "delay": 60_000}, _out("A", depends_on=["Wait"]))
    parked = json.loads(served.call().body)
    assert withdraw(served.engine, "Test") == ("airpipe:POST:try",)
    assert served.call().http_code == 404
    with pytest.raises(NotFound, match="configuration Test is served"):
        withdraw(served.engine, "Test")
    served.run()
    assert served.view(parked["run_id"]).workflow.status is WorkflowStatus.COMPLETED


def test_a_try_that_a_gateway_could_not_wait_for_is_left_to_the_doors_that_live_longer():
    slow = {"name": "Slow", "http": {"url": URL, "timeout": "60s"}}
    served = Served(slow)
    parked = served.call()
    assert (parked.http_code, served.vendor.requests) == (202, [])
    served.run()
    assert len(served.vendor.requests) == 1
    assert served.view(json.loads(parked.body)["run_id"]).workflow.status is WorkflowStatus.COMPLETED
    assert Served({**slow, "http": {"url": URL}}).call().http_code == 200

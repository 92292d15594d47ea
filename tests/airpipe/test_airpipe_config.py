"""What loads, what does not, and what is said then."""

from datetime import timedelta

import pytest
from fermata.domain.airpipe.actions import When
from fermata.domain.airpipe.reading import schedule

from tests.support.airpipe import config, pack, read, refusals

OUT = {"name": "A", "json_output": {}}


def test_the_packs_files_load_as_they_are():
    demo, jobs = pack("demo.yml"), pack("jobs.yml")
    assert [(each.method, each.route) for each in (*demo.interfaces, *jobs.interfaces)] == [
        ("POST", "/demo/jobs/submit"),
        ("GET", "/demo/jobs/status"),
        ("POST", "/demo/run"),
        ("POST", "/jobs/run"),
        ("POST", "/jobs/run-and-notify"),
    ]
    polls = demo.interfaces[2].actions[1].retry
    assert (polls.attempts, polls.delay) == (6, timedelta(seconds=30))
    assert [len(demo.warnings), len(jobs.warnings)] == [1, 0]
    assert "a stray pipe was taken out" in demo.warnings[0]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": None}, "config.name: is required"),
        ({"interfaces": []}, "config.interfaces: must be a map"),
        ({"network": {}}, "config.network: is not supported here"),
        ({"mcp_servers": []}, "config.mcp_servers: is not supported here"),
        ({"expose_metrics": True}, "config.expose_metrics: is not supported here"),
        ({"intrfaces": {}}, "config.intrfaces: is no key of Air Pipe; did you mean 'interfaces'?"),
        ({"global": {"secrets": {}}}, "config.global.secrets: is not supported here"),
        ({"global": {"variables": {"a": "a|var::b|", "b": "a|var::a|"}}}, "wait for each other"),
        ({"global": {"variables": {"x": "a|Nobody::y|"}}}, "called 'Nobody'"),
        ({"docs": "yes"}, "config.docs: must be true or false"),
    ],
)
def test_a_file_that_says_what_it_cannot_is_refused(change, says):
    value = {key: each for key, each in {**config(OUT), **change}.items() if each is not None}
    assert any(says in said for said in refusals(value))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"schedule": {}}, "interfaces.try.schedule: is not supported here"),
        ({"network": {}}, "interfaces.try.network: is not supported here"),
        ({"output": "cli"}, "interfaces.try.output: only http"),
        ({"method": "BREW"}, "interfaces.try.method: must be one of"),
        ({"response": {"custom_body": ""}}, "interfaces.try.response.custom_body: is not supported here"),
        ({"response": {"http_code_on_error": 7}}, "interfaces.try.response.http_code_on_error: must be an HTTP status"),
        ({"route": "/runs/mine"}, "/runs/mine is taken"),
        ({"route": "runs"}, "/runs is taken"),
        ({"actions": []}, "interfaces.try.actions: must be a list of 1 to"),
        ({"response": {"http_code_inherit_error": ["B"]}}, "response.http_code_inherit_error: must be a list of this interface's actions"),
        ({"response": {"http_code_fallback": 7}}, "response.http_code_fallback: must be an HTTP status"),
        ({"response": {"http_code_fallback_strategy": "first"}}, "response.http_code_fallback_strategy: must be one of last_action,"),
        ({"response": {"logs": []}}, "interfaces.try.response.logs: is not supported here"),
        ({"assert": {"tests": [{"action": "B", "is_null": True}]}}, "interfaces.try.assert: no action of this interface is called 'B'"),
        ({"assert": {"tests": [{"value": "x", "is_equal_to": "a|B::x|"}]}}, "is called 'B'"),
        ({"assert": {"tests": [{"value": "x", "is_nul": True}]}}, "interfaces.try.assert.tests[0].is_nul: is no key"),
        ({"assert": {"tests": [{"value": "x", "is_equal_to": "a|ap_var::X|"}]}}, "only be used in an http request"),
        ({"metod": "GET"}, "interfaces.try.metod: is no key of Air Pipe; did you mean 'method'?"),
    ],
)
def test_an_interface_that_cannot_be_is_refused(fields, says):
    value = config(OUT)
    value["interfaces"]["try"].update(fields)
    assert any(says in said for said in refusals(value))


def test_two_interfaces_cannot_answer_the_same():
    value = config(OUT)
    value["interfaces"]["again"] = {**value["interfaces"]["try"], "route": "try"}
    assert any("answers POST /try already" in said for said in refusals(value))


HTTP = {"url": "https://api.test/x"}


@pytest.mark.parametrize(
    ("action", "path", "says"),
    [
        ({"database": "d", "query": "q"}, "database", "is not supported here"),
        ({"command": "rm"}, "command", "is not supported here"),
        ({"lookup": "x", "actions": []}, "lookup", "is not supported here"),
        ({"json_output": {}, "pre_log": "x"}, "pre_log", "is not supported here"),
        ({"json_output": {}, "http": HTTP}, "", "must have one of"),
        ({}, "", "must have one of"),
        ({"json_output": "{"}, "json_output", "is text, and no JSON"),
        ({"json_output": {}, "retry": {"attempts": 2}}, "retry", "would see the same"),
        ({"input": {"a": 1}}, "input", "must be a marker"),
        ({"delay": "1h"}, "delay", "is longer than 300 s"),
        ({"http": {"method": "GET"}}, "http.url", "is required"),
        ({"http": {**HTTP, "proxy": "p"}}, "http.proxy", "is not supported here"),
        ({"http": {**HTTP, "expect_status": [200, "6xx"]}}, "http.expect_status", "is no status"),
        ({"http": {**HTTP, "timeout": "soon"}}, "http.timeout", "must be a span of time"),
        ({"http": {**HTTP, "headers": ["x"]}}, "http.headers", "must be a map of texts"),
        ({"http": HTTP, "retry": {"attempts": 0}}, "retry.attempts", "must be a whole number, 1 or more"),
        ({"http": HTTP, "retry": {"attempts": "3"}}, "retry.attempts", "must be a whole number"),
        ({"http": HTTP, "retry": {"atempts": 3}}, "retry.atempts", "did you mean 'attempts'"),
        ({"http": HTTP, "retry": {"jitter": "some"}}, "retry.jitter", "must be full or none"),
        ({"http": HTTP, "retry": {"on": ["sometimes"]}}, "retry.on", "is no status"),
        ({"state": {"get": {"key": "k"}, "set": {"key": "k"}}}, "state", "must have exactly one of"),
        ({"state": {"get": {"value": "k"}}}, "state.get.value", "is no key"),
        ({"state": {"set": {"value": "k"}}}, "state.set.key", "is required"),
        ({"state": {"seen": {"key": "k"}}}, "state.seen.id", "is required"),
        ({"state": {"set": {"key": "k", "ttl": "1 fortnight"}}}, "state.set.ttl", "must be a span of time"),
        ({"json_output": {}, "assert": {"tests": []}}, "assert.tests", "must be a list of one test or more"),
        ({"json_output": {}, "assert": {"tests": [{"value": "x"}]}}, "assert.tests[0]", "must name an operator"),
        ({"json_output": {}, "assert": {"tests": [{"is_null": True}]}}, "assert.tests[0]", "must pick one value"),
        ({"json_output": {}, "assert": {"tests": [{"value": "x", "is_nul": True}]}}, "assert.tests[0].is_nul", "did you mean 'is_null'"),
        ({"json_output": {}, "assert": {"tests": [{"value": "x", "is_uuid": False}]}}, "assert.tests[0].is_uuid", "must be true"),
        ({"json_output": {}, "assert": {"tests": [{"jq": "if", "is_null": True}]}}, "assert.tests[0].jq", "is no jq program"),
        ({"json_output": {}, "assert": {"tests": [{"action": "B", "is_null": True}]}}, "", "no action of this interface is called 'B'"),
        ({"json_output": {}, "post_transforms": [{"bcrypt": "x"}]}, "post_transforms[0].bcrypt", "is not supported here"),
        ({"json_output": {}, "post_transforms": [{"keep_attributes": "x"}]}, "post_transforms[0].keep_attributes", "list of names"),
        ({"json_output": {}, "run_when_succeeded": ["B"]}, "", "no action of this interface is called 'B'"),
        ({"json_output": {}, "run_when_succeeded": ["previous"]}, "run_when_succeeded", "nothing does"),
        ({"json_output": {}, "run_when_failed": {"actions": ["B"], "at_least": 2}}, "run_when_failed.at_least", "more than the 1 named"),
        ({"json_output": {"x": "a|body"}}, "json_output.x", "is not closed"),
        ({"json_output": {"x": "a|body::jq::if|"}}, "json_output.x", "no jq program"),
        ({"json_output": {"x": "a|Nobody::y|"}}, "json_output.x", "no action, variable or value is called 'Nobody'"),
        ({"json_output": {"x": "a|A::y|"}}, "json_output.x", "its own result"),
        ({"json_output": {"x": "a|env::HOME|"}}, "json_output.x", "'env' is not supported"),
        ({"json_output": {"x": "a|var::nope|"}}, "json_output.x", "no variable is called 'nope'"),
        ({"json_output": {"x": "a|ap_var::KEY|"}}, "json_output.x", "only be used in an http request"),
        ({"json_output": {"x": "a|secret::jq::.|"}}, "json_output.x", "needs a name"),
        ({"json_output": {"x": "a|headers::Authorization|"}}, "json_output.x", "credentials are not kept"),
    ],
)
def test_an_action_that_cannot_be_is_refused_by_its_path(action, path, says):
    place = "interfaces.try.actions.A" + (f".{path}" if path else "")
    said = refusals(config({"name": "A", **action}))
    assert any(each.startswith(f"{place}: ") and says in each for each in said), said


def test_a_variable_that_holds_an_organisation_variable_is_as_secret():
    value = config({"name": "A", "json_output": {"x": "a|var::key|"}})
    value["global"] = {"variables": {"key": "Bearer a|ap_var::KEY|"}}
    assert any("only be used in an http request" in said for said in refusals(value))


def test_everything_wrong_is_told_at_once():
    assert len(refusals(config({"name": "A", "http": {"proxy": 1}}, {"name": "A", "json_output": {}}, schedule={}))) == 4


def test_actions_need_names_of_their_own():
    assert any("actions[1].name: is there already" in said for said in refusals(config(OUT, OUT)))
    assert any("actions[0].name: is required" in said for said in refusals(config({"json_output": {}})))


@pytest.mark.parametrize(
    "action",
    [
        {"json_output": {}, "assert": {"tests": [{"value": "x", "regex": "^(a|b)$"}]}},
        {"json_output": {}, "assert": {"tests": [{"value": "x", "not_regex": "a|b|c"}, {"jq": ".a|length", "is_not_null": True}]}},
        {"json_output": {}, "run_on_assertion": {"tests": [{"custom_value": "x", "like": "a|%"}]}},
        {"json_output": {}, "post_transforms": [{"extract_with_jq": ".a|.b"}]},
    ],
)
def test_patterns_and_programs_hold_no_marker_by_chance(action):
    assert refusals(config({"name": "A", **action})) == []


def test_a_marker_is_one_under_any_key_of_a_body():
    value = config({"name": "A", "json_output": {"name": "a|Nobody::x|", "assert": {"tests": [{"jq": 1}]}}})
    value["global"] = {"variables": {"who": {"name": "a|var::other|"}, "other": 1}}
    assert any("json_output.name" in said and "'Nobody'" in said for said in refusals(value))


def _action(name, **fields):
    return {"name": name, "json_output": {}, **fields}


@pytest.mark.parametrize(
    "actions",
    [
        [_action("A", run_when_succeeded=["A"])],
        [_action("A", run_when_succeeded=["B"]), _action("B", depends_on=["A"])],
        [_action("A", json_output={"x": "a|B::y|"}), _action("B", run_when_finished=["A"])],
        [_action("A", json_output={"x": "a|B::y|"}), _action("B", json_output={"x": "a|A::y|"})],
    ],
)
def test_actions_that_wait_for_each_other_are_refused(actions):
    assert any("wait for each other" in said for said in refusals(config(*actions)))


def test_an_action_comes_after_those_it_waits_for_and_otherwise_as_it_is_listed():
    last = _action("Last", run_when_finished=["previous"])
    interface = read(config(_action("First", json_output={"x": "a|Third|"}), _action("Second"), _action("Third"), last)).interfaces[0]
    assert schedule(interface.actions, interface.written) == ("Second", "Third", "First", "Last")
    assert interface.actions[3].gates[0].actions == ("Third",)


def test_depends_on_is_run_when_finished():
    interface = read(config(_action("A"), _action("B", depends_on="A"))).interfaces[0]
    assert [gate.when for gate in interface.actions[1].gates] == [When.FINISHED]


def test_an_input_of_the_old_open_form_is_closed():
    read_as = read(config(_action("A"), {"name": "B", "input": "a|A"}))
    assert read_as.interfaces[0].actions[1].source.template == "a|A|"
    assert "old form" in read_as.warnings[0]

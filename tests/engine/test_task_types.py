"""Each task type and each policy of a run, in memory, as Conductor's engine does it."""

import itertools
import logging
from datetime import timedelta
from typing import Any

import pytest
from fermata.application.start import StartWorkflow, start
from fermata.domain.errors import InvalidRequest, NotFound
from fermata.domain.http_exchange import FailureKind, HttpFailure, HttpResult
from fermata.domain.status import TaskStatus, WorkflowStatus

from tests.support.world import World, answer, step, workflow

HTTP = {"http_request": {"uri": "http://v/x", "method": "GET"}}


def only(world: World, definition: dict[str, Any], given: dict[str, Any] | None = None) -> Any:
    return world.outcome(definition, given).tasks[0].task


# --- HTTP ---


def test_http_completes_with_conductors_response_map() -> None:
    task = only(World(lambda request: answer({"a": 1}, 201, {"X-Id": "7"}, "Created")), workflow(step("HTTP", "h", HTTP)))
    assert task.status is TaskStatus.COMPLETED
    response = task.output["response"]
    assert (response["statusCode"], response["reasonPhrase"], response["body"]) == (201, "Created", {"a": 1})
    assert response["headers"]["X-Id"] == ["7"]


@pytest.mark.parametrize(
    ("body", "read"),
    [(b"", None), (b"3", 3.0), (b'"text"', "text"), (b"true", "true"), (b"null", "null"), (b"[1]", [1]), (b"<p>", "<p>")],
)
def test_http_reads_bodies_as_conductor_does(body: bytes, read: Any) -> None:
    world = World(lambda request: answer(body, headers={"Content-Type": "text/plain"}))
    assert only(world, workflow(step("HTTP", "h", HTTP))).output["response"]["body"] == read


@pytest.mark.parametrize(
    "result", [answer({"e": 1}, 404, reason="Not Found"), HttpFailure(FailureKind.TIMEOUT, "no answer within 3000 ms")]
)
def test_http_failure_fails_the_run_with_a_reason(result: HttpResult) -> None:
    view = World(lambda request: result).outcome(workflow(step("HTTP", "h", HTTP)))
    assert (view.tasks[0].task.status, view.workflow.status) == (TaskStatus.FAILED, WorkflowStatus.FAILED)
    assert "Failed to invoke HTTP task due to:" in (view.workflow.reason_for_incompletion or "")
    assert view.workflow.failed_reference_task_names == ("h",)


@pytest.mark.parametrize(
    ("request_fields", "words"),
    [({"method": "GET"}, "uri"), ({"uri": "http://v"}, "method"), ({"uri": "http://v", "method": "GET", "headers": 3}, "headers")],
)
def test_http_without_what_it_needs_fails_by_name(request_fields: dict[str, Any], words: str) -> None:
    given = {"http_request": "${workflow.input.request}"}
    task = only(World(), workflow(step("HTTP", "h", given)), {"request": request_fields})
    assert task.status is TaskStatus.FAILED
    assert words in (task.reason_for_incompletion or "")


def test_http_takes_its_request_from_the_input_when_there_is_no_http_request() -> None:
    world = World()
    only(world, workflow(step("HTTP", "h", {"uri": "http://v/flat", "method": "GET"})))
    assert world.http.requests[0].uri == "http://v/flat"


def test_unsafe_requests_carry_one_idempotency_key_on_every_retry() -> None:
    world = World(lambda request: answer({}, 500))
    posting = step("HTTP", "h", {"http_request": {"uri": "http://v", "method": "POST", "body": {"a": None}}}, retryCount=2)
    world.outcome(workflow(posting))
    keys = {request.headers.get("Idempotency-Key") for request in world.http.requests}
    assert (len(world.http.requests), len(keys)) == (3, 1)
    assert world.http.requests[0].body == b'{"a": null}'


@pytest.mark.parametrize(
    ("fields", "key"),
    [({"headers": {"idempotency-key": "mine"}}, "mine"), ({"idempotencyKey": "named"}, "named"), ({"idempotencyKey": False}, None)],
)
def test_a_definition_may_set_or_disable_the_idempotency_key(fields: dict[str, Any], key: str | None) -> None:
    world = World()
    world.outcome(workflow(step("HTTP", "h", {"http_request": {"uri": "http://v", "method": "POST", **fields}})))
    sent = {name.lower(): value for name, value in world.http.requests[0].headers.items()}
    assert sent.get("idempotency-key") == key


def test_safe_requests_carry_no_idempotency_key() -> None:
    world = World()
    world.outcome(workflow(step("HTTP", "h", HTTP)))
    assert "Idempotency-Key" not in world.http.requests[0].headers


def test_secrets_are_revealed_to_the_vendor_and_stored_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    world = World(secrets={"TOKEN": "s3cret"})
    request = {"uri": "http://v", "method": "GET", "headers": {"Authorization": "Bearer ${workflow.secrets.TOKEN}"}}
    view = world.outcome(workflow(step("HTTP", "h", {"http_request": request})))
    assert world.http.requests[0].headers["Authorization"] == "Bearer s3cret"
    assert "s3cret" not in repr(view) + repr(world.executions.all_tasks(view.workflow.workflow_id))
    assert "s3cret" not in caplog.text


def test_polls_reveal_secrets_at_each_call_and_store_none(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    world = World(secrets={"TOKEN": "s3cret"})
    request = {"uri": "http://v", "headers": {"X-Key": "${workflow.secrets.TOKEN}"}}
    view = world.outcome(workflow(step("HTTP_POLL", "p", {"http_request": request})))
    assert world.http.requests[0].headers["X-Key"] == "s3cret"
    poll = world.polls.load(view.tasks[0].task.task_id)
    assert poll is not None
    assert "s3cret" not in repr(poll) + repr(view)
    assert "s3cret" not in caplog.text


# --- HTTP_POLL ---


def test_a_condition_may_look_at_earlier_tasks_and_at_the_input() -> None:
    condition = "$.output.body.n >= $.first.output.result && $.input.limit === 2"
    polling = step("HTTP_POLL", "p", {"limit": 2, "http_request": {"uri": "http://v", "terminationCondition": condition}})
    numbers = iter([1, 2, 3, 9])
    world = World(lambda request: answer({"n": next(numbers)}))
    view = world.outcome(workflow(step("INLINE", "first", {"expression": "3"}), polling))
    assert (view.workflow.status, view.tasks[1].task.poll_count) == (WorkflowStatus.COMPLETED, 3)


def test_a_vendor_that_throttles_is_waited_for_as_it_asks() -> None:
    answers = iter([answer({}, 429, {"Retry-After": "600"}), answer({}, 503), answer({"ok": 1})])
    world = World(lambda request: next(answers))
    polling = step("HTTP_POLL", "p", {"http_request": {"uri": "http://v", "terminationCondition": "$.output.body.ok"}})
    view = world.outcome(workflow(polling))
    entries = world.polls.ledger(view.tasks[0].task.task_id)
    assert [entry.decision for entry in entries] == ["SLOW_DOWN", "SLOW_DOWN", "DONE"]
    assert entries[1].fired - entries[0].fired == timedelta(seconds=600)


def test_a_condition_that_throws_uses_up_the_error_budget() -> None:
    polling = step("HTTP_POLL", "p", {"http_request": {"uri": "http://v", "terminationCondition": "$.output.body.a.b.c"}})
    task = only(World(lambda request: answer(None, 204)), workflow(polling))
    assert (task.status, task.poll_count) == (TaskStatus.FAILED, 3)
    assert "3 polls in a row failed; the last one: terminationCondition" in (task.reason_for_incompletion or "")


def test_a_failed_poll_task_is_retried_with_a_fresh_count() -> None:
    polling = step("HTTP_POLL", "p", {"http_request": {"uri": "http://v", "pollErrorBudget": {"consecutive": 2}}}, retryCount=1)
    world = World(lambda request: answer({}, 500))
    view = world.outcome(workflow(polling))
    assert [(task.task.retry_count, task.task.poll_count) for task in view.tasks] == [(0, 2), (1, 2)]
    assert len(world.http.requests) == 4


def test_a_poll_whose_fields_resolve_to_nonsense_fails_for_good() -> None:
    request = {"uri": "http://v", "pollingInterval": "${workflow.input.often}"}
    task = only(World(), workflow(step("HTTP_POLL", "p", {"http_request": request}, retryCount=3)), {"often": "often"})
    assert task.status is TaskStatus.FAILED_WITH_TERMINAL_ERROR
    assert "pollingInterval" in (task.reason_for_incompletion or "")


# --- SWITCH ---


def _switch(**fields: Any) -> dict[str, Any]:
    cases = {"a": [step("SET_VARIABLE", "in_a", {"chosen": "a"})], "empty": [], "1": [step("SET_VARIABLE", "in_1", {"chosen": "1"})]}
    default = [step("SET_VARIABLE", "in_default", {"chosen": "default"})]
    base = {"evaluatorType": "value-param", "expression": "v", "decisionCases": cases, "defaultCase": default}
    return step("SWITCH", "s", {"v": "${workflow.input.v}"}, **{**base, **fields})


@pytest.mark.parametrize(
    ("value", "chosen"),
    [("a", "a"), ("empty", None), ("x", "default"), (None, "default"), (1, "1"), (1.0, "1"), (True, "default")],
)
def test_switch_chooses_by_the_text_of_its_value(value: Any, chosen: str | None) -> None:
    view = World().outcome(workflow(_switch(), step("INLINE", "after", {"expression": "1"})), {"v": value})
    assert view.workflow.variables.get("chosen") == chosen
    assert view.tasks[-1].task.task_reference_name == "after"
    assert view.workflow.status is WorkflowStatus.COMPLETED


def test_switch_record_shows_its_case() -> None:
    task = World().outcome(workflow(_switch()), {"v": "a"}).tasks[0].task
    assert (task.input["case"], task.input["hasChildren"]) == ("a", "true")
    assert (task.output["evaluationResult"], task.output["selectedCase"]) == (["a"], "a")
    assert task.task_def_name == "SWITCH"


@pytest.mark.parametrize("evaluator", ["javascript", "graaljs"])
def test_switch_evaluates_a_script(evaluator: str) -> None:
    switch = _switch(evaluatorType=evaluator, expression="$.v > 2 ? 'a' : 'x'")
    assert World().outcome(workflow(switch), {"v": 3}).workflow.variables == {"chosen": "a"}


def test_a_switch_whose_script_fails_is_never_retried_and_may_be_optional() -> None:
    broken = _switch(evaluatorType="javascript", expression="$.v.x.y", retryCount=3)
    view = World().outcome(workflow(broken), {"v": 1})
    assert (view.workflow.status, len(view.tasks)) == (WorkflowStatus.FAILED, 1)
    lenient = World().outcome(workflow({**broken, "optional": True}, step("INLINE", "after", {"expression": "1"})), {"v": 1})
    assert [task.task.status for task in lenient.tasks] == [TaskStatus.COMPLETED_WITH_ERRORS, TaskStatus.COMPLETED]


def test_nested_switches_go_on_after_the_outermost() -> None:
    inner = {**_switch(), "name": "inner", "taskReferenceName": "inner"}
    outer = _switch(decisionCases={"a": [inner]}, defaultCase=[])
    outer["taskReferenceName"] = "outer"
    view = World().outcome(workflow(outer, step("INLINE", "after", {"expression": "1"})), {"v": "a"})
    assert [task.task.task_reference_name for task in view.tasks] == ["outer", "inner", "in_a", "after"]


# --- INLINE, JSON_JQ_TRANSFORM, SET_VARIABLE, TERMINATE ---


def test_inline_result_is_the_scripts_value() -> None:
    task = only(World(), workflow(step("INLINE", "i", {"n": 2, "expression": "(function(){ return {twice: $.n * 2}; })();"})))
    assert task.output == {"result": {"twice": 4}}


def test_inline_error_is_terminal_and_shown() -> None:
    task = only(World(), workflow(step("INLINE", "i", {"expression": "nope()"}, retryCount=2)))
    assert task.status is TaskStatus.FAILED_WITH_TERMINAL_ERROR
    assert task.output["error"] == task.reason_for_incompletion


def test_jq_gives_first_and_all_results() -> None:
    task = only(World(), workflow(step("JSON_JQ_TRANSFORM", "j", {"list": [3, 4], "queryExpression": ".list[]"})))
    assert task.output == {"result": 3, "resultList": [3, 4]}


def test_jq_without_a_result_is_null_and_an_error_is_shown() -> None:
    assert only(World(), workflow(step("JSON_JQ_TRANSFORM", "j", {"queryExpression": "empty"}))).output["result"] is None
    task = only(World(), workflow(step("JSON_JQ_TRANSFORM", "j", {"x": "s", "queryExpression": ".x.y"})))
    assert (task.status, task.output["error"]) == (TaskStatus.FAILED, task.reason_for_incompletion)


def test_jq_keeps_large_integers() -> None:
    task = only(World(), workflow(step("JSON_JQ_TRANSFORM", "j", {"n": 12345678901234567890, "queryExpression": ".n"})))
    assert task.output["result"] == 12345678901234567890


def test_set_variable_is_seen_by_later_tasks() -> None:
    later = step("INLINE", "i", {"v": "${workflow.variables.a}", "expression": "$.v"})
    view = World().outcome(workflow(step("SET_VARIABLE", "s", {"a": [1]}), later, variables={"a": 0, "b": 2}))
    assert (view.workflow.variables, view.tasks[1].task.output) == ({"a": [1], "b": 2}, {"result": [1]})


def test_variables_over_the_limit_are_refused_as_a_whole() -> None:
    view = World().outcome(workflow(step("SET_VARIABLE", "s", {"a": 1, "b": "${workflow.input.big}"})), {"big": "x" * 300_000})
    assert (view.tasks[0].task.status, view.workflow.variables) == (TaskStatus.FAILED_WITH_TERMINAL_ERROR, {})


@pytest.mark.parametrize(("output", "result"), [({"a": 1}, {"a": 1}), ("text", {"output": "text"}), ([1], {"output": [1]}), (None, {})])
@pytest.mark.parametrize("status", ["COMPLETED", "FAILED", "TERMINATED"])
def test_terminate_ends_the_run_with_its_output(status: str, output: Any, result: Any) -> None:
    ending = step("TERMINATE", "t", {"terminationStatus": status, "workflowOutput": output, "terminationReason": "why"})
    after = step("INLINE", "after", {"expression": "1"})
    view = World().outcome(workflow(ending, after, outputParameters={"ignored": 1}))
    assert (view.workflow.status, view.workflow.output, view.workflow.reason_for_incompletion) == (status, result, "why")
    assert len(view.tasks) == 1


# --- WAIT ---


def test_wait_ends_after_its_duration_and_not_before() -> None:
    world = World()
    workflow_id = world.start(workflow(step("WAIT", "w", {"duration": "2 days 30m"})))
    world.run_until(timedelta(days=2))
    assert world.tasks(workflow_id)["w"].status is TaskStatus.IN_PROGRESS
    world.run_until(timedelta(minutes=30))
    assert world.tasks(workflow_id)["w"].status is TaskStatus.COMPLETED


@pytest.mark.parametrize(
    ("until", "hours"),
    [("2026-01-01 05:00", 5), ("2026-01-02", 24), ("2026-01-01 05:00 Europe/Berlin", 4), ("2026-01-01 00:00 UTC", 0), ("2025-12-31", 0)],
)
def test_wait_until_a_moment(until: str, hours: int) -> None:
    world = World()
    view = world.outcome(workflow(step("WAIT", "w", {"until": until})))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert world.clock.now() - view.workflow.create_time == timedelta(hours=hours)


@pytest.mark.parametrize("given", [{"duration": "5"}, {"duration": "1.5 hours"}, {"until": "soon"}, {"until": "2026-13-01"}])
def test_a_wait_that_cannot_be_read_fails_for_good(given: dict[str, str]) -> None:
    expressions = {key: f"${{workflow.input.{key}}}" for key in given}
    task = only(World(), workflow(step("WAIT", "w", expressions)), given)
    assert task.status is TaskStatus.FAILED_WITH_TERMINAL_ERROR


# --- policies ---


def test_retries_wait_as_their_policy_says() -> None:
    policy = {"name": "h", "retryCount": 3, "retryDelaySeconds": 10, "retryLogic": "EXPONENTIAL_BACKOFF", "maxRetryDelaySeconds": 25}
    world = World(lambda request: answer({}, 500))
    view = world.outcome(workflow(step("HTTP", "h", HTTP, taskDefinition=policy)))
    starts = [task.task.start_time for task in view.tasks]
    gaps = [(later - earlier).total_seconds() for earlier, later in itertools.pairwise(starts) if earlier and later]
    assert gaps == [10, 20, 25]
    assert [task.task.retried for task in view.tasks] == [True, True, True, False]
    assert view.tasks[1].task.retried_task_id == view.tasks[0].task.task_id


def test_a_retry_that_succeeds_completes_the_run() -> None:
    answers = iter([answer({}, 500), answer({"ok": 1})])
    view = World(lambda request: next(answers)).outcome(workflow(step("HTTP", "h", HTTP, retryCount=1)))
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert [task.task.status for task in view.tasks] == [TaskStatus.FAILED, TaskStatus.COMPLETED]


def test_an_optional_task_fails_without_ending_the_run() -> None:
    view = World(lambda request: answer({}, 500)).outcome(
        workflow(step("HTTP", "h", HTTP, optional=True), step("INLINE", "i", {"s": "${h.status}", "expression": "$.s"}))
    )
    assert view.workflow.status is WorkflowStatus.COMPLETED
    assert view.tasks[1].task.output == {"result": "COMPLETED_WITH_ERRORS"}


def test_a_permissive_task_fails_the_run_only_at_its_end() -> None:
    view = World(lambda request: answer({}, 500)).outcome(
        workflow(step("HTTP", "h", HTTP, permissive=True), step("INLINE", "i", {"expression": "1"}))
    )
    assert [task.task.status for task in view.tasks] == [TaskStatus.FAILED, TaskStatus.COMPLETED]
    assert view.workflow.status is WorkflowStatus.FAILED
    assert view.tasks[0].task.task_id in (view.workflow.reason_for_incompletion or "")


@pytest.mark.parametrize(
    ("policy", "status"),
    [("TIME_OUT_WF", WorkflowStatus.TIMED_OUT), ("RETRY", WorkflowStatus.TIMED_OUT), ("ALERT_ONLY", WorkflowStatus.COMPLETED)],
)
def test_a_task_timeout_follows_its_policy(policy: str, status: WorkflowStatus) -> None:
    definition = {
        "name": "p",
        "timeoutSeconds": 90,
        "responseTimeoutSeconds": 90,
        "timeoutPolicy": policy,
        "retryCount": 1,
        "retryDelaySeconds": 5,
    }
    polling = {"uri": "http://v", "terminationCondition": "$.output.body.done"}
    replies = iter([answer({})] * 6 + [answer({"done": 1})])
    view = World(lambda request: next(replies)).outcome(
        workflow(step("HTTP_POLL", "p", {"http_request": polling}, taskDefinition=definition))
    )
    assert view.workflow.status is status
    assert len(view.tasks) == (2 if policy == "RETRY" else 1)


def test_start_delay_holds_a_request_back() -> None:
    world = World()
    view = world.outcome(workflow(step("HTTP", "h", HTTP, startDelay=120)))
    assert world.clock.now() - view.workflow.create_time == timedelta(seconds=120)


def test_input_templates_fill_what_is_missing() -> None:
    definition = {"name": "h", "inputTemplate": {"http_request": {"uri": "http://v/template", "method": "GET"}}}
    world = World()
    world.outcome(workflow(step("HTTP", "h", {}, taskDefinition=definition)))
    assert world.http.requests[0].uri == "http://v/template"


def test_a_workflow_input_template_applies_to_a_non_empty_input_only() -> None:
    definition = workflow(step("INLINE", "i", {"a": "${workflow.input.a}", "expression": "$.a"}), inputTemplate={"a": 1})
    assert World().outcome(definition, {"b": 2}).workflow.output == {"result": 1}
    assert World().outcome(definition, {}).workflow.output == {"result": None}


def test_without_output_parameters_the_last_tasks_output_is_the_runs() -> None:
    view = World().outcome(workflow(step("INLINE", "a", {"expression": "1"}), step("INLINE", "b", {"expression": "2"})))
    assert view.workflow.output == {"result": 2}


def test_output_parameters_keep_keys_that_lead_nowhere() -> None:
    view = World().outcome(
        workflow(step("INLINE", "a", {"expression": "1"}), outputParameters={"x": "${nope.output.y}", "t": "a ${a.output.result}"})
    )
    assert view.workflow.output == {"x": None, "t": "a 1"}


def test_environment_names_resolve_only_from_the_allow_list() -> None:
    definition = workflow(
        step("INLINE", "a", {"k": "${workflow.env.REGION}", "s": "${workflow.env.AWS_SECRET_ACCESS_KEY}", "expression": "[$.k, $.s]"})
    )
    assert World(environment={"REGION": "r1"}).outcome(definition).workflow.output == {"result": ["r1", None]}


def test_a_task_knows_its_own_id() -> None:
    task = only(World(), workflow(step("INLINE", "a", {"id": "${CPEWF_TASK_ID}", "expression": "$.id"})))
    assert task.output["result"] == task.task_id


# --- what is refused ---


@pytest.mark.parametrize(
    ("definition", "path"),
    [
        (workflow(step("INLINE", "a", {"expression": "1 +"})), "tasks[0].inputParameters.expression"),
        (workflow(step("NOPE", "a")), "tasks[0].type"),
        (workflow(step("INLINE", "a", {"expression": "1"}), step("INLINE", "a", {"expression": "1"})), "tasks[1].taskReferenceName"),
        (
            workflow(step("HTTP_POLL", "a", {"http_request": {"uri": "u", "terminalCondition": "x"}})),
            "tasks[0].inputParameters.http_request.terminalCondition",
        ),
        (workflow(step("HTTP_POLL", "a", {"http_request": {"uri": "u"}, "maxPolCount": 3})), "tasks[0].inputParameters.maxPolCount"),
        (
            workflow(step("HTTP_POLL", "a", {"http_request": {"uri": "u", "pollingStrategy": "X"}})),
            "tasks[0].inputParameters.http_request.pollingStrategy",
        ),
        (
            workflow(step("HTTP_POLL", "a", {"http_request": {"uri": "u", "outputFilter": "a["}})),
            "tasks[0].inputParameters.http_request.outputFilter",
        ),
        (
            workflow(step("HTTP_POLL", "a", {"http_request": {"uri": "u", "terminationCondition": "("}})),
            "tasks[0].inputParameters.http_request.terminationCondition",
        ),
        (workflow(step("JSON_JQ_TRANSFORM", "a", {"queryExpression": ".a |"})), "tasks[0].inputParameters.queryExpression"),
        (workflow(step("TERMINATE", "a", {"terminationStatus": "DONE"})), "tasks[0].inputParameters.terminationStatus"),
        (workflow(step("WAIT", "a", {"duration": "5"})), "tasks[0].inputParameters.duration"),
        (workflow(step("SWITCH", "a")), "tasks[0].evaluatorType"),
        (workflow(step("HTTP", "a")), "tasks[0].inputParameters.http_request"),
        ({**workflow(step("INLINE", "a", {"expression": "1"})), "schemaVersion": 1}, "schemaVersion"),
    ],
)
def test_registration_refuses_by_path(definition: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        World().register(definition)
    assert path in [violation.path for violation in caught.value.violations]


def test_an_unknown_definition_cannot_be_started() -> None:
    with pytest.raises(NotFound, match="nobody"):
        start(World().engine, StartWorkflow("nobody"))


def test_a_run_keeps_the_definition_it_began_with() -> None:
    world = World(lambda request: answer({}))
    definition = workflow(step("WAIT", "w", {"duration": "1h"}), step("INLINE", "i", {"expression": "'old'"}))
    workflow_id = world.start(definition)
    world.register(workflow(step("WAIT", "w", {"duration": "1h"}), step("INLINE", "i", {"expression": "'new'"})))
    world.run()
    assert world.view(workflow_id).workflow.output == {"result": "old"}

"""What registration refuses, with where it stands and what to do."""

from dataclasses import replace

import pytest
from fermata.domain.definitions import TaskDefinition, WorkflowDefinition, WorkflowTask
from fermata.domain.errors import Violation
from fermata.domain.near_misses import near_misses
from fermata.domain.places import located_strings, located_tasks
from fermata.domain.validation import task_definition_violations, violations


def accepts_all(task, path):
    return ()


TYPES = dict.fromkeys(("HTTP", "SWITCH", "FORK_JOIN", "DO_WHILE", "FORK_JOIN_DYNAMIC"), accepts_all)


def step(ref, **fields):
    return replace(WorkflowTask(name=ref, task_reference_name=ref, type="HTTP"), **fields)


def definition(*tasks, **fields):
    return replace(WorkflowDefinition(name="wf", tasks=tasks), **fields)


def paths(found):
    return [violation.path for violation in found]


def test_a_sound_definition_has_no_violations():
    tasks = (
        step("submit", input_parameters={"uri": "${workflow.input.url}"}),
        step("poll", input_parameters={"http_request": {"uri": "${submit.output.x}/${CPEWF_TASK_ID}", "auth": "${workflow.secrets.T}"}}),
        step("branch", type="SWITCH", decision_cases={"A": (step("inside", input_parameters={"x": "${poll.output}"}),)}),
    )
    assert violations(definition(*tasks), TYPES) == ()


def test_everything_wrong_is_reported_at_once():
    wrong = definition(step("", name=" ", start_delay=-1), step("b", type="NOPE"), name="", schema_version=1)

    assert paths(violations(wrong, TYPES)) == [
        "name",
        "schemaVersion",
        "tasks[0].name",
        "tasks[0].taskReferenceName",
        "tasks[0].startDelay",
        "tasks[1].type",
    ]


def test_a_definition_without_tasks_is_refused():
    assert paths(violations(definition(), TYPES)) == ["tasks"]


def test_a_reference_used_twice_names_the_reference_the_workflow_and_the_first_place():
    tasks = (step("a"), step("s", type="SWITCH", decision_cases={"it's": (step("b"), step("a"))}), step("a"))
    found = violations(definition(*tasks), TYPES)

    assert paths(found) == ["tasks[1].decisionCases['it\\'s'][1].taskReferenceName", "tasks[2].taskReferenceName"]
    assert all(part in found[0].message for part in ("'a'", "'wf'", "tasks[0]"))


def test_an_unknown_type_is_refused_by_name_with_the_known_ones():
    (found,) = violations(definition(step("a", type="KAFKA")), {"WAIT": accepts_all, "HTTP": accepts_all})
    assert found == Violation(
        "tasks[0].type",
        "task type 'KAFKA' of a is not known here; a worker's task has the type SIMPLE, and its worker polls for its name; "
        "known types: HTTP, WAIT",
        "KAFKA",
    )


def test_each_type_checks_its_own_tasks_wherever_they_stand():
    seen = []

    def validate(task, path):
        seen.append((task.task_reference_name, path))
        yield Violation(f"{path}.sink", "is required")

    tree = step(
        "s",
        type="SWITCH",
        decision_cases={"SUCCEEDED": (step("c0", type="SWITCH"), step("c1"))},
        default_case=(step("d"),),
        fork_tasks=((step("f00"),), (step("f10"), step("f11"))),
        loop_over=(step("l"),),
    )
    found = violations(definition(tree), {"SWITCH": accepts_all, "HTTP": validate})

    assert seen == [
        ("c1", "tasks[0].decisionCases['SUCCEEDED'][1]"),
        ("d", "tasks[0].defaultCase[0]"),
        ("f00", "tasks[0].forkTasks[0][0]"),
        ("f10", "tasks[0].forkTasks[1][0]"),
        ("f11", "tasks[0].forkTasks[1][1]"),
        ("l", "tasks[0].loopOver[0]"),
    ]
    assert paths(found) == [f"{path}.sink" for _, path in seen]


@pytest.mark.parametrize(
    "text", ["${ workflow.input.x }", "a ${workflow.input.x + 1}", "${workflow.input.l[?(@.a=~/(a+)+/)]}", "${a..}", "${fn(x)}"]
)
def test_an_expression_that_is_no_path_is_refused_where_it_stands(text):
    (found,) = violations(definition(step("a", input_parameters={"http_request": {"x-y": [1, {"a.b": text}]}})), TYPES)

    assert found.path == "tasks[0].inputParameters.http_request.x-y[1]['a.b']"
    assert "not a readable path" in found.message
    assert found.invalid_value == text


@pytest.mark.parametrize(
    "text", ["$${name}", "${}", "${workflow.input.${a.output.key}}", "${a.output.list[*].k}", "${STAGE}", "${unbalanced", "${a['output']}"]
)
def test_what_resolves_is_accepted(text):
    assert violations(definition(step("a", input_parameters={"x": text})), TYPES, environment_names={"STAGE"}) == ()


def test_an_unknown_root_is_refused_and_the_near_one_is_named():
    (found,) = violations(definition(step("submit_job"), step("b", input_parameters={"x": "v=${submit_jub.output}"})), TYPES)

    assert found.path == "tasks[1].inputParameters.x"
    assert "'submit_jub'" in found.message
    assert "did you mean 'submit_job'?" in found.message


@pytest.mark.parametrize(
    "text", ["${name}", "${workflow.input.${ghost.output.key}}", "${a.output.l[?(@.id == $.ghost.output.id)]}", "${WORKFLOW.input}"]
)
def test_an_unknown_root_is_refused_wherever_it_is_mentioned(text):
    assert paths(violations(definition(step("a", input_parameters={"x": text})), TYPES)) == ["tasks[0].inputParameters.x"]


def test_a_nested_task_may_name_what_a_dynamic_fork_brings_and_a_top_level_task_may_not():
    nested = step("s", type="SWITCH", default_case=(step("n", input_parameters={"x": "${forked_1.output}"}),))
    top = step("t", input_parameters={"x": "${forked_1.output}"})
    fork = step("f", type="FORK_JOIN_DYNAMIC")

    assert paths(violations(definition(nested), TYPES)) == ["tasks[0].defaultCase[0].inputParameters.x"]
    assert violations(definition(fork, nested), TYPES) == ()
    assert paths(violations(definition(fork, top), TYPES)) == ["tasks[1].inputParameters.x"]
    assert violations(definition(nested), TYPES, types_adding_references={"SWITCH"}) == ()


def test_long_values_are_not_repeated():
    (found,) = violations(definition(step("a", input_parameters={"x": "${ " + "y" * 5_000 + "}"})), TYPES)
    assert found.invalid_value is None
    assert len(found.message) < 400


def test_deeply_nested_definitions_are_no_recursion():
    task = step("deepest", input_parameters={"x": "${ghost.output}"})
    for level in range(2_000):
        task = step(f"t{level}", type="DO_WHILE", loop_over=(task,))
    (found,) = violations(definition(task), TYPES)
    assert found.path.count("loopOver") == 2_000


def task_definition(**fields):
    return replace(TaskDefinition(name="t"), **fields)


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"name": " "}, "name"),
        ({"retry_count": -1}, "retryCount"),
        ({"backoff_scale_factor": 0}, "backoffScaleFactor"),
        ({"max_retry_delay_seconds": -1}, "maxRetryDelaySeconds"),
        ({"backoff_jitter_ms": -1}, "backoffJitterMs"),
        ({"response_timeout_seconds": 0}, "responseTimeoutSeconds"),
        ({"poll_timeout_seconds": -1}, "pollTimeoutSeconds"),
        ({"total_timeout_seconds": -1}, "totalTimeoutSeconds"),
        ({"timeout_seconds": 60, "response_timeout_seconds": 61}, "responseTimeoutSeconds"),
        ({"timeout_seconds": 4000, "total_timeout_seconds": 3999}, "timeoutSeconds"),
    ],
)
def test_task_definition_limits(fields, path):
    (found,) = task_definition_violations(task_definition(**fields))
    assert found.path == path


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"retry_count": 1000},
        {"timeout_seconds": 60, "response_timeout_seconds": 60},
        {"timeout_seconds": 4000, "total_timeout_seconds": 4000},
        {"timeout_seconds": 4000, "total_timeout_seconds": 0},
        {"poll_timeout_seconds": 0},
    ],
)
def test_task_definitions_within_the_limits_are_accepted(fields):
    assert task_definition_violations(task_definition(**fields)) == ()


def test_an_embedded_task_definition_is_checked_in_its_place_and_needs_no_name():
    embedded = TaskDefinition(name="", retry_count=-1)
    assert paths(violations(definition(step("a", task_definition=embedded)), TYPES)) == ["tasks[0].taskDefinition.retryCount"]


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("terminalCondition", "terminationCondition"),
        ("maxPolCount", "maxPollCount"),
        ("MAXPOLLCOUNT", "maxPollCount"),
        ("pollInterval", "pollingInterval"),
        ("until", "terminationCondition"),
    ],
)
def test_a_near_miss_names_what_was_meant(key, meant):
    known = {"terminationCondition", "maxPollCount", "pollingInterval"}
    assert near_misses([key, "uri", "maxPollCount"], known, {"until": "terminationCondition"}) == ((key, meant),)


def test_long_keys_are_not_compared():
    assert near_misses(["x" * 1_000_000], {"x" * 64}) == ()


def test_places_are_in_the_order_of_the_text():
    assert list(located_strings({"a": ["x", {"b": "y"}], "c": "z"}, "p")) == [("x", "p.a[0]"), ("y", "p.a[1].b"), ("z", "p.c")]
    tasks = (step("a", loop_over=(step("b"),)), step("c"))
    assert [task.task_reference_name for task, _ in located_tasks(tasks)] == ["a", "b", "c"]

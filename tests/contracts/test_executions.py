"""What every `Executions` promises: one commit point, an outbox, task rows, outcomes that are recorded once."""

from dataclasses import replace
from datetime import timedelta

import pytest
from fermata.domain.effects import Decision
from fermata.domain.status import TaskStatus, WorkflowStatus
from fermata.domain.working import WorkKey
from fermata.ports import KeyHolder, StoredWorkflow, WorkflowQuery

from tests.contracts.builders import BIG, RUN, T0, decision, every_effect, outcome, run_id, seconds, spec, task, task_id, workflow


@pytest.fixture
def executions(store):
    return store.executions


def all_fields(revision=1):
    return workflow(
        revision,
        generation=2,
        status=WorkflowStatus.PAUSED,
        input={"n": 1.5, "big": 12345678901234567890, "deep": [{"a": None}]},
        output={"o": True},
        variables={"v": []},
        end_time=T0 + seconds(9),
        last_retried_time=T0,
        correlation_id="corr",
        priority=7,
        created_by="me",
        reason_for_incompletion="because",
        failed_reference_task_names=("a",),
        failed_task_names=("b",),
        task_to_domain={"x": "y"},
        open_tasks=2,
        first_generation=1,
        revisited=True,
        idempotency_key="k",
        last_task_id=task_id(2),
        tasks_scheduled=4,
        waits=(task_id(1), task_id(2)),
        look_at=T0 + seconds(600),
    )


def settle(executions, made):
    assert executions.commit(made)
    executions.settle_tasks(made)
    executions.settled(made)


def test_an_unknown_run_is_none(executions):
    assert executions.load(RUN) is None
    assert executions.all_tasks(RUN) == []
    assert executions.workflow_of(task_id(1)) is None


def test_a_commit_stores_the_run_with_its_decision_as_outbox(executions):
    made = Decision(all_fields(), (task(1), task(2, look_at=T0)), every_effect(spec(2)))
    assert executions.commit(made)
    assert executions.load(RUN) == StoredWorkflow(made.workflow, made)


def test_revisions_are_told_of_the_runs_that_are_there(executions):
    first, second = workflow(1), replace(workflow(1), workflow_id="00000000-0000-4000-8000-00000000000b")
    assert dict(executions.revisions([first.workflow_id])) == {}
    for made in (first, replace(first, revision=2), second):
        assert executions.commit(Decision(made))
    assert dict(executions.revisions([first.workflow_id, second.workflow_id, "none"])) == {first.workflow_id: 2, second.workflow_id: 1}


def test_settled_drops_the_outbox_and_may_be_repeated(executions):
    made = Decision(all_fields(), (task(1),))
    settle(executions, made)
    executions.settled(made)
    assert executions.load(RUN) == StoredWorkflow(made.workflow)


def test_a_commit_needs_the_revision_before_it(executions):
    assert not executions.commit(decision(2))
    assert executions.load(RUN) is None
    assert executions.commit(decision(1))
    assert not executions.commit(decision(1, correlation_id="other"))
    assert not executions.commit(decision(3))
    assert executions.load(RUN).workflow == decision(1).workflow
    assert executions.commit(decision(2))
    assert executions.load(RUN).outbox == decision(2)


def test_settled_of_an_earlier_decision_leaves_the_later_outbox(executions):
    executions.commit(decision(1))
    executions.commit(decision(2))
    executions.settled(decision(1))
    assert executions.load(RUN).outbox == decision(2)


def test_task_rows_appear_when_settled_and_not_before(executions):
    made = decision(1, (task(1), task(2)))
    executions.commit(made)
    assert executions.load_tasks(RUN, [task_id(1)]) == {task_id(1): None}
    executions.settle_tasks(made)
    assert executions.load_tasks(RUN, {task_id(1), task_id(3)}) == {task_id(1): task(1), task_id(3): None}
    assert executions.all_tasks(RUN) == [task(1), task(2)]


def test_all_fields_of_a_task_survive(executions):
    whole = task(
        1,
        status=TaskStatus.FAILED,
        input={"i": [1]},
        output={"o": 0.5},
        reason_for_incompletion="why",
        retry_count=2,
        retried=True,
        executed=True,
        retried_task_id=task_id(9),
        first_scheduled_time=T0,
        start_time=T0,
        end_time=T0,
        update_time=T0,
        start_delay_in_seconds=3,
        callback_after_seconds=4,
        poll_count=5,
        iteration=6,
        worker_id="w",
        due=T0,
        look_at=T0,
    )
    settle(executions, decision(1, (whole,)))
    assert executions.all_tasks(RUN) == [whole]


def test_all_tasks_come_by_seq(executions):
    settle(executions, decision(1, (task(3, seq=1), task(1, seq=3), task(2, seq=2))))
    assert [found.seq for found in executions.all_tasks(RUN)] == [1, 2, 3]


def test_an_earlier_decision_does_not_overwrite_a_task_row(executions):
    first = decision(1, (task(1),))
    second = decision(2, (task(1, status=TaskStatus.COMPLETED),))
    executions.settle_tasks(second)
    executions.settle_tasks(first)
    assert executions.load_tasks(RUN, [task_id(1)])[task_id(1)].status is TaskStatus.COMPLETED
    executions.settle_tasks(decision(3, (task(1, status=TaskStatus.CANCELED),)))
    assert executions.load_tasks(RUN, [task_id(1)])[task_id(1)].status is TaskStatus.CANCELED


def test_settling_tasks_twice_changes_nothing(executions):
    made = decision(1, (task(1), task(2)))
    settle(executions, made)
    executions.settle_tasks(made)
    assert executions.all_tasks(RUN) == [task(1), task(2)]


def test_the_first_outcome_wins_and_needs_no_task_row(executions):
    first, second = outcome(1, reason="first"), outcome(1, status=TaskStatus.FAILED)
    assert executions.record(first) == first
    assert executions.record(second) == first
    assert executions.outcomes(RUN, [task_id(1), task_id(2)]) == {task_id(1): first}


def test_all_fields_of_an_outcome_survive(executions):
    whole = outcome(1, output={"a": [1.25]}, reason="r", started_at=T0 + seconds(1), poll_count=3, worker_id="w")
    executions.record(whole)
    assert executions.outcomes(RUN, [task_id(1)])[task_id(1)] == whole


def test_a_task_whose_output_is_the_recorded_outcome_comes_back_whole(executions):
    executions.record(outcome(1, output={"body": "long"}))
    finished = task(1, status=TaskStatus.COMPLETED, output={"body": "long"}, output_recorded=True)
    made = decision(1, (finished, task(2)))
    executions.commit(made)
    assert executions.load(RUN).outbox == made
    executions.settle_tasks(made)
    assert executions.load_tasks(RUN, [task_id(1), task_id(2)]) == {task_id(1): finished, task_id(2): task(2)}
    assert executions.all_tasks(RUN) == [finished, task(2)]


def test_content_too_big_for_a_row_comes_back_as_if_inline(executions):
    executions.record(outcome(1, output=BIG))
    finished = task(1, status=TaskStatus.COMPLETED, input=BIG, output=BIG, output_recorded=True)
    plain = task(2, input=BIG, output=BIG)
    made = Decision(workflow(1, input=BIG, output=BIG, variables=BIG), (finished, plain), every_effect(spec(2, input=BIG, context=BIG)))
    assert executions.commit(made)
    assert executions.load(RUN) == StoredWorkflow(made.workflow, made)
    executions.settle_tasks(made)
    executions.settled(made)
    assert executions.load(RUN) == StoredWorkflow(made.workflow)
    assert executions.all_tasks(RUN) == [finished, plain]
    assert executions.outcomes(RUN, [task_id(1)])[task_id(1)].output == BIG


def test_a_decision_with_many_tasks_is_still_one_commit(executions):
    many = tuple(task(number, input={"text": "y" * 3000}) for number in range(1, 151))
    made = Decision(workflow(1, open_tasks=len(many)), many)
    settle(executions, made)
    assert executions.load(RUN).workflow == made.workflow
    assert executions.load_tasks(RUN, [each.task_id for each in many]) == {each.task_id: each for each in many}
    assert executions.all_tasks(RUN) == list(many)


def test_the_run_of_a_task_is_found_by_the_task_id(executions):
    settle(executions, decision(1, (task(1),)))
    assert executions.workflow_of(task_id(1)) == RUN


def test_expire_of_a_finished_run_may_be_repeated_and_hides_nothing(executions):
    ended = decision(1, (task(1),), status=WorkflowStatus.COMPLETED, end_time=T0)
    settle(executions, ended)
    executions.expire(RUN)
    executions.expire(RUN)
    executions.expire("unknown")
    assert executions.load(RUN).workflow == ended.workflow


def test_a_removed_task_is_gone_with_its_outcome_and_may_be_removed_again(executions):
    settle(executions, Decision(workflow(1), (task(1), task(2))))
    executions.record(outcome(1))
    removing = Decision(workflow(2), removed=(task_id(1),))
    settle(executions, removing)
    executions.settle_tasks(removing)
    assert [each.task_id for each in executions.all_tasks(RUN)] == [task_id(2)]
    assert executions.load_tasks(RUN, (task_id(1),)) == {task_id(1): None}
    assert executions.outcomes(RUN, (task_id(1),)) == {}


def test_what_a_decision_removes_rides_along_in_its_outbox(executions):
    removing = Decision(workflow(1), removed=(task_id(7),))
    executions.commit(removing)
    assert executions.load(RUN).outbox == removing


def test_a_removed_run_is_gone_with_everything_and_may_be_removed_again(executions, store):
    settle(executions, Decision(workflow(1, look_at=T0, idempotency_key="k"), (task(1, look_at=T0), task(2))))
    settle(executions, Decision(workflow(1, workflow_id=run_id(2)), (task(3, workflow_id=run_id(2)),)))
    executions.record(outcome(1))
    executions.hold_key("export", "k", KeyHolder(RUN, T0))
    executions.remove(RUN)
    executions.remove(RUN)
    assert executions.load(RUN) is None
    assert executions.all_tasks(RUN) == []
    assert executions.outcomes(RUN, (task_id(1),)) == {}
    assert executions.workflow_of(task_id(1)) is None
    assert store.due.overdue(T0 + timedelta(days=1), 10) == []
    assert [run.workflow_id for run in executions.search(WorkflowQuery()).workflows] == [run_id(2)]
    assert not executions.commit(decision(2)), "a decision that was under way comes too late"
    assert executions.hold_key("export", "k", KeyHolder(run_id(3), T0)) == KeyHolder(run_id(3), T0)


def test_a_key_belongs_to_the_first_and_only_within_its_name(executions):
    first, second = KeyHolder(RUN, T0), KeyHolder(run_id(2), T0 + seconds(1))
    assert executions.hold_key("export", "k", first) == first
    assert executions.hold_key("export", "k", second) == first
    assert executions.hold_key("export", "k" * 3000, second) == second
    assert executions.hold_key("other", "k", second) == second


def test_a_key_passes_on_only_from_the_holder_that_was_seen(executions):
    first, second, third = (KeyHolder(run_id(number), T0) for number in (1, 2, 3))
    executions.hold_key("export", "k", first)
    assert executions.hold_key("export", "k", second, instead_of=first) == second
    assert executions.hold_key("export", "k", third, instead_of=first) == second


def test_removing_a_run_leaves_a_key_that_passed_on(executions):
    settle(executions, Decision(workflow(1, idempotency_key="k")))
    executions.hold_key("export", "k", KeyHolder(RUN, T0))
    later = executions.hold_key("export", "k", KeyHolder(run_id(2), T0), instead_of=KeyHolder(RUN, T0))
    executions.remove(RUN)
    assert executions.hold_key("export", "k", KeyHolder(run_id(3), T0)) == later


# --- glances: what lists and pages look at ---


def test_several_runs_are_glanced_at_at_once(executions):
    first = decision(1, workflow_id=run_id(1), input={"small": 1})
    settle(executions, first)
    second = Decision(workflow(1, workflow_id=run_id(2)), (task(1, workflow_id=run_id(2)),))
    assert executions.commit(second)
    seen = executions.glance([run_id(2), run_id(3), run_id(1), run_id(1), ""])
    assert {name: (each.workflow, each.outbox) for name, each in seen.items()} == {
        run_id(1): (first.workflow, None),
        run_id(2): (second.workflow, second),
    }
    assert executions.glance([]) == {}


def test_tasks_of_several_runs_are_glanced_at_at_once(executions):
    tasks = [task(number, workflow_id=run_id(number), input={"n": number}) for number in (1, 2)]
    for number, each in enumerate(tasks, 1):
        settle(executions, Decision(workflow(1, workflow_id=run_id(number)), (each,)))
    keys = [WorkKey(run_id(1), task_id(1)), WorkKey(run_id(2), task_id(2)), WorkKey(run_id(1), task_id(2))]
    found = executions.glance_at(keys)
    assert sorted((each.task for each in found), key=lambda each: each.seq) == tasks
    assert not any(each.left_out for each in found)
    assert list(executions.glance_at([])) == []


def test_all_tasks_of_a_run_are_glanced_at_with_their_recorded_outputs(executions):
    executions.record(outcome(1, output={"said": "yes"}))
    settle(executions, Decision(workflow(1), (task(2), task(1, output={"said": "yes"}, output_recorded=True))))
    assert [each.task for each in executions.glance_at_all(RUN)] == list(executions.all_tasks(RUN))
    assert executions.glance_at_all(RUN)[0].task.output == {"said": "yes"}
    assert list(executions.glance_at_all(run_id(9))) == []

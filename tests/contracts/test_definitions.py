"""What every `Definitions` promises: versions, the highest one by default, and snapshots that stay."""

from dataclasses import replace

import pytest
from fermata.domain.definitions import RetryLogic, TaskDefinition
from fermata.domain.errors import EngineBug
from fermata.wire.definitions import MAX_NAME_BYTES, MAX_VERSION

from tests.contracts.builders import definition


@pytest.fixture
def definitions(store):
    return store.definitions


def test_an_unknown_definition_is_none(definitions):
    assert definitions.get_workflow("nobody") is None
    assert definitions.get_workflow("nobody", 1) is None
    assert definitions.get_task("nobody") is None
    assert list(definitions.list_workflows()) == []
    assert list(definitions.list_tasks()) == []


def test_a_definition_comes_back_by_version_and_the_highest_by_default(definitions):
    for version in (2, 10, 1):
        assert definitions.put_workflow(definition(version=version), overwrite=False)
    assert definitions.get_workflow("export", 2) == definition(version=2)
    assert definitions.get_workflow("export") == definition(version=10)
    assert definitions.get_workflow("export", 3) is None


def test_a_definition_with_the_longest_name_and_version_is_kept_and_found(definitions):
    longest = definition("ü" * (MAX_NAME_BYTES // 2), MAX_VERSION)
    task = TaskDefinition(longest.name)
    assert definitions.put_workflow(longest, overwrite=False)
    definitions.put_task(task)
    assert definitions.get_workflow(longest.name) == longest
    assert definitions.get_task(task.name) == task
    assert (list(definitions.list_workflows()), list(definitions.list_tasks())) == ([longest], [task])
    assert definitions.delete_workflow(longest.name, MAX_VERSION)
    assert definitions.delete_task(task.name)


def test_an_existing_version_is_kept_unless_overwriting(definitions):
    changed = definition(description="changed")
    assert definitions.put_workflow(definition(), overwrite=False)
    assert not definitions.put_workflow(changed, overwrite=False)
    assert definitions.get_workflow("export", 1) == definition()
    assert definitions.put_workflow(changed, overwrite=True)
    assert definitions.get_workflow("export", 1) == changed
    assert list(definitions.list_workflows()) == [changed]


def test_all_are_listed_by_name_then_version(definitions):
    made = [definition("a", 2), definition("a", 10), definition("a b"), definition("a#1"), definition("b")]
    for each in reversed(made):
        definitions.put_workflow(each, overwrite=True)
    assert list(definitions.list_workflows()) == made
    assert list(definitions.list_workflows("a")) == made[:4]
    assert list(definitions.list_workflows("a#1")) == [made[3]]
    assert list(definitions.list_workflows("c")) == []


def test_a_deleted_version_is_gone(definitions):
    for version in (1, 2):
        definitions.put_workflow(definition(version=version), overwrite=False)
    assert definitions.delete_workflow("export", 2)
    assert not definitions.delete_workflow("export", 2)
    assert definitions.get_workflow("export") == definition(version=1)
    assert list(definitions.list_workflows()) == [definition(version=1)]


def test_task_definitions_are_kept_by_name(definitions):
    first, second = TaskDefinition("b", retry_logic=RetryLogic.LINEAR_BACKOFF), TaskDefinition("a", input_keys=("x",))
    definitions.put_task(first)
    definitions.put_task(second)
    assert list(definitions.list_tasks()) == [second, first]
    definitions.put_task(replace(first, retry_count=9))
    assert definitions.get_task("b") == replace(first, retry_count=9)
    assert definitions.delete_task("b")
    assert not definitions.delete_task("b")
    assert list(definitions.list_tasks()) == [second]


def test_a_workflow_and_a_task_definition_of_one_name_are_two_things(definitions):
    definitions.put_workflow(definition("same"), overwrite=False)
    definitions.put_task(TaskDefinition("same"))
    assert definitions.delete_task("same")
    assert definitions.get_workflow("same") == definition("same")


def test_equal_snapshots_have_an_equal_key_and_others_another(definitions):
    key = definitions.pin(definition())
    assert definitions.pin(definition()) == key
    assert definitions.pin(definition(version=2)) != key
    assert definitions.pinned(key) == definition()


def test_a_snapshot_outlives_its_definition(definitions):
    definitions.put_workflow(definition(), overwrite=False)
    key = definitions.pin(definition())
    definitions.put_workflow(definition(description="changed"), overwrite=True)
    definitions.delete_workflow("export", 1)
    assert definitions.pinned(key) == definition()


def test_a_snapshot_that_is_not_there_is_a_bug(definitions):
    with pytest.raises(EngineBug):
        definitions.pinned("nothing")
    with pytest.raises(EngineBug):
        definitions.pinned_all([definitions.pin(definition()), "nothing"])


def test_several_snapshots_are_read_at_once(definitions):
    versions = [definition(version=version) for version in (1, 2)]
    pins = [definitions.pin(each) for each in versions]
    assert definitions.pinned_all([*pins, pins[0]]) == dict(zip(pins, versions, strict=True))
    assert definitions.pinned_all([]) == {}

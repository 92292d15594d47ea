"""What every `EventHandlers` promises."""

from dataclasses import replace

from fermata.domain.event_handlers import ActionType, EventAction, EventHandler, StartWorkflowAction

HANDLER = EventHandler(
    name="on order",
    event="sqs:orders",
    actions=(EventAction(ActionType.START_WORKFLOW.value, StartWorkflowAction("ship", 2, input={"id": "${id}"}), expand_inline_json=True),),
    condition="$.id > 1",
    active=True,
)


def test_a_handler_comes_back_by_its_event_and_in_the_list(store):
    assert store.event_handlers.add(HANDLER)
    assert list(store.event_handlers.of_event("sqs:orders")) == [HANDLER]
    assert list(store.event_handlers.all()) == [HANDLER]
    assert list(store.event_handlers.of_event("sqs:order")) == []


def test_a_name_is_taken_once(store):
    assert store.event_handlers.add(HANDLER)
    assert not store.event_handlers.add(replace(HANDLER, event="sqs:others"))
    assert list(store.event_handlers.all()) == [HANDLER]
    assert list(store.event_handlers.of_event("sqs:others")) == []


def test_a_handler_that_moves_to_another_event_leaves_the_old_one(store):
    store.event_handlers.add(HANDLER)
    moved = replace(HANDLER, event="conductor:flow:done")
    assert store.event_handlers.replace(moved)
    assert list(store.event_handlers.of_event("sqs:orders")) == []
    assert list(store.event_handlers.of_event("conductor:flow:done")) == [moved]
    assert list(store.event_handlers.all()) == [moved]


def test_a_handler_that_stays_at_its_event_is_replaced(store):
    store.event_handlers.add(HANDLER)
    assert store.event_handlers.replace(replace(HANDLER, active=False))
    assert [handler.active for handler in store.event_handlers.of_event("sqs:orders")] == [False]


def test_only_what_is_there_is_replaced_or_removed(store):
    assert not store.event_handlers.replace(HANDLER)
    assert not store.event_handlers.remove(HANDLER.name)
    assert list(store.event_handlers.of_event("sqs:orders")) == []
    store.event_handlers.add(HANDLER)
    assert store.event_handlers.remove(HANDLER.name)
    assert list(store.event_handlers.all()) == list(store.event_handlers.of_event("sqs:orders")) == []


def test_handlers_are_listed_by_name(store):
    for name in ("b", "a", "c"):
        store.event_handlers.add(replace(HANDLER, name=name))
    assert [handler.name for handler in store.event_handlers.all()] == ["a", "b", "c"]
    assert [handler.name for handler in store.event_handlers.of_event("sqs:orders")] == ["a", "b", "c"]

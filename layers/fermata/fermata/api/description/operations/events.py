"""Event handlers and what came of events."""

from fermata.api.description.vocabulary import Body, Operation, Room, empty, flag, json, listed, number, ref, variable
from fermata.api.events import MOST_EXECUTIONS

_HANDLERS = json("The handlers.", listed(ref("EventHandler")))
_NAMED = {"event": variable("event", "The event's name, `<provider>:<queue>`, such as `sqs:orders`.")}

EVENTS = Room(
    "events",
    "What is done when an event comes.",
    {
        "POST /api/event": Operation(
            "addEventHandlers",
            "Add an event handler, or several.",
            empty(),
            body=Body("A handler, or a list.", {"anyOf": [ref("EventHandler"), listed(ref("EventHandler"))]}),
            refuses=(409,),
        ),
        "PUT /api/event": Operation(
            "updateEventHandler", "Replace an event handler.", empty(), body=Body("A handler.", ref("EventHandler")), refuses=(404,)
        ),
        "GET /api/event": Operation("listEventHandlers", "List all event handlers.", _HANDLERS),
        "DELETE /api/event/<name>": Operation(
            "deleteEventHandler",
            "Delete an event handler.",
            empty(),
            path={"name": variable("name", "The handler's name.")},
            refuses=(404,),
        ),
        "GET /api/event/<event>": Operation(
            "listEventHandlersOfEvent",
            "List the event handlers of an event.",
            _HANDLERS,
            query=(flag("activeOnly", "Without those that are switched off.", default=True),),
            path=_NAMED,
        ),
        "GET /api/event/executions/<event>": Operation(
            "listEventExecutions",
            "What came of an event's messages.",
            json("The newest first.", listed(ref("EventExecution"))),
            query=(number("size", "How many at most.", MOST_EXECUTIONS, 1, MOST_EXECUTIONS),),
            path=_NAMED,
            ours=True,
        ),
    },
)

"""Air Pipe's configurations and their interfaces."""

from fermata.api.description.vocabulary import OBJECT, Body, Operation, Room, json, listed, ref, variable

_AT = "/api/airpipe"

INTERFACES = Room(
    "airpipe",
    "Air Pipe's configuration files and the interfaces that are served from them, by a door of its own below the prefix in their paths.",
    {
        f"GET {_AT}/interfaces": Operation(
            "listInterfaces", "List the interfaces that are served.", json("The interfaces.", listed(ref("Interface"))), ours=True
        ),
        f"PUT {_AT}/configurations": Operation(
            "publishConfiguration",
            "Serve a file's interfaces.",
            json("What is served now.", ref("PublishedConfiguration")),
            about="In place of those of an earlier file of the same `name`. Runs keep what they began with. Safe to repeat.",
            body=Body("The file's content as JSON.", OBJECT),
            refuses=(409,),
            ours=True,
        ),
        f"DELETE {_AT}/configurations/<name>": Operation(
            "withdrawConfiguration",
            "Serve a file's interfaces no longer.",
            json("What is gone.", ref("WithdrawnConfiguration")),
            about="Runs go on.",
            refuses=(404,),
            ours=True,
        ),
    },
    {"name": variable("name", "The file's `name`.")},
)

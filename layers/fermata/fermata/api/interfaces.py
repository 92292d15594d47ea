"""Air Pipe's configurations on this server: which interfaces are served, serve a file's, serve them no longer. None of it is Conductor's.

What the dialect is made of is loaded when somebody asks.
"""

from fermata.api.http import Reply, Request, Route, answer
from fermata.application.engine import Engine

_AT = "/api/airpipe"


def list_interfaces(engine: Engine, _request: Request) -> Reply:
    from fermata.application.airpipe.interfaces import registered
    from fermata.domain.airpipe.overview import overview

    return answer([overview(each, engine.airpipe_prefix) for each in registered(engine)])


def publish_configuration(engine: Engine, request: Request) -> Reply:
    """The body is the file's content as JSON. It is checked as a whole before anything of it is served."""
    from fermata.application.airpipe.interfaces import publish, read
    from fermata.domain.airpipe.overview import overview

    config = read(engine, request.json())
    published = publish(engine, config)
    return answer(
        {
            "config": config.name,
            "interfaces": [overview(each, engine.airpipe_prefix) for each in published.served],
            "changed": list(published.changed),
            "withdrawn": list(published.withdrawn),
            "warnings": list(config.warnings),
        }
    )


def withdraw_configuration(engine: Engine, request: Request) -> Reply:
    from fermata.application.airpipe.interfaces import withdraw

    return answer({"config": request.path["name"], "withdrawn": list(withdraw(engine, request.path["name"]))})


ROUTES = (
    Route("GET", f"{_AT}/interfaces", list_interfaces),
    Route("PUT", f"{_AT}/configurations", publish_configuration),
    Route("DELETE", f"{_AT}/configurations/<name>", withdraw_configuration),
)

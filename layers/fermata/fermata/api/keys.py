"""Tokens as Conductor's SDKs ask for them, and the access keys behind them. `/api/keys` is ours: Conductor has no such paths."""

from typing import assert_never

from fermata.api.http import Reply, Request, Route, answer, done
from fermata.application import keep_keys
from fermata.application.access import Access
from fermata.application.engine import Engine
from fermata.application.identify import issue_token
from fermata.application.keep_keys import NewSecret
from fermata.domain.access import Admitted, Authorization
from fermata.domain.errors import NotFound
from fermata.domain.json_value import Json
from fermata.wire.keys import access_key_to_json, credentials_from_json, grace_from_json, new_key_from_json


def token(engine: Engine, request: Request) -> Reply:
    """Answer 404 where nobody needs a token: SDKs then go on without one."""
    access = _access(engine, "/api/token")
    credentials = credentials_from_json(request.json())
    return answer({"token": issue_token(access, credentials.key_id, credentials.secret)})


def user_info(engine: Engine, request: Request) -> Reply:
    """Answer who is asking and what they may do. Orkes Conductor has this path; `role` and `authorization` are ours."""
    caller = request.caller
    name = _name_of(engine, caller)
    return answer({"id": caller.by or name, "name": name, "role": caller.role, "authorization": caller.authorization})


def create(engine: Engine, request: Request) -> Reply:
    access = _access(engine)
    asked = new_key_from_json(request.json())
    expires = None if asked.life is None else access.clock.now() + asked.life
    return answer(_shown_once(keep_keys.create(access, asked.name, asked.role, expires)))


def every_key(engine: Engine, _request: Request) -> Reply:
    return answer([access_key_to_json(key) for key in keep_keys.every_key(_access(engine))])


def get(engine: Engine, request: Request) -> Reply:
    return answer(access_key_to_json(keep_keys.get(_access(engine), request.path["id"])))


def rotate(engine: Engine, request: Request) -> Reply:
    grace = grace_from_json(request.json_object())
    return answer(_shown_once(keep_keys.rotate(_access(engine), request.path["id"], grace)))


def disable(engine: Engine, request: Request) -> Reply:
    return answer(access_key_to_json(keep_keys.set_disabled(_access(engine), request.path["id"], disabled=True)))


def enable(engine: Engine, request: Request) -> Reply:
    return answer(access_key_to_json(keep_keys.set_disabled(_access(engine), request.path["id"], disabled=False)))


def delete(engine: Engine, request: Request) -> Reply:
    keep_keys.delete(_access(engine), request.path["id"])
    return done()


def _name_of(engine: Engine, caller: Admitted) -> str:
    match caller.authorization:
        case Authorization.NONE:
            return "anybody"
        case Authorization.AWS_IAM:
            return caller.by.rpartition("/")[2]
        case Authorization.KEYS:
            key = engine.access.keys.get(caller.by) if engine.access else None
            return key.name if key else caller.by
        case _ as never:
            assert_never(never)


def _shown_once(made: NewSecret) -> Json:
    return {**access_key_to_json(made.key), "keySecret": made.secret}


def _access(engine: Engine, path: str = "/api/keys") -> Access:
    if engine.access is None:
        raise NotFound(f"There is nothing at {path}: nobody needs a key here.")
    return engine.access


ROUTES = (
    Route("POST", "/api/token", token),
    Route("GET", "/api/token/userInfo", user_info),
    Route("GET", "/api/keys", every_key),
    Route("POST", "/api/keys", create),
    Route("GET", "/api/keys/<id>", get),
    Route("POST", "/api/keys/<id>/rotate", rotate),
    Route("PUT", "/api/keys/<id>/disable", disable),
    Route("PUT", "/api/keys/<id>/enable", enable),
    Route("DELETE", "/api/keys/<id>", delete),
)

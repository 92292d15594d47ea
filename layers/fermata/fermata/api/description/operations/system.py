"""Is anybody there, what it can do, and who may ask."""

from fermata.api.description.vocabulary import (
    HTML,
    OBJECT,
    WORD,
    Answer,
    Body,
    Operation,
    Room,
    empty,
    json,
    listed,
    ref,
    text,
    variable,
)

_DOCUMENT = json("An OpenAPI 3.1 document.", OBJECT)
_KEY = json("The key.", ref("AccessKey"))
_SECRET = json("The key with its secret, which is shown this once.", ref("AccessKey"))

SYSTEM = Room(
    "system",
    "Health, version and this document.",
    {
        "GET /health": Operation("health", "Tell that the server is there.", json("It is.", ref("HealthCheckStatus"))),
        "GET /api/health": Operation("apiHealth", "The same, under the base path.", json("It is.", ref("HealthCheckStatus"))),
        "GET /api/version": Operation("version", "Get the server's version.", text("The version.")),
        "GET /docs": Operation("docs", "Read about this API.", {200: Answer("A page.", WORD, HTML)}, ours=True),
        "GET /openapi.json": Operation("openapi", "Get this document.", _DOCUMENT, ours=True),
        "GET /api/openapi.json": Operation("apiOpenapi", "The same, under the base path.", _DOCUMENT, ours=True),
    },
)

KEYS = Room(
    "keys",
    "Tokens, and the access keys that get them. Where nobody needs a key (no `ApiAuthorization=KEYS`) there are none: 404.",
    {
        "POST /api/token": Operation(
            "getToken",
            "Get a token for an access key.",
            json("A token, good for about an hour.", ref("Token")),
            about="SDKs that are answered 404 go on without a token.",
            body=Body("The access key.", ref("Credentials")),
            refuses=(401, 404),
            ours=True,
        ),
        "GET /api/token/userInfo": Operation(
            "getUserInfo", "Tell who is asking, and what they may do.", json("The caller.", ref("UserInfo")), ours=True
        ),
        "GET /api/keys": Operation("listKeys", "List all keys.", json("The keys.", listed(ref("AccessKey"))), refuses=(404,), ours=True),
        "POST /api/keys": Operation(
            "createKey", "Create a key.", _SECRET, body=Body("Its name and role.", ref("NewKey")), refuses=(404,), ours=True
        ),
        "GET /api/keys/<id>": Operation("getKey", "Get a key.", _KEY, refuses=(404,), ours=True),
        "POST /api/keys/<id>/rotate": Operation(
            "rotateKey",
            "Give a key a new secret.",
            _SECRET,
            body=Body("How long the old one stays good; not at all by default.", ref("Rotation"), required=False),
            refuses=(404, 409),
            ours=True,
        ),
        "PUT /api/keys/<id>/disable": Operation("disableKey", "Disable a key.", _KEY, refuses=(404, 409), ours=True),
        "PUT /api/keys/<id>/enable": Operation("enableKey", "Enable a key again.", _KEY, refuses=(404, 409), ours=True),
        "DELETE /api/keys/<id>": Operation("deleteKey", "Delete a key.", empty(), refuses=(404,), ours=True),
    },
    {"id": variable("id", "The key's id, `fk-...`.")},
)

"""Operators that prove who a value comes from: tokens, signatures, passwords. What cannot be proven fails; nothing is fetched for it.

Libraries are loaded with the first proof: most configurations ask for none.
"""

import base64
import binascii
import hmac
from collections.abc import Mapping
from typing import Any

from fermata.domain.airpipe.filters import as_text
from fermata.domain.airpipe.operators.asking import Asked, Operator, Verdict, a_text, only_true
from fermata.domain.json_value import Json

SECRET_ALGORITHMS = frozenset({"HS256", "HS384", "HS512"})
KEY_ALGORITHMS = frozenset({"RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "EdDSA"})
HASHES = frozenset({"sha1", "sha256", "sha512"})
MAX_BCRYPT_COST = 14  # about a second; each step doubles it, and 31 would hold a door for days
_KEPT_NOTHING = "what it decodes is not kept: result_key is not supported"


def _is_valid_jwt(asked: Asked) -> Verdict:
    import jwt

    given = {"secret": asked.expected} if isinstance(asked.expected, str) else asked.expected
    key = given.get("secret") or given.get("public_key")
    if not isinstance(asked.actual, str) or not key or asked.now is None:
        return "expected a token"
    dates = {"verify_exp": False, "verify_nbf": False, "verify_iat": False}  # looked at below, by our clock
    checks: Any = {**dates, "verify_aud": given.get("aud") is not None}
    algorithm = given.get("alg") or "HS256"
    try:
        claims = jwt.decode(asked.actual, key, [algorithm], checks, audience=given.get("aud"), issuer=given.get("iss"))
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        return f"expected a valid token: {error}"
    return _in_its_time(claims, asked.now.timestamp())


def _in_its_time(claims: Mapping[str, Json], now: float) -> Verdict:
    """Check the token's dates against our clock. One without an end would be good for ever, and is none."""
    ends, begins = (_moment(claims.get(name, missing)) for name, missing in (("exp", None), ("nbf", 0)))
    if ends is None or begins is None:
        return "expected a valid token: its exp or nbf is missing, or no date"
    if now >= ends:
        return "expected a valid token: it has expired"
    return "expected a valid token: it is not valid yet" if now < begins else None


def _moment(value: Json) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _a_jwt_key(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    if isinstance(expected, str):
        return None if expected else "must not be empty"
    if not isinstance(expected, Mapping):
        return "must be a secret, or a map with secret or public_key"
    if "jwks_url" in expected:
        return "jwks_url is not supported: a test fetches nothing; give the public_key"
    if expected.keys() - {"secret", "public_key", "alg", "iss", "aud"} or ("secret" in expected) is ("public_key" in expected):
        return "takes secret or public_key, and alg, iss and aud"
    if not all(isinstance(each, str) and each for each in expected.values()):
        return "takes texts that are not empty"
    known = SECRET_ALGORITHMS if "secret" in expected else KEY_ALGORITHMS
    alg = expected.get("alg", "HS256" if "secret" in expected else None)
    return None if alg in known else f"alg must be one of {', '.join(sorted(known))}"


def _is_valid_hmac(asked: Asked) -> Verdict:
    given = asked.expected
    secret, message, prefix = (as_text(given.get(name) or "") for name in ("secret", "body", "prefix"))
    if not isinstance(asked.actual, str) or not secret or not asked.actual.startswith(prefix):
        return "expected a valid signature"
    try:
        sent = _decoded(asked.actual.removeprefix(prefix), given.get("encoding") or "hex")
    except ValueError:
        return "expected a valid signature"
    made = hmac.new(secret.encode(errors="backslashreplace"), message.encode(errors="backslashreplace"), given.get("algorithm") or "sha256")
    return None if hmac.compare_digest(made.digest(), sent) else "expected a valid signature"


def _decoded(text: str, encoding: str) -> bytes:
    return bytes.fromhex(text) if encoding == "hex" else base64.b64decode(text, validate=True)


def _an_hmac(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    required = {"secret", "body"}
    if not isinstance(expected, Mapping) or not required <= expected.keys() <= required | {"algorithm", "prefix", "encoding"}:
        return "takes secret and body, and algorithm, prefix and encoding"
    if not expected["secret"]:
        return "secret must not be empty"
    if (expected.get("algorithm") or "sha256") not in HASHES:
        return f"algorithm must be one of {', '.join(sorted(HASHES))}"
    return None if (expected.get("encoding") or "hex") in ("hex", "base64") else "encoding must be hex or base64"


def _is_authorization(asked: Asked) -> Verdict:
    scheme, _, rest = asked.actual.strip().partition(" ") if isinstance(asked.actual, str) else ("", "", "")
    if scheme.lower() == "bearer" and rest.strip():
        return None
    if scheme.lower() == "basic":
        try:
            if ":" in base64.b64decode(rest.strip(), validate=True).decode():
                return None
        except (binascii.Error, ValueError):
            pass
    return "expected Basic or Bearer credentials"


def _verify_bcrypt(asked: Asked) -> Verdict:
    import bcrypt

    wrong = _wrong_hash(asked.expected)
    if wrong or not isinstance(asked.actual, str):
        return wrong or "expected the text that the hash was made of"
    try:
        # Only the first 72 bytes were ever hashed; the library refuses longer ones where its elders left the rest out.
        matches = bcrypt.checkpw(asked.actual.encode(errors="backslashreplace")[:72], asked.expected.encode())
    except ValueError:
        return "the hash is none that bcrypt made"
    return None if matches else "expected the text that the hash was made of"


def _wrong_hash(value: Json) -> str | None:
    parts = value.split("$") if isinstance(value, str) and value.isascii() else []
    if len(parts) != 4 or parts[1] not in ("2a", "2b", "2y") or not parts[2].isdigit():  # noqa: PLR2004 - $2b$12$...
        return "the hash is none that bcrypt made"
    return f"the hash takes too long: its cost is above {MAX_BCRYPT_COST}" if int(parts[2]) > MAX_BCRYPT_COST else None


def _a_bcrypt_hash(expected: Json, operators: Mapping[str, Operator]) -> str | None:
    return a_text(expected, operators) or _wrong_hash(expected)


def _verify_signature(asked: Asked) -> Verdict:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(asked.expected["public_key"]))
        key.verify(bytes.fromhex(asked.expected["signature"]), as_text(asked.actual).encode(errors="backslashreplace"))
    except (InvalidSignature, ValueError, TypeError):
        return "expected a valid signature"
    return None


def _a_signature(expected: Json, operators: Mapping[str, Operator]) -> str | None:  # noqa: ARG001 - the signature of a check
    texts = isinstance(expected, Mapping) and expected.keys() == {"public_key", "signature"} and all(map(_is_text, expected.values()))
    return None if texts else "takes public_key and signature, both in hex"


def _is_text(value: Json) -> bool:
    return isinstance(value, str) and bool(value)


PROOFS: Mapping[str, Operator] = {
    "is_valid_jwt": Operator(_is_valid_jwt, _a_jwt_key, f"a token without exp is refused; {_KEPT_NOTHING}"),
    "is_valid_hmac": Operator(_is_valid_hmac, _an_hmac, "the body is signed as UTF-8 text; a prefix that is set must be there"),
    "is_authorization": Operator(_is_authorization, only_true, _KEPT_NOTHING),
    "verify_bcrypt": Operator(_verify_bcrypt, _a_bcrypt_hash, f"a hash with a cost above {MAX_BCRYPT_COST} fails"),
    "bcrypt_verify": Operator(_verify_bcrypt, _a_bcrypt_hash, f"a hash with a cost above {MAX_BCRYPT_COST} fails"),
    "verify_signature": Operator(_verify_signature, _a_signature, "what was signed is the text, or the compact JSON of what is none"),
}

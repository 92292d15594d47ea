"""What a server is shown so that it lets the command line in: a token got with a key, as Conductor's clients do, or a signature."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import requests
from requests.auth import AuthBase

HEADER = "X-Authorization"
OPEN_SERVER = 404  # what a server without authentication answers at /token
# With either, Conductor's clients fetch another token and ask once more.
STALE = ("EXPIRED_TOKEN", "INVALID_TOKEN")
_GATEWAY = re.compile(r"[a-z0-9]+\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?")


@dataclass
class Credentials:
    """`repr` shows none of them."""

    key_id: str | None = None
    secret: str | None = field(default=None, repr=False)
    token: str | None = field(default=None, repr=False)

    def asked_for(self) -> Mapping[str, str] | None:
        """Return what to send to `/token`, None when there is nothing to send, or no need to."""
        if self.token is None and self.key_id is not None and self.secret is not None:
            return {"keyId": self.key_id, "keySecret": self.secret}
        return None

    def got(self, token: str | None) -> None:
        """Use this token from now on; None: the server needs none."""
        self.token = token or ""

    def renewable(self, answer: requests.Response) -> bool:
        """Is this the answer to a stale token, and is there a key to get another one with? Forgets the stale one then."""
        stale = self.secret is not None and bool(self.token) and _error_of(answer) in STALE
        if stale:
            self.token = None
        return stale

    def headers(self) -> Mapping[str, str]:
        return {HEADER: self.token} if self.token else {}


def signature_for(url: str, credentials: Credentials) -> AuthBase | None:
    """Return what signs requests to a deployed stack, None for any other server and where a key or a token is at hand."""
    found = _GATEWAY.fullmatch(urlsplit(url).hostname or "")
    return _Signature(found[1]) if found and credentials == Credentials() else None


class _Signature(AuthBase):
    """AWS Signature Version 4 with the credentials that every AWS tool finds."""

    def __init__(self, region: str) -> None:
        import boto3

        self._region = region
        self._credentials = boto3.Session().get_credentials()

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest

        if self._credentials is not None:
            signed = AWSRequest(request.method, request.url, data=request.body or b"")
            SigV4Auth(self._credentials.get_frozen_credentials(), "execute-api", self._region).add_auth(signed)
            request.headers.update(dict(signed.headers))
        return request


def _error_of(answer: requests.Response) -> object:
    try:
        body = answer.json()
    except ValueError:
        return None
    return body.get("error") if isinstance(body, dict) else None

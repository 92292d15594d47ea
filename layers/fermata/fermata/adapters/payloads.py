"""Content too big for a row, in S3. Named by what it is, so a repeat stores nothing new."""

from fermata.adapters.aws import Client, Refused, call
from fermata.adapters.remembered import Remembered
from fermata.domain.errors import EngineBug
from fermata.domain.ids import content_hash

PREFIX = "payloads/"
REMEMBERED_BYTES = 8 * 1024 * 1024  # a small part of a 256 MB function
REMEMBERED_KEYS = 2000

_ABSENT = frozenset({"NoSuchKey"})


class S3Payloads:
    """A `Payloads`. Stored content never changes, so what was put or got lately is kept in memory and not asked for twice."""

    def __init__(self, client: Client, bucket: str) -> None:
        self._client = client
        self._bucket = bucket
        self._stored: Remembered[str, int] = Remembered(REMEMBERED_KEYS)
        self._content: Remembered[str, bytes] = Remembered(REMEMBERED_BYTES, len)

    def put(self, workflow_id: str, content: bytes) -> str:
        key = f"{PREFIX}{workflow_id}/{content_hash(content)}"
        if self._stored.get(key) is None:
            params = {"Bucket": self._bucket, "Key": key, "Body": content, "ContentType": "application/json"}
            call(self._client.put_object, params)
            self._stored.put(key, len(content))
            self._content.put(key, content)
        return key

    def get(self, key: str) -> bytes:
        content = self._content.get(key)
        if content is None:
            content = self._fetch(key)
            self._content.put(key, content)
        return content

    def _fetch(self, key: str) -> bytes:
        try:
            answer = call(self._client.get_object, {"Bucket": self._bucket, "Key": key}, _ABSENT)
        except Refused as refused:
            raise EngineBug(f"There is no stored payload {key}, although a row names it.") from refused
        content: bytes = call(lambda: {"content": answer["Body"].read()}, {})["content"]
        return content

"""Payloads that callers fetch from and leave in S3 themselves, by signed addresses."""

from collections.abc import Sequence

from fermata.adapters.aws import Client, Refused, call
from fermata.domain.errors import PayloadTooLarge
from fermata.domain.external_paths import MAX_EXTERNAL_BYTES, left_path, shown_path
from fermata.ports import Chance

ADDRESS_SECONDS = 300  # long enough to begin a download or an upload; it ends sooner when the function's own credentials do
AT_ONCE = 8  # an answer of many middling payloads must not wait for each of them in turn

# S3 says AccessDenied of what is not there to those who may not list the bucket.
_ABSENT = frozenset({"NoSuchKey", "AccessDenied"})


class S3ExternalPayloads:
    """An `ExternalPayloads`. `url`: callers reach the payloads below it instead, as on the laptop."""

    def __init__(self, client: Client, bucket: str, chance: Chance, url: str = "") -> None:
        self._client = client
        self._bucket = bucket
        self._chance = chance
        self._url = url

    def show(self, contents: Sequence[bytes]) -> Sequence[str]:
        from concurrent.futures import ThreadPoolExecutor

        by_path = {shown_path(content): content for content in contents}
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(self._put, by_path.items()))
        return [shown_path(content) for content in contents]

    def new_path(self) -> str:
        return left_path(self._chance.draw(16))

    def address(self, path: str, *, to_leave: bool) -> str:
        if self._url:
            return f"{self._url}{path}"
        params = {
            "ClientMethod": "put_object" if to_leave else "get_object",
            "Params": {"Bucket": self._bucket, "Key": path},
            "ExpiresIn": ADDRESS_SECONDS,
        }
        address: str = call(lambda: {"address": self._client.generate_presigned_url(**params)}, {})["address"]
        return address

    def read(self, path: str) -> bytes | None:
        try:
            answer = call(self._client.get_object, {"Bucket": self._bucket, "Key": path}, _ABSENT)
        except Refused:
            return None
        if answer["ContentLength"] > MAX_EXTERNAL_BYTES:
            answer["Body"].close()
            raise PayloadTooLarge(f"What lies at {path} is larger than {MAX_EXTERNAL_BYTES // 1024 // 1024} MB.")
        content: bytes = call(lambda: {"content": answer["Body"].read()}, {})["content"]
        return content

    def _put(self, entry: tuple[str, bytes]) -> None:
        path, content = entry
        call(self._client.put_object, {"Bucket": self._bucket, "Key": path, "Body": content, "ContentType": "application/json"})

"""The body of an answer: collected up to a limit and decoded up to the same limit. Values in, values out."""

import zlib
from collections.abc import Iterable, Iterator

from fermata.adapters.http.failures import NoAnswer
from fermata.domain.http_exchange import FailureKind

MAX_BODY_BYTES = 6 * 1024 * 1024  # AWS Lambda's limit for a synchronous request or response payload

# A gzip body may be several streams in a row; this many block-compressed files of 6 MB have, with room. Millions of empty ones would
# cost seconds and hold nothing.
MAX_GZIP_MEMBERS = 2000

_GZIP_ONLY = 16  # zlib's flag: expect a gzip header and trailer
_SLICE_BYTES = 16 * 1024  # what follows a stream is copied from the slice it ended in

# Codings that are no secret to vendors but are to us. Any other word in Content-Encoding (utf-8, none) is a vendor's slip: raw.
_UNREADABLE_CODINGS = frozenset({"br", "zstd", "compress", "x-compress", "dcb", "dcz", "exi", "pack200-gzip"})


def collected(chunks: Iterable[bytes], place: str, limit: int) -> bytes:
    """Join the chunks; stop reading and raise `NoAnswer` (TOO_LARGE) as soon as there are more than `limit` bytes."""
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > limit:
            raise too_large(place, limit)
    return bytes(body)


def decoded(body: bytes, content_encoding: str, place: str, limit: int) -> bytes:
    """Undo `Content-Encoding`. Raises `NoAnswer`: TOO_LARGE past `limit` decoded bytes, UNREADABLE when it is broken.

    Not urllib3's decoder: that takes a gzip stream that was cut short for a whole one.
    """
    codings = [word for word in (part.strip().lower() for part in content_encoding.split(",")) if word not in ("", "identity")]
    if not body or not codings:
        return body
    if len(codings) > 1 or codings[0] in _UNREADABLE_CODINGS:
        raise NoAnswer(FailureKind.UNREADABLE, f"{place} compressed its answer in a way not asked for; only gzip and deflate are read.")
    try:
        plain = _decode(codings[0], body, limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise NoAnswer(FailureKind.UNREADABLE, f"{place} sent a body that is not the {codings[0]} it claims to be.") from error
    if len(plain) > limit:
        raise too_large(place, limit)
    return plain


def too_large(place: str, limit: int) -> NoAnswer:
    return NoAnswer(FailureKind.TOO_LARGE, f"The answer of {place} is larger than {limit} bytes, the most that can be taken in.")


def _decode(coding: str, body: bytes, most: int) -> bytes:
    match coding:
        case "gzip" | "x-gzip":
            return _gunzip(body, most)
        case "deflate":
            return _inflate(body, most)
        case _:
            return body


def _gunzip(body: bytes, most: int) -> bytes:
    plain, members, member = bytearray(), 0, None
    for piece in _slices(body):
        rest = piece
        while rest and len(plain) < most:
            if member is None:
                if members and not rest.strip(b"\0"):
                    break  # padding, which RFC 1952 readers skip after a stream
                member, members = zlib.decompressobj(zlib.MAX_WBITS | _GZIP_ONLY), members + 1
            if members > MAX_GZIP_MEMBERS:
                raise EOFError("too many gzip streams in a row")
            plain += member.decompress(rest, most - len(plain))
            rest = member.unconsumed_tail or member.unused_data
            member = None if member.eof else member
    if member is not None and len(plain) < most:
        raise EOFError("the gzip stream was cut short")
    return bytes(plain)


def _slices(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), _SLICE_BYTES):
        yield body[start : start + _SLICE_BYTES]


def _inflate(body: bytes, most: int) -> bytes:
    # Deflate means zlib (RFC 9110, section 8.4.1.2), but many servers send it bare. Two bytes tell (RFC 1950, section 2.2).
    zlib_header = len(body) > 1 and body[0] & 0x0F == zlib.DEFLATED and int.from_bytes(body[:2], "big") % 31 == 0
    stream = zlib.decompressobj(zlib.MAX_WBITS if zlib_header else -zlib.MAX_WBITS)
    plain = stream.decompress(body, most)
    if not stream.eof and len(plain) < most:
        raise EOFError("the deflate stream was cut short")
    return plain

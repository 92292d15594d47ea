"""A vendor that is broken at first, for tests of what an operator does about it."""

from fermata.domain.http_exchange import HttpRequest, HttpResult

from tests.support.world import answer


class Mending:
    """A vendor that fails `/fail...` until it is mended, and notes who was asked for."""

    def __init__(self) -> None:
        self.broken = True
        self.asked: list[str] = []

    def __call__(self, request: HttpRequest) -> HttpResult:
        name = request.uri.rpartition("/")[2]
        self.asked.append(name)
        return answer({"n": name}, 500 if self.broken and name.startswith("fail") else 200)

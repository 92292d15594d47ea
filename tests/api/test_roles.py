"""Every route has a role, and nobody gets past it."""

import pytest
from fermata.api.app import ROUTES
from fermata.api.http import Route
from fermata.api.roles import EVERY_ENTRY, NEEDS, need_of
from fermata.domain.access import Authorization, Role

from tests.api.keyring import Keyring

EVERY_ROUTE = sorted(f"{route.method} {route.rule}" for route in ROUTES)


def test_every_route_has_a_role() -> None:
    missing = [route for route in EVERY_ROUTE if route not in NEEDS]
    assert not missing, f"Say in api/roles.py which role these take; until then nobody may call them: {missing}"


def test_every_role_has_a_route() -> None:
    """An entry without a route would give a role, unseen, to a route that gets its name later."""
    assert sorted(set(NEEDS) - set(EVERY_ROUTE)) == []


def test_no_route_has_two_roles() -> None:
    assert len(EVERY_ENTRY) == len(NEEDS)


def test_a_role_includes_the_ones_before_it() -> None:
    included = [[other for other in Role if role.includes(other)] for role in Role]
    assert included == [["reader"], ["reader", "operator"], ["reader", "operator", "admin"]]


@pytest.mark.parametrize("authorization", [Authorization.KEYS, Authorization.AWS_IAM])
def test_a_route_without_a_role_is_closed_to_everybody(authorization: Authorization) -> None:
    forgotten = Route("GET", "/api/forgotten", lambda engine, request: pytest.fail("was called"))
    assert need_of(forgotten.method, forgotten.rule) is None
    ring = Keyring(authorization, (*ROUTES, forgotten))
    refused = ring.signed("GET", "/api/forgotten")
    assert (refused.status, refused.json["status"]) == (403, 403)


@pytest.mark.parametrize("route", EVERY_ROUTE)
def test_a_route_answers_those_it_is_for_and_no_others(route: str) -> None:
    method, rule = route.split(" ")
    path = rule.replace("<version>", "1").replace("<status>", "COMPLETED").replace("<", "").replace(">", "")
    need = NEEDS[route]
    ring = Keyring()
    assert (ring.nobody(method, path).status == 401) == isinstance(need, Role)
    for role in Role:
        refused = ring.as_role(role, method, path).status == 403
        assert refused == (isinstance(need, Role) and not role.includes(need)), role

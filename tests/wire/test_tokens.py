"""A token is believed when our key signed it, in our way, and never for any other reason."""

import base64
import json
from datetime import UTC, datetime, timedelta

import jwt
import pytest
from fermata.domain.access import Claims
from fermata.wire.tokens import claims_from_token, period_of_token, token_from_claims
from hypothesis import given
from hypothesis import strategies as st

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CLAIMS = Claims("fk-a", 2, NOW, NOW + timedelta(hours=1))
SECRET = b"k" * 64
TOKEN = token_from_claims(CLAIMS, 683, SECRET)
SAID = {"sub": "fk-a", "gen": 2, "iat": 1, "exp": 4102444800}


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def test_a_token_says_what_was_claimed():
    assert period_of_token(TOKEN) == 683
    assert claims_from_token(TOKEN, SECRET) == CLAIMS


def test_an_expired_token_still_says_who_it_was_so_that_the_caller_can_be_told():
    old = Claims("fk-a", 1, NOW - timedelta(days=900), NOW - timedelta(days=899))
    assert claims_from_token(token_from_claims(old, 1, SECRET), SECRET) == old


@pytest.mark.parametrize(
    "forged",
    [
        jwt.encode(SAID, b"x" * 32, "HS256", headers={"kid": "683"}),
        jwt.encode(SAID, SECRET, "HS384", headers={"kid": "683"}),
        jwt.encode(SAID, None, "none", headers={"kid": "683"}),
        f"{part({'alg': 'none', 'kid': '683'})}.{part(SAID)}.",
        f"{part({'alg': 'None', 'kid': '683'})}.{part(SAID)}.{TOKEN.split('.')[2]}",
        f"{TOKEN.split('.')[0]}.{part(SAID)}.{TOKEN.split('.')[2]}",
        TOKEN[:-4] + "AAAA",
        TOKEN + "." + TOKEN,
        jwt.encode({name: value for name, value in SAID.items() if name != "exp"}, SECRET, "HS256", headers={"kid": "683"}),
        jwt.encode(SAID | {"gen": "two"}, SECRET, "HS256", headers={"kid": "683"}),
        jwt.encode(SAID | {"exp": 10**30}, SECRET, "HS256", headers={"kid": "683"}),
    ],
)
def test_a_forged_or_broken_token_says_nothing(forged):
    assert claims_from_token(forged, SECRET) is None


@pytest.mark.parametrize("kid", [None, 683, "", "../683", "-1", "6 83", "٦٨٣", "1" * 7])
def test_a_token_that_names_no_period_has_none(kid):
    header = {"alg": "HS256"} if kid is None else {"alg": "HS256", "kid": kid}
    assert period_of_token(f"{part(header)}.{part(SAID)}.AAAA") is None


def test_a_token_of_another_kind_or_length_is_not_read():
    assert period_of_token(f"{part({'alg': 'none', 'kid': '683'})}.{part(SAID)}.") is None
    assert period_of_token(f"{part({'alg': 'HS256', 'kid': '683', 'pad': 'x' * 3000})}.{part(SAID)}.AAAA") is None


@given(
    st.one_of(
        st.text(), st.lists(st.text(alphabet="abcABC019-_="), max_size=5).map(".".join), st.binary().map(lambda b: b.decode("latin-1"))
    )
)
def test_garbage_is_no_token(text):
    assert period_of_token(text) is None
    assert claims_from_token(text, SECRET) is None

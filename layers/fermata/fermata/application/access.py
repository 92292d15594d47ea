"""What deciding who may call works with: the keys, what signs tokens, the clock, and chance."""

from dataclasses import dataclass
from datetime import timedelta

from fermata.ports import AccessKeys, Chance, Clock, SigningKeys


@dataclass(frozen=True)
class Access:
    """`token_life`: how long a token is good."""

    keys: AccessKeys
    signing: SigningKeys
    chance: Chance
    clock: Clock
    token_life: timedelta = timedelta(hours=1)

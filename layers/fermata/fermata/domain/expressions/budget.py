"""How much work one call of `resolve` may cause, however many expressions it holds."""

# One unit is about one step of a regular expression, some 20 ns at worst: two seconds in all.
UNITS = 100_000_000


class BudgetSpent(Exception):
    """The paths ask for more work than one call may cause."""


class Budget:
    """What may still be spent. Once spent it stays spent, so that the next expression fails at once."""

    def __init__(self, units: int = UNITS) -> None:
        self._units = units

    def spend(self, units: int) -> None:
        """Take `units`. Raises `BudgetSpent` when they aren't there."""
        self._units -= units
        if self._units < 0:
            raise BudgetSpent

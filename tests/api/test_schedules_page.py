"""What docs/schedules.md shows is true."""

import json
import re
from pathlib import Path

import pytest
from fermata.domain.cron import parse

from tests.api.gateway import Gateway

PAGE = (Path(__file__).parents[2] / "docs" / "schedules.md").read_text()


def test_the_schedule_on_the_page_can_be_saved(call: Gateway) -> None:
    [example] = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    saved = call("POST", "/api/scheduler/schedules", json.loads(example))
    assert saved.status == 200, saved.text
    assert saved.json["nextRunTime"]


@pytest.mark.parametrize("field", ["*", "5", "1,15", "9-17", "*/10", "5/20", "9-17/2"])
def test_the_numbers_on_the_page_are_read(field: str) -> None:
    assert f"`{field}`" in PAGE
    parse(f"{field} {field} * * * *")


@pytest.mark.parametrize("cron", ["0 0 9 13 * FRI", "@yearly", "@monthly", "@weekly", "@daily", "@hourly"])
def test_the_crons_on_the_page_are_read(cron: str) -> None:
    assert cron in PAGE
    parse(cron)


@pytest.mark.parametrize(("days", "weekdays"), [(("L", "L-3", "LW", "15W"), ()), ((), ("5L", "FRI#2", "0", "7"))])
def test_the_days_on_the_page_are_read(days: tuple[str, ...], weekdays: tuple[str, ...]) -> None:
    for day in days:
        assert f"`{day}`" in PAGE
        parse(f"0 0 0 {day} * ?")
    for day in weekdays:
        assert f"`{day}`" in PAGE
        parse(f"0 0 0 ? * {day}")

"""Cron expressions as Spring reads them, their moments in a zone, and what is refused."""

from datetime import UTC, date, datetime, timedelta
from itertools import islice

import pytest
from fermata.domain.cron import InvalidCron, parse
from fermata.domain.cron.moments import moments_after, moments_before, next_moment, time_zone

NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def after(text, start=NEW_YEAR, zone="UTC", count=4):
    return [f"{moment:%Y-%m-%d %H:%M:%S}" for moment in islice(moments_after(parse(text), time_zone(zone), start), count)]


def days(text, count=4):
    return [moment[5:10] for moment in after(text, count=count)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 0 0 * * ?", ["01-02", "01-03", "01-04", "01-05"]),
        ("0 0 0 13 * FRI", ["02-13", "03-13", "11-13", "08-13"]),  # both restricted: both must be met, where crontab takes either
        ("0 0 0 L * *", ["01-31", "02-28", "03-31", "04-30"]),
        ("0 0 0 L-3 * ?", ["01-28", "02-25", "03-28", "04-27"]),
        ("0 0 0 LW * *", ["01-30", "02-27", "03-31", "04-30"]),
        ("0 0 0 15W * *", ["01-15", "02-16", "03-16", "04-15"]),  # Sundays go forward
        ("0 0 0 1W * *", ["02-02", "03-02", "04-01", "05-01"]),  # 1 February is a Sunday, 1 March too
        ("0 0 0 31W * *", ["01-30", "03-31", "05-29", "07-31"]),  # a Saturday goes back; a Sunday at the month's end as well
        ("0 0 0 ? * 5L", ["01-30", "02-27", "03-27", "04-24"]),
        ("0 0 0 ? * mon#1", ["01-05", "02-02", "03-02", "04-06"]),
        ("0 0 0 ? * MON#5,TUE#1", ["01-06", "02-03", "03-03", "03-30"]),
        ("0 0 0 1,L * *", ["01-31", "02-01", "02-28", "03-01"]),
        ("0 0 0 * * SUN-TUE", ["01-04", "01-05", "01-06", "01-11"]),
        ("0 0 0 * * 6-7", ["01-03", "01-04", "01-10", "01-11"]),
        ("0 0 0 * * */2", ["01-02", "01-04", "01-05", "01-07"]),  # Spring counts from Monday: 1, 3, 5, 7
        ("0 0 0 * * 0/2", ["01-03", "01-04", "01-06", "01-08"]),  # and here from Sunday: 0, 2, 4, 6
        ("0 0 0 1 JAN-mar,12 *", ["02-01", "03-01", "12-01", "01-01"]),
        ("0 0 0 29 2 *", ["02-29", "02-29", "02-29", "02-29"]),
    ],
)
def test_days(text, expected):
    assert days(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*/25 * * * * *", ["00:00:25", "00:00:50", "00:01:00", "00:01:25"]),
        ("0 10/20 * * * *", ["00:10:00", "00:30:00", "00:50:00", "01:10:00"]),
        ("30 5-9/2 8 * * *", ["08:05:30", "08:07:30", "08:09:30", "08:05:30"]),
        ("0 0 22,6 * * *", ["06:00:00", "22:00:00", "06:00:00", "22:00:00"]),
    ],
)
def test_times_of_day(text, expected):
    assert [moment[11:] for moment in after(text)] == expected


@pytest.mark.parametrize(
    ("macro", "expected"),
    [
        ("@yearly", "2027-01-01 00:00:00"),
        ("@annually", "2027-01-01 00:00:00"),
        ("@monthly", "2026-02-01 00:00:00"),
        ("@weekly", "2026-01-04 00:00:00"),
        ("@daily", "2026-01-02 00:00:00"),
        ("@Midnight", "2026-01-02 00:00:00"),
        ("@hourly", "2026-01-01 01:00:00"),
    ],
)
def test_macros(macro, expected):
    assert after(macro, count=1) == [expected]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "six fields"),
        ("* * * * *", "six fields"),
        ("0 0 0 * * * 2026", "six fields"),
        ("@fortnightly", "six fields"),
        ("60 * * * * *", "second '60'"),
        ("? * * * * *", "second '?'"),
        ("0 x * * * *", "minute 'X'"),
        ("0 \u0661 * * * *", "minute"),
        ("0 -1 * * * *", "minute"),
        ("0 0 24 * * *", "hour '24'"),
        ("0 0 9-5 * * *", "hour '9-5': a range must not go backwards"),
        ("0 0 */0 * * *", "hour '*/0': a step"),
        ("0 0 0 0 * *", "day of month '0'"),
        ("0 0 0 32W * *", "day of month '32'"),
        ("0 0 0 L-0 * *", "day of month 'L-0'"),
        ("0 0 0 W * *", "day of month ''"),
        ("0 0 0 ?,5 * *", "day of month '?'"),
        ("0 0 0 1 13 *", "month '13'"),
        ("0 0 0 1 JANUARY *", "month 'JANUARY'"),
        ("0 0 0 ? * 8", "day of week '8'"),
        ("0 0 0 ? * L", "day of week ''"),
        ("0 0 0 ? * MON#6", "day of week 'MON#6'"),
        ("0 0 0 ? * FRI-MON", "day of week 'FRI-MON'"),
        ("0 0 0 1,, * *", "day of month ''"),
        ("0 " * 300, "500 characters"),
    ],
)
def test_what_is_wrong_is_named(text, named):
    with pytest.raises(InvalidCron) as refused:
        parse(text)
    assert named in str(refused.value)


@pytest.mark.parametrize("text", ["0 0 0 30 2 *", "0 0 0 31 4,6 ?", "* * * 1 * MON#2", "0 0 0 L-30 2 *"])
def test_what_never_comes_has_no_moment(text):
    assert next_moment(parse(text), time_zone("UTC"), NEW_YEAR) is None


def test_a_leap_day_on_a_monday_is_found():
    assert after("0 0 0 29 2 MON", count=2) == ["2044-02-29 00:00:00", "2072-02-29 00:00:00"]


def test_the_next_moment_is_later_than_the_one_asked_about():
    assert after("0 0 0 * * *", NEW_YEAR, count=1) == ["2026-01-02 00:00:00"]
    assert after("0 0 0 * * *", NEW_YEAR - timedelta(milliseconds=1), count=1) == ["2026-01-01 00:00:00"]


# --- zones and clocks that are set ---


def test_moments_follow_the_clocks_of_the_zone():
    assert after("0 0 9 * * *", datetime(2026, 3, 28, tzinfo=UTC), "Europe/Berlin", 2) == ["2026-03-28 08:00:00", "2026-03-29 07:00:00"]
    assert after("0 0 9 * * *", NEW_YEAR, "Asia/Kathmandu", 1) == ["2026-01-01 03:15:00"]


def test_a_time_that_the_clocks_skip_does_not_come():
    assert after("0 30 2 * * *", datetime(2026, 3, 28, tzinfo=UTC), "Europe/Berlin", 2) == ["2026-03-28 01:30:00", "2026-03-30 00:30:00"]
    cairo = after("0 0 0 * * *", datetime(2026, 4, 22, 22, tzinfo=UTC), "Africa/Cairo", 2)  # skips the midnight of 24 April
    assert cairo == ["2026-04-24 21:00:00", "2026-04-25 21:00:00"]


@pytest.mark.parametrize("text", ["0 30 2 * * *", "0 30 * * * *"])
def test_a_time_that_comes_twice_comes_once(text):
    moments = after(text, datetime(2026, 10, 25, 0, tzinfo=UTC), "Europe/Berlin", 2)
    assert moments[0] == "2026-10-25 00:30:00"
    assert moments[1] in {"2026-10-26 01:30:00", "2026-10-25 02:30:00"}


@pytest.mark.parametrize("text", ["*/25 * * * * *", "0 30 2 * * *", "0 0 0 13 * FRI", "0 0 9 15W,L-2 * *", "0 10/20 1-3 * * SUN"])
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Africa/Cairo"])
def test_backwards_is_forwards_reversed_and_every_moment_is_one(text, zone):
    cron, tz = parse(text), time_zone(zone)
    start = datetime(2026, 10, 24, 20, tzinfo=UTC)
    forward = list(islice(moments_after(cron, tz, start), 40))
    back = list(islice(moments_before(cron, tz, forward[-1] + timedelta(seconds=1)), 40))
    assert back == forward[::-1]
    assert all(cron.has(moment, tz) for moment in forward)
    assert not any(cron.has(moment + timedelta(seconds=1), tz) for moment in forward)


def test_a_moment_belongs_to_the_expression_whatever_zone_it_is_told_in():
    cron = parse("0 0 9 * * *")
    assert cron.has(datetime(2026, 7, 1, 7, tzinfo=UTC), time_zone("Europe/Berlin"))
    assert not cron.has(datetime(2026, 7, 1, 8, tzinfo=UTC), time_zone("Europe/Berlin"))


def test_no_month_is_missed_over_ten_years():
    """Against the calendar, day by day: each special day comes once a month."""
    for text in ("0 0 0 L * *", "0 0 0 LW * *", "0 0 0 1W * *", "0 0 0 28W * *", "0 0 0 ? * 3L", "0 0 0 ? * 3#4"):
        cron = parse(text)
        months = [day.replace(day=1) for day in (date(2026, 1, 1) + timedelta(days=n) for n in range(3652)) if cron.has_day(day)]
        assert len(months) == len(set(months)) == 120


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../etc/passwd", "/etc/localtime", "localtime", "Europe", "a\0b", "x" * 10_000])
def test_a_zone_that_does_not_exist_is_refused(name):
    with pytest.raises(ValueError, match="no time zone"):
        time_zone(name)

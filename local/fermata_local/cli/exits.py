"""The exit codes that scripts can use. docs/cli.md has the same table."""

from enum import IntEnum

from requests import codes


class Exit(IntEnum):
    OK = 0
    NOT_COMPLETED = 1  # a run that is not COMPLETED, a definition that is not valid
    USAGE = 2  # click's own
    NOT_FOUND = 3
    REFUSED = 4  # the server understood and said no: wrong key or role, wrong state, bad input
    UNREACHABLE = 5  # no server, no answer in time, or one that nobody can use: trying again may help
    INTERRUPTED = 130  # Ctrl-C, as shells count: 128 and the signal's number
    BROKEN_PIPE = 141  # nobody reads any more


def exit_of(status: int) -> Exit:
    """Return the exit code for an HTTP status of 400 and more."""
    if status == codes.not_found:
        return Exit.NOT_FOUND
    return Exit.UNREACHABLE if status >= codes.server_error else Exit.REFUSED

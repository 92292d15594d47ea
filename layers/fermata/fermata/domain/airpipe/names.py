"""The task types of Air Pipe's actions, by name."""

HTTP, STATE, OUTPUT, DELAY, ANSWER = "AIRPIPE_HTTP", "AIRPIPE_STATE", "AIRPIPE_OUTPUT", "AIRPIPE_DELAY", "AIRPIPE_ANSWER"
TRIED = frozenset({HTTP, STATE})  # those whose polls are tries of an action

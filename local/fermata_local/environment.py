"""What the doors find in their environment on the laptop: the variables a deployment would set."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from fermata_local.account import ACCOUNT, REGION

SECRET_PREFIX = "CONDUCTOR_SECRET_"  # noqa: S105 - the name of variables, not a secret

TABLE = "fermata"
BUCKET = "fermata-payloads"
GROUP = "fermata"
RECURRING_GROUP = "fermata-recurring"
WORK_QUEUE = "fermata-work"
WAKEUP_QUEUE = "fermata-wakeup"
EVENTS_QUEUE = "fermata-events"
DEAD_LETTERS = {queue: f"{queue}-dead" for queue in (WORK_QUEUE, WAKEUP_QUEUE, EVENTS_QUEUE)}
BUS = "default"
PAYLOAD_URL = "/payloads/"
AIRPIPE_PREFIX = "/airpipe"  # the template's default
SECRETS_PATH = "/fermata/secrets/"

# The user's own AWS settings must not leak in: a profile that is not there, or an endpoint that bypasses moto.
_FOREIGN = ("AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_ENDPOINT_URL", "AWS_SESSION_TOKEN")


def function_arn(door: str) -> str:
    return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:fermata-{door}"


def queue_arn(queue: str) -> str:
    return f"arn:aws:sqs:{REGION}:{ACCOUNT}:{queue}"


def queue_url(queue: str) -> str:
    return f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/{queue}"


def variables(min_poll_interval: int | None, *, keys: bool = False, airpipe_prefix: str = AIRPIPE_PREFIX) -> dict[str, str]:
    """Return the environment of every door.

    `min_poll_interval` is in seconds; None keeps the deployed default. `keys`: ask for tokens. `airpipe_prefix` stands before the paths of
    Air Pipe's interfaces.
    """
    floor = {} if min_poll_interval is None else {"FERMATA_MIN_POLL_INTERVAL_SECONDS": str(min_poll_interval)}
    return {
        "FERMATA_TABLE": TABLE,
        "FERMATA_WORK_QUEUE_URL": queue_url(WORK_QUEUE),
        "FERMATA_WAKEUP_QUEUE_URL": queue_url(WAKEUP_QUEUE),
        "FERMATA_EVENTS_QUEUE_URL": queue_url(EVENTS_QUEUE),
        "FERMATA_SCHEDULE_GROUP": GROUP,
        "FERMATA_RECURRING_GROUP": RECURRING_GROUP,
        "FERMATA_WAKEUP_TARGET_ARN": function_arn("wakeup"),
        "FERMATA_SCHEDULER_ROLE_ARN": f"arn:aws:iam::{ACCOUNT}:role/fermata-scheduler",
        "FERMATA_SCHEDULER_DLQ_ARN": queue_arn(DEAD_LETTERS[WAKEUP_QUEUE]),
        "FERMATA_PAYLOAD_BUCKET": BUCKET,
        "FERMATA_PAYLOAD_URL": PAYLOAD_URL,
        "FERMATA_SECRETS_PATH": SECRETS_PATH,
        "FERMATA_SIGNING_KEYS_PATH": "/fermata-signing/fermata/",
        "FERMATA_API_AUTHORIZATION": "KEYS" if keys else "NONE",
        "FERMATA_AIRPIPE_PREFIX": airpipe_prefix,
        # The vendor of a laptop is often the laptop.
        "FERMATA_EGRESS_ALLOW": "loopback,private",
        "AWS_DEFAULT_REGION": REGION,
        "AWS_REGION": REGION,
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
        "POWERTOOLS_SERVICE_NAME": "fermata",
        "POWERTOOLS_METRICS_NAMESPACE": "Fermata",
        # Nobody collects them here, and Powertools keeps both in globals that doors of one process would share.
        "POWERTOOLS_METRICS_DISABLED": "true",
        "POWERTOOLS_TRACE_DISABLED": "true",
        "POWERTOOLS_LOG_LEVEL": os.environ.get("POWERTOOLS_LOG_LEVEL", "ERROR"),
        **floor,
    }


def secrets(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the secrets that `CONDUCTOR_SECRET_<NAME>` variables carry, by name."""
    return {name.removeprefix(SECRET_PREFIX): value for name, value in environ.items() if name.startswith(SECRET_PREFIX) and value}


@contextmanager
def applied(values: Mapping[str, str]) -> Iterator[None]:
    """Set the process environment, and put it back at the end."""
    names = (*values, *_FOREIGN)
    before = {name: os.environ.get(name) for name in names}
    for name in _FOREIGN:
        os.environ.pop(name, None)
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

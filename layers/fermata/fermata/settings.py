"""The one place that reads the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from fermata.domain.limits import Limits


@dataclass(frozen=True)
class Settings:
    """What a deployment decides. Each field's variable is `FERMATA_` + its name in capitals (see `read`)."""

    table: str = "fermata"
    work_queue_url: str = ""
    wakeup_queue_url: str = ""
    events_queue_url: str = ""
    schedule_group: str = "fermata"
    recurring_group: str = "fermata-recurring"
    wakeup_target_arn: str = ""
    scheduler_role_arn: str = ""
    scheduler_dlq_arn: str = ""
    payload_bucket: str = ""
    payload_url: str = ""  # the laptop's: callers fetch payloads below it, not from S3
    min_poll_interval: timedelta = timedelta(seconds=60)
    egress_allow: tuple[str, ...] = ()
    expression_env: Mapping[str, str] = field(default_factory=dict)
    evaluator: str = "quickjs"
    retention: timedelta | None = None
    api_authorization: str = "AWS_IAM"
    token_life: timedelta = timedelta(hours=1)
    signing_keys_path: str = "/fermata-signing/fermata/"
    secrets_path: str = "/fermata/secrets/"
    limits: Limits = field(default_factory=Limits)
    longest_hold: timedelta = timedelta(seconds=20)
    worker_hold: timedelta = timedelta(0)
    airpipe_prefix: str = "/airpipe"


def read(environ: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings. Raises `ValueError`, naming the variable, when a number is not one or too small, or two paths are one."""
    retention_days = _number(environ, "FERMATA_RETENTION_DAYS", 0)
    secrets, signing = _paths(environ)
    names = _words(environ.get("FERMATA_EXPRESSION_ENV_ALLOW", ""))
    return Settings(
        table=environ.get("FERMATA_TABLE", "fermata"),
        work_queue_url=environ.get("FERMATA_WORK_QUEUE_URL", ""),
        wakeup_queue_url=environ.get("FERMATA_WAKEUP_QUEUE_URL", ""),
        events_queue_url=environ.get("FERMATA_EVENTS_QUEUE_URL", ""),
        schedule_group=environ.get("FERMATA_SCHEDULE_GROUP", "fermata"),
        recurring_group=environ.get("FERMATA_RECURRING_GROUP", "fermata-recurring"),
        wakeup_target_arn=environ.get("FERMATA_WAKEUP_TARGET_ARN", ""),
        scheduler_role_arn=environ.get("FERMATA_SCHEDULER_ROLE_ARN", ""),
        scheduler_dlq_arn=environ.get("FERMATA_SCHEDULER_DLQ_ARN", ""),
        payload_bucket=environ.get("FERMATA_PAYLOAD_BUCKET", ""),
        payload_url=environ.get("FERMATA_PAYLOAD_URL", ""),
        min_poll_interval=timedelta(seconds=_number(environ, "FERMATA_MIN_POLL_INTERVAL_SECONDS", 60)),
        egress_allow=_words(environ.get("FERMATA_EGRESS_ALLOW", "")),
        expression_env={name: environ[name] for name in names if name in environ},
        api_authorization=environ.get("FERMATA_API_AUTHORIZATION", "AWS_IAM"),
        token_life=timedelta(seconds=_number(environ, "FERMATA_TOKEN_LIFE_SECONDS", 3600)),
        signing_keys_path=signing,
        evaluator=environ.get("FERMATA_EVALUATOR", "quickjs"),
        retention=timedelta(days=retention_days) if retention_days else None,
        secrets_path=secrets,
        limits=_limits(environ),
        longest_hold=timedelta(seconds=_number(environ, "FERMATA_LONGEST_HOLD_SECONDS", 20)),
        worker_hold=timedelta(milliseconds=_number(environ, "FERMATA_WORKER_HOLD_MILLISECONDS", 0)),
        airpipe_prefix=environ.get("FERMATA_AIRPIPE_PREFIX", "/airpipe").rstrip("/"),
    )


def _limits(environ: Mapping[str, str]) -> Limits:
    default = Limits()
    return Limits(
        max_loop_iterations=_at_least_one(environ, "FERMATA_MAX_LOOP_ITERATIONS", default.max_loop_iterations),
        max_fork_branches=_at_least_one(environ, "FERMATA_MAX_FORK_BRANCHES", default.max_fork_branches),
        max_start_chain=_at_least_one(environ, "FERMATA_MAX_START_CHAIN", default.max_start_chain),
        max_sub_workflow_depth=_at_least_one(environ, "FERMATA_MAX_SUB_WORKFLOW_DEPTH", default.max_sub_workflow_depth),
    )


def _paths(environ: Mapping[str, str]) -> tuple[str, str]:
    """Return where secrets and signing keys are. A definition may name every secret: what signs tokens must not be one."""
    secrets = environ.get("FERMATA_SECRETS_PATH", "/fermata/secrets/")
    signing = environ.get("FERMATA_SIGNING_KEYS_PATH", "/fermata-signing/fermata/")
    if signing.startswith(secrets):
        raise ValueError(f"FERMATA_SECRETS_PATH {secrets} must not hold FERMATA_SIGNING_KEYS_PATH {signing}")
    return secrets, signing


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _at_least_one(environ: Mapping[str, str], name: str, default: int) -> int:
    number = _number(environ, name, default)
    if number < 1:
        raise ValueError(f"{name} must be 1 or more, not {number}")
    return number


def _number(environ: Mapping[str, str], name: str, default: int) -> int:
    text = environ.get(name, "")
    try:
        return int(text) if text else default
    except ValueError as error:
        raise ValueError(f"{name} must be a whole number, not {text!r}") from error

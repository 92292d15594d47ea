"""Cron expressions as Spring reads them: six fields, seconds first."""

from fermata.domain.cron.expression import Cron, InvalidCron, parse

__all__ = ["Cron", "InvalidCron", "parse"]

"""What urllib3 may say in our log: never a query string, never what a vendor sent."""

import logging


class _NoSecrets(logging.Filter):
    """Cuts query strings out of urllib3's lines and drops those that quote an answer's headers."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(arg.partition("?")[0] if isinstance(arg, str) else arg for arg in record.args)
        return record.exc_info is None


_NO_SECRETS = _NoSecrets()


def quieten() -> None:
    """Install the filter. Safe to repeat."""
    for name in ("urllib3.connectionpool", "urllib3.connection"):
        logging.getLogger(name).addFilter(_NO_SECRETS)

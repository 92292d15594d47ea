"""The `fermata` command line."""

from fermata_local.cli.commands import main

__all__ = ["main"]

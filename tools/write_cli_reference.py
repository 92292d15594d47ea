"""Writes docs/cli.md from the command line's own help."""

from pathlib import Path

from fermata_local.cli import main
from fermata_local.cli.reference import reference

FILE = Path(__file__).resolve().parent.parent / "docs" / "cli.md"

if __name__ == "__main__":
    FILE.write_text(reference(main), encoding="utf-8")

"""The kept copy of the API's description. `make openapi` writes it anew."""

from pathlib import Path

from fermata.api.description.document import kept_text

KEPT = Path(__file__).parents[2] / "docs" / "openapi.json"

if __name__ == "__main__":
    KEPT.write_text(kept_text())

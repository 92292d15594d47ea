"""`python -m benchmarks [AREA...] [--json]`: measure, and print the figures beside what was promised."""

import argparse
import json
import sys

from benchmarks.areas import AREAS
from benchmarks.figures import Figure, as_json, as_table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Fermata. Ratios above 1 are broken promises.")
    known = ", ".join(AREAS)
    parser.add_argument("area", nargs="*", metavar="AREA", help=f"of {known}; all when none is named")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    if unknown := [area for area in options.area if area not in AREAS]:
        parser.error(f"there is no area {unknown[0]}; there are {known}")
    figures: list[Figure] = []
    for area in options.area or AREAS:
        print(f"measuring {area} ...", file=sys.stderr, flush=True)
        figures += AREAS[area]()
    print(json.dumps(as_json(figures), indent=2) if options.json else as_table(figures))


if __name__ == "__main__":
    main()

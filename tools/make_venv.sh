#!/usr/bin/env bash
# make_venv.sh FOLDER PYTHON LOCK_FILE [PROJECT]: a virtual environment holding exactly a lock file, and PROJECT as an editable install.
# Leaves FOLDER/.ready behind, which is what make looks at.
set -euo pipefail

folder=$1 python=$2 lock=$3 project=${4:-}

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "Fermata needs Python 3.11 or newer, and '$python' is not that. Say which one to use: make PYTHON=/path/to/python3.11 ..." >&2
    exit 1
fi

wanted=$("$python" -c 'import sys; print(*sys.version_info[:3], sep=".")')
found=$("$folder/bin/python" -c 'import sys; print(*sys.version_info[:3], sep=".")' 2>/dev/null || echo none)
echo "Setting up $folder with Python $wanted (once, about a minute) ..." >&2
if [ "$found" != "$wanted" ]; then
    "$python" -m venv --clear "$folder"
fi

# --no-deps: the lock file is complete, and exact. --isolated is not used, so that a company's own pip settings hold.
quiet=(-qq --disable-pip-version-check --no-input)
"$folder/bin/python" -m pip install "${quiet[@]}" --no-deps --requirement "$lock"
if [ -n "$project" ]; then
    "$folder/bin/python" -m pip install "${quiet[@]}" --no-deps --no-build-isolation --editable "$project"
fi
touch "$folder/.ready"

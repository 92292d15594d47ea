#!/usr/bin/env bash
# write_locks.sh UV [--upgrade]: resolve pyproject.toml into the lock files, for every Python from 3.11 on. Run it by `make lock`.
set -euo pipefail

uv=$1
shift
compile=("$uv" pip compile --quiet --universal --python-version 3.11 --no-annotate --custom-compile-command "make lock" "$@")

"${compile[@]}" pyproject.toml --all-extras --group dev --output-file requirements/dev.txt
for group in sam lambda lock; do
    "${compile[@]}" --group "$group" --output-file "requirements/$group.txt"
done
# The layer: the project's own dependencies, at the versions the tests ran with.
"${compile[@]}" pyproject.toml --constraints requirements/dev.txt --output-file layers/dependencies/requirements.txt
wc -l requirements/*.txt layers/dependencies/requirements.txt

#!/usr/bin/env bash
# find_python.sh VERSION FALLBACK: print a working python of that version, or FALLBACK when there is none.
# Every candidate is run, because a version manager's shim may stand on the PATH for a version that is not switched on.
set -uo pipefail

version=$1 fallback=${2:-python3}

candidates() {
    type -ap "python$version"
    local shim
    for shim in $(type -ap pyenv "python$version" python3); do # pyenv: .../shims/python3 and .../bin/pyenv lie beside .../versions
        ls -d "${shim%/*}/../versions/$version".*/bin/python"$version" 2>/dev/null
    done
    ls -d "${PYENV_ROOT:-${HOME:-}/.pyenv}/versions/$version".*/bin/python"$version" 2>/dev/null
    ls -d "${HOME:-}/.local/share/uv/python/cpython-$version"*/bin/python"$version" 2>/dev/null
}

while read -r candidate; do
    if found=$("$candidate" -c "import sys, venv; assert '%d.%d' % sys.version_info[:2] == '$version'; print(sys.executable)" 2>/dev/null); then
        echo "$found"
        exit 0
    fi
done < <(candidates)
echo "$fallback"

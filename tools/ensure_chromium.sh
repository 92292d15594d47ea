#!/usr/bin/env bash
# ensure_chromium.sh: a browser for tests/web. Installs Debian's where CI runs as root and has none; anybody else is told what to do,
# and the browser tests are skipped.
set -euo pipefail

for name in "${FERMATA_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    if [ -n "$name" ] && command -v "$name" > /dev/null; then
        exit 0
    fi
done
if [ "${CI:-}" = true ] && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    echo "Installing Chromium for the browser tests ..." >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y -qq --no-install-recommends chromium fonts-liberation > /dev/null ||
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-liberation > /dev/null; }
    exit 0
fi
if [ ! -d /Applications ]; then # there, tests/support/chromium.py looks
    echo "No Chromium is found: the browser tests are skipped. To run them: apt-get install chromium, or FERMATA_CHROMIUM=/path/to/one" >&2
fi

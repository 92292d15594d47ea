#!/usr/bin/env bash
# build_here.sh PYTHON: `sam build` the template for this machine, so that the result can run on it.
# Two things may differ from what is deployed: the architecture, and, where Lambda's Python is not installed, the runtime.
set -euo pipefail

version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
case $(uname -m) in
    arm64 | aarch64) architecture=arm64 ;;
    *) architecture=x86_64 ;;
esac

# Not .aws-sam/build: that is where a plain `sam build`, for Lambda's own architecture, belongs.
mkdir -p .aws-sam
sed -e "s/python3\.13/python$version/g" -e "s/Default: arm64/Default: $architecture/" template.yaml > .aws-sam/template-here.yaml
if [ "$version" != 3.13 ]; then
    echo "No Python 3.13 here: building for Python $version instead. Lambda will run 3.13." >&2
fi
if ! sam build --template-file .aws-sam/template-here.yaml --base-dir . --build-dir .aws-sam/here > .aws-sam/here.log 2>&1; then
    cat .aws-sam/here.log >&2
    exit 1
fi
"${0%/*}/compile_build.sh" "$1" .aws-sam/here

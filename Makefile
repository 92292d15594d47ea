# Everything a person or CI does here is one word. Nothing is installed outside this folder.
# A virtual environment is brought up to date when the lock file it holds changes.

PYTHON ?= python3
# The interpreter that the built functions run on: the Lambda runtime's when one is found (see tools/find_python.sh).
LAMBDA_PYTHON ?= $(shell tools/find_python.sh 3.13 $(PYTHON))
WORKERS ?= auto
# A group of tests shares what is slow to start, such as the deployed stack.
PYTEST := -n $(WORKERS) --dist loadgroup
PORT ?= 8080

SAM_ENV := SAM_CLI_TELEMETRY=0 __SAM_CLI_APP_DIR="$(CURDIR)/.aws-sam/cli" PATH="$(CURDIR)/.venv-sam/bin:$$PATH"
# Checking and building here ask for some region and use none; deploying must take the deployer's own.
ANY_REGION := AWS_DEFAULT_REGION=$${AWS_DEFAULT_REGION:-eu-west-1}
# The official JavaScript client, where Node.js is present.
JAVASCRIPT := $(if $(shell command -v npm),tests/compat/javascript/node_modules/.ready)
# What the web pages are built and checked with, where Node.js is present. The built pages are kept in functions/web/assets.
WEB := $(if $(shell command -v npm),web/node_modules/.ready)
SOURCES := layers/fermata/fermata local functions examples benchmarks tools tests
TYPED := layers/fermata/fermata local/fermata_local local/fermata_testing tools $(wildcard examples/*.py benchmarks/*.py)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo demo-airpipe test test-lambda-python serve check format build bench golden-list client-list cli-reference openapi web pictures deploy lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/.ready ## run the main job on the local cloud and watch each poll
	@.venv/bin/fermata demo

demo-airpipe: .venv/.ready ## run Air Pipe's async-job-polling demo as published, and print its result
	@.venv/bin/fermata airpipe demo

serve: .venv/.ready ## the local server on port 8080 (PORT=N), until Ctrl-C
	@.venv/bin/fermata serve --port $(PORT)

test: .venv/.ready .aws-sam/.here $(JAVASCRIPT) $(WEB) ## the whole suite (ARGS="-k words" for a part)
	@tools/ensure_chromium.sh
	@.venv/bin/python -m pytest $(PYTEST) $(ARGS)

test-lambda-python: .venv-3.13/.ready $(JAVASCRIPT) $(WEB) ## the suite on Lambda's own Python, but for what runs built functions
	@tools/ensure_chromium.sh
	@.venv-3.13/bin/python -m pytest $(PYTEST) --ignore tests/built --ignore tests/deployed $(ARGS)

check: .venv/.ready .venv-sam/.ready $(WEB) ## lint, types, import rules, template lint
	.venv/bin/ruff check $(wildcard $(SOURCES))
	.venv/bin/ruff format --check $(wildcard $(SOURCES))
	.venv/bin/mypy $(TYPED)
	@for door in functions/*/app.py; do echo "mypy $$door"; .venv/bin/mypy "$${door%/*}" || exit 1; done
	.venv/bin/lint-imports
	$(if $(WEB),npm --prefix web run --silent check && npm --prefix web run --silent stale,@echo "no Node.js: the web pages are not checked")
	$(ANY_REGION) $(SAM_ENV) .venv-sam/bin/sam validate --lint

format: .venv/.ready ## let ruff rewrite what it can
	.venv/bin/ruff check --fix $(wildcard $(SOURCES))
	.venv/bin/ruff format $(wildcard $(SOURCES))

build: .venv/.ready .aws-sam/.here ## sam build, then every built door answers its events/ through the Lambda runtime client
	@.venv/bin/python -m pytest tests/built $(ARGS)

bench: .venv/.ready ## the benchmarks, with ratios
	@.venv/bin/python -m benchmarks $(ARGS)

client-list: .venv/.ready ## write docs/clients.md anew from tests/compat
	@.venv/bin/python -m tests.compat.listing

golden-list: .venv/.ready ## write docs/golden-cases.md anew from tests/golden
	@.venv/bin/python -m tests.golden.listing

cli-reference: .venv/.ready ## write docs/cli.md anew from the commands' help
	@.venv/bin/python tools/write_cli_reference.py

openapi: .venv/.ready ## write docs/openapi.json anew from the code
	@.venv/bin/python -m tests.api.kept_openapi

pictures: .venv/.ready ## take the pictures of docs/images anew; look at them before you commit them
	@.venv/bin/python -m tests.web.pictures

web: web/node_modules/.ready ## build the web pages anew into functions/web/assets (needs Node.js)
	@cd web && npm run --silent build

deploy: .venv-sam/.ready .venv-lambda/.ready ## build for Lambda's own architecture and sam deploy (ARGS=--guided the first time)
	$(SAM_ENV) .venv-sam/bin/sam build
	@tools/compile_build.sh .venv-lambda/bin/python .aws-sam/build
	$(SAM_ENV) .venv-sam/bin/sam deploy $(ARGS)

lock: .venv-lock/.ready ## write the lock files anew from pyproject.toml (ARGS=--upgrade for newer releases)
	@tools/write_locks.sh .venv-lock/bin/uv $(ARGS)

clean: ## forget every environment and build
	rm -rf .venv .venv-sam .venv-lambda .venv-lock .venv-3.13 .aws-sam build tests/compat/javascript/node_modules web/node_modules

# --- environments -----------------------------------------------------------------------------------------------------------------

.venv/.ready: requirements/dev.txt pyproject.toml tools/make_venv.sh
	@tools/make_venv.sh .venv "$(PYTHON)" requirements/dev.txt .

.venv-sam/.ready: requirements/sam.txt tools/make_venv.sh
	@tools/make_venv.sh .venv-sam "$(LAMBDA_PYTHON)" requirements/sam.txt

.venv-3.13/.ready: requirements/dev.txt pyproject.toml tools/make_venv.sh
	@tools/make_venv.sh .venv-3.13 "$(LAMBDA_PYTHON)" requirements/dev.txt .

.venv-lambda/.ready: requirements/lambda.txt tools/make_venv.sh
	@tools/make_venv.sh .venv-lambda "$(LAMBDA_PYTHON)" requirements/lambda.txt

.venv-lock/.ready: requirements/lock.txt tools/make_venv.sh
	@tools/make_venv.sh .venv-lock "$(PYTHON)" requirements/lock.txt

tests/compat/javascript/node_modules/.ready: tests/compat/javascript/package-lock.json
	@cd $(@D)/.. && npm ci --legacy-peer-deps --no-audit --no-fund --silent && touch node_modules/.ready

web/node_modules/.ready: web/package-lock.json
	@cd web && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules/.ready

# --- the build that the tests look at: this machine's architecture and interpreter, so that it can run here -----------------------

.aws-sam/.here: template.yaml tools/build_here.sh tools/compile_build.sh .venv-sam/.ready .venv-lambda/.ready \
		$(shell find functions layers -type f -not -path '*/__pycache__/*')
	@$(ANY_REGION) $(SAM_ENV) tools/build_here.sh .venv-lambda/bin/python
	@touch $@

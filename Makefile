# Everything a newcomer, a contributor or CI does. `make help` lists the targets.
# Needs Python >= 3.11 with its venv module, make and a network to the package registries; nothing else.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input
UV_PIN := uv==0.13.9

# One stamp per set of packages: a second `make run` finds it newer than its lock and installs nothing.
MADE := $(VENV)/.made
RUN := $(VENV)/.run
DEV := $(VENV)/.dev
BROWSER := $(VENV)/.browser
BENCH := $(VENV)/.bench

# The interpreter a virtual environment points at can vanish (an upgrade, a removed pyenv version): then it is made again.
ifeq ($(wildcard $(BIN)/python),)
$(shell rm -f $(MADE) $(RUN) $(DEV) $(BROWSER) $(BENCH))
endif

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install run down test lint check test-browser bench lock secrets clean

help: ## Show this list
	@echo 'Consilience. PYTHON=python3.12 picks another Python; ARGS="..." goes to the command behind a target.'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

install: $(RUN) ## Make .venv and install the pinned packages that the service needs
	@echo 'Installed. Next: make run, or $(BIN)/consilience --help'

run: $(RUN) ## Start everything, load the sample conversation, ask it questions, then serve (Ctrl-C stops)
	@exec $(BIN)/python -m consilience serve --sample $(ARGS)

down: ## Stop a service that runs in the background (consilience up), and its Neo4j
	@if [ -x $(BIN)/python ]; then exec $(BIN)/python -m consilience down $(ARGS); else echo 'Nothing to stop: $(VENV) does not exist.'; fi

test: $(DEV) ## The whole set-up, then all tests except those that need a browser
	@echo 'Running the tests. They start a Neo4j of their own; the first time it is downloaded (about 160 MB).'
	@exec $(BIN)/python -m pytest -m 'not browser' $(ARGS)

lint: $(BROWSER) $(BENCH) ## Static checks: ruff, mypy strict, pyright strict, import-linter
	@echo '[1/5] ruff check' && $(BIN)/python -m ruff check .
	@echo '[2/5] ruff format --check' && $(BIN)/python -m ruff format --check .
	@echo '[3/5] mypy (strict)' && $(BIN)/python -m mypy
	@echo '[4/5] pyright (strict)' && $(BIN)/python -m pyright --pythonpath $(BIN)/python
	@echo '[5/5] import-linter' && PATH="$(abspath $(BIN)):$$PATH" lint-imports

check: lint test ## What CI asks of a change: the static checks, then the tests

test-browser: $(BROWSER) ## The tests that open a real Chromium; installs Debian's chromium if there is none
	@sh tests/deploy/chromium.sh
	@exec $(BIN)/python -m pytest -m browser $(ARGS)

bench: $(BENCH) ## Run the benchmarks and write docs/benchmarks.md
	@exec $(BIN)/python -m bench $(ARGS)

secrets: ## Make the two secret files that docker-compose.yml reads
	@sh tools/docker/secrets.sh

clean: ## Remove .venv and all that the checks left here (downloads and data folders outside stay)
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage bench/out
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the pinned sets ---------------------------------------------------------------------------------------------

$(MADE):
	@echo '== virtual environment in $(VENV)'
	@command -v $(PYTHON) >/dev/null 2>&1 || { echo 'Consilience needs Python 3.11 or newer, and there is no $(PYTHON) here: install one, or say which with PYTHON=/path/to/python3.' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Consilience needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1): say which to use with PYTHON=/path/to/python3." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo 'Python could not make a virtual environment: its venv module is missing (Debian and Ubuntu: apt-get install python3-venv).' >&2; exit 1; }
	@touch $@

# The project itself is installed in place, with the pinned setuptools: no build environment is downloaded.
$(RUN): $(MADE) requirements/run.txt pyproject.toml
	@echo '== packages of the service (requirements/run.txt; about 170 MB, most of it a Java runtime and the embedder)'
	@$(PIP) install --require-hashes -r requirements/run.txt
	@$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(DEV): $(RUN) requirements/dev.txt
	@echo '== packages of the tests and checks (requirements/dev.txt)'
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

$(BROWSER): $(DEV) requirements/browser.txt
	@echo '== packages of the browser tests (requirements/browser.txt)'
	@$(PIP) install --require-hashes -r requirements/browser.txt
	@touch $@

$(BENCH): $(RUN) requirements/bench.txt
	@echo '== packages of the benchmarks (requirements/bench.txt)'
	@$(PIP) install --require-hashes -r requirements/bench.txt
	@touch $@

# --- for maintainers ---------------------------------------------------------------------------------------------

# dev.txt is resolved first and holds the other sets together, so one package never has two versions here.
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)
TABLE = $(BIN)/python tools/requirements.py

lock: $(MADE) ## Write requirements/*.txt anew from pyproject.toml (UPGRADE=1 takes the newest versions)
	@$(PIP) install --quiet '$(UV_PIN)'
	@echo '[1/5] dev.txt' && $(TABLE) core local container dev build | $(COMPILE) -o requirements/dev.txt -
	@echo '[2/5] core.txt' && $(TABLE) core build | $(COMPILE) -c requirements/dev.txt -o requirements/core.txt -
	@echo '[3/5] run.txt' && $(TABLE) core local build | $(COMPILE) -c requirements/dev.txt -o requirements/run.txt -
	@echo '[4/5] browser.txt' && $(TABLE) browser | $(COMPILE) -c requirements/dev.txt -o requirements/browser.txt -
	@echo '[5/5] bench.txt' && $(TABLE) bench | $(COMPILE) -c requirements/dev.txt -o requirements/bench.txt -
	@echo 'Done. Look at the difference, then: make check'

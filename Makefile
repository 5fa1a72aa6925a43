# Two commands: `make demo` shows what it does, `make test` proves that it works.
# Both need python3 (3.11, 3.12 or 3.13), make and a package index; they set up all the rest.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
NODE_READY := node_modules/.ready
SPARK_CLASSES := .venv/spark.jsa
NEO4J_CLASSES := .venv/neo4j.jsa
TEST_PROCESSES ?= 4

# Each test of a process would compile the program anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install demo test quick soak lint bench docs notebooks lock wheel clean

help:
	@echo "make demo     run real Spark pipelines on real data, and look at their lineage"
	@echo "make test     all tests but the long ones (make soak runs those)"
	@echo "make quick    tests of units, and lint"
	@echo "make lint     ruff, mypy, import-linter; biome for JavaScript; known advisories"
	@echo "make bench    measure, into bench/RESULTS.md"
	@echo "make notebooks  run the notebooks that come along, and keep what they show"
	@echo "make install  the environment only"

install: $(READY)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(None if (3, 11) <= v < (3, 14) else "lineagegraph needs Python 3.11, 3.12 or 3.13, this is %d.%d: try make PYTHON=python3.13" % v)'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing what requirements.lock lists (about a minute and a half)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(READY)

demo: install
	$(BIN)/lineagegraph demo

# Files in their order: those that take minutes come first, and none of them last.
# Tests of pages drive browsers: Debian's chromium and firefox-esr, installed where that can be.
# They mostly wait for each other's processes: hence more of them than a machine of two cores has.
test: install $(NODE_READY) $(SPARK_CLASSES) $(NEO4J_CLASSES)
	@$(BIN)/python -m tests.chromium
	@$(BIN)/python -m tests.firefox
	$(BIN)/python -m pytest -m "not soak" --numprocesses $(TEST_PROCESSES) --dist loadfile \
		--no-loadscope-reorder --max-worker-restart 2 --durations 25

$(SPARK_CLASSES): $(READY)
	@echo "keeping Spark's classes for the tests (half a minute)"
	@$(BIN)/python -m tests.spark_classes

$(NEO4J_CLASSES): $(READY) lineagegraph/neo4j_server/neo4j.lock.json
	@echo "keeping Neo4j's classes for the tests (a minute)"
	@$(BIN)/python -m tests.neo4j_classes

quick: lint
	$(BIN)/python -m pytest -m "not soak" --numprocesses 2 --dist worksteal tests/unit

soak: install $(SPARK_CLASSES) $(NEO4J_CLASSES)
	@$(BIN)/python -m tests.chromium
	$(BIN)/python -m pytest -m soak --timeout 3600 --hypothesis-profile default

lint: install $(NODE_READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/node node_modules/@biomejs/biome/bin/biome ci
	$(BIN)/python -m tools.advisories

# Node comes with the environment; npm has the releases of biome itself.
$(NODE_READY): package-lock.json | $(READY)
	$(BIN)/npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

bench: install
	$(BIN)/python -m bench.ingest

docs: install
	$(BIN)/python -m pytest tests/acceptance/test_docs.py

# The notebooks that come along, with what they show of a demo in a home of its own.
notebooks: export LINEAGEGRAPH_HOME := $(or $(TMPDIR),/tmp)/lineagegraph-notebooks
notebooks: install
	$(BIN)/lineagegraph demo --folder $(or $(TMPDIR),/tmp)/nyc
	$(BIN)/python -m docs.make_notebooks $(or $(TMPDIR),/tmp)/nyc
	$(BIN)/lineagegraph down

lock:
	$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --group dev --extra apprise --extra connect pyproject.toml -o requirements.lock --custom-compile-command "make lock"

wheel: install
	$(BIN)/python -m tools.sbom
	$(BIN)/uv build --wheel --no-build-isolation --out-dir dist

clean:
	rm -rf .venv node_modules dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

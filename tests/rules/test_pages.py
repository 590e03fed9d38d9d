"""The pages tell the truth: check finds the example and not the replacement, and so does a real export."""

from __future__ import annotations

import copy
import importlib.util
import random
import re
import sys
import warnings
from pathlib import Path
from types import ModuleType

import pytest
from checking import Checker
from exportdb_rules.finding import Confidence, Verdict
from exportdb_rules.rule import Rule, registry
from pages import PAGES, Page

from .. import proofs

torch = pytest.importorskip("torch")

RULES = registry()
HEAD = """\
import copy
import math
import random
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch._higher_order_ops import while_loop
from torch.export import Dim
from torch.nn.utils.rnn import pad_sequence
"""
ROUNDS = 8


def snippet(rule: Rule, section: str) -> str:
    body = rule.documentation.split(f"## {section}\n", 1)[1].split("\n## ", 1)[0]
    found = re.search(r"```python\n(.*?)```", body, re.DOTALL)
    assert found is not None
    return found.group(1)


def program(text: str, page: Page, *, fixed: bool) -> str:
    """A snippet as a file: one that starts with `def` is the inside of a module class."""
    init = page.fixed_init if fixed and page.fixed_init is not None else page.init
    if "class Net" not in text:
        imports = "".join(line + "\n" for line in text.splitlines() if line.startswith(("import ", "from ")))
        inside = "\n".join("    " + line for line in text.removeprefix(imports).strip("\n").splitlines())
        own = "def __init__" not in text
        made = f"    def __init__(self):\n        super().__init__()\n        {init}\n\n" if init and own else ""
        text = f"{imports}{page.around}\n\nclass Net(torch.nn.Module):\n{made}{inside}\n"
    return f"{HEAD}\n{text}"


def loaded(source: str, folder: Path, name: str) -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def same(a: object, b: object) -> bool:
    from torch.utils._pytree import tree_flatten

    left, right = tree_flatten(a)[0], tree_flatten(b)[0]
    if len(left) != len(right):
        return False
    for x, y in zip(left, right, strict=True):
        if isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor):
            if x.shape != y.shape or not torch.allclose(x.double(), y.double()):
                return False
        elif x != y:
            return False
    return True


def key_of(source: str, page: Page) -> str:
    """Of the proof that an example, or its replacement, does what the page says (proofs.py)."""
    return proofs.key((Path(__file__),), source, repr(page))


def outcome(module: ModuleType, page: Page, *, fixed: bool, strict: bool) -> str:
    """What becomes of the file's `Net` when it is exported: fails, diverges, specializes or ok."""

    def value(text: str) -> object:
        return eval(text, vars(module) | {"Dim": torch.export.Dim, "torch": torch})

    torch.manual_seed(0)
    args = value(page.fixed_args if fixed and page.fixed_args is not None else page.args)
    others = value(page.fixed_others if fixed and page.fixed_others is not None else page.others)
    dynamic = value(page.fixed_dynamic if fixed and page.fixed_dynamic is not None else page.dynamic)
    net = module.Net()
    before = dict(vars(module))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exported = torch.export.export(copy.deepcopy(net), args, dynamic_shapes=dynamic, strict=strict).module()
    except Exception:
        return "fails"
    finally:
        vars(module).update(before)
        torch._dynamo.reset()
    for call in range(ROUNDS):
        for given in (args, *others):
            random.seed(call)
            torch.manual_seed(call)
            try:
                expected = net(*copy.deepcopy(given))
            except Exception:
                return "fails"  # in eager too
            random.seed(call)
            torch.manual_seed(call)
            try:
                if not same(expected, exported(*copy.deepcopy(given))):
                    return "diverges"
            except AssertionError:
                return "specializes"
            except Exception:
                return "diverges"  # the exported program raises, or gives a tensor without data
    return "ok"


def declaring(source: str, page: Page, *, fixed: bool) -> str:
    """A program that says what it is exported with, where its rule is about that."""
    if not page.declares:
        return source
    dynamic = page.fixed_dynamic if fixed and page.fixed_dynamic is not None else page.dynamic
    imports = "from torch.export import Dim"
    return f"{source}\n\n{imports}\n\nmodel = Net()\nexample_args = {page.args}\ndynamic_shapes = {dynamic}\n"


def of_rule(check_text: Checker, rule: Rule, source: str, dynamic: str) -> list[Verdict]:
    """The verdicts, other than ok, of what check finds of one rule."""
    report = check_text(source, "all" if dynamic != "None" else "none")
    assert not report.problems
    return [v for f in report.findings if f.code == rule.code and f.confidence is not Confidence.POSSIBLE
            for v in f.verdict.values() if v is not Verdict.OK]  # fmt: skip


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_example_goes_wrong_and_is_found(
    request: pytest.FixtureRequest, rule: Rule, check_text: Checker, tmp_path: Path
) -> None:
    page = PAGES.get(rule.code, Page())
    source = program(snippet(rule, "Example"), page, fixed=False)
    assert of_rule(check_text, rule, declaring(source, page, fixed=False), page.dynamic)
    try:
        module = loaded(source, tmp_path, f"page_{rule.code}_bad")
    except Exception:
        # The programs of these pages call export themselves.
        assert rule.family == "export_api"
        return

    def proof() -> None:
        assert {outcome(module, page, fixed=False, strict=strict) for strict in (False, True)} != {"ok"}

    proofs.once(request, "pages", f"{rule.code}: example", key_of(source, page), proof)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_replacement_exports_and_is_silent(
    request: pytest.FixtureRequest, rule: Rule, check_text: Checker, tmp_path: Path
) -> None:
    page = PAGES.get(rule.code, Page())
    source = program(snippet(rule, "Use instead"), page, fixed=True)
    dynamic = page.fixed_dynamic if page.fixed_dynamic is not None else page.dynamic
    module = loaded(source, tmp_path, f"page_{rule.code}_good")

    def proof() -> None:
        assert outcome(module, page, fixed=True, strict=False) == "ok"

    proofs.once(request, "pages", f"{rule.code}: replacement", key_of(source, page), proof)
    if rule.code not in LOUD:
        assert of_rule(check_text, rule, declaring(source, page, fixed=True), dynamic) == []


# Right only under the Dim that the page tells, which `--assume-dynamic` is not.
LOUD = {"EDB301", "EDB305"}

"""`check --fix --verify`: only fixes that real exports prove are kept; what is taken back is told."""

from __future__ import annotations

import pytest

from .conftest import BRANCH, Program

MODEL = BRANCH.replace("class Net", "# exportdb: args=(torch.randn(2, 3),)\nclass Net")
HOPELESS = """

# exportdb: args=(torch.randn(2, 3),)
class Other(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = x * 2
        return x.chunk(int(x.sum().abs()) + 1)[0]
"""
HELPER = "def shifted(x):\n    if x.sum() > 0:\n        return x + 1\n    return x - 1\n"
CALLER = """\
import torch
from helper import shifted


# exportdb: args=(torch.randn(2, 3),)
class Net(torch.nn.Module):
    def forward(self, x):
        return shifted(x)
"""


def test_a_proven_fix_is_written(run: Program) -> None:
    path = run.write("net.py", MODEL)
    done = run("check", "--fix", "--unsafe-fixes", "--verify", "net.py")
    assert done.status == 0, done.err
    assert "net.py: 1 fix verified: Net (non-strict): verified on" in done.err
    assert "torch.where(" in path.read_text()


def test_fixes_of_a_model_that_still_does_not_export_are_taken_back_and_those_of_others_kept(run: Program) -> None:
    path = run.write("net.py", MODEL + HOPELESS)
    done = run("check", "--fix", "--unsafe-fixes", "--verify", "net.py")
    assert done.status == 1
    assert path.read_text().endswith(HOPELESS)
    assert path.read_text() != MODEL + HOPELESS
    assert "net.py:17: EDB101 not fixed" in done.err
    assert "failed verification: Other (non-strict)" in done.err


def test_two_models_that_still_do_not_export_take_back_their_own_fixes_only(run: Program) -> None:
    # In each of the two, several fixes: no single one is to blame.
    others = "".join(
        HOPELESS.replace("Other", name).replace(
            "        return", "        if x.mean() > 1:\n            x = x - 1\n        return"
        )
        for name in ("Other", "Another")
    )
    path = run.write("net.py", MODEL + others)
    done = run("check", "--fix", "--unsafe-fixes", "--verify", "net.py")
    assert done.status == 1
    assert path.read_text().endswith(others)
    assert path.read_text() != MODEL + others
    assert "1 fix verified: Net (non-strict)" in done.err


def test_a_helper_is_proven_on_the_models_that_call_it(run: Program) -> None:
    path = run.write("helper.py", HELPER)
    run.write("net.py", CALLER)
    done = run("check", "--fix", "--unsafe-fixes", "--verify", "helper.py")
    assert "helper.py: 1 fix verified: Net (non-strict)" in done.err
    assert "torch.where(" in path.read_text()


def test_what_cannot_be_exported_for_want_of_inputs_is_not_written(run: Program) -> None:
    secret = (
        "    def __init__(self, config):\n        super().__init__()\n        self.n = config.secrets[3].width()\n\n"
    )
    text = BRANCH.replace("    def forward", secret + "    def forward")
    path = run.write("net.py", text)
    done = run("check", "--fix", "--unsafe-fixes", "--verify", "net.py")
    assert done.status == 1
    assert path.read_text() == text
    assert "net.py:11: EDB101 not fixed" in done.err


HALVES = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = x * 2
        return x.reshape(-1, int(chr(50)), 4)  # a number that check does not know


model = Net()
example_args = (torch.randn(12, 4),)
dynamic_shapes = ({0: torch.export.Dim("n")},)
"""


def test_dims_that_the_fixed_code_does_not_hold_for_are_declared_as_torch_suggests(run: Program) -> None:
    path = run.write("net.py", HALVES)
    done = run("check", "--fix", "--unsafe-fixes", "--verify", "net.py")
    assert done.status == 0, done.err
    assert "1 fix verified: Declare the dimensions as suggested by torch: n = 2*_n; Net (non-strict)" in done.err
    fixed = path.read_text()
    assert "torch.where(" in fixed
    assert 'dynamic_shapes = ({0: 2 * torch.export.Dim("_n")},)' in fixed


def test_a_diff_shows_what_was_proven(run: Program) -> None:
    path = run.write("net.py", MODEL)
    done = run("check", "--diff", "--unsafe-fixes", "--verify", "net.py")
    assert done.status == 1
    assert "torch.where(" in done.out
    assert path.read_text() == MODEL


@pytest.mark.parametrize("arguments", [("--verify",), ("--verify", "--unsafe-fixes")])
def test_there_must_be_fixes_to_prove(run: Program, arguments: tuple[str, ...]) -> None:
    run.write("net.py", MODEL)
    done = run("check", *arguments, "net.py")
    assert done.status == 2
    assert "--verify requires" in done.err

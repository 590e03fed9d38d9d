"""A rewrite is proven only if old code, new code and its export agree on inputs that take every branch."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
import torch
from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.verification import VerifyRequest, VerifyResult
from exportdb_lsp.worker import compare

HEAD = """\
import torch

# exportdb: args=(torch.randn(2, 3),)
class Net(torch.nn.Module):
    def forward(self, x):
"""
IF = """
    if x.sum() > 5:
        return x + 1
    return x - 1
"""
RAISE = """
    if (x > 4).any():
        raise ValueError("too big")
    return x * 2
"""


@pytest.fixture
def verify(confirmer: Confirmer, tmp_path: Path):
    def run(before: str, after: str) -> VerifyResult:
        texts = [HEAD + indent(dedent(body), "        ") for body in (before, after)]
        (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), *texts, root=tmp_path))
        return result

    return run


def test_a_right_rewrite_is_proven_with_both_branches_taken(verify):
    result = verify(IF, "return torch.where(x.sum() > 5, x + 1, x - 1)")
    assert result.proven, result
    assert result.uncovered == ()


def test_a_wrong_bound_is_found_though_the_example_does_not_show_it(verify):
    result = verify(IF, "return torch.where(x.sum() > 500, x + 1, x - 1)")
    assert (result.proven, result.same) == (False, False)
    assert "rewritten code in eager" in result.message


def test_a_rewrite_that_does_not_export_is_not_proven(verify):
    result = verify(IF, IF.replace("x + 1", "1 + x"))
    assert (result.proven, result.same) == (False, True)
    assert result.export is not None
    assert "Data-dependent branch" in result.message


def test_a_check_that_raises_alike_is_proven(verify):
    result = verify(RAISE, 'torch._assert_async(~(x > 4).any(), "too big"); return x * 2')
    assert result.proven, result
    assert result.raised >= 1


def test_a_check_that_is_dropped_is_found(verify):
    result = verify(RAISE, "return x * 2")
    assert result.same is False
    assert "raises ValueError" in result.message


def test_a_row_that_no_call_reached_is_told(verify):
    never = """
        if torch.compiler.is_exporting() and not torch.compiler.is_exporting():
            return x + 7
        return x - 1
    """
    result = verify(never, "return x - 1")
    assert result.proven
    assert result.uncovered == (8,)
    assert "line 8 of the original code was not covered" in result.message


def test_a_call_that_raises_leaves_gradients_as_they_were():
    """An exported program that raises within `no_grad` would leave them off, and what eager computes can hang on them."""

    class Positive(torch.nn.Module):
        def forward(self, x):
            with torch.no_grad():
                torch._assert_async((x > 0).all(), "a negative number")
                return x * 2

    for strict in (False, True):
        program = torch.export.export(Positive(), (torch.ones(3),), strict=strict).module()
        answer = compare.call(program, ((-torch.ones(3),), {}), 0)
        assert "a negative number" in str(answer.error)
        assert torch.is_grad_enabled()


MISUSED = """
    return torch.cond(x.sum() > 5, lambda x: x, lambda x: x - 1, (x,))
"""


def test_misused_operators_are_asked_for_what_they_mean(verify):
    right = verify(MISUSED, MISUSED.replace("lambda x: x,", "lambda x: x.clone(),"))
    assert (right.proven, right.same) == (True, True), right
    wrong = verify(MISUSED, MISUSED.replace("lambda x: x,", "lambda x: x + 0.5,"))
    assert (wrong.proven, wrong.same) == (False, False), wrong


def test_a_fix_that_torch_refuses_in_eager_is_not_proven(verify):
    result = verify(IF, "return torch.cond(x.sum() > 5, lambda x: x + 1, lambda x: (x - 1).double().float()[:1], (x,))")
    assert not result.proven


def test_code_that_never_ran_is_compared_with_nothing(verify):
    result = verify("torch._check((x < 9).all())\nreturn x", "torch._assert_async((x < 9).all())\nreturn x.clone()")
    assert (result.proven, result.same) == (True, None), result
    assert "does not run" in result.message


def test_random_numbers_are_drawn_alike(verify):
    result = verify(
        "noise = torch.rand_like(x)\nif x.sum() > 5:\n    return x + noise\nreturn x - noise",
        "noise = torch.rand_like(x)\nreturn torch.where(x.sum() > 5, x + noise, x - noise)",
    )
    assert result.proven, result


def test_random_numbers_of_a_branch_are_drawn_alike(verify):
    result = verify(
        "if x.sum() > 5:\n    return x + torch.rand_like(x)\nreturn x - 1",
        "return torch.cond(x.sum() > 5, lambda x: x + torch.rand_like(x), lambda x: x - 1, (x,))",
    )
    assert result.proven, result


NORMED = """\
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.utils.weight_norm(torch.nn.Linear(3, 3))
        self.register_buffer("seen", torch.zeros(3))
    def forward(self, x):
        {body}
        return self.layer(x) + self.seen
model, example_args = Net(), (torch.randn(2, 3),)
"""


def test_a_model_whose_weight_is_computed_is_copied(confirmer: Confirmer, tmp_path: Path):
    before, after = (NORMED.format(body=body) for body in ("self.seen.data += x[0]", "self.seen.add_(x[0])"))
    (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), before, after, root=tmp_path))
    assert result.proven, result


def test_other_sizes_are_asked_for_too(confirmer: Confirmer, tmp_path: Path):
    head = HEAD.replace("),)", "),) dynamic_shapes=({0: torch.export.Dim.DYNAMIC},)")
    texts = [head + f"        return {code}\n" for code in ("x * (len(x) + 1)", "x * (x.shape[0] + 1)", "x * 3")]

    def run(after: str) -> VerifyResult:
        (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), texts[0], after, root=tmp_path))
        return result

    assert run(texts[1]).proven
    wrong = run(texts[2])
    assert (wrong.proven, wrong.same) == (False, False), wrong


def test_a_rewrite_of_another_file_is_proven(confirmer: Confirmer, tmp_path: Path):
    net = "import torch\nfrom helper import shifted\n# exportdb: args=(torch.randn(2, 3),)\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return shifted(x)\n"
    before = "def shifted(x):\n    if x.sum() > 5:\n        return x + 1\n    return x - 1\n"
    after = "import torch\ndef shifted(x):\n    return torch.where(x.sum() > 5, x + 1, x - 1)\n"
    (tmp_path / "helper.py").write_text(before)

    def run(text: str) -> VerifyResult:
        name = str(tmp_path / "helper.py")
        request = VerifyRequest(str(tmp_path / "net.py"), net, net, root=tmp_path,
                                documents={name: text}, documents_before={name: before})  # fmt: skip
        (result,) = confirmer.verify(request)
        return result

    assert run(after).proven
    assert run(after.replace("> 5", "> 50")).same is False


def test_state_is_compared_call_by_call_and_searches_begin_anew(verify):
    counted = """
        if not hasattr(self, "seen"):
            self.seen = []
        self.seen.append(0)
        if x.sum() > 1e9 and x.sum() < 0:
            return x
        {}
    """
    old = counted.format("if x.sum() > 5:\n            return x + len(self.seen)\n        return x - len(self.seen)")
    same = old.replace("x + len", "len(self.seen) * 0 + x + len")
    result = verify(old, same)
    # It does not export; what eager does is found to be the same, however often it was asked.
    assert (result.proven, result.same) == (False, True), result


def test_what_a_generator_gives_is_compared(verify):
    assert verify("return (row * 2 for row in x)", "return [row * 2 for row in x]").proven
    assert verify("return (row * 2 for row in x)", "return [row * 3 for row in x]").same is False


def test_inputs_that_were_guessed_for_the_old_code_are_asked_of_the_new_one(confirmer: Confirmer, tmp_path: Path):
    head = HEAD.replace("# exportdb: args=(torch.randn(2, 3),)\n", "")
    # The new code would take other inputs too, that are guessed first.
    old = (
        head + "        y = x @ torch.ones(4, 3)\n        if y.sum() > 5:\n            return y + 1\n        return y\n"
    )
    new = head + "        y = x @ torch.ones(4, 3)\n        return torch.where(y.sum() > 5, y + 1, y)\n"
    wrong = head + "        y = x @ torch.ones(4, 3)\n        return torch.where(y.sum() > 50, y + 1, y)\n"

    def run(after: str) -> VerifyResult:
        (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), old, after, root=tmp_path))
        return result

    assert run(new).proven
    assert run(wrong).same is False
    assert run(wrong.replace("x @ torch.ones(4, 3)", "x.sum(-1, keepdim=True).expand(-1, 3) * 1.0")).same is False


DIMS = """\
import torch

class Net(torch.nn.Module):
    def forward(self, x, y):
        return {code}

model = Net()
example_args = (torch.randn(6, 2), torch.randn({rows}, 2))
dynamic_shapes = ({{0: {first}}}, {{0: {second}}})
"""


def _dims(code: str, rows: int, first: str, second: str = "None") -> str:
    a, b = (part if part == "None" else f"torch.export.Dim{part}" for part in (first, second))
    return DIMS.format(code=code, rows=rows, first=a, second=b)


@pytest.mark.parametrize(
    ("before", "after", "narrowed"),
    [
        (
            ("x + y[1:]", 7, '("a")', '("b")'),
            ("x + y[1:]", 7, '("a")', '("a") + 1'),
            ("y.shape[0] = a + 1",),
        ),
        (
            ("torch.cat((x.reshape(-1, 4), y)).sum()", 7, '("a")'),
            ("torch.cat((x.reshape(-1, 4), y)).sum()", 7, '("a")'),
            None,
        ),
        (
            ("x + 1", 6, '("a")'),
            ("x + 1", 6, '("a", min=4, max=64)'),
            ("4 <= x.shape[0] <= 64",),
        ),
        (("x[:5] + 1", 6, '("a")'), ("x[:5] + 1", 6, ".DYNAMIC"), None),
        (
            ("torch.ones(9, 2)[:x.shape[0]] + x", 6, '("a")'),
            ("torch.ones(9, 2)[:x.shape[0]] + x", 6, '("a", max=9)'),
            (),
        ),
    ],
)
def test_sizes_that_are_no_longer_declared_are_told_and_not_asked_for(
    confirmer: Confirmer, tmp_path: Path, before: tuple[str], after: tuple[str], narrowed: tuple[str] | None
):
    texts = [_dims(*before), _dims(*after)]
    (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), *texts, root=tmp_path))
    assert result.proven is (narrowed is not None), result
    assert result.narrowed == (narrowed or ())
    assert ("for fewer sizes" in result.message) == bool(narrowed)


def test_a_size_that_becomes_a_constant_is_not_proven_where_the_old_code_takes_others(confirmer, tmp_path):
    def run(code: str) -> VerifyResult:
        texts = _dims(code, 6, '("a")'), _dims(code, 6, "None")
        (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), *texts, root=tmp_path))
        return result

    froze = run("x + 1")
    assert (froze.proven, froze.same) == (False, True), froze
    assert "x.shape[0] = 6" in froze.message
    assert run("x.reshape(3, 4)").proven


def test_what_differs_within_the_narrower_range_is_still_found(confirmer: Confirmer, tmp_path: Path):
    before = _dims("x * x.shape[0]", 6, '("a")')
    texts = [_dims(code, 6, '("a", min=4)') for code in ("x * x.shape[0]", "x * 6", "x * min(x.shape[0], 11)")]

    def run(after: str) -> VerifyResult:
        (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), before, after, root=tmp_path))
        return result

    assert run(texts[0]).proven
    assert run(texts[1]).same is False
    assert run(texts[2]).same is False


def test_sizes_that_only_change_together_are_asked_for_together(confirmer: Confirmer, tmp_path: Path):
    sizes = '("a")', '("b")'
    before = _dims("x[:, :1] @ y[3:, :1].T @ x", 9, *sizes)
    after = _dims("(x[:, :1] @ y[3:, :1].T @ x) * (1 if x.shape[0] != 7 else 2)", 9, '("a")', '("a") + 3')
    (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), before, after, root=tmp_path))
    assert result.same is False, result


SCRIPT = """\
import torch
from torch.export import Dim

class Net(torch.nn.Module):
    def forward(self, x):
        return {code}

if __name__ == "__main__":
    model = Net().eval()
    x = torch.randn({rows}, 4)
    torch.export.export(model, (x,), dynamic_shapes={{"x": {{0: {dim}}}}})
"""


def test_the_dims_of_a_call_in_the_new_text_are_those_that_count(confirmer: Confirmer, tmp_path: Path):
    before = SCRIPT.format(code="x + torch.ones(64, 4)[:x.shape[0]]", rows=6, dim='Dim("n")')

    def run(code: str, dim: str) -> VerifyResult:
        after = SCRIPT.format(code=code, rows=6, dim=dim)
        (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), before, after, root=tmp_path))
        return result

    right = run("x + torch.ones(64, 4)[:x.shape[0]]", 'Dim("n", max=64)')
    assert right.proven, right
    assert right.calls > 8
    assert not run("x + torch.ones(64, 4)[:x.shape[0]]", 'Dim("n")').proven
    assert run("x + torch.ones(64, 4)[:x.shape[0]] * (x.shape[0] != 7)", 'Dim("n", max=64)').same is False


@pytest.mark.parametrize("script", [True, False])
def test_both_texts_are_asked_about_the_example_of_the_new_one(confirmer: Confirmer, tmp_path: Path, script: bool):
    convention = SCRIPT.partition("if __name__")[0] + (
        "model = Net()\nexample_args = (torch.randn({rows}, 4),)\ndynamic_shapes = ({{0: {dim}}},)\n"
    )
    texts = [
        (SCRIPT if script else convention).format(code=code, rows=rows, dim='Dim("n")')
        for code, rows in (("x.sin()", 1), ("x.sin()", 2), ("x.sin() * 2", 2))
    ]

    def run(after: str) -> VerifyResult:
        (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), texts[0], after, root=tmp_path))
        return result

    assert run(texts[1]).proven
    assert run(texts[2]).same is False


TRAINED = """\
import torch

# exportdb: args=(torch.randn(2, 3),)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.arange(1.0, 4.0))

    def forward(self, x):
        return {}
"""


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("(x * self.w).sum() + 0", ""),
        ("(x * self.w.detach()).sum() + 0 * self.w.sum()", "gradient of w"),
        ("(x * self.w.data).sum()", "gradient of w"),
    ],
    ids=["the same", "cut", "cut everywhere"],
)
def test_gradients_that_differ_are_told(confirmer: Confirmer, tmp_path: Path, after: str, told: str):
    texts = [TRAINED.format(code) for code in ("(x * self.w).sum()", after)]
    (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), *texts, root=tmp_path))
    assert result.same
    assert bool(result.gradients) is bool(told), result
    assert told in result.message


def test_new_code_whose_backward_raises_is_not_proven(confirmer: Confirmer, tmp_path: Path):
    before = "(x * self.w).exp().mul(1.0).sum()"
    after = "(x * self.w).exp().mul_(1.0).sum()"  # what the derivative needs is overwritten
    texts = [TRAINED.format(code) for code in (before, after)]
    (result,) = confirmer.verify(VerifyRequest(str(tmp_path / "net.py"), *texts, root=tmp_path))
    assert not result.proven
    assert "backward" in result.message

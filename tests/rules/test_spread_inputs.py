"""What `dynamic_shapes` says of the inputs that `*args`, `**kwargs` and keyword-only parameters take, and of the tensors inside of
lists and dicts: as torch.export takes it."""

from __future__ import annotations

import pytest
from checking import Checker

from ..programs import fill

torch = pytest.importorskip("torch")

NET = """\
import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def forward(self, {signature}):
        return {result}


ROWS = {dim}
model = Net()
example_args = ({args},)
example_kwargs = {kwargs}
dynamic_shapes = {spec}
"""
D = "{0: ROWS}"
X = "torch.randn(4, 3)"
# Signature, result, positional and keyword arguments, and the specifications that are taken, and that are not.
SIGNATURES: dict[str, tuple[str, str, str, str, tuple[str, ...], tuple[str, ...]]] = {
    "args": ("*args", "args[0] * 2", X, "{}", (f"(({D},),)", f"{{'args': ({D},)}}"), (f"({D},)", f"(({D}, {D}),)")),
    "args and kwargs": (
        "*args, **kwargs", "args[0] * 2", X, "{}", (f"(({D},),)", f"{{'args': ({D},)}}"), (f"({D},)", f"(({D},), {{}})"),
    ),
    "kwargs beside args": (
        "*args, **kwargs", "args[0] * kwargs['k']", X, f"{{'k': {X}}}", (),
        (f"{{'args': ({D},), 'k': {D}}}", f"{{'args': ({D},), 'kwargs': {{'k': {D}}}}}", f"(({D},), {{'k': {D}}})"),
    ),
    "kwargs alone": ("x, **kwargs", "x * kwargs['k']", X, f"{{'k': {X}}}", (), (f"{{'x': {D}}}", f"({D}, {D})")),
    "nothing is left for rest": (
        "x, *rest", "x * 2", X, "{}", (f"({D},)", f"{{'x': {D}}}"), (f"({D}, ())", f"{{'x': {D}, 'rest': ()}}"),
    ),
    "rest": ("x, *rest", "x + rest[0]", f"{X}, {X}", "{}", (f"({D}, ({D},))", f"{{'x': {D}, 'rest': ({D},)}}"), (f"({D}, {D})",)),
    "nothing is left for kwargs": ("x, **kwargs", "x * 2", X, "{}", (f"({D},)", f"{{'x': {D}}}"), (f"({D}, {D})",)),
    "a keyword": ("x, *, y", "x + y", X, f"{{'y': {X}}}", (f"({D}, {D})", f"{{'x': {D}, 'y': {D}}}"), (f"({D},)",)),
}  # fmt: skip
SPECS = [
    (name, spec, taken)
    for name, (*_, right, wrong) in SIGNATURES.items()
    for specs, taken in ((right, True), (wrong, False))
    for spec in specs
]


def takes(text: str) -> bool:
    """Whether torch.export takes a model, its inputs, and what is declared of them."""
    names: dict[str, object] = {}
    exec(text, names)
    try:
        torch.export.export(
            names["model"],  # type: ignore[arg-type]
            names["example_args"],  # type: ignore[arg-type]
            names["example_kwargs"],  # type: ignore[arg-type]
            dynamic_shapes=names["dynamic_shapes"],  # type: ignore[arg-type]
        )
    except Exception:
        return False
    return True


@pytest.mark.parametrize(("name", "spec", "taken"), SPECS, ids=[f"{name}: {spec}" for name, spec, _ in SPECS])
def test_a_specification_fits_the_signature(name: str, spec: str, taken: bool, check_text: Checker) -> None:
    signature, result, args, kwargs, *_ = SIGNATURES[name]
    text = fill(NET, signature=signature, result=result, args=args, kwargs=kwargs, spec=spec, dim="Dim('rows', min=2)")
    found = {finding.code for finding in check_text(text).findings}
    assert not found if taken else "EDB902" in found
    assert takes(text) is taken


# How a tensor of one row, or of none, is given within other inputs, how forward reaches it, and what is declared of it.
NESTED = {
    "itself": ("{}", "y", D),
    "in a tuple": ("({}, torch.randn(2, 3))", "y[0]", f"({D}, {{}})"),
    "in a list": ("[torch.randn(2, 3), {}]", "y[1]", f"[{{}}, {D}]"),
    "in a dict": ("{{'k': {}}}", "y['k']", f"{{'k': {D}}}"),
    "in a dict of lists": ("{{'k': [{}]}}", "y['k'][0]", f"{{'k': [{D}]}}"),
    "in a comprehension": ("[{} for _ in range(2)]", "y[0]", f"[{D} for _ in range(2)]"),
}


@pytest.mark.parametrize("rows", [0, 1, 4])
@pytest.mark.parametrize("dim", ["Dim('rows')", "Dim.DYNAMIC"])
@pytest.mark.parametrize("name", NESTED)
def test_a_size_of_one_within_other_inputs(name: str, dim: str, rows: int, check_text: Checker) -> None:
    made, reached, spec = NESTED[name]
    text = fill(
        NET,
        signature="x, y",
        result=f"x.sum() + {reached}.sum()",
        args=f"{X}, {made.format(f'torch.randn({rows}, 3)')}",
        kwargs="{}",
        spec=f"{{'x': None, 'y': {spec}}}",
        dim=dim,
    )
    report = check_text(text)
    assert {finding.code for finding in report.findings} == (set() if rows == 4 else {"EDB305"})
    assert len(report.findings) < 2
    assert takes(text) is (rows == 4)

"""Verdicts on what programs are exported for, compared with a plain script of the goal's own tools.

    python bench/goals.py [--verbose]

The goal is ONNX. The programs are one for each of the operators below, ten whose dimensions torch.export refuses, and the
cases that declare named dimensions. A
script that knows nothing of this project exports each with `torch.onnx.export` and runs the model in onnxruntime: on the
example, and at every size of the declared ranges, up to three times that of the example, which eager accepts. It says
`fails` where the exporter or the loading of the model raises; `diverges` where numbers differ; `specializes` where a size
is refused, or an axis that was declared dynamic is a number in the model or has a smaller range in the program that the
exporter converted; else `ok`. Right is a verdict that is the same. The line of an operator that is not supported is the marked
one, and so is the line that a dimension does not hold on.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from exportdb_lsp.confirm.confirmer import Confirmer
from exportdb_lsp.confirm.request import ExportRequest
from exportdb_lsp.confirm.result import ExportResult
from exportdb_rules.finding import Mode

NAMED = sorted((Path(__file__).parent.parent / "cases" / "exportdb_cases" / "dynamic_shape").glob("*_named.py"))
MARK = "# here"
OPERATOR = f"""\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        y = x + 1
        y = {{}}  {MARK}
        return y * 1


torch.manual_seed(0)
model = Net().eval()
example_args = (torch.randn(4, 4),)
"""
OPERATORS = (
    "torch.linalg.eigvals(y).abs()", "torch.linalg.svdvals(y)", "torch.linalg.inv(y)", "torch.linalg.det(y)",
    "torch.linalg.qr(y).R.abs()", "torch.linalg.cholesky(y @ y.T + 9 * torch.eye(4))", "torch.linalg.solve(y, y)",
    "torch.fft.rfft(y).abs()", "torch.fft.fft2(y).abs()", "torch.cumsum(y, 0)", "torch.cumprod(y, 0)",
    "torch.cummax(y, 0).values", "torch.logcumsumexp(y, 0)", "torch.special.erfcx(y)", "torch.special.bessel_j0(y)",
    "torch.special.i0(y)", "torch.lgamma(y.abs() + 1)", "torch.digamma(y.abs() + 1)", "torch.polygamma(1, y.abs() + 1)",
    "torch.erfinv(y.tanh())", "torch.igamma(y.abs() + 1, y.abs() + 1)", "torch.histc(y, 4)",
    "torch.bincount((y.abs() * 3).long().flatten())", "torch.unique(y)", "torch.sort(y).values", "torch.topk(y, 2).values",
    "torch.kthvalue(y, 2).values", "torch.median(y)", "torch.mode(y).values", "torch.bucketize(y, torch.arange(4.0))",
    "torch.searchsorted(torch.arange(4.0), y)", "torch.cdist(y, y)", "torch.nextafter(y, y + 1)", "torch.heaviside(y, y)",
    "torch.roll(y, 1)", "torch.flip(y, [0])", "torch.triu(y)", "torch.einsum('ij,kj->ik', y, y)", "torch.frac(y)",
    "torch.hypot(y, y)", "torch.copysign(y, -y)", "torch.logaddexp(y, y)", "torch.atan2(y, y + 1)",
    "torch.renorm(y, 2, 0, 1.0)", "torch.trapezoid(y)", "torch.bitwise_xor(y.long(), 3)", "torch.nonzero(y > 0)",
    "torch.nn.functional.scaled_dot_product_attention(y[None], y[None], y[None])",
    "torch.nn.functional.interpolate(y[None, None], scale_factor=2, mode='bicubic')",
    "torch.nn.functional.grid_sample(y.view(1, 1, 4, 4), y.view(1, 2, 4, 2).tanh(), align_corners=False)",
    "torch.nn.functional.max_pool2d(y[None], 2)", "torch.nn.functional.unfold(y[None, None], 2)",
    "torch.nn.functional.fold(y[None], (3, 3), 2)", "torch.nn.functional.gumbel_softmax(y).detach() * 0",
    "y.bfloat16().atan().float()", "y.half().softmax(-1).float()", "y.index_add(0, torch.arange(4), y)",
    "y.scatter_reduce(0, y.long() % 4, y, 'amax')", "y.masked_fill(y > 0, 1.0)", "y.var(0)",
)  # fmt: skip

# Forwards whose named dimensions do not hold: torch.export refuses them, and torch.onnx.export goes on with others.
DIMENSIONS = {
    "a branch, numbers": ("if x.shape[0] > 5:  # here\n            return x * 2\n        return x + 1", "8, 4"),
    "a branch, range": ("if x.shape[0] > 5:  # here\n            return x * 2\n        return x + x", "8, 4"),
    "another branch": ("return x * 2 if x.shape[0] <= 64 else 2 * x  # here", "8, 4"),
    "a constant": ("return x + torch.ones(8, 1)  # here", "8, 4"),
    "a number of rows": ("return x.view(8, 4) * 2  # here", "8, 4"),
    "a check": ("torch._check(x.shape[0] < 100)  # here\n        return x * 2", "8, 4"),
    "a square": ("return x @ x  # here", "4, 4"),
    "int of a size": ("n = int(x.shape[0])  # here\n        return torch.arange(8) * x.reshape(n, -1).T", "8, 4"),
    "split": ("a, b = x.split(4)\n        return a + b  # here", "8, 4"),
    "unpacked": ("return sum(row for row in x)  # here", "8, 4"),
}
DIMENSION = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        {}


torch.manual_seed(0)
model = Net().eval()
example_args = (torch.randn({}),)
dynamic_shapes = {{"x": {{0: torch.export.Dim("rows", min=2, max=4096)}}}}
"""

# What somebody would write: this project is not imported.
PLAIN = """
import importlib.util, json, logging, os, sys, warnings
import torch
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
leaves = torch.utils._pytree.tree_leaves


def tensors(value):
    return [torch.as_tensor(leaf).detach() for leaf in leaves(value) if leaf is not None]


def alike(eager, other):
    if len(eager) != len(other):
        return False
    for a, b in zip(eager, other):
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        scale = float(a.abs().max()) if a.is_floating_point() and a.numel() else 1.0
        if not torch.allclose(a, b, rtol=1e-3, atol=1e-4 * max(1.0, scale), equal_nan=True):
            return False
    return True


def resized(case, name, size):
    shapes = case.dynamic_shapes
    shapes = list(shapes.values()) if isinstance(shapes, dict) else list(shapes)
    found = []
    for tensor, axes in zip(case.example_args, shapes):
        sizes = list(tensor.shape)
        for axis, dim in (axes.items() if isinstance(axes, dict) else enumerate(axes or ())):
            if getattr(dim, "__name__", None) == name:
                sizes[axis] = size
        grown = tensor.repeat([-(-n // max(1, m)) for n, m in zip(sizes, tensor.shape)])
        found.append(grown[tuple(slice(n) for n in sizes)].contiguous())
    return tuple(found)


def narrower(size, dim, program):
    if getattr(dim, "root", None) is not None or not isinstance(getattr(dim, "min", None), int):
        return False
    if not size.node.expr.is_symbol:
        return True
    kept = program.range_constraints[size.node.expr]
    return bool(kept.lower > dim.min) or bool(kept.upper < min(dim.max, 2**31))


def verdict(case):
    shapes = getattr(case, "dynamic_shapes", None)
    kwargs = dict(getattr(case, "example_kwargs", None) or {})
    try:
        made = torch.onnx.export(case.model, case.example_args, kwargs=kwargs, dynamic_shapes=shapes, dynamo=True, verbose=False)
        made.initialize_inference_session()
    except Exception:
        return "fails"
    def compared(args):
        try:
            eager = tensors(case.model(*[a.clone() if isinstance(a, torch.Tensor) else a for a in args], **kwargs))
        except Exception:
            return None
        try:
            other = list(made(*args, **kwargs))
        except Exception:
            return "specializes"
        return "ok" if alike(eager, other) else "diverges"
    torch.manual_seed(1)
    first = compared(case.example_args)
    if first != "ok":
        return "diverges"
    seen = set()
    if shapes is not None:
        axes = {}
        entries = list(shapes.values()) if isinstance(shapes, dict) else list(shapes)
        for tensor, given in zip(case.example_args, entries):
            for axis, dim in (given.items() if isinstance(given, dict) else enumerate(given or ())):
                if isinstance(getattr(dim, "min", None), int) and getattr(dim, "root", None) is None:
                    axes[dim.__name__] = (tensor.shape[axis], dim)
        for name, (size, dim) in axes.items():
            for n in range(max(1, dim.min), 3 * size + 1):
                if n <= dim.max and n != size:
                    seen.add(compared(resized(case, name, n)))
        program = made.exported_program
        nodes = {node.name: node for node in program.graph.nodes}
        inputs = zip(program.graph_signature.user_inputs, [i.shape for i in made.model.graph.inputs], entries)
        for name, shape, given in inputs:
            for axis, dim in (given.items() if isinstance(given, dict) else enumerate(given or ())):
                if dim is not None and (isinstance(shape[axis], int) or narrower(nodes[name].meta["val"].shape[axis], dim, program)):
                    seen.add("specializes")
    return "diverges" if "diverges" in seen else "specializes" if "specializes" in seen else "ok"


for line in sys.stdin:
    spec = importlib.util.spec_from_file_location("case", line.strip())
    case = importlib.util.module_from_spec(spec)
    sys.modules["case"] = case
    spec.loader.exec_module(case)
    print(json.dumps(verdict(case)), file=answers, flush=True)
"""


class Program(NamedTuple):
    """One program, and what both say of it."""

    kind: str
    name: str
    path: Path
    plain: str
    result: ExportResult

    @property
    def right(self) -> bool:
        """The verdict is that of the plain script."""
        return self.result.outcome.value == self.plain

    @property
    def line(self) -> bool | None:
        """Whether the marked line is; None where it is not known which must be."""
        rows = [row for row, text in enumerate(self.path.read_text("utf-8").splitlines(), 1) if text.endswith(MARK)]
        if not rows or self.plain == "ok" or (self.kind == "operators" and self.plain != "fails"):
            return None
        return self.result.frame is not None and self.result.frame.row == rows[0]


def plain(paths: list[Path]) -> list[str]:
    """What the plain script says of each."""
    done = subprocess.run(
        [sys.executable, "-c", PLAIN],
        input="".join(f"{path}\n" for path in paths),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def measured(folder: Path) -> list[Program]:
    """Every program by both."""
    written: list[tuple[str, str, Path]] = []
    for number, operator in enumerate(OPERATORS):
        path = folder / f"operator_{number}.py"
        path.write_text(OPERATOR.format(operator), "utf-8")
        written.append(("operators", operator, path))
    for number, (body, shape) in enumerate(DIMENSIONS.values()):
        path = folder / f"dimension_{number}.py"
        path.write_text(DIMENSION.format(body, shape), "utf-8")
        written.append(("refused dimensions", [*DIMENSIONS][number], path))
    written += [("named dimensions", path.stem, path) for path in NAMED]
    truth = plain([path for _, _, path in written])
    confirmer = Confirmer()
    found: list[Program] = []
    for (kind, name, path), said in zip(written, truth, strict=True):
        request = ExportRequest(
            str(path), modes=(Mode.NON_STRICT,), goals=("onnx",), root=path.parent, draft=False, findings=False
        )
        (result,) = confirmer.run(request)
        found.append(Program(kind, name, path, said, result))
    confirmer.close()
    return found


def main() -> None:
    """Print the table, then one line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbose", action="store_true", help="Every program.")
    verbose = parser.parse_args().verbose
    with tempfile.TemporaryDirectory() as folder:
        programs = measured(Path(folder))
        lines = {
            kind: [line for program in programs if program.kind == kind and (line := program.line) is not None]
            for kind in ("operators", "refused dimensions")
        }
    for kind in dict.fromkeys(program.kind for program in programs):
        of_kind = [program for program in programs if program.kind == kind]
        said = Counter(program.plain for program in of_kind)
        right = Counter(program.plain for program in of_kind if program.right)
        print(f"{kind}: " + ", ".join(f"{verdict} {right[verdict]} of {said[verdict]}" for verdict in sorted(said)))
        for program in of_kind:
            if verbose or not program.right:
                print(
                    f"  {program.name}: {program.plain}; export --to onnx: {program.result.outcome.value}, {program.result.message}"
                )
    refused = [program for program in programs if program.kind == "named dimensions" and program.plain != "ok"]
    blamed = sum(program.result.frame is not None for program in refused if program.right)
    print(
        f"onnx: {sum(program.right for program in programs)} of {len(programs)} verdicts as a plain script of torch.onnx.export "
        f"and onnxruntime; the right line for {sum(lines['operators'])} of {len(lines['operators'])} operators that are not "
        f"supported and for {sum(lines['refused dimensions'])} of {len(lines['refused dimensions'])} dimensions that "
        f"torch.export refuses, a line for {blamed} of {len(refused)} cases whose dimensions are not as declared"
    )


if __name__ == "__main__":
    main()

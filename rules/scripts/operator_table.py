"""Write `exportdb_rules/operator_table.json`: what the results of torch's operators are, measured on the installed torch.

    python rules/scripts/operator_table.py [--tenth NUMBER]

Every operator of `torch.testing`'s database is called on its own samples, of each dtype that it takes, and on a few
tensors of two dtypes and two shapes. A column says what held in all of these calls; it is left out where nothing did, and
where there were no calls to tell. Operators are named as they are called: `softmax`, `add`; where `torch`,
`torch.nn.functional` and `torch.Tensor` have one of the same name, what is said holds for all of them.

The columns are those of `exportdb_rules.operator_table.Operator`. With `--tenth` nothing is written: a tenth of the operators,
0 to 9, is measured again, and its rows are printed as JSON. tests/rules/test_operator_table.py does so in every run.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import OpInfo
from torch.utils import _pytree as pytree

OUT = Path(__file__).parents[1] / "exportdb_rules" / "operator_table.json"
DTYPES = (torch.float32, torch.float64, torch.int64, torch.int32, torch.bool)
WHOLE = (torch.int64, torch.int32, torch.bool)
# So many samples of each dtype.
MOST = 24

Call = tuple[tuple[Any, ...], dict[str, Any]]


def short_name(operator: OpInfo) -> str:
    """The name by which an operator is called, '' of one that nobody calls by a plain name."""
    name = operator.name.removeprefix("nn.functional.")
    return "" if "." in name or name.startswith("_") else name


def names(operator: OpInfo) -> set[str]:
    """The names of an operator, also its aliases."""
    aliases = {alias.name for alias in operator.aliases}
    return {name for name in {short_name(operator), *aliases} if name and "." not in name and not name.startswith("_")}


def calls(operator: OpInfo, dtype: torch.dtype) -> Iterator[Call]:
    """Samples of the database for a dtype, none where the operator does not take it."""
    if dtype not in operator.supported_dtypes("cpu"):
        return
    for sample in islice(operator.sample_inputs("cpu", dtype), MOST):
        yield (sample.input, *sample.args), dict(sample.kwargs)


def tensors(value: Any) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def called(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of a call on copies; None where it raises."""
    try:
        return function(*args, **kwargs)
    except Exception:
        return None


def storages(value: Any) -> set[int]:
    return {t.untyped_storage().data_ptr() for t in tensors(value) if t.layout is torch.strided and t.numel()}


def contiguous(tensor: torch.Tensor) -> bool:
    return tensor.layout is torch.strided and tensor.is_contiguous()


def converted(dtype: torch.dtype) -> torch.dtype:
    """The dtype in which an operator computes that knows no whole numbers."""
    return torch.get_default_dtype() if dtype in WHOLE else dtype


def summed(dtype: torch.dtype) -> torch.dtype:
    return torch.int64 if dtype in WHOLE else dtype


def promoted(values: list[torch.Tensor], args: tuple[Any, ...]) -> torch.dtype:
    """What tensors and Python numbers are promoted to."""
    return reduce(
        lambda left, right: torch.result_type(torch.empty((2,), dtype=left), right),
        (arg for arg in args if isinstance(arg, (torch.Tensor, int, float))),
        values[0].dtype,
    )


DTYPE_RULES: dict[str, Callable[[list[torch.Tensor], tuple[Any, ...]], torch.dtype]] = {
    "bool": lambda _, __: torch.bool,
    "int64": lambda _, __: torch.int64,
    "kept": lambda given, _: given[0].dtype,
    "summed": lambda given, _: summed(given[0].dtype),
    "float": lambda given, _: converted(given[0].dtype),
    "promoted": promoted,
    "divided": lambda given, args: converted(promoted(given, args)),
}


def broadcast(given: list[torch.Tensor]) -> torch.Size | None:
    try:
        return torch.broadcast_shapes(*(t.shape for t in given))
    except RuntimeError:
        return None


def probes() -> Iterator[Call]:
    """One tensor that is not square, and some rows of it; two tensors of several dtypes, and of two shapes."""
    yield (torch.rand(2, 3),), {}
    yield (torch.rand(4, 3), 0, torch.tensor([0, 2])), {}
    for left in DTYPES:
        for right in DTYPES:
            yield (torch.ones(2, 3).to(left), torch.ones(3).to(right)), {}


class Row:
    """What is known of one name. Rules are struck out as calls contradict them."""

    def __init__(self) -> None:
        self.dtypes = set(DTYPE_RULES)
        self.shapes = {"same", "broadcast", "scalar"}
        # Whether no result shares storage; None where no call gave a tensor.
        self.fresh: bool | None = None
        self.contiguous: bool | None = None
        self.single = self.whole = self.spread = self.dimensioned = False
        # Whether a call was given no tensor but the first.
        self.alone = True
        self.reduces: bool | None = None
        self.vmap: bool | None = None
        self.each: bool | None = None

    def see(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """What one call shows."""
        given = tensors((args, kwargs))
        result = called(function, args, kwargs)
        if tensors(result):
            # What is called on its own result need not give another: `x.half().half()`.
            twice = isinstance(result, torch.Tensor) and given and self.fresh is not False
            again = called(function, (result, *args[1:]), kwargs) if twice else None
            shares = storages(result) & (storages(given) | storages(again))
            self.fresh = self.fresh is not False and not shares
            if all(map(contiguous, given)):
                self.contiguous = self.contiguous is not False and all(map(contiguous, tensors(result)))
        if result is None or not given:
            return
        if not isinstance(result, torch.Tensor) or not isinstance(args[0], torch.Tensor):
            self.dtypes.clear()
            self.shapes.clear()
            return
        self.single = True
        self.alone &= len(given) == 1
        self.spread |= len({t.shape for t in given}) > 1
        self.dimensioned |= args[0].dim() > 0
        if "dtype" not in kwargs:
            self.whole |= args[0].dtype in WHOLE
            self.dtypes = {name for name in self.dtypes if DTYPE_RULES[name](given, args) == result.dtype}
        if result.shape != args[0].shape:
            self.shapes.discard("same")
        if result.shape != broadcast(given):
            self.shapes.discard("broadcast")
        if result.dim() and "reduction" not in kwargs:
            self.shapes.discard("scalar")

    def columns(self) -> dict[str, Any]:
        """The row as it is written: the weakest rule that held, if the calls could have contradicted it."""
        found: dict[str, Any] = {}
        order = ("bool", "int64", "kept", "promoted", "summed", "float", "divided")
        if self.single:
            dtype = next((name for name in order if name in self.dtypes), "")
            if dtype == "kept" and not self.whole:
                dtype = "float"  # it takes no whole numbers
            if dtype:
                found["dtype"] = dtype
            if "scalar" in self.shapes and self.dimensioned:
                found["shape"] = "scalar"
            elif "same" in self.shapes and (self.alone or (self.spread and "broadcast" not in self.shapes)):
                found["shape"] = "same"
            elif "broadcast" in self.shapes and self.spread:
                found["shape"] = "broadcast"
            elif self.reduces:
                found["shape"] = "reduced"
        for name in ("fresh", "contiguous", "vmap", "each"):
            if getattr(self, name):
                found[name] = True
        return found


def reduces(function: Callable[..., Any]) -> bool:
    """Whether an operator takes dimensions away, all of them where none is named."""
    x = torch.rand(2, 3) + 0.5

    def shape(*args: Any, **kwargs: Any) -> tuple[int, ...] | None:
        result = called(function, (x, *args), kwargs)
        first = result[0] if isinstance(result, tuple) else result
        return tuple(first.shape) if isinstance(first, torch.Tensor) else None

    kept = shape(dim=1, keepdim=True)
    return shape() == () and shape(dim=1) == (2,) and kept in ((2, 1), None)


def maps(function: Callable[..., Any], sampled: list[Call]) -> bool | None:
    """Whether `torch.vmap` of an operator gives the rows that a loop gives; None where no call told."""
    told = None
    for args, kwargs in sampled:
        if not args or not isinstance(args[0], torch.Tensor) or not args[0].dim() or not args[0].is_floating_point():
            continue
        one, rest = args[0].detach(), args[1:]
        first = called(function, (one, *rest), kwargs)
        second = called(function, (one.flip(0), *rest), kwargs)
        if not isinstance(first, torch.Tensor) or not isinstance(second, torch.Tensor):
            continue
        if first.layout is not torch.strided:
            return False
        both = called(
            torch.vmap(lambda row, r=rest, k=kwargs: function(row, *r, **k)), (torch.stack([one, one.flip(0)]),), {}
        )
        if both is None or not same(both, torch.stack([first, second])):
            return False
        told = True
    return told


def same(left: torch.Tensor, right: torch.Tensor) -> bool:
    """Whether two results are equal but for the order in which a processor adds: a sum of large numbers may be a small one."""
    if left.shape != right.shape or left.dtype != right.dtype:
        return False
    largest = max((abs(number) for number in right.flatten().tolist() if math.isfinite(abs(number))), default=0.0)
    return torch.allclose(left, right, rtol=1e-4, atol=1e-5 * max(1.0, largest), equal_nan=True)


def each_by_itself(function: Callable[..., Any], sampled: list[Call]) -> bool | None:
    """Whether every number of the result comes of the number in its place alone; None where no call told."""
    told = None
    for args, kwargs in sampled:
        if not args or not isinstance(args[0], torch.Tensor) or args[0].numel() < 2 or not args[0].is_floating_point():
            continue
        if args[0].layout is not torch.strided:
            continue
        if len(tensors((args, kwargs))) > 1:
            return None
        one, rest = args[0].detach(), args[1:]
        order = torch.randperm(one.numel(), generator=torch.Generator().manual_seed(0))
        whole = called(function, (one, *rest), kwargs)
        moved = called(function, (one.flatten()[order], *rest), kwargs)
        if not isinstance(whole, torch.Tensor) or whole.shape != one.shape or not isinstance(moved, torch.Tensor):
            return False
        if whole.layout is not torch.strided:
            return False
        if not same(moved, whole.flatten()[order]):
            return False
        told = True
    return told


def forms(name: str) -> list[Callable[..., Any]]:
    """The functions that are called by a name."""
    places = (torch, torch.nn.functional, torch.Tensor)
    return [getattr(place, name) for place in places if callable(getattr(place, name, None))]


def table(chosen: Callable[[str], bool] = lambda _: True) -> dict[str, dict[str, Any]]:
    """The row of every chosen name of the database."""
    rows: dict[str, Row] = defaultdict(Row)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for operator in op_db:
            for name in sorted(filter(chosen, names(operator))):
                measure(rows[name], name, operator)
    return {name: columns for name, row in sorted(rows.items()) if (columns := row.columns())}


def measure(row: Row, name: str, operator: OpInfo) -> None:
    """Call one operator of the database under one name."""
    torch.manual_seed(0)
    sampled = list(calls(operator, torch.float32))
    for function in forms(name):
        torch.manual_seed(0)
        for dtype in DTYPES:
            for args, kwargs in sampled if dtype is torch.float32 else calls(operator, dtype):
                row.see(function, args, kwargs)
        for args, kwargs in probes():
            row.see(function, args, kwargs)
        if row.single:
            row.reduces = row.reduces is not False and reduces(function)
        for column, found in (("vmap", maps(function, sampled)), ("each", each_by_itself(function, sampled))):
            if found is not None:
                setattr(row, column, getattr(row, column) is not False and found)


def tenth(name: str) -> int:
    """Which tenth of the operators one belongs to."""
    return zlib.crc32(name.encode()) % 10


def main() -> int:
    if sys.argv[1:2] == ["--tenth"]:
        print(json.dumps(table(lambda name: tenth(name) == int(sys.argv[2]))))
        return 0
    lines = [f'"{name}": {json.dumps(columns)}' for name, columns in table().items()]
    version = torch.__version__.partition("+")[0]
    OUT.write_text(f'{{"torch": "{version}", "operators": {{\n' + ",\n".join(lines) + "\n}}\n", encoding="utf-8")
    print(f"{OUT}: {len(lines)} operators")
    return 0


if __name__ == "__main__":
    sys.exit(main())

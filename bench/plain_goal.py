"""What somebody would write to know whether a model gets to its goal: this project is not imported.

    python bench/plain_goal.py onnx|executorch|aoti     (paths of programs on standard input, verdicts as JSON on standard output)

Each program is exported, taken further by the goal's own function, loaded and run beside the model in eager: twice on the
example, and at every size of the declared ranges up to three times that of the example, and at five times, which eager accepts. `fails`: something of
that raises before the first result. `diverges`: what is returned or written differs. `specializes`: a size is refused, or an
axis that was declared dynamic is a number in what was made, or has a smaller range in the program that it was made of.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import logging
import os
import sys
import tempfile
import traceback
import warnings
from typing import Any

import torch
from torch.utils import _pytree as pytree

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)


class Onnx:
    def __init__(self, model, args, kwargs, shapes):
        self.made = torch.onnx.export(model, args, kwargs=kwargs, dynamic_shapes=shapes, dynamo=True, verbose=False)
        self.made.initialize_inference_session()
        self.program = self.made.exported_program

    def fresh(self):
        return lambda args, kwargs: list(self.made(*args, **kwargs))

    def shapes(self):
        return [value.shape for value in self.made.model.graph.inputs]


class FromProgram:
    def __init__(self, model, args, kwargs, shapes):
        self.program = torch.export.export(model, args, kwargs, dynamic_shapes=shapes)
        self.make()

    def shapes(self):
        """None of its own: those of the program say it."""
        return None


class ExecuTorch(FromProgram):
    def make(self):
        from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
        from executorch.exir import to_edge_transform_and_lower

        edge = to_edge_transform_and_lower(self.program, partitioner=[XnnpackPartitioner()])
        self.buffer = edge.to_executorch().buffer

    def fresh(self):
        from executorch.runtime import Runtime

        loaded = Runtime.get().load_program(self.buffer)
        method = loaded.load_method("forward")
        outputs = len(pytree.tree_leaves(self.program.graph_signature.user_outputs))

        def call(args, kwargs, keep=loaded):
            # What it would write to its inputs comes first.
            return list(method.execute(pytree.tree_leaves((args, kwargs))))[-outputs:] if outputs else []

        return call


class Aoti(FromProgram):
    def make(self):
        self.path = torch._inductor.aoti_compile_and_package(
            self.program, package_path=os.path.join(tempfile.mkdtemp(), "model.pt2")
        )

    def fresh(self):
        loaded = torch._inductor.aoti_load_package(self.path)
        return lambda args, kwargs: loaded(*args, **kwargs)


GOALS = {"onnx": Onnx, "executorch": ExecuTorch, "aoti": Aoti}


def tensors(value: Any) -> list[torch.Tensor]:
    return [torch.as_tensor(leaf).detach() for leaf in pytree.tree_leaves(value) if leaf is not None]


def alike(eager, other):
    if len(eager) != len(other):
        return False
    for a, b in zip(eager, other, strict=True):
        # ONNX has pairs for complex numbers.
        b = torch.view_as_complex(b.contiguous()) if a.is_complex() and not b.is_complex() else b
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        scale = float(a.abs().max()) if (a.is_floating_point() or a.is_complex()) and a.numel() else 1.0
        scale = scale if scale < float("inf") else 1.0
        if not torch.allclose(a, b, rtol=1e-3, atol=1e-4 * max(1.0, scale), equal_nan=True):
            return False
    return True


def copied(value):
    return pytree.tree_map(lambda leaf: leaf.clone() if isinstance(leaf, torch.Tensor) else leaf, value)


def compared(eager, other, args, kwargs):
    """None where eager does not take the inputs; then the verdict of one call."""
    inputs, same = copied((args, kwargs)), copied((args, kwargs))
    try:
        torch.manual_seed(0)
        left = tensors(eager(*inputs[0], **inputs[1]))
    except Exception:
        return None
    try:
        torch.manual_seed(0)
        right = tensors(other(*same))
    except Exception:
        return "specializes"
    return "ok" if alike(left + tensors(inputs), right + tensors(same)) else "diverges"


def draws(case, args, kwargs):
    """The model returns others with another seed."""
    found = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        found.append(tensors(copy.deepcopy(case.model)(*copied(args), **copied(kwargs))))
    return not all(torch.equal(a, b) or not torch.equal(a, a) for a, b in zip(*found, strict=True))


def axes(case):
    """Input, axis and declaration of all that is declared."""
    shapes = getattr(case, "dynamic_shapes", None) or ()
    for position, entry in enumerate(shapes.values() if isinstance(shapes, dict) else shapes):
        if isinstance(entry, (dict, tuple, list)):
            for axis, dim in entry.items() if isinstance(entry, dict) else enumerate(entry):
                if dim is not None and isinstance(case.example_args[position], torch.Tensor):
                    yield position, axis, dim


def hint(dim):
    """Dim.DYNAMIC or Dim.AUTO."""
    return dim in (torch.export.Dim.DYNAMIC, torch.export.Dim.AUTO)


def free(dim):
    """A declaration with a range of its own, which no other dimension follows from."""
    return hint(dim) or (isinstance(getattr(dim, "min", None), int) and getattr(dim, "root", None) is None)


def resized(args, places, size):
    result = list(args)
    for position, axis in places:
        tensor = result[position]
        sizes = [size if at == axis else n for at, n in enumerate(tensor.shape)]
        grown = tensor.repeat([-(-n // max(1, m)) for n, m in zip(sizes, tensor.shape, strict=True)])
        result[position] = grown[tuple(slice(n) for n in sizes)].contiguous()
    return tuple(result)


def narrower(size, dim, program):
    if isinstance(size, int) or not size.node.expr.is_symbol:
        return isinstance(size, int) or size.node.expr.is_number
    if hint(dim):
        return False
    kept = program.range_constraints[size.node.expr]
    return bool(kept.lower > dim.min) or bool(kept.upper < min(dim.max, 2**31))


def beyond(program, position, axis):
    """The sizes on both sides of the range that the program was made for."""
    name = program.graph_signature.user_inputs[position]
    size = next(node for node in program.graph.nodes if node.name == name).meta["val"].shape[axis]
    kept = None if isinstance(size, int) else program.range_constraints.get(size.node.expr)
    return [int(n) for n in (kept.lower - 1, kept.upper + 1) if 0 < n < 1000] if kept is not None else []


def verdict(goal, case):
    args, kwargs = case.example_args, dict(getattr(case, "example_kwargs", None) or {})
    try:
        copy.deepcopy(case.model)(*copied(args), **copied(kwargs))
    except Exception:
        return "eager-error"
    try:
        made = GOALS[goal](copy.deepcopy(case.model), args, kwargs, getattr(case, "dynamic_shapes", None))
        made.fresh()(*copied((args, kwargs)))
    except Exception:
        if "-v" in sys.argv:
            traceback.print_exc()
        return "fails"
    seen = set()
    if not draws(case, args, kwargs):
        eager, other = copy.deepcopy(case.model), made.fresh()
        for _ in range(2):
            if compared(eager, other, args, kwargs) != "ok":
                return "diverges"
        places = {}
        for position, axis, dim in axes(case):
            if free(dim):
                key = (position, axis) if hint(dim) else dim.__name__
                places.setdefault(key, (dim, []))[1].append((position, axis))
        for dim, found in places.values():
            size = args[found[0][0]].shape[found[0][1]]
            # Without a range of its own it has that of torch.export, which takes 0 and 1 for constants.
            lower, upper = (2, 2**31) if hint(dim) else (max(1, dim.min), dim.max)
            for n in [*range(lower, 3 * size + 1), 5 * size, *beyond(made.program, *found[0])]:
                if n != size and lower <= n <= upper:
                    seen.add(compared(copy.deepcopy(case.model), made.fresh(), resized(args, found, n), kwargs))
    nodes = {node.name: node for node in made.program.graph.nodes}
    inputs, own = made.program.graph_signature.user_inputs, made.shapes()
    for position, axis, dim in axes(case):
        size = nodes[inputs[position]].meta["val"].shape[axis]
        if free(dim) and ((own and isinstance(own[position][axis], int)) or narrower(size, dim, made.program)):
            seen.add("specializes")
    return "diverges" if "diverges" in seen else "specializes" if "specializes" in seen else "ok"


def of_file(goal, path):
    spec = importlib.util.spec_from_file_location("case", path)
    case = importlib.util.module_from_spec(spec)
    sys.modules["case"] = case
    try:
        spec.loader.exec_module(case)
    except Exception:
        return "eager-error"
    return verdict(goal, case)


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(of_file(sys.argv[1], line.strip())), file=answers, flush=True)


if __name__ == "__main__":
    main()

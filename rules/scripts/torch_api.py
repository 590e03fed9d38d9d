"""Write `exportdb_rules/torch_api.json`: what torch's callables return, read from the installed torch itself.

    python rules/scripts/torch_api.py

Sources, surest first: the operator schemas (aliasing, in-place writes, and the tags `dynamic_output_shape`,
`data_dependent_output`, `pointwise`, `nondeterministic_seeded`), the type stubs that the wheel carries
(`torch/_C/_VariableFunctions.pyi`, `torch/_C/__init__.pyi`), and the annotations of the Python functions around them
(`torch.functional`, `torch.nn.functional`, `torch._tensor`, the `forward` of the modules of `torch.nn`).

Each entry is `returns;flags;integers`:
    returns   one code per distinct overload, joined by `|`: T tensor, B bool, I int, F float, N number, S str, X None,
              L list of tensors, Z list of ints, (..) a tuple of codes, ? anything else
    flags     v view or alias of its first argument, i writes into it, d output size depends on data, n needs the data
              itself, p pointwise, r draws random numbers, @ is read, not called
    integers  `position:name` of the parameters that want a Python int (or SymInt), `*` behind a list of them, `!` behind
              one that must be a plain int: its C++ type is `int`, not `SymInt`, so that a symbol has to become a number;
              `?` behind one where another overload takes a tensor. `_OVERLAY` has `^` too, behind one that takes a symbol
              whose sign torch asks for, which no declaration tells
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

import torch

TORCH = Path(torch.__file__).parent
OUT = Path(__file__).parents[1] / "exportdb_rules" / "torch_api.json"

TAGS = {
    torch.Tag.dynamic_output_shape: "d",
    torch.Tag.data_dependent_output: "n",
    torch.Tag.pointwise: "p",
    torch.Tag.nondeterministic_seeded: "r",
}

STUB_TYPES = {
    "Tensor": "T", "torch.Tensor": "T", "Parameter": "T", "Self": "T",
    "_bool": "B", "bool": "B", "builtins.bool": "B", "_int": "I", "int": "I", "SymInt": "I", "_float": "F", "float": "F",
    "Number": "N", "_complex": "N", "str": "S", "None": "X", "_size": "Z", "Size": "Z", "torch.Size": "Z",
    "list[Tensor]": "L", "tuple[Tensor, ...]": "L", "Sequence[Tensor]": "L", "List[Tensor]": "L", "Tuple[Tensor, ...]": "L",
    "list": "?", "list[int]": "Z", "List[int]": "Z", "BroadcastingList2[int]": "Z",
}  # fmt: skip


def of_annotation(node: ast.expr | None) -> str:
    """The return code of an annotation."""
    if node is None:
        return "?"
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return of_annotation(ast.parse(node.value, mode="eval").body)
    text = ast.unparse(node)
    if text in STUB_TYPES:
        return STUB_TYPES[text]
    if (
        isinstance(node, ast.Subscript)
        and ast.unparse(node.value) in ("tuple", "Tuple")
        and isinstance(node.slice, ast.Tuple)
    ):
        return "(" + "".join(of_annotation(e) for e in node.slice.elts) + ")"
    if text.startswith("torch.return_types."):
        return of_structseq(text.rsplit(".", 1)[1])
    return "?"


def of_structseq(name: str) -> str:
    """The code of a named tuple such as `torch.return_types.max`."""
    kind = getattr(torch.return_types, name, None)
    return "(" + "T" * kind.n_fields + ")" if kind is not None else "?"


class Entry:
    """What is known of one callable."""

    def __init__(self) -> None:
        self.returns: list[str] = []
        self.flags: set[str] = set()
        self.integers: dict[str, None] = {}
        # It is written in Python, and may do more with its arguments than hand them to the operator of its name.
        self.python = False
        # The parameters that some overload takes as a plain int, and those that some overload takes as a SymInt.
        self.plain: set[str] = set()
        self.symbolic: set[str] = set()
        # The positions at which some overload takes a tensor.
        self.tensors: set[str] = set()

    def add(self, code: str) -> None:
        if code not in self.returns:
            self.returns.append(code)

    def text(self) -> str:
        known = [code for code in self.returns if code != "?"] or ["?"]
        plain = self.plain - self.symbolic
        integers = [i + "!" * (i.partition(":")[2].rstrip("*") in plain) for i in self.integers]
        integers = [i + "?" * (i.partition(":")[0] in self.tensors) for i in integers]
        return f"{'|'.join(known)};{''.join(sorted(self.flags))};{','.join(integers)}"


def integer_parameters(arguments: ast.arguments, skip: int) -> list[str]:
    """`position:name` of the parameters annotated as an int or a size."""
    found: list[str] = []
    for position, arg in enumerate([*arguments.posonlyargs, *arguments.args][skip:]):
        text = ast.unparse(arg.annotation) if arg.annotation is not None else ""
        words = {w.strip() for w in text.replace("Optional[", "").replace("]", "").split("|")}
        if words & {"_int", "int", "SymInt", "IntLikeType"}:
            found.append(f"{position}:{arg.arg}")
        elif words & {"_size", "Sequence[_int", "Sequence[_int | SymInt", "Sequence[int", "list[int"}:
            found.append(f"{position}:{arg.arg}*")
    return found


def read_stub(body: list[ast.stmt], prefix: str, entries: dict[str, Entry], *, method: bool) -> None:
    """Add the functions of a stub's (or a class's) body."""
    for node in body:
        if not isinstance(node, ast.FunctionDef) or (node.name.startswith("_") and not node.name.startswith("__")):
            continue
        if node.name in ("__init__", "__new__"):
            continue
        if any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list):
            entries[f"{prefix}{node.name}"].add(of_annotation(node.returns))
            entries[f"{prefix}{node.name}"].flags.add("@")
            continue
        entry = entries[f"{prefix}{node.name}"]
        entry.add(of_annotation(node.returns))
        skip = 1 if method else 0
        for integer in integer_parameters(node.args, skip):
            entry.integers[integer] = None
        for position, arg in enumerate([*node.args.posonlyargs, *node.args.args][skip:]):
            if arg.annotation is not None and "Tensor" in ast.unparse(arg.annotation):
                entry.tensors.add(str(position))


def read_attributes(body: list[ast.stmt], prefix: str, entries: dict[str, Entry]) -> None:
    """Add the annotated attributes of a class stub (`Tensor.shape: Size`)."""
    for node in body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            entry = entries[f"{prefix}{node.target.id}"]
            entry.add(of_annotation(node.annotation))
            entry.flags.add("@")


SCHEMA_TYPES = {"Tensor": "T", "bool": "B", "int": "I", "SymInt": "I", "float": "F", "Scalar": "N", "str": "S"}
SCHEMA_LISTS = {"List[Tensor]": "L", "List[int]": "Z", "List[SymInt]": "Z"}


def read_schemas(entries: dict[str, Entry]) -> None:
    """Add what only the operator schemas know: aliasing, writes and tags, to the names that people call."""
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space != "aten" or name.startswith("_") or schema.overload_name.endswith("out"):
            continue
        codes = [SCHEMA_TYPES.get(str(r.type)) or SCHEMA_LISTS.get(str(r.type)) or "?" for r in schema.returns]
        code = codes[0] if len(codes) == 1 else ("(" + "".join(codes) + ")" if codes else "X")
        flags: set[str] = set()
        if schema.arguments and (alias := schema.arguments[0].alias_info) is not None:
            flags.add("i" if alias.is_write else "v")
        packet = getattr(torch.ops.aten, name, None)
        if packet is not None and (schema.overload_name or "default") in packet.overloads():
            operator = getattr(packet, schema.overload_name or "default")
            flags.update(letter for tag, letter in TAGS.items() if tag in operator.tags)
        for target in public_names(name, bool(schema.arguments) and str(schema.arguments[0].type) == "Tensor"):
            entry = entries.get(target)
            if entry is None:
                if not target.startswith("torch.nn.functional."):
                    continue
                entry = entries[target]
            if set(entry.returns) <= {"?"} or not entry.returns:
                entry.add(code)
            # An overload that depends on data does not make the others do so; the overlay tells them apart.
            entry.flags.update(flags)


NATIVE = TORCH.parent / "torchgen" / "packaged" / "ATen" / "native" / "native_functions.yaml"
DECLARED = re.compile(r"^- func: (\w+)(?:\.\w+)?\((.*)\) -> ", re.MULTILINE)
INTEGER = re.compile(r"^(SymInt|int)(?:\[\d*\])?\??$")


def read_plain_integers(entries: dict[str, Entry]) -> None:
    """Add which int parameters take no SymInt. Only the declarations of the operators tell the two types apart."""
    for name, arguments in DECLARED.findall(NATIVE.read_text(encoding="utf-8")):
        pairs = [a.strip().split("=")[0].rsplit(" ", 1) for a in arguments.split(",")]
        pairs = [(kind, label) for kind, label in (p for p in pairs if len(p) == 2)]
        for target in public_names(name, bool(pairs) and pairs[0][0].startswith("Tensor")):
            entry = entries.get(target)
            if entry is None:
                continue
            for position, (kind, label) in enumerate(pairs):
                if (found := INTEGER.match(kind)) is not None:
                    (entry.symbolic if found[1] == "SymInt" else entry.plain).add(label)
                    known = {i.partition(":")[2].rstrip("*") for i in entry.integers}
                    if label not in known and target.startswith("torch.nn.functional.") and not entry.python:
                        entry.integers[f"{position}:{label}{'*' if '[' in kind else ''}"] = None


def public_names(name: str, is_method: bool) -> list[str]:
    """The Python names under which an operator is called; `is_method`: its first argument is a tensor."""
    found = []
    if callable(getattr(torch, name, None)):
        found.append(f"torch.{name}")
    if hasattr(torch.Tensor, name) and is_method:
        found.append(f"Tensor.{name}")
    if hasattr(torch.nn.functional, name):
        found.append(f"torch.nn.functional.{name}")
    for space in ("linalg", "fft", "special"):
        short = name.removeprefix(f"{space}_")
        if short != name and hasattr(getattr(torch, space), short):
            found.append(f"torch.{space}.{short}")
    return found


def read_modules(entries: dict[str, Entry]) -> None:
    """Add `torch.nn.X`: what its `forward`, its own or a base's, is annotated to return."""
    for name, cls in sorted(vars(torch.nn).items()):
        if not isinstance(cls, type) or not issubclass(cls, torch.nn.Module):
            continue
        entry = entries[f"torch.nn.{name}"]
        forward = next((vars(base)["forward"] for base in cls.__mro__ if "forward" in vars(base)), None)
        annotation = getattr(forward, "__annotations__", {}).get("return")
        if annotation is not None:
            text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
            entry.add(of_annotation(ast.parse(text.replace("torch._tensor.", "torch."), mode="eval").body))
        else:
            entry.add("?")


def main() -> int:
    entries: dict[str, Entry] = defaultdict(Entry)
    stub = ast.parse((TORCH / "_C" / "_VariableFunctions.pyi").read_text(encoding="utf-8"))
    read_stub(stub.body, "torch.", entries, method=False)
    tensor_base = ast.parse((TORCH / "_C" / "__init__.pyi").read_text(encoding="utf-8"))
    for node in tensor_base.body:
        if isinstance(node, ast.ClassDef) and node.name == "TensorBase":
            read_stub(node.body, "Tensor.", entries, method=True)
            read_attributes(node.body, "Tensor.", entries)
    for file, prefix in (
        ("functional.py", "torch."),
        ("nn/functional.py", "torch.nn.functional."),
    ):
        body = ast.parse((TORCH / file).read_text(encoding="utf-8")).body
        read_stub(body, prefix, entries, method=False)
        for node in body:
            if isinstance(node, ast.FunctionDef):
                entries[f"{prefix}{node.name}"].python = True
    for node in ast.parse((TORCH / "_tensor.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef) and node.name == "Tensor":
            read_stub(node.body, "Tensor.", entries, method=True)
    for space in ("linalg", "fft", "special"):
        for name in dir(getattr(torch, space)):
            if not name.startswith("_") and callable(getattr(getattr(torch, space), name)):
                entries[f"torch.{space}.{name}"]
    read_schemas(entries)
    read_plain_integers(entries)
    modules: dict[str, Entry] = defaultdict(Entry)
    read_modules(modules)
    table = {name: entry.text() for name, entry in sorted({**entries, **modules}.items())}
    document = {"torch": torch.__version__.partition("+")[0], "api": table}
    OUT.write_text(json.dumps(document, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{OUT}: {len(table)} callables and attributes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

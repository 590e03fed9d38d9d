"""Models of the libraries of arrays beside torch: numpy, scipy, einx, opt_einsum, and of those that compute on arrays, tables,
graphs and images with code of their own."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.facts import Converted, DataRead, NumpyAsked
from exportdb_rules.interpreter.iteration import dimension, fresh_like
from exportdb_rules.interpreter.library import call_unmodelled, models_beginning
from exportdb_rules.interpreter.numpy_names import is_translated
from exportdb_rules.interpreter.numpy_provenance import holds_kept, made
from exportdb_rules.interpreter.random_numbers import drawn_in
from exportdb_rules.interpreter.size_arguments import read_sizes
from exportdb_rules.lattice import Sequence, choices, is_plain, tensors
from exportdb_rules.values import ARRAY, NUMPY, TOP, External, Shape, Sym, Tensor, TraceTime, Value

if TYPE_CHECKING:
    from exportdb_rules.facts import ConversionTarget
    from exportdb_rules.interpreter.machine import Frame

_UFUNC_METHODS: Final = frozenset({"reduce", "accumulate", "reduceat", "outer", "at"})


def _is_ufunc_method(name: str) -> bool:
    """Whether a qualified name is that of a method of a function of numpy's: `numpy.add.reduce`."""
    return name.rpartition(".")[2] in _UFUNC_METHODS and name.count(".") == 2


# Strict export traces next to nothing of these libraries, also where no tensor is given to it: what they do ends in code
# written in C, in functions of numpy that Dynamo has no translation of, or in attributes of arrays that it does not know.
LIBRARY_CALL: Final = "scientific library"
_LIBRARIES: Final = ("cv2.", "librosa.", "networkx.", "pandas.", "PIL.", "skimage.", "sklearn.")
# What it does trace of them (tests/rules/test_scientific_libraries.py).
_TRACED: Final = frozenset(
    "PIL.ImageColor.getrgb scipy.fft.fftfreq scipy.fft.fftshift "
    "scipy.fftpack.fftfreq scipy.linalg.dft scipy.linalg.hadamard scipy.linalg.helmert scipy.signal.kaiser_beta "
    "scipy.signal.unit_impulse scipy.signal.windows.gaussian scipy.signal.windows.triang scipy.signal.windows.tukey "
    "scipy.special.sinc scipy.special.softmax".split()
)


@models_beginning(*_LIBRARIES)
def _of_library(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """What strict export does with it; its values are those of any function that there is no model of."""
    if name not in _TRACED and not name.startswith("PIL.ImageFilter."):
        frame.emit_call(node, LIBRARY_CALL, args, keywords)
    return call_unmodelled(frame, node, name, args, keywords)


@models_beginning("scipy.")
def _scipy(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    if name not in _TRACED:
        frame.emit_call(node, LIBRARY_CALL, args, keywords)
    return _numpy(frame, node, name, args, keywords)


@models_beginning("numpy.")
def _numpy(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    untranslated = name.startswith("numpy.") and not _is_ufunc_method(name) and not is_translated(name)
    for value in args:
        for choice in choices(value):
            if type(choice) is Tensor:
                frame.emit(DataRead(frame.site(node), "numpy-untranslated" if untranslated else "numpy-call", choice))
                return fresh_like(choice).changed(array=True)  # strict export goes on with a tensor
    if frame.traced and untranslated:
        frame.emit(NumpyAsked(frame.site(node), "untranslated"))
    symbol = next((held for value in args if (held := _symbol_in(frame, value)) is not None), None)
    if symbol is not None:
        # A dtype is that of numbers: no symbol is one.
        target = "numpy" if "dtype" in keywords else _numpy_reads(name.rpartition(".")[2], symbol)
        frame.emit(Converted(frame.site(node), target, symbol))
        kept = target == "numpy arithmetic"
        return symbol.changed(type="number", size=False, term=None, dim=None, low=None, high=None) if kept else TOP
    if frame.traced and _is_ufunc_method(name):
        frame.emit(NumpyAsked(frame.site(node), "ufunc"))
    given = (*args, *[value for name, value in keywords.items() if name != "dtype"])
    drawn = next((found for value in args if (found := drawn_in(value)) is not None), None)
    if drawn is not None:
        return TraceTime(drawn.source, ARRAY if drawn.type == ARRAY else "list", drawn.site)
    if frame.traced and not any(map(holds_kept, args)):
        return NUMPY if all(is_plain(value) or _is_static(frame, value) for value in given) else TOP
    return made(name, args, keywords) if all(is_plain(a) or type(a) is External for a in given) else TOP


def _is_static(frame: Frame, value: Value) -> bool:
    """Whether a value is a shape whose sizes are all known before tracing."""
    return type(value) is Shape and not value.tensor.unbacked and not frame.run.dynamic.any


def _symbol_in(frame: Frame, value: Value) -> Sym | None:
    """A symbol that a function is given, also in a list, a tuple or a shape; first one that data decides."""
    found: list[Sym] = []
    for choice in choices(value):
        held: list[Value] = [choice]
        if type(choice) is Sequence:
            held = choice.items if choice.items is not None else [choice.any()]
        elif type(choice) is Shape:
            held = [dimension(frame, choice.tensor, None)] if choice.tensor.dims is None else [*choice.tensor.dims]
        found += [part for item in held for part in choices(item) if type(part) is Sym]
    return next((symbol for symbol in found if not symbol.backed), found[0] if found else None)


# What numpy does with Python objects by their own operators: in non-strict mode a symbol stays one. And what it makes arrays of
# so many elements, or numbers of a type of its own of (all measured with numpy 2 and torch 2.13).
_ARITHMETIC: Final = frozenset(
    "abs absolute add amax amin argmax argmin ceil clip divide floor floor_divide max maximum mean min minimum mod multiply "
    "negative power prod product remainder sign square subtract sum true_divide".split()
)
# Those of them that compare elements with each other or with a bound: of a number from data nobody can tell which is larger.
_COMPARING: Final = frozenset("amax amin argmax argmin clip max maximum min minimum sign".split())
_MAKERS: Final = frozenset("arange empty eye identity ones zeros".split())
_NUMBERS: Final = frozenset("float16 float32 float64 int8 int16 int32 int64 linspace".split())


def _numpy_reads(short: str, symbol: Sym) -> ConversionTarget:
    """What a function of numpy makes of a symbol."""
    if short in _ARITHMETIC and (symbol.backed or symbol.low is not None or short not in _COMPARING):
        return "numpy arithmetic"
    if short in _MAKERS:
        return "int"
    return "linspace" if short in _NUMBERS and symbol.backed else "numpy"


@models_beginning("einx.")
def _einx(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """Functions of einx, which read every size of their tensors, and give tensors."""
    inputs = [t for a in args for t in tensors(a)]
    for tensor in inputs:
        read_sizes(frame, node, "einx", tensor)
    return fresh_like(inputs[0]) if inputs else TOP


@models_beginning("opt_einsum.")
def _contracted(frame: Frame, node: ast.AST, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """`opt_einsum.contract(equation, *operands)`, which reads every size, as `torch.einsum` does that asks it."""
    frame.emit_call(node, name, args, keywords)
    inputs = [t for a in args for t in tensors(a)]
    if not name.endswith(".contract") or not inputs:
        return TOP
    for tensor in inputs:
        read_sizes(frame, node, "einsum", tensor)
    return fresh_like(inputs[0])

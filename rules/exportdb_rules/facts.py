"""The vocabulary between the interpreter and the rules: what was seen to happen while the program was traced.

A fact says what happens, never whether that is good: that depends on torch's version and the mode, and is measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    import ast

    from exportdb_rules.lattice import Owner, Sequence
    from exportdb_rules.project import FunctionInfo
    from exportdb_rules.slice_guards import EmptyGuard, QuotientGuard, SliceGuard, ViewGuard
    from exportdb_rules.terms import Demand
    from exportdb_rules.values import Evidence, Instance, Site, Sym, Tensor, TraceTime, Value


TruthForm: TypeAlias = Literal[
    "if", "while", "ternary", "assert", "and", "or", "not", "comprehension", "chain", "match",
    # By a function, or by `in`: of two tensors, of tensors beside numbers, of floats read from tensors.
    "bool", "any", "all", "filter", "sorted", "sort", "key", "max", "min", "max-mixed", "min-mixed", "max-float", "min-float", "one", "in",
    # By `max` or `min`: of three arguments or more, of a tensor beside a symbolic number, with a default.
    "several", "tensor-item", "default",
    # Of a tensor in a list that holds it; of one that tracing made of plain numbers; by a distribution of its
    # arguments, also by one that it makes, and of the value that it is asked about.
    "in-itself", "constant", "validation", "nested-validation", "validated-value",
    # By a transformer, of a mask that it compares with a causal one unless the keyword is given.
    "is_causal", "src_is_causal", "tgt_is_causal",
    # By a transform of images or sound: of a number that it draws; of the standard deviations that it divides by, where it raises.
    "transform", "deviation", "one-deviation",
]  # fmt: skip
"""What asks a value for its truth."""

NumpyForm: TypeAlias = Literal[
    "branch", "slice", "index", "range", "view", "math", "format", "item", "tolist", "ufunc", "attribute", "untranslated",
]  # fmt: skip
"""What asks a number that numpy made for its value; `view`: all sizes of a view are given, so that the others say what it is;
`ufunc`: `numpy.add.reduce` and its kin; `attribute`: of an array, its dtype;
`untranslated`: a function that torch does not translate."""

ConversionTarget: TypeAlias = Literal[
    "int", "float", "complex", "format", "percent", "printed", "len", "numel", "math", "round", "floor", "ceil", "trunc",
    # By `!r` and its kin; a list times it; it is hashed, or given to a function under `lru_cache`; `isinstance(n, int)`; a
    # plain bool is wanted.
    "repr", "repeat", "key", "cached", "isinstance", "flag",
    # A check of its type raises: the code's own, or that of a decorator that checks annotations.
    "guard", "checked",
    # Its text names an entry of a dict, or an attribute; an attribute that need not be there; an entry that need not be; it
    # is compared with another text.
    "name", "attribute", "lookup", "text",
    # A number that a tensor is made of; the sizes of the operands of einsum, or of a function of einx; the steps of a layer.
    "tensor", "einsum", "einx", "recurrent",
    # A place in a Python list, or where a part of one begins or ends; two numbers that `divmod` makes of it; how many bits it has.
    "index", "divmod", "bits",
    # A bool is calculated with, or compared otherwise than for being equal.
    "number",
    # A function of numpy is given it, which has no meaning for a symbol, or computes with it as a Python object.
    "numpy", "numpy arithmetic",
    # An operator that reads a size.
    "linspace", "window", "frequencies", "triangle", "one_hot", "grid", "as_tensor", "like_tensor", "max_pool1d", "generator", "bound", "pool", "plain int",
    # A parameter that must be a plain float.
    "plain float",
    # It stands beside others in the index of a tensor that is read, or that is written or picked from by a tensor or list.
    "position", "written position",
]  # fmt: skip
"""The plain Python value that a tensor or symbol becomes, or what needs one of it."""

TextUse: TypeAlias = Literal["name", "attribute", "lookup", "text"]
"""What the text of a number is used for: those of `ConversionTarget`."""

TraceTimeUse: TypeAlias = Literal["tensor", "branch", "guard"]
"""A value fixed by tracing reaches a tensor, or decides a path."""

IterationForm: TypeAlias = Literal["range", "tensor", "list", "pieces", "numbers", "parts", "unpacking"]
"""What a loop goes over: also pieces or numbers of a tensor that an operator gives one by one, parts of several rows, and the
rows that names are assigned."""

IndexForm: TypeAlias = Literal[
    "item", "slice", "written slice",
    # A tensor without dimensions in the index of a tensor, the last inside a list.
    "scalar", "written scalar", "listed",
    # A symbol beside other indices; where a slice begins, before an index of the same subscript that begins further on.
    "symbol", "written symbol", "begin",
    # What is written in place, of a tensor that requires grad, is a view that lies where data says.
    "written view",
]  # fmt: skip
"""How a tensor or symbol stands in an index."""

SizeNeed: TypeAlias = Literal[
    "size", "plain", "sign", "number", "start", "solved", "layout", "float", "scalar", "data", "like data", "typed data"
]
"""What torch does with a number: it becomes a size of the result; it must be a plain int; it must be positive, which torch asks;
it is used otherwise; it is where
a narrow has its start; it is solved from the sizes that a view keeps; the view must compare it with the strides of a
tensor of symbolic sizes; it must be a plain float; it is a scalar of the operator; or a tensor is made of it, by `as_tensor`,
by `new_tensor`, or by a constructor that is named by a type."""


@dataclass(slots=True, eq=False)
class Fact:
    """Base: `site` is the expression that it is about. Nobody writes to a fact; to make one that Python keeps from it takes
    twice the time, and a check makes many."""

    site: Site


@dataclass(slots=True, eq=False)
class TruthTested(Fact):
    """A value is asked for its truth. `statement` is the statement or expression that asks. `seen`: the answer that a
    comparison of sizes has in the example, where that is known. `open`: the guard that it becomes ties several dimensions, and
    narrows none of them."""

    value: Tensor | Sym
    form: TruthForm
    statement: ast.AST
    seen: bool | None = None
    open: bool = False


@dataclass(slots=True, eq=False)
class DataRead(Fact):
    """`operation` wants the data of a tensor now: it is the operator's name (item, tolist, numpy, equal, data_ptr, …), copy,
    deepcopy, deepcopy of container, or numpy-call where the tensor is given to a function of numpy, numpy-untranslated to one that torch does not translate."""

    operation: str
    value: Tensor


@dataclass(slots=True, eq=False)
class NumpyAsked(Fact):
    """A number that a numpy function made from plain numbers is asked for its value, which strict export cannot follow."""

    form: NumpyForm


@dataclass(slots=True, eq=False)
class NumpyKept(Fact):
    """What numpy made before tracing began is used in traced code."""

    form: Literal["branch", "range", "array", "number"]


@dataclass(slots=True, eq=False)
class Converted(Fact):
    """A tensor or symbol becomes a plain Python value."""

    target: ConversionTarget
    value: Tensor | Sym


@dataclass(slots=True, eq=False)
class AttributeRead(Fact):
    """An attribute of a tensor that export treats in its own way is read (`.data`, `.grad`)."""

    name: str
    value: Tensor


@dataclass(slots=True, eq=False)
class AttributeWritten(Fact):
    """`owner.name = value`. `augmented`: by `+=` and the like, so that the old value flows into the new one.
    `read_before`: the same call read the old value before, so that a later call would read this one. `optional`: on a path
    that tracing may not take. `begun`: the same call certainly wrote it before."""

    owner: Value
    name: str
    value: Value
    augmented: bool
    read_before: bool = False
    optional: bool = False
    begun: bool = False


@dataclass(slots=True, eq=False)
class ContainerWritten(Fact):
    """A list, dict or set that outlives the call is changed: `form` is the method, item, del or +=."""

    container: Value
    owner: Owner
    form: str
    value: Value


@dataclass(slots=True, eq=False)
class TensorWritten(Fact):
    """A tensor is written in place: `form` is the method, `item`, or `augmented`. `known`: tracing knows the numbers of it, and of
    what it is written with."""

    value: Tensor
    form: str
    known: bool = False


@dataclass(slots=True, eq=False)
class GlobalWritten(Fact):
    """A name of the module, or of a function around, is bound anew while tracing."""

    name: str
    value: Value
    scope: Literal["global", "closure"] = "global"


@dataclass(slots=True, eq=False)
class TraceTimeUsed(Fact):
    """A value fixed by tracing has an effect on the program."""

    value: TraceTime
    form: TraceTimeUse


@dataclass(slots=True, eq=False)
class NumberDrawn(Fact):
    """Python or NumPy draws where strict export does not trace it, whatever becomes of the number. `kept`: from a generator of
    one's own."""

    name: str
    kept: bool


@dataclass(slots=True, eq=False)
class Iterated(Fact):
    """A loop over something whose number of elements is symbolic."""

    value: Tensor | Sym
    form: IterationForm


@dataclass(slots=True, eq=False)
class Indexed(Fact):
    """A container or tensor is indexed by a tensor or symbol. `size` is that of the dimension of a tensor that a slice is of,
    where it is known."""

    container: Tensor | Sequence | Value
    index: Tensor | Sym
    form: IndexForm
    size: Value | None = None


@dataclass(slots=True, eq=False)
class SizeGiven(Fact):
    """A tensor or unbacked symbol stands where torch wants an int: `callee`'s parameter `parameter`."""

    callee: str
    parameter: str
    value: Tensor | Sym
    need: SizeNeed = "size"


@dataclass(slots=True, eq=False)
class SizeDemanded(Fact):
    """An operator needs two sizes to be equal, or one to be a multiple of a number, and they are not for every size.

    `value` is a dynamic size of them; `operation` is the operator, `demand` what must hold, in terms of the inputs' sizes.
    """

    value: Sym
    operation: str
    demand: Demand


@dataclass(slots=True, eq=False)
class RankNeeded(Fact):
    """Tensors of one number of dimensions alone are taken here, or of the same as another's (`exportdb_rules.interpreter.ranks`).

    `open` is the open rank of one, `rank` the number, or the open rank of the other; 0: the code asks which it is.
    """

    open: int
    rank: int
    weak: bool = False
    """As a rule only: one of the two might be broadcast to the other."""


@dataclass(slots=True, eq=False)
class SizeNarrowed(Fact):
    """A slice compares a dynamic size with a bound while tracing, a view with another size, or what makes a tensor with 0, which
    eager never asks for: the exported program takes sizes on the example's side of it alone. `text` is what it demands; '' where
    the bound is not known.
    `guard`: the bound is a dynamic size, too, and it is narrowed only if all that is demanded of sizes leaves the answer open."""

    value: Sym
    text: str
    guard: SliceGuard | ViewGuard | QuotientGuard | EmptyGuard | None = None


@dataclass(slots=True, eq=False)
class SizeDetermined(Fact):
    """An operator relates the size `dimension` to `others`, which something specializes at `cause`; `text` is the relation."""

    dimension: str
    others: tuple[str, ...]
    text: str
    cause: Site
    evidence: Evidence


@dataclass(slots=True, eq=False)
class SizedCall(Fact):
    """An operator, or a module of torch.nn, is given a tensor with a size that depends on data, or is declared to be unbacked.
    `along`: it works along the dimension that has this size."""

    callee: str
    value: Tensor
    along: bool = False


@dataclass(slots=True, eq=False)
class Called(Fact):
    """A library function that is of interest by itself: `name` is its qualified name. Of a method of a module, the
    module stands first. `optional`: on a path that tracing may not take."""

    name: str
    arguments: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]
    result: Value | None = None
    optional: bool = False


DerivativeForm: TypeAlias = Literal["backwards", "whole", "weights", "mapped", "linearize"]


@dataclass(slots=True, eq=False)
class Differentiated(Fact):
    """A transform of `torch.func` takes the derivative of a function: `transform` is its name. `form` is what stops export:
    `backwards`, the direction; `whole`, an operator in the function whose derivative is not traced; `weights`, that these are read
    under the transform first; `mapped`, that it stands under `torch.vmap`; `linearize`, the transform."""

    transform: str
    form: DerivativeForm


@dataclass(slots=True, eq=False)
class OperatorCalled(Fact):
    """A custom operator is called: `function` is what the project defined it with (`@custom_op`), or None where none is
    known; `name` is `namespace::name` where it is called as `torch.ops.namespace.name`."""

    name: str
    function: FunctionInfo | None


@dataclass(slots=True, eq=False)
class Built(Fact):
    """A module or parameter is made while tracing: `name` is that of its class, `module` the module that it became, or that a
    buffer is registered of."""

    name: str
    module: Instance | None = None


@dataclass(slots=True, eq=False)
class NameTaken(Fact):
    """The exported model reads a module, or a parameter or buffer, of a name that `torch.fx.GraphModule` has itself."""

    is_module: bool


@dataclass(slots=True, eq=False)
class Unregistered(Fact):
    """Traced code calls a module that the exported one has not registered: `name` is the variable of the file that holds it,
    or the attribute (`self.layers`), a list or dict, or an object that is no module. `module` is None where a container of
    parameters is read, or one that is registered `as_buffer`, and `optional` one of several that may be there."""

    name: str
    module: Instance | None
    optional: bool = False
    as_buffer: bool = False


@dataclass(slots=True, eq=False)
class Returned(Fact):
    """The result of an entry that no other code of the project calls: what the exported program would return. `given`: its inputs
    are in sight."""

    value: Value
    given: bool


@dataclass(slots=True, eq=False)
class Entered(Fact):
    """The parameters of an entry that no other code of the project calls. `given`: its inputs are in sight."""

    parameters: tuple[tuple[str, Value], ...]
    owner: Instance | None
    given: bool


@dataclass(slots=True, eq=False)
class Branch:
    """One function of a higher-order operator, run on its operands: `role` is true_fn, false_fn, cond_fn, body_fn, or
    combine_fn of scan.

    `writes` are the facts of writing to what was there before it ran; of the scope around, `resized` are the names of
    containers whose length it changed, and `rebound` the names that it bound anew. A tensor of the result whose origin is
    `operand` is, or views, one that was there before. `raises`: it never returns. `numbers`: where it reads numbers from
    data that it closes over.
    """

    role: str
    function: Value
    result: Value
    writes: tuple[Fact, ...]
    resized: tuple[str, ...]
    rebound: tuple[str, ...]
    raises: bool
    numbers: tuple[Site, ...] = ()


@dataclass(slots=True, eq=False)
class Branched(Fact):
    """A call of torch.cond, while_loop, map or scan: what it was given, and what its functions did. `operands` are what the
    functions are called on, `counted` if nothing is missing of them; `predicate` decides which function runs next. Not
    `grad`: gradients are switched off there. `training` says whether the model is in training mode, if that is known."""

    operator: str
    operands: tuple[Value, ...]
    branches: tuple[Branch, ...]
    counted: bool
    predicate: Value | None = None
    grad: bool = True
    training: bool | None = None


@dataclass(slots=True, eq=False)
class ExampleOfOne(Fact):
    """A size of one in the example, or of none, in a dimension that is declared to be dynamic; `place` is the tensor, as code."""

    place: str
    index: int
    size: int


@dataclass(slots=True, eq=False)
class BoundHit(Fact):
    """Something is not followed any further: a call, because so many are open already (`calls`) or it was run so often (`runs`), or the function that
    the fact is in, because it takes too many steps (`steps`). No rule is about it; the user is told."""

    bound: str


@dataclass(slots=True, eq=False)
class ApiUsed(Fact):
    """A name of export's own interface is used, anywhere in the file: its qualified name, or how export is called:
    `torch.export.export(constraints=)`, `torch.export.export(function)` with the name of the function."""

    name: str
    argument: str = ""


@dataclass(slots=True, eq=False)
class OnnxOption(Fact):
    """`torch.onnx.export` is given an option by name. `dynamo`: the exporter that it chooses, None where the version of torch
    does; `saved`: a file is written; `shapes`: `dynamic_shapes` is given as well; `program`: the model is an ExportedProgram;
    `value`: what the option is given, where it is a number."""

    name: str
    dynamo: bool | None
    saved: bool = True
    shapes: bool = False
    program: bool = False
    value: int | None = None


AxesKind: TypeAlias = Literal["same", "other", "count", "negative", "unknown"]
"""What the exporter that goes through torch.export makes of `dynamic_axes`: what is meant; axes of other inputs; nothing, for
there are more or fewer entries than inputs; nothing for an axis that is counted from the end; not known."""


@dataclass(slots=True, eq=False)
class OnnxAxes(Fact):
    """`torch.onnx.export` is given `dynamic_axes`. `parts` by `kind`: `other`: an input, and the input whose axes it gets; `count`:
    how many entries there are, and how many inputs; `negative`: the input, and the axis."""

    kind: AxesKind
    dynamo: bool | None
    parts: tuple[str, ...] = ()


MismatchKind: TypeAlias = Literal[
    "args-type", "args-count", "shapes-keys", "shapes-count", "shapes-kwargs", "shapes-nesting", "shapes-none", "shapes-type", "not-a-tensor", "rank", "axis", "negative-axis",
    "size", "range", "same-tensor", "new-form",
    "dim", "empty-entry", "text", "two-ranges", "key",
]  # fmt: skip


TENSOR: Final = "<tensor>"


@dataclass(slots=True, eq=False)
class ArgumentMismatch(Fact):
    """The inputs of an export call do not fit the model, or `dynamic_shapes` not the inputs. `parts` by `kind`:

    `args-type`: what `args` is, and its text; `args-count`: why the arguments do not bind; `shapes-keys`: the names that
    are missing, and those that are unknown; `shapes-count`: how many entries there are, and how many inputs; `shapes-kwargs`: the parameter that
    takes what is passed by other names, and these;
    `shapes-nesting`: the input, what it is, and, where the entry would do for each tensor in it, its structure as code with
    `TENSOR` for a tensor; `shapes-none`: the same of an input that is declared as None; `shapes-type`: the input, and whether it is a list or a tuple, as its entry is not; `not-a-tensor`: the input, and its value; `rank`: the input, the length
    of its entry, and its rank; `axis`, `negative-axis`: the input, the axis, its rank, and how it is declared; `size`: the
    dimension, the number that is declared, and that in the example; `range`: the dimension, its size, minimum, maximum or nothing, and the name of its Dim or nothing; `dim`: the
    dimension, its size, the Dim, the Dim that this one derives from, and the size that another input gave that one;
    `same-tensor`: the name of a tensor that is given for several inputs. `new-form`: nothing; a `ShapesSpec`.
    `empty-entry`: an input that is no tensor, and its value; `text`: the dimension, and the text that it is declared by;
    `two-ranges`: the name of a Dim that is defined with another range before; `key`: the key of a dict among the inputs, and
    its `repr`.
    `size`: of `range`, the size in the example where it is written out.
    """

    kind: MismatchKind
    parts: tuple[str, ...]
    size: ast.Constant | None = None


@dataclass(slots=True, eq=False)
class ProgramMisused(Fact):
    """An ExportedProgram, or the module in it, is used in a way that it refuses: `call` of the program, `eval` or `train`
    of the module, `program-eval` or `program-train` of the program. `name` is what is called."""

    kind: Literal["call", "eval", "train", "program-eval", "program-train"]
    name: str

"""Reading and writing attributes."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING, Final

from exportdb_rules.definitions import SETTER
from exportdb_rules.facts import AttributeRead, AttributeWritten, NumpyAsked, TensorWritten
from exportdb_rules.interpreter import ranks
from exportdb_rules.interpreter.audio_library import part_of
from exportdb_rules.interpreter.dimensions import axis_behind, moved
from exportdb_rules.interpreter.dispatch import attributes_of, call, read_attribute
from exportdb_rules.interpreter.distributions import attribute_of_distribution, is_distribution
from exportdb_rules.interpreter.gradients import reads_requires_grad
from exportdb_rules.interpreter.layer_options import has_weight, option
from exportdb_rules.interpreter.machine import Frame, evaluate
from exportdb_rules.interpreter.numpy_provenance import LIMITS, is_kept
from exportdb_rules.interpreter.ownership import note_loose_parameters, note_parameter_as_buffer, note_taken_name
from exportdb_rules.interpreter.parameters import of_annotation
from exportdb_rules.interpreter.shape_tokens import shape_made
from exportdb_rules.interpreter.submodules import SEQUENTIAL, children, is_module, put
from exportdb_rules.interpreter.waiting import Postponed
from exportdb_rules.interpreter.weights import weight_sizes
from exportdb_rules.lattice import Mapping, Owner, Sequence, choices, is_none, join, join_all
from exportdb_rules.operator_table import dtype_name
from exportdb_rules.project import ClassInfo, FunctionInfo, Module, dotted, own_nodes, own_statements
from exportdb_rules.torch_api import lookup
from exportdb_rules.values import (
    ANYWHERE,
    ARRAY,
    ATTRIBUTE,
    BUFFER,
    DEVICE,
    INPUT,
    KEPT_NUMBER,
    MAX_MOVES,
    NONE,
    NUMPY,
    PARAMETER,
    STATIC,
    STATIC_BOOL,
    STATIC_INT,
    STORAGE,
    TOP,
    TRUE,
    UNTYPED_STORAGE,
    Class,
    Const,
    Evidence,
    External,
    Function,
    Instance,
    Method,
    ModuleRef,
    Partial,
    Shape,
    Static,
    Sym,
    Tensor,
    TraceTime,
    Union,
    Value,
    is_returned,
)

if TYPE_CHECKING:
    from exportdb_rules.project import FunctionInfo, Project

# What stands for the names that `setattr` is given where they are computed.
COMPUTED = "setattr()"

_ALIASES = frozenset({"T", "mT", "H", "mH", "real", "imag"})
_STATIC_TENSOR = frozenset(
    {"dtype", "device", "layout", "requires_grad", "is_cuda", "is_sparse", "is_quantized", "is_leaf", "is_meta", "names",
     "grad_fn", "is_nested", "is_mkldnn", "is_cpu", "is_mps", "is_xpu", "itemsize", "nbytes", "retains_grad"}
)  # fmt: skip


# What asks a tensor for none of its numbers; the last makes another that is like it.
OF_METADATA: Final = frozenset(
    "shape size dim ndim ndimension numel nelement element_size dtype device layout stride is_cuda is_contiguous "
    "is_floating_point is_complex new".split()
)


def read_behind_data(frame: Frame, node: ast.Attribute, data: ast.Attribute, owner: Value) -> Value:
    """`x.data.shape`: of a tensor what its metadata say, whatever `.data` does to a trace. Strict export keeps `.data` for what it
    makes by `x.data.new(…)` (measured with torch 2.13, case `data_new`)."""
    if type(owner) is not Tensor:
        return read_attribute(frame, node, read_attribute(frame, data, owner, data.attr), node.attr)
    if node.attr == "new":
        frame.emit(AttributeRead(frame.site(data), "data.new", owner))
    return read_attribute(frame, node, owner, node.attr)


@attributes_of(ModuleRef)
def _of_module(frame: Frame, node: ast.AST, owner: ModuleRef, name: str) -> Value:
    return module_attribute(frame, owner.module, name)


@attributes_of(Union)
def _of_each(frame: Frame, node: ast.AST, owner: Union, name: str) -> Value:
    # None has no attributes: whoever reads one knows that the value is something else.
    return join_all([read_attribute(frame, node, c, name) for c in owner.choices if not is_none(c)])


# What strict export does not know of an array (torch/_dynamo/variables/tensor.py, NumpyNdarrayVariable.var_getattr).
_UNKNOWN_OF_ARRAYS: Final = frozenset(("dtype", "flags", "base"))


@attributes_of(Static)
def _of_static(frame: Frame, node: ast.AST, owner: Static, name: str) -> Value:
    if owner is LIMITS and not frame.traced:
        return KEPT_NUMBER
    if name in _UNKNOWN_OF_ARRAYS and (owner is NUMPY or is_kept(owner)):
        frame.emit(NumpyAsked(frame.site(node), "attribute"))
        return STATIC
    bound = owner is NUMPY or (is_kept(owner) and name not in ("shape", "ndim", "size", "dtype"))
    if owner.name is not None:
        return Static(name=(owner.name, name))  # of a configuration
    return Method(owner, name) if bound else STATIC


@attributes_of(TraceTime)
def _of_trace_time(frame: Frame, node: ast.AST, owner: TraceTime, name: str) -> Value:
    if owner.type in (ARRAY, "list") and name in ("shape", "ndim", "size", "dtype"):
        return STATIC
    return owner  # `datetime.now().second` differs from call to call as what it is read from does


@attributes_of(Sequence)
def _of_sequence(frame: Frame, node: ast.AST, owner: Sequence, name: str) -> Value:
    items = owner.items or []
    if owner.type == "tuple" and (place := _FIELDS.get(name)) is not None:
        return items[place] if place < len(items) else TOP
    return Method(owner, name)


# Where the parts of torch.return_types stand, which are tuples with names. Of `lu`, the first factor of a decomposition is taken
# for that of another one: both are matrices.
_FIELDS: Final = {
    name: place
    for place, names in enumerate(
        (
            "values sign min Q U L LU LD eigenvalues mantissa hist inverse solution",
            "indices logabsdet max R S info pivots eigenvectors exponent bin_edges residuals",
            "V Vh rank",
        )
    )
    for name in names.split()
}


@attributes_of(Mapping, Shape)
def _of_container(frame: Frame, node: ast.AST, owner: Mapping | Shape, name: str) -> Value:
    return Method(owner, name)


@attributes_of(Sym)
def _of_symbol(frame: Frame, node: ast.AST, owner: Sym, name: str) -> Value:
    return Method(owner, name) if name in ("is_integer", "bit_length") else TOP


@attributes_of(Const)
def _of_constant(frame: Frame, node: ast.AST, owner: Const, name: str) -> Value:
    if name == "value":
        return owner  # the member of an Enum is known by its value
    return STATIC if isinstance(owner.value, (int, float)) and name in ("real", "imag") else Method(owner, name)


@attributes_of(Method)
def _of_method(frame: Frame, node: ast.AST, owner: Method, name: str) -> Value:
    if owner.name in (STORAGE, UNTYPED_STORAGE) and name == "data_ptr":
        return Method(owner.receiver, name)
    if owner.name == UNTYPED_STORAGE and name == "nbytes":
        frame.emit_call(node, "torch.UntypedStorage.nbytes")
    if owner.name == "__code__" and name == "co_varnames" and type(owner.receiver) is Function:
        return Sequence("tuple", _variables(owner.receiver.info))
    return owner if name == "__func__" else TOP


def module_attribute(frame: Frame, module: Module, name: str) -> Value:
    """`module.name` of a file of the project."""
    return frame.run.member(module, name, f"{module.name}.{name}", module)


@attributes_of(External)
def _of_library(frame: Frame, node: ast.AST, owner: External, name: str) -> Value:
    # numpy's constants are Python's floats, too.
    if owner.name in ("math", "numpy") and isinstance(constant := getattr(math, name, None), float):
        return Const(constant)
    if owner.name == "typing" and name == "TYPE_CHECKING":
        return Const(False)
    short = owner.name.rpartition(".")[2]
    if name == "__name__" and short[:1].isupper():
        return Const(short)
    return frame.run.of_library(owner.name, name, frame.module)


@attributes_of(Function)
def _of_function(frame: Frame, node: ast.AST, owner: Function, name: str) -> Value:
    if name == "__code__":
        return Method(owner, name)
    return Const(owner.info.name) if name == "__name__" else TOP


def _variables(info: FunctionInfo) -> list[Value]:
    """`function.__code__.co_varnames`: the parameters, then all other names that the function binds."""
    spec = info.node.args
    parameters = [
        *spec.posonlyargs,
        *spec.args,
        *spec.kwonlyargs,
        *[a for a in (spec.vararg, spec.kwarg) if a is not None],
    ]
    bound = [n.id for n in own_nodes(info.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return [Const(name) for name in dict.fromkeys([*[argument.arg for argument in parameters], *bound])]


def class_of_tensor(frame: Frame, node: ast.AST, tensor: Tensor) -> Value:
    """`type(tensor)`: while non-strict export traces, `FakeTensor`."""
    if not frame.traced or tensor.array:
        return External("torch.Tensor")
    return TraceTime("type", "type", frame.site(node), tensor.evidence)


@attributes_of(Tensor)
def _of_tensor(frame: Frame, node: ast.AST, owner: Tensor, name: str) -> Value:
    if is_returned(owner) and (name in ("data", "grad") or lookup(f"Tensor.{name}") is None):
        return owner  # `.logits`, `.last_hidden_state`
    if name == "shape":
        return Shape(owner)
    if name in ("data", "grad"):
        frame.emit(AttributeRead(frame.site(node), name, owner))
        if name == "grad":
            return Union((Const(None), Tensor(ANYWHERE)))
        return owner.changed(
            alias=True, requires_grad=False, evidence=max(owner.evidence, Evidence.DERIVED), param=None
        )
    if name in _ALIASES:
        turned, plain = name not in ("real", "imag"), name.replace("H", "T")
        return owner.changed(
            alias=True,
            shape=shape_made(name, [owner], {}) if turned else owner.shape,
            dims=moved(plain, owner.dims, [], {}) if turned and owner.dims is not None else owner.dims,
            axis=axis_behind(plain, owner.axis, owner.known_rank, [], {}) if turned else owner.axis,
            moves=min(MAX_MOVES, owner.moves + turned),
            evidence=max(owner.evidence, Evidence.DERIVED),
            param=None,
        )
    if name == "ndim":
        ranks.asked(frame, owner)
        return Const(owner.known_rank) if owner.known_rank is not None else STATIC_INT
    if name == "requires_grad":
        return reads_requires_grad(frame, owner)
    if name == "is_leaf" and owner.origin == INPUT and not owner.requires_grad:
        return TRUE
    if name in ("is_cuda", "is_sparse", "is_quantized", "is_leaf", "is_meta", "is_cpu"):
        return STATIC_BOOL
    if owner.array and name in _UNKNOWN_OF_ARRAYS:
        frame.emit(NumpyAsked(frame.site(node), "attribute"))
    elif name == "dtype" and (dtype := dtype_name(owner.dtype)) is not None:
        return External(f"torch.{dtype}", owner.dtype)
    if name == "__class__":
        return class_of_tensor(frame, node, owner)
    if name == "device":
        return DEVICE
    if name in _STATIC_TENSOR:
        return STATIC
    return Method(owner, name)


# What the methods of an autograd Function are given first.
BACKWARD_CONTEXT: Final = "torch.autograd.function.FunctionCtx"
AUTOGRAD_FUNCTION: Final = "torch.autograd.Function"
# What `backward` is where a class defines none; and the name of the fact that a project's own one does nothing but raise.
RAISING_BACKWARD: Final = "torch.autograd.Function.backward"
METHOD_OF_CLASS: Final = "classmethod torch.autograd.Function.forward"
RAISED_BACKWARD: Final = "raise in torch.autograd.Function.backward"


@attributes_of(Class)
def _of_class(frame: Frame, node: ast.AST, owner: Class, name: str) -> Value:
    project = frame.run.project
    method = owner.info.find(name, project)
    library = method is None or project.is_of_package(method.module.filename)
    if library and name.startswith("from_") and owner.info.is_module(project):
        return Method(owner, name)
    if method is not None:
        return class_method(owner, method)
    if name == "apply" and AUTOGRAD_FUNCTION in owner.info.external_bases(project):
        # Non-strict export traces through the Function's forward; with setup_context, that takes no ctx.
        forward, backward, other = (owner.info.find(one, project) for one in ("forward", "backward", "vjp"))
        if forward is not None:
            context = [] if owner.info.find("setup_context", project) is not None else [TOP]
            missing = External(RAISING_BACKWARD) if other is None else None
            behind = missing if backward is None else class_method(owner, backward)
            return Partial(class_method(owner, forward), list(context), {}, behind)
    assigned = owner.info.find_assign(name, project)
    if assigned is not None:
        cls, expression = assigned
        if AUTOGRAD_FUNCTION in owner.info.external_bases(project):
            # To strict export such a class is a function of its `apply` (torch/_dynamo, AutogradFunctionVariable).
            frame.emit_call(node, f"{AUTOGRAD_FUNCTION}.__getattribute__")
        if isinstance(expression, ast.Call) and project.resolve_expression(cls.module, expression.func) == "enum.auto":
            return Const([*cls.assigns].index(name) + 1)
        return class_value(frame, cls.module, name, expression)
    inner = owner.info.find_inner(name, project)
    if inner is not None:
        return Class(inner)
    if name in ("__name__", "__qualname__"):
        return Const(owner.info.node.name if name == "__name__" else owner.info.name)
    return STATIC if name in ("__doc__", "__module__") else TOP


def class_method(owner: Class, method: FunctionInfo) -> Function:
    """A method as its class gives it."""
    return Function(method, bound=owner if "classmethod" in method.decorators else None, owner=method.cls)


def bound_method(owner: Instance, method: FunctionInfo) -> Function:
    """A method as an object gives it."""
    if "staticmethod" in method.decorators:
        return Function(method, owner=method.cls)
    if "classmethod" in method.decorators and owner.cls is not None:
        return class_method(Class(owner.cls), method)
    return Function(method, bound=owner, owner=method.cls)


def class_value(frame: Frame, module: Module, name: str, expression: ast.expr) -> Value:
    """The value of the class attribute `name`, evaluated as the class body would, before any tracing."""
    key = (id(expression), "")
    found = frame.run.module_values.get(key)
    if found is None:
        inner = Frame(frame.run, module, None)
        inner.traced = False
        frame.run.module_values[key] = TOP
        found = frame.run.module_values[key] = evaluate(inner, expression)
        if isinstance(found, (Sequence, Mapping)) and found.owner is None:
            # It lives as long as the class: what a call puts in, the next one finds.
            found.owner = Owner("attribute", name)
    return found


def note_read(frame: Frame, owner: Instance, name: str) -> None:
    """An attribute is read, or asked for. What a call reads before it writes is what another call left behind."""
    if owner.state and frame.traced and owner.cls is not None and may_write(owner.cls, name, frame.run.project):
        frame.run.read.add((id(owner), name))
        frame.summary.reads.add((id(owner), name))


@attributes_of(Instance)
def _of_instance(frame: Frame, node: ast.AST, owner: Instance, name: str) -> Value:
    heap = frame.run.heap
    if heap:
        written = heap.get((id(owner), name))
        if written is not None:
            frame.summary.pure = False
            return written
    waiting = frame.run.waiting
    if waiting.by_name:
        waiting.settle(owner, name)
    note_read(frame, owner, name)
    value = owner.attributes.get(name)
    project = frame.run.project
    if value is not None:
        if frame.traced:
            note_taken_name(frame, node, owner, name, value)
            note_parameter_as_buffer(frame, node, owner, name)
        if type(value) is Tensor and value.dims is not None and owner.state and owner.cls is not None:
            # What a method that is called before the export puts there may be of another size.
            return value.changed(dims=None) if _resized(owner.cls, name, project) else value
        if frame.traced and owner.state and type(value) in (Sequence, Mapping):
            note_loose_parameters(frame, node, owner, name, value)
        return value
    if owner.cls is not None:
        method = owner.cls.find(name, project)
        if method is not None:
            return _bind(frame, node, owner, method)
        assigned = owner.cls.find_assign(name, project)
        if assigned is not None:
            return _of_class_body(frame, node, owner, name, *assigned)
        if name in owner.cls.annotations:
            return _annotated(frame, owner, name)
        inner = owner.cls.find_inner(name, project)
        if inner is not None:
            return Class(inner)
    if name == "training":
        return frame.run.in_training(owner) if frame.traced else STATIC_BOOL
    if name == "__class__":
        return Class(owner.cls) if owner.cls is not None else External(owner.external)
    if name == "__dict__":
        return _entries(frame, owner)
    if owner.state and (owner.external.startswith("torch.nn.") or owner.cls is not None):
        if owner.external:
            found = _of_library_module(owner, name)
            if found is not None:
                if name in _BUFFER_NAMES:
                    owner.attributes[name] = found
                return found
        if lookup_module_method(name):
            return Method(owner, name)
        if name == "_modules" and (held := children(frame.run, owner)) is not None:
            return Mapping(held)
    if is_distribution(owner) and (found := attribute_of_distribution(name)) is not None:
        return found
    if (part := part_of(owner, name)) is not None:
        return part
    if owner.cls is None:
        if name == "saved_variables" and owner.external == BACKWARD_CONTEXT:
            frame.emit_call(node, f"{BACKWARD_CONTEXT}.saved_variables", [])
        return Method(owner, name) if owner.external else TOP
    if (asked := _asked(frame, node, owner, "__getattr__", name)) is not None:
        return asked
    if name == "config" and not owner.open and any(b != "builtins.object" for b in owner.cls.external_bases(project)):
        return STATIC
    return TOP


def _of_class_body(
    frame: Frame, node: ast.AST, owner: Instance, name: str, cls: ClassInfo, expression: ast.expr
) -> Value:
    """What an object finds in the body of its class: a function becomes a method of it, `property(f)` is asked."""
    if isinstance(expression, ast.Call) and dotted(expression.func) == "property" and expression.args:
        getter = cls.methods.get(dotted(expression.args[0]))
        if getter is not None:
            return call(frame, node, Function(getter, bound=owner, owner=cls), [], {})
    value = class_value(frame, cls.module, name, expression)
    if type(value) is Function and value.bound is None and not isinstance(expression, ast.Call):
        return Function(value.info, bound=owner, owner=value.owner or cls, closure=value.closure)
    return value


def _entries(frame: Frame, owner: Instance) -> Value:
    """The dict of the attributes of an object, which changes with it: of one that is no module, and that this call makes."""
    if is_module(owner, frame.run.project) or (owner.state and not owner.building):
        return TOP
    found = Mapping(element=TOP if owner.open else None)
    found.items = owner.attributes
    return found


def _asked(
    frame: Frame, node: ast.AST, owner: Instance, method: str, name: str, value: Value | None = None
) -> Value | None:
    """What the `__getattr__` or `__setattr__` of an object's class does with an attribute; None where the class has none, or
    where it is what asks."""
    run = frame.run
    found = None if owner.cls is None or name.startswith("__") else owner.cls.find(method, run.project)
    key = (id(owner), name)
    if found is None or key in run.attributes_asked:
        return None
    run.attributes_asked.add(key)
    try:
        args: list[Value] = [Const(name)] if value is None else [Const(name), value]
        return call(frame, node, Function(found, bound=owner, owner=found.cls), args, {})
    finally:
        run.attributes_asked.discard(key)


def may_write(cls: ClassInfo, name: str, project: Project) -> bool:
    """Whether methods of a class, other than its constructor, bind an attribute of that name."""
    found = cls.written.get(name)
    if found is None:
        bases = cls.mro(project)
        found = cls.written[name] = any(_written_by(base, name) for base in bases if isinstance(base, ClassInfo))
    return found


def _resized(cls: ClassInfo, name: str, project: Project) -> bool:
    """Whether a method of a class, other than its constructor and `forward`, binds an attribute."""
    methods = [method for base in cls.mro(project) if isinstance(base, ClassInfo) for method in base.methods.values()]
    return may_write(cls, name, project) and any(
        method.name not in ("__init__", "forward") and method.may_write(name) and name in assigned_attributes(method)
        for method in methods
    )


def _written_by(cls: ClassInfo, name: str) -> bool:
    """Whether the methods of one class bind it, its bases left out."""
    found = cls.own_written.get(name)
    if found is None:
        found = cls.own_written[name] = any(
            method.name != "__init__"
            and (method.may_write(name) or method.may_write("setattr"))
            and not {name, COMPUTED}.isdisjoint(assigned_attributes(method))
            for method in cls.methods.values()
        )
    return found


def assigned_attributes(method: FunctionInfo) -> frozenset[str]:
    """The names of the attributes that a function binds, on whatever object."""
    if method.written is None:
        method.written = frozenset(_assigned_attributes(method))
    return method.written


def _assigned_attributes(method: FunctionInfo) -> set[str]:
    names: set[str] = set()
    for node in own_statements(method.node):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
            targets = [node.target]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and dotted(node.value.func) == "setattr":
            name = node.value.args[1] if len(node.value.args) == 3 else None
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                names.add(name.value)
            elif name is not None:
                names.add(COMPUTED)
        for target in targets:
            for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                if isinstance(part, ast.Attribute):
                    names.add(part.attr)
    return names


def _bind(frame: Frame, node: ast.AST, owner: Instance, method: FunctionInfo) -> Value:
    decorators = method.decorators
    if not any(decorator.endswith("property") for decorator in decorators):
        return bound_method(owner, method)
    cached = "functools.cached_property" in decorators or "cached_property" in decorators
    if cached:
        frame.emit_call(node, "functools.cached_property")
    result = call(frame, node, bound_method(owner, method), [], {})
    if cached and not frame.traced:
        owner.attributes[method.name] = result  # the constructor's read is the one that computes it
    return result


def _annotated(frame: Frame, owner: Instance, name: str) -> Value:
    assert owner.cls is not None
    return of_annotation(frame.run, owner.cls.module, owner.cls.annotations[name], ATTRIBUTE) or TOP


_PARAMETER_NAMES = frozenset({"weight", "bias", "in_proj_weight", "in_proj_bias"})
_BUFFER_NAMES = frozenset({"running_mean", "running_var", "num_batches_tracked"})


def _of_library_module(owner: Instance, name: str) -> Value | None:
    """The attributes of a module of torch.nn that people read."""
    kept = option(owner, name)
    if kept is not None:
        return kept
    if name in _PARAMETER_NAMES or name in _BUFFER_NAMES:
        weight = _weight(owner, name, PARAMETER if name in _PARAMETER_NAMES else BUFFER)
        there = has_weight(owner, name)
        return weight if there else NONE if there is False else join(weight, NONE)
    if name == "out_proj":
        return Instance(None, "torch.nn.Linear", state=True, identity=("out_proj", owner.key()))
    return None


def _weight(owner: Instance, name: str, origin: str) -> Tensor:
    dims = weight_sizes(owner, name)
    rank = None if dims is None else len(dims)
    return Tensor(origin, alias=True, fixed=True, requires_grad=origin == PARAMETER, dims=dims, rank=rank)


_MODULE_METHODS = frozenset(
    {"register_buffer", "register_parameter", "add_module", "register_module", "parameters", "named_parameters", "buffers",
     "named_buffers", "modules", "named_modules", "children", "named_children", "train", "eval", "to", "apply", "cuda", "cpu",
     "half", "float", "double", "state_dict", "load_state_dict", "requires_grad_", "zero_grad", "register_forward_hook",
     "register_forward_pre_hook", "register_full_backward_hook", "append", "extend", "insert", "keys", "items", "values",
     "get_submodule", "get_parameter", "get_buffer", "__call__", "type", "share_memory", "compile", "extra_repr",
     "register_load_state_dict_post_hook", "_register_load_state_dict_pre_hook", "forward", "pop", "update", "clear"}
)  # fmt: skip


def lookup_module_method(name: str) -> bool:
    """Whether `torch.nn.Module` or one of its containers has a method of that name."""
    return name in _MODULE_METHODS


def write_plainly(frame: Frame, node: ast.AST, owner: Value, name: str, value: Value) -> None:
    """`object.__setattr__(owner, name, value)`: what its class does where an attribute is assigned is passed by."""
    for choice in choices(owner):
        if type(choice) is Instance:
            _put(frame, node, choice, name, value, augmented=False, reported=True)


def write_attribute(
    frame: Frame, node: ast.AST, owner: Value, name: str, value: Value, *, augmented: bool, reported: bool = True
) -> None:
    """`owner.name = value`. Not `reported`: a write to an object that need not be known of."""
    for choice in choices(owner):
        if type(choice) is Instance:
            _write_instance(frame, node, choice, name, value, augmented, reported)
        elif type(choice) is Tensor:
            if name == "data":
                frame.emit(AttributeRead(frame.site(node), "data", choice))
                frame.emit(TensorWritten(frame.site(node), choice, "data"))
            elif name in ("real", "imag"):
                frame.emit_call(node, "Tensor.real=", [choice, value])
            elif name in ("requires_grad", "grad"):
                frame.emit(AttributeWritten(frame.site(node), choice, name, value, augmented))
        elif type(choice) is Function:
            if choice.closure is None or not choice.closure.traced:  # a function that tracing made is its own
                frame.emit_call(node, "function.__setattr__")
        elif type(choice) in (ModuleRef, Class):
            frame.emit(AttributeWritten(frame.site(node), choice, name, value, augmented))


def _write_instance(
    frame: Frame, node: ast.AST, owner: Instance, name: str, value: Value, augmented: bool, reported: bool
) -> None:
    if owner.cls is not None:
        setter = owner.cls.find(f"{name}{SETTER}", frame.run.project)
        if setter is not None:
            call(frame, node, Function(setter, bound=owner, owner=setter.cls), [value], {})
            return
        getter = owner.cls.find(name, frame.run.project)
        if getter is not None and any(d.endswith("property") for d in getter.decorators):
            return
        own = not augmented and not is_module(owner, frame.run.project)
        if own and _asked(frame, node, owner, "__setattr__", name, value) is not None:
            return
    _put(frame, node, owner, name, value, augmented=augmented, reported=reported)


def _put(
    frame: Frame, node: ast.AST, owner: Instance, name: str, value: Value, *, augmented: bool, reported: bool
) -> None:
    """Bind an attribute of an object, which has no property of that name."""
    waiting = frame.run.waiting
    if (
        owner.external == SEQUENTIAL
        and owner.building
        and type(value) is Instance
        and is_module(value, frame.run.project)
    ):
        put(frame, owner, value)
    if waiting.by_name:
        if not frame.traced and waiting.assigned(owner, name):
            _write_later(frame, owner, name, value)
            return
        waiting.settle(owner, name)
    if frame.traced and owner.state and not owner.building:
        read_before, begun = ((id(owner), name) in known for known in (frame.run.read, frame.run.begun))
        if reported:
            frame.emit(
                AttributeWritten(frame.site(node), owner, name, value, augmented, read_before, frame.optional, begun)
            )
        keep_of_call(frame, owner, name, value)
        return
    if owner.state and not (frame.traced and type(value) in (Sequence, Mapping)):
        value = held(value, name)  # what tracing makes anew in each call holds its list or dict no longer than that
    old = owner.attributes.get(name)
    if type(old) is Tensor and old.origin == BUFFER and type(value) is Tensor and value.origin != PARAMETER:
        value = value.changed(origin=BUFFER)  # `torch.nn.Module` puts it in the place of the registered one
    owner.attributes[name] = value if old is None or not frame.depth else join(old, value)


def keep_of_call(frame: Frame, owner: Instance, name: str, value: Value) -> None:
    """Put a value on an object that lives on between calls, for the rest of the call that is traced."""
    heap = frame.run.heap
    old = heap.get((id(owner), name))
    if old is None:
        old = owner.attributes.get(name)
    # On a path that tracing certainly takes, the new value is the only one.
    sure_path = frame.always and frame.depth == 0
    if sure_path:
        frame.run.begun.add((id(owner), name))
    heap[(id(owner), name)] = value if old is None or sure_path else join(old, value)
    frame.summary.pure = False


def _write_later(frame: Frame, owner: Instance, name: str, value: Value) -> None:
    """Put a value on an object, once what is to be there before it is known."""
    new = held(value, name) if owner.state else value
    joined = frame.depth > 0

    def write(assigns: bool) -> None:
        old = owner.attributes.get(name)
        if assigns:
            owner.attributes[name] = new if old is None or not joined else join(old, new)

    none: frozenset[str] = frozenset()
    frame.run.waiting.add(Postponed(write, None, none, none), (owner, name), joined=joined)


def held(value: Value, name: str) -> Value:
    """A value as an attribute of an object: it is known now by that name, and a plain tensor is one of its kinds."""
    if type(value) is Tensor and value.origin not in (PARAMETER, BUFFER, INPUT):
        dims = None if value.unbacked else value.dims
        return value.changed(origin=ATTRIBUTE, alias=True, dims=dims, unbacked=False, site=None, fixed=True, param=None)
    if type(value) is Sequence and value.owner is None:
        return Sequence(
            value.type,
            value.items,
            value.element,
            depth=value.depth,
            length=value.length,
            owner=Owner("attribute", name),
            prefix=value.prefix,
        )
    if type(value) is Mapping and value.owner is None:
        return Mapping(value.items, value.element, owner=Owner("attribute", name))
    return value

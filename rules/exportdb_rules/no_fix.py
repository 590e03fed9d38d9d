"""Why a finding has no fix: the closed list of reasons, each with an id and a sentence."""

from __future__ import annotations

from enum import Enum


class NoFix(Enum):
    """A reason why a finding has no fix. The value is an id for programs, which is never used for anything else; `text` is
    for people, and goes behind `no fix: `: what stands in the way, and what may be done about it."""

    text: str

    def __new__(cls, name: str, text: str) -> NoFix:
        reason = object.__new__(cls)
        reason._value_ = name
        reason.text = text
        return reason

    # About the fix as a whole.
    EXPORT_WOULD_FAIL = "export-would-fail", "export would still fail at a later line"
    TOO_LARGE = "too-large", "too large: the code is too long or too deeply nested, split it and check again"
    NOT_PARSED = "not-parsed", "a statement here cannot be parsed, or is nested too deeply"
    IN_PACKAGE = (
        "in-package",
        "the code is of an installed package; give it other options or inputs, or write a module of your own in its place",
    )
    UNKNOWN_FORM = "unknown-form", "no rewrite is known for code of this form"

    # About what is known of values.
    TYPE_UNKNOWN = "type-unknown", "a value here may be of several types; annotate it, or give example inputs"
    SHAPE_UNKNOWN = (
        "shape-unknown",
        "a shape that the rewrite depends on is not known; give example inputs, or assert it",
    )
    NOT_A_SCALAR = (
        "not-a-scalar",
        "the condition or index may have more than one element; reduce it first, e.g. with `.any()`",
    )
    NOT_A_TENSOR = "not-a-tensor", "a branch or an iteration results in something that is not a tensor"
    MAY_BE_NONE = "may-be-none", "a value may be None where a tensor is needed"
    PYTHON_NUMBER = "python-number", "the number is needed as a Python number; keep it as a tensor or a size"
    DTYPE_MAY_CHANGE = "dtype-may-change", "the result may get another dtype; convert it explicitly"
    ROUNDING = "rounding", "the result may be rounded in another way"
    ELEMENTS_DIFFER = "elements-differ", "the elements of the container may differ in type, shape or dtype"

    # About how the code is written.
    NOT_A_LITERAL = "not-a-literal", "an argument is computed where a literal is needed; write it out"
    SHARED_LINE = "shared-line", "the code shares its statement or its line with other code; give it a line of its own"
    EVALUATION_ORDER = (
        "evaluation-order",
        "the rewrite would evaluate an expression twice, in another order, or where it is not reached; assign it to a name first",
    )
    WALRUS = (
        "assignment-expression",
        "an assignment expression (`:=`) binds a name here; assign it on a line of its own",
    )
    MIXED_CONDITION = (
        "mixed-condition",
        "the condition mixes tensors with values that are known while tracing; nest two `if` statements instead",
    )
    CHECK_FORM = "check-form", "the check does more than raise an exception with a fixed message"
    INSIDE_TRY = "inside-try", "the code stands in a `try` statement; move it out"
    NAME_CLASH = "name-clash", "a name that the rewrite needs is bound to something else"

    # About branches.
    BRANCHES_DIFFER = "branches-differ", "the branches may return different shapes or dtypes; make them agree"
    POSSIBLY_UNBOUND = "possibly-unbound", "a name may have no value on one of the paths; bind it before"
    SIDE_EFFECT = "side-effect", "the code has a side effect that cannot be moved into a function of tensors"
    UNTRACEABLE = "untraceable", "the rewritten code would hold something that export cannot trace"
    SYMINT_OPERAND = (
        "symint-operand",
        "a branch uses a data-dependent number, which `torch.cond` does not take as an operand",
    )
    MODULE_STATE = "module-state", "a module that is called here may change its own state, e.g. running statistics"
    EMPTY_SELECTION = "empty-selection", "the code may have an effect where nothing is selected"
    OTHER_EXIT = "other-exit", "the loop or function has another exit, which cannot be expressed in the graph"

    # About loops.
    LOOP_CARRIED = "loop-carried", "an iteration depends on the one before in a way that a loop operator does not allow"
    LOOP_SHAPE = "loop-shape", "a tensor may change its shape from one iteration to the next"
    LOOP_NAME_USED_LATER = "loop-name-used-later", "a name that the loop binds is used after it"
    LOOP_RESULTS = "loop-results", "the results of the iterations cannot be joined into one tensor"
    GRADIENT_LOST = "gradient-lost", "gradients of parameters used in the loop would be lost"

    # About what else holds, reads or writes a value.
    ALIASED_WRITE = (
        "aliased-write",
        "a tensor that is changed in place may share its storage with another; clone it first",
    )
    RESULT_USED = "result-used", "the result is used in another way as well"
    FUNCTION_USED_ELSEWHERE = "function-used-elsewhere", "the function is passed on, or called from elsewhere"
    DEFINED_ELSEWHERE = (
        "defined-elsewhere",
        "the code that would have to change is in another file, or not visible from here",
    )
    CLASS_HIERARCHY = "class-hierarchy", "a base class, a subclass or a decorator may depend on this code"

    # About state between calls.
    STATE_INITIAL_VALUE = (
        "state-initial-value",
        "the state does not get a number or a plain tensor exactly once; set it once, in the constructor",
    )
    STATE_MAY_CHANGE_SHAPE = "state-may-change-shape", "what is stored may change its shape or dtype between calls"
    STATE_OF_PLAIN_OBJECT = (
        "state-of-plain-object",
        "the state belongs to an object that is not a module and has no buffers; make its class an nn.Module",
    )
    STATE_USED_ELSEWHERE = "state-used-elsewhere", "the state is also read or written from elsewhere"
    CONTAINER_USE = "container-use", "the container is passed on, or changed in another way as well"

    NOT_IN_A_CONTAINER = (
        "not-in-a-container",
        "the module is held by a plain object or a global variable; make it an attribute of the model",
    )
    MODULE_KEYS = (
        "module-keys",
        "a key of the dict is not a valid submodule name: use strings without dots that are not attributes of nn.Module",
    )

    # About what no graph can hold.
    NOT_TRACED = "not-traced", "export does not trace this; move it out of `forward`"
    STATE_IN_CONTAINER = (
        "state-in-container",
        "a graph has no list or dict that outlives a call; return the values, or write them into a preallocated buffer",
    )
    CREATED_IN_FORWARD = (
        "created-in-forward",
        "a module or parameter is created in `forward`; create it in the constructor",
    )
    GRADIENT_IN_FORWARD = (
        "gradient-in-forward",
        "`forward` takes a gradient, which only `torch.func.jvp` puts into the graph; export the part without it",
    )
    PACKED_SEQUENCE = (
        "packed-sequence",
        "the sizes of a packed sequence depend on data; call the layer with the padded batch, and mask its result",
    )
    SIZE_FROM_DATA = (
        "size-from-data",
        "the operator compares a data-dependent size while tracing; compute with all rows and a mask",
    )
    READS_DATA = (
        "reads-data",
        "the operator reads tensor values while tracing; compute the same with operators that do not",
    )
    LOOKUP_BY_SIZE = (
        "lookup-by-size",
        "no tensor or formula is known for what is looked up; index a tensor instead",
    )
    OTHER_RANDOM_NUMBERS = (
        "other-random-numbers",
        "torch draws other numbers; draw with `torch.rand` or `torch.randint`, or make the number an input",
    )

    # About NumPy and operators.
    NO_EQUIVALENT = "no-equivalent", "torch has no operator that computes the same"
    NUMPY_DIFFERS = "numpy-differs", "NumPy and torch compute this differently"
    ARRAY_ESCAPES = "array-escapes", "the array is passed on, stored, or mixed with other arrays"

    # About declarations of dynamic shapes.
    NO_DIM_RELATION = "no-dim-relation", "no `Dim` can express the relation between the sizes"
    DIMS_DECLARED_ELSEWHERE = "dims-declared-elsewhere", "the dimension is not declared by a literal in this file"
    DECLARATION_SHARED = "declaration-shared", "the declaration is also used for another dimension or export"
    NEEDS_AUTHOR = "needs-author", "only the author of the code knows what is meant"

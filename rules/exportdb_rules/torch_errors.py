"""Which rules an error of torch.export speaks of: by the id of its graph break, by its words, by the failing statement.

This is for lines that nothing else is known of. Where the source is at hand, a finding of `check` on the line says more.
That the tables cover what was measured is proven in `tests/rules`: every error of a case leads to the case's rule.
The ids are those of `torch/_dynamo/graph_break_registry.json`.
"""

from __future__ import annotations

import ast
import re
from typing import Final

# What says only that a value of data was asked for: which rule it is, the failing statement tells.
_DATA: Final = ("EDB101", "EDB102", "EDB103", "EDB104", "EDB105")

GRAPH_BREAKS: Final[dict[str, tuple[str, ...]]] = {
    "GB0001": ("EDB207",),
    "GB0007": ("EDB503", "EDB502", "EDB202", "EDB105", "EDB204", "EDB207", "EDB401", "EDB209", "EDB406", "EDB405"),
    "GB0008": ("EDB503",),
    "GB0009": ("EDB503",),
    "GB0018": ("EDB602",),
    "GB0023": ("EDB207",),
    "GB0025": ("EDB503",),
    "GB0033": ("EDB105", "EDB209"),
    "GB0034": ("EDB102",),
    "GB0035": _DATA,
    "GB0036": ("EDB209", "EDB105"),
    "GB0037": ("EDB209",),
    "GB0038": ("EDB206", "EDB204"),
    "GB0040": ("EDB601", "EDB605"),
    "GB0041": ("EDB604", "EDB605"),
    "GB0055": ("EDB209", "EDB107", "EDB202", "EDB503", "EDB406"),
    "GB0056": ("EDB201",),
    "GB0058": ("EDB503", "EDB201"),
    "GB0059": ("EDB503", "EDB204", "EDB210", "EDB105", "EDB202", "EDB101", "EDB401", "EDB103", "EDB203", "EDB304"),
    "GB0064": ("EDB603",),
    "GB0067": ("EDB604", "EDB605"),
    "GB0070": ("EDB206",),
    "GB0071": ("EDB503",),
    "GB0075": ("EDB503",),
    "GB0087": ("EDB203", "EDB304"),
    "GB0088": ("EDB202", "EDB102", "EDB901", "EDB203", "EDB304", "EDB503"),
    "GB0090": ("EDB801", "EDB209"),
    "GB0098": ("EDB503",),
    "GB0099": ("EDB503",),
    "GB0105": ("EDB204",),
    "GB0106": ("EDB204",),
    "GB0108": ("EDB406",),
    "GB0109": ("EDB203",),
    "GB0112": ("EDB304", "EDB206"),
    "GB0123": ("EDB406",),
    "GB0124": ("EDB203",),
    "GB0125": ("EDB406", "EDB503"),
    "GB0126": ("EDB503",),
    "GB0128": ("EDB201",),
    "GB0142": ("EDB503",),
    "GB0147": ("EDB503",),
    "GB0148": ("EDB503",),
    "GB0156": ("EDB503", "EDB406", "EDB407", "EDB202", "EDB502", "EDB405"),
    "GB0157": ("EDB204",),
    "GB0158": ("EDB204",),
    "GB0161": ("EDB503",),
    "GB0170": (*_DATA, "EDB210", "EDB204", "EDB209"),
    "GB0171": ("EDB102",),
    "GB0179": ("EDB207",),
    "GB0185": ("EDB204",),
    "GB0190": ("EDB203",),
    "GB0193": ("EDB105", "EDB503"),
    "GB0206": ("EDB406",),
    "GB0207": ("EDB105", "EDB302", "EDB503"),
    "GB0208": ("EDB503", "EDB207", "EDB204", "EDB407", "EDB203", "EDB304"),
    "GB0214": ("EDB103",),
    "GB0218": ("EDB206",),
    "GB0224": ("EDB206",),
    "GB0225": ("EDB406",),
    "GB0231": ("EDB204",),
    "GB0232": ("EDB204",),
    "GB0242": ("EDB503",),
    "GB0244": ("EDB405", "EDB407"),
    "GB0246": ("EDB105",),
    "GB0247": ("EDB503",),
    "GB0262": ("EDB503",),
    "GB0264": ("EDB405",),
    "GB0288": ("EDB107",),
    "GB0290": ("EDB204",),
    "GB0293": ("EDB204",),
    "GB0294": ("EDB204", "EDB502"),
    "GB0297": ("EDB502",),
    "GB0298": ("EDB502",),
    "GB0300": ("EDB204",),
    "GB0301": ("EDB602",),
    "GB0308": ("EDB605", "EDB606"),
    "GB0311": ("EDB602",),
    "GB0312": ("EDB602",),
    "GB0313": ("EDB603",),
    "GB0314": ("EDB603",),
    "GB0339": ("EDB605",),
    "GB0340": ("EDB603",),
    "GB0342": ("EDB605",),
    "GB0349": ("EDB603",),
    "GB0350": ("EDB603",),
    "GB0351": ("EDB602",),
    "GB0357": ("EDB503",),
    "GB0360": _DATA,
    "GB0363": ("EDB503",),
    "GB0365": ("EDB203",),
    "GB0371": ("EDB406",),
    "GB0372": ("EDB406",),
    "GB0467": ("EDB503",),
    "GB0569": ("EDB202", "EDB203"),
    "GB1177": ("EDB604",),
    "GB4198": ("EDB207",),
    "GB4315": ("EDB603", "EDB801", "EDB102", "EDB304", "EDB211", "EDB206"),
    "GB4413": ("EDB604",),
    "GB4695": ("EDB503",),
    "GB4841": ("EDB210", "EDB503"),
    "GB5976": ("EDB207",),
    "GB6622": ("EDB105",),
    "GB7054": ("EDB406",),
    "GB7312": ("EDB602", "EDB605", "EDB503"),
    "GB7324": ("EDB406", "EDB503"),
    "GB8335": ("EDB701",),
    "GB8977": ("EDB503",),
    "GB8985": ("EDB406",),
    "GB9158": ("EDB107",),
    "GB9186": ("EDB406",),
    "GB9193": ("EDB503", "EDB202"),
    "GB9316": ("EDB202",),
    "GB9648": ("EDB203",),
    "GB9840": ("EDB107",),
}
"""The rules of each graph break that has any, the likeliest first."""

_WORDS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (r"in output, which is not a known type|Encountered unrecognized type|Unsupported input type|"
     r"It looks like one of the inputs with type|No registered serialization name", ("EDB701",)),
    (r"got multiple values for argument 'mod'", ("EDB702",)),
    (r"unhashable type: (?:non-nested )?Sym", ("EDB306",)),
    (r"'function' object has no attribute 'is_quantized'", ("EDB107",)),
    (r"no fake impl registered|UnsupportedOperatorException: (?!aten)", ("EDB801",)),
    (r"exported program constant's list", ("EDB201",)),
    (r"_apply\(\): Couldn't swap", ("EDB407",)),
    (r"\.numpy\(\) is not supported|loop of ufunc does not support|can't be converted to np", ("EDB204",)),
    (r"The only supported seed types", ("EDB502",)),
    (r"must be bool, not SymBool|must be (?:int|float), not Sym", ("EDB304",)),
    (r"Expect operands to be a tuple", ("EDB602",)),
    (r"cond must be a bool, but got a Tensor", ("EDB102",)),
    (r"data is not allocated yet", ("EDB205",)),
    (r"Cannot access data pointer|elem\.device\.type must be 'meta'", ("EDB207", "EDB209")),
    (r"unsupported format string passed to Sym", ("EDB203",)),
    (r"body_fn_output and carried_inputs|while_loop", ("EDB605",)),
    (r"_checkpoint_context_fn", ("EDB503",)),
    (r"must be an instance of `torch\.nn\.Module`, got <class 'function'>|to be an instance of `torch\.nn\.Module`|"
     r"export\(\) got an unexpected keyword|cannot import name .* from 'torch\.(?:_)?export|"
     r"module 'torch(?:\._?export)?' has no attribute", ("EDB901",)),
    (r"DataDependentOutputException", ("EDB105", "EDB209")),
    (r"DynamicOutputShapeException|aten\.\w+(?:\.\w+)?\Z", ("EDB209",)),
    (r"PendingUnbackedSymbolNotFound|Pending unbacked symbols", ("EDB206",)),
    (r"conflicts between user-specified ranges", ("EDB305",)),
)  # fmt: skip
"""Of errors without an id: a pattern in `exception: message`, and its rules. The first that matches counts."""

_GUARD: Final = re.compile(r"Could not guard on data-dependent expression (.+?)(?: \(unhinted|\n|$)")
_EXTRACT: Final = re.compile(r"Could not extract specialized integer from data-dependent expression")
_CHOSEN_BY_DATA: Final = re.compile(
    r"Data-dependent branching|DATA_DEPENDENT|Data.dependent error|data-dependent guard"
)
# The truth of a tensor, which is a number from data that is compared with 1.
_TRUTH: Final = re.compile(r"Eq\(u\d+, 1\)\Z")
_FLOAT: Final = re.compile(r"\bzuf\d+")
_BUILTINS: Final = frozenset({"all", "any", "sorted", "min", "max", "filter", "sum", "next", "bool"})
_ASKING: Final = frozenset({"equal", "allclose", "is_nonzero", "one_hot", "index", "count", "remove", "sort"})
_VIEWS: Final = frozenset({"view", "reshape", "expand", "narrow", "roll", "chunk", "linspace", "as_strided", "unfold"})
# Of callables that a graph break of many causes names: whose they are.
_CALLEES: Final = (
    (re.compile(r"\b(?:numpy|np)\.random\b|\brandom\.|\brandint\b|\bRandom\b|mtrand"), "EDB502"),
    (re.compile(r"\b(?:numpy|np|scipy)\b"), "EDB204"),
    (re.compile(r"\brequires_grad_?\b"), "EDB406"),
    (re.compile(r"\.(?:to|half|float|double|cuda|cpu|bfloat16)\("), "EDB407"),
    (re.compile(r"\b_check\b"), "EDB102"),
    (re.compile(r"\b(?:id|hash|repr|datetime|uuid\w*|getpid)\b"), "EDB202"),
    (re.compile(r"\bdeepcopy\b|\bcopy\b|\bdata_ptr\b|\bstorage\b"), "EDB207"),
    (re.compile(r"\btorch\.distributions\b|\bdistributions[./]"), "EDB105"),
)  # fmt: skip


def rules_for(exception: str, message: str, graph_break: str | None, statement: ast.stmt | None) -> tuple[str, ...]:
    """The codes of the rules that an error of export speaks of, the likeliest first; empty where none does.

    Args:
        exception: the name of its class, without the module.
        message: torch's text.
        graph_break: the id that the text names (`GB0170`), if it does.
        statement: the user's statement that export came to grief on, if it is known.
    """
    if "Constraints violated" in message or "ConstraintViolation" in exception:
        return _of_size(statement)
    if graph_break in GRAPH_BREAKS:
        found = GRAPH_BREAKS[graph_break]
        if found[: len(_DATA)] == _DATA:
            return _first(_of_branch(statement, ""), found)
        return _first(_by_callee(message, statement, found), found)
    guard = _GUARD.search(message)
    if guard:
        return _of_guard(guard[1], message, statement)
    if _EXTRACT.search(message):
        return _of_number(statement)
    text = f"{exception}: {message}".strip()
    for pattern, codes in _WORDS:
        if re.search(pattern, text):
            return codes
    if _CHOSEN_BY_DATA.search(message[:400]):
        return _of_branch(statement, "")
    return GRAPH_BREAKS.get(graph_break or "", ())


def _first(code: str | tuple[str, ...], others: tuple[str, ...]) -> tuple[str, ...]:
    front = (code,) if isinstance(code, str) else code
    return tuple(dict.fromkeys((*(c for c in front if c), *others)))


def _by_callee(message: str, statement: ast.stmt | None, codes: tuple[str, ...]) -> str:
    """Which of several rules: by what the developer's context names, else by what stands in the statement."""
    if len(codes) < 2:
        return ""
    context = "\n".join(re.findall(r"(?:Developer debug context|Explanation): (.+)", message))
    for text in (context, ast.unparse(statement) if statement is not None else ""):
        for pattern, code in _CALLEES:
            if code in codes and pattern.search(text):
                return code
    return ""


def _of_guard(expression: str, message: str, statement: ast.stmt | None) -> tuple[str, ...]:
    """A question whose answer is data: asked by a statement of the user's, or by an operator that it calls."""
    if _condition(statement) is not None or isinstance(statement, (ast.For, ast.AsyncFor)):
        return _of_branch(statement, expression)
    builtin = _builtin(statement)
    if builtin:
        return (builtin,)
    if _FLOAT.search(expression) and _calls(statement, {"float", "sqrt", "exp", "log", "pow", "ceil", "floor", "int"}):
        return ("EDB203",)
    if statement is not None and _TRUTH.match(expression) and "Size-like symbols: none" in message:
        return ("EDB209", "EDB101", "EDB208")
    called = _called(statement)
    if called & _VIEWS and "view" in called | {""}:
        return ("EDB206", "EDB208")
    return ("EDB208", "EDB206", "EDB103") if statement is not None else ("EDB103", "EDB101")


def _of_branch(statement: ast.stmt | None, expression: str) -> tuple[str, ...]:
    """Python's way is chosen by data. `expression` is what was asked for, as torch writes it, if it does."""
    if isinstance(statement, ast.Assert):
        return ("EDB102", "EDB101", "EDB103")
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return ("EDB106", "EDB101")
    builtin = _builtin(statement)
    if builtin:
        return (builtin, "EDB101")
    if isinstance(statement, ast.If) and statement.body and isinstance(statement.body[0], ast.Raise):
        return ("EDB104", "EDB101", "EDB103")
    if expression and not _TRUTH.match(expression):
        return ("EDB103", "EDB101")
    return ("EDB101", "EDB103")


def _of_number(statement: ast.stmt | None) -> tuple[str, ...]:
    """A plain Python number is wanted, and only data can tell it."""
    if isinstance(statement, (ast.For, ast.AsyncFor)) or _calls(statement, {"range"}):
        return ("EDB106", "EDB206")
    if _calls(statement, {"int", "float", "len", "round", "ceil", "floor", "sqrt"}):
        return ("EDB203", "EDB206")
    if _calls(statement, {"one_hot"}):
        return ("EDB105", "EDB206")
    return ("EDB206", "EDB203")


def _of_size(statement: ast.stmt | None) -> tuple[str, ...]:
    """A size that was declared dynamic is narrowed or frozen. Without the line nothing is known of how."""
    if statement is None:
        return ()
    if isinstance(statement, (ast.If, ast.While, ast.Assert)) or _condition(statement) is not None:
        return ("EDB302",)
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return ("EDB303",)
    if _calls(statement, {"round", "floor", "ceil"}):
        return ("EDB301", "EDB304")
    if _calls(statement, {"int", "float", "len", "sqrt", "log2", "bool", "as_tensor", "tensor"}):
        return ("EDB304", "EDB301")
    if any(isinstance(node, ast.Slice) for node in ast.walk(statement)) or _calls(statement, {"reshape", "view"}):
        return ("EDB305", "EDB304")
    return ("EDB304", "EDB305")


def _condition(statement: ast.stmt | None) -> ast.expr | None:
    """What a statement asks for the truth of."""
    if isinstance(statement, (ast.If, ast.While, ast.Assert)):
        return statement.test
    for node in ast.walk(statement) if statement is not None else ():
        if isinstance(node, ast.IfExp):
            return node.test
        if isinstance(node, ast.comprehension) and node.ifs:
            return node.ifs[0]
        if isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            return node
    return None


def _builtin(statement: ast.stmt | None) -> str:
    """`EDB105` where a builtin or a function like `torch.equal` asks for the truth of tensors."""
    looked = _condition(statement) or statement
    for node in ast.walk(looked) if looked is not None else ():
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name) and function.id in _BUILTINS:
                return "EDB105"
            if isinstance(function, ast.Attribute) and function.attr in _ASKING:
                return "EDB105"
        if isinstance(node, ast.Compare) and any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            return "EDB105"
    return ""


def _called(statement: ast.stmt | None) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(statement) if statement is not None else ():
        if isinstance(node, ast.Call):
            function = node.func
            names.add(function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", ""))
    return names


def _calls(statement: ast.stmt | None, names: set[str]) -> bool:
    return bool(_called(statement) & names)

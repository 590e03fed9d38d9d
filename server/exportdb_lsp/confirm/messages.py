"""One-sentence descriptions of failed exports, from what torch raises."""

from __future__ import annotations

import ast
import re
import shlex
from typing import TYPE_CHECKING, Any

from exportdb_lsp.confirm.syntax import parsed
from exportdb_lsp.worker.goals import GOALS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_DATA_DEPENDENT = re.compile(
    r"Could not (?:guard on|extract specialized integer from) data-dependent expression (.+?)(?: \(unhinted|\n|$)"
)
_BOOLEAN = re.compile(r"\b(bool|Bool)\b")
_EXPLANATION = re.compile(r"^\s*Explanation: (.+)$", re.MULTILINE)


def describe_failure(failure: Mapping[str, Any], statement: ast.stmt | None) -> str:
    """One sentence for a failed export.

    `failure` is the worker's report; `statement` the user's at the failing line, where it is known. The user's own code
    stands in the sentence, because `Eq(u0, 1)` is not something that anybody wrote.
    """
    detail: str = failure["detail"]
    if failure["violation"]:
        return _violation(failure)
    data = _DATA_DEPENDENT.search(detail)
    if data or "Data-dependent" in detail[:400] or "data-dependent" in detail[:200].lower():
        return _data_dependent(statement, data[1] if data else "", failure.get("span"))
    return _general(failure, detail)


def not_taken(failure: Mapping[str, Any]) -> str:
    """One sentence for a program that torch.export made, and that the tool of a goal did not take."""
    operator = failure["operator"]
    named = f"`{operator}`" if "." in operator or not operator.startswith("the ") else operator
    return f"{failure['says']} {named}: {_general(failure, failure['detail'])}"


def no_tools(goal: str, part: Mapping[str, Any]) -> str:
    """What has to be installed for a goal."""
    missing = [str(name) for name in part["missing"]]
    reasons: list[str] = []
    if missing:
        requirements = " ".join(shlex.quote(name) for name in missing)
        reasons.append(f"{_not_installed(missing)} in {part['python']} (pip install {requirements})")
    if part["compiler"]:
        reasons.append(f"the C++ compiler {part['compiler']} is not installed (install it, or set CXX)")
    if part["unusable"]:
        reasons.append(f"{', '.join(GOALS[goal].packages)} cannot be used in {part['python']}: {part['unusable']}")
    return f"not exported to {GOALS[goal].title}: {'; '.join(reasons)}"


def unchecked(goal: str, part: Mapping[str, Any]) -> str:
    """That the program of a call is judged, and not what the call makes of it."""
    return f"{GOALS[goal].artefact} itself: {_not_installed(part['missing'])}"


def _not_installed(names: Sequence[str]) -> str:
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} not installed"


def _data_dependent(statement: ast.stmt | None, expression: str, span: Sequence[int] | None = None) -> str:
    condition = _condition(statement, span)
    if condition is not None:
        kind, source = condition
        if kind == "assert":
            return f"Data-dependent assert: the value of `{source}` is unknown while tracing"
        if kind == "loop":
            return f"Data-dependent loop over `{source}`: the number of iterations is unknown while tracing"
        return f"Data-dependent branch: the value of `{source}` is unknown while tracing"
    needs = f" (`{expression}`)" if expression else ""
    shown = _at(statement, span) or _shown(statement)
    where = f"`{shown}`" if shown else "this line"
    return f"{where} needs a tensor value, which is unknown while tracing{needs}"


def _condition(statement: ast.stmt | None, span: Sequence[int] | None) -> tuple[str, str] | None:
    """What the statement decides: the kind, and the source. `span` is the part of it that raised, where that is known."""
    if isinstance(statement, ast.If):
        return "branch", _source(statement.test)
    if isinstance(statement, ast.While):
        return "loop", _source(statement.test)
    if isinstance(statement, ast.Assert):
        return "assert", _source(statement.test)
    if isinstance(statement, ast.For):
        return "loop", _source(statement.iter)
    if statement is not None:
        for node in ast.walk(statement):
            if isinstance(node, ast.IfExp) and _holds(node.test, span):
                return "branch", _source(node.test)
            if isinstance(node, ast.BoolOp) and any(_holds(value, span) for value in node.values[:-1]):
                return "branch", _source(node)
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) and _holds(node, span):
                return "branch", _source(node)
    return None


def _span(node: ast.expr) -> tuple[int, int, int, int]:
    """As Python's tracebacks have it: first and last row, first and last column."""
    return (node.lineno, node.end_lineno or node.lineno, node.col_offset, node.end_col_offset or node.col_offset)


def _holds(node: ast.expr, span: Sequence[int] | None) -> bool:
    """Whether a span lies within an expression; yes where none is known."""
    if span is None:
        return True
    first, last, begin, end = _span(node)
    return (first, begin) <= (span[0], span[2]) and (span[1], span[3]) <= (last, end)


def _at(statement: ast.stmt | None, span: Sequence[int] | None) -> str:
    """The expression of a statement with just this span; '' if there is none."""
    if statement is None or span is None:
        return ""
    fitting = (node for node in ast.walk(statement) if isinstance(node, ast.expr) and _span(node) == tuple(span))
    found = next(fitting, None)
    return _source(found) if found is not None else ""


def _shown(statement: ast.stmt | None) -> str:
    return _source(statement).splitlines()[0] if statement is not None else ""


def _source(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 80 else text[:77] + "..."


def _violation(failure: Mapping[str, Any]) -> str:
    frames: Sequence[Mapping[str, Any]] = failure["frames"]
    fixes: Mapping[str, str] = failure["suggested_fixes"]
    constant = re.search(
        r"marked (.+?) as dynamic but your code specialized it to be a constant \((\d+)\)", failure["detail"]
    )
    inferred = re.search(r"inferred a static shape of (\d+) for dimension inputs\['(\w+)'\](\S*)\.", failure["detail"])
    named = re.search(r"Constraints violated \(([^)]*)\)", failure["detail"])
    code = f" by `{frames[-1]['code']}`" if frames else ""
    if constant:
        head = f"{constant[1]} was declared dynamic but was specialized to {constant[2]}{code}"
    elif inferred:
        head = f"{inferred[2]}{inferred[3]} was declared dynamic but was specialized to {inferred[1]}{code}"
    else:
        head = f"the range of {named[1] if named else 'a dimension'} is narrowed{code}".replace("  ", " ")
    return head + (f"; torch suggests {', '.join(f'{k} = {v}' for k, v in fixes.items())}" if fixes else "")


def _general(failure: Mapping[str, Any], detail: str) -> str:
    explanation = _EXPLANATION.search(detail)
    lines = [line.strip() for line in detail.splitlines() if line.strip()]
    first = lines[0] if lines else ""
    if first.startswith("This higher order operator doesn't work") and len(lines) > 1:
        first = lines[1]
    if explanation:
        return f"{first}: {explanation[1].strip()}"
    return f"{failure['exception']}: {first}" if first else f"export raises {failure['exception']}"


def failing_statement(text: str | None, row: int | None, code: str = "") -> ast.stmt | None:
    """The statement at a row of a file; without the file, what can be read of the line alone, `code`."""
    if text is not None and row is not None:
        return enclosing(text, row)
    for whole in (code, f"{code}\n    pass", f"if 0:\n    pass\n{code}\n    pass", f"try:\n    pass\n{code}\n    pass"):
        try:
            body = parsed(whole).body if code else []
        except SyntaxError:
            continue
        first = body[0] if body else None
        if whole.startswith("if 0:") and isinstance(first, ast.If) and first.orelse:
            return first.orelse[0]
        return None if whole.startswith("try:") else first
    return None


def enclosing(text: str, row: int) -> ast.stmt | None:
    """The innermost statement around a line; for `if` and the like only their head counts."""
    try:
        tree = parsed(text)
    except SyntaxError:
        return None
    found: ast.stmt | None = None
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or not node.lineno <= row <= _head_end(node):
            continue
        if found is None or node.lineno >= found.lineno:
            found = node
    return found


def _head_end(node: ast.stmt) -> int:
    body: list[ast.stmt] = getattr(node, "body", [])
    end = node.end_lineno or node.lineno
    if body:
        first = body[0]
        return max(node.lineno, min(end, first.lineno - (first.lineno != node.lineno)))
    return end


def eager(unsteady: Mapping[str, Any]) -> str:
    """How one run of eager differs from another."""
    return f"{unsteady['place']}: {unsteady['detail']}"


def also_in_eager(part: Mapping[str, Any]) -> str:
    """That the model does not run in eager either, behind a sentence on its export."""
    first = (part["detail"].strip().splitlines() or [""])[0]
    return f" (the model also raises {part['exception']} in eager{': ' + first if first else ''})"


def later(row: Mapping[str, Any], text: str | None) -> str:
    """One sentence for a failure that `draft_export` found."""
    kind = row["kind"]
    if kind == "MISSING_FAKE_KERNEL":
        return f"{row['operator']} has no fake kernel: the shape of its result is unknown while tracing"
    if kind == "MISMATCHED_FAKE_KERNEL":
        return f"the fake kernel of {row['operator']} disagrees with the real one: {row['reason']}"
    if kind == "GUARD_ADDED":
        return f"a dimension is narrowed here: {row['expression']}"
    frames: Sequence[Mapping[str, Any]] = row["frames"]
    statement = enclosing(text, frames[-1]["row"]) if text is not None and frames else None
    return _data_dependent(statement, row["expression"])

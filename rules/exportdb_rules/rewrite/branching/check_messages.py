"""The messages of checks, as code that is fixed while tracing."""

from __future__ import annotations

import re
import string
from itertools import count
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import lattice
from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import below, dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from exportdb_rules.rewrite.fix_site import FixSite

# Literals that stand one behind the other become one where that fits into a line.
_MAX_JOINED: Final = 90


def raised(place: FixSite, exception: cst.BaseExpression) -> str | None:
    """The message of an exception, as code; None if it has none."""
    if isinstance(exception, (cst.Name, cst.Attribute)):
        return repr(dotted(exception))
    if not isinstance(exception, cst.Call):
        raise FixNotApplicable(NoFix.CHECK_FORM, "an exception that is made elsewhere")
    arguments = [a for a in exception.args if not a.star and a.keyword is None]
    if len(arguments) != len(exception.args) or len(arguments) > 1:
        raise FixNotApplicable(NoFix.CHECK_FORM, "an exception with more than a message")
    return message_of(place, arguments[0].value) if arguments else repr(dotted(exception.func))


def message_of(place: FixSite, node: cst.BaseExpression) -> str:
    """A message as code that is fixed while tracing: where it would show data, it shows the source of that instead."""
    literals = _literals(place, node)
    if isinstance(node, cst.ConcatenatedString) and literals == [text.value for text in _texts(node)]:
        # Nothing changes: the lines stay as they are.
        code = place.tree.code(node)
        return code if node.lpar or "\n" not in code else f"({code})"
    joined: list[str] = []
    for literal in literals:
        plain = joined and literal[0] in "'\"" and joined[-1][0] == literal[0] and "\\" not in joined[-1] + literal
        if plain and literal[:3] != 3 * literal[0] != joined[-1][:3] and len(joined[-1] + literal) < _MAX_JOINED:
            joined[-1] = joined[-1][:-1] + literal[1:]
        else:
            joined.append(literal)
    return " ".join(joined)


def _literals(place: FixSite, node: cst.BaseExpression) -> list[str]:
    """The literals that make up a message, none of them in parentheses: behind a literal these would call it."""
    if isinstance(node, cst.SimpleString) and not node.prefix.lower().startswith("b"):
        return [node.value]
    if isinstance(node, cst.ConcatenatedString):
        return [*_literals(place, node.left), *_literals(place, node.right)]
    if isinstance(node, cst.FormattedString):
        return [_formatted(place, node.with_changes(lpar=[], rpar=[]))]
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        return [*_literals(place, node.left), *_literals(place, node.right)]
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
        given = [e.value for e in node.right.elements] if isinstance(node.right, cst.Tuple) else [node.right]
        made = _formatted_string(node.left, lambda template: _by_percent(template, [*map(place.tree.code, given)]))
        return _literals(place, made or node.left)
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value == "format":
        template, args = node.func.value, node.args
        given = {
            arg.keyword.value if arg.keyword else str(at): place.tree.code(arg.value) for at, arg in enumerate(args)
        }
        stars = any(arg.star for arg in args)
        made = None if stars else _formatted_string(template, lambda template: _by_braces(template, given))
        return _literals(place, made or template)
    if isinstance(node, cst.Call) and dotted(node.func) in ("str", "repr"):
        return [repr(place.tree.code(node.args[0].value)) if len(node.args) == 1 else repr("")]
    raise FixNotApplicable(NoFix.CHECK_FORM, "the message is computed")


def _formatted(place: FixSite, node: cst.FormattedString) -> str:
    quote = node.start[-1]
    parts: list[cst.BaseFormattedStringContent] = []
    for part in node.parts:
        if isinstance(part, cst.FormattedStringExpression) and not _constant(place, part.expression):
            shown = place.tree.code(part.expression).replace("{", "{{").replace("}", "}}")
            shown = shown.replace(quote, "'" if quote == '"' else '"')
            if "\\" in shown or "\n" in shown:
                raise FixNotApplicable(NoFix.CHECK_FORM, "the message shows what cannot be written down")
            parts.append(cst.FormattedStringText(shown))
        else:
            parts.append(part)
    if any(isinstance(part, cst.FormattedStringExpression) for part in parts):
        return place.tree.code(node.with_changes(parts=parts))
    text = "".join(part.value for part in parts if isinstance(part, cst.FormattedStringText))
    start = node.start.replace("f", "").replace("F", "")
    return f"{start}{text.replace('{{', '{').replace('}}', '}')}{node.end}"


def _constant(place: FixSite, node: cst.BaseExpression) -> bool:
    """Whether tracing knows the value: no tensor, no symbol."""
    value = place.inference.value(node)
    if value is None and dotted(node):
        # Messages are not evaluated; where the name stands elsewhere in the function, it is.
        alike = (n for n in below(place.function.body, type(node)) if dotted(n) == dotted(node))
        value = next((v for n in alike if (v := place.inference.value(n)) is not None), None)
    if value is None:
        return False
    return all(isinstance(c, (domain.Const, domain.Static)) for c in lattice.choices(value))


def _formatted_string(template: cst.BaseExpression, filled: Callable[[str], str]) -> cst.FormattedString | None:
    """An f-string that says the same as a template that is filled; None where one cannot be written."""
    texts = _texts(template)
    quotes = {text.quote for text in texts}
    if any(text.prefix for text in texts) or len(quotes) != 1 or len(quote := quotes.pop()) != 1:
        return None
    try:
        made = cst.parse_expression(f"f{quote}{filled(''.join([text.raw_value for text in texts]))}{quote}")
    except (cst.ParserSyntaxError, LookupError, ValueError):
        return None
    return made if isinstance(made, cst.FormattedString) else None


def _texts(node: cst.BaseExpression) -> list[cst.SimpleString]:
    """The texts that stand one behind the other; none where one of them is an f-string, or computed."""
    if isinstance(node, cst.ConcatenatedString):
        left, right = _texts(node.left), _texts(node.right)
        return [*left, *right] if left and right else []
    return [node] if isinstance(node, cst.SimpleString) else []


def _by_braces(template: str, given: dict[str, str]) -> str:
    """What stands in an f-string for `template.format(…)`.

    Raises:
        LookupError, ValueError: the template does not go with what is given.
    """
    parts: list[str] = []
    places = count()
    for text, name, spec, conversion in string.Formatter().parse(template):
        parts.append(_escaped(text))
        if "{" in (spec or ""):
            raise ValueError("a format that is computed")
        if name is not None:
            key = re.split(r"\W", name, maxsplit=1)[0]
            shown = _shown(given[key or str(next(places))]) + name[len(key) :]
            parts.append("{" + shown + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}")
    return "".join(parts)


# Widths of texts and whole numbers go another way in an f-string, and flags have other names.
_PERCENT: Final = re.compile(r"%(?:([0-9.]*)([efgx])|([sdir%]))")


def _by_percent(template: str, given: Sequence[str]) -> str:
    """What stands in an f-string for `template % (…)`.

    Raises:
        ValueError: the template does not go with what is given, or has a form of its own.
    """
    if "%" in _PERCENT.sub("", template):
        raise ValueError("a form that an f-string has not")
    waiting, parts, end = list(given), list[str](), 0
    for one in _PERCENT.finditer(template):
        width, kind, plain = one.groups()
        parts.append(_escaped(template[end : one.start()]))
        end = one.end()
        if plain == "%":
            parts.append("%")
            continue
        if not waiting:
            raise ValueError("more places than values")
        parts.append("{" + _shown(waiting.pop(0)) + (f":{width}{kind}" if kind else "!r" if plain == "r" else "") + "}")
    if waiting:
        raise ValueError("more values than places")
    return "".join([*parts, _escaped(template[end:])])


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _shown(code: str) -> str:
    """An expression as it may stand in an f-string of every Python.

    Raises:
        ValueError: it may not.
    """
    if set(code) & set("\"'\\\n{}:!="):
        raise ValueError("not in an f-string")
    return code

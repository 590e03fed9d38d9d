"""What a fix may know: the text, the finding, and the value that every expression near it had."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from exportdb_rules.values import TOP, Value

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping

    from exportdb_rules.finding import Finding, Span


@dataclass(frozen=True, slots=True)
class FixContext:
    """The question "how can this finding be mended?".

    `values` holds, for every expression that the interpreter evaluated in this file, the join of all values that it
    had, keyed by its span (parentheses around it excluded). An assignment target has the value it was given. `sizes` are
    those that the dynamic dimensions have in the example inputs. `suppose` evaluates an expression that the text does not
    have, where its names have the values given.
    """

    finding: Finding
    text: str
    values: Mapping[Span, Value]
    torch_version: str
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    suppose: Callable[[ast.expr, Mapping[str, Value]], Value] = lambda _node, _names: TOP

    def value(self, span: Span) -> Value:
        """The value of the expression at `span`; UNKNOWN where it was never evaluated."""
        return self.values.get(span, TOP)

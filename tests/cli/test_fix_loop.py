"""Fixes in rounds, with rules made up for it: a finding is a word in the text, its fix replaces the word."""

from __future__ import annotations

import re

from exportdb_lsp.checking.fix_loop import MAX_ROUNDS, rewrite_text
from exportdb_rules.finding import Applicability, Confidence, Edit, Finding, Fix, Mode, Position, Span, Verdict
from exportdb_rules.rewrite.edits import TextOffsets


def position(text: str, offset: int) -> Position:
    """Row and column of a character, in a text whose lines end with a line feed."""
    before = text[:offset]
    return Position(before.count("\n") + 1, offset - before.rfind("\n"))


class Words:
    """Finds words and replaces them."""

    def __init__(self, replacements: dict[str, str], applicability: Applicability = Applicability.SAFE) -> None:
        self.replacements = replacements
        self.applicability = applicability
        self.text = ""
        self.looks = 0

    def find(self, text: str) -> tuple[Finding, ...]:
        self.text = text
        self.looks += 1
        pattern = "|".join(rf"\b{word}\b" for word in self.replacements)
        return tuple(
            Finding(
                "EDB101", "word", m[0], "f.py", Span(position(text, m.start()), position(text, m.end())),
                {Mode.NON_STRICT: Verdict.FAILS}, Confidence.CERTAIN, "f", fixable=True,
            )
            for m in re.finditer(pattern, text)
        )  # fmt: skip

    def mend(self, finding: Finding) -> tuple[Fix, ...]:
        assert TextOffsets(self.text).slice(finding.span) == finding.message, "a fix was asked for another text"
        edit = Edit(finding.span, self.replacements[finding.message])
        other = Edit(finding.span, "never")
        return (Fix("other", Applicability.SAFE, (other,)), Fix("replace", self.applicability, (edit,), preferred=True))

    def run(self, text: str, unsafe: bool = False) -> str:
        return rewrite_text(text, self.find, self.mend, unsafe=unsafe).text


def test_only_the_preferred_fix_is_applied() -> None:
    assert Words({"old": "new"}).run("x = old\n") == "x = new\n"


def test_an_unsafe_fix_waits_to_be_asked_for() -> None:
    words = Words({"old": "new"}, Applicability.UNSAFE)
    assert words.run("x = old\n") == "x = old\n"
    assert words.run("x = old\n", unsafe=True) == "x = new\n"


def test_fixes_of_one_function_take_turns() -> None:
    words = Words({"old": "new"})
    assert words.run("def f():\n    old\n    old\n\ndef g():\n    old\n").count("new") == 3
    # First look, then one after each round: f and g together, then the second of f.
    assert words.looks == 3


def test_fixes_of_one_statement_outside_of_functions_take_turns() -> None:
    words = Words({"old": "new"})
    assert words.run("x = old + old\ny = old\n") == "x = new + new\ny = new\n"
    # x and y together, then the second one of x.
    assert words.looks == 3


def test_fixes_in_the_head_of_a_statement_take_turns() -> None:
    words = Words({"old": "new"})
    assert words.run("if old and old:\n    x = old\nelse:\n    x = old\n").count("new") == 4
    assert words.looks == 3


def test_what_a_fix_uncovers_is_fixed_in_the_next_round() -> None:
    assert Words({"one": "two", "two": "three"}).run("one\n") == "three\n"


def test_a_fix_that_breaks_the_text_is_undone() -> None:
    assert Words({"bad": "(", "old": "new"}).run("bad\nold\n") == "bad\nnew\n"


def test_a_fix_that_does_not_help_is_undone_and_not_tried_again() -> None:
    words = Words({"old": "old + old"})
    assert words.run("old\n") == "old\n"
    assert words.looks < MAX_ROUNDS


def test_fixes_that_turn_in_a_circle_come_to_an_end() -> None:
    rewriting = (words := Words({"ping": "pong", "pong": "ping"})) and rewrite_text(
        "ping\n", words.find, words.mend, unsafe=False
    )
    assert rewriting.text in ("ping\n", "pong\n")
    assert rewriting.gave_up
    assert words.looks <= MAX_ROUNDS * 2 + 1


def test_new_lines_of_a_fix_follow_the_file() -> None:
    assert Words({"old": "a\nb"}).run("old\r\nx\r\n") == "a\r\nb\r\nx\r\n"

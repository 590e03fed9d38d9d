"""The errors of the cases, as they were measured, lead to the rules of the cases."""

from __future__ import annotations

import re

import pytest
from exportdb_rules import verdict_table
from exportdb_rules.rule import find, registry
from exportdb_rules.torch_errors import GRAPH_BREAKS, rules_for

VERSION = "2.13.0"
RULES = {case: rule.code for rule in registry() for case in rule.cases}
BROKEN = sorted(
    {
        (record.graph_break, RULES[base], case)
        for version in verdict_table.versions()
        for case, modes in verdict_table.records(version).items()
        for record in modes.values()
        if record.graph_break
        and (base := case if case in RULES else re.sub(r"_(named|dynamic|auto)$", "", case)) in RULES
    }
)


def test_every_rule_of_a_graph_break_exists() -> None:
    assert {code for codes in GRAPH_BREAKS.values() for code in codes if find(code) is None} == set()
    assert all(re.fullmatch(r"GB\d{4}", name) and codes for name, codes in GRAPH_BREAKS.items())


@pytest.mark.parametrize(("graph_break", "code"), sorted({(name, code) for name, code, _ in BROKEN}))
def test_a_measured_graph_break_leads_to_the_rule_of_its_case(graph_break: str, code: str) -> None:
    assert code in GRAPH_BREAKS[graph_break]


@pytest.mark.parametrize(
    ("exception", "message", "code"),
    [
        ("TypeError", "unhashable type: non-nested SymInt", "EDB306"),
        ("RuntimeError", "There was no fake impl registered for <CustomOpDef(a::b)>.", "EDB801"),
        ("TypeError", "Module._wrapped_call_impl() got multiple values for argument 'mod'", "EDB702"),
        ("RuntimeError", "Found <class 'a.B'> in output, which is not a known type.", "EDB701"),
        ("UserError", "Could not guard on data-dependent expression u0 > 2 (unhinted: u0 > 2)", "EDB103"),
        ("SomethingElse", "nothing that is known", None),
        ("ValueError", "Constraints violated (rows)!", None),
    ],
)
def test_words_of_an_error_lead_to_a_rule(exception: str, message: str, code: str | None) -> None:
    assert next(iter(rules_for(exception, message, None, None)), None) == code

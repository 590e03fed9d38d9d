"""`export --junit`: what a CI service reads of an export."""

from __future__ import annotations

from xml.etree import ElementTree

from exportdb_lsp.confirm.result import ExportResult, Frame, Outcome
from exportdb_lsp.output.junit import to_xml
from exportdb_rules.finding import Mode


def result(outcome: Outcome, mode: Mode = Mode.NON_STRICT, **fields: object) -> ExportResult:
    return ExportResult("Net", "net.py", mode, outcome, "a \x1b[31m <message>", seconds=0.5, **fields)  # type: ignore[arg-type]


def test_failures_and_errors_are_told_apart() -> None:
    frames = (Frame("net.py", 7, "if x.sum() > 0:"),)
    xml = to_xml(
        [
            result(Outcome.OK),
            result(Outcome.FAILS, Mode.STRICT, frames=frames, detail="torch says"),
            result(Outcome.NO_INPUTS),
            result(Outcome.DIVERGES),
        ]
    )
    (suite,) = ElementTree.fromstring(xml)
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors"), suite.get("time")) == (
        "4",
        "2",
        "1",
        "2.000",
    )
    fine, failing, untried, diverging = suite
    assert list(fine) == []
    assert (failing.get("classname"), failing.get("name"), failing.get("line")) == ("net.py::Net", "strict", "7")
    assert failing[0].tag == "failure"
    assert failing[0].text == "net.py:7: if x.sum() > 0:\ntorch says"
    assert "\x1b" not in (failing[0].get("message") or "")
    assert (untried[0].tag, untried[0].get("type")) == ("error", "no-inputs")
    assert (diverging[0].tag, diverging[0].get("type")) == ("failure", "diverges")


def test_nothing_exported_is_an_empty_suite() -> None:
    (suite,) = ElementTree.fromstring(to_xml([]))
    assert suite.get("tests") == "0"


def test_names_that_xml_has_no_way_to_write_leave_it_readable() -> None:
    odd = ExportResult(
        "Net", "a\x07\udce9.py", Mode.STRICT, Outcome.FAILS, "no", frames=(Frame("a\x07\udce9.py", 1, "x"),)
    )
    (suite,) = ElementTree.fromstring(to_xml([odd]))
    assert suite[0].get("classname") == "a��.py::Net"

"""Which measurement a version of torch is given."""

from __future__ import annotations

import json

import pytest
from exportdb_cases import support_file
from exportdb_rules import verdict_table
from exportdb_rules.finding import Mode, Verdict


@pytest.fixture
def measured(tmp_path, monkeypatch):
    """A folder with three measured versions, in which the fate of two cases changed."""

    def keep(version: str, **verdicts: str | None) -> None:
        cases = {
            name: {"strict": {"verdict": verdict} if verdict else {"verdict": None, "error": "not on this version"}}
            for name, verdict in verdicts.items()
        }
        text = json.dumps({"torch": version, "python": "3.11", "cases": cases})
        (tmp_path / f"{version}.json").write_text(text)

    keep("2.6.0", old="fails", changed="fails")
    keep("2.9.1", old=None, changed="ok")
    keep("2.13.0", changed="diverges", new="specializes")
    monkeypatch.setattr(support_file, "FOLDER", tmp_path)
    for cached in (verdict_table.versions, verdict_table.verdict, verdict_table.records):
        cached.cache_clear()
    yield
    for cached in (verdict_table.versions, verdict_table.verdict, verdict_table.records):
        cached.cache_clear()


@pytest.mark.parametrize(
    ("case", "version", "verdict"),
    [
        ("changed", "2.6.0", "fails"),
        ("changed", "2.9.1", "ok"),
        ("changed", "2.13.0", "diverges"),
        # Between two: the lower one.
        ("changed", "2.8.0", "fails"),
        ("changed", "2.12.1", "ok"),
        # Beyond the ends: the nearest end.
        ("changed", "2.4.0", "fails"),
        ("changed", "3.0.0", "diverges"),
        # Not in that file, or not measurable there: the nearest below that has it, else the nearest above.
        ("old", "2.13.0", "fails"),
        ("new", "2.6.0", "specializes"),
        # How torch writes its version.
        ("changed", "2.13.0+cpu", "diverges"),
        ("changed", "2.13.0a0+git1234", "diverges"),
        ("changed", "2.9.1.post1", "ok"),
        ("changed", "2.10", "ok"),
    ],
)
def test_the_verdict_of_a_version(measured, case: str, version: str, verdict: str) -> None:
    assert verdict_table.verdict(case, version, Mode.STRICT) is Verdict(verdict)


def test_what_nobody_measured_has_no_verdict(measured) -> None:
    assert verdict_table.verdict("unknown", "2.13.0", Mode.STRICT) is None
    assert verdict_table.verdict("changed", "2.13.0", Mode.NON_STRICT) is None


def test_versions_are_in_the_order_of_versions_not_of_letters(measured) -> None:
    assert verdict_table.versions() == ("2.6.0", "2.9.1", "2.13.0")


def test_what_is_no_version_is_an_error(measured) -> None:
    with pytest.raises(ValueError, match="not a version of torch: 'newest'"):
        verdict_table.verdict("changed", "newest", Mode.STRICT)


def test_neighbours_that_agree_are_one_span(measured) -> None:
    assert verdict_table.spans(["old"]) == (("2.6.0", "2.6.0"), ("2.9.1", "2.13.0"))
    assert [verdict_table.span_title(span) for span in verdict_table.spans(["old"])] == ["2.6.0", "2.9.1 … 2.13.0"]
    assert verdict_table.spans(["changed", "new"]) == (("2.6.0", "2.6.0"), ("2.9.1", "2.9.1"), ("2.13.0", "2.13.0"))

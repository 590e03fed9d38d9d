"""The built site: nothing is missing in it, and no link in it leads nowhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from exportdb_cases.collection import all_cases
from exportdb_lsp.links import SITE, rule_page
from exportdb_rules import verdict_table
from exportdb_rules.finding import Mode
from exportdb_rules.rule import documented

REPOSITORY = Path(__file__).parents[2]
# It is built once: all of these go to the same worker.
pytestmark = pytest.mark.xdist_group("site")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning: mkdocs looks after the links between the pages."""
    folder = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1", "EXPORTDB_SITE_SEARCH": "false"}
    done = subprocess.run(command, cwd=REPOSITORY, env=quiet, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return folder


def test_there_is_a_page_for_every_rule_and_every_case_and_for_no_other(site: Path) -> None:
    assert {path.parent.name for path in site.glob("rules/*/index.html")} == {rule.name for rule in documented()}
    assert {path.parent.name for path in site.glob("cases/*/index.html")} == {case.name for case in all_cases()}


def test_the_address_of_every_rule_is_its_page(site: Path) -> None:
    for rule in documented():
        assert (site / rule_page(rule.name).removeprefix(SITE) / "index.html").is_file()


def test_the_matrix_has_a_row_for_every_case_and_a_column_for_every_version_and_mode(site: Path) -> None:
    matrix = (site / "support" / "index.html").read_text(encoding="utf-8")
    rows = re.findall(
        r'<tr data-family="[a-z_]+" data-tags="[^"]*"><td><a href="([^"]+)"[^>]*>([\w/]+)</a></td>(.*?)</tr>', matrix
    )
    shipped = sorted(
        name for name in verdict_table.records(verdict_table.versions()[-1]) if name.startswith("official/")
    )
    assert len(shipped) == 36
    names = [name for _, name, _ in rows]
    assert names[: len(all_cases())] == [case.name for case in all_cases()]
    assert sorted(names[len(all_cases()) :]) == shipped
    newest_first = [(version, mode) for version in reversed(verdict_table.versions()) for mode in Mode]
    for _, name, cells in rows:
        words = re.findall(r'<td class="(\w+)">', cells)
        measured = [
            dict(zip(Mode, verdict_table.measured(name, version), strict=True))[mode] for version, mode in newest_first
        ]
        assert words == [word or "none" for word in measured], name


def test_every_link_inside_the_site_leads_somewhere(site: Path) -> None:
    """Also those in generated HTML, which mkdocs does not see."""
    broken: set[tuple[str, str]] = set()
    known: dict[str, bool] = {}
    for page in site.rglob("*.html"):
        if page.name == "404.html":
            continue
        for link in {*re.findall(r'(?:href|src)="([^"#?]+)', page.read_text(encoding="utf-8"))}:
            if re.match(r"[a-z]+:|//", link):
                continue
            target = os.path.normpath(page.parent / link)
            if target not in known:
                known[target] = os.path.isfile(os.path.join(target, "index.html")) or os.path.isfile(target)
            if not known[target]:
                broken.add((str(page.relative_to(site)), link))
    assert broken == set()


def test_links_out_of_the_site_are_secure(site: Path) -> None:
    pages = [
        *site.glob("*.html"),
        *site.glob("guide/**/*.html"),
        *site.glob("rules/**/*.html"),
        *site.glob("cases/**/*.html"),
    ]
    found = {link for page in pages for link in re.findall(r'href="([a-z]+:[^"]+)"', page.read_text(encoding="utf-8"))}
    assert {link for link in found if not link.startswith(("https://", "mailto:"))} == set()


def test_pages_of_graph_breaks_stand_where_torch_says(site: Path) -> None:
    from torch._dynamo.exc import get_gbid_documentation_link

    link = get_gbid_documentation_link("Data-dependent branching")
    assert f'href="{link}"' in (site / "cases" / "tensor_if" / "index.html").read_text(encoding="utf-8")

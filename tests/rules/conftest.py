"""What the tests of the rules share: a text is checked as a file of its own, and its findings are compared in short."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from exportdb_rules.engine import Project, Report, Settings, check
from exportdb_rules.finding import Mode
from exportdb_rules.interpreter import calls

sys.path.insert(0, str(Path(__file__).parent))  # the tables beside the tests

from checking import Checker


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The pages of the rules about a goal are read by test_goal_rules: torch.export itself exports their examples."""
    items[:] = [item for item in items if not (item.path.name == "test_pages.py" and _of_goal(item))]


def _of_goal(item: pytest.Item) -> bool:
    called = getattr(item, "callspec", None)
    return called is not None and bool(getattr(called.params.get("rule"), "goal", ""))


BOTH = (Mode.NON_STRICT, Mode.STRICT)


@pytest.fixture
def check_text(tmp_path: Path) -> Iterator[Checker]:
    """Check a text in both modes: `check_text(text, dynamic="all", **settings)`."""

    def run(text: str, dynamic: str = "none", **settings: object) -> Report:
        filename = str(tmp_path / "model.py")
        project = Project(tmp_path)
        project.set_text(filename, text)
        return check(project, filename, Settings(modes=BOTH, assume_dynamic=dynamic, **settings))  # type: ignore[arg-type]

    return run


@pytest.fixture
def refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, Mode], bool]:
    """Whether export refuses the `Net` of a text for example arguments, which are code: `refuses(text, arguments, mode)`."""
    torch = pytest.importorskip("torch")

    def export(text: str, arguments: str, mode: Mode) -> bool:
        path = tmp_path / "net.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location("net_of_a_test", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)  # strict export looks up the class there
        spec.loader.exec_module(module)
        net, given = module.Net(), eval(arguments, {"torch": torch})
        net(*given)
        try:
            torch.export.export(net, given, strict=mode is Mode.STRICT)
        except Exception:
            return True
        finally:
            torch._dynamo.reset()
        return False

    return export


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that are run, in this order."""
    names: list[str] = []
    plain = calls.run_body

    def noted(frame, info):  # type: ignore[no-untyped-def]
        names.append(info.name)
        plain(frame, info)

    monkeypatch.setattr(calls, "run_body", noted)
    return names

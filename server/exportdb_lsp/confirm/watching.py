"""The calls of torch.export that a file or its project makes, judged where they are made: what is run to get to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exportdb_rules.source import split_lines

from exportdb_lsp.confirm import recorded, sites
from exportdb_lsp.confirm.result import ExportResult, Frame, InputOrigin, Outcome
from exportdb_lsp.confirm.watched import WatchedCalls
from exportdb_lsp.files.rewriting import FileError, read_text_file
from exportdb_lsp.interpreter import torch_version

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping, Sequence

    from exportdb_lsp.confirm.request import ExportRequest
    from exportdb_lsp.confirm.targets import Target

    Task = Callable[[str, dict[str, Any], Callable[[dict[str, Any]], None], threading.Event | None], dict[str, Any]]

# How many files of the project are run to get to a call of one class.
MAX_FILES = 3


class Watching:
    """The calls of one request. `task` does a job on an interpreter's worker, and says how it ended."""

    def __init__(
        self,
        task: Task,
        request: ExportRequest,
        text: str,
        on_progress: Callable[[str], None],
        cancelled: threading.Event | None,
    ) -> None:
        self._task = task
        self._request = request
        self._text = text
        self._on_progress = on_progress
        self._cancelled = cancelled
        self._lost: list[tuple[sites.CallSite, str]] = []
        self._passed: set[str] = set()

    def of_file(self, found: Sequence[Target]) -> list[ExportResult]:
        """The results of the calls in the file; with a name, of those that export it or stand in it."""
        request = self._request
        if request.dynamic != "given":
            return []
        calls = sites.of_text(self._text, self._module)
        name = request.name or ""
        target = next((t for t in found if name in (t.name, *t.names)), None)
        if target is not None and any(
            input_source.source in (InputOrigin.COMMENT, InputOrigin.CONFIG) for input_source in target.input_sources
        ):
            return []
        inside = [site for site in calls.sites if name and _is_in(site, name)]
        wanted = inside or list(calls.sites)
        kind = "" if inside or not name else name
        results: list[ExportResult] = []
        for holder in calls.holders:
            if holder.sites and not any(site in wanted for site in holder.sites):
                continue
            new, left = self._run(request.filename, self._text, calls, holder, kind)
            new = [_placed(result, calls.sites, request.filename) for result in new]
            # What the module calls as it is imported, it calls for each holder.
            seen = {(result.call, result.target, result.how) for result in results}
            new = [
                result
                for result in new
                if _at(result, holder.sites, request.filename) or (result.call, result.target, result.how) not in seen
            ]
            if inside:
                new = [result for result in new if _at(result, inside, request.filename)]
            results += new
            self._lost += [(site, left) for site in holder.sites if site in wanted]
        self._lost += [(site, "") for site in calls.lost if site in wanted]
        reached = self._passed | {result.call for result in results}
        self._lost = [lost for lost in self._lost if not reached & _rows(lost[0], request.filename)]
        if kind:
            return results
        explicit = any(
            input_source.source in (InputOrigin.COMMENT, InputOrigin.CONFIG)
            for t in found
            for input_source in t.input_sources
        )
        results += [] if explicit else self._again(calls)
        return results

    def _module(self, name: str, dots: int) -> str | None:
        """The text of a module of the project, as the file imports it; None for any other."""
        folder = Path(self._request.filename).parent
        bases = [folder, self._request.root, self._request.root / "src"]
        if dots:
            bases = [folder.joinpath(*[".."] * (dots - 1))]
        for base in bases:
            path = base.joinpath(*name.split(".")) if name else base
            for candidate in (path.with_suffix(".py"), path / "__init__.py"):
                if str(candidate) != self._request.filename and candidate.is_file():
                    return self._text_of(str(candidate)) or None
        return None

    def _again(self, calls: sites.Calls) -> list[ExportResult]:
        """The calls that were not reached, once more by the function that they stand in; else told as they are."""
        results: list[ExportResult] = []
        for site, left in self._lost:
            holder = sites.alone(self._text, site) if site not in calls.lost else None
            new: list[ExportResult] = []
            if holder is not None and not any(holder.names == other.names for other in calls.holders):
                new, left = self._run(self._request.filename, self._text, calls, holder, "")
                # The calls before it were seen where they are made.
                new = [result for result in new if _at(result, (site,), self._request.filename)]
            results += new or self._not_rebuilt(site, left)
        return results

    def _not_rebuilt(self, site: sites.CallSite, left: str) -> list[ExportResult]:
        filename = self._request.filename
        lines = split_lines(self._text)
        where = f"`{site.function}`" if site.function else "the module"
        reason = left or f"no call of {where} with known arguments in this file"
        message = (
            f"the call of torch.export at {Path(filename).name}:{site.row} was not reached: {reason}. "
            f"Run the program that calls it: exportdb-lsp run {Path(filename).name if left else 'SCRIPT'}"
        )
        frame = Frame(filename, site.row, lines[site.row - 1].strip() if site.row <= len(lines) else "")
        modes = self._request.modes[:1] if self._request.own_mode else self._request.modes
        return [
            ExportResult(
                target=site.function or Path(filename).stem,
                filename=filename,
                mode=mode,
                outcome=Outcome.NOT_REBUILT,
                torch=torch_version(self._request.interpreter) or "",
                message=message,
                frames=(frame,),
                call=f"{filename}:{site.row}",
            )
            for mode in modes
        ]

    def without_calls(self, chosen: Sequence[Target], results: Sequence[ExportResult]) -> list[Target]:
        """What of the chosen targets is to be exported beside the calls: what somebody wrote inputs for."""
        if not results:
            return list(chosen)
        if self._request.name is not None:
            return []
        told = {result.target for result in results}
        return [
            target
            for target in chosen
            if any(
                input_source.source in (InputOrigin.COMMENT, InputOrigin.CONFIG)
                for input_source in target.input_sources
            )
            or (target.source is InputOrigin.MODULE and target.name not in told)
        ]

    def recorded(self, target: Target) -> list[ExportResult]:
        """The newest call of a class that was recorded and can still be reached, by the program that made it."""
        if self._request.dynamic != "given" or target.kind != "class":
            return []
        calls = recorded.of_file(self._request.filename, self._text)
        for call in [call for call in calls if call.entry == target.name][:1]:
            program = {"script": call.script, "module": call.is_module, "arguments": list(call.arguments)}
            holder: dict[str, Any] = {"how": "program", "names": [], "program": program}
            own = call.filename == self._request.filename
            text = self._text if own else self._text_of(call.filename)
            more = {"folder": call.folder, "source": InputOrigin.RECORDED.value, "first": True, "class": target.name}
            found, _ = self._watch(call.filename, text, holder, {}, more)
            if found:
                return [replace(result, filename=self._request.filename) for result in found]
        return []

    def _text_of(self, filename: str) -> str:
        try:
            return self._request.documents.get(filename) or read_text_file(Path(filename)).text
        except FileError:
            return ""

    def in_project(self, target: Target) -> list[ExportResult]:
        """The first call of another file that exports the class, where nobody wrote other inputs for it."""
        input_sources = [
            input_source
            for input_source in target.input_sources
            if input_source.source is InputOrigin.CALL and not input_source.called and input_source.file
        ]
        if self._request.dynamic != "given" or not target.input_sources or target.source is not InputOrigin.CALL:
            return []
        files = list(dict.fromkeys(input_source.file for input_source in input_sources))[:MAX_FILES]
        for filename in files:
            rows = {input_source.row for input_source in input_sources if input_source.file == filename}
            text = self._text_of(filename)
            try:
                calls = sites.of_text(text)
            except SyntaxError:
                continue
            for holder in calls.holders:
                if not rows & {site.row for site in holder.sites}:
                    continue
                found, _ = self._run(filename, text, calls, holder, target.name, first=True)
                if found:
                    return [replace(result, filename=self._request.filename) for result in found]
        return []

    def _run(
        self, filename: str, text: str, calls: sites.Calls, holder: sites.Holder, kind: str, *, first: bool = False
    ) -> tuple[list[ExportResult], str]:
        """One holder: the results of its calls, and why it ended without others of them."""
        return self._watch(filename, text, holder.to_json(), calls.scopes, {"class": kind, "first": first})

    def _watch(
        self,
        filename: str,
        text: str,
        holder: Mapping[str, Any],
        scopes: Mapping[int, Any],
        more: Mapping[str, Any],
    ) -> tuple[list[ExportResult], str]:
        request = self._request
        documents: Mapping[str, str] = request.documents
        if filename != request.filename and request.text is not None:
            documents = {**documents, request.filename: request.text}
        watched = WatchedCalls(replace(request, filename=filename), text)
        self._on_progress(f"running {', '.join(holder['names']) or Path(filename).name}")

        def hear(part: dict[str, Any]) -> None:
            watched.add(part)
            if part["part"] == "call":
                self._on_progress(f"{part['model']} at {Path(part['filename']).name}:{part['row']}")

        job = {
            "task": "calls",
            "holder": dict(holder),
            "scopes": dict(scopes),
            "modes": None if request.own_mode else [mode.value for mode in request.modes],
            "mode": "",
            "goals": list(request.goals),
            "filename": filename,
            "text": text,
            "documents": dict(documents),
            "root": str(request.root),
            "folder": str(request.folder or request.root),
            "dynamic": "given",
            "timeout": request.timeout,
            "rounds": 20,
            "memory_limit": request.memory_limit,
            "show_graph": request.show_graph,
            "train": request.train,
            "draft": request.draft,
            **more,
        }
        ended = self._task(request.interpreter, job, hear, self._cancelled)
        self._passed |= {f"{filename}:{row}" for row in watched.passed}
        return watched.results(ended), _why(watched, ended, request)


def _is_in(site: sites.CallSite, name: str) -> bool:
    """Whether `name` is a row of a site, its function, or the class or function around that."""
    if name.isdecimal():
        return site.row <= int(name) <= site.end_row
    function, name = site.function, name.replace("::", ".")
    return function == name or function.startswith(name + ".") or function.endswith("." + name)


def _placed(result: ExportResult, holds: Sequence[sites.CallSite], filename: str) -> ExportResult:
    """The result with the first row of its call: Python may name any row of an expression that has several."""
    site = next((site for site in holds if _at(result, (site,), filename)), None)
    return result if site is None else replace(result, call=f"{filename}:{site.row}")


def _rows(site: sites.CallSite, filename: str) -> set[str]:
    """The places that Python may give for the call of a site."""
    return {f"{filename}:{row}" for row in range(site.row, site.end_row + 1)}


def _at(result: ExportResult, inside: Sequence[sites.CallSite], filename: str) -> bool:
    """Whether a result is that of one of the sites."""
    return any(result.call in _rows(site, filename) for site in inside)


def _why(watched: WatchedCalls, ended: Mapping[str, Any], request: ExportRequest) -> str:
    """Why a holder did not come to (more of) its calls, to be said after a colon."""
    left = watched.left
    if left is None:
        how = ended["how"]
        if how == "timeout":
            return f"running up to it took more than {request.timeout:g} s"
        if how in ("memory", "files"):
            return "running up to it exceeded the memory limit"
        return (
            "cancelled"
            if how == "cancelled"
            else "the process ended first"
            if how != "done"
            else "another export call came first"
        )
    if left["exception"]:
        first = (left["detail"].strip().splitlines() or [""])[0]
        frame = left["frames"][-1] if left["frames"] else None
        place = f" at {Path(frame['filename']).name}:{frame['row']}" if frame else ""
        return f"{left['exception']}{place}{': ' + first if first else ''}"
    return left["detail"] or "the program ended without this call"

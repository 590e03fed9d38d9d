"""What confirm is asked to do."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from exportdb_rules.finding import Mode

if TYPE_CHECKING:
    from collections.abc import Mapping

GIBIBYTE = 1024**3

Dynamic = Literal["given", "none", "auto"]
"""`given`: the `dynamic_shapes` that belong to the inputs. `none`: every size is static. `auto`: `Dim.AUTO` on
every dimension of every tensor, to find out which of them export can leave open."""


@dataclass(frozen=True)
class ExportRequest:
    """Export the targets of one file.

    `text` is what the editor holds; None reads `filename` from the disk. `name` picks one target (a class, a
    function or a name of the module); None takes every target of the file. `documents` are other unsaved files
    of the project, by absolute path: imports see them in place of the disk.
    """

    filename: str
    text: str | None = None
    name: str | None = None
    modes: tuple[Mode, ...] = (Mode.NON_STRICT, Mode.STRICT)
    own_mode: bool = False
    """A call of torch.export that the file makes is judged in the mode that its `strict=` chooses, not in `modes`."""
    goals: tuple[str, ...] = ()
    """What the programs are for, by the names in `worker/goals`; with none, a call of a goal's own function (torch.onnx.export)
    is judged for that, and anything else as an exported program."""
    dynamic: Dynamic = "given"
    interpreter: str = sys.executable
    root: Path = field(default_factory=Path.cwd)
    folder: Path | None = None
    """Where a program is run to get to its calls; None: in `root`."""
    timeout: float = 60.0
    memory_limit: int = 4 * GIBIBYTE
    show_graph: bool = False
    train: bool = False
    """Export and compare in training mode; otherwise in eval mode, unless the inputs set the mode themselves."""
    every_input: bool = False
    """Inputs that are inferred have also the tensors that may be left out, as masks and labels, where the model takes them."""
    draft: bool = True
    """After a failure, ask `draft_export` for the later ones."""
    propose: bool = True
    """With `auto`, write a `dynamic_shapes=` that can be pasted."""
    findings: bool = True
    """Add what `check` says: the line to blame where torch names none, the rule of the failing line, later findings."""
    trace_lines: bool = False
    """Of an export with static sizes, tell which lines of the project ran in eager."""
    documents: Mapping[str, str] = field(default_factory=dict[str, str])

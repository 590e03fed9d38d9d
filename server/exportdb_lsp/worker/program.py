"""What is run beside eager: an exported program, or what a tool made of one. It can be started over."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple, Protocol

from .stack import Frame


def has_values(value: Any) -> bool:
    """A tensor that holds numbers. A program that export got wrong may hold a fake one, or one of a transform."""
    torch: Any = sys.modules["torch"]
    if not isinstance(value, torch.Tensor) or type(value).__name__ in ("FakeTensor", "FunctionalTensor"):
        return False
    functorch: Any = getattr(torch._C, "_functorch", None)
    wrapped: Any = getattr(functorch, "is_functorch_wrapped_tensor", None)
    return wrapped is None or not wrapped(value)


class Forgotten(NamedTuple):
    """What is not kept of the state that the exported program has."""

    says: str
    """The rest of a sentence: `does not keep what the model writes to buffer n`."""
    frames: list[Frame]
    """The user's lines that write it."""


class Line(NamedTuple):
    """One line of the text of what a tool made."""

    text: str
    frames: list[Frame]
    """The user's lines that it came from."""


class Listing(NamedTuple):
    """What a tool made, as text."""

    lines: list[Line]
    operators: int


class Runnable(Protocol):
    """What is compared with eager."""

    called: str
    """What it is, in a sentence."""
    slack: float
    """How many times as far from eager its numbers may be as those of a program that has eager's kernels."""
    guarded: bool
    """It refuses sizes that its trace does not hold for."""
    draws_as_torch: bool
    """The numbers that it draws at random are torch's."""
    exported: Any
    """The ExportedProgram."""

    def module(self) -> Any:
        """A callable in the state in which it was exported."""
        ...

    def sizes(self) -> dict[int, list[int | str]]:
        """The sizes of its inputs where it declares its own, numbers and names, by leaf position."""
        ...

    def lines_of(self, error: BaseException) -> list[Frame]:
        """The user's lines that made the part of it which an error names."""
        ...

    def forgotten(self, again: bool) -> Forgotten | None:
        """What the exported program writes and this does not keep, or begins without; None if there is nothing.

        Args:
            again: whether what the model wrote could show: it was called before, or the inputs themselves differ.
        """
        ...

    def placed(self) -> list[Any]:
        """Where the operators of each line run, as `goals.Placed`, where its tool has more than one place for them."""
        ...

    def listing(self) -> Listing | None:
        """Its text; None where that is torch's text of the exported program."""
        ...


class Program:
    """Wraps an ExportedProgram, whose modules share its buffers: what one call writes, the next module would read.

    Raises:
        Exception: torch cannot make a module of the program.
    """

    called = "the exported program"
    slack = 1.0
    guarded = True
    draws_as_torch = True

    def __init__(self, exported: Any) -> None:
        self.exported = exported
        self._unused: Any = exported.module()
        known = {**exported.state_dict, **exported.constants}
        self._tensors: dict[str, Any] = {name: value for name, value in known.items() if has_values(value)}
        self._initial = {name: value.detach().clone() for name, value in self._tensors.items()}

    def module(self) -> Any:
        """A callable program in the state in which it was exported."""
        unused, self._unused = self._unused, None
        if unused is not None:
            return unused
        torch: Any = sys.modules["torch"]
        with torch.no_grad():
            for name, value in self._tensors.items():
                if not torch.equal(value, self._initial[name]):
                    value.copy_(self._initial[name])
        return self.exported.module()

    def sizes(self) -> dict[int, list[int | str]]:
        """None of its own."""
        return {}

    def lines_of(self, error: BaseException) -> list[Frame]:
        """None: its errors speak of its own graph."""
        return []

    def forgotten(self, again: bool) -> None:
        """Nothing: it is the exported program."""

    def placed(self) -> list[Any]:
        """Nothing: torch runs all of it."""
        return []

    def listing(self) -> None:
        """None: it is the exported program."""

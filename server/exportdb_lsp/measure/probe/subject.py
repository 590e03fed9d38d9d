"""Loading a case: a file with `model` and `example_args` at module level, as ExportDB has it."""

# torch has no complete types: strict checking of code that handles its internals reports torch, not this file.
# pyright: basic
from __future__ import annotations

import copy
import sys
import types
from dataclasses import dataclass
from typing import Any

import torch


class CaseUnavailable(Exception):
    """The case cannot be built on this version of torch: it names something that does not exist here."""


@dataclass(frozen=True)
class Subject:
    """One loaded case.

    `extra_inputs` are further positional arguments to call it with, chosen by the case. `after` names what is done with
    the exported program before it is compared: "decompose", "save" (and load), "export" (again) or "unflatten".
    """

    name: str
    path: str
    model: torch.nn.Module
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    dynamic_shapes: Any
    extra_inputs: tuple[tuple[Any, ...], ...]
    after: str | None

    def fresh_model(self) -> torch.nn.Module:
        """A model in the state that the case file made it in, sharing nothing with the others but what is scripted: a copy of
        a ScriptModule exports where the module itself does not (measured on torch 2.13)."""
        scripted: dict[int, Any] = {
            id(part): part for part in self.model.modules() if isinstance(part, torch.jit.ScriptModule)
        }
        return copy.deepcopy(self.model, scripted)


def load(name: str, path: str) -> Subject:
    """Execute the case file at `path`.

    Raises:
        CaseUnavailable: executing it raised, which on an older torch means that it uses something newer.
    """
    torch.manual_seed(0)
    module = types.ModuleType(f"exportdb_case_{name}")
    module.__file__ = path
    # Dataclasses and pytree registration look their module up by name.
    sys.modules[module.__name__] = module
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        exec(compile(text, path, "exec"), module.__dict__)
        args = module.example_args
        return Subject(
            name=name,
            path=path,
            model=module.model,
            args=args,
            kwargs=getattr(module, "example_kwargs", {}),
            dynamic_shapes=getattr(module, "dynamic_shapes", None),
            extra_inputs=_several(getattr(module, "extra_inputs", ())),
            after=getattr(module, "after", None),
        )
    except Exception as error:
        raise CaseUnavailable(f"not on this version: {type(error).__name__}: {error}") from error


def _several(extra: Any) -> tuple[tuple[Any, ...], ...]:
    # ExportDB's `extra_inputs` is the arguments of one call; here a list holds those of several.
    if isinstance(extra, list):
        return tuple(extra)
    return (extra,) if extra else ()

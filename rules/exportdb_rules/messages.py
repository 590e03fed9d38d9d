"""Calls that print or log, and do nothing else."""

from __future__ import annotations

from typing import Final

_LEVELS: Final = frozenset(
    ("debug", "info", "warning", "warn", "error", "critical", "exception", "log", "warning_once", "info_once", "write")
)
_LOGGERS: Final = (
    "log", "logger", "logging", "_log", "_logger", "LOG", "LOGGER", "tqdm", "rank_zero", "console", "wandb",
)  # fmt: skip
_FUNCTIONS: Final = frozenset(("print", "warnings.warn", "rank_zero_warn", "rank_zero_info", "pprint", "pprint.pprint"))


def is_message(name: str) -> bool:
    """Whether a function of this dotted name prints or logs: `warnings.warn`, `logger.info`."""
    owner, _, last = name.rpartition(".")
    return name in _FUNCTIONS or (last in _LEVELS and any(word in owner.rpartition(".")[2] for word in _LOGGERS))

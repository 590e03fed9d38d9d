"""# skipped-call

## What it does
Finds calls that strict export refuses to trace although they compute nothing of the model: reading a clock, a lock, a
file, pickle, the state and the seed of the random generator, hooks registered while tracing, activation checkpointing,
a function under `@torch.compiler.disable`, tqdm's progress bars, and packed sequences. A call on a path that tracing
may not take is shown as likely only.

## Why export cannot do it
Strict export reads the bytecode and must understand every call in it; these are on its list of functions to skip, and
a skipped call is a graph break (GB0007), which export does not allow. Non-strict export runs them like Python does:
most pass, a seed set while tracing is lost.

## Example
```python
def forward(self, x):
    start = time.perf_counter()
    y = x.sin()
    elapsed = time.perf_counter() - start
    return y
```

## Use instead
```python
def forward(self, x):
    if torch.compiler.is_exporting():
        return x.sin()
    start = time.perf_counter()
    y = x.sin()
    elapsed = time.perf_counter() - start
    return y
```

## Fix safety
No fix is offered.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB503` prints them.

## References
- Graph breaks GB0007, GB0059
- torch docs, `torch.compiler.is_exporting`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import Called, DataRead
from exportdb_rules.rule import Context, Report, Rule
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact

# Qualified name -> the measured case, and what the call does.
_CALLS = {
    "time.time": ("time_elapsed", "reads the clock"),
    "time.perf_counter": ("time_elapsed", "reads the clock"),
    "time.monotonic": ("time_elapsed", "reads the clock"),
    "time.process_time": ("time_elapsed", "reads the clock"),
    "threading.Lock": ("lock", "makes a lock"),
    "threading.RLock": ("lock", "makes a lock"),
    "open": ("file_read", "opens a file"),
    "pickle.dumps": ("pickle_cache", "pickles"),
    "pickle.loads": ("pickle_cache", "pickles"),
    "torch.get_rng_state": ("rng_state", "reads the state of the random generator"),
    "torch.set_rng_state": ("rng_state", "sets the state of the random generator"),
    "torch.manual_seed": ("manual_seed", "sets the seed of the random generator, which the exported program does not"),
    "torch.nn.Module.register_forward_hook": ("forward_hook", "registers a hook while tracing"),
    "torch.utils.checkpoint.checkpoint": ("checkpoint", "recomputes activations for training"),
    "torch.compiler.disable()": ("compiler_disable", "is under `torch.compiler.disable`"),
    **dict.fromkeys(
        (f"tqdm.{module}{name}" for module in ("", "auto.", "std.") for name in ("tqdm", "trange")),
        ("progress_bar", "makes a progress bar"),
    ),
}


class SkippedCall(Rule):
    """A call that strict export will not trace."""

    code = "EDB503"
    name = "skipped-call"
    family = "builtin"
    summary = "a call that strict export will not trace"
    facts = (Called, DataRead)
    cases = (
        "time_elapsed",
        "lock",
        "file_read",
        "pickle_cache",
        "rng_state",
        "manual_seed",
        "forward_hook",
        "checkpoint",
        "compiler_disable",
        "progress_bar",
        "pack_padded",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Report]:
        if isinstance(fact, DataRead):
            if fact.operation == "pack_padded_sequence":
                text = f"{quote(fact.site)} reads the lengths while tracing: mask the padding instead"
                yield Report(fact.site, "pack_padded", text, sure=max(1, fact.value.sure))
            return
        assert isinstance(fact, Called)
        known = _CALLS.get(fact.name)
        if known is None:
            return
        case, what = known
        if case == "manual_seed" and fact.optional:
            return
        yield Report(fact.site, case, f"{quote(fact.site)} {what}: strict export refuses the call", sure=1 if fact.optional else 2)  # fmt: skip

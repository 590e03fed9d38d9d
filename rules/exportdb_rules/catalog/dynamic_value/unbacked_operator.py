"""# unbacked-operator

## What it does
Finds operators that select an implementation or an output size by the sizes of their inputs, called on a tensor with a
data-dependent size: `pad_sequence`, `scaled_dot_product_attention` and layers that call it over a data-dependent number
of steps, batch normalization, recurrent layers, `roll`, `cdist`, `logsumexp`, `cummax`, `take`, `tensordot`, `chunk`,
`split`, `unbind`, `diff`, `trapezoid`, Fourier transforms and pooling of one dimension along that dimension,
`torchvision.ops.batched_nms`, and `tolist`, which creates one number per element.

## Why export cannot do it
The operator compares sizes internally. A comparison with an unbacked size needs a guard that cannot be evaluated while
tracing.

## Example
```python
def forward(self, x, y):
    return pad_sequence([x[x > 0], y[y > 0]])
```

## Use instead
```python
def forward(self, x, y):
    return torch.stack([torch.where(x > 0, x, 0), torch.where(y > 0, y, 0)])
```

## Fix safety
`pad_sequence` of the parts of one tensor (`x.split(lengths.tolist())`) writes its rows where a mask of the lengths is True:
unsafe, the error for lengths that do not add up is another one. There is no fix for the others: compute with all rows and
a mask instead of the selected rows. Nor is there one for `tolist`: use `index_add` or `scatter_reduce` to process all
groups of rows at once.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB208` prints them.

## References
- torch docs, "Dealing with GuardOnDataDependentSymNode errors"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb_rules.facts import DataRead, SizedCall
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext


_CASES = {
    "pad_sequence": "pad_sequence_masked",
    "scaled_dot_product_attention": "masked_attention",
    "roll": "masked_roll",
    "cdist": "masked_roll",
    "logsumexp": "masked_roll",
    **dict.fromkeys(("batch_norm", "instance_norm"), "masked_batch_norm"),
    **{f"{kind}Norm{n}d": "masked_batch_norm" for kind in ("Batch", "Instance") for n in (1, 2, 3)},
    **dict.fromkeys(("RNN", "GRU", "LSTM"), "masked_recurrent"),
    **dict.fromkeys(
        "cummax cummin take fftshift ifftshift channel_shuffle ChannelShuffle local_response_norm LocalResponseNorm bilinear "
        "Bilinear tensordot kron vander batched_nms".split(),
        "masked_elements",
    ),
}
# What fails along the dimension whose size depends on data only.
_ALONG = {
    **dict.fromkeys(("chunk", "split", "unbind", "tensor_split"), "masked_parts"),
    "diff": "masked_difference",
    **dict.fromkeys("trapz trapezoid fft ifft rfft irfft hfft ihfft vsplit".split(), "masked_elements"),
}
# What fails along another dimension only: the one that they count places of.
_ALONG_PLACES = frozenset("max_pool1d MaxPool1d adaptive_max_pool1d AdaptiveMaxPool1d Unfold fold Fold".split())
# What fails on rows without places.
_OF_ROWS = frozenset(("max_pool1d", "MaxPool1d", "group_norm", "GroupNorm"))


# Operators that branch on an unbacked size of an input of the program (torch 2.14: `ShapeVar`) -> the measured program, `_unbacked`.
_OF_INPUTS = {
    "scaled_dot_product_attention": "attention",
    **dict.fromkeys(("roll", "cdist"), "roll"),
    **dict.fromkeys(("batch_norm", "instance_norm"), "batch_norm"),
    **{f"{kind}Norm{n}d": "batch_norm" for kind in ("Batch", "Instance") for n in (1, 2, 3)},
}


# Dimensions of the input of attention with heads.
_HEADS = 4


class UnbackedOperator(Rule):
    """An operator branches on a data-dependent size."""

    code = "EDB208"
    name = "unbacked-operator"
    family = "dynamic_value"
    summary = "An operator branches on a data-dependent size"
    no_fix = NoFix.SIZE_FROM_DATA
    facts = (SizedCall, DataRead)
    cases = (
        "pad_sequence_masked",
        "tensor_split_padded",
        "masked_attention",
        "masked_roll",
        "masked_batch_norm",
        "masked_recurrent",
        "masked_parts",
        "masked_difference",
        "masked_elements",
        "split_unique_counts",
        "attention_unbacked",
        "roll_unbacked",
        "batch_norm_unbacked",
    )

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, DataRead):
            if fact.operation == "tolist" and fact.value.unbacked:
                text = f"{quote(fact.site)} creates a list with a data-dependent length"
                yield Violation(
                    fact.site, "split_unique_counts", text, evidence=fact.value.evidence, origin=fact.value.site
                )
            return
        assert isinstance(fact, SizedCall)
        short = fact.callee.rpartition(".")[2]
        if not fact.value.unbacked:
            yield from _of_inputs(fact, short, context)
            return
        case = _CASES.get(short)
        if case is None and fact.along:
            case = _ALONG.get(short)
        if (_counts_places(fact.callee, short) and fact.value.axis != 0) or (
            short in _OF_ROWS and fact.value.rank == 2
        ):
            case = "masked_elements"
        if case is None:
            return
        if case == "masked_recurrent" and not fact.along:
            return  # a recurrent layer does not ask for the size of the batch
        evidence = fact.value.evidence
        if case == "masked_attention":
            # Without a dimension for the heads, attention is a matrix product, which copes with any size; and with one, it
            # asks neither how many batches nor how many heads there are, but whether there are any steps.
            if fact.value.some or (
                fact.value.rank is not None and (fact.value.rank < _HEADS or fact.value.axis in (0, 1, 3))
            ):
                return
            # The size that depends on data may be one of those that attention does not ask for.
            evidence = Evidence.ASSUMED if fact.value.rank is None else min(evidence, Evidence.DERIVED)
        yield Violation(
            fact.site,
            case,
            f"{quote(fact.site)} dispatches on the input size, which is data-dependent (unbacked) here",
            evidence=evidence,
            origin=fact.value.site,
            fixable=case == "pad_sequence_masked",
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.equivalents.masked_sizes import parts_padded

        return parts_padded(context)


def _counts_places(callee: str, short: str) -> bool:
    """Whether an operator counts the places of an image or a sequence; `Tensor.unfold` leaves windows as they are."""
    return short in _ALONG_PLACES or callee == "torch.nn.functional.unfold"


def _of_inputs(fact: SizedCall, short: str, context: Context) -> Iterable[Violation]:
    """What is reported of an operator on an input whose size is declared to be unbacked."""
    case = _OF_INPUTS.get(short)
    if case is None or (case == "attention" and fact.value.rank != _HEADS):
        return
    message = f"{quote(fact.site)} dispatches on the input size, which is declared to be unbacked"
    yield Violation(fact.site, context.sized(case), message, evidence=fact.value.evidence)

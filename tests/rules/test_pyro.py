"""Distributions of Pyro, which validate as those of torch do. The verdicts were measured with pyro-ppl 1.9.1, which CI does not have."""

from __future__ import annotations

import pytest
from exportdb_rules.finding import Mode, Verdict

from .conftest import Checker

NET = """\
import torch
import pyro.distributions as dist


class Net(torch.nn.Module):
    base = dist.Categorical

    def __init__(self):
        super().__init__()
        self.kept = dist.Normal(torch.zeros(4), torch.ones(4))

    def forward(self, x):
        return {result}
"""
BOTH = frozenset((Mode.NON_STRICT, Mode.STRICT))
STRICT = frozenset((Mode.STRICT,))
RESULTS: dict[str, frozenset[Mode]] = {
    "dist.Normal(x, 1.0).log_prob(x)": BOTH,
    "self.base(logits=x).log_prob(x.argmax(-1))": BOTH,
    "dist.Beta(x.exp(), x.exp()).mean": BOTH,
    "dist.Normal(0.0, 1.0).expand([4]).to_event(1).log_prob(x)": BOTH,
    "self.kept.log_prob(x)": BOTH,
    "x + dist.Normal(0.0, 1.0).sample((4,))": STRICT,
    "dist.Normal(x, 1.0, validate_args=False).rsample()": frozenset(),
    "dist.Normal(x, 1.0, validate_args=False).to_event(1).log_prob(x)": frozenset(),
}


@pytest.mark.parametrize("result", RESULTS)
def test_distributions_of_pyro(result: str, check_text: Checker) -> None:
    found = check_text(NET.format(result=result)).findings
    assert {mode for one in found for mode, verdict in one.verdict.items() if verdict is Verdict.FAILS} == RESULTS[
        result
    ]

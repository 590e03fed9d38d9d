import opt_einsum
import torch


class OptEinsumContract(torch.nn.Module):
    """`opt_einsum.contract` searches for the best order in code that Dynamo does not trace."""

    def forward(self, x, y):
        return opt_einsum.contract("ij,jk->ik", x, y)


example_args = (torch.randn(4, 2), torch.randn(2, 3))
tags = {"torch.operator"}
model = OptEinsumContract()
twin = "opt_einsum_contract_ok"

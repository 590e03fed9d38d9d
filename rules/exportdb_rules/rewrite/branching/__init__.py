"""A branch on a tensor, or on a number from data: as `torch.cond`, as `torch.where`, as a check, by an assumption."""

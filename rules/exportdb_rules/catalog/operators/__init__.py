"""Rules about torch.cond and its kin."""

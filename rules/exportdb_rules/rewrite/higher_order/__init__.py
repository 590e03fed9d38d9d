"""Calls of `torch.cond` and `while_loop`: their functions, and what these write."""

"""Rewrites of model code with libcst: what the rules' fixes are made of."""

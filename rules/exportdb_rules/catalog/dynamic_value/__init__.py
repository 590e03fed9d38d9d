"""Rules about values that depend on data."""

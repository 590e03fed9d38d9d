"""Rules about what the tools do not take that programs are exported for."""

"""Rules about how export is called."""

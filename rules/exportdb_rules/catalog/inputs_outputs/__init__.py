"""Rules about what goes into an export and comes out."""

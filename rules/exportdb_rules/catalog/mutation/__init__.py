"""Rules about state and the object model."""

"""Rules about the flow of control."""

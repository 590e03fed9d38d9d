"""Rules about built-in functions and the standard library."""

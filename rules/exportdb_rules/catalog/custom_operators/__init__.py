"""Rules about custom operators."""

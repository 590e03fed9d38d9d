"""The analyser: an abstract interpreter for model code, and the rules over what it sees."""

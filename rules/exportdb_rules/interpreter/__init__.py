"""Abstract interpretation: what happens, value by value, when a function of the project is traced.

`machine` holds the state and runs functions; `statements`, `expressions`, `calls` and the files beside them give the
meaning of the language's parts. Statements and expressions are found by their kind, in the tables of `machine`.
"""

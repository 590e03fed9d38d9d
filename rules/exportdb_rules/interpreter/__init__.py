"""Abstract interpretation: what happens, value by value, when a function of the project is traced.

`machine` holds the state and runs functions; `statements`, `expressions`, `calls` and the files beside them give the
meaning of the language's parts. Statements and expressions are found by their kind, in the tables of `machine`; what a call
or a read attribute comes to by the type of the value, in those of `dispatch`; functions of libraries by their names, in
those of `library`. Modules register in these tables, so that none has to import what it may lead to: imports run one way.
"""

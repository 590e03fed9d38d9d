"""The part of `measure` that runs in the interpreter that is measured: the standard library and torch, nothing else.

It is started by `exportdb_lsp.measure.run`, in any interpreter that has torch 2.5 or newer; that interpreter need not
have this project installed.
"""

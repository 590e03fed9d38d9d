"""Cases on which check and the real export differ, each with the reason.

The table may only shrink: a case that is not named here must agree, and one that is named here and agrees fails the
test too. `missed` are cases where the real export fails, diverges or specializes and check is silent, or has another
verdict; `line` are cases whose finding stands on another line than the one that torch names.
"""

from __future__ import annotations

from exportdb_rules.finding import Mode

N, S = Mode.NON_STRICT, Mode.STRICT
BOTH = (N, S)

_FIXED = "a size that is written down is not compared with a dynamic one"
_EXAMPLE = "it hangs on the example's own values, which nobody reads from the file"
_INPUT = "a Python value as an input is meant to be a constant in most models"
_LATER = "it fails where the program is saved, not where it is exported"

MISSED: dict[str, tuple[tuple[Mode, ...], str]] = {
    "try_except_data": (BOTH, "whether the handler would have run is known only with the data"),
    "try_except_tensor_if": ((N,), "the handler catches export's own error: the finding says that the `if` fails"),
    "custom_op_wrong_fake": (BOTH, "the fake kernel and the real one are not compared"),
    "chunk_dynamic": (BOTH, "the number of chunks depends on the size, and nothing says which is meant"),
    "half_becomes_one": (BOTH, _EXAMPLE),
    "optional_none_input": (BOTH, _EXAMPLE),
    "format_item": ((S,), "a formatted number fails in strict only where the text is used, which is not followed"),
    "unbacked_broadcast": (BOTH, "sizes that must be equal by broadcasting are not compared"),
    "save_load_unregistered_name": (BOTH, _LATER),
    "decompositions_cond_constant": (BOTH, "it fails where the program is decomposed, not where it is exported"),
    "bool_input": (BOTH, _INPUT),
    "int_input": (BOTH, _INPUT),
}

LINE: dict[str, str] = {
    "copy_tensor non-strict": "the copy is made, and the first operator that takes it stops: the copy is to blame",
}

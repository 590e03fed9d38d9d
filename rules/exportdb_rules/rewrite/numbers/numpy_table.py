"""What torch calls the functions and methods of numpy: the same result, dtype included.

Source: the documentation of both libraries. numpy divides integers, and takes the mean or a root of them, in float64;
its variance is that of the population; its sorting and rounding are torch's. Functions whose results differ in more
than the name (FFTs, which numpy computes in double precision) are left out.
"""

from __future__ import annotations

from typing import Final

FLOAT: Final = "float"
INTEGER: Final = "int"
BOOL: Final = "bool"

# Elementwise; of integers they are float64.
FLOATING: Final = dict.fromkeys(
    "exp log log2 log10 log1p expm1 sqrt sin cos tan sinh cosh tanh exp2 deg2rad rad2deg".split()
) | {
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
    "fabs": "abs", "rint": "round",
}  # fmt: skip
# Elementwise, dtype kept.
KEEPING: Final = dict.fromkeys("abs square floor ceil trunc".split()) | {
    "absolute": "abs",
    "negative": "neg",
}
# Elementwise, to bool.
PREDICATES: Final = dict.fromkeys("isnan isinf isfinite logical_not signbit".split())
# Of two arrays, or an array and a number.
BINARY: Final = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "true_divide": "/", "floor_divide": "//", "power": "**",
    "matmul": "@", "mod": "%", "remainder": "%",
}  # fmt: skip
COMPARISONS: Final = {
    "greater": ">", "greater_equal": ">=", "less": "<", "less_equal": "<=", "equal": "==", "not_equal": "!=",
}  # fmt: skip
LOGICAL: Final = dict.fromkeys("logical_and logical_or logical_xor".split())
# Over all elements or an axis: the function without, and with an axis.
REDUCTIONS: Final = {
    "sum": ("sum", "sum"),
    "mean": ("mean", "mean"),
    "prod": ("prod", "prod"),
    "max": ("max", "amax"),
    "min": ("min", "amin"),
    "amax": ("max", "amax"),
    "amin": ("min", "amin"),
    "any": ("any", "any"),
    "all": ("all", "all"),
    "argmax": ("argmax", "argmax"),
    "argmin": ("argmin", "argmin"),
    "std": ("std", "std"),
    "var": ("var", "var"),
    "nansum": ("nansum", "nansum"),
    "nanmean": ("nanmean", "nanmean"),
}
DTYPES: Final = {
    "float": "float64", "float64": "float64", "double": "float64", "float32": "float32", "single": "float32",
    "float16": "float16", "half": "float16", "int": "int64", "int64": "int64", "int32": "int32", "int16": "int16",
    "int8": "int8", "uint8": "uint8", "bool": "bool", "bool_": "bool",
}  # fmt: skip
# Of plain numbers: what Python's own modules call it.
NUMBERS: Final = {
    "sqrt": "math.sqrt", "log": "math.log", "log2": "math.log2", "log10": "math.log10", "exp": "math.exp", "ceil": "math.ceil",
    "floor": "math.floor", "lcm": "math.lcm", "gcd": "math.gcd", "prod": "math.prod", "sin": "math.sin", "cos": "math.cos",
    "tan": "math.tan", "tanh": "math.tanh", "log1p": "math.log1p", "expm1": "math.expm1", "abs": "abs", "trunc": "math.trunc",
}  # fmt: skip


# Of less than 32 bits: numpy's functions and sums of these are of other dtypes than torch's.
NARROW: Final = frozenset(("float16", "bfloat16", "int8", "int16", "uint8"))


def kind(dtype: str) -> str:
    """float, int or bool, for a torch dtype."""
    return BOOL if dtype == "bool" else FLOAT if "float" in dtype else INTEGER

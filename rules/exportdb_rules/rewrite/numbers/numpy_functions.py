"""Functions and methods of numpy on arrays, as torch's on tensors: the same result, dtype included."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from exportdb_rules import values as domain
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rewrite.branching.condition import parenthesised
from exportdb_rules.rewrite.numbers import numpy_table as table
from exportdb_rules.rewrite.numbers.numpy_code import Code, double, joint, together, widest
from exportdb_rules.rewrite.refusal import FixNotApplicable
from exportdb_rules.rewrite.tree import dotted

if TYPE_CHECKING:
    from exportdb_rules.rewrite.fix_site import FixSite

_SHAPING: Final = frozenset("reshape transpose squeeze expand_dims flatten ravel flip clip round around".split())


class Functions(ABC):
    """The functions of numpy that have an equal. `copying`: what numpy copied must be a copy, as something is written."""

    place: FixSite
    torch: str
    numpy: str
    copying: bool

    @abstractmethod
    def code(self, node: cst.BaseExpression) -> Code:
        """The expression in torch."""

    @abstractmethod
    def is_array(self, node: cst.BaseExpression) -> bool:
        """Whether an expression is an array or a tensor."""

    def source(self, node: cst.BaseExpression) -> str:
        """The code of an argument, without parentheses around it."""
        return self.place.tree.code(node.with_changes(lpar=[], rpar=[]) if node.lpar else node)

    def ranks(self, node: cst.BaseExpression) -> set[int | None]:
        """How many dimensions an array may have, as the interpreter saw it; None among them where it does not know."""
        kinds = self.place.inference.kinds(node)
        return {c.rank if isinstance(c, domain.Tensor) else None for c in kinds} or {None}

    def function(
        self,
        name: str,
        args: list[cst.BaseExpression],
        keywords: dict[str, cst.BaseExpression],
        *,
        method: bool = False,
    ) -> Code:
        """A function of numpy, or with `method` a method of an array, that is given arguments.

        Raises:
            FixNotApplicable: it has no equal in torch.
        """
        if not args:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no array is given")
        if name in ("stack", "concatenate", "hstack", "vstack") and not method:
            return self._joined(name, args, keywords)
        if name in ("array", "asarray", "ascontiguousarray", "copy", "astype"):
            return self._cast(name, args, keywords)
        first = self.code(args[0])
        if name in table.REDUCTIONS:
            return self._reduced(name, first, args[1:], keywords)
        if name in _SHAPING:
            return self._shaped(name, first, args[1:], keywords)
        if name in ("cumsum", "argsort", "sort"):
            return self._along(name, first, args[1:], keywords)
        if keywords:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported argument")
        if name == "sign" and len(args) == 1 and first.kind != table.BOOL:
            return self._sign(first)
        if name in table.FLOATING and len(args) == 1:
            if first.kind == table.BOOL or (first.narrow and first.kind == table.INTEGER):
                raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "numpy computes it in half precision")
            given = first if first.kind == table.FLOAT else double(self.torch, first)
            return joint(f"{self.torch}.{table.FLOATING[name] or name}({given.text})", table.FLOAT, given)
        if name in table.KEEPING and len(args) == 1 and first.kind != table.BOOL:
            return joint(f"{self.torch}.{table.KEEPING[name] or name}({first.text})", first.kind, first)
        if name in table.PREDICATES and len(args) == 1:
            return joint(f"{self.torch}.{name}({first.text})", table.BOOL, first)
        if name in ("zeros_like", "ones_like", "empty_like") and len(args) == 1:
            return Code(f"{self.torch}.{name}({first.text})", first.kind, wide=first.wide)
        if len(args) == 2 and (name in table.BINARY or name in table.COMPARISONS):
            sign = table.BINARY.get(name) or table.COMPARISONS[name]
            made = self.infix(sign, first, self.code(args[1]))
            return replace(made, text=f"({made.text})")
        if len(args) == 2 and name in table.LOGICAL:
            two = self.code(args[1])
            return joint(f"{self.torch}.{name}({first.text}, {two.text})", table.BOOL, first, two)
        if len(args) == 2 and name in ("maximum", "minimum"):
            return self._limited(name, args)
        if len(args) == 2 and name == "dot":
            if not all(self.ranks(node) <= {1, 2} for node in args):
                raise FixNotApplicable(
                    NoFix.NUMPY_DIFFERS, "of more dimensions than two it is not a product of matrices"
                )
            return self.infix("@", first, self.code(args[1]))
        if len(args) == 3 and name == "where":
            return self._where(first, self.code(args[1]), self.code(args[2]))
        raise FixNotApplicable(NoFix.NO_EQUIVALENT, f"{name} is not in the table")

    def infix(self, sign: str, left: Code, right: Code) -> Code:
        """Two operands around an operator."""
        self._refuse_operands(sign, left, right)
        kind = table.BOOL if sign in table.COMPARISONS.values() else widest((left, right))
        if kind != table.BOOL:
            left, right = together(self.torch, left, right)
        if sign == "/" and kind != table.FLOAT:
            left, kind = double(self.torch, left), table.FLOAT
        return joint(f"{parenthesised(left.text)} {sign} {parenthesised(right.text)}", kind, left, right)

    def _refuse_operands(self, sign: str, left: Code, right: Code) -> None:
        """Raises FixNotApplicable where numpy and torch take different operands, or give different numbers for them."""
        bools = any(one.kind == table.BOOL and not one.plain for one in (left, right))
        if bools and sign in ("-", "**", "@"):
            raise FixNotApplicable(
                NoFix.NUMPY_DIFFERS,
                "torch subtracts no bools and multiplies no matrices of them, and numpy makes bytes of their powers",
            )
        whole = table.FLOAT not in (left.kind, right.kind)
        if whole and sign in ("//", "%") and (not right.plain or right.text == "0"):
            raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "numpy divides integers by 0")
        if whole and sign == "**" and not right.plain:
            raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "numpy refuses integers to negative powers")

    def _sign(self, first: Code) -> Code:
        """The sign of numbers; of NaN torch says 0."""
        if first.kind != table.FLOAT:
            return joint(f"{self.torch}.sign({first.text})", first.kind, first)
        if not first.text.isidentifier():
            raise FixNotApplicable(NoFix.EVALUATION_ORDER, "it would be computed twice")
        one = first.text
        return joint(f"{self.torch}.where({one}.isnan(), {one}, {self.torch}.sign({one}))", first.kind, first)

    def _where(self, condition: Code, one: Code, two: Code) -> Code:
        if condition.kind != table.BOOL:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "the condition is not a bool")
        one, two = together(self.torch, one, two)
        kind = widest((one, two))
        if one.plain and two.plain and kind == table.FLOAT:
            # Two numbers alone would be of the default dtype.
            one = Code(f"{self.torch}.full((), {one.text}, dtype={self.torch}.float64)", kind, wide=True)
        made = joint(f"{self.torch}.where({condition.text}, {one.text}, {two.text})", kind, one, two)
        return replace(made, number=condition.number if made.number is not False else False)

    def _limited(self, name: str, args: list[cst.BaseExpression]) -> Code:
        """`np.maximum(a, 0)`: torch's wants tensors, and clamps by numbers."""
        array, other = args if self.is_array(args[0]) else (args[1], args[0])
        first, second = self.code(array), self.code(other)
        if self.is_array(other):
            first, second = together(self.torch, first, second)
            return joint(f"{self.torch}.{name}({first.text}, {second.text})", widest((first, second)), first, second)
        if first.kind != table.FLOAT and second.kind == table.FLOAT:
            raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "an array of integers limited by a float")
        bound = "min" if name == "maximum" else "max"
        return joint(f"{self.torch}.clamp({first.text}, {bound}={second.text})", first.kind, first)

    def _joined(self, name: str, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression]) -> Code:
        listed = args[0]
        if not isinstance(listed, (cst.List, cst.Tuple)) or any(
            isinstance(e, cst.StarredElement) for e in listed.elements
        ):
            raise FixNotApplicable(NoFix.NOT_A_LITERAL, "the arrays are not given as a literal")
        axis = keywords.pop("axis", None) or (args[1] if len(args) > 1 else None)
        if keywords or len(args) > 2 or (axis is not None and dotted(axis) == "None"):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported argument")
        parts = [self.code(e.value) for e in listed.elements]
        if len({p.kind for p in parts}) != 1 or any(p.plain for p in parts):
            raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "arrays of different kinds")
        dim = "" if axis is None else f", dim={self.source(axis)}"
        torch_name = {"concatenate": "cat"}.get(name, name)
        return Code(
            f"{self.torch}.{torch_name}([{', '.join(p.text for p in parts)}]{dim})",
            parts[0].kind,
            wide=any(p.wide for p in parts),
            narrow=any(p.narrow for p in parts),
        )

    def _cast(self, name: str, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression]) -> Code:
        wanted = keywords.pop("dtype", None) or (args[1] if len(args) > 1 else None)
        keywords.pop("copy", None)
        if keywords or len(args) > 2:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported argument")
        if isinstance(args[0], (cst.List, cst.Tuple)):
            parts = [self.code(e.value) for e in args[0].elements]
            if len({p.kind for p in parts}) != 1 or any(p.plain for p in parts):
                raise FixNotApplicable(NoFix.ELEMENTS_DIFFER, "elements of different kinds")
            text = f"{self.torch}.stack([{', '.join(p.text for p in parts)}])"
            first = Code(text, parts[0].kind, wide=any(p.wide for p in parts))
        else:
            first = self.code(args[0])
        text = first.text
        if wanted is not None:
            dtype = self._dtype(wanted)
            # numpy copies here, also where the dtype is that already.
            copied = self.copying and not first.own and name in ("array", "astype")
            text = f"{parenthesised(text)}.to({self.torch}.{dtype}{', copy=True' if copied else ''})"
            text += ".contiguous()" if name == "ascontiguousarray" else ""
            made = replace(first, text=text, kind=table.kind(dtype), own=copied or first.own, wide=dtype == "float64")
            return replace(made, narrow=dtype in table.NARROW)
        if name in ("array", "copy") and not first.own:
            return replace(first, text=f"{parenthesised(text)}.clone()", own=True)
        if name == "astype":
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "no dtype is given")
        if name == "ascontiguousarray":
            return replace(first, text=f"{parenthesised(text)}.contiguous()")
        return replace(first, text=text)

    def _dtype(self, node: cst.BaseExpression) -> str:
        name = dotted(node)
        if isinstance(node, cst.SimpleString):
            name = str(node.evaluated_value)
        dtype = table.DTYPES.get(name.removeprefix(f"{self.numpy}."))
        if dtype is None:
            raise FixNotApplicable(NoFix.NO_EQUIVALENT, "an unsupported dtype")
        return dtype

    def _reduced(
        self, name: str, first: Code, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression]
    ) -> Code:
        keywords = dict(keywords)
        axis = keywords.pop("axis", None) or (args[0] if args else None)
        keep = keywords.pop("keepdims", None)
        correction = keywords.pop("ddof", None)
        if keywords or len(args) > 1 or (correction is not None and name not in ("std", "var")):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported argument")
        if axis is not None and dotted(axis) == "None":
            axis = None
        if keep is not None and axis is None:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "all dimensions are kept")
        if (
            first.kind == table.INTEGER
            and first.narrow
            and name not in ("max", "min", "amax", "amin", "argmax", "argmin")
        ):
            raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "numpy adds up bytes in another dtype")
        if first.kind == table.BOOL and name in ("argmax", "argmin"):
            raise FixNotApplicable(NoFix.NO_EQUIVALENT, "torch has no order of bools")
        whole, along = table.REDUCTIONS[name]
        text, kind, wide = first.text, first.kind, first.wide
        if name in ("any", "all"):
            kind = table.BOOL
        elif name in ("argmax", "argmin"):
            kind = table.INTEGER
            if isinstance(axis, cst.Tuple):
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "one axis only")
        elif name in ("mean", "std", "var", "nanmean") and kind != table.FLOAT:
            text, kind, wide = f"{parenthesised(text)}.to({self.torch}.float64)", table.FLOAT, True
        elif name in ("sum", "prod", "nansum") and kind == table.BOOL:
            kind = table.INTEGER
        if name == "prod" and isinstance(axis, cst.Tuple):
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "one axis only")
        parts = [text]
        if axis is not None:
            parts.append(f"dim={self.source(axis) if not isinstance(axis, cst.Tuple) else self.place.tree.code(axis)}")
        if name in ("std", "var"):
            parts.append(f"correction={'0' if correction is None else self.source(correction)}")
        if keep is not None:
            parts.append(f"keepdim={self.source(keep)}")
        # Along its only axis, an array gives a number too.
        number = True if axis is None else False if keep is not None else None
        text = f"{self.torch}.{whole if axis is None else along}({', '.join(parts)})"
        return Code(text, kind, wide=wide and kind == table.FLOAT, number=number, narrow=first.narrow)

    def _shaped(
        self, name: str, first: Code, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression]
    ) -> Code:
        one = parenthesised(first.text)
        given = [self.code(a).text if self.is_array(a) else self.place.tree.code(a) for a in args]
        if name == "clip":
            given += [self.place.tree.code(keywords[k]) for k in ("a_min", "a_max", "min", "max") if k in keywords]
            if len(given) != 2 or first.kind != table.FLOAT or len(keywords) + len(args) != 2:
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported clip")
            return joint(f"{self.torch}.clamp({first.text}, {', '.join(given)})", first.kind, first)
        if name in ("round", "around"):
            decimals = given or [self.place.tree.code(keywords["decimals"])] if keywords else given
            shown = f", decimals={decimals[0]}" if decimals else ""
            if first.kind == table.BOOL or (shown and first.kind == table.INTEGER):
                raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "torch rounds floats")
            return joint(f"{self.torch}.round({first.text}{shown})", first.kind, first)
        axis = keywords.pop("axis", None) if keywords else None
        if keywords:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported argument")
        if axis is not None:
            given.append(self.place.tree.code(axis))
        if name in ("flatten", "ravel"):
            if given:
                raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an order")
            return replace(
                first, text=f"{one}.flatten(){'.clone()' if name == 'flatten' else ''}", own=name == "flatten"
            )
        if name == "reshape" and given:
            return replace(first, text=f"{one}.reshape({', '.join(given)})", own=False)
        if name == "squeeze":
            return replace(first, text=f"{one}.squeeze({', '.join(given)})", own=False)
        if name == "flip" and len(given) == 1:
            if self.copying:
                raise FixNotApplicable(NoFix.ALIASED_WRITE, "a view of the array, where torch makes a copy")
            return replace(first, text=f"{one}.flip({given[0]})", own=False)
        if name == "expand_dims" and len(given) == 1 and given[0].lstrip("-").isdigit():
            return replace(first, text=f"{one}.unsqueeze({given[0]})", own=False)
        if name == "transpose" and given:
            return replace(first, text=f"{one}.permute({', '.join(given)})", own=False)
        raise FixNotApplicable(NoFix.NO_EQUIVALENT, f"{name} in an unsupported form")

    def _along(
        self, name: str, first: Code, args: list[cst.BaseExpression], keywords: dict[str, cst.BaseExpression]
    ) -> Code:
        keywords = dict(keywords)
        axis = keywords.pop("axis", None) or (args[0] if args else None)
        order = keywords.pop("kind", None) if name != "cumsum" else None
        stable = isinstance(order, cst.SimpleString) and order.evaluated_value in ("stable", "mergesort")
        if keywords or len(args) > 1:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "an unsupported argument")
        flat = axis is not None and dotted(axis) == "None"
        if name == "cumsum":
            if first.kind == table.BOOL or (first.narrow and first.kind == table.INTEGER):
                raise FixNotApplicable(NoFix.NUMPY_DIFFERS, "a count of bools or bytes")
            if axis is None or flat:
                return joint(f"{self.torch}.cumsum({parenthesised(first.text)}.flatten(), dim=0)", first.kind, first)
            return joint(f"{self.torch}.cumsum({first.text}, dim={self.source(axis)})", first.kind, first)
        if flat:
            raise FixNotApplicable(NoFix.UNKNOWN_FORM, "all elements together")
        dim = "-1" if axis is None else self.source(axis)
        if name == "sort":
            return joint(f"{self.torch}.sort({first.text}, dim={dim}).values", first.kind, first)
        if first.kind != table.FLOAT and not stable:
            raise FixNotApplicable(
                NoFix.NUMPY_DIFFERS, "numpy promises no order of equals, of which integers have many"
            )
        return Code(f"{self.torch}.argsort({first.text}, dim={dim}, stable=True)", table.INTEGER)

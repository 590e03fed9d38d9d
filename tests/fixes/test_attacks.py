"""Programs that were written against the preconditions of fixes: what is offered as safe changes nothing that runs."""

from __future__ import annotations

from typing import Final

import proof
import pytest
import torch
from exportdb_rules import engine
from exportdb_rules.finding import Applicability, Fix, Mode
from exportdb_rules.rewrite import edits

from .attack import I, Row, observe, same

DYNAMIC: Final = 'dynamic_shapes = {"x": {2: torch.export.Dim.DYNAMIC}}'
ASSUMPTIONS: Final = ("none", "batch")
EMPTY: Final = "[(torch.ones(2, 3),), (torch.ones(0, 3),)]"
MASKED: Final = (
    "[(torch.arange(12.0).reshape(4, 3), torch.tensor(m)) for m in ([True, False, True, True], [False] * 4)]"
)

# A helper that others call too, with what no traced call passes.
HELPERS: Final = {
    "a text for a size": Row(
        "unsafe",
        "return x * f(x.shape[0])",
        around="""
            def f(n):
                return int(n)
            assert f('3') == 3
        """,
    ),
    "a negative number": Row(
        "unsafe",
        "return x * f(x.shape[0])",
        around="""
            def f(n):
                return int(n / 2)
            assert f(-5) == -2
        """,
    ),
    "computed from it": Row(
        "unsafe",
        "return x * f(x.shape[0])",
        around="""
            def f(n):
                k = n + n
                return int(k)
            assert f('3') == 33
        """,
    ),
    "a text for a tensor": Row(
        "unsafe",
        "return x * f(x)",
        around="""
            def f(n):
                return len(n)
            assert f('ab') == 2
        """,
    ),
    "a tensor for a size": Row(
        "unsafe",
        "return x * f(x.shape[0])",
        around="""
            def f(n):
                return torch.as_tensor(n)
            t = torch.ones(2)
            assert f(t) is t
        """,
    ),
    "a text for an index": Row(
        "unsafe",
        "return x * f(x.argmax())",
        around="""
            def f(v):
                return int(v)
            assert f('3') == 3
        """,
    ),
    "an array": Row(
        "unsafe",
        "return f(x)",
        around="""
            def f(x):
                return 2 * (x * 1 if x.sum() > 0 else x * 3)
            assert (f(np.ones(3)) == 2).all()
        """,
    ),
    "an array by name": Row(
        "unsafe",
        "return f(x)",
        around="""
            def f(x):
                y = x * 1
                if y.sum() > 0:
                    y = -y
                return y
            assert (f(np.ones(3)) == -1).all()
        """,
    ),
    "an object with data": Row(
        "unsafe",
        "return x * f(self.lin.weight).sum()",
        around="""
            class A:
                data = 3
            def f(p):
                return p.data * 2
            assert f(A) == 6
        """,
    ),
    "declared": Row(
        "safe",
        "return x * f(x.shape[0])",
        around="""
            def f(n: int):
                return int(n)
        """,
    ),
    "declared as anything": Row(
        "unsafe",
        "return x * f(x.shape[0])",
        around="""
            from typing import Any
            def f(n: Any):
                return int(n)
            assert f('3') == 3
        """,
    ),
    "private": Row(
        "safe",
        "return x * _f(x.shape[0])",
        around="""
            def _f(n):
                return int(n)
        """,
    ),
    "private, and used": Row(
        "unsafe",
        "return x * _f(x.shape[0])",
        around="""
            def _f(n):
                return int(n)
            assert _f('3') == 3
        """,
    ),
    "a size that is asked for": Row(
        "safe",
        "return x * f(x)",
        around="""
            def f(x):
                return int(x.shape[0])
            assert f(np.ones(3)) == 3
        """,
    ),
    "used by a function of torch": Row(
        "safe",
        "return f(x)",
        around="""
            def f(x):
                y = torch.relu(x) * 1
                if y.sum() > 3:
                    y = -y
                return y
        """,
    ),
}

# Who has the tensor that one side of a branch is, and which gradients flow.
BRANCHES: Final = {
    "an input": Row("unsafe", "return x if x.sum() > 0 else -x"),
    "an input by name": Row(
        "unsafe",
        """
        if x.sum() > 0:
            x = -x
        return x
        """,
    ),
    "its own": Row(
        "safe",
        """
        y = x * 3
        if y.sum() > 0:
            y = -y
        return y
        """,
    ),
    "its own, at once": Row("safe", "y = x * 3; return y if x.sum() > 0 else -y"),
    "one that is also returned": Row("unsafe", "y = x * 3; return (y if x.sum() > 0 else -y), y"),
    "one that is read later": Row("unsafe", "y = x * 3; z = y if x.sum() > 0 else -y; return z, y"),
    "kept before": Row(
        "unsafe",
        """
        y = x * 3
        self.y = y
        if x.sum() > 0:
            y = -y
        return y
        """,
    ),
    "identity": Row(
        "unsafe",
        """
        y = x
        if x.sum() > 0:
            y = -y
        return x * (2 if y is x else 3)
        """,
    ),
    "no gradient around": Row(
        "unsafe",
        """
        y = x * 2
        with torch.no_grad():
            if x.sum() > 0:
                y = -y
        return y
        """,
    ),
    "one without a gradient": Row(
        "unsafe",
        """
        with torch.no_grad():
            z = -x
        y = x * 1 if x.sum() > 0 else z * 1
        return y
        """,
    ),
    "zeros": Row("unsafe", "y = x * 2 if x.sum() > 0 else torch.zeros_like(x); return y * 3"),
    "a parameter or none": Row("unsafe", "y = x * 2 if x.sum() > 0 else self.lin(x) * 2; return y * 3"),
    "a positive": Row("unsafe", "y = +x if x.sum() > 0 else x * 2; return y"),
    "integers": Row(
        "safe",
        "y = k * 2 if x.sum() > 0 else k * 3; return y + x",
        "x: torch.Tensor, k: torch.Tensor",
        "[(s * torch.ones(3), torch.tensor([1, 2, 3])) for s in (1, -1)]",
    ),
}

# Names that the new code looks up, and that are something else there.
NAMES: Final = {
    "list": Row("nothing", "list = [1]; return x.sum(dim=torch.arange(0, 2).tolist()) + list[0]"),
    "range": Row(
        "nothing",
        "return x.sum(dim=torch.arange(0, 2).tolist())",
        around="""
            def range(*a):
                raise ValueError
        """,
    ),
    "tuple": Row("nothing", "tuple = 3; k = [i, 0]; return x[k] * tuple", "x: torch.Tensor, i: torch.Tensor", I),
    "math": Row("nothing", "math = 3; return x[:, : np.gcd(self.n, 6)] + math"),
    "math of the file": Row(
        "nothing",
        "return x[:, : np.gcd(self.n, 6)]",
        around="""
            def math():
                pass
        """,
    ),
    "torch": Row("nothing", "torch = None; gc.collect(); return x", around="import gc"),
    "a star": Row("nothing", "return x.sum(dim=torch.arange(0, 2).tolist())", around="from math import *"),
    "nothing": Row("safe", "return x.sum(dim=torch.arange(0, 2).tolist())"),
    "torch, imported there": Row("safe", "import torch; gc.collect(); return x", around="import gc"),
}

# What is empty, of another dtype or of another type than usual.
VALUES: Final = {
    "no dimensions": Row(
        "unsafe",
        """
        try:
            n = len(x)
        except TypeError:
            n = 1
        return x * n
        """,
        inputs="[(torch.ones(2),), (torch.tensor(3.0),)]",
    ),
    "nothing to stack": Row("unsafe", "return torch.stack([x] * x.shape[0])", inputs=EMPTY),
    "nothing to join": Row("unsafe", "return torch.cat([x] * x.shape[0], 0)", inputs=EMPTY),
    "counted backwards": Row("unsafe", "return x.sum(dim=torch.arange(2, x.dim() - 1).tolist())"),
    "counted below nothing": Row("unsafe", "return x.sum(dim=torch.arange(x.dim() - 3).tolist())"),
    "counted down": Row("safe", "return x.sum(dim=torch.arange(1, -1, -1).tolist())"),
    "labels of another dtype": Row("unsafe", "i = x[:, 0].int() * 0; return F.one_hot(i, x.shape[0])"),
    "classes to be guessed": Row("unsafe", "i = x[:, 0].abs().long() % 2; return F.one_hot(i, x.shape[0] - 3)"),
    "an index that is a mask": Row("safe", "j = x.sum(1).argmax().to(torch.uint8); return x[j] * 2"),
    "a list for an array": Row(
        "unsafe", "k = [i, 0]; return torch.from_numpy(x.numpy()[k])", "x: torch.Tensor, i: torch.Tensor", I
    ),
    "a list that grows": Row(
        "nothing", "k = [i, 0]; k.append(1); return x[k[:2]]", "x: torch.Tensor, i: torch.Tensor", I
    ),
    "a view that is returned": Row("unsafe", "y = x[x.sum(1).argmax()]; return y"),
    "a view that is used up": Row("safe", "y = x[x.sum(1).argmax()] * 2; return y"),
    "modulo nothing": Row(
        "unsafe",
        """
        if x.shape[1] % np.lcm(0, 3) != 0:
            x = x * 2
        return x
        """,
    ),
    "past 64 bits": Row(
        "unsafe",
        """
        if x.shape[1] < np.lcm(2**62 - 1, 2**61 + 1):
            x = x * 2
        return x
        """,
    ),
    "a bound": Row("safe", "return x[:, : np.lcm(1, self.n)]"),
    "rounded": Row(
        "safe",
        "n = round(x.shape[0], -1); return x * n",
        inputs="[(torch.ones(k, 3),) for k in (2, 4, 5, 6, 14, 15, 16, 25, 35, 95)]",
    ),
}

# What a backward pass needs, and in which order things are computed.
EFFECTS: Final = {
    "a product needs it": Row("unsafe", "y = self.lin.weight * self.kept.data; self.kept.add_(1); return y + x.sum()"),
    "a quotient needs it": Row("unsafe", "y = self.lin(x) / self.kept.data; self.kept.mul_(0.9); return y"),
    "a method needs it": Row(
        "unsafe", "h = self.lin(x); y = self.kept.data.clamp(max=h); self.kept.mul_(0.9); return y"
    ),
    "a sum does not": Row("safe", "y = self.lin(x) + self.kept.data; self.kept.mul_(0.9); return y"),
    "a number does not": Row("safe", "y = self.lin(x) + self.kept.data * 2; self.kept.mul_(0.9); return y"),
    "a positive is the same": Row("unsafe", "y = +self.kept.data; y.add_(1); return x + y"),
    "flags come last": Row(
        "nothing",
        "return F.scaled_dot_product_attention(x, x, self.told(x), is_causal=self.asked(x))",
        inputs="[(torch.randn(2, 4, n, 8),) for n in (5, 1)]",
        around="""
            def told(self, x):
                print('told')
                return x
            def asked(self, x):
                print('asked')
                return x.shape[2] > 1
            nn.Module.told, nn.Module.asked = told, asked
        """,
        dynamic=DYNAMIC,
    ),
    "a flag": Row(
        "unsafe",
        "return F.scaled_dot_product_attention(x, x, x, is_causal=x.shape[2] > 1)",
        inputs="[(torch.randn(2, 4, n, 8),) for n in (5, 1)]",
        dynamic=DYNAMIC,
    ),
    "a mangled name": Row(
        "nothing", "setattr(self, '__w', getattr(self, '__w', 0) + 1); return x * 2 + hasattr(self, '__w')"
    ),
    "an attribute": Row("safe", "setattr(self, 'n', self.n + 1); return x * self.n"),
    "a name that the test binds": Row(
        "nothing",
        """
        t = x.sum(0)
        for r in filter(lambda r: (q := r.sum()) > 0, x):
            t = t + r
        return t
        """,
    ),
}

# Branches of torch.cond, which a bool of Python lets do anything; and which may hand out what they got without gradients.
OPERATORS: Final = {
    f"{name}, {what}": Row(offered if what == "a tensor" else "unsafe", body.replace("TEST", test))
    for name, offered, body in (
        ("an alias", "unsafe", "y = torch.cond(TEST, lambda x: x, lambda x: x * 2, (x,)); return y"),
        (
            "strides",
            "safe",
            "y = torch.cond(TEST, lambda x: (x * 2).t(), lambda x: (x.t() * 2).contiguous(), (x,)); return y",
        ),
        ("a number", "safe", "y = torch.cond(TEST, lambda x, k: x * k, lambda x, k: x + k, (x, 2)); return y"),
        ("None", "safe", "y = torch.cond(TEST, lambda x: (x * 2, None), lambda x: (x * 3, None), (x,)); return y[0]"),
        (
            "a write",
            "safe",
            """
            def f(z):
                z.add_(1)
                return z * 2
            y = torch.cond(TEST, f, lambda z: z * 3, (x,))
            return y
            """,
        ),
    )
    for what, test in (("a tensor", "x.sum() > 0"), ("a size", "x.shape[0] > 2"))
}
EVERY: Final = {
    f"{table}: {name}": row
    for table, rows in (
        ("helpers", HELPERS),
        ("branches", BRANCHES),
        ("names", NAMES),
        ("values", VALUES),
        ("effects", EFFECTS),
        ("operators", OPERATORS),
    )
    for name, row in rows.items()
}


def fixes_of(text: str) -> list[Fix]:
    """Every fix of every finding, with and without dimensions that are assumed to be dynamic."""
    found: list[Fix] = []
    for assumed in ASSUMPTIONS:
        settings = engine.Settings(modes=(Mode.NON_STRICT, Mode.STRICT), assume_dynamic=assumed)
        found += [fix for _, fixes in proof.offers(text, settings) for fix in fixes if fix not in found]
    return found


@pytest.mark.parametrize("row", EVERY.values(), ids=EVERY)
def test_a_safe_fix_changes_nothing_that_runs(row: Row) -> None:
    fixes = fixes_of(row.text)
    safe = [fix for fix in fixes if fix.applicability is Applicability.SAFE]
    assert ("safe" if safe else "unsafe" if fixes else "nothing") == row.offered, [fix.title for fix in fixes]
    for fix in safe:
        after = edits.apply(row.text, fix.edits)
        for train in (False, True):
            for before, now in zip(observe(row.text, train=train), observe(after, train=train), strict=True):
                # What torch refuses of its own operators means nothing yet.
                if not before.get("refused"):
                    assert before.keys() == now.keys(), f"{fix.title}\n{after}\n{before}\n{now}"
                    changed = [what for what in before if not same(before[what], now[what])]
                    assert changed == [], f"{fix.title}\n{after}"


FLOATS: Final = "torch.tensor([[1.5, -2.0, 0.0], [0.25, 3.0, 3.0], [-1.0, 7.5, float('nan')]])"
# What numpy computes of each kind of array, and whether torch can compute the same.
ARRAYS: Final = {
    "x.numpy()": {
        "np.sign(a)": True, "np.median(a, axis=0)": False, "np.percentile(a, [10, 90])": False, "a.std(ddof=1)": True,
        "np.var(a, axis=1, keepdims=True)": True, "np.maximum(a, 0)": True, "np.clip(a, 1, 0)": True, "a.argmax(axis=1)": True,
        "np.where(a > 0, a, np.nan)": True, "(a > 0).sum()": True, "np.nansum(a)": True, "np.sort(a, axis=0)": True,
        "abs(a).astype(np.int32) / 2": True, "np.exp(a > 0)": False, "(a > 0) ** 2": False, "a.astype(np.float16).sum()": True,
        "np.median(a.astype(np.float16))": False, "np.array([a.sum(), 1.0])": False, "np.sort(a, axis=None)": False,
        "a * np.float64(2)": False, "np.add(a, 1, out=a)": False, "np.sum(a, where=a > 0)": False, "sum(a)": True,
        "np.max(a, initial=0)": False, "a * np.arange(3)": False,
    },
    "x.nan_to_num().long().numpy()": {
        "a / 2": True, "a.mean(0)": True, "a // 2": True, "a % 3": True, "np.sqrt(a)": True, "a * 0.5": True, "np.abs(a)": True,
        "a // 0": False, "a // a": False, "2 ** a": False, "np.round(a, 1)": False, "np.argsort(a)": False,
        "np.argsort(a, kind='stable')": True, "abs(a).astype(np.uint8).sum()": False, "np.sqrt(a.astype(np.int16))": False,
        "abs(a).astype(np.uint8).any()": False, "abs(a).astype(np.uint8) * 0.5": True,
    },
    "(x > 0).numpy()": {
        "a.sum(0)": True, "a.mean()": True, "a & True": True, "~a": True, "a * 2.0": True, "np.logical_not(a)": True,
        "a - 1": False, "np.argmax(a)": False, "np.log(a)": False, "a @ a.T": False, "np.quantile(a, 0.3)": False,
        "a.round()": False, "-a": False,
    },
}  # fmt: skip
COMPUTED: Final = [(get, code, same_) for get, rows in ARRAYS.items() for code, same_ in rows.items()]


@pytest.mark.parametrize(("get", "code", "possible"), COMPUTED, ids=[f"{get}: {code}" for get, code, _ in COMPUTED])
def test_torch_computes_what_numpy_does_or_is_not_offered(get: str, code: str, possible: bool) -> None:
    text = Row("", f"a = {get}; return torch.as_tensor({code})", inputs=f"[({FLOATS},)]").text
    fixes = [fix for fix in fixes_of(text) if "numpy" in fix.title.lower()]
    assert bool(fixes) is possible
    for fix in fixes:
        (before,), (now,) = (observe(one, train=False) for one in (text, edits.apply(text, fix.edits)))
        old, new = before["results"][0], now["results"][0]
        assert old.dtype == new.dtype
        assert torch.allclose(old, new, equal_nan=True)


MIXED: Final = {
    "copied where it is not contiguous": "a = x.clone().numpy(); b = np.ascontiguousarray(a.T); b += 1; return torch.from_numpy(a)",
    "a sum of rows": "a = x.numpy(); return torch.from_numpy(sum(a))",
    "rows one by one": "a = x.numpy(); return torch.stack([torch.from_numpy(row) for row in a])",
    "named on the way": "return torch.from_numpy((a := x.numpy()) * 2 + a)",
    "one or the other": "a = x.numpy(); b = a if self.n > 2 else self.other; return torch.from_numpy(b * 1)",
    "now one, now the other": "a = x.numpy(); a = self.other if self.n > 2 else a; return torch.from_numpy(a)",
    "its shape, written out": "a = x.numpy(); return x * len(str(a.shape))",
    "a double beside floats": "a = x.numpy(); return torch.from_numpy(a * self.factor)",
}


@pytest.mark.parametrize("body", MIXED.values(), ids=MIXED)
def test_arrays_that_meet_other_things_stay_right(body: str) -> None:
    init = "self.other = np.arange(3.0, dtype=np.float32); self.factor = np.float64(2.5)"
    text = Row("", body, init=init).text
    for fix in fixes_of(text):
        for before, now in zip(
            observe(text, train=False), observe(edits.apply(text, fix.edits), train=False), strict=True
        ):
            assert same(before.get("results"), now.get("results")), fix.title

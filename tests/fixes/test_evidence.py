"""A safe fix rests on what was declared or observed, and every edit stands where it belongs."""

from __future__ import annotations

from textwrap import indent

import proof
import pytest
from exportdb_rules import engine
from exportdb_rules.finding import Applicability, Fix, Mode

from ..programs import block, fill

PROGRAM = """\
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self, helper=None):
        super().__init__()
        self.lin = nn.Linear(3, 3)
        self.kept = np.ones(3)
        self.helper = helper

    def forward(self, {head}):
        {body}
"""
BATCH = engine.Settings(modes=(Mode.NON_STRICT, Mode.STRICT), assume_dynamic="batch")


def program(body: str, head: str = "x, y") -> str:
    return fill(PROGRAM, head=head, body=body)


def offered(body: str, head: str = "x, y") -> list[Fix]:
    return [fix for _, fixes in proof.offers(program(body, head), BATCH) for fix in fixes]


def is_safe(body: str, head: str = "x, y") -> bool:
    found = offered(body, head)
    assert found, "no fix is offered"
    return all(fix.applicability is Applicability.SAFE for fix in found)


MAYBE_A_LIST = {
    "alone": "return sum(y) * len(x)",
    "joined": """
        if len(x) == 1:
            return x[0]
        return torch.cat(x)
    """,
    "stacked": "return torch.stack(x) / len(x)",
    "indexed": """
        total = 0
        for i in range(len(x)):
            total = total + x[i].sum()
        return total
    """,
    "a part": "return y * len(x['rows'])",
    "a list's method": "return y * len(x) * x.count(1)",
    "on another side": """
        if y is None:
            return x.sum()
        return y.sum() * len(x)
    """,
    "by an operator": """
        z = x * 2
        return y.sum() * len(z)
    """,
    "with data": "return y + (x.data + 1)",
}


@pytest.mark.parametrize("body", MAYBE_A_LIST.values(), ids=MAYBE_A_LIST)
def test_a_parameter_that_may_be_a_list_is_no_tensor_to_a_safe_fix(body: str) -> None:
    assert not any(fix.applicability is Applicability.SAFE for fix in offered(body))


USED_AS_A_TENSOR = {
    "a method": ("return x.sum() * len(x)", "x"),
    "a layer": ("return self.lin(x) * len(x)", "x"),
    "a function": ("return F.relu(x) * len(x)", "x"),
    "a column": ("return x[:, 0] * len(x)", "x"),
    "a product": ("return (x @ y) * len(x)", "x, y"),
    "declared": ("return y * len(x)", "x: torch.Tensor, y: torch.Tensor"),
    "the parameter": (
        """
        z = x * 2
        return x.mean() + len(z)
        """,
        "x",
    ),
    "in every case": (
        """
        if y is None:
            n = len(x)
        else:
            n = 1
        return x.relu() * n
        """,
        "x, y=None",
    ),
}


@pytest.mark.parametrize(("body", "head"), USED_AS_A_TENSOR.values(), ids=USED_AS_A_TENSOR)
def test_a_parameter_that_is_used_as_a_tensor_is_one(body: str, head: str) -> None:
    assert is_safe(body, head)


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("torch.randint(low=0, high=t + 1, size=(2,))", "torch.randint(low=0, high=(t + 1).item(), size=(2,))"),
        (
            """
            torch.randint(
                low=0,
                high=t
                + 1,
                size=(2,),
            )
            """,
            """
            torch.randint(
                low=0,
                high=(t
                + 1).item(),
                size=(2,),
            )
            """,
        ),
        ("x.roll(shifts=t, dims=0)", "x.roll(shifts=t.item(), dims=0)"),
    ],
    ids=["by name", "over several lines", "of a method"],
)
def test_the_number_is_read_where_the_argument_stands(call: str, wanted: str) -> None:
    body = "t = x.sum().to(torch.int64)\nreturn "
    text, expected = (program(body + block(code), "x") for code in (call, wanted))
    assert expected.partition("return")[2] in proof.repair(text).text


@pytest.mark.parametrize(
    "call", ["torch.randint(*[0, t + 1], size=(2,))", "torch.randint(**{'high': t + 1}, size=(2,))"]
)
def test_what_comes_from_a_list_is_no_place_to_read_a_number_at(call: str) -> None:
    text = program(f"t = x.sum().to(torch.int64)\nreturn {call}", "x")
    assert ").item()" not in proof.repair(text).text


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("'a {} '\n'b {}'.format(x.sum(), 1)", "'a x.sum() b 1'"),
        ("('a {} ' 'b {}').format(x.sum(), 1)", "'a x.sum() b 1'"),
        ("'a ' + ('b ' 'c')", "'a b c'"),
        ("'a ' + ('b %s' % x.sum())", "'a b x.sum()'"),
        ("'a {} {}'.format(x.sum())", "'a {} {}'"),
        ("('a '\n'b')", "'a '"),
    ],
)
def test_a_message_of_several_texts_calls_none_of_them(message: str, wanted: str) -> None:
    body = f"""
if x.sum() > 9:
    raise ValueError({indent(message, " " * 8).strip()})
return x * 2
"""
    text = program(body, "x")
    fixed = proof.repair(text)
    assert fixed.titles == ["Replace the raise with torch._assert_async"]
    assert wanted in fixed.text
    (call,) = [line for line in fixed.text.splitlines() if "_assert_async" in line]
    assert '" (' not in call
    assert "' (" not in call


@pytest.mark.parametrize(
    "body",
    ["return x[: int(min(3, t))]", "return x[: int(max(t, 2))]", "return x * int(min([3, t]))"],
)
def test_the_smaller_of_a_number_and_a_tensor_may_be_the_number(body: str) -> None:
    text = program(f"t = x.sum()\n{body}", "x")
    assert ".to(torch.int64)" not in proof.repair_refused(text, "no function that torch has too").text


DECIDED_BY_NUMPY = {
    "in the test": """
        if x.detach().numpy().max() > 0:
            return x
        return -x
    """,
    "a function": "return x if np.mean(self.helper(x.numpy())) > 0 else -x",
    "an array": """
        a = x.numpy()
        if self.rows(a)[0] > 0:
            return x
        return -x
    """,
}


@pytest.mark.parametrize("body", DECIDED_BY_NUMPY.values(), ids=DECIDED_BY_NUMPY)
def test_what_numpy_decides_no_operator_of_torch_chooses_by(body: str) -> None:
    text = program(body, "x")
    for _, fixes in proof.offers(text, BATCH):
        for fix in fixes:
            new = "".join(edit.content for edit in fix.edits)
            assert "torch.where(x.detach().numpy()" not in new
            assert "torch.cond" not in new


BETWEEN = """\
import torch


class Net(torch.nn.Module):
    def chosen(self, x, rows):
        if rows[0] > 0:
            return x
        return -x

    def forward(self, x):
        return self.chosen(x, x.sum(0).numpy())
"""


def test_an_array_stays_one_in_the_function_that_it_is_given_to() -> None:
    assert proof.repair_refused(BETWEEN, "the array itself is passed on").titles == []


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "return torch.from_numpy(np.exp(x.numpy()) * self.kept)",
            "an operand may be an array that no tensor went into",
        ),
        (
            "return torch.from_numpy(np.clip(x.numpy(), 0, 1) * np.random.rand(3, 3))",
            "an operand may be an array that no tensor went into",
        ),
        ("return torch.from_numpy(np.exp(x.numpy()) * y)", "an operand may be an array that no tensor went into"),
        ("return torch.from_numpy(self.helper(np.exp(x.numpy())))", "from_numpy takes no tensor"),
        ("return np.exp(x.numpy())", "the array itself is passed on"),
        (
            "return torch.from_numpy(np.concatenate([x.numpy(), self.kept]))",
            "an operand may be an array that no tensor went into",
        ),
    ],
    ids=["an attribute", "drawn", "a parameter", "a function", "the result", "joined"],
)
def test_numpy_stays_where_one_operand_may_be_an_array_or_an_array_is_wanted(body: str, reason: str) -> None:
    text = program(body, "x: torch.Tensor, y: object = None")
    assert "Replace NumPy with torch" not in proof.repair_refused(text, reason).titles


BRANCH = """\
import scipy
import torch
from scipy.optimize import linear_sum_assignment


def read(x):
    with open("factor") as file:
        return x * float(file.read())


def inverse(x):
    return torch.as_tensor(scipy.linalg.inv(x))


def doubled(x):
    return torch.add(x, x)


class Inner(torch.nn.Module):
    def forward(self, x):
        return read(x)


class Net(torch.nn.Module):
    def __init__(self, matcher=None):
        super().__init__()
        self.matcher = matcher
        self.inner = Inner()
        self.lin = torch.nn.Linear(3, 3)

    def cost(self, x):
        return inverse(x)

    def halved(self, x):
        return self.lin(x) / 2

    def forward(self, x: torch.Tensor, k: torch.Tensor):
        if x.sum() > 0:
            y = {call}
        else:
            y = self.lin(x) * 3
        return y


example_args = (torch.ones(3, 3), torch.ones(()))
model = Net()
"""


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("read(x)", "`open` has no place in a graph"),
        ("self.cost(x)", "`scipy.linalg.inv` is of scipy, which Dynamo may not follow"),
        ("self.inner(x)", "`open` has no place in a graph"),
        ("inverse(x)", "`scipy.linalg.inv` is of scipy, which Dynamo may not follow"),
        ("x[linear_sum_assignment(x)[0]]", "`linear_sum_assignment` is of scipy, which Dynamo may not follow"),
        ("self.matcher(x)", "a branch returns something that is not a tensor"),
        ("x * len(range(k))", "range would read a tensor"),
    ],
)
def test_no_branch_of_cond_calls_what_cannot_be_traced(call: str, reason: str) -> None:
    assert "torch.cond" not in proof.repair_refused(BRANCH.format(call=call), reason).text


@pytest.mark.parametrize("call", ["doubled(x)", "self.halved(x)", "self.lin(x)"])
def test_a_branch_of_cond_calls_what_is_torch_all_the_way(call: str) -> None:
    assert "torch.cond" in proof.repair_found(BRANCH.format(call=call), wanted="torch.cond").text


LOOP = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(3))
        self.lin = torch.nn.Linear(3, 3)

    {decorated}
    def forward(self, x, n):
        total = {first}
        for i in {rounds}:
            total = total + {added}
        return total.sum()
"""


@pytest.mark.parametrize(
    ("first", "rounds", "added"),
    [
        ("torch.zeros(3)", "n", "self.w * i * x"),
        ("torch.zeros(3)", "range(int(n.max()))", "self.w * x"),
        ("x.new_zeros(3)", "range(int(n.max()))", "self.lin(x)"),
        ("x * 2", "range(int(n.max()))", "self.lin(x)"),
    ],
    ids=["rows of an input", "a parameter", "a layer", "an input"],
)
def test_no_loop_becomes_a_while_loop_that_loses_the_gradients_of_its_parameters(
    first: str, rounds: str, added: str
) -> None:
    text = LOOP.format(decorated="", first=first, rounds=rounds, added=added)
    assert (
        "while_loop"
        not in proof.repair_refused(
            text, "total requires no gradient before the loop: those of its parameters would be lost", settings=BATCH
        ).text
    )


@pytest.mark.parametrize(
    ("decorated", "first", "added"),
    [
        ("@torch.no_grad()", "torch.zeros(3)", "self.w * x"),
        ("", "self.lin(x)", "self.w * x"),
        ("", "torch.zeros(3)", "x"),
    ],
    ids=["without gradients", "begun with some", "no parameter"],
)
def test_a_loop_whose_gradients_stay_becomes_a_while_loop(decorated: str, first: str, added: str) -> None:
    text = LOOP.format(decorated=decorated, first=first, rounds="range(int(n.max()))", added=added)
    text = text.replace("x, n)", "x: torch.Tensor, n: torch.Tensor)").replace("return total.sum()", "return total")
    assert "while_loop" in proof.repair_found(text).text


COUNTER = """\
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        {branch}
        return x * self.steps
"""


BRANCHED_ON = {
    "an attribute": (
        """
        if self.steps == 1:
            self.first = x
        """,
        "an assignment to self.first",
    ),
    "a size": (
        """
        if self.steps == 3:
            x = x[:1]
        """,
        "the branches may return different dtypes or shapes",
    ),
}


@pytest.mark.parametrize(("branch", "reason"), BRANCHED_ON.values(), ids=BRANCHED_ON)
def test_a_counter_that_python_still_branches_on_becomes_no_buffer(branch: str, reason: str) -> None:
    text = fill(COUNTER, branch=branch)
    assert proof.repair_refused(text, reason).text == text


def test_a_counter_whose_branch_is_mended_too_becomes_a_buffer() -> None:
    branch = """
        if self.steps > 3:
            x = x * 2
    """
    fixed = proof.repair_found(fill(COUNTER, branch=branch))
    assert "register_buffer" in fixed.text
    assert not fixed.left


def test_two_fixes_on_one_line_do_not_both_apply() -> None:
    fixed = proof.repair(program("return x * int(x.numpy().sum())", "x: torch.Tensor"))
    assert ".numpy()" not in fixed.text or ".item()" not in fixed.text


INDEXED = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x, ids, n):
        out = x.new_zeros(8)
        for i in range(int(n.max())):
            {place} = x[i]
        return out
"""


@pytest.mark.parametrize("place", ["out[ids[i] : ids[i] + 1]", "out[ids[i] :]"])
def test_data_that_says_how_much_is_written_is_no_internal_error(place: str) -> None:
    done = proof.repair_refused(INDEXED.format(place=place), "the size of what is written depends on data")
    assert "while_loop" not in done.text


CALLED = """\
import torch


def {name}(x, grid: torch.Tensor):
    sizes = grid.prod()
    return torch.bincount(x, minlength=int(sizes))


class Net(torch.nn.Module):
    def forward(self, x):
        return {name}(x.view(-1), torch.ones(2, dtype=torch.int64))
"""


@pytest.mark.parametrize(("name", "safe"), [("buckets", False), ("_buckets", True)])
def test_the_dtype_of_a_parameter_that_others_may_pass_is_not_known(name: str, safe: bool) -> None:
    """`int(t)` is `t.item()` for integers only, and the traced call is not the only one."""
    found = [fix for _, fixes in proof.offers(CALLED.format(name=name), BATCH) for fix in fixes]
    assert [(fix.title, fix.applicability is Applicability.SAFE) for fix in found] == [(found[0].title, safe)]

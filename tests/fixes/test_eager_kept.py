"""Code that a fix could change the meaning of: it is rewritten so that eager computes the same, or left as it is."""

from __future__ import annotations

import proof
import pytest

from ..programs import block, fill
from . import record

PROGRAMS = record.FOLDER
PROGRAM = """\
import math

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = [1, 0.5, 3]
        self.tenths = [0.1, 0.2, 0.3]
        self.kept = 0
        self.flag = True
        self.rnn = nn.GRU(3, 5, batch_first=True)
        self.register_buffer("total", torch.zeros(2))

    def forward(self, {arguments}):
        {body}


inputs = {inputs}
example_args = inputs[0]
model = Net()
{dynamic}
"""


def refuse_changes(body: str, arguments: str, inputs: str, dynamic: str = "") -> None:
    """Fails where something is found, and what all fixes make of it computes something else in eager."""
    text = fill(PROGRAM, body=body, arguments=arguments, inputs=inputs, dynamic=dynamic)
    assert proof.offers(text), "nothing is found"
    fixed = proof.repair(text).text
    calls = proof.load(text)["inputs"]
    before, after = proof.play(proof.model(text), calls), proof.play(proof.model(fixed), calls)
    assert proof.difference(before, after) == "", fixed


NUMPY = {
    "integers and half": "a = x.long().numpy(); return torch.from_numpy(a * 0.5)",
    "integers by a size": "a = x.long().numpy(); return torch.from_numpy(a / x.shape[0])",
    "less one": "a = x.long().numpy() + -1; return torch.from_numpy(a) * float(a.mean())",
    "an element that grows": "a = x[0].numpy(); s = a[0]; s += a[1]; return x * float(s)",
    "a sum that grows": "s = x.numpy().sum(); first = s; s += 1; return x * float(first) + float(s)",
    "a tensor of it": "y = torch.tensor(x.numpy(), dtype=torch.float32); y.add_(1); return x + y",
    "another dtype": "a = x.numpy().astype(np.float32); a += 1; return x + torch.from_numpy(a)",
    "an array of it": "a = np.array(x.numpy(), dtype=np.float32); a[0] = 7; return x + torch.from_numpy(a)",
    "one or none": "return torch.from_numpy(np.where(x.numpy() > 0, 1.0, 0.1))",
    "integers or a half": "a = x.long().numpy(); return torch.from_numpy(np.where(a > 0, a, 0.5))",
    "numbers as conditions": "a = x.numpy(); return torch.from_numpy(np.where(a, a, 0.5))",
    "a product of stacks": "a = x[None].numpy(); return torch.from_numpy(np.dot(a, a.transpose(0, 2, 1)))",
    "a product with a number": "return torch.from_numpy(np.dot(x.numpy(), 2))",
    "integers and floats": "return torch.from_numpy(x.numpy() * x.long().numpy())",
    "a double": "a = x.numpy(); return torch.from_numpy(a - a.astype(np.float64).mean())",
    "a mean of integers": "return torch.from_numpy(x.numpy() - x.long().numpy().mean())",
    "absolute values": "return torch.from_numpy(np.fabs(x.long().numpy()) + np.rint(x.long().numpy()))",
    "by an index": "a = x.numpy(); return torch.from_numpy(a * a.argmax())",
    "a row by indices": "a = x.numpy(); return torch.from_numpy(a[0] * a.argmax(0))",
    "a root": "a = x.long().numpy(); return torch.from_numpy(np.power(a * a, 0.5))",
    "half of a mask": "return torch.from_numpy((x.numpy() > 0) * 0.5)",
    "the larger": "return torch.from_numpy(np.maximum(x.long().numpy(), x.numpy()))",
    "squares of a mask": "return torch.from_numpy(np.square(x.numpy() > 0))",
    "one after the other": "a = x.numpy(); return torch.from_numpy(np.concatenate([a, a], axis=None))",
}


@pytest.mark.parametrize("body", NUMPY.values(), ids=NUMPY)
def test_torch_computes_what_numpy_did(body: str) -> None:
    refuse_changes(body, "x", "[(torch.tensor([[3.0, -1.0, 2.0], [0.5, 4.0, 1.0]]),)]")


INDEXED = {
    "a row that is written": "x = x.clone(); x[i].add_(1); return x",
    "a row by name": "x = x.clone(); row = x[i]; row *= 5; return x",
    "an element of a row": "x = x.clone(); x[i][0] = 5; return x",
    "a row of the best": "x = x.clone(); row = x[x.sum(1).argmax()]; row.mul_(5); return x",
    "a row that changes": "x = x.clone(); row = x[x.sum(1).argmax()]; x.zero_(); return row",
    "an element of a list": "rows = [x * 1, x * 2]; row = rows[i]; row.add_(10); return rows[0] + rows[1]",
    "an item of a list": "rows = [x * 1, x * 2]; rows[i].add_(10); return rows[0] + rows[1]",
    "a scale of a double": "return x.double() * self.tenths[i]",
    "a scale of no dimensions": "return x.half().sum() * self.tenths[i]",
    "scales of two kinds": "return x.long() * self.scales[i]",
    "rows by truths": "rows = [x, x * 2]; return torch.stack([rows[k] for k in (x[0] > 0).tolist()])",
    "halves": "return torch.tensor([x.half().sum(), 1.0])",
    "short integers": "return torch.tensor([x.int().sum(dtype=torch.int32), 1])",
    "a truth and a number": "return torch.tensor([(x > 0).any(), 5])",
    "the first of the sorted": "x = x.clone(); sorted(x, key=lambda r: -r.sum())[0].add_(10); return x",
    "keys with a dimension": "return torch.stack(sorted(x, key=lambda r: -r.sum(0, keepdim=True)))",
    "the last that passed": """
        for row in filter(lambda row: row.sum() > 3, x):
            x = x + row
        return x + row
    """,
}


@pytest.mark.parametrize("body", INDEXED.values(), ids=INDEXED)
def test_what_is_picked_stays_what_it_was(body: str) -> None:
    inputs = "[(torch.arange(6.0).reshape(3, 2).flip(0), torch.tensor(1))]"
    refuse_changes(body, "x, i", inputs)


MARKED = {
    "the same in every round": """
        for i in mask.nonzero():
            total = total + x.sum()
        return total
    """,
    "a number": """
        for i in mask.nonzero():
            total = total + 1.0
        return total
    """,
    "a count": """
        out = torch.zeros(3)
        for i in mask.nonzero():
            out[i] += 1
        return out
    """,
    "a mean that grows": """
        y = x.mean(0)
        z = y
        for i in mask.nonzero():
            z += x[i[0]]
        return z, y
    """,
    "a buffer": """
        z = self.total
        for i in mask.nonzero():
            z += x[i[0]]
        return z + 1, self.total.clone()
    """,
    "a row for a number": """
        for i in mask.nonzero():
            total = total + x[i[0]]
        return total
    """,
    "halves": """
        z = torch.zeros(2).half()
        for i in mask.nonzero():
            z = z + x[i[0]]
        return z
    """,
    "padded doubles": "return pad_sequence([x[mask], x[~mask].double()], batch_first=True)",
}


@pytest.mark.parametrize("body", MARKED.values(), ids=MARKED)
def test_what_a_mask_marks_is_added_up_as_before(body: str) -> None:
    marks = ("[True, False, True]", "[True, True, True]", "[False, False, False]")
    inputs = ", ".join(f"(torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), torch.tensor({mark}))" for mark in marks)
    refuse_changes(f"total = x.new_zeros(())\n{block(body)}", "x, mask", f"[{inputs}]")


ROUNDS = {
    "a row": """
        for i in range(n.item()):
            x[i].add_(1)
        return x
    """,
    "an element": """
        for i in range(n.item()):
            x[i][0] = 5
        return x
    """,
    "a row from a row": """
        for i in range(n.item()):
            x[i].copy_(x[i] * 2)
        return x
    """,
    "a row that was": """
        for i in range(n.item()):
            row = x[i]
            x[i] = 0.0
            x[0] = x[0] + row
        return x
    """,
    "the round": """
        for i in range(3):
            y = x[i] * 2
            if y.sum() > 3:
                break
        return y + i
    """,
}


@pytest.mark.parametrize("body", ROUNDS.values(), ids=ROUNDS)
def test_rounds_see_what_others_wrote(body: str) -> None:
    inputs = "[(torch.arange(6.0).reshape(3, 2), torch.tensor(k)) for k in (2, 0)]"
    refuse_changes(f"x = x.clone()\n{block(body)}", "x, n", inputs)


SIZED = {
    "a logarithm of a half": "return x.half().sum() * math.log(x.shape[0])",
    "a shifted size": "n = x.shape[0]; return torch.linspace(n << 1, n << 2, n)",
    "repeated columns": "y = torch.stack([x] * x.shape[0]); return y.view(-1)",
    "tenths that are counted": "self.kept += 0.1; return x.half().sum() * self.kept",
}


@pytest.mark.parametrize("body", SIZED.values(), ids=SIZED)
def test_sizes_and_numbers_leave_dtype_and_layout_alone(body: str) -> None:
    inputs = "[(torch.randn(3, 4),), (torch.randn(4, 3).t(),)]"
    dynamic = 'dynamic_shapes = {"x": {0: torch.export.Dim.DYNAMIC}}'
    refuse_changes(body, "x", inputs, dynamic)


def test_a_conversion_that_raises_for_nan_is_no_safe_fix() -> None:
    text = fill(PROGRAM, body="return x * int(x.float().sum())", arguments="x", inputs="[(torch.ones(2),)]", dynamic="")
    assert proof.repair(text, safe_only=True).titles == []
    assert proof.repair(text).titles == ["Replace `int()` with `.item()`"]


@pytest.mark.parametrize("name", ["custom/rms_norm", "closures/of_the_file"])
def test_a_form_feed_in_a_comment_moves_no_line(name: str) -> None:
    plain = (PROGRAMS / f"{name}.py").read_text()
    note = "# one page\f and another\n"
    paged = plain.replace("import torch\n", f"{note}import torch\n", 1)
    assert proof.repair(paged).text.replace(note, "") == proof.repair(plain).text

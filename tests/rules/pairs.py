"""For each rule, programs that it must find, at the place between « and », and near ones that it must leave alone.

A program is the inside of `forward(self, x, y, n)`, whose inputs are annotated as tensors, unless it begins with a `try`
or has a blank line: then it is a whole file. Those of `CALLS` stand below a model, which they export.
"""

from __future__ import annotations

CALLS = ("EDB902", "EDB903", "EDB1004", "EDB1005")
NET = """
    import torch
    from torch.export import Dim, export

    class Net(torch.nn.Module):
        def forward(self, x, y=None):
            return x.sin()
"""

BAD: dict[str, tuple[str, ...]] = {
    "EDB101": (
        """
        import torch
        from torch.export import Dim

        class Net(torch.nn.Module):
            def forward(self, x):
                scale = torch.tensor(256) / x.shape[0]
                return x * 2 if «scale > 3» else x

        example_args = (torch.randn(3, 2),)
        dynamic_shapes = {'x': {0: Dim('n')}}
        model = Net()
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, use_cuda=False):
                super().__init__()
                self.use_cuda = use_cuda

            def forward(self, x):
                mask = torch.cuda.FloatTensor(3).fill_(1) if self.use_cuda else torch.FloatTensor(3).fill_(1)
                mask.scatter_(0, x.argmax(0), 0)
                return x if «mask.byte().any()» else -x
        """,
        # What is exported is the method that another name of the class stands for.
        """
        import torch

        class Net(torch.nn.Module):
            def predict(self, x):
                if «x.sum() > 0»:
                    return x
                return -x

            forward = predict
        """,
        """
        if «x.aminmax().max > 1»:
            return x
        return -x
        """,
        """
        if «torch.linalg.slogdet(x).logabsdet > 0»:
            return x
        return -x
        """,
        """
        import torch

        class Score:
            def __init__(self, value):
                self.value = value

            def __bool__(self):
                return «bool(self.value.sum() > 0)»

        class Net(torch.nn.Module):
            def forward(self, x):
                if Score(x):
                    return x + 1
                return x
        """,
        """
        import torch

        def first(x, other=None):
            if «other.sum() > 0»:
                return x
            return x + 1

        class Net(torch.nn.Module):
            def forward(self, x):
                return first(*[part for part in x.split(2)])
        """,
        """
        z = torch.distributions.Normal(x, 1.0, validate_args=False).rsample()
        if «z.mean() > 0»:
            return z
        return -z
        """,
        """
        import torch
        from torch.utils.checkpoint import checkpoint

        class Net(torch.nn.Module):
            def run(self, x, *, mask=None):
                if «mask.sum() > 0»:
                    return x
                return -x

            def forward(self, x):
                return checkpoint(self.run, x, use_reentrant=False, mask=x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(4, 4)

            def forward(self, x):
                y = torch.func.functional_call(self.layer, dict(self.layer.named_parameters()), (x,))
                if «y.sum() > 0»:
                    return y
                return -y
        """,
        """
        if «torch.tensor(3) > 2»:
            return x
        return y
        """,
        """
        import functools
        import torch

        def checked(function):
            @functools.wraps(function)
            def wrapper(*args):
                result = function(*args)
                if «result.isnan().any()»:
                    return torch.zeros_like(result)
                return result
            return wrapper

        @checked
        def loss(x, y):
            return (x - y).mean()

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return loss(x, y)
        """,
        """
        import functools
        import torch

        def in_double(apply=True):
            def decorator(function):
                @functools.wraps(function)
                def wrapper(self, *args):
                    return function(self, *[arg.double() for arg in args])
                return wrapper
            return decorator

        class Net(torch.nn.Module):
            @in_double(apply=True)
            def scaled(self, x):
                if «x.sum() > 0»:
                    return x * 2
                return x

            def forward(self, x):
                return self.scaled(x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, training=False):
                super().__init__()
                self.forward = self.forward_train if training else self.forward_test

            def forward_train(self, x):
                return x

            def forward_test(self, x):
                if «x.sum() > 0»:
                    return x * 2
                return x

        class Outer(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.net = Net()

            def forward(self, x):
                return self.net(x)
        """,
        """
        import types
        import torch

        def replaced(self, x):
            if «x.sum() > 0»:
                return x * 2
            return x

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.forward = types.MethodType(replaced, self)

            def forward(self, x):
                return x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = torch.nn.Linear(2, 2)
                self.linear.forward = self.bounded(self.linear.forward)

            def bounded(self, forward):
                def inner(x):
                    result = forward(x)
                    if «result.max() > 1»:
                        return result * 0
                    return result
                return inner

            def forward(self, x):
                return self.linear(x)
        """,
        """
        import operator
        import torch

        TESTS = {'gt': operator.gt}

        class Net(torch.nn.Module):
            def forward(self, x):
                if «TESTS['gt'](x.sum(), 0)»:
                    return x * 2
                return x
        """,
        """
        import torch

        class Checked:
            def __init__(self, x):
                self.x = x

            def __enter__(self):
                if «self.x.isnan().any()»:
                    self.x = None

            def __exit__(self, *error):
                return False

        class Net(torch.nn.Module):
            def forward(self, x):
                with Checked(x):
                    return x * 2
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer('weight', torch.tensor(1.0))

            def forward(self, x):
                return x * 2 if self.training and «self.weight != 0» else x
        """,
        """
        z = torch.nn.BatchNorm1d(3)(x) if x is None else torch.nn.functional.relu(x)
        if «z.sum() > 0»:
            return x
        return y
        """,
        """
        import torch

        class Rows:
            def __init__(self, x):
                self.x = x
            def __iter__(self):
                return self
            def __next__(self):
                return self.x

        class Net(torch.nn.Module):
            def forward(self, x):
                for row in Rows(x):
                    if «row.sum() > 0»:
                        return x
                return -x
        """,
        """
        import torch

        class Rows:
            def __init__(self, x):
                self.x = x
            def __iter__(self):
                return Steps(self)

        class Steps:
            def __init__(self, rows):
                self.rows = rows
            def __iter__(self):
                return self.rows
            def __next__(self):
                return self.rows.x

        class Net(torch.nn.Module):
            def forward(self, x):
                for row in Rows(x):
                    if «row.sum() > 0»:
                        return x
                return -x
        """,
        """
        import contextlib
        import torch

        @contextlib.contextmanager
        def doubled(x):
            yield x * 2

        class Net(torch.nn.Module):
            def forward(self, x):
                with doubled(x) as y:
                    if «y.sum() > 0»:
                        return y
                return x
        """,
        """
        import collections
        import torch

        Pair = collections.namedtuple('Pair', 'value count')

        class Net(torch.nn.Module):
            def forward(self, x):
                pair = Pair(count=2, value=x)
                value, count = pair
                if count > 1 and pair[1] > 1 and pair.count > 1:
                    x = x + 1
                if «pair.value.sum() > 0»:
                    return x
                return -x
        """,
        """
        parts = {str(n): None, **{str(y): x, 'a': 2}}
        if «parts['b'].sum() > 0»:
            return x
        return y
        """,
        """
        z = [(last := v * 2) for v in (x, y)]
        if «last.sum() > 0»:
            return x
        return z
        """,
        """
        import copy
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, mask: torch.Tensor | None):
                kept = copy.copy(mask)
                if kept is None and «x.sum() > 0»:
                    return x
                return -x
        """,
        """
        import torch

        class Inner(torch.nn.Module):
            def forward(self, *rows):
                if len(rows) == 1:
                    return rows[0]
                return rows[0] if «rows[0].sum() > 0» else rows[1]

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, *rows: torch.Tensor):
                return self.inner(*rows)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, name: str):
                super().__init__()
                self.name = name

            def forward(self, x):
                if self.name == 'a':
                    self.name += 'b'
                    if self.name == 'ab' and «x.sum() > 0»:
                        return x
                return -x
        """,
        """
        if «x.sum() > 0»:
            return x
        return y
        """,
        """
        while «x.max() > 1»:
            x = x / 2
        return x
        """,
        "return x if «x.any()» else y",
        """
        z = «x.sum()» and y
        return z
        """,
        "return [v for v in (x, y) if «v.sum() > 0»]",
        """
        flag = «bool(x.sum())»
        return x
        """,
        """
        if y.shape[0] > 1 and «bool(x.any())»:
            return x
        return y
        """,
        """
        if «0 < x.sum() < 1»:
            return x
        return y
        """,
        """
        ok = not «x.any()»
        return y
        """,
    ),
    "EDB102": (
        """
        k = n.item()
        «torch._assert(k > 3, 'few')»
        return x * k
        """,
        """
        assert «(x > 0).all()»
        return x
        """,
        """
        assert «n.item() > 3», 'few'
        return x
        """,
        """
        assert not «n.item() > 3»
        return x
        """,
        """
        k = n.item()
        assert «k > 3» and k < 9
        return x
        """,
        """
        «torch._check(x.any())»
        return x
        """,
        """
        «torch._assert(x.any(), 'none')»
        return x
        """,
    ),
    "EDB103": (
        # A number that something is filled with is no size, and neither is the next one of the list.
        """
        steps = torch.linspace(-1, 9, 4).int().tolist()
        for now, later in zip(steps[:-1], steps[1:]):
            x = x + torch.full((3,), now)
            if «later < 0»:
                break
        return x
        """,
        """
        import typing

        import torch

        class Cache(typing.NamedTuple):
            seen: torch.Tensor

            def length(self):
                return self.seen.item()

        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor, cache: Cache | None = None):
                if cache is not None and «cache.length() > 0»:
                    return x[:, -1:]
                return x
        """,
        """
        k = n.item()
        if «k > 3»:
            return x
        return y
        """,
        """
        z = x[(x > 0).nonzero(as_tuple=True)]
        if «z.numel() == 0»:
            return y
        return z
        """,
        """
        import torch
        from torch import Tensor as T

        class Net(torch.nn.Module):
            def forward(self, x: T, k: T):
                if «k.sum().item() > 3»:
                    return x
                return -x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, classes: int = 3):
                super().__init__()
                self.classes = classes

            def forward(self, x):
                counted = []
                for i in range(self.classes):
                    counted.append(i > 0)
                kept = x[torch.tensor(counted)]
                if «kept.numel() == 0»:
                    return x.sum()
                return kept.mean()
        """,
        """
        z = x[x > 0]
        if «z.numel() == 0»:
            return y
        return z
        """,
        """
        mask = (x > 0).unsqueeze(-1).expand_as(y)
        if «y[mask].numel() != 4»:
            return x
        return y
        """,
    ),
    "EDB104": (
        """
        if «x.isnan().any()»:
            raise ValueError('nan')
        return x
        """,
    ),
    "EDB105": (
        "return x * «torch.distributions.Beta(1.0, 1.0)».sample()",
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2), 2)
                self.register_buffer("later", torch.triu(torch.ones(99, 99), 1).bool())

            def forward(self, x):
                return «self.encoder(x, mask=self.later[: x.size(0), : x.size(0)])»
        """,
        """
        import torch
        from torch import distributions

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.prior = distributions.Independent(distributions.Normal(torch.zeros(4), torch.ones(4)), 1)

            def forward(self, x):
                return «self.prior.log_prob(x)»
        """,
        "return «torch.distributions.OneHotCategorical(logits=x, validate_args=False)».mean",
        "return «torch.distributions.Exponential(1.0).log_prob(x)»",
        """
        import torch
        from torch.distributions import Distribution, Normal

        Distribution.set_default_validate_args(False)

        class Net(torch.nn.Module):
            def forward(self, x):
                return «Normal(x, x.exp(), validate_args=True)».log_prob(x)
        """,
        """
        import heapq
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                heap = []
                for i, row in enumerate(x):
                    «heapq.heappush(heap, (row.sum(), i))»
                return x[heap[0][1]]
        """,
        "return x * «min(y.sum(1))»",
        "return x[«max(range(4), key=lambda i: y[i, 0])»]",
        "return «min([x[0], x[1]], key=lambda row: row.sum())»",
        "return x * «max(y.sum().item(), 0.0)»",
        """
        if «any(v.sum() > 0 for v in (x, y))»:
            return x
        return y
        """,
        """
        if «torch.equal(x, y)»:
            return x
        return y
        """,
        "return «sorted([x.sum(), y.sum()])»",
        "return «torch.nn.functional.one_hot(n)»",
    ),
    "EDB106": (
        """
        for _ in «range(n.item())»:
            x = x + 1
        return x
        """,
        """
        for i in «x.nonzero()»:
            y = y + i
        return y
        """,
    ),
    "EDB107": (
        # What is no function.
        """
        «torch._check(x.dim() == 2, "two")»
        return x
        """,
        """
        k = n.item()
        «torch._check_value(k > 0, lambda: "few")»
        return x * k
        """,
        """
        k = n.item()
        «torch._check(k > 0, lambda: 'few')»
        return x * k
        """,
    ),
    "EDB201": ("return «x.data» + 1",),
    "EDB202": (
        """
        if «type(x) is torch.Tensor»:
            return x * 2
        return x
        """,
        """
        if «x.__class__.__name__ == "Tensor"»:
            return x * 2
        return x
        """,
        """
        if type(x) not in (torch.Tensor, torch.nn.Parameter):
            «raise TypeError("no tensor")»
        return x
        """,
        """
        assert «type(x) == torch.Tensor», "no tensor"
        return x
        """,
        """
        import time
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                t = time.time()
                return «x * t»
        """,
    ),
    "EDB203": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, c=3):
                super().__init__()
                self.k = torch.tensor(3)
                self.j = torch.tensor(2)
                self.f = torch.tensor(2.0)
                self.c = torch.tensor(c)
                self.v = torch.tensor([1.0, 2.0])
                self.v1 = torch.tensor([2])

            def forward(self, x):
                return x[:, : «int(self.k ** 2)»]
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, c=3):
                super().__init__()
                self.k = torch.tensor(3)
                self.j = torch.tensor(2)
                self.f = torch.tensor(2.0)
                self.c = torch.tensor(c)
                self.v = torch.tensor([1.0, 2.0])
                self.v1 = torch.tensor([2])

            def forward(self, x):
                return x[:, : «int(5 - self.k)»]
        """,
        """
        import math
        return x * «math.cos(n.item())»
        """,
        """
        from math import log2
        return x * «log2(n)»
        """,
        """
        rows = {"k0": x, "k1": x + 1}
        return rows[«"k{}".format(n.item())»]
        """,
        """
        rows = {"k0": x, "k1": x + 1}
        return «rows.get(f"k{n.item()}", y)»
        """,
        """
        if «f"{n.item()}"» in {"1": x}:
            return x
        return y
        """,
        """
        if «f"{n.item()}" in ("1", "2")»:
            return x
        return y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.head0 = torch.nn.Linear(4, 4)
                self.head1 = torch.nn.Linear(4, 4)

            def forward(self, x, which: torch.Tensor):
                return «getattr(self, f"head{which.item()}")»(x)
        """,
        """
        name = f'{«x»!r}'
        return x if name else y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, box):
                left, right = «box.tolist()»
                return x * (right - left)

        example_args = (torch.randn(3, 2), torch.tensor([0.5, 2]))
        model = Net()
        """,
        "return x * «int(n)»",
        "return x * «float(x.max())»",
        """
        print(f'{«x.sum().item()»:.2f}')
        return x
        """,
        """
        z = x.float()
        low, high = «z.tolist()»
        return x * low
        """,
    ),
    "EDB204": (
        "return torch.from_numpy(«x.numpy()»)",
        # A size of a view, where the others say what it is.
        """
        import numpy as np
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return «x.view(x.size(0), np.prod(x.size()[1:]))»
        """,
    ),
    "EDB205": ("return «torch.tensor([x.sum(), y.sum()])»",),
    "EDB206": (
        """
        pairs = torch.zeros(2, 3)
        for pair in torch.cartesian_prod(torch.arange(2), torch.arange(3)):
            pairs[«pair[0], pair[1]»] = x.sum()
        return pairs
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                best = (x @ y).argmax(1, keepdim=True)
                best.squeeze_(1)
                last = (x @ y).argmax(0)
                for j in range(best.size(0)):
                    last[«best[j]»] = j
                return last

        model = Net()
        example_args = (torch.randn(2, 3), torch.randn(3, 4))
        """,
        """
        def best(c):
            score = torch.mean(torch.mean(c, dim=1), dim=1)
            index = torch.topk(torch.mean(score, dim=0), 2, dim=-1)[1]
            return torch.stack([score[«:, index[i]»] for i in range(2)], dim=-1)
        _, length, _, _ = x.shape
        _, others, _, _ = y.shape
        if length > others:
            y = torch.cat([y, x[:, others:]], dim=1)
        else:
            y = y[:, :length]
        return best(torch.fft.irfft(torch.fft.rfft(y.permute(0, 2, 3, 1).contiguous(), dim=-1), dim=-1))
        """,
        """
        rows, columns = x.shape
        return y[«:, x.argmax(0)[0]»]
        """,
        """
        rows, columns = x.shape
        values, places = x.t().sort()
        return y[«:, places[0, 0]»]
        """,
        """
        rows, columns = x.shape
        return y[«:, x.max(dim=1)[1][0]»]
        """,
        "return torch.arange(1, «x.long().max()»)",
        "return torch.arange(«x.float().sum()»)",
        "return torch.arange(«n + 3», 20)",
        "return torch.arange(start=1, end=«n.abs()»)",
        "return torch.randint(1, «n.long().sum()», (3,))",
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.project = torch.nn.Linear(4, 4)

            def forward(self, x, n):
                y = self.project(x)
                part = y[:, : n.item()]
                return «part.mul_(2)», y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.project = torch.nn.Linear(4, 4)

            def forward(self, x, lengths):
                out = torch.zeros(2, 4)
                for row, length in enumerate(lengths.tolist()):
                    «out[row, :length]» = self.project(x)[row, :length]
                return out
        """,
        "return 'abcd'[«n.item()»], x",
        "return x[«n[0].item() :, 1:»] * 2",
        "return x[«n[0] :, None, n[1] :»] * 2",
        "return torch.linspace(0, 1, «n.item()»)",
        "return x.transpose(0, 1).chunk(«n»)",
        """
        z = x.clone()
        z[«x.argmax()»] = 0
        return z
        """,
        "return (x, y)[«n»]",
        "return x * «torch.as_tensor(x.max().item())»",
        "return x * «torch.IntTensor([x.argmax().item(), 1])».sum()",
        "return x * «x.new([x.max().item()])»",
        "return [x, y][«: n.item()»]",
        """
        def step(total, i, row):
            total = total.clone()
            total[«i.item(), :»] = row
            return [total, i + 0]
        return torch.ops.higher_order.scan(step, [torch.zeros(3, 2)], [torch.arange(3), x], [])[0]
        """,
    ),
    "EDB207": (
        "z = «x.as_subclass(torch.Tensor)» + 1",
        """
        import copy
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return «copy.deepcopy([1, {"x": x}])»[1]["x"]
        """,
        """
        import dataclasses
        import torch

        @dataclasses.dataclass
        class Box:
            x: torch.Tensor
            scale: int = 2

        class Net(torch.nn.Module):
            def forward(self, x):
                return «dataclasses.asdict(Box(x))»["x"] + 1
        """,
        "return x + «x.untyped_storage().data_ptr()» % 2",
        "return x if «x.storage().data_ptr()» == y.data_ptr else y",
        """
        import copy
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)

            def forward(self, x):
                return «copy.deepcopy(self.layer)»(x)
        """,
        """
        import copy
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return «copy.deepcopy(x)»
        """,
    ),
    "EDB209": (
        "return «torch.lobpcg(x @ x.T, 1)»[0]",
        "«torch.nn.init.trunc_normal_(x)»\nreturn x",
        "return «torch.cov(x)»",
        "return «x.corrcoef()»",
        "return «torch.combinations(x[0], 3)»",
        "return «torch.linalg.lstsq(x, y)».solution",
        "return «torch.nn.functional.ctc_loss(x, y, (8, 8), (3, 3))»",
        "return «torch.nn.functional.gaussian_nll_loss(x, y, n)»",
        "return «x.clone().apply_(lambda value: value * 2)»",
        "return «torch.nested.nested_tensor([x, y])».to_padded_tensor(0.0)",
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.loss = torch.nn.GaussianNLLLoss()

            def forward(self, x, y, variance):
                return «self.loss(x, y, variance)»
        """,
    ),
    "EDB211": (
        "return torch.where(«(x > 0).byte()», x, y)",
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, mask):
                return torch.where(«mask», x, -x)

        model = Net()
        example_args = (torch.randn(2, 3), torch.ones(2, 3, dtype=torch.uint8))
        """,
        "return x[«torch.ones_like(x, dtype=torch.uint8)[0]»]",
        "return x[:, «(y > 0).to(torch.uint8)[0]»]",
        "return x.where(«(x > 0).byte()», y)",
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("mask", torch.tril(torch.ones(3, 3, dtype=torch.uint8)))

            def forward(self, x):
                return torch.where(condition=«self.mask[0]», input=x, other=-x)
        """,
    ),
    "EDB210": (
        """
        import numpy as np
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scales = np.array([[16, 4], [32, 2]])[:, 0]

            def forward(self, x):
                if «x.shape[1] in self.scales»:
                    return x
                return x * 2
        """,
        """
        from typing import Sequence, Union
        import numpy as np
        import torch
        from settings import DTYPE

        class Net(torch.nn.Module):
            def __init__(self, rates: Union[Sequence[float], float] = [0.4, 0.2]):
                super().__init__()
                self.rates = rates
                if isinstance(self.rates, float):
                    self.rates = np.array([self.rates, self.rates], dtype=DTYPE)
                else:
                    self.rates = np.array(self.rates, dtype=DTYPE)

            def forward(self, x):
                if «self.rates[0] == 0»:
                    return x
                return x * 2
        """,
        """
        import numpy as np
        import torch

        ROOT = np.sqrt(2 / np.pi)

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.tanh(«ROOT * x»)
        """,
        """
        import numpy as np
        import torch

        class Net(torch.nn.Module):
            def __init__(self, rates):
                super().__init__()
                self.rate = np.linspace(0, rates, 4)[1]

            def forward(self, x):
                return x * 2 if «self.rate» else x
        """,
        """
        import numpy as np
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.eps = np.finfo(np.float32).eps

            def forward(self, x):
                return «x.clamp(min=self.eps)»
        """,
    ),
    "EDB401": (
        # A registered buffer that is given another shape or dtype, or None.
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", torch.zeros(4))

            def forward(self, x):
                «self.kept» = x.mean(0, keepdim=True)
                return x * 2

        model = Net()
        example_args = (torch.randn(3, 4),)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", torch.zeros(3, 4))

            def forward(self, x):
                «self.kept» = x.long()
                return x * 2

        model = Net()
        example_args = (torch.randn(3, 4),)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", torch.zeros(1, 4))

            def forward(self, x):
                «self.kept» = torch.cat([self.kept, x])
                return x * 2

        model = Net()
        example_args = (torch.randn(3, 4),)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", None)

            def forward(self, x):
                «self.kept» = x + 1
                return x * 2

        model = Net()
        example_args = (torch.randn(3, 4),)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", torch.zeros(3, 4))

            def forward(self, x):
                «self.kept» = None
                return x * 2

        model = Net()
        example_args = (torch.randn(3, 4),)
        """,
        # By constants, which non-strict export runs on the tensor itself.
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.decay = torch.ones(3)

            def forward(self, x):
                y = x * self.decay
                «self.decay».mul_(0.5)
                return y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.calls = torch.tensor(0)

            def forward(self, x):
                «self.calls» += 1
                return x * self.calls
        """,
        # Of a submodule: export follows no such assignment.
        """
        import torch

        class Average(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("mean", torch.zeros(3))

            def forward(self, x):
                «self.mean» = self.mean * 0.9 + x.mean(0)
                return x - self.mean

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.average = Average()

            def forward(self, x):
                return self.average(x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.w = torch.nn.Parameter(torch.randn(3, 3))
                self.b = torch.zeros(3, 3)

            def make(self):
                «self.b» = self.w @ self.w
                return self.b

            def forward(self, x):
                x = x @ self.b
                return x @ self.make()
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.h = torch.zeros(3)
                self.lin = torch.nn.Linear(3, 3)

            def scan(self, x, h):
                y = self.lin(x + h) + self.h
                «self.h» = y.mean(0)
                return y

            def forward(self, x, reset=True):
                h = self.h
                if reset:
                    h = torch.zeros(3)
                return self.scan(x, h)
        """,
        """
        import torch

        def resolve(explicit, internal, reset, n, k):
            if explicit is not None:
                return explicit
            if reset or internal is None:
                return torch.zeros(n, k)
            return internal

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.state = torch.zeros(2, 3)
                self.lin = torch.nn.Linear(3, 3)

            def forward(self, u, state=None, reset_state: bool = False):
                h = resolve(explicit=state, internal=self.state, reset=reset_state, n=u.shape[0], k=3)
                h = self.lin(u + h)
                «self.state» = h.detach()
                return h
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.h = torch.zeros(3)
                self.lin = torch.nn.Linear(3, 3)

            def forward(self, x, reset=True):
                h = self.h
                y = x + h
                if reset:
                    h = torch.zeros(3)
                h = self.lin(y + h)
                «self.h» = h.mean(0)
                return h
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, anew=False):
                super().__init__()
                self.anew = anew
                self.loss = 0

            def forward(self, x):
                if self.anew:
                    self.loss = 0
                «self.loss» += x.sum()
                return self.loss
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.added = None

            def forward(self, x):
                if self.added is None:
                    «self.added» = lambda y: y + x
                return self.added(x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.length = 0

            def fill(self, x):
                «self.table» = x.mean(0)

            def forward(self, x):
                if self.length != x.shape[1]:
                    self.length = x.shape[1]
                    self.fill(x)
                return x + self.table
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.length = None
                self.table = None

            def table_for(self, x):
                if x.shape[1] == self.length and self.table is not None:
                    return self.table
                self.length = x.shape[1]
                «self.table» = x.mean(0)
                return self.table

            def forward(self, x):
                return x * self.table_for(x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.template = None

            def forward(self, x):
                if self.template is None or self.template.shape != x.shape:
                    «self.template» = torch.rand_like(x)
                return x + self.template
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.last = None

            def forward(self, x):
                if self.last is None:
                    scale = 1
                    «self.last» = x
                else:
                    scale = self.last.dim()
                return x * scale
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.grow(8)

            def grow(self, length):
                «self.length» = length

            def forward(self, x):
                longest = self.length
                if x.shape[0] > self.length:
                    self.grow(x.shape[0])
                return x * longest
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.calls = 0

            def forward(self, x):
                «self.calls» += 1
                return x * self.calls
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.last = None

            def forward(self, x):
                y = x if self.last is None else x + self.last
                «self.last» = x
                return y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            calls = 0

            def forward(self, x):
                «type(self).calls» += 1
                return x * type(self).calls
        """,
    ),
    "EDB402": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.seen = {}

            def forward(self, x):
                m = self.seen.get("a")
                if m is not None:
                    x = x + 1
                if m is None:
                    m = torch.ones(3)
                    «self.seen["a"]» = m
                return x * m
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.names = []

            def forward(self, x):
                x = x * (1 + len(self.names))
                if "a" not in self.names:
                    «self.names.append("a")»
                return x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.count = {}

            def forward(self, x):
                if "a" not in self.count:
                    self.count["a"] = 0
                «self.count["a"]» += 1
                return x * self.count["a"]
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.seen = {}

            def forward(self, x):
                m = self.seen.get("a")
                if m is None:
                    m = torch.zeros(3)
                    «self.seen["a"]» = m
                m += 1
                return x * m
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.first, self.kept = True, {}

            def forward(self, x):
                if self.first:
                    «self.kept['x']» = x
                    self.first = False
                return x + self.kept['x']
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.features = {}

            def forward(self, x):
                if 'x' in self.features:
                    x = x + self.features['x']
                «self.features['x']» = x
                return x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.features = {'x': 0}

            def forward(self, x):
                x = x + self.features['x']
                «self.features['x']» = x
                return x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.seen = []

            def forward(self, x):
                «self.seen.append(x)»
                return torch.stack(self.seen).sum(0)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            kept = {}

            def forward(self, x):
                old = self.kept.get('x')
                «self.kept['x']» = x
                return x if old is None else x + old
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.left = {'a': 1}

            def forward(self, x):
                n = len(self.left)
                if 'a' in self.left:
                    del «self.left['a']»
                return x * n
        """,
    ),
    "EDB404": (
        """
        import warnings
        import torch

        first = True

        class Net(torch.nn.Module):
            def forward(self, x):
                global first
                if first:
                    warnings.warn("first call")
                    «first» = False
                    x = x + 1
                return x
        """,
        """
        import torch

        calls = 0

        class Net(torch.nn.Module):
            def forward(self, x):
                global calls
                «calls» += 1
                return x * calls
        """,
        """
        import torch

        cache = {}

        class Net(torch.nn.Module):
            def forward(self, x):
                old = cache.get('x')
                «cache['x']» = x
                return x if old is None else x + old
        """,
    ),
    "EDB405": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("mask", None)

            def forward(self, x):
                if self.mask is None:
                    «self.register_buffer("mask", torch.ones_like(x))»
                return x * self.mask
        """,
        "return «torch.nn.Linear(4, 4)»(x)",
        "return x * «torch.nn.Parameter(torch.ones(4))»",
        """
        import torch

        class Layer(torch.nn.Linear):
            pass

        class Net(torch.nn.Module):
            def forward(self, x):
                return «Layer(4, 4)»(x)
        """,
    ),
    "EDB406": (
        "return «torch.autograd.functional.jacobian(torch.sin, x)»",
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)

            def forward(self, x):
                «self.layer.requires_grad_(False)»
                return self.layer(x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)

            def forward(self, x):
                y = self.layer(x)
                «y.retain_grad()»
                return y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)

            def forward(self, x):
                «self.layer.weight.requires_grad_(False)»
                return self.layer(x)
        """,
        "return «torch.func.jacrev(torch.sin)(x)»",
        """
        z = x * 2
        «z.requires_grad» = True
        return z
        """,
        "return «torch.func.grad(lambda v: v.sum())(x)»",
    ),
    "EDB407": (
        """
        import torch

        class Block(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])

            def forward(self, x):
                for layer in self.layers:
                    x = layer(x)
                return x

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Block()

            def forward(self, x):
                block = «self.block.half()»
                return block(x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2)

            def forward(self, x):
                «self.layer.to(x.device)»
                return self.layer(x)
        """,
    ),
    "EDB408": (
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.heads = {"a": nn.Linear(2, 2), "b": nn.LayerNorm(2)}

            def forward(self, x):
                return {name: «head(x)» for name, head in self.heads.items()}
        """,
        """
        import torch
        from torch import nn

        class Helper:
            def __init__(self):
                self.layer = nn.Linear(2, 2)

            def run(self, x):
                return «self.layer(x)»

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.helper = Helper()

            def forward(self, x):
                return self.helper.run(x)
        """,
        """
        import torch
        from torch import nn

        backbone = nn.Linear(2, 2)

        class Net(nn.Module):
            def forward(self, x):
                return «backbone(x)»
        """,
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.weights = [nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))]

            def forward(self, x):
                return x * «self.weights»[0]
        """,
    ),
    "EDB409": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.meta = torch.nn.Parameter(torch.ones(2))

            def forward(self, x):
                return x * «self.meta»
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.graph = torch.nn.Sequential(torch.nn.Linear(2, 2))

            def forward(self, x):
                return «self.graph»(x)
        """,
    ),
    "EDB502": (
        """
        import random
        import torch

        class Net(torch.nn.Module):
            def forward(self, styles, keep=None, factor=None):
                factor = random.gauss(0, 1) if factor is None else 1.0
                if keep is None:
                    keep = «random.randint(1, 3)»
                return styles[0].unsqueeze(1).repeat(1, keep, 1)
        """,
        """
        import random
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * «random.random()»
        """,
        """
        import numpy
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.generator = numpy.random.default_rng(3)

            def forward(self, x):
                «self.generator.normal(size=3)»
                return x * 2
        """,
        """
        import numpy
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                drop = «numpy.random.uniform(0, 1)»
                return x if not self.training or drop > 0.1 else x * 2
        """,
    ),
    "EDB503": (
        "return «torch.FloatTensor(x.size())».zero_() + x",
        "return «torch.LongTensor(x.shape)».zero_() + x",
        "return «torch.arange(3, out=x.new())» + x[0, 0]",
        "return «torch.zeros(3, out=torch.FloatTensor())» + x[0, 0]",
        """
        import torch

        class Scale:
            def __init__(self):
                self.factor = 2.0

            def __rmatmul__(self, other):
                return self.factor + other

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = Scale()

            def forward(self, x):
                return «x @ self.scale»
        """,
        """
        import torch

        class Scale(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.factor = 2.0

            def __radd__(self, other):
                return self.factor + other

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = Scale()

            def forward(self, x):
                return «x + self.scale»
        """,
        """
        import torch

        class Scale:
            def __init__(self):
                self.factor = 2.0

            def __mul__(self, other):
                return self.factor + other

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = Scale()

            def forward(self, x):
                return «self.scale * x»
        """,
        # A dict's items are no constant to Dynamo, whatever they are; a key of a tuple is none where it holds a tensor.
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                sizes = [len(name) for name in ("a", "bc")]
                return x * «min((size for size in sizes), default=1)»
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor):
                rows = [(1, x + 1), (0, x - 1)]
                «rows.sort(key=lambda row: (-row[0], row[1]))»
                return rows[0][1]
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                counts = {"a": 1, "b": 2}
                name, count = «max(counts.items(), key=lambda item: item[1])»
                return x * count
        """,
        """
        import torch

        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, grad):
                return grad * 2

        class Net(torch.nn.Module):
            def forward(self, x):
                return x if «hasattr(Double, "fused")» else Double.apply(x)
        """,
        """
        import torch
        from torchaudio.transforms import MelSpectrogram

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.mel = MelSpectrogram(n_fft=400, n_mels=20)

            def forward(self, x):
                return «self.mel(x)».log()
        """,
        """
        import torch
        import torchaudio.transforms as T

        class Net(T.MelSpectrogram):
            def forward(self, x):
                return «self.spectrogram(x)».log()
        """,
        """
        import torch
        import torchaudio.transforms as T

        class Net(T.MelSpectrogram):
            def forward(self, x):
                return «super().forward(x)».log()
        """,
        """
        import torch
        import torchaudio.functional as F

        class Net(torch.nn.Module):
            def forward(self, x):
                window = torch.hann_window(400)
                return «F.spectrogram(x, 0, window, 400, 160, 400, 2.0, False)»
        """,
        "return «pow(x, 2)»",
        "return x * 2 if «torch.jit.isinstance(x, torch.Tensor)» else y",
        "return x + «torch.distributions.Normal(0.0, 1.0)».sample((4,))",
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.draws = {"noise": torch.Generator().manual_seed(3)}

            def forward(self, x):
                return x + «torch.empty_like(x).normal_(generator=self.draws["noise"])»
        """,
        """
        import torch

        class Scope:
            def __enter__(self):
                return self

            def __exit__(self, *error):
                pass

        scope = Scope()

        class Net(torch.nn.Module):
            def forward(self, x):
                with «scope»:
                    return x * 2
        """,
        "return x / len(«y.storage()»)",
        "return x / «y.untyped_storage().nbytes»()",
        """
        with torch.autocast(x.device.type, dtype=torch.bfloat16):
            z = (x @ y).relu()
        return «z.to(x.dtype)»
        """,
        """
        import contextlib
        import torch

        class Net(torch.nn.Module):
            def __init__(self, low=True):
                super().__init__()
                self.low = low
                self.layer = torch.nn.Linear(2, 2)

            def context(self):
                return torch.amp.autocast('cpu') if self.low else contextlib.nullcontext()

            def forward(self, x):
                with self.context():
                    y = self.layer(x)
                return «y.float()»
        """,
        """
        import contextlib
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, frozen=False):
                with contextlib.ExitStack() as stack:
                    if frozen:
                        «stack.enter_context(torch.no_grad())»
                    return x.sin()
        """,
        """
        «torch.mul(x, 2.0, out=torch.empty(3, 2).t())»
        return x
        """,
        """
        return «torch.sparse_coo_tensor(n, y, (3, 3))» @ x
        """,
        """
        import contextlib, sys
        with «contextlib.redirect_stdout(sys.stderr)»:
            return x + y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer('weight', torch.ones(3))

            def forward(self, x):
                return «torch.vmap(lambda row: row * self.weight)(x)»
        """,
        """
        import gc
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                «gc.collect()»
                return x
        """,
        """
        if «torch.cuda.device_count()» > 1:
            return x
        return y
        """,
        """
        with «torch.device('cpu')»:
            return x + torch.ones(2)
        """,
        """
        with «torch.backends.cuda.sdp_kernel(enable_flash=False)»:
            return x + y
        """,
        """
        class «Pair»:
            pass
        return x + y
        """,
        "return x * («x.storage_offset()» + 1)",
        """
        import threading
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                with «threading.Lock()»:
                    return x * 2
        """,
        """
        import torch

        class Net(torch.nn.Module):
            @torch.compiler.disable
            def log(self, x):
                return x

            def forward(self, x):
                return «self.log(x)»
        """,
        # Ways to keep Dynamo out of a function.
        """
        import torch
        from torch.compiler import disable

        class Net(torch.nn.Module):
            @disable
            def log(self, x):
                return x

            def forward(self, x):
                return «self.log(x)»
        """,
        """
        import torch._dynamo as dynamo
        import torch

        @dynamo.disable(recursive=False)
        def log(x):
            return x

        class Net(torch.nn.Module):
            def forward(self, x):
                return «log(x)»
        """,
        """
        import torch

        class Net(torch.nn.Module):
            @«torch._dynamo.disable»
            def forward(self, x):
                return x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return «torch.compiler.disable(lambda t: t + 1)»(x)
        """,
        """
        «torch._dynamo.graph_break()»
        return x
        """,
        """
        with «torch.cuda.device_of(x)»:
            return x * 2
        """,
        # What TorchScript made of a module.
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = torch.nn.ModuleList([torch.jit.script(torch.nn.Linear(3, 3)) for _ in range(2)])
                self.last = torch.jit.freeze(torch.jit.script(torch.nn.Linear(3, 3).eval()))

            def forward(self, x):
                for layer in self.layers:
                    x = «layer(x)»
                return x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.jit.trace(torch.nn.Linear(3, 3), torch.randn(2, 3))

            def forward(self, x):
                return «self.layer(x)»
        """,
        # Other sizes or strides in place.
        """
        «x.transpose_(0, 1)»
        return x * 2
        """,
        """
        if x.dim() == 2:
            «y.unsqueeze_(0)»
        return x + y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("table", torch.ones(3, 3))

            def forward(self, x):
                return x @ «self.table.t_()»
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.table = torch.ones(3, 3)

            def forward(self, x):
                return x @ «self.table.squeeze_()»
        """,
        """
        «torch.manual_seed(0)»
        return x + torch.rand(2)
        """,
    ),
    "EDB601": (
        "return «torch.cond(x.sum() > 0, lambda x: x, lambda x: x.cos(), (x,))»",
        "return «torch.cond(x.sum() > 0, lambda x: x[0], lambda x: x.sum(0), (x,))»",
        """
        z = x.sin()
        return «torch.cond(x.sum() > 0, lambda: z, lambda: z.cos())»
        """,
        "return «torch.cond(x.sum() > 0, lambda x: (x.sin(), x), lambda x: (x.cos(), x.clone()), (x,))»",
    ),
    "EDB602": (
        "return «torch.cond(x.sum() > 0, lambda x, k: x * k, lambda x, k: x + k, (x, 2))»",
        "return «torch.cond(x.sum() > 0, lambda x, k: x.sin(), lambda x, k: x.cos(), (x, None))»",
        "return «torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos(), (x, y))»",
        """
        def left(x, *, scale=2):
            return x * scale
        return «torch.cond(x.sum() > 0, left, lambda: y.sin(), (x,))»
        """,
    ),
    "EDB603": (
        "return «torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos() > 0, (x,))»",
        "return «torch.cond(x.sum() > 0, lambda x: (x.sin(),), lambda x: [x.cos()], (x,))»",
        "return «torch.cond(x.sum() > 0, lambda x: {'a': x.sin()}, lambda x: {'b': x.cos()}, (x,))»",
        "return «torch.cond(x.sum() > 0, lambda x: x.sin().sum(1), lambda x: x.cos(), (x,))»",
        "return «torch.cond(x.sum() > 0, lambda x: None, lambda x: None, (x,))»",
        "return «torch.cond(x.sum() > 0, lambda x: 1.0, lambda x: 2.0, (x,))»",
    ),
    "EDB604": (
        """
        def left(x):
            x[0] = 1
            return x.sin()
        return «torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))»
        """,
        """
        def left(x):
            «raise ValueError('no')»
        return torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))
        """,
        """
        kept = []
        def left(x):
            «kept.append(x)»
            return x.sin()
        return torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))
        """,
        """
        k = x
        def left(x):
            nonlocal k
            «k» = x + 1
            return x.sin()
        y = torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))
        return k + y
        """,
    ),
    "EDB605": (
        """
        from torch._higher_order_ops import while_loop
        def body(y):
            y.mul_(2)
            return (y + 1,)
        return «while_loop(lambda y: y.sum() < 9, body, (x,))»
        """,
        """
        from torch._higher_order_ops import while_loop
        return «while_loop(lambda y: y.sum() < 9, lambda y: (torch.cat([y, y]),), (x,))»
        """,
        """
        from torch._higher_order_ops import while_loop
        return «while_loop(lambda y, z: y.sum() < 9, lambda y: (y * 2,), (x, y))»
        """,
        """
        from torch._higher_order_ops import while_loop
        steps = 0
        def body(y):
            nonlocal steps
            «steps» += 1
            return (y * 2,)
        return while_loop(lambda y: y.sum() < 9, body, (x,))
        """,
        """
        from torch._higher_order_ops import while_loop
        steps = []
        def body(y):
            steps.append(1)
            return (y * 2,)
        return «while_loop(lambda y: y.sum() < 9, body, (x,))»
        """,
        """
        from torch._higher_order_ops.map import map as torch_map
        return «torch_map(lambda row: row.add_(1) * 2, x)»
        """,
        """
        from torch._higher_order_ops.map import map as torch_map
        return «torch_map(lambda row: row, x)»
        """,
        """
        from torch._higher_order_ops.map import map as torch_map
        return «torch_map(lambda row, y: row + y, x)»
        """,
        """
        from torch._higher_order_ops.scan import scan
        def step(carry, row):
            carry.add_(row)
            return carry * 1, row * 2
        return «scan(step, torch.zeros(2), x)»
        """,
        """
        from torch._higher_order_ops.scan import scan
        return «scan(lambda carry, row: (carry, carry + row), torch.zeros(2), x)»
        """,
        """
        from torch._higher_order_ops.scan import scan
        return «scan(lambda carry, row: (carry.sum(0), carry + row), x.sin(), x)»
        """,
    ),
    "EDB606": (
        """
        import torch
        from torch._higher_order_ops import while_loop
        from torch.export import Dim

        class Net(torch.nn.Module):
            def forward(self, x):
                return «torch.cond(x > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))»

        example_args = (torch.randn(3, 2),)
        dynamic_shapes = None
        model = Net()
        """,
        """
        import torch
        from torch._higher_order_ops import while_loop
        from torch.export import Dim

        class Net(torch.nn.Module):
            def forward(self, x):
                return «torch.cond(x.sum(1) > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))»

        example_args = (torch.randn(3, 2),)
        dynamic_shapes = {'x': {0: Dim('n')}}
        model = Net()
        """,
        """
        import torch
        from torch._higher_order_ops import while_loop
        from torch.export import Dim

        class Net(torch.nn.Module):
            def forward(self, x):
                return «while_loop(lambda y: y.sum(0) < 9, lambda y: (y * 2,), (x,))»

        example_args = (torch.randn(3, 2),)
        dynamic_shapes = None
        model = Net()
        """,
        """
        import torch
        from torch._higher_order_ops import while_loop
        from torch.export import Dim

        class Net(torch.nn.Module):
            def forward(self, x):
                return «while_loop(lambda y: y < 9, lambda y: (y * 2,), (x,))»

        example_args = (torch.randn(1),)
        dynamic_shapes = None
        model = Net()
        """,
    ),
    "EDB702": (
        """
        import torch

        class Block(torch.nn.Module):
            def forward(self, x, mod):
                return x * mod

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.blocks = torch.nn.ModuleList([Block(), Block()])

            def forward(self, x, *, mods):
                for block in self.blocks:
                    x = «block(x, mod=mods)»
                return x
        """,
    ),
    "EDB701": (
        """
        import torch

        class Field:
            def __init__(self, tensor, kind):
                self.tensor, self.kind = tensor, kind

        class Net(torch.nn.Module):
            def forward(self, «field: Field»):
                return field.tensor.relu()
        """,
        """
        import torch

        class Out:
            def __init__(self, y):
                self.y = y

        class Net(torch.nn.Module):
            def forward(self, x):
                return «Out(x)»
        """,
        """
        import torch

        class Batch:
            def __init__(self, x):
                self.x = x

        class Net(torch.nn.Module):
            def forward(self, «batch: Batch»):
                return batch.x
        """,
        "return «{x.sin(), y}»",
        "return «(row + 1 for row in (x, y))»",
        """
        import collections
        import torch

        class Out(collections.OrderedDict):
            pass

        class Net(torch.nn.Module):
            def forward(self, x):
                return «Out(y=x)»
        """,
    ),
    "EDB801": (
        """
        import torch

        @torch.library.custom_op('a::b', mutates_args=())
        def double(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        class Net(torch.nn.Module):
            def forward(self, x):
                return «double(x)»
        """,
    ),
    "EDB901": (
        "«from torch.export import dynamic_dim»\n",
        """
        import torch

        def f(x):
            return x

        ep = «torch.export.export(f, (torch.ones(2),))»
        """,
        """
        import torch

        def run(model, args):
            return «torch.export.export(model, args, constraints=[])»
        """,
    ),
    "EDB902": (
        "export(Net(), (torch.ones(4), 3), dynamic_shapes={'x': None, 'y': «{}»})",
        "export(Net(), (torch.ones(4),), dynamic_shapes={'x': {0: «'rows'»}})",
        "export(Net(), (torch.ones(4), torch.ones(4)), dynamic_shapes=({0: Dim('n', max=9)}, {0: «Dim('n', max=8)»}))",
        # None is for a tensor, or a number, and not for what holds several.
        "export(Net(), ([torch.ones(4)],), dynamic_shapes={'x': «None»})",
        "export(Net(), (torch.ones(4), (2, 3)), dynamic_shapes=(None, «None»))",
        "export(Net(), ({'a': [torch.ones(4)]},), dynamic_shapes={'x': {'a': «None»}})",
        "export(Net(), «torch.ones(2)»)",
        "export(Net(), «[torch.ones(2)]»)",
        "export(Net(), args=«(torch.ones(2), None, 3)»)",
        "export(Net(), «()»)",
        """
        x = torch.ones(2)
        export(Net(), (x, [torch.ones(2), «x»]))
        """,
        "export(Net(), «(torch.ones(2),)», kwargs={'z': 1})",
        "export(Net(), «(torch.ones(2),)», kwargs={'x': torch.ones(2)})",
        """
        def test():
            model = Net().eval()
            inputs = (torch.ones(2),)
            export(model, inputs, dynamic_shapes=«{'x': None, 'y': None}»)
        """,
        """
        if __name__ == "__main__":
            export(Net(), (torch.ones(4),), dynamic_shapes=«{'z': None}»)
        """,
        "export(Net(), (torch.ones(4), torch.ones(4)), dynamic_shapes=«({0: Dim.AUTO},)»)",
        "export(Net(), ((torch.ones(4), torch.ones(4)),), dynamic_shapes={'x': «[{0: Dim.AUTO}]»})",
        "export(Net(), ({'a': torch.ones(4)},), dynamic_shapes={'x': «{'b': {0: Dim.AUTO}}»})",
        "export(Net(), (torch.ones(4), 3), dynamic_shapes={'x': None, 'y': «{0: Dim.AUTO}»})",
        "export(Net(), (torch.ones(4, 6),), dynamic_shapes=(«(Dim.AUTO,)»,))",
        "export(Net(), (torch.ones(4, 6),), dynamic_shapes={'x': {2: «Dim.AUTO»}})",
        "export(Net(), (torch.ones(4, 6),), dynamic_shapes={'x': {-1: «Dim.AUTO»}})",
        "export(Net(), (torch.ones(4, 6),), dynamic_shapes={'x': {0: «Dim('n', max=3)»}})",
        "export(Net(), (torch.ones(4, 6),), dynamic_shapes={'x': {0: «2 * Dim('n', min=3)»}})",
        """
        n = Dim('rows')
        export(Net(), (torch.ones(4), torch.ones(7)), dynamic_shapes={'x': {0: n}, 'y': {0: «2 * n»}})
        """,
        """
        n = Dim('rows')
        export(Net(), (torch.ones(4), torch.ones(7)), dynamic_shapes={'x': None, 'y': («4 * n + 1»,)})
        """,
        """
        a, b = torch.export.dims('rows', 'columns')
        export(Net(), (torch.ones(4), torch.ones(7)), dynamic_shapes={'x': {0: a}, 'y': {0: «2 * a»}})
        """,
    ),
    "EDB903": (
        """
        ep = export(Net(), (torch.ones(2),))
        «ep(torch.ones(2))»
        """,
        "«export(Net(), (torch.ones(2),))(torch.ones(2))»",
        """
        def run():
            ep = export(Net(), (torch.ones(2),))
            model = ep.module()
            return «model.eval()»
        """,
        """
        if __name__ == "__main__":
            ep = export(Net(), (torch.ones(2),))
            «ep(torch.ones(2))»
        """,
    ),
    "EDB1006": (
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                «x.add_(1)»
                return x * 2

        torch.onnx.export(Net(), (torch.ones(2),), 'net.onnx')
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("seen", torch.zeros(()))

            def forward(self, x):
                «self.seen» += 1
                return x * self.seen
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("mean", torch.zeros(3))

            def forward(self, x):
                «self.mean» = 0.9 * self.mean + x.mean(0)
                return x - self.mean
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("keys", torch.zeros(8, 3))

            def forward(self, x, at):
                «self.keys.index_copy_(0, at, x)»
                return self.keys.sum(0)
        """,
    ),
    "EDB1004": (
        "torch.onnx.export(Net(), (torch.ones(2),), «dynamic_axes={'x': {0: 'n'}, 'y': {0: 'n'}}»)",
        "torch.onnx.export(Net(), (torch.ones(2),), 'net.onnx', input_names=['x'], «dynamic_axes={'x': {-1: 'n'}}», dynamo=True)",
        """
        if __name__ == "__main__":
            x = torch.ones(2)
            torch.onnx.export(Net(), (x,), 'net.onnx', «dynamic_axes={'x': {0: 'n'}, 'y': {0: 'n'}}»)
        """,
    ),
    "EDB1005": (
        "torch.onnx.export(Net(), (torch.ones(2),), 'net.onnx', «fallback=True»)",
        "torch.onnx.export(Net(), (torch.ones(2),), 'net.onnx', dynamo=False, «dynamic_shapes={'x': {0: 'n'}}»)",
    ),
    "EDB1001": (
        "return «torch.linalg.inv(x)» + y",
        "return «torch.inverse(x)»",
        """
        z = x * 2
        return «z.inverse()» + y
        """,
        """
        import torch
        from torch.nn import functional as F

        class Net(torch.nn.Module):
            def distances(self, x):
                return «F.pdist(x)»

            def forward(self, x):
                return self.distances(x) + 1
        """,
    ),
    "EDB1002": (
        "return «torch.linalg.inv(x)» + y",
        """
        order = «x.argsort(-1)»
        return x.gather(-1, order)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.pool = torch.nn.AdaptiveMaxPool2d(2)

            def forward(self, x):
                return «self.pool(x)»
        """,
    ),
}

GOOD: dict[str, tuple[str, ...]] = {
    "EDB101": (
        "return x if len({*[]}) + len({*[1, 2], 3}) > 2 else y",
        """
        found = {'mean': float('nan')}
        if x.ndim == 2:
            found['mean'] = x.mean()
        if isinstance(found.get('mean'), float) and found['mean'] != found['mean']:
            return y
        return x - found['mean']
        """,
        """
        import torch

        class Score:
            def __init__(self, value):
                self.value = value

            def __bool__(self):
                return self.value.shape[0] > 2

        class Net(torch.nn.Module):
            def forward(self, x):
                if Score(x):
                    return x + 1
                return x
        """,
        """
        import torch

        def is_traced(x):
            traced = torch.compiler.is_compiling()
            traced |= isinstance(x, torch.fx.Proxy)
            return traced

        class Net(torch.nn.Module):
            def forward(self, x):
                if not is_traced(x) and (x > 0).all():
                    return x
                return x + 1
        """,
        """
        if bool(torch.tensor(3)):
            return x
        return y
        """,
        """
        assert torch.tensor(3) > 2
        return x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, num_rows, return_sum):
                if return_sum:
                    return x.sum()
                return x if num_rows > 2 else -x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                skip = True if self.training and torch.rand([]) < 0.1 else False
                return x if skip else x + 1
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                skip = False
                if self.training:
                    skip = torch.rand([]) < 0.1
                if skip:
                    return x
                return x + 1
        """,
        """
        if torch.jit.isinstance(x, torch.Tensor):
            return x
        return y
        """,
        """
        if x.shape[0] > 0:
            return x
        return y
        """,
        """
        if x is None or isinstance(x, torch.Tensor):
            return x
        return y
        """,
        """
        if x.dtype == torch.float32 and x.dim() == 2:
            return x
        return y
        """,
        """
        if torch.compiler.is_exporting():
            return x
        if x.sum() > 0:
            return y
        return x
        """,
    ),
    "EDB102": (
        """
        torch._assert(x.dim() == 2, 'two')
        return x
        """,
        """
        assert n.item() > 3
        return x
        """,
        """
        assert x.shape[0] > 0
        return x
        """,
        """
        torch._assert_async(x.any())
        return x
        """,
        """
        torch._check(x.dim() == 2)
        return x
        """,
    ),
    "EDB103": (
        """
        import dataclasses

        import torch

        @dataclasses.dataclass
        class Cache:
            seen: torch.Tensor

            def length(self):
                return self.seen.item()

        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor, cache: Cache | None = None):
                if cache is not None and cache.length() > 0:
                    return x[:, -1:]
                return x
        """,
        """
        solution = torch.linalg.lstsq(x, y).solution
        if solution.shape[0] != 8:
            return x
        return solution
        """,
        """
        k = n.item()
        return torch.zeros(k)
        """,
        """
        k = n.item()
        torch._check(k > 3)
        if k > 3:
            return x
        return y
        """,
        """
        k = n.item()
        torch._check(3 < k)
        if 3 < k:
            return x
        return y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, signed):
                super().__init__()
                self.signed = signed

            def forward(self, x):
                signed = bool(self.signed.item()) if isinstance(self.signed, torch.Tensor) else self.signed
                if signed:
                    return x
                return x.abs()
        """,
    ),
    "EDB104": (
        """
        if x.dim() != 2:
            raise ValueError('two')
        return x
        """,
    ),
    "EDB105": (
        "return x * torch.distributions.Beta(1.0, 1.0, validate_args=False).sample()",
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2), 2)
                self.register_buffer("later", torch.triu(torch.ones(99, 99), 1).bool())

            def forward(self, x):
                return self.encoder(x, mask=self.later[: x.size(0), : x.size(0)], is_causal=True)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2), 2)
                self.register_buffer("later", torch.triu(torch.ones(99, 99), 1).bool())

            def forward(self, x):
                return self.encoder(x, mask=torch.zeros(4, x.size(0), x.size(0)))
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(8, 2), 2)
                self.register_buffer("later", torch.triu(torch.ones(99, 99), 1).bool())

            def forward(self, x):
                return self.encoder(x, None, self.later[0])
        """,
        """
        import torch
        from torch import distributions

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.prior = distributions.Independent(distributions.Normal(torch.zeros(4), torch.ones(4), validate_args=False), 1)

            def forward(self, x):
                return self.prior.log_prob(x)
        """,
        """
        import torch
        from torch import distributions

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.prior = distributions.Independent(distributions.Normal(torch.zeros(4), torch.ones(4)), 1)

            def forward(self, x):
                return self.prior.rsample((4,)) + x
        """,
        """
        import torch
        from torch.distributions import Distribution, Normal, OneHotCategorical

        Distribution.set_default_validate_args(False)

        class Net(torch.nn.Module):
            def forward(self, x):
                return Normal(x, x.exp()).log_prob(x) + OneHotCategorical(logits=x).entropy()
        """,
        "return torch.distributions.Normal(x, y, False).log_prob(x)",
        "return x * len(list(itertools.compress(x, [1, 0, 1])))",
        "return torch.distributions.Normal(0.0, 1.0).sample((4,)) + x",
        "return x * min(v for v in y.sum(1))",
        "return max([x], key=lambda row: row.sum())",
        "return max([x, y], key=lambda row: row.dim())",
        "return x * max(y.sum().int().item(), 2)",
        """
        if any(d > 3 for d in (1, 2)):
            return x
        return y
        """,
        "return torch.nn.functional.one_hot(n, 4)",
    ),
    "EDB106": (
        """
        for i in torch.arange(torch.tensor(3)):
            x = x + i
        return x
        """,
        """
        for _ in range(3):
            x = x + 1
        return x
        """,
    ),
    "EDB107": (
        """
        k = n.item()
        torch._check_is_size(k, "a size")
        return x * k
        """,
        """
        k = n.item()
        torch._check(k > 0)
        return x * k
        """,
        """
        torch._check(x.dim() == 2, lambda: 'two')
        return x
        """,
    ),
    "EDB201": ("return x.detach() + 1",),
    "EDB202": (
        """
        if isinstance(x, torch.Tensor):
            return x * 2
        return x
        """,
        """
        if type(x) is type(y) and type(n) not in (list, tuple):
            return x * 2
        return x
        """,
        """
        import time
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                t = time.time()
                return x
        """,
    ),
    "EDB203": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, c=3):
                super().__init__()
                self.k = torch.tensor(3)
                self.j = torch.tensor(2)
                self.f = torch.tensor(2.0)
                self.c = torch.tensor(c)
                self.v = torch.tensor([1.0, 2.0])
                self.v1 = torch.tensor([2])

            def forward(self, x):
                return x[:, : int(2 * self.k)]
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, c=3):
                super().__init__()
                self.k = torch.tensor(3)
                self.j = torch.tensor(2)
                self.f = torch.tensor(2.0)
                self.c = torch.tensor(c)
                self.v = torch.tensor([1.0, 2.0])
                self.v1 = torch.tensor([2])

            def forward(self, x):
                return x[:, : int(self.k // 2)]
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, c=3):
                super().__init__()
                self.k = torch.tensor(3)
                self.j = torch.tensor(2)
                self.f = torch.tensor(2.0)
                self.c = torch.tensor(c)
                self.v = torch.tensor([1.0, 2.0])
                self.v1 = torch.tensor([2])

            def forward(self, x):
                return x * (self.k + self.j).item()
        """,
        """
        seen = {}
        key = f"k{n.item()}"
        if key not in seen:
            seen[key] = x
        return seen[key]
        """,
        """
        rows = {}
        key = f"k{n.item()}"
        rows[key] = x
        return rows[key] * 2
        """,
        """
        name = f'{x.shape!r} {x}'
        return x if name else y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, box):
                left, right = box.tolist()
                return x * (right - left)

        example_args = (torch.randn(3, 2), torch.tensor([[1, 2]])[0])
        model = Net()
        """,
        "return x * n.item()",
        "return x * int(3.5)",
        """
        print(f'{x}')
        return x
        """,
        """
        z = x.long()
        low, high = z.tolist()
        return x * low
        """,
    ),
    "EDB204": (
        """
        import numpy as np
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                y = x.view(-1, np.prod(x.size()[1:])) + x.reshape(x.size(0), int(np.prod(x.size()[1:])))
                return y.unflatten(1, (np.prod([1]), -1))
        """,
        "return torch.sqrt(x)",
        """
        import numpy as np
        return x * np.sqrt(2.0)
        """,
    ),
    "EDB205": ("return torch.tensor([1.0, 2.0]) + x", "return torch.stack([x.sum(), y.sum()])"),
    "EDB206": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", torch.zeros(16, 4))
                self.layer = torch.nn.Linear(4, 4)

            def forward(self, x: torch.Tensor, place: torch.Tensor):
                begin = place.item()
                torch._check_is_size(begin)
                self.kept.narrow(0, begin, x.shape[0]).copy_(self.layer(x))
                return self.kept + 1
        """,
        "return torch.arange(0, x.long().max()), torch.arange(n.long(), 0, -1)",
        "return torch.arange(1, x.long().max().item())",
        # Which of them is called is told by what they take.
        """
        import torch
        import torch.nn.functional as F

        class Net(torch.nn.Module):
            def __init__(self, kind):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.ones(4, 4))
                self.op = F.linear if kind == 'linear' else F.group_norm

            def forward(self, x):
                return self.op(x, self.weight * 2, None)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.project = torch.nn.Linear(4, 4)

            def forward(self, x, n):
                y, k = self.project(x), n.item()
                cache = torch.zeros(6, 4)
                cache[k : k + 2] = x
                cache[k : k + 2] = y.detach()
                cache[torch.arange(k, k + 2)] = y
                large = y[y > 0]
                cache[0, : large.shape[0]] = 1.0
                torch._check(k >= 0)
                cache[k : k + 1] = y[:1]
                with torch.no_grad():
                    y[:k] = 0
                copied = y[:k] * 2
                copied.mul_(2)
                return cache, copied
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.project = torch.nn.Linear(4, 4)
                for parameter in self.parameters():
                    parameter.requires_grad = False

            def forward(self, x, n):
                y = self.project(x)
                y[: n.item()] = 0
                return y
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, ndim, ind):
                super().__init__()
                if torch.is_tensor(ind):
                    self.register_buffer("ind", torch._cast_Long(ind))
                else:
                    self.register_buffer("ind", torch.tensor(ind, dtype=torch.long))
                self.weights = torch.nn.Parameter(torch.ones(len(self.ind), 2))

            def forward(self, x):
                x = x[..., self.ind]
                return self.weights[:, 0] * torch.sin(x)
        """,
        "return x[n.item() :, :2] * 2",
        "return x[1:, n.item() :] * 2",
        "return x[n[0].item() :][:, n[1].item() :] * 2",
        "return torch.zeros(n.item(), 2)",
        "return x.repeat(n, 1)",
        "return torch.minimum(x, n)",
        """
        if x.dim() == 2:
            rows, columns = x.shape
        else:
            rows, columns, depth = x.shape
        return y[:, x.argmax(0)[0]]
        """,
        """
        rows, columns = x.shape
        return y[:, x.max(dim=1, keepdim=True)[1][0]]
        """,
        "return x[x.argmax().unsqueeze(0)]",
        "return (x, y)[1]",
        "return x[n]",
        "return torch.tensor([x.sum(), y.max().item()])",
        "return x * torch.tensor([x.max().item(), 1.0]).sum()",
        "return x * torch.as_tensor([2.0, x.shape[1]]).sum()",
        "return x * torch.FloatTensor([2.0, 1.0]).sum()",
        "return torch.as_tensor(x.max()) * x",
    ),
    "EDB207": (
        """
        import copy
        import dataclasses
        import torch

        @dataclasses.dataclass
        class Box:
            width: int
            height: int

        class Net(torch.nn.Module):
            def forward(self, x):
                sizes = copy.deepcopy([1, 2])
                return x * sizes[0]
        """,
        "return x.clone()",
        """
        x.untyped_storage()
        return x + 1
        """,
        "return x + x.untyped_storage().nbytes()",
        """
        import copy
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.ReLU()
                self.copied = copy.deepcopy(torch.nn.Linear(2, 2))

            def forward(self, x):
                return self.copied(copy.deepcopy(self.layer)(x))
        """,
    ),
    "EDB209": (
        "return torch.combinations(x[0], 1)",
        "return torch.nn.functional.gaussian_nll_loss(x, y, 1.0)",
        "return torch.linalg.pinv(x) @ y",
        "return torch.nn.functional.nll_loss(x, y)",
    ),
    "EDB211": (
        "return torch.where((x > 0).byte() == 1, x, y)",
        "return torch.where((x > 0).byte().bool(), x, y)",
        "return torch.where((x > 0).byte())[0]",
        "return x * (1 - (y > 0).byte()), (y > 0).byte().any(1)",
        "return x[n.long()], x.gather(1, (y > 0).long())",
    ),
    "EDB210": (
        """
        import numpy as np
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.steps = int(np.prod([2, 2]))
                self.gain = float(np.sqrt(2))

            def forward(self, x):
                for _ in range(int(self.steps)):
                    x = x + 1
                return x * self.gain if float(self.gain) > 1 and self.steps in (3, 4) else x
        """,
        """
        import math
        import numpy as np
        import torch

        ROOT = np.sqrt(2).item()

        class Net(torch.nn.Module):
            def __init__(self, width):
                super().__init__()
                self.root = float(np.sqrt(width))
                self.half = np.pi / 2
                self.layer = torch.nn.Linear(np.prod([2, 3]), 2)

            def forward(self, x):
                return self.layer(x * ROOT / self.root) * self.half
        """,
        """
        import numpy as np
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer('window', torch.from_numpy(np.hanning(4)))
                self.sizes = np.array([2, 3]).tolist()
                self.count = len(np.arange(3))

            def forward(self, x):
                return x * self.window + sum(self.sizes) * self.count
        """,
    ),
    "EDB401": (
        # A registered buffer that is given what is as large.
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", torch.zeros(4))

            def forward(self, x):
                self.kept = x.mean(0)
                return x * 2

        model = Net()
        example_args = (torch.randn(3, 4),)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("kept", torch.tensor(0.0))

            def forward(self, x):
                self.kept = torch.tensor(1.0)
                return x * 2

        model = Net()
        example_args = (torch.randn(3, 4),)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.anchors = [torch.ones(3), torch.zeros(3)]

            def forward(self, x):
                self.anchors = [anchor.to(dtype=x.dtype, device=x.device) for anchor in self.anchors]
                return x + self.anchors[0]
        """,
        # Data is written, or the same numbers again; or nobody reads the count.
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.total, self.table, self.calls = torch.zeros(3), torch.zeros(3), torch.tensor(0)
                self.parts = {"sum": torch.zeros(3)}

            def forward(self, x):
                self.total.add_(x.sum(0))
                self.table.fill_(2.0)
                self.table[0] = 1.0
                self.calls += 1
                self.parts["sum"] += x.sum(0)
                return x + self.total + self.table + self.parts["sum"]
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.cache = None
                self.last = None

            def forward(self, x):
                shape = x.shape[2:]
                if self.last is None or self.last != shape:
                    self.last = shape
                    self.cache = torch.arange(shape[0] * shape[1]).float() * 2
                return self.cache + x.sum()
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.w = torch.nn.Parameter(torch.randn(3, 3))
                self.b = self.w @ self.w

            def make(self):
                self.b = self.w @ self.w
                return self.b

            def forward(self, x):
                x = x.to(self.b.dtype)
                return x @ self.make()
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.h = None
                self.lin = torch.nn.Linear(3, 3)

            def scan(self, x, h):
                y = self.lin(x + h)
                self.h = y.mean(0)
                return y

            def forward(self, x, reset=True):
                h = self.h
                if reset or h is None:
                    h = torch.zeros(3)
                return self.scan(x, h)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.h = None
                self.lin = torch.nn.Linear(3, 3)

            def forward(self, x, reset=True):
                h = torch.zeros(3) if reset or self.h is None else self.h
                h = self.lin(x + h)
                self.h = h.mean(0)
                return h
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.h = torch.zeros(3)
                self.lin = torch.nn.Linear(3, 3)

            def forward(self, x, keep=False):
                h = torch.zeros(3)
                if keep:
                    h = self.h
                h = self.lin(x + h)
                self.h = h.mean(0)
                return h
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, compile_flex=False):
                super().__init__()
                self._compile = compile_flex
                self._fn = None

            def _kernel(self):
                if self._fn is not None:
                    return self._fn
                if self._compile:
                    try:
                        self._fn = torch.compile(torch.nn.functional.scaled_dot_product_attention)
                    except Exception:
                        self._fn = torch.nn.functional.scaled_dot_product_attention
                else:
                    self._fn = torch.nn.functional.scaled_dot_product_attention
                return self._fn

            def forward(self, q, k, v):
                return self._kernel()(q, k, v)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, device=None):
                super().__init__()
                self.device = device

            def fit(self, x):
                if self.device is None:
                    self.device = x.device
                return self.part(x)

            def part(self, x):
                if self.device is None:
                    self.device = x.device
                return x + torch.ones(3).to(self.device)

            def forward(self, x):
                return self.fit(x)
        """,
        """
        import torch

        def resolve(explicit, internal, reset, n, k):
            if explicit is not None:
                return explicit
            if reset or internal is None:
                return torch.zeros(n, k)
            return internal

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.state = None
                self.lin = torch.nn.Linear(3, 3)

            def forward(self, u, state=None, reset_state: bool = True):
                self.state = resolve(explicit=state, internal=self.state, reset=reset_state, n=u.shape[0], k=3)
                h = self.lin(u + self.state)
                self.state = h.detach()
                return h
        """,
        """
        import warnings
        import torch

        class Net(torch.nn.Module):
            def __init__(self, config):
                super().__init__()
                self.config = config
                self.warned = False

            def forward(self, x, mask=None):
                if mask is not None:
                    if not self.warned:
                        warnings.warn("masks are slow")
                        self.warned = True
                    x = x + mask
                return x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.count = 0

            def forward(self, x):
                for row in x.unbind():
                    x = x + row * self.count
                    self.count += 1
                self.count = 0
                return x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(4, 4)

            def measure(self, x):
                self.loss = 0
                self.loss += self.layer.weight.norm()
                if self.training:
                    self.loss += x.mean()

            def forward(self, x, y=None):
                x = self.layer(x)
                if y is None:
                    return x
                self.measure(x - y)
                return x, self.loss
        """,
        """
        import torch

        def twice(layer):
            def run(x):
                return layer(layer(x))
            return run

        class Net(torch.nn.Module):
            def __init__(self, compiled=None):
                super().__init__()
                self.layer = torch.nn.Linear(4, 4)
                self.compiled = compiled
                self.run = None

            def forward(self, x):
                if self.run is None:
                    if self.compiled is not None:
                        self.run = self.compiled
                    else:
                        self.run = twice(self.layer)
                return self.run(x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, flags):
                super().__init__()
                self.flags = flags

            def forward(self, x):
                self.flags = self.flags.to(x.device).to(x.dtype)
                return x * self.flags
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.length = 0

            def fill(self, n):
                places = torch.arange(n)
                self.table = torch.stack([places, places], dim=-1)
                self.table = self.table.float()

            def forward(self, x):
                if not self.length == x.shape[1]:
                    self.length = x.shape[1]
                    self.fill(x.shape[1])
                return x.unsqueeze(-1) + self.table
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, loss):
                super().__init__()
                self.loss = loss
                self.kind = None

            def forward(self, x):
                if self.kind is None:
                    if isinstance(self.loss, torch.nn.CrossEntropyLoss):
                        self.kind = torch.int64
                    else:
                        self.kind = x.dtype
                return torch.ones(x.shape, dtype=self.kind) * x
        """,
        """
        import contextlib
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = 1.0

            @contextlib.contextmanager
            def scaled(self, value):
                old, self.scale = self.scale, value
                try:
                    yield
                finally:
                    self.scale = old

            def forward(self, x):
                with self.scaled(0.5):
                    y = x * self.scale
                return y + self.scale
        """,
        """
        import logging
        import torch

        logger = logging.getLogger(__name__)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.steps = 0

            def forward(self, x):
                self.steps += 1
                if self.steps % 100 == 0:
                    logger.info("step %d", self.steps)
                return x + 1
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.shape = None
                self.anchors = torch.empty(0)

            def forward(self, x):
                shape = x.shape
                if self.shape != shape:
                    self.anchors = torch.arange(shape[0] * shape[1]).to(x).view(*shape)
                    self.shape = shape
                return x + self.anchors
        """,
        """
        import logging
        import warnings
        import torch

        logger = logging.getLogger(__name__)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.warned = False

            def forward(self, x):
                if x.shape[1] < 8 and not self.warned:
                    warnings.warn("few columns")
                    self.warned = True
                return x + 1

        class Other(torch.nn.Module):
            warned = False

            def forward(self, x):
                if not self.warned:
                    self.warned = True
                    logger.warning("first call: %s", x.shape)
                return x + 1
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.mask = torch.full((4, 4), float("-inf")).triu(1)

            def forward(self, x):
                self.mask = self.mask.to(dtype=x.dtype, device=x.device) if self.mask is not None else None
                return x + self.mask
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.kernel = None
                self.pad = None

            def forward(self, x):
                if self.kernel is None:
                    self.kernel = torch.ones(3, 3).repeat((x.size(1), 1, 1, 1)).to(x)
                if self.pad is None:
                    self.pad = torch.nn.ZeroPad2d((0, 1, 0, x.size(2) % 2))
                return torch.nn.functional.conv2d(self.pad(x), self.kernel, groups=x.size(1))
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.length = None
                self.table = None

            def table_for(self, x):
                length = x.shape[1]
                if length == self.length and self.table is not None:
                    return self.table
                self.length = length
                self.table = torch.arange(length, device=x.device).type_as(x).unsqueeze(0)
                return self.table

            def forward(self, x):
                return x * self.table_for(x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.past = None

            def forward(self, x, use_cache=False, *, keep=None):
                if use_cache or keep:
                    self.past = x if self.past is None else torch.cat([self.past, x])
                    x = self.past
                return x

        example_args = (torch.randn(3, 2),)
        model = Net()
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.table = None

            def extend(self, x):
                if self.table is not None:
                    if self.table.size(0) >= x.size(0):
                        if self.table.dtype != x.dtype:
                            self.table = self.table.to(x.dtype)
                        return
                self.table = torch.ones(x.size(0), 1)

            def forward(self, x):
                self.extend(x)
                return x + self.table[: x.size(0)]
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                self.last = x
                return x
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer('calls', torch.zeros(()))

            def forward(self, x):
                self.calls += 1
                return x * self.calls
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.mask, self.size = None, None

            def forward(self, x):
                n, m = x.shape
                if self.size != (n, m):
                    mask = torch.zeros(n, m)
                    mask[-1:] += 1
                    self.mask = mask
                    self.size = (n, m)
                return x + self.mask
        """,
    ),
    "EDB402": (
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, **options):
                scale = options.pop("scale", None)
                return x if scale is None else x * scale
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.cached = {}
                self.longest = {}

            def freqs(self, device, n):
                dev = device.index
                if dev not in self.cached:
                    self.cached[dev] = {}
                if dev not in self.longest:
                    self.longest[dev] = 0
                if 1 not in self.cached[dev]:
                    if n > self.longest[dev]:
                        t = torch.outer(torch.arange(n, device=device), torch.ones(2, device=device))
                        self.longest[dev] = n
                        self.cached[dev][1] = torch.stack([t.cos(), t.sin()], dim=2)
                return 1

            def forward(self, x):
                a = self.freqs(x.device, 16)
                return x + self.cached[x.device.index][a][: x.shape[1], :, 0]
        """,
        """
        import torch

        class Part(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.net = []
                for _ in range(2):
                    self.net += [torch.nn.ReLU()]
                self.net.append(torch.nn.Tanh())
                self.net = torch.nn.Sequential(*self.net)

            def forward(self, x):
                return self.net(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return Part()(x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.biases = torch.nn.Parameter(torch.randn(2, 9))
                self.register_buffer("idx", torch.zeros(4, 5, dtype=torch.int64), persistent=False)
                self.cache = {}

            def train(self, mode=True):
                super().train(mode)
                if mode and self.cache:
                    self.cache = {}

            def forward(self, x):
                key = str(x.device)
                if key not in self.cache:
                    self.cache[key] = self.biases[:, self.idx]
                return x + self.cache[key]
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear, self.seen = torch.nn.Linear(2, 2), []
                self.linear.register_forward_hook(self.keep)

            def keep(self, module, inputs, output):
                self.seen.append(output)

            def forward(self, x):
                self.seen.clear()
                return self.linear(x) + self.seen[-1]
        """,
        """
        seen = []
        seen.append(x)
        return torch.stack(seen)
        """,
    ),
    "EDB404": (
        """
        import warnings
        import torch

        warned = False

        def warn_once(message):
            global warned
            if not warned:
                warnings.warn(message)
                warned = True

        class Net(torch.nn.Module):
            def forward(self, x):
                warn_once("few rows")
                return x + 1
        """,
        """
        import torch

        table = None

        def made(size):
            global table
            if table is None:
                table = torch.eye(size)
            return table

        class Net(torch.nn.Module):
            def forward(self, x):
                return x @ made(x.shape[-1])
        """,
        """
        import torch

        table = {}

        class Net(torch.nn.Module):
            def forward(self, x):
                if 3 not in table:
                    table[3] = torch.ones(3)
                return x + table[3]
        """,
        """
        count = 0
        def more():
            nonlocal count
            count += 1
            return count
        return x * more()
        """,
    ),
    "EDB405": (
        "return torch.nn.PairwiseDistance()(x, y) + torch.nn.GLU(-1)(x).sum() + torch.nn.LayerNorm(3, elementwise_affine=False)(y).sum()",
        "return torch.nn.InstanceNorm1d(4)(x)",
        """
        import torch

        class Masked(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("mask", None)

            def forward(self, x):
                if self.mask is None:
                    self.register_buffer("mask", torch.ones_like(x))
                return x * self.mask

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.masked = Masked()

            def forward(self, x):
                return self.masked(x)
        """,
        # A class that is kept to be called with tensors: somebody gives a module in its place.
        """
        import torch
        from torch import nn

        class Norm(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(width))

            def forward(self, x):
                return x * self.weight

        class Block(nn.Module):
            def __init__(self, norm=Norm):
                super().__init__()
                self.norm = norm

            def forward(self, x):
                return self.norm(x)
        """,
        """
        import torch

        class Scale(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("scale", torch.full((4,), 2.0))

            def forward(self, x):
                return x * self.scale

        class Net(torch.nn.Module):
            def forward(self, x):
                return Scale()(x)
        """,
        # What makes the layer is called by the constructor, which knows a function from a layer.
        """
        import inspect
        import torch

        def activation(given):
            if inspect.isfunction(given):
                return given()
            assert isinstance(given, torch.nn.Module)
            return given

        class Block(torch.nn.Module):
            def __init__(self, width, given):
                super().__init__()
                self.act = activation(given)

            def forward(self, x):
                return self.act(x)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Block(4, lambda: torch.nn.PReLU(4))

            def forward(self, x):
                return self.block(x)
        """,
        "return torch.nn.ReLU()(x)",
        """
        import torch

        class Scale(torch.nn.Module):
            def __init__(self, by):
                super().__init__()
                self.by = by

            def forward(self, x):
                return x * self.by

        class Net(torch.nn.Module):
            def forward(self, x):
                return Scale(2.0)(x)
        """,
        """
        import torch
        from elsewhere import Module

        class Scale(Module):
            def __init__(self, by):
                self.by = by

            def forward(self, x):
                return x * self.by

        class Net(torch.nn.Module):
            def forward(self, x):
                return Scale(2.0)(x)
        """,
    ),
    "EDB406": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = torch.nn.Parameter(torch.ones(3), requires_grad=False)

            def forward(self, x):
                mask = torch.zeros(3).bernoulli_(0.5)
                self.scale.requires_grad_(False)
                return x * mask.requires_grad_(False) * self.scale
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(4, 4)

            def forward(self, x):
                self.layer.weight.requires_grad_(True)
                self.layer.requires_grad_()
                return self.layer(x)
        """,
        "return x * 2",
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(2, 2).requires_grad_(False)

            def forward(self, x):
                return self.layer(x)
        """,
    ),
    "EDB407": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = torch.nn.Linear(3, 3)
                self.register_buffer("dummy", torch.tensor(0), persistent=False)

            def forward(self, x):
                if self.dummy.device != x.device:
                    self.to(x.device)
                return self.lin(x)
        """,
        """
        import torch

        class Block(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.size = 2
                self.parts = [torch.nn.ReLU()]

            def forward(self, x):
                return x * self.size

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Block()
                self.layer = torch.nn.Linear(2, 2).half()

            def forward(self, x):
                return self.layer(self.block.to(x.device)(x))
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.act = torch.nn.ReLU()

            def forward(self, x):
                return self.act.to(x.device)(x.to(torch.float32))
        """,
    ),
    "EDB408": (
        """
        import torch
        from models_of_others import EncoderBase

        class Encoder(EncoderBase):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(4, 4)

            def forward(self, x):
                return self.layer(x)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder = Encoder()

            def forward(self, x):
                return self.encoder(x)
        """,
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, names=("a", "b")):
                super().__init__()
                self.known = nn.ModuleDict()
                self.functions = [nn.ReLU(), nn.BatchNorm1d(2, affine=False)]
                for name in names:
                    layer = nn.Linear(2, 2)
                    self.known[name] = layer
                    self.functions.append(layer)

            def forward(self, x):
                for function in self.functions:
                    x = function(x)
                return x
        """,
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, names=("a", "b")):
                super().__init__()
                self.layers = []
                for name in names:
                    layer = nn.Linear(2, 2)
                    self.add_module(name, layer)
                    self.layers.append(layer)

            def forward(self, x):
                for layer in self.layers:
                    x = layer(x)
                return x
        """,
        """
        import torch
        from torch import nn

        class Child(nn.Module):
            def __init__(self, parent, layers):
                super().__init__()
                self.parent = [parent]
                self.layers = list(layers)

            def forward(self, x):
                return self.parent[0].layer(self.layers[0](x))

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.Linear(2, 2)
                self.layers = nn.ModuleList([nn.Linear(2, 2)])
                self.child = Child(self, self.layers)

            def forward(self, x):
                return self.child(x)
        """,
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first = nn.Parameter(torch.ones(2))
                self.weights = [self.first, torch.ones(2)]

            def forward(self, x):
                return x * self.weights[0]
        """,
    ),
    "EDB409": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.meta = 3

            def forward(self, x):
                return x * self.meta
        """,
        """
        import torch

        class Block(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.graph = torch.nn.Linear(2, 2)

            def forward(self, x):
                return self.graph(x)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Block()

            def forward(self, x):
                return self.block(x)
        """,
    ),
    "EDB502": (
        """
        import random
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                random.seed(3)
                return x + random.random()
        """,
        """
        import random
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                random.gauss(0, 1)
                return x + torch.rand(2)
        """,
        """
        import numpy
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                numpy.random.uniform(0, 1, size=3)
                return x + torch.rand(2)
        """,
    ),
    "EDB503": (
        "return torch.FloatTensor(*x.size()).zero_() + x.new(x.size()).zero_() + torch.FloatTensor(3).sum()",
        "return torch.arange(3, out=x.new(3)) + x[0, 0]",
        # Numbers, also of a class of their own, and what tells torch itself what a tensor does with it.
        """
        import enum
        import torch

        class Level(enum.IntEnum):
            LOW = 2

        class Half(float):
            def __mul__(self, other):
                return 0.5 * other

        class Held:
            def __init__(self, value):
                self.value = value

            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return func(*[arg.value if isinstance(arg, cls) else arg for arg in args], **(kwargs or {}))

            def __mul__(self, other):
                return torch.mul(self, other)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.half = Half(1.0)
                self.held = Held(torch.ones(3))

            def forward(self, x):
                return self.half * x + x * Level.LOW + self.held * x
        """,
        # A tensor of its own, and a view, get another shape in place; another function is called `disable`.
        """
        import torch

        def disable(function):
            return function

        class Net(torch.nn.Module):
            @disable
            def raised(self, x):
                return x

            def forward(self, x):
                y = x[1:]
                y.t_()
                z = x.sin()
                z.unsqueeze_(0)
                x = x + 1
                x.transpose_(0, 1)
                return self.raised(x).sum() + y.sum() + z.sum()
        """,
        # What is computed of constants, or sorted by them.
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                widest = max(["a", "bc"], key=len)
                largest = max([x.shape[0], 2], default=0)
                rows = sorted([(1, x), (0, y)], key=lambda row: row[0])
                rows.sort(key=lambda row: row[1].numel(), reverse=True)
                return rows[0][1] * len(widest) * largest * eval("1 + 1") * max(range(3), key=lambda n: -n)
        """,
        # A transform checks nothing, and a parameter that is a number is not among the tensors that are spread out.
        """
        import math
        import torch

        class Affine(torch.distributions.Transform):
            def __init__(self, shift, slope: float = 1e-3, **kwargs):
                super().__init__(**kwargs)
                self.shift = shift * math.log(slope)

        class Net(torch.nn.Module):
            def __init__(self, make=Affine):
                super().__init__()
                self.make = make

            def forward(self, x):
                return self.make(*x.unbind(-1)).shift
        """,
        """
        import torch
        import torchaudio

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.half = torchaudio.transforms.Resample(16000, 8000)
                self.decibel = torchaudio.transforms.AmplitudeToDB()

            def forward(self, x):
                return self.decibel(self.half(x))
        """,
        "return pow(2, 3) * x ** 2",
        "return x * 2 if isinstance(x, torch.Tensor) else y",
        """
        def scaled(t):
            return t * scaled.by
        scaled.by = 2
        return scaled(x)
        """,
        "return x + torch.distributions.Normal(0.0, 1.0, validate_args=False).sample((4,))",
        "return torch.distributions.Independent(torch.distributions.Normal(x, 1.0, validate_args=False), 1).mean",
        "return x / y.untyped_storage().size()",
        """
        import torch

        class Scope:
            def __enter__(self):
                return self

            def __exit__(self, *error):
                pass

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scope = Scope

            def forward(self, x, generator=None):
                with self.scope():
                    return x + torch.rand(2, 2, generator=generator)
        """,
        """
        with torch.autocast('cpu', dtype=torch.bfloat16):
            z = x.relu().float()
            w = x @ y
        return z, w.sum()
        """,
        """
        with torch.autocast('cuda', dtype=torch.bfloat16):
            z = (x @ y).float()
        with torch.autocast('cpu', enabled=False):
            w = (x @ y).float()
        return z, w, (x @ y).float()
        """,
        """
        import contextlib
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                with contextlib.ExitStack() as stack:
                    stack.callback(print)
                    return x.sin()
        """,
        """
        import contextlib
        import torch

        @contextlib.contextmanager
        def doubled(x):
            yield x * 2

        class Net(torch.nn.Module):
            def forward(self, x):
                with contextlib.ExitStack() as stack:
                    return stack.enter_context(doubled(x)).sin()
        """,
        """
        torch.mul(x, 2.0, out=torch.empty(3, 2))
        return x
        """,
        "return torch.vmap(lambda row: row * 2)(x)",
        "return torch.mul(x, y, out=torch.empty_like(x))",
        """
        device = torch.device('cpu')
        return x.to(device)
        """,
        """
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
            return x + y
        """,
        """
        if torch.cuda.is_available():
            return x
        return y
        """,
        """
        import time
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                if torch.compiler.is_exporting():
                    return x
                time.time()
                return x
        """,
        """
        import warnings
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                warnings.warn('slow')
                return x
        """,
    ),
    "EDB601": (
        "return torch.cond(x.sum() > 0, lambda x: x.clone(), lambda x: x.cos(), (x,))",
        "return torch.cond(x.sum() > 0, lambda x: x.sin()[0], lambda x: x.cos()[0], (x,))",
        """
        z = x.sin()
        return torch.cond(x.sum() > 0, lambda: z + 1, lambda: z.cos())
        """,
    ),
    "EDB602": (
        "return torch.cond(x.sum() > 0, lambda x, y: x + y, lambda x, y: x - y, (x, y))",
        "return torch.cond(x.sum() > 0, lambda x, k=2: x * k, lambda *given: given[0].cos(), [x])",
        """
        operands = (x, *y.unbind())
        return torch.cond(x.sum() > 0, lambda x, *rest: x.sin(), lambda x, y, z: x + y, operands)
        """,
    ),
    "EDB603": (
        "return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos().float(), (x,))",
        "return torch.cond(x.sum() > 0, lambda x: (x.sin(), x.sum(0)), lambda x: (x.cos(), x.mean(0)), (x,))",
        "return torch.cond(x.sum() > 0, lambda x: 1, lambda x: 2, (x,))",
    ),
    "EDB604": (
        """
        def left(x):
            z = x.clone()
            z[0] = 1
            return z
        return torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))
        """,
        """
        def left(x):
            parts = []
            parts.append(x.sin())
            return parts[0]
        return torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))
        """,
        """
        def left(x):
            z = x.sin()
            def add():
                nonlocal z
                z = z + 1
            add()
            return z
        return torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))
        """,
    ),
    "EDB605": (
        """
        from torch._higher_order_ops import while_loop
        return while_loop(lambda y: y.sum() < 9, lambda y: (y * 2,), (x,))
        """,
        """
        from torch._higher_order_ops.map import map as torch_map
        return torch_map(lambda row, y: row + y, x, y)
        """,
        """
        from torch._higher_order_ops.scan import scan
        return scan(lambda carry, row: (carry + row, carry * 1), torch.zeros(2), x)
        """,
    ),
    "EDB606": (
        """
        import torch
        from torch._higher_order_ops import while_loop
        from torch.export import Dim

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.cond(x > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))

        example_args = (torch.randn(1, 1),)
        dynamic_shapes = None
        model = Net()
        """,
        """
        import torch
        from torch._higher_order_ops import while_loop
        from torch.export import Dim

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.cond((x > 0).any(), lambda x: x.sin(), lambda x: x.cos(), (x,))

        example_args = (torch.randn(3, 2),)
        dynamic_shapes = None
        model = Net()
        """,
        """
        import torch
        from torch._higher_order_ops import while_loop
        from torch.export import Dim

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.cond(x.sum(0, keepdim=True) > 0, lambda x: x.sin(), lambda x: x.cos(), (x,))

        example_args = (torch.randn(3),)
        dynamic_shapes = None
        model = Net()
        """,
        """
        import torch
        from torch._higher_order_ops import while_loop
        from torch.export import Dim

        class Net(torch.nn.Module):
            def forward(self, x):
                return while_loop(lambda y: y.sum() < 9, lambda y: (y * 2,), (x,))

        example_args = (torch.randn(3, 2),)
        dynamic_shapes = None
        model = Net()
        """,
    ),
    "EDB702": (
        """
        import torch

        class Block(torch.nn.Module):
            def forward(self, x, mod, module=None):
                return x * mod

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Block()

            def scaled(self, x, mod):
                return x * mod

            def forward(self, x, mod):
                return self.scaled(self.block(x, x, module=x), mod=x) + self.block.forward(x, mod=x)
        """,
    ),
    "EDB701": (
        """
        import torch

        class Field:
            def __init__(self, tensor, kind):
                self.tensor, self.kind = tensor, kind

        class Pointwise(torch.nn.Module):
            def forward(self, field: Field):
                return Field(field.tensor.relu(), field.kind)

        class Pool(torch.nn.Module):
            def forward(self, field: Field) -> Field:
                result = Field(field.tensor.amax(-1), field.kind)
                return result
        """,
        """
        import torch

        class Scaled:
            def __init__(self, value, scale):
                self.value, self.scale = value, scale

        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor | Scaled):
                if isinstance(x, Scaled):
                    return Scaled(x.value.relu(), x.scale)
                return x.relu()
        """,
        """
        import torch

        class Ctx:
            def __init__(self):
                self.n = 2

        class B(torch.nn.Module):

            def forward(self, x, **kwargs):
                return x * kwargs["ctx"].n

        class Net(B):
            def __init__(self):
                super().__init__()
                self.ctx = Ctx()

            def forward(self, *args, **kwargs):
                kwargs["ctx"] = self.ctx
                return super().forward(*args, **kwargs)
        """,
        # Who exports gives a tensor, or leaves the object out.
        """
        import torch

        class Quantized:
            def __init__(self, value, scale):
                self.value = value
                self.scale = scale

        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor | Quantized, cache: Quantized | None = None):
                return torch.relu(x) if isinstance(x, torch.Tensor) else torch.relu(x.value)
        """,
        """
        from typing import NamedTuple
        import torch

        class Out(NamedTuple):
            y: torch.Tensor

        class Net(torch.nn.Module):
            def forward(self, x):
                return Out(x)
        """,
        """
        import torch
        from torch.utils import _pytree as pytree

        class Out:
            def __init__(self, y):
                self.y = y

        pytree.register_pytree_node(Out, lambda o: ([o.y], None), lambda v, _: Out(*v))

        class Net(torch.nn.Module):
            def forward(self, x):
                return Out(x)
        """,
        """
        import torch

        class Out:
            def __init__(self, y):
                self.y = y

        class Inner(torch.nn.Module):
            def forward(self, x):
                return Out(x)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                return self.inner(x).y
        """,
        "return {'x': x, 'y': [y, (n,)]}",
        """
        import torch

        class Options(dict):
            pass

        class Net(torch.nn.Module):
            def forward(self, x):
                options = Options(scale=2)
                return x * options['scale']
        """,
        """
        import torch
        from torch.utils import _pytree as pytree

        class Out(dict):
            pass

        pytree.register_pytree_node(Out, lambda o: ([*o.values()], [*o]), lambda v, k: Out(zip(k, v)))

        class Net(torch.nn.Module):
            def forward(self, x):
                return Out(y=x)
        """,
    ),
    "EDB801": (
        """
        import torch

        @torch.library.custom_op('a::b', mutates_args=())
        def double(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @torch.library.register_fake('a::b')
        def _(x):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return double(x)
        """,
        """
        import torch

        @torch.library.custom_op('a::b', mutates_args={'x'})
        def fill(x: torch.Tensor) -> None:
            x.fill_(2)

        class Net(torch.nn.Module):
            def forward(self, x):
                y = x.clone()
                fill(y)
                return y
        """,
    ),
    "EDB901": (
        """
        try:
            from torch.export import dynamic_dim
        except ImportError:
            dynamic_dim = None
        """,
        """
        import torch

        def model(x):
            return x

        def run(model, args):
            return torch.export.export(model, args)
        """,
        """
        import torch

        if torch.__version__ < '2.3':
            from torch._export import capture_pre_autograd_graph
        """,
        """
        from optimum.exporters import export

        def f(x):
            return x

        export(f, constraints=[])
        """,
    ),
    "EDB902": (
        "export(Net(), (torch.ones(4), torch.ones(4)), dynamic_shapes=({0: Dim('n', max=9)}, {0: Dim('n', max=9)}))",
        "import collections\nexport(Net(), (collections.OrderedDict(a=torch.ones(4)),), dynamic_shapes={'x': {'a': {0: Dim('n')}}})",
        "export(Net(), ([torch.ones(4)], 'text'), dynamic_shapes={'x': [None], 'y': None})",
        # The constructor puts another method in the place of `forward`.
        """
        class Chosen(torch.nn.Module):
            def __init__(self, both=True):
                super().__init__()
                if both:
                    self.forward = self.added

            def added(self, x, y):
                return x + y

            def forward(self, x):
                return x

        export(Chosen(), (torch.ones(2), torch.ones(2)))
        """,
        "export(Net(), (torch.ones(2),), {})",
        """
        x, n = torch.ones(2), 3
        export(Net(), (x, [n, n]))
        """,
        "export(Net(), (), {'x': torch.ones(2)})",
        """
        import pytest

        def test():
            with pytest.raises(Exception):
                export(Net(), torch.ones(2))
        """,
        """
        try:
            export(Net(), torch.ones(2))
        except Exception:
            pass
        """,
        "torch.onnx.export(Net(), torch.ones(2), 'net.onnx')",
        """
        def run(model, args):
            return export(model, args)
        """,
        """
        def run(args):
            return export(Net(), *args)
        """,
        """
        n = Dim('rows')
        export(Net(), (torch.ones(4), torch.ones(9)), dynamic_shapes={'x': {0: n}, 'y': {0: 2 * n + 1}})
        """,
        """
        n = Dim('rows')
        export(Net(), (torch.ones(4), [torch.ones(4)]), dynamic_shapes={'x': (n,), 'y': [{0: n}]})
        """,
        """
        shapes = {'x': {}}
        shapes['x'][0] = Dim.AUTO
        export(Net(), (torch.ones(4),), dynamic_shapes=shapes)
        """,
        """
        x = torch.ones(4)
        shapes = torch.export.ShapesCollection()
        shapes[x] = (Dim.AUTO,)
        export(Net(), (x, 3), dynamic_shapes=shapes)
        """,
        "export(Net(), (torch.ones(4), 3), dynamic_shapes={'x': (Dim('n', min=4, max=4),), 'y': None})",
    ),
    "EDB903": (
        """
        ep = export(Net(), (torch.ones(2),))
        ep = ep.module()
        ep(torch.ones(2))
        """,
        """
        ep = export(Net().eval(), (torch.ones(2),))
        ep.module()(torch.ones(2))
        """,
        """
        def run(ep, x):
            ep.eval()
            return ep(x)
        """,
    ),
    "EDB1006": (
        # What is written is made in the call.
        "z = x * 2\nz.add_(1)\nz[0] = 0\nreturn z",
        # Nobody says that this is the model which is exported.
        "x.add_(1)\nreturn x",
        # In training mode only, and where the size is another one.
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("seen", torch.zeros(()))
                self.register_buffer("table", torch.zeros(4))

            def forward(self, x, n: int):
                if self.training:
                    self.seen += 1
                if n != self.table.shape[0]:
                    self.table = torch.cat([self.table, self.table])
                return x * self.seen + self.table.sum()
        """,
        # The input of a block is an intermediate value of the model.
        """
        import torch

        class Block(torch.nn.Module):
            def forward(self, x):
                return x.relu_()

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Block()

            def forward(self, x):
                return self.block(x * 2)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("scratch", torch.zeros(3))
                self.register_buffer("calls", torch.zeros(()))

            def forward(self, x):
                # All of it is written before it is read; nobody reads the other.
                self.scratch.copy_(x[0])
                self.calls += 1
                return self.scratch * 2
        """,
    ),
    "EDB1004": (
        "torch.onnx.export(Net(), (torch.ones(2),), dynamic_axes={'x': {0: 'n'}})",
        "torch.onnx.export(Net(), (torch.ones(2),), 'net.onnx', dynamic_axes={'x': {-1: 'n'}}, dynamo=False)",
        # Nobody knows how many inputs there are.
        "def run(args):\n    torch.onnx.export(Net(), args, 'net.onnx', dynamic_axes={'x': {0: 'n'}, 'y': {0: 'n'}})",
    ),
    "EDB1005": (
        "torch.onnx.export(Net(), (torch.ones(2),), 'net.onnx', opset_version=18, optimize=False, verify=True)",
        "torch.onnx.export(Net(), (torch.ones(2),), 'net.onnx', dynamo=False, do_constant_folding=False)",
        # A library's own function of that name.
        "import mine\n\nmine.onnx.export(Net(), (torch.ones(2),), 'net.onnx', fallback=True)",
    ),
    "EDB1001": (
        "return x @ y.mT",
        # A method of the model, not the operator of the same name.
        """
        import torch

        class Net(torch.nn.Module):
            def inverse(self, x):
                return 1 / x

            def forward(self, x):
                return self.inverse(x)
        """,
        # It runs before tracing begins: the program has its result.
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("scale", torch.linalg.inv(torch.eye(2)))

            def forward(self, x):
                return x @ self.scale
        """,
    ),
    "EDB1002": ("return x @ y.mT",),
    "EDB208": (
        # What is given as sizes is numbers, unless something shows it to be tensors.
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, size, n):
                h, w = size
                return torch.roll(x.view(n, h, w, 4), shifts=(-1, -2), dims=(1, 2))
        """,
    ),
}

# Rules whose findings need a dynamic dimension: they are checked as if all were.
DYNAMIC_BAD: dict[str, tuple[str, ...]] = {
    "EDB305": (
        """
        _, steps, _ = x.shape
        for _ in range(steps):
            x = x + 1
        return «x * y»
        """,
        """
        steps = y.permute(0, 2, 1).shape[2]
        parts = [x[:, step] for step in range(steps)]
        assert x.ndim == 3
        return «torch.where(x > 0, x, y)», parts
        """,
        """
        steps = int(x.shape[0])
        return «torch.bmm(x, y)» / steps
        """,
        """
        b, t, c = y.shape
        parts = [x[:, step].mean((2, 3)) for step in range(x.shape[1])]
        z = torch.stack(parts, dim=1)
        p, q, r, s, u = x.shape
        return «z + y»
        """,
        """
        b, t, c = y.shape
        parts = []
        for step in range(t):
            parts.append(y[:, step])
        return «torch.stack(parts, dim=1) * x»
        """,
        """
        b, t, c = y.shape
        parts = [y[:, step : step + 1] for step in range(t)]
        return «torch.cat(parts, dim=1) * x»
        """,
        "return «x[:, :5]».sum(1)",
        "return «x[..., -4:]».sum(-1)",
        """
        b, t, c = y.shape
        return «y[:, : t // 4 * 4]».sum(1)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, place):
                super().__init__()
                self.place = place

            def forward(self, x):
                return «x[:, : self.place]».clone()
        """,
    ),
    "EDB302": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, size):
                super().__init__()
                self.size = size if isinstance(size, tuple) else (size, size)

            def forward(self, x):
                b, c, *size = x.shape
                assert «tuple(size) == self.size»
                return x * 2
        """,
        """
        if «x.shape[0] > 5»:
            return x
        return y
        """,
        """
        if «x[2:].shape[0] > 0»:
            return x
        return y
        """,
        """
        groups = x.shape[0] / 4
        if «groups.is_integer()»:
            return x
        return y
        """,
    ),
    "EDB303": (
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, size):
                super().__init__()
                self.size = size

            def forward(self, x):
                return torch.stack([part.sum() for part in «x.split(self.size, dim=-1)»])
        """,
        "return [row.sum() for row in «x»]",
        "return torch.stack([part.sum(0) for part in «x.split(4)»])",
        "first, *others = «torch.split(x, 4, dim=1)»\nreturn first.sum() + sum(other.sum() for other in others)",
        "return torch.cat(«x.split(x.shape[-1] // 3, dim=-1)»[::-1], dim=-1)",
        "return sum(«x.unbind(1)»)",
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, batch_first: bool):
                super().__init__()
                self.batch_first = batch_first

            def forward(self, x):
                steps = «x.unbind(1 if self.batch_first else 0)»
                return sum(steps)
        """,
        """
        for i in «range(x.shape[0])»:
            y = y + i
        return y
        """,
    ),
    "EDB304": (
        # The number itself is asked for.
        """
        text = «"%s of %d" % (x.shape[1], x.shape[0])»
        return x * 2
        """,
        """
        import numpy as np
        return x.flatten() / «np.prod(x.shape, dtype=np.int64)»
        """,
        """
        return «torch.nn.Unflatten(1, (x.shape[1] // 2, 2))»(x)
        """,
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                b, c, h, w = x.shape
                return «torch.nn.functional.adaptive_max_pool2d(x, (None, 1))»
        """,
        # The layer that a constructor uses unless it is given another.
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self, width, rnn=nn.LSTM):
                super().__init__()
                self.rnn = rnn(width, width, batch_first=True)

            def forward(self, x):
                return «self.rnn(x)»[0]
        """,
        # Whatever way the layers came to their module.
        """
        import torch
        from torch import nn

        class Stack(nn.Sequential):
            def __init__(self, sizes):
                super().__init__()
                assert isinstance(sizes, tuple)
                self.names = []
                for at, (size, hidden) in enumerate(zip(sizes, sizes[1:])):
                    self.add_module(f"lstm_{at}", nn.LSTM(size, hidden, batch_first=True))
                    self.names.append("lstm")

            def forward(self, x):
                for name, layer in zip(self.names, self):
                    x, _ = «layer(x)»
                return x
        """,
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.first = nn.Linear(6, 6)
                self.second = nn.LSTM(6, 6, batch_first=True)

            def forward(self, x):
                for name, layer in self._modules.items():
                    x = layer(x) if name == "first" else «layer(x)»[0]
                return x
        """,
        """
        import torch
        from torch import nn

        class Last(nn.LSTM):
            def forward(self, x):
                return «super().forward(x)»[0][:, -1]

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.ModuleList([Last(6, 6, batch_first=True)])
                self.layers.insert(0, nn.Linear(6, 6))

            def forward(self, x):
                for layer in self.layers.children():
                    x = layer(x)
                return x
        """,
        "return x / «torch.LongTensor([x.shape[0]])»",
        "return x / «x.new_tensor([[x.shape[0]], [x.shape[1]]])».sum()",
        "return torch.nn.functional.grid_sample(x, «torch.nn.functional.affine_grid(y, x.size())»)",
        """
        import torch
        from beartype import beartype

        class Rotary(torch.nn.Module):
            @beartype
            def forward(self, seq: int | torch.Tensor):
                return torch.arange(seq)

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.rotary = Rotary()

            def forward(self, x: torch.Tensor):
                return x + «self.rotary(x.shape[-1])»
        """,
        """
        import typeguard
        import torch

        @typeguard.typechecked
        def resized(x: torch.Tensor, size: tuple[int, int], *, mode: str | None = None):
            return x.reshape(size)

        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor):
                return «resized(x, (x.shape[1], x.shape[0]), mode="nearest")»
        """,
        "return x / «int(x.shape[0])»",
        "return x * «len(x)»",
        "return x + «torch.randn(x.shape[0], 4, generator=None)»",
        "return x[«torch.randint(0, x.shape[0], (3,), generator=None)»]",
        """
        import einx
        return «einx.sum("b [n]", x)»
        """,
    ),
    "EDB306": (
        "return x * {1: 2.0}[«x.shape[0]»]",
        "return x * {(1, 2): 2.0}[«x.shape[0], 2»]",
        "return x * «{}.get(x.shape, 2.0)»",
        "return x if «x.shape[0]» in {1, 2} else y",
        """
        from functools import lru_cache
        @lru_cache(None)
        def table(n):
            return torch.arange(n)
        return x + «table(x.shape[0])»
        """,
    ),
}
DYNAMIC_GOOD: dict[str, tuple[str, ...]] = {
    "EDB305": (
        "rounds = torch.sym_min(x.shape[0], y.shape[0])\nreturn x[:rounds].sum() + y[:rounds].sum()",
        "return x[:, :2].sum(1) + x[:, -1]",
        """
        z = x * y
        _, steps, _ = z.shape
        for _ in range(steps):
            z = z + 1
        return z
        """,
        """
        b, t, c = y.shape
        for step in range(t):
            x = x + y[:, step : step + 1]
        return x
        """,
        "return (x @ y)[:, :8]",
        """
        b, t, c = y.shape
        return y[:, : t // 2], y[:, t - 1 :], torch.cat([y, y], 1)[:, :t], y[: b // 2 * 2]
        """,
        """
        z = x * y
        return z.sum(1), z.shape[1] * 2
        """,
        """
        parts = [x[:, step] for step in range(3)]
        return torch.where(x > 0, x, 0), y * 2, parts
        """,
    ),
    "EDB302": (
        """
        if x.dim() > 5:
            return x
        return y
        """,
        """
        if x.shape[0] > 0 and 0 < x.size(1) and x.shape[0] != 1:
            return x
        return y
        """,
    ),
    "EDB303": (
        """
        for i in range(3):
            y = y + i
        return y
        """,
        # As many as there are names: eager accepts no other size.
        """
        first, second = x.split(4)
        high, low = torch.unbind(y, -1)
        return first + second + high + low
        """,
        # The sizes are all that there is.
        "return torch.cat(x.split([2, 3])[::-1])",
        # What a layer makes is as wide as its weight.
        """
        import torch

        class Net(torch.nn.Module):
            def __init__(self, width, heads: int):
                super().__init__()
                self.heads = heads
                self.linear = torch.nn.Linear(width, 3 * width)
                self.conv = torch.nn.Conv1d(width, heads, 3)

            def forward(self, x, y):
                total = 0
                for part in self.linear(x).split(self.heads, dim=-1):
                    total = total + part.sum()
                image = self.conv(y)
                for channel in range(image.shape[1]):
                    total = total + image[:, channel].sum()
                return total
        """,
    ),
    "EDB304": (
        """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                b, c, h, w = x.shape
                y = torch.nn.functional.adaptive_avg_pool2d(x, (None, 1))
                return y + torch.nn.functional.adaptive_max_pool2d(x, (1, 1))
        """,
        # The layer is not among those that were taken.
        """
        import torch
        from torch import nn

        class Base(nn.Module):
            def __init__(self):
                super().__init__()
                self.first = nn.Linear(6, 6)
                self.second = nn.LSTM(6, 6, batch_first=True)

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Sequential(*list(Base().children())[:-1])

            def forward(self, x):
                return self.body(x)
        """,
        """
        import torch
        from beartype import beartype
        from typing import Any

        @beartype
        def scaled(x: torch.Tensor, n: int | torch.SymInt, more: Any, last=None, *, dim: int = -1):
            return x * n

        class Net(torch.nn.Module):
            def forward(self, x: torch.Tensor):
                return scaled(x, x.shape[0], x.shape[0], x.shape[0], dim=1)
        """,
        "return x / x.shape[0]",
        "return x * len((x, y))",
        "return x[torch.randperm(x.shape[0])] + torch.randn(x.shape[0], 4)",
    ),
    "EDB306": (
        "return x * {1: 2.0}[1]",
        "return x * {('cpu', 1): 2.0}.get((x.device.type, x.dim()), 1.0)",
        "return x if [x.shape[0], 2] in [[1, 2]] else y",
    ),
}

"""For each rule, programs that it must find, at the place between « and », and near ones that it must leave alone.

A program is the inside of `forward(self, x, y, n)` unless it begins with an import, a class or a decorator: then it is
a whole file. `x`, `y` and `n` are annotated as tensors.
"""

from __future__ import annotations

# What the calls of an export function are about.
NET = "import torch\nfrom torch.export import Dim, export\n\nclass Net(torch.nn.Module):\n    def forward(self, x, y=None):\n        return x.sin()\n\n"

BAD: dict[str, tuple[str, ...]] = {
    "EDB101": (
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.register_buffer('weight', torch.tensor(1.0))\n\n    def forward(self, x):\n        return x * 2 if self.training and «self.weight != 0» else x\n",
        "z = torch.nn.BatchNorm1d(3)(x) if x is None else torch.nn.functional.relu(x)\nif «z.sum() > 0»:\n    return x\nreturn y",
        "import torch\n\nclass Rows:\n    def __init__(self, x):\n        self.x = x\n    def __iter__(self):\n        return self\n    def __next__(self):\n        return self.x\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        for row in Rows(x):\n            if «row.sum() > 0»:\n                return x\n        return -x\n",
        "import torch\n\nclass Rows:\n    def __init__(self, x):\n        self.x = x\n    def __iter__(self):\n        return Steps(self)\n\nclass Steps:\n    def __init__(self, rows):\n        self.rows = rows\n    def __iter__(self):\n        return self.rows\n    def __next__(self):\n        return self.rows.x\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        for row in Rows(x):\n            if «row.sum() > 0»:\n                return x\n        return -x\n",
        "import contextlib\nimport torch\n\n@contextlib.contextmanager\ndef doubled(x):\n    yield x * 2\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        with doubled(x) as y:\n            if «y.sum() > 0»:\n                return y\n        return x\n",
        "import collections\nimport torch\n\nPair = collections.namedtuple('Pair', 'value count')\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        pair = Pair(count=2, value=x)\n        value, count = pair\n        if count > 1 and pair[1] > 1 and pair.count > 1:\n            x = x + 1\n        if «pair.value.sum() > 0»:\n            return x\n        return -x\n",
        "parts = {str(n): None, **{str(y): x, 'a': 2}}\nif «parts['b'].sum() > 0»:\n    return x\nreturn y",
        "z = [(last := v * 2) for v in (x, y)]\nif «last.sum() > 0»:\n    return x\nreturn z",
        "import copy\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x, mask: torch.Tensor | None):\n        kept = copy.copy(mask)\n        if kept is None and «x.sum() > 0»:\n            return x\n        return -x\n",
        "import torch\n\nclass Inner(torch.nn.Module):\n    def forward(self, *rows):\n        if len(rows) == 1:\n            return rows[0]\n        return rows[0] if «rows[0].sum() > 0» else rows[1]\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.inner = Inner()\n\n    def forward(self, *rows: torch.Tensor):\n        return self.inner(*rows)\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self, name: str):\n        super().__init__()\n        self.name = name\n\n    def forward(self, x):\n        if self.name == 'a':\n            self.name += 'b'\n            if self.name == 'ab' and «x.sum() > 0»:\n                return x\n        return -x\n",
        "if «x.sum() > 0»:\n    return x\nreturn y",
        "while «x.max() > 1»:\n    x = x / 2\nreturn x",
        "return x if «x.any()» else y",
        "z = «x.sum()» and y\nreturn z",
        "return [v for v in (x, y) if «v.sum() > 0»]",
        "flag = «bool(x.sum())»\nreturn x",
        "if «0 < x.sum() < 1»:\n    return x\nreturn y",
        "ok = not «x.any()»\nreturn y",
    ),
    "EDB102": (
        "assert «(x > 0).all()»\nreturn x",
        "«torch._check(x.any())»\nreturn x",
        "«torch._assert(x.any(), 'none')»\nreturn x",
    ),
    "EDB103": (
        "k = n.item()\nif «k > 3»:\n    return x\nreturn y",
        "z = x[x > 0]\nif «z.numel() == 0»:\n    return y\nreturn z",
    ),
    "EDB104": ("if «x.isnan().any()»:\n    raise ValueError('nan')\nreturn x",),
    "EDB105": (
        "if «any(v.sum() > 0 for v in (x, y))»:\n    return x\nreturn y",
        "if «torch.equal(x, y)»:\n    return x\nreturn y",
        "return «sorted([x.sum(), y.sum()])»",
        "return «torch.nn.functional.one_hot(n)»",
    ),
    "EDB106": (
        "for _ in «range(n.item())»:\n    x = x + 1\nreturn x",
        "for i in «x.nonzero()»:\n    y = y + i\nreturn y",
    ),
    "EDB107": ("k = n.item()\n«torch._check(k > 0, lambda: 'few')»\nreturn x * k",),
    "EDB201": ("return «x.data» + 1",),
    "EDB202": (
        "import time\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        t = time.time()\n        return «x * t»\n",
    ),
    "EDB203": (
        "return x * «int(n)»",
        "return x * «float(x.max())»",
        "print(f'{«x.sum().item()»:.2f}')\nreturn x",
        "z = x.float()\nlow, high = «z.tolist()»\nreturn x * low",
    ),
    "EDB204": ("return torch.from_numpy(«x.numpy()»)",),
    "EDB205": ("return «torch.tensor([x.sum(), y.sum()])»",),
    "EDB206": (
        "return torch.linspace(0, 1, «n.item()»)",
        "return x.transpose(0, 1).chunk(«n»)",
        "z = x.clone()\nz[«x.argmax()»] = 0\nreturn z",
        "return (x, y)[«n»]",
        "return [x, y][«: n.item()»]",
    ),
    "EDB207": (
        "return x + «x.untyped_storage().data_ptr()» % 2",
        "return x if «x.storage().data_ptr()» == y.data_ptr else y",
        "import copy\nimport torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = torch.nn.Linear(2, 2)\n\n    def forward(self, x):\n        return «copy.deepcopy(self.layer)»(x)\n",
        "import copy\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return «copy.deepcopy(x)»\n",
    ),
    "EDB209": (
        "return «torch.cov(x)»",
        "return «x.corrcoef()»",
        "return «torch.combinations(x[0], 3)»",
        "return «torch.linalg.lstsq(x, y)».solution",
        "return «torch.nn.functional.ctc_loss(x, y, (8, 8), (3, 3))»",
        "return «torch.nn.functional.gaussian_nll_loss(x, y, n)»",
        "return «x.clone().apply_(lambda value: value * 2)»",
        "return «torch.nested.nested_tensor([x, y])».to_padded_tensor(0.0)",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.loss = torch.nn.GaussianNLLLoss()\n\n    def forward(self, x, y, variance):\n        return «self.loss(x, y, variance)»\n",
    ),
    "EDB210": (
        "import numpy as np\nimport torch\n\nROOT = np.sqrt(2 / np.pi)\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return torch.tanh(«ROOT * x»)\n",
        "import numpy as np\nimport torch\n\nclass Net(torch.nn.Module):\n    def __init__(self, rates):\n        super().__init__()\n        self.rate = np.linspace(0, rates, 4)[1]\n\n    def forward(self, x):\n        return x * 2 if «self.rate» else x\n",
        "import numpy as np\nimport torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.eps = np.finfo(np.float32).eps\n\n    def forward(self, x):\n        return «x.clamp(min=self.eps)»\n",
    ),
    "EDB401": (
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.calls = 0\n\n"
        "    def forward(self, x):\n        «self.calls» += 1\n        return x * self.calls\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.last = None\n\n"
        "    def forward(self, x):\n        y = x if self.last is None else x + self.last\n        «self.last» = x\n        return y\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    calls = 0\n\n"
        "    def forward(self, x):\n        «type(self).calls» += 1\n        return x * type(self).calls\n",
    ),
    "EDB402": (
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.seen = []\n\n"
        "    def forward(self, x):\n        «self.seen.append(x)»\n        return torch.stack(self.seen).sum(0)\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    kept = {}\n\n"
        "    def forward(self, x):\n        old = self.kept.get('x')\n        «self.kept['x']» = x\n        return x if old is None else x + old\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.left = {'a': 1}\n\n"
        "    def forward(self, x):\n        n = len(self.left)\n        if 'a' in self.left:\n            del «self.left['a']»\n        return x * n\n",
    ),
    "EDB404": (
        "import torch\n\ncalls = 0\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        global calls\n        «calls» += 1\n        return x * calls\n",
        "import torch\n\ncache = {}\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        old = cache.get('x')\n        «cache['x']» = x\n        return x if old is None else x + old\n",
    ),
    "EDB405": (
        "return «torch.nn.Linear(4, 4)»(x)",
        "return x * «torch.nn.Parameter(torch.ones(4))»",
        "import torch\n\nclass Layer(torch.nn.Linear):\n    pass\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return «Layer(4, 4)»(x)\n",
    ),
    "EDB406": (
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = torch.nn.Linear(2, 2)\n\n    def forward(self, x):\n        «self.layer.requires_grad_(False)»\n        return self.layer(x)\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = torch.nn.Linear(2, 2)\n\n    def forward(self, x):\n        y = self.layer(x)\n        «y.retain_grad()»\n        return y\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = torch.nn.Linear(2, 2)\n\n    def forward(self, x):\n        «self.layer.weight.requires_grad_(False)»\n        return self.layer(x)\n",
        "return «torch.func.jacrev(torch.sin)»(x)",
        "z = x * 2\n«z.requires_grad» = True\nreturn z",
        "return «torch.func.grad(lambda v: v.sum())»(x)",
    ),
    "EDB407": (
        "import torch\n\nclass Block(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layers = torch.nn.ModuleList([torch.nn.Linear(2, 2)])\n\n    def forward(self, x):\n        for layer in self.layers:\n            x = layer(x)\n        return x\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.block = Block()\n\n    def forward(self, x):\n        block = «self.block.half()»\n        return block(x)\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = torch.nn.Linear(2, 2)\n\n"
        "    def forward(self, x):\n        «self.layer.to(x.device)»\n        return self.layer(x)\n",
    ),
    "EDB502": (
        "import random\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x * «random.random()»\n",
    ),
    "EDB503": (
        "import gc\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        «gc.collect()»\n        return x\n",
        "if «torch.cuda.device_count()» > 1:\n    return x\nreturn y",
        "with «torch.device('cpu')»:\n    return x + torch.ones(2)",
        "with «torch.backends.cuda.sdp_kernel(enable_flash=False)»:\n    return x + y",
        "class «Pair»:\n    pass\nreturn x + y",
        "return x * («x.storage_offset()» + 1)",
        "import threading\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        with «threading.Lock()»:\n            return x * 2\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    @torch.compiler.disable\n    def log(self, x):\n        return x\n\n    def forward(self, x):\n        return «self.log(x)»\n",
        "«torch.manual_seed(0)»\nreturn x + torch.rand(2)",
    ),
    "EDB601": (
        "return «torch.cond(x.sum() > 0, lambda x: x, lambda x: x.cos(), (x,))»",
        "return «torch.cond(x.sum() > 0, lambda x: x[0], lambda x: x.sum(0), (x,))»",
        "z = x.sin()\nreturn «torch.cond(x.sum() > 0, lambda: z, lambda: z.cos())»",
        "return «torch.cond(x.sum() > 0, lambda x: (x.sin(), x), lambda x: (x.cos(), x.clone()), (x,))»",
    ),
    "EDB602": (
        "return «torch.cond(x.sum() > 0, lambda x, k: x * k, lambda x, k: x + k, (x, 2))»",
        "return «torch.cond(x.sum() > 0, lambda x, k: x.sin(), lambda x, k: x.cos(), (x, None))»",
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
        "def left(x):\n    x[0] = 1\n    return x.sin()\nreturn «torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))»",
        "def left(x):\n    «raise ValueError('no')»\nreturn torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))",
        "kept = []\ndef left(x):\n    «kept.append(x)»\n    return x.sin()\nreturn torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))",
    ),
    "EDB605": (
        "from torch._higher_order_ops import while_loop\ndef body(y):\n    y.mul_(2)\n    return (y + 1,)\nreturn «while_loop(lambda y: y.sum() < 9, body, (x,))»",
        "from torch._higher_order_ops import while_loop\nreturn «while_loop(lambda y: y.sum() < 9, lambda y: (torch.cat([y, y]),), (x,))»",
    ),
    "EDB701": (
        "import torch\n\nclass Out:\n    def __init__(self, y):\n        self.y = y\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return «Out(x)»\n",
        "import torch\n\nclass Batch:\n    def __init__(self, x):\n        self.x = x\n\nclass Net(torch.nn.Module):\n    def forward(self, «batch: Batch»):\n        return batch.x\n",
        "return «{x.sin(), y}»",
        "return «(row + 1 for row in (x, y))»",
    ),
    "EDB801": (
        "import torch\n\n@torch.library.custom_op('a::b', mutates_args=())\ndef double(x: torch.Tensor) -> torch.Tensor:\n    return x * 2\n\n"
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        return «double(x)»\n",
    ),
    "EDB901": (
        "«from torch.export import dynamic_dim»\n",
        "import torch\n\ndef f(x):\n    return x\n\nep = «torch.export.export(f, (torch.ones(2),))»\n",
        "import torch\n\ndef run(model, args):\n    return «torch.export.export(model, args, constraints=[])»\n",
    ),
    "EDB902": (
        NET + "export(Net(), «torch.ones(2)»)\n",
        NET + "export(Net(), «[torch.ones(2)]»)\n",
        NET + "export(Net(), args=«(torch.ones(2), None, 3)»)\n",
        NET + "export(Net(), «()»)\n",
        NET + "x = torch.ones(2)\nexport(Net(), (x, [torch.ones(2), «x»]))\n",
        NET + "export(Net(), «(torch.ones(2),)», kwargs={'z': 1})\n",
        NET + "export(Net(), «(torch.ones(2),)», kwargs={'x': torch.ones(2)})\n",
        NET
        + "def test():\n    model = Net().eval()\n    inputs = (torch.ones(2),)\n    export(model, inputs, dynamic_shapes=«{'x': None, 'y': None}»)\n",
        NET + "export(Net(), (torch.ones(4), torch.ones(4)), dynamic_shapes=«({0: Dim.AUTO},)»)\n",
        NET + "export(Net(), ((torch.ones(4), torch.ones(4)),), dynamic_shapes={'x': «[{0: Dim.AUTO}]»})\n",
        NET + "export(Net(), ({'a': torch.ones(4)},), dynamic_shapes={'x': «{'b': {0: Dim.AUTO}}»})\n",
        NET + "export(Net(), (torch.ones(4), 3), dynamic_shapes={'x': None, 'y': «{0: Dim.AUTO}»})\n",
        NET + "export(Net(), (torch.ones(4, 6),), dynamic_shapes=(«(Dim.AUTO,)»,))\n",
        NET + "export(Net(), (torch.ones(4, 6),), dynamic_shapes={'x': {2: «Dim.AUTO»}})\n",
        NET + "export(Net(), (torch.ones(4, 6),), dynamic_shapes={'x': {-1: «Dim.AUTO»}})\n",
        NET + "export(Net(), (torch.ones(4, 6),), dynamic_shapes={'x': {0: «Dim('n', max=3)»}})\n",
        NET
        + "n = Dim('rows')\nexport(Net(), (torch.ones(4), torch.ones(7)), dynamic_shapes={'x': {0: n}, 'y': {0: «2 * n»}})\n",
        NET
        + "n = Dim('rows')\nexport(Net(), (torch.ones(4), torch.ones(7)), dynamic_shapes={'x': None, 'y': («4 * n + 1»,)})\n",
        NET
        + "a, b = torch.export.dims('rows', 'columns')\nexport(Net(), (torch.ones(4), torch.ones(7)), dynamic_shapes={'x': {0: a}, 'y': {0: «2 * a»}})\n",
    ),
    "EDB903": (
        NET + "ep = export(Net(), (torch.ones(2),))\n«ep(torch.ones(2))»\n",
        NET + "«export(Net(), (torch.ones(2),))(torch.ones(2))»\n",
        NET
        + "def run():\n    ep = export(Net(), (torch.ones(2),))\n    model = ep.module()\n    return «model.eval()»\n",
    ),
}

GOOD: dict[str, tuple[str, ...]] = {
    "EDB101": (
        "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x, num_rows, return_sum):\n        if return_sum:\n            return x.sum()\n        return x if num_rows > 2 else -x\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        skip = True if self.training and torch.rand([]) < 0.1 else False\n        return x if skip else x + 1\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        skip = False\n        if self.training:\n            skip = torch.rand([]) < 0.1\n        if skip:\n            return x\n        return x + 1\n",
        "if torch.jit.isinstance(x, torch.Tensor):\n    return x\nreturn y",
        "if x.shape[0] > 0:\n    return x\nreturn y",
        "if x is None or isinstance(x, torch.Tensor):\n    return x\nreturn y",
        "if x.dtype == torch.float32 and x.dim() == 2:\n    return x\nreturn y",
        "if torch.compiler.is_exporting():\n    return x\nif x.sum() > 0:\n    return y\nreturn x",
    ),
    "EDB102": (
        "assert n.item() > 3, 'few'\nreturn x",
        "assert x.shape[0] > 0\nreturn x",
        "torch._assert_async(x.any())\nreturn x",
        "torch._check(x.dim() == 2)\nreturn x",
    ),
    "EDB103": (
        "k = n.item()\nreturn torch.zeros(k)",
        "k = n.item()\ntorch._check(k > 3)\nif k > 3:\n    return x\nreturn y",
        "k = n.item()\ntorch._check(3 < k)\nif 3 < k:\n    return x\nreturn y",
    ),
    "EDB104": ("if x.dim() != 2:\n    raise ValueError('two')\nreturn x",),
    "EDB105": ("if any(d > 3 for d in (1, 2)):\n    return x\nreturn y", "return torch.nn.functional.one_hot(n, 4)"),
    "EDB106": ("for _ in range(3):\n    x = x + 1\nreturn x",),
    "EDB107": (
        "k = n.item()\ntorch._check(k > 0)\nreturn x * k",
        "torch._check(x.dim() == 2, lambda: 'two')\nreturn x",
    ),
    "EDB201": ("return x.detach() + 1",),
    "EDB202": (
        "import time\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        t = time.time()\n        return x\n",
    ),
    "EDB203": (
        "return x * n.item()",
        "return x * int(3.5)",
        "print(f'{x}')\nreturn x",
        "z = x.long()\nlow, high = z.tolist()\nreturn x * low",
    ),
    "EDB204": ("return torch.sqrt(x)", "import numpy as np\nreturn x * np.sqrt(2.0)"),
    "EDB205": ("return torch.tensor([1.0, 2.0]) + x", "return torch.stack([x.sum(), y.sum()])"),
    "EDB206": (
        "return torch.zeros(n.item(), 2)",
        "return x.repeat(n, 1)",
        "return torch.minimum(x, n)",
        "return x[x.argmax().unsqueeze(0)]",
        "return (x, y)[1]",
        "return x[n]",
    ),
    "EDB207": (
        "return x.clone()",
        "x.untyped_storage()\nreturn x + 1",
        "return x + x.untyped_storage().nbytes()",
        "import copy\nimport torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = torch.nn.ReLU()\n        self.copied = copy.deepcopy(torch.nn.Linear(2, 2))\n\n    def forward(self, x):\n        return self.copied(copy.deepcopy(self.layer)(x))\n",
    ),
    "EDB209": (
        "return torch.combinations(x[0], 1)",
        "return torch.nn.functional.gaussian_nll_loss(x, y, 1.0)",
        "return torch.linalg.pinv(x) @ y",
        "return torch.nn.functional.nll_loss(x, y)",
    ),
    "EDB210": (
        "import math\nimport numpy as np\nimport torch\n\nROOT = np.sqrt(2).item()\n\nclass Net(torch.nn.Module):\n    def __init__(self, width):\n        super().__init__()\n        self.root = float(np.sqrt(width))\n        self.half = np.pi / 2\n        self.layer = torch.nn.Linear(np.prod([2, 3]), 2)\n\n    def forward(self, x):\n        return self.layer(x * ROOT / self.root) * self.half\n",
        "import numpy as np\nimport torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.register_buffer('window', torch.from_numpy(np.hanning(4)))\n        self.sizes = np.array([2, 3]).tolist()\n        self.count = len(np.arange(3))\n\n    def forward(self, x):\n        return x * self.window + sum(self.sizes) * self.count\n",
    ),
    "EDB401": (
        "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        self.last = x\n        return x\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.register_buffer('calls', torch.zeros(()))\n\n"
        "    def forward(self, x):\n        self.calls += 1\n        return x * self.calls\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.mask, self.size = None, None\n\n"
        "    def forward(self, x):\n        n, m = x.shape\n        if self.size != (n, m):\n            mask = torch.zeros(n, m)\n"
        "            mask[-1:] += 1\n            self.mask = mask\n            self.size = (n, m)\n        return x + self.mask\n",
    ),
    "EDB402": ("seen = []\nseen.append(x)\nreturn torch.stack(seen)",),
    "EDB404": (
        "import torch\n\ntable = {}\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        if 3 not in table:\n            table[3] = torch.ones(3)\n        return x + table[3]\n",
        "count = 0\ndef more():\n    nonlocal count\n    count += 1\n    return count\nreturn x * more()",
    ),
    "EDB405": (
        "return torch.nn.ReLU()(x)",
        "import torch\n\nclass Scale(torch.nn.Module):\n    def __init__(self, by):\n        super().__init__()\n        self.by = by\n\n    def forward(self, x):\n        return x * self.by\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return Scale(2.0)(x)\n",
    ),
    "EDB406": (
        "return x * 2",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layer = torch.nn.Linear(2, 2).requires_grad_(False)\n\n    def forward(self, x):\n        return self.layer(x)\n",
    ),
    "EDB407": (
        "import torch\n\nclass Block(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.size = 2\n        self.parts = [torch.nn.ReLU()]\n\n    def forward(self, x):\n        return x * self.size\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.block = Block()\n        self.layer = torch.nn.Linear(2, 2).half()\n\n    def forward(self, x):\n        return self.layer(self.block.to(x.device)(x))\n",
        "import torch\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.act = torch.nn.ReLU()\n\n"
        "    def forward(self, x):\n        return self.act.to(x.device)(x.to(torch.float32))\n",
    ),
    "EDB502": (
        "import random\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        random.random()\n        return x + torch.rand(2)\n",
    ),
    "EDB503": (
        "device = torch.device('cpu')\nreturn x.to(device)",
        "with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):\n    return x + y",
        "if torch.cuda.is_available():\n    return x\nreturn y",
        "import time\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        if torch.compiler.is_exporting():\n            return x\n        time.time()\n        return x\n",
        "import warnings\nimport torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        warnings.warn('slow')\n        return x\n",
    ),
    "EDB601": (
        "return torch.cond(x.sum() > 0, lambda x: x.clone(), lambda x: x.cos(), (x,))",
        "return torch.cond(x.sum() > 0, lambda x: x.sin()[0], lambda x: x.cos()[0], (x,))",
        "z = x.sin()\nreturn torch.cond(x.sum() > 0, lambda: z + 1, lambda: z.cos())",
    ),
    "EDB602": ("return torch.cond(x.sum() > 0, lambda x, y: x + y, lambda x, y: x - y, (x, y))",),
    "EDB603": (
        "return torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos().float(), (x,))",
        "return torch.cond(x.sum() > 0, lambda x: (x.sin(), x.sum(0)), lambda x: (x.cos(), x.mean(0)), (x,))",
        "return torch.cond(x.sum() > 0, lambda x: 1, lambda x: 2, (x,))",
    ),
    "EDB604": (
        "def left(x):\n    z = x.clone()\n    z[0] = 1\n    return z\nreturn torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))",
        "def left(x):\n    parts = []\n    parts.append(x.sin())\n    return parts[0]\nreturn torch.cond(x.sum() > 0, left, lambda x: x.cos(), (x,))",
    ),
    "EDB605": (
        "from torch._higher_order_ops import while_loop\nreturn while_loop(lambda y: y.sum() < 9, lambda y: (y * 2,), (x,))",
    ),
    "EDB701": (
        "from typing import NamedTuple\nimport torch\n\nclass Out(NamedTuple):\n    y: torch.Tensor\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return Out(x)\n",
        "import torch\nfrom torch.utils import _pytree as pytree\n\nclass Out:\n    def __init__(self, y):\n        self.y = y\n\n"
        "pytree.register_pytree_node(Out, lambda o: ([o.y], None), lambda v, _: Out(*v))\n\n"
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        return Out(x)\n",
        "import torch\n\nclass Out:\n    def __init__(self, y):\n        self.y = y\n\n"
        "class Inner(torch.nn.Module):\n    def forward(self, x):\n        return Out(x)\n\n"
        "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.inner = Inner()\n\n"
        "    def forward(self, x):\n        return self.inner(x).y\n",
        "return {'x': x, 'y': [y, (n,)]}",
    ),
    "EDB801": (
        "import torch\n\n@torch.library.custom_op('a::b', mutates_args=())\ndef double(x: torch.Tensor) -> torch.Tensor:\n    return x * 2\n\n"
        "@torch.library.register_fake('a::b')\ndef _(x):\n    return torch.empty_like(x)\n\n"
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        return double(x)\n",
        "import torch\n\n@torch.library.custom_op('a::b', mutates_args={'x'})\ndef fill(x: torch.Tensor) -> None:\n    x.fill_(2)\n\n"
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        y = x.clone()\n        fill(y)\n        return y\n",
    ),
    "EDB901": (
        "try:\n    from torch.export import dynamic_dim\nexcept ImportError:\n    dynamic_dim = None\n",
        "import torch\n\ndef model(x):\n    return x\n\ndef run(model, args):\n    return torch.export.export(model, args)\n",
        "import torch\n\nif torch.__version__ < '2.3':\n    from torch._export import capture_pre_autograd_graph\n",
        "from optimum.exporters import export\n\ndef f(x):\n    return x\n\nexport(f, constraints=[])\n",
    ),
    "EDB902": (
        NET + "export(Net(), (torch.ones(2),), {})\n",
        NET + "x, n = torch.ones(2), 3\nexport(Net(), (x, [n, n]))\n",
        NET + "export(Net(), (), {'x': torch.ones(2)})\n",
        NET
        + "import pytest\n\ndef test():\n    with pytest.raises(Exception):\n        export(Net(), torch.ones(2))\n",
        NET + "try:\n    export(Net(), torch.ones(2))\nexcept Exception:\n    pass\n",
        NET + "torch.onnx.export(Net(), torch.ones(2), 'net.onnx')\n",
        NET + "def run(model, args):\n    return export(model, args)\n",
        NET + "def run(args):\n    return export(Net(), *args)\n",
        NET
        + "n = Dim('rows')\nexport(Net(), (torch.ones(4), torch.ones(9)), dynamic_shapes={'x': {0: n}, 'y': {0: 2 * n + 1}})\n",
        NET
        + "n = Dim('rows')\nexport(Net(), (torch.ones(4), [torch.ones(4)]), dynamic_shapes={'x': (n,), 'y': [{0: n}]})\n",
        NET + "shapes = {'x': {}}\nshapes['x'][0] = Dim.AUTO\nexport(Net(), (torch.ones(4),), dynamic_shapes=shapes)\n",
        NET
        + "x = torch.ones(4)\nshapes = torch.export.ShapesCollection()\nshapes[x] = (Dim.AUTO,)\nexport(Net(), (x, 3), dynamic_shapes=shapes)\n",
        NET + "export(Net(), (torch.ones(4), 3), dynamic_shapes={'x': (Dim('n', min=4, max=4),), 'y': None})\n",
    ),
    "EDB903": (
        NET + "ep = export(Net(), (torch.ones(2),))\nep = ep.module()\nep(torch.ones(2))\n",
        NET + "ep = export(Net().eval(), (torch.ones(2),))\nep.module()(torch.ones(2))\n",
        NET + "def run(ep, x):\n    ep.eval()\n    return ep(x)\n",
    ),
}

# Rules whose findings need a dynamic dimension: they are checked as if all were.
DYNAMIC_BAD: dict[str, tuple[str, ...]] = {
    "EDB302": ("if «x.shape[0] > 5»:\n    return x\nreturn y", "if «x[2:].shape[0] > 0»:\n    return x\nreturn y"),
    "EDB303": ("return [row.sum() for row in «x»]", "for i in «range(x.shape[0])»:\n    y = y + i\nreturn y"),
    "EDB304": ("return x / «int(x.shape[0])»", "return x * «len(x)»"),
    "EDB306": ("return x * {1: 2.0}[«x.shape[0]»]",),
}
DYNAMIC_GOOD: dict[str, tuple[str, ...]] = {
    "EDB302": (
        "if x.dim() > 5:\n    return x\nreturn y",
        "if x.shape[0] > 0 and 0 < x.size(1) and x.shape[0] != 1:\n    return x\nreturn y",
    ),
    "EDB303": ("for i in range(3):\n    y = y + i\nreturn y",),
    "EDB304": ("return x / x.shape[0]", "return x * len((x, y))"),
    "EDB306": ("return x * {1: 2.0}[1]",),
}

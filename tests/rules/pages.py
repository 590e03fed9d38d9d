"""What the programs on the rules' pages need to be run, beyond one 3 x 2 tensor: other inputs, attributes on `self`.

`init` are the statements of the constructor where the page leaves it out, `around` what stands around the class.
`others` are further inputs, of other sizes or values; `dynamic` are the dynamic shapes. What is `fixed_…` belongs to
the replacement where that differs from the example. `declares`: the rule reads the dynamic shapes in the file.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    args: str = "(torch.rand(3, 2) + 1,)"
    fixed_args: str | None = None
    init: str = ""
    fixed_init: str | None = None
    around: str = ""
    others: str = "[]"
    fixed_others: str | None = None
    dynamic: str = "None"
    fixed_dynamic: str | None = None
    declares: bool = False


# One dynamic dimension, and inputs of another size for what was exported.
_AUTO = '{"x": {0: Dim.AUTO}}'
_OTHER = "[(torch.rand(5, 2) + 1,)]"

PAGES: dict[str, Page] = {
    "EDB101": Page(others="[(-torch.ones(3, 2),)]"),
    "EDB103": Page("(torch.rand(3, 2), torch.tensor([2, 6]))", others="[(torch.rand(3, 2), torch.tensor([1, 2]))]"),
    "EDB105": Page(others="[(-torch.ones(3, 2),)]"),
    "EDB106": Page("(torch.rand(3, 2), torch.tensor(3))", others="[(torch.rand(3, 2), torch.tensor(5))]"),
    "EDB107": Page("(torch.rand(3, 2), torch.tensor(3))", others="[(torch.rand(3, 2), torch.tensor(5))]"),
    "EDB202": Page(fixed_args="(torch.rand(3, 2), torch.tensor(4))"),
    "EDB203": Page("(torch.rand(3, 2), torch.tensor(3))", others="[(torch.rand(3, 2), torch.tensor(5))]"),
    "EDB205": Page("(torch.rand(3), torch.rand(3))"),
    "EDB206": Page("(torch.rand(3), torch.tensor(1))", others="[(torch.rand(3), torch.tensor(2))]"),
    "EDB208": Page("(torch.rand(3), torch.rand(3))"),
    "EDB301": Page("(torch.rand(8, 2),)", others="[(torch.rand(6, 2),)]", dynamic='{"x": {0: Dim("b")}}',
                   fixed_dynamic='{"x": {0: Dim.DYNAMIC}}'),
    "EDB302": Page("(torch.rand(8, 2),)", others="[(torch.rand(3, 2),)]", dynamic='{"x": {0: Dim("b")}}'),
    "EDB303": Page(others=_OTHER, dynamic=_AUTO),
    "EDB304": Page(others=_OTHER, dynamic=_AUTO),
    "EDB305": Page(init='self.register_buffer("table", torch.rand(16, 2))', others=_OTHER,
                   dynamic='{"x": {0: Dim("n")}}', fixed_dynamic='{"x": {0: Dim("n", max=16)}}'),
    "EDB306": Page(init="self.table = {3: 0.5}", fixed_init='self.register_buffer("factors", torch.rand(8))',
                   dynamic='{"x": {0: Dim.DYNAMIC}}', fixed_others=_OTHER),
    "EDB308": Page(
        "(torch.rand(3, 2), torch.rand(3, 2))",
        dynamic='{"x": {0: Dim("a")}, "y": {0: Dim("b")}}',
        fixed_dynamic='{"x": {0: Dim("n")}, "y": {0: Dim("n")}}',
        declares=True,
    ),
    "EDB307": Page(init="self.token = torch.nn.Parameter(torch.rand(1, 2))", others=_OTHER, dynamic=_AUTO),
    "EDB902": Page("(torch.rand(3, 2), torch.rand(3, 2))"),
    "EDB401": Page(init="self.calls = 0"),
    "EDB402": Page(init="self.seen = []", fixed_args="(torch.rand(3, 2), torch.rand(0, 3, 2))"),
    "EDB404": Page(around="calls = 0", fixed_args="(torch.rand(3, 2), torch.tensor(4))"),
    "EDB405": Page("(torch.rand(3, 4),)"),
    "EDB502": Page(init="self.p = 0.5; self.layer = nn.Linear(2, 2)"),
    "EDB601": Page(others="[(-torch.ones(3, 2),)]"),
    "EDB602": Page(others="[(-torch.ones(3, 2),)]"),
    "EDB603": Page(others="[(-torch.ones(3, 2),)]"),
    "EDB604": Page(others="[(-torch.ones(3, 2),)]"),
    "EDB605": Page("(torch.rand(2, 2),)"),
    "EDB606": Page("(torch.rand(3, 2),)", others="[(-torch.ones(3, 2),)]", declares=True),
}  # fmt: skip

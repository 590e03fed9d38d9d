"""The page that answers ExportDB and the torch.export tutorials row by row: what they call possible or not, as programs.

    python docs/generate/tutorials.py

writes `docs/guide/tutorials.md`. Each row is a case: `check` reads it when the page is made, and the verdicts of export are
those that were measured.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import exportdb_cases
import verdicts
from exportdb_cases.collection import find
from exportdb_rules.engine import Project, Settings, check
from exportdb_rules.finding import Confidence, Finding, Mode
from exportdb_rules.verdict_table import records

PAGE = Path(__file__).parents[1] / "guide" / "tutorials.md"
VERSION = "2.13.0"
_MODES = tuple(Mode)
# A heading, and its rows: what the pages say, and the cases that do it.
ROWS: dict[str, dict[str, str]] = {
    "ExportDB: control flow operators": {
        "Operands are tensors, as many as the branches take": "cond_operands cond_int_operand cond_operand_count",
        "Branches return the same metadata": "cond_dtype_differs cond_rank_differs cond_tree_differs",
        "Branches may be methods, nested functions and closures": "cond_branch_class_method cond_branch_nested_function cond_closed_over_variable",
        "Branches read variables of the enclosing function, and do not write them": "cond_branch_nonlocal_variables cond_nonlocal_write",
        "Branches do not write in place": "cond_input_mutation cond_buffer_mutation",
        "Branches return no input": "cond_alias cond_closure_alias",
        "The predicate is a bool or has one element": "cond_predicate cond_predicate_vector",
        "`map` and loops follow the same limits": "dynamic_shape_map map_mutation while_loop_operand_count scan_carry_differs",
    },
    "ExportDB: dynamic shapes": {
        "A guard on a size selects a path": "dynamic_shape_if_guard shape_branch_named shape_branch_auto",
        "An assert on a size is a guard": "dynamic_shape_assert shape_assert_named",
        "Slices and views by sizes": "dynamic_shape_slicing dynamic_shape_view dim_minimum fixed_reshape_named",
        "Constructors take sizes": "dynamic_shape_constructor list_repeat",
        "`round` of a size is not supported": "dynamic_shape_round round_named",
        "`scalar_output`, `constrain_as_size` and `constrain_as_value`": "scalar_output constrain_as_size_example constrain_as_value_example",
    },
    "ExportDB: Python": {
        "Unsupported entries that later versions accept": "model_attr_mutation optional_input unsupported_operator",
        "Asserts, closures, containers and decorators": "static_if decorator dictionary class_method fn_with_kwargs",
        "Reflection, attributes and pytrees": "type_reflection_method specialized_attribute tensor_setattr pytree_flatten",
        "Inputs may be mutated": "user_input_mutation",
    },
    "Tutorial: the call of export": {
        "`args` is a tuple, and all inputs are given": "export_arguments_ok export_args_not_tuple export_args_missing",
        "What is exported is a module": "export_of_function",
        "The program is called through `.module()`": "exported_program_ok exported_program_called",
        "The module cannot be switched to `eval` or `train`": "exported_module_eval exported_module_train exported_program_eval",
        "Inputs are tensors and registered containers": "dict_input_ok dict_subclass_input dataclass_input_ok dataclass_input class_input",
        "Names that were removed": "capture_pre_autograd_graph dynamic_dim export_constraints export_for_training",
    },
    "Tutorial: graph breaks": {
        "Data-dependent `if`": "tensor_if tensor_if_ok",
        "`.data` of a tensor": "data_read data_read_ok",
        "`id` and other builtins": "id_used",
        "`try` and `raise`": "try_except_ok config_raise_ok",
        "NumPy, `int()` and `.tolist()` of a tensor": "numpy_of_tensor int_of_tensor tolist_ok",
    },
    "Tutorial: dynamic shapes": {
        "Without `dynamic_shapes` all sizes are static": "shape_branch_static_ok static_dim_ok",
        "The specification has the structure of the inputs": "dynamic_shapes_keys dynamic_shapes_count dynamic_shapes_nesting",
        "A tensor's entry names axes that the tensor has": "dynamic_shapes_rank dynamic_shapes_axis dynamic_shapes_negative_axis dynamic_shapes_not_a_tensor",
        "An int must be the example's size": "dim_number_differs",
        "The range of a Dim contains the example": "dim_range_excludes_example dim_min_one",
        "One Dim stands for one size": "dim_sizes_differ equal_sizes_named_ok",
        "Two Dims that must be equal": "equal_sizes_named",
        "A layer or constant specializes a Dim": "fixed_linear_named fixed_linear_named_ok fixed_constant_named",
        "Derived dimensions": "derived_dim derived_dim_ok dim_not_divisible dim_not_divisible_ok",
        "A range that the model does not support": "dim_range_too_wide fixed_buffer_slice_named dim_minimum_ok",
        "`Dim.AUTO` adopts guards and specializes silently": "shape_equal_auto fixed_constant unbind_dynamic",
        "`Dim.DYNAMIC` refuses to be specialized": "fixed_constant_dynamic size_one_dynamic",
        "Sizes 0 and 1 are specialized": "size_one size_one_named size_two_ok",
        "A size converted to a Python number is specialized": "int_of_size len_of_tensor shape_loop",
    },
    "Tutorial: data-dependent values": {
        "A branch on an unbacked SymInt": "item_if item_if_ok",
        "`torch._check` says what is known of it": "item_check_then_if_ok check_then_size_ok check_item_equal",
        "Unbacked sizes": "zeros_item_ok masked_numel_if nonzero_len slice_item",
    },
    "Tutorial: custom operators": {
        "`custom_op` needs a fake kernel": "custom_op_without_fake custom_op_without_fake_ok",
        "So does `Library.define` with `impl`": "library_define_without_fake library_define_without_fake_ok",
        "What it mutates is declared": "custom_op_mutation_ok custom_op_hidden_mutation",
    },
    "Tutorial: after export": {
        "Decompositions": "decompositions_ok decompositions_cond_ok",
        "Saving and loading": "save_load_ok save_load_custom_op_ok",
        "Exporting again, and unflattening": "export_again_ok unflatten_ok",
    },
}  # fmt: skip
_HEAD = """\
# ExportDB and the tutorials, row by row

What [ExportDB](https://docs.pytorch.org/docs/stable/generated/exportdb/index.html) and the `torch.export` tutorials call possible
or impossible, each as a program: what `check` says of it without running it, and what a real export did with torch {version}
(non-strict / strict where they differ). `python docs/generate/tutorials.py` writes this page.

Of {programs} programs, {bad} do not export faithfully. `check` finds {found} of them and is silent on {silent} of the {good} that do.
"""


@cache
def findings(case: str) -> tuple[Finding, ...]:
    """What check says of a case in either mode, from the top down."""
    program = find(case)
    assert program is not None, case
    settings = Settings(VERSION, _MODES, program.assume_dynamic)
    report = check(Project(Path(exportdb_cases.__file__).parent), str(program.path), settings)
    shown = [finding for finding in report.findings if finding.confidence is not Confidence.POSSIBLE]
    return tuple(sorted(shown, key=lambda finding: finding.span.start))


def measured(case: str) -> tuple[str, ...]:
    """The verdicts of export, mode by mode."""
    return tuple([verdicts.of(case, VERSION, mode) for mode in _MODES])


def agrees(case: str) -> bool:
    """Whether check has, in each mode, a finding of the measured verdict, and none where the program exports."""
    for mode, verdict in zip(_MODES, measured(case), strict=True):
        said = {finding.verdict[mode].value for finding in findings(case)} - {"ok"}
        if said if verdict == "ok" else verdict not in {*said, "-"}:
            return False
    return True


def fails(case: str) -> bool:
    """Whether export does not do what the program means, in some mode."""
    return any(verdict not in ("ok", "-") for verdict in measured(case))


def cases() -> list[str]:
    """The programs of all rows."""
    return [name for rows in ROWS.values() for names in rows.values() for name in names.split()]


def page() -> str:
    """The page, in Markdown."""
    every = [*dict.fromkeys(cases())]
    bad = [case for case in every if fails(case)]
    good = [case for case in every if not fails(case)]
    parts = [
        _HEAD.format(
            version=VERSION.rpartition(".")[0],
            programs=len(every),
            bad=len(bad),
            found=sum(map(agrees, bad)),
            good=len(good),
            silent=sum(map(agrees, good)),
        )
    ]
    for heading, rows in ROWS.items():
        parts.append(f"\n## {heading}\n\n| | program | check | export |\n|---|---|---|---|\n")
        for says, names in rows.items():
            for number, case in enumerate(names.split()):
                cells = (says if not number else "", f"[`{case}`](../cases/{case}.md)", _shown(case), _exported(case))
                parts.append(f"| {' | '.join(cells)} |\n")
    return "".join(parts)


def _shown(case: str) -> str:
    found = [f"`{finding.code}` line {finding.span.start.row}" for finding in findings(case)]
    return ", ".join(dict.fromkeys(found)) or "nothing"


def _exported(case: str) -> str:
    words = ["–" if word == "-" else word for word in measured(case)]
    lines = {record.line for record in records(VERSION)[case].values() if record.line is not None}
    where = f" at line {min(lines)}" if lines else ""
    return (words[0] if len({*words}) == 1 else " / ".join(words)) + where


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")

"""Every case of the collection keeps the conventions: ExportDB's names, one lesson, a twin that exports."""

from __future__ import annotations

import ast
import re
from importlib import metadata

import pytest
from exportdb_cases import support_file
from exportdb_cases.collection import FAMILIES, ROOT, Case, CaseError, all_cases, find, fingerprint
from exportdb_rules import verdict_table
from exportdb_rules.finding import Mode, Verdict

TORCH = metadata.version("torch").split("+")[0]
CASES = all_cases()

# As `torch._export.db.case` has them.
TAGS = {
    "torch.cond",
    "torch.dynamic-shape",
    "torch.escape-hatch",
    "torch.map",
    "torch.dynamic-value",
    "torch.operator",
    "torch.mutation",
    "python.assert",
    "python.builtin",
    "python.closure",
    "python.context-manager",
    "python.control-flow",
    "python.data-structure",
    "python.standard-library",
    "python.object-model",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_is_one_short_lesson(case: Case) -> None:
    lines = [line for line in case.source.splitlines() if line.strip()]
    assert 5 <= len(lines) <= 40
    assert case.description.endswith(".")
    assert case.tags <= TAGS
    tree = ast.parse(case.source)
    names = {
        node.target.id for node in tree.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert "support_level" not in names, "a verdict is measured, never written in a case"


def test_links_lead_to_torchs_tracker() -> None:
    linked = {case.name: case.issues for case in CASES if case.issues}
    pattern = r"https://github\.com/pytorch/pytorch/(issues|pull)/\d+"
    assert [issue for issues in linked.values() for issue in issues if not re.fullmatch(pattern, issue)] == []
    assert len(linked) > 40


def test_names_are_unique_and_stand_in_a_known_family() -> None:
    files = list(ROOT.glob("*/*.py"))
    assert {path.parent.name for path in files} <= {*FAMILIES}
    assert len({path.stem for path in files}) == len(files) == len(CASES)


def test_all_thirty_six_of_exportdb_have_a_counterpart_of_the_same_name() -> None:
    newest = verdict_table.records(verdict_table.versions()[-1])
    official = {name.removeprefix("official/") for name in newest if name.startswith("official/")}
    assert len(official) == 36
    assert {name for name in official if (case := find(name)) and case.exportdb_case == name} == official


def test_every_failing_case_has_a_twin_that_exports_on_the_same_version() -> None:
    version = "2.13.0"
    without: list[str] = []
    for case in CASES:
        verdicts = {verdict_table.verdict(case.name, version, mode) for mode in Mode}
        if verdicts <= {Verdict.OK, None}:
            continue
        twin = find(case.twin) if case.twin else None
        if twin is None or {verdict_table.verdict(twin.name, version, mode) for mode in Mode} != {Verdict.OK}:
            without.append(case.name)
    assert without == []


def test_a_case_that_claims_to_be_fine_is() -> None:
    assert [
        case.name
        for case in CASES
        if case.name.endswith("_ok")
        if {verdict_table.verdict(case.name, "2.13.0", mode) for mode in Mode} != {Verdict.OK}
    ] == []


def test_what_is_no_case_is_refused_with_its_name(tmp_path, monkeypatch) -> None:
    from exportdb_cases import collection

    folder = tmp_path / "control_flow"
    folder.mkdir()
    (folder / "half.py").write_text("model = 1\n")
    monkeypatch.setattr(collection, "ROOT", tmp_path)
    all_cases.cache_clear()
    with pytest.raises(CaseError, match=r"half\.py: no module-level `example_args`"):
        all_cases()
    all_cases.cache_clear()


# Cases that came after the other versions were measured: `cases/scripts/measure_versions.py --stale VERSION…` measures
# them and empties this table. On the version that the tests run on every case is measured.
NOT_YET: frozenset[str] = frozenset()
# Cases that came after 2.15.0 could no longer be installed where they are measured (pip's constraints there end at 2.14.1).
NOT_ON_2_15: frozenset[str] = frozenset(
    """
    scientific_library_call scientific_library_call_ok
    empty_for_some_auto empty_for_some_dynamic empty_for_some_ok percent_of_size percent_of_size_named percent_of_size_dynamic
    buffer_is_input buffer_is_input_read dict_key_enum dict_key_enum_ok numpy_output numpy_output_ok numpy_sizes_output derived_minimum
    derived_minimum_ok derived_minimum_needed derived_minimum_needed_ok
    dim_two_ranges dynamic_shapes_empty_entry dynamic_shapes_text rfft_named rfft_named_ok
    index_tuple_by_size index_tuple_by_size_named index_tuple_by_size_dynamic index_tuple_by_size_ok index_assign_by_size
    index_assign_by_size_named index_assign_by_size_dynamic index_at_quotient_named index_at_quotient_ok dynamic_shapes_none
    check_text_message torch_assert_item buffer_set_to_none buffer_resized buffer_resized_read buffer_written_inside buffer_written_ok
    classmethod_forward classmethod_forward_ok shape_as_tensor shape_as_tensor_ok parameter_data_assign view_written_by_size_ok autograd_variable_captured autograd_variable_captured_ok distribution_validation_captured format_repr_captured
    nonzero_len_used_captured numpy_of_tensor_captured requires_grad_intermediate_captured tensor_assert_captured
    legacy_tensor_of_size legacy_tensor_of_size_ok
    backward_missing backward_missing_ok backward_raises backward_raises_ok data_type_as
    compiler_disable_shallow jit_traced_module graph_break_asked graph_break_asked_ok device_of_tensor
    numpy_number_view numpy_number_view_ok plain_tensor_counted buffer_reassigned_inside
    input_transposed_in_place input_transposed_in_place_ok input_unsqueezed_in_place plain_tensor_transposed
    size_one_range size_one_range_dynamic size_one_range_named size_one_range_needed_named size_two_range_ok
    data_assign_input as_subclass_tensor as_subclass_tensor_ok as_subclass_other
    max_three_items max_three_items_ok max_tensor_item max_tensor_item_ok max_default max_default_ok
    view_by_other_auto view_by_other_dynamic view_by_other_ok
    autograd_function_attribute autograd_function_attribute_ok
    index_by_tuple_of_tensor index_by_tuple_of_tensor_ok masked_keys_attention masked_keys_attention_ok
    layer_option layer_option_ok
    registered_branch registered_branch_ok option_branch_ok
    takewhile_tensors takewhile_tensors_ok groupby_items groupby_items_ok heap_of_items heap_of_items_ok
    list_emptied_ok state_popped_ok
    training_branch training_branch_ok as_tensor_of_item as_tensor_of_item_ok new_tensor_of_item typed_tensor_of_item
    tensor_from_tensors_and_item_ok
    grids_kept grids_kept_ok data_type_name_ok
    view_written_by_item view_written_by_item_ok numpy_untranslated numpy_untranslated_ok numpy_untranslated_of_tensor
    recurrent_over_half_dynamic shape_loop_half_dynamic list_repeat_half_dynamic shape_equal_half_dynamic
    tensor_type_if_ok windows_named windows_named_ok windows_overlap_named windows_overlap_named_ok merged_quotient_named merged_quotient_named_ok
    composite_by_decorator_ok
    random_drawn random_drawn_ok numpy_random_drawn numpy_random_drawn_ok generator_drawn numpy_array_seeded
    chunk_of_cat_named chunk_of_cat_named_ok plain_number_branch plain_number_branch_ok anchors_kept anchors_kept_ok istft_length istft_length_ok irfft_named irfft_named_ok
    shape_half_unequal shape_half_unequal_ok numpy_kept_stacked numpy_kept_stacked_ok numpy_kept_index numpy_kept_index_ok
    property_written property_written_ok numpy_kept_factor numpy_kept_factor_ok masked_mean
    masked_mean_ok
    func_grad_linear func_grad_weights func_grad_vmap func_jvp_weights func_jvp_weights_ok func_linearize backward backward_layer
    reserved_name reserved_name_ok reserved_name_tensor data_new data_new_ok
    byte_mask_where byte_mask_where_ok byte_mask_index byte_mask_index_ok
    jit_isinstance jit_isinstance_ok
    split_count split_count_ok split_count_dynamic
    keyword_mod keyword_mod_ok isinstance_guard isinstance_guard_ok isinstance_guard_item isinstance_guard_item_ok
    opt_einsum_contract opt_einsum_contract_ok equal_to_specialized equal_to_specialized_ok equal_to_specialized_dynamic
    masked_elements complex_part_set complex_part_set_ok
    standard_library_call standard_library_call_ok unregistered_module unregistered_module_ok unregistered_parameter
    unregistered_parameter_ok autograd_grad_layer autograd_grad_layer_ok
    plain_float_by_item plain_float_by_item_ok plain_float_by_tensor plain_float_by_tensor_ok scalar_by_tensor
    scalar_by_tensor_ok plain_float_by_size plain_float_by_size_named plain_float_by_size_dynamic plain_float_by_size_ok
    buffer_filled_once buffer_filled_once_ok
    math_sqrt_named math_log_named math_log2_named float_of_size_named shape_modulo_named tensor_iteration_named
    list_repeat_named
    distribution_of_numbers distribution_of_numbers_ok distribution_kept distribution_kept_ok distribution_nested
    distribution_nested_ok mask_is_causal mask_is_causal_ok tgt_mask_is_causal tgt_mask_is_causal_ok
    src_mask_is_causal src_mask_is_causal_ok adaptive_softmax adaptive_softmax_ok lobpcg lobpcg_ok truncated_normal
    truncated_normal_ok assert_close assert_close_ok dlpack dlpack_ok autograd_functional autograd_functional_ok
    text_compared text_compared_ok text_looked_up text_looked_up_ok attribute_by_text attribute_by_text_ok storage_size
    storage_size_ok storage_bytes storage_bytes_ok size_text_compared size_text_looked_up size_text_as_key
    attribute_by_size_text generator_and_size generator_and_size_ok generator_and_bound generator_and_bound_dynamic
    generator_and_bound_named generator_and_bound_ok max_over_tensor max_over_tensor_ok checkpoint_sequential
    checkpoint_sequential_ok generator_given generator_given_ok generator_in_forward tensor_resized tensor_resized_ok
    shape_order_dims_named shape_unequal_dims_named shape_assert_dims_ok sizes_in_key size_cached_call quotient_test_named
    computed_size_named computed_size_named_ok slices_within_ranges_ok buffer_in_forward buffer_in_forward_ok buffer_in_submodule_ok numpy_kept_converted numpy_kept_converted_ok numpy_dtype_of_tensor
    numpy_dtype_of_tensor_ok numpy_clip_of_item numpy_clip_of_item_ok data_asked_ok item_exp item_pow
    math_of_tensor floor_of_tensor constant_vector_if numpy_vector_int
    numpy_random_seeded numpy_random_seeded_ok requires_grad_input topk_of_quotient_named topk_of_quotient_ok
    topk_of_min_named topk_of_min_ok shape_unequal_auto shape_unequal_dynamic shape_unequal_named math_log_auto
    math_log_dynamic math_log2_dynamic pool_over_all pool_over_all_dynamic pool_over_all_named pool_over_all_ok
    cdist_named cdist_auto cdist_ok context_object_entered context_object_entered_ok
    dim_minimum_needed dim_minimum_needed_ok
    exit_stack_callback_ok exit_stack_entered format_repr out_noncontiguous sparse_created sparse_created_ok
    stacked_modules stacked_modules_ok
    nonzero_len_used nonzero_len_used_ok numpy_generator numpy_random_array
    features_looked_up_ok forward_hook_once measured_template_ok table_grown_ok
    item_assert_and item_assert_not item_assert_text tensor_assert_and
    constant_tensor_if constant_tensor_if_ok decorated_branch decorated_branch_ok function_attribute function_attribute_ok max_float_item max_float_item_ok
    out_resized out_resized_ok pack_alone packed_layer sym_ite_static sym_ite_static_ok tensor_in_own_list
    tensor_in_own_list_ok vmap_weights vmap_weights_ok
    format_tensor percent_number percent_printed index_tuple_by_item index_assign_by_item index_by_list_of_items
    index_select_by_item_ok lock_entered evaluated_text evaluated_text_ok autograd_variable autograd_variable_ok
    shape_cache_ok slice_then_further slice_then_further_ok text_as_key text_as_key_ok
    cached_property_read cached_property_read_ok scripted_module scripted_module_ok requires_grad_created
    requires_grad_created_ok cond_alias_no_grad_ok cond_number_closed_over cond_number_closed_over_ok
    dim_minimum dim_minimum_ok max_pool1d_dynamic max_pool1d_dynamic_named
    dim_range_excludes_example dim_sizes_differ dynamic_shapes_axis dynamic_shapes_axis_auto
    dynamic_shapes_count dynamic_shapes_keys dynamic_shapes_negative_axis dynamic_shapes_negative_axis_auto
    dynamic_shapes_nesting dynamic_shapes_not_a_tensor dynamic_shapes_rank export_args_missing
    export_args_not_tuple export_arguments_ok exported_module_eval exported_module_train
    exported_program_called exported_program_eval exported_program_ok same_tensor_twice
    cond_nonlocal_write cond_operand_count cond_predicate_vector dim_min_one dropout_ok kept_number_ok map_alias
    map_mutation scan_alias scan_carry_differs scan_mutation while_loop_nonlocal_write while_loop_operand_count
    while_loop_predicate_vector fixed_constant_dynamic fixed_constant_named fixed_linear_named fixed_linear_named_ok
    stft_named stft_named_ok unbind_named dict_subclass_input dict_subclass_output
    tensor_split_padded tensor_split_ok scan_operator associative_scan_operator associative_scan_ok
    affine_grid_of_size_unbacked as_tensor_of_size_unbacked attention_unbacked batch_norm_unbacked
    bool_of_size_unbacked ceil_unbacked chunk_unbacked derived_dim_unbacked dim_minimum_unbacked
    dim_not_divisible_unbacked einsum_of_three_unbacked equal_sizes_unbacked fixed_buffer_slice_unbacked
    fixed_constant_unbacked fixed_linear_unbacked fixed_reshape_unbacked float_of_size_unbacked
    floor_division_unbacked floor_unbacked format_size_unbacked int_of_size_unbacked isinstance_int_unbacked
    len_of_tensor_unbacked linspace_of_size_unbacked list_repeat_unbacked math_sqrt_unbacked
    max_pool1d_dynamic_unbacked one_hot_of_size_unbacked recurrent_over_time_unbacked roll_unbacked
    round_unbacked shape_assert_equal_unbacked shape_assert_unbacked shape_branch_unbacked shape_equal_unbacked
    shape_loop_unbacked shape_min_unbacked shape_modulo_unbacked shape_raise_unbacked shape_range_unbacked
    shape_while_unbacked size_as_key_unbacked size_one_unbacked split_unbacked stft_unbacked
    tensor_iteration_unbacked triangle_indices_of_size_unbacked unbacked_sizes unbind_unbacked
    window_of_size_unbacked
    affine_grid_of_size_dynamic as_tensor_of_size_dynamic einsum_of_three_dynamic fixed_reshape_dynamic
    float_of_size_dynamic int_of_size_dynamic len_of_tensor_dynamic linspace_of_size_dynamic list_repeat_dynamic
    math_sqrt_dynamic one_hot_of_size_dynamic recurrent_over_time_dynamic shape_assert_equal_auto
    shape_assert_equal_dynamic shape_equal_dynamic shape_loop_dynamic shape_raise_equal_dynamic
    tensor_iteration_dynamic triangle_indices_of_size_dynamic window_of_size_dynamic
    tensor_class tensor_class_ok tensor_class_guard sorted_pairs sorted_pairs_ok max_with_key max_with_key_ok object_in_forward object_in_forward_ok numpy_dtype
    numpy_dtype_ok pow_of_tensor pow_of_tensor_ok deepcopy_container deepcopy_container_ok
    shape_equal_sizes_dynamic shape_equal_sizes_named shape_pair_unequal_named shape_pair_unequal_dynamic shape_pair_unequal_auto
    shape_pair_partly_named shape_pair_partly_dynamic shape_pair_partly_auto shape_sorted_named shape_sorted_dynamic shape_sorted_auto
    list_at_size list_at_size_named list_at_size_dynamic math_pow math_pow_named math_pow_dynamic divmod_of_size
    numpy_of_size_named numpy_of_size_dynamic numpy_arithmetic_of_size numpy_arithmetic_of_size_named
    numpy_arithmetic_of_size_dynamic numpy_of_item numpy_arithmetic_of_item
    plain_int_by_size plain_int_by_size_named plain_int_by_size_dynamic plain_int_by_size_ok
    plain_int_by_half plain_int_by_half_dynamic signed_int_by_item signed_int_by_item_ok
    int_of_bool int_of_bool_ok bool_arithmetic divmod_of_item divmod_of_item_ok bit_length_of_item bit_length_of_item_ok parameter_as_buffer parameter_as_buffer_ok bool_of_item bool_call_if
    max_pool1d_dynamic_dynamic size_one_computed size_one_computed_named size_one_computed_dynamic size_two_computed_ok
    class_input_without_keys class_input_without_keys_ok check_size_named check_size_named_ok
    anchors_by_shape_ok new_tensor_of_size new_tensor_of_size_named new_tensor_of_size_dynamic sliced_to_bound_auto
    sliced_to_bound_dynamic sliced_to_bound_ok sliced_to_size_auto sliced_to_size_dynamic sliced_to_size_ok slice_beyond_named slice_beyond_named_ok fftfreq_of_size fftfreq_of_size_named fftfreq_of_size_dynamic
    fftfreq_of_size_ok backward_branch backward_branch_ok saved_variables
    count_set_back_ok first_batch_kept first_size_kept_ok loss_added loss_begun_anew_ok reset_by_option reset_by_option_ok
    mask_looked_up_ok names_added_once_ok module_to_same_device_ok norm_statistics_reassigned plain_number_sum_ok
    plain_number_remainder plain_tensors_equal dataclass_checked dataclass_checked_ok buffers_by_name_reassigned
    arange_one_to_tensor arange_to_float_tensor randint_between_tensor arange_one_to_item_ok
    exit_stack_generator_ok numel_of_shape numel_of_shape_named numel_of_shape_dynamic prod_of_shape_ok
    operator_of_object operator_of_object_ok dynamic_shapes_kwargs dynamic_shapes_kwargs_ok
    """.split()
)


@pytest.mark.parametrize("version", verdict_table.versions())
def test_every_case_was_measured_on_every_version_as_it_is_now(version: str) -> None:
    content = support_file.read(support_file.path_for(version))
    texts = {case.name: case.fingerprint for case in CASES}
    missing = {*content.missing(texts.items(), [mode.value for mode in Mode])}
    allowed = frozenset[str]() if version == TORCH else NOT_YET | NOT_ON_2_15 if version == "2.15.0" else NOT_YET
    assert missing - allowed == set()
    ours = {name for name in content.records if "/" not in name}
    assert ours <= {*texts}, "records of cases that are gone"


def test_the_fingerprint_is_that_of_the_program_and_not_of_what_is_said_about_it() -> None:
    case = find("tensor_if")
    assert case is not None
    said = case.source.replace(case.description, "Something else.").rstrip() + '\nissues = ("https://example.org",)\n'
    assert fingerprint(said) == case.fingerprint
    assert fingerprint(case.source.replace("sum()", "mean()")) != case.fingerprint
    assert fingerprint("\n" + case.source) != case.fingerprint, "records name lines"


def test_records_of_another_text_are_dropped_when_a_case_is_measured_anew() -> None:
    ok, fails = support_file.Record("ok"), support_file.Record("fails")
    old = support_file.SupportFile("2.0", "3.11", {"a": {"strict": fails, "non-strict": fails}}, {"a": "old"})
    same = support_file.SupportFile("2.0", "3.11", {"a": {"strict": ok}}, {"a": "old"})
    other = support_file.SupportFile("2.0", "3.11", {"a": {"strict": ok}}, {"a": "new"})
    assert old.updated(same).records["a"] == {"strict": ok, "non-strict": fails}
    assert old.updated(other).records["a"] == {"strict": ok}
    assert old.updated(other).missing([("a", "new")], ["strict", "non-strict"]) == ["a"]


def test_support_files_name_their_version_and_only_known_verdicts() -> None:
    for version in verdict_table.versions():
        content = support_file.read(support_file.path_for(version))
        assert content.torch == version
        for case, modes in content.records.items():
            for record in modes.values():
                assert record.verdict in (None, *(verdict.value for verdict in Verdict)), case
                assert (record.verdict is None) == (record.error is not None), case


def test_a_support_file_survives_being_written_and_read(tmp_path) -> None:
    content = support_file.read(support_file.path_for("2.13.0"))
    (tmp_path / "again.json").write_text(content.text(), encoding="utf-8")
    assert support_file.read(tmp_path / "again.json") == content


def test_a_broken_support_file_is_named(tmp_path) -> None:
    path = tmp_path / "2.0.0.json"
    path.write_text('{"torch": "2.0.0", "python": "3.11", "cases": {"a": {"strict": {"verdikt": "ok"}}}}')
    with pytest.raises(ValueError, match=r"2\.0\.0\.json is not a support file"):
        support_file.read(path)

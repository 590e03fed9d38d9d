"""# skipped-call

## What it does
Finds calls that strict export refuses to trace although they do not contribute to the model's output: clocks, locks,
files, pickle, `eval` and `exec`, `object()`, `sorted` of tuples with tensors in them, `max` and `min` with `key=` or
`default=` of tensors or of an iterator, `opt_einsum.contract`, functions of scipy, networkx, pandas and the like, spectrograms of torchaudio (which ask `torch.jit.isinstance`), the obsolete
`Variable`, modules of TorchScript, garbage collection, the process and
the file system, the state and the seed of the random number generator, queries about devices, threads and backends, the
older context managers that set them, a device as a context manager, a class defined in forward, hooks registered while
tracing, activation checkpointing, a function under `@torch.compiler.disable`, `torch._dynamo.graph_break()`, tqdm progress bars, `torch.vmap` of what
reads weights of its own, `torch.func.stack_module_state`, `ExitStack.enter_context`, `torch.sparse_coo_tensor`, `torch.FloatTensor(x.size())`
(strict export takes the sizes for data),
`torch.sym_ite` of plain numbers, operators between a tensor and an object of a class that defines them (`self.scale * x`), reads of an autograd `Function`'s class attributes, an autograd `Function` of what requires grad whose `backward` is missing or raises, a distribution that validates its arguments, a generator of random numbers under
`generator=`, `resize_`, `transpose_`, `unsqueeze_` and their kin on inputs, buffers and plain tensors, the storage of a tensor, an attribute of a function, or the real or imaginary part of a tensor, that is assigned, a tensor under `out=` that
gets another size or is not contiguous, conversions of what `torch.autocast` computed, which check for the dtype that it
would have without, and packed sequences: the packing, and in both modes the layer that they are given to. A call on a
path that may not be traced is reported as likely.

## Why export cannot do it
Strict export traces the bytecode and must understand every call in it. These calls are on its list of skipped
functions, or return an object that cannot be represented in the graph; both are graph breaks, which export does not
allow. Non-strict export runs them as Python does: most pass, but a seed set while tracing is lost.

## Example
```python
def forward(self, x):
    start = time.perf_counter()
    y = x.sin()
    elapsed = time.perf_counter() - start
    return y
```

## Use instead
```python
def forward(self, x):
    if torch.compiler.is_exporting():
        return x.sin()
    start = time.perf_counter()
    y = x.sin()
    elapsed = time.perf_counter() - start
    return y
```

## Fix safety
Under export, a statement that only queries or changes the process is skipped, the function that is checkpointed is called
directly, a loop runs over the iterable without its progress bar, and a lock, or another context manager that changes
nothing of the results, is not entered: safe. `Variable(t)` becomes `t.detach()`, and `saved_variables` becomes
`saved_tensors`, which is what they return: safe. `torch.FloatTensor(x.size())` becomes `torch.FloatTensor(*x.size())`: safe. The default generator instead of `generator=`, and backends without a
temporary setting are unsafe: the exported program draws other numbers, and uses the settings of its caller. There is no fix
for the other calls.

## Verdicts by version
They are measured, per version of torch and mode, on the cases of this rule: `exportdb-lsp rule EDB503` prints them.

## References
- Graph breaks GB0007 (a function to skip), GB0059
- torch docs, `torch.compiler.is_exporting`
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from exportdb_rules.catalog.builtin.standard_library import COMPUTES, PROCESS
from exportdb_rules.facts import Called, DataRead
from exportdb_rules.interpreter.array_libraries import LIBRARY_CALL
from exportdb_rules.interpreter.attributes import METHOD_OF_CLASS, RAISED_BACKWARD, RAISING_BACKWARD
from exportdb_rules.interpreter.wrappers import DISABLING
from exportdb_rules.lattice import Sequence
from exportdb_rules.no_fix import NoFix
from exportdb_rules.rule import Context, Rule, Violation
from exportdb_rules.values import Evidence, Instance
from exportdb_rules.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from exportdb_rules.facts import Fact
    from exportdb_rules.finding import Fix
    from exportdb_rules.rewrite.context import FixContext
    from exportdb_rules.values import Site, Value

# Queries of torch whose result no graph can represent.
_QUESTIONS = (
    *(f"torch.cuda.{name}" for name in ("device_count", "max_memory_allocated", "memory_allocated", "memory_reserved",
                                        "is_bf16_supported")),
    *(f"torch.{name}" for name in ("get_num_threads", "initial_seed", "get_default_device", "is_storage", "result_type",
                                   "get_float32_matmul_precision", "can_cast", "get_deterministic_debug_mode",
                                   "is_inference_mode_enabled", "random.initial_seed")),
    *(f"torch.backends.{name}" for name in ("cudnn.is_available", "cuda.is_built", "cuda.flash_sdp_enabled",
                                            "mps.is_available")),
    *(f"Tensor.{name}" for name in ("storage_offset", "is_shared", "is_pinned", "is_conj", "is_neg", "is_same_size",
                                    "is_set_to", "is_signed", "is_inference")),
)  # fmt: skip

# Qualified name -> the measured case, and what the call does.
_CALLS = {
    **dict.fromkeys(PROCESS, ("garbage_collect", "queries or changes the process")),
    **dict.fromkeys(
        COMPUTES, ("standard_library_call", "is a function of the standard library that Dynamo does not trace")
    ),
    **dict.fromkeys(_QUESTIONS, ("device_count", "returns an object that cannot be represented in the graph")),
    **dict.fromkeys(
        (
            "torch.backends.cuda.sdp_kernel",
            "torch.backends.cudnn.flags",
            "torch.backends.mkldnn.flags",
            "torch.random.fork_rng",
        ),
        ("attention_kernels_chosen", "temporarily changes a global torch setting"),
    ),
    "torch.device.__enter__": ("device_context", "temporarily changes the default device"),
    "object.__enter__": ("context_object_entered", "is a context manager that was made before tracing"),
    "threading.Lock.__enter__": ("lock_entered", "enters a lock"),
    "torch.autograd.function.FunctionCtx.saved_variables": (
        "saved_variables",
        "is the old name of `saved_tensors`, which Dynamo does not know",
    ),
    "torch.autograd.Variable": ("autograd_variable", "wraps a tensor in the obsolete `Variable`"),
    "torch.jit.isinstance": ("jit_isinstance", "is code of torch that Dynamo does not trace"),
    "torchaudio spectrum": ("jit_isinstance", "asks `torch.jit.isinstance`, which Dynamo does not trace"),
    "torch.jit.script()": ("scripted_module", "calls a TorchScript module"),
    "torch.jit.trace()": ("jit_traced_module", "calls what `torch.jit` made of a module"),
    "functools.cached_property": ("cached_property_read", "takes the lock of a `cached_property`"),
    **dict.fromkeys(("eval", "exec"), ("evaluated_text", "runs Python code from a string")),
    **dict.fromkeys(("pathlib.Path.mkdir", "torch.save", "torch.load"), ("file_read", "reads or writes a file")),
    "torch.vmap()": ("vmap_weights", "maps a function over weights that it reads itself"),
    "torch.sym_ite()": ("sym_ite_static", "computes a Python number from Python numbers"),
    "torch.autograd.Function.__getattribute__": (
        "autograd_function_attribute",
        "reads an attribute of an autograd `Function`",
    ),
    METHOD_OF_CLASS: (
        "classmethod_forward",
        "applies an autograd `Function` whose `forward` or `backward` is a class method, which strict export calls without the "
        "class (make it a static method)",
    ),
    RAISED_BACKWARD: ("backward_raises", "raises in a `backward` that strict export traces"),
    RAISING_BACKWARD: (
        "backward_missing",
        "applies an autograd `Function` that has no `backward`, which strict export traces",
    ),
    "function.__setattr__": ("function_attribute", "writes an attribute of a function"),
    "Tensor.real=": ("complex_part_set", "assigns a part of a complex tensor (`copy_` writes it)"),
    "out=": ("out_resized", "changes the size of the tensor under `out=`"),
    "out=permuted": ("out_noncontiguous", "writes into a tensor under `out=` that is not contiguous"),
    LIBRARY_CALL: ("scientific_library_call", "is computed by code of its library that Dynamo does not trace"),
    "opt_einsum.contract": ("opt_einsum_contract", "searches for an order in code that Dynamo does not trace"),
    "contextlib.ExitStack.enter_context": ("exit_stack_entered", "enters a context through an `ExitStack`"),
    "torch.sparse_coo_tensor": ("sparse_created", "makes a sparse tensor"),
    **dict.fromkeys(
        (f"torch.sparse.{kind}Tensor" for kind in ("Float", "Double", "Half", "Int", "Long", "Bool")),
        ("sparse_created", "makes a sparse tensor"),
    ),
    "torch.Tensor of a size": ("legacy_tensor_of_size", "makes a tensor as large as a `torch.Size` says"),
    "torch.distributions.Distribution()": (
        "distribution_of_numbers",
        "validates the arguments of a distribution (see `validate_args=False`)",
    ),
    "torch.func.stack_module_state": ("stacked_modules", "stacks weights into new parameters"),
    "autocast.to": ("autocast", "converts a result of autocast, which the graph asserts to have the dtype outside it"),
    "PackedSequence()": ("pack_alone", "packs a sequence"),
    "class": ("class_in_forward", "is a class defined while tracing"),
    "time.time": ("time_elapsed", "reads the clock"),
    "time.perf_counter": ("time_elapsed", "reads the clock"),
    "time.monotonic": ("time_elapsed", "reads the clock"),
    "time.process_time": ("time_elapsed", "reads the clock"),
    "threading.Lock": ("lock", "creates a lock"),
    "threading.RLock": ("lock", "creates a lock"),
    "object": ("object_in_forward", "makes an object of no class that Dynamo knows"),
    "sorted()": ("sorted_pairs", "sorts tuples with tensors in them, and Dynamo sorts by constants alone"),
    **dict.fromkeys(
        ("max()", "min()"),
        ("max_with_key", "has a keyword, and Dynamo computes that of constants alone"),
    ),
    "open": ("file_read", "opens a file"),
    "pickle.dumps": ("pickle_cache", "pickles an object"),
    "pickle.loads": ("pickle_cache", "pickles an object"),
    "torch.get_rng_state": ("rng_state", "reads the state of the random number generator"),
    "torch.set_rng_state": ("rng_state", "sets the state of the random number generator"),
    "torch.manual_seed": ("manual_seed", "seeds the random number generator, which the exported program does not"),
    "torch.nn.Module.register_forward_hook": ("forward_hook", "registers a hook while tracing"),
    "torch.utils.checkpoint.checkpoint": ("checkpoint", "recomputes activations for training"),
    "torch.utils.checkpoint.checkpoint_sequential": (
        "checkpoint_sequential",
        "recomputes activations for training, segment by segment",
    ),
    "torch.Generator": ("generator_in_forward", "makes a generator while tracing, which draws on from call to call"),
    "generator=": ("generator_given", "draws from a generator of its own"),
    "Tensor.resize_": ("tensor_resized", "changes the size of a tensor in place"),
    "Tensor.storage": ("storage_size", "reads the storage of a tensor"),
    **dict.fromkeys(
        ("torch.UntypedStorage.nbytes", "torch.UntypedStorage.__len__"),
        ("storage_bytes", "asks the storage of a tensor for its length"),
    ),
    "operator of an object": (
        "operator_of_object",
        "applies an operator that the class of an object defines to a tensor",
    ),
    "pow": ("pow_of_tensor", "is the builtin, not the operator `**`"),
    "in-place view of an input": (
        "input_transposed_in_place",
        "changes the sizes or strides of an input or a buffer in place",
    ),
    "in-place view of an unsqueezed input": ("input_unsqueezed_in_place", "adds a dimension to an input in place"),
    "in-place view of an attribute": (
        "plain_tensor_transposed",
        "changes the sizes or strides of a plain tensor in place",
    ),
    "torch.compiler.disable()": ("compiler_disable", "is disabled by `torch.compiler.disable`"),
    "torch.compiler.disable() of an entry": ("compiler_disable", "keeps Dynamo out of the function that is exported"),
    **dict.fromkeys(DISABLING, ("compiler_disable", "disables a function while tracing")),
    **dict.fromkeys(
        ("torch.compiler.disable(recursive=False)", "torch.compiler.disable(recursive=False) of an entry"),
        (
            "compiler_disable_shallow",
            "is disabled by `torch.compiler.disable(recursive=False)`, which export does not support",
        ),
    ),
    "torch._dynamo.graph_break": ("graph_break_asked", "breaks the graph"),
    "torch.cuda.device_of": ("device_of_tensor", "changes the current device"),
    **dict.fromkeys(
        (f"tqdm.{module}{name}" for module in ("", "auto.", "std.") for name in ("tqdm", "trange")),
        ("progress_bar", "creates a progress bar"),
    ),
}

_FIXABLE = frozenset(
    "attention_kernels_chosen autograd_variable checkpoint distribution_of_numbers garbage_collect generator_given "
    "lock_entered pow_of_tensor progress_bar saved_variables legacy_tensor_of_size".split()
)


_IN_BOTH_MODES = (
    "scripted_module", "compiler_disable_shallow", "input_unsqueezed_in_place", "plain_tensor_transposed"
)  # fmt: skip


# What autocast does depends on the device, which another input may have; of scientific libraries some functions are traced.
_LIKELY: Final = ("autocast", "scientific_library_call")
_CONSEQUENCES: Final = {
    "autocast": "the strictly exported program raises",
    "legacy_tensor_of_size": "strict export takes the sizes for the numbers in it",
}


class SkippedCall(Rule):
    """A call that strict export does not trace."""

    code = "EDB503"
    name = "skipped-call"
    family = "builtin"
    summary = "A call that strict export does not trace"
    no_fix = NoFix.NOT_TRACED
    no_fix_of = dict.fromkeys(("pack_padded", "pack_alone", "packed_layer"), NoFix.PACKED_SEQUENCE)
    facts = (Called, DataRead)
    cases = (
        "time_elapsed",
        "lock",
        "file_read",
        "pickle_cache",
        "rng_state",
        "manual_seed",
        "forward_hook",
        "checkpoint",
        "compiler_disable",
        "compiler_disable_shallow",
        "graph_break_asked",
        "device_of_tensor",
        "progress_bar",
        "pack_padded",
        "garbage_collect",
        "standard_library_call",
        "device_count",
        "attention_kernels_chosen",
        "device_context",
        "class_in_forward",
        "lock_entered",
        "autograd_variable",
        "saved_variables",
        "scripted_module",
        "jit_traced_module",
        "jit_isinstance",
        "opt_einsum_contract",
        "scientific_library_call",
        "cached_property_read",
        "evaluated_text",
        "vmap_weights",
        "sym_ite_static",
        "function_attribute",
        "autograd_function_attribute",
        "backward_raises",
        "backward_missing",
        "complex_part_set",
        "out_resized",
        "out_noncontiguous",
        "exit_stack_entered",
        "autocast",
        "sparse_created",
        "legacy_tensor_of_size",
        "stacked_modules",
        "pack_alone",
        "packed_layer",
        "checkpoint_sequential",
        "generator_in_forward",
        "generator_given",
        "tensor_resized",
        "input_transposed_in_place",
        "input_unsqueezed_in_place",
        "plain_tensor_transposed",
        "storage_size",
        "storage_bytes",
        "context_object_entered",
        "distribution_of_numbers",
        "operator_of_object",
        "pow_of_tensor",
        "sorted_pairs",
        "max_with_key",
        "object_in_forward",
        "autograd_variable_captured",
        "classmethod_forward",
    )
    calls = _CALLS

    def check(self, fact: Fact, context: Context) -> Iterable[Violation]:
        if isinstance(fact, DataRead):
            if fact.operation == "pack_padded_sequence":
                text = f"{quote(fact.site)} reads the sequence lengths while tracing: mask the padding instead"
                yield Violation(fact.site, "pack_padded", text, evidence=max(Evidence.DERIVED, fact.value.evidence))
            elif fact.operation == "batch_sizes":
                text = f"{quote(fact.site)} reads the batch sizes of a packed sequence: mask the padding instead"
                yield Violation(fact.site, "packed_layer", text, evidence=max(Evidence.DERIVED, fact.value.evidence))
            return
        assert isinstance(fact, Called)
        case, what = _CALLS[fact.name]
        if case == "manual_seed" and fact.optional:
            return
        if fact.name == "logging.getLogger" and not fact.arguments:
            return  # the root logger is traced
        if case == "exit_stack_entered" and any(map(_is_traced_context, fact.arguments)):
            return
        refused = f"{'export' if case in _IN_BOTH_MODES else 'strict export'} rejects the call"
        consequence = _CONSEQUENCES.get(case, refused)
        likely = fact.optional or context.optional or case in _LIKELY
        evidence = Evidence.DERIVED if likely else Evidence.OBSERVED
        if fact.optional and (case == "scripted_module" or (case == "checkpoint" and _is_attribute(fact.site))):
            # `self.run = checkpoint if … else …`: an option that saves memory in training, which export has no need of; or one
            # that scripts a module.
            evidence = Evidence.ASSUMED
        yield Violation(
            fact.site,
            case,
            f"{quote(fact.site)} {what}: {consequence}",
            evidence=evidence,
            fixable=case in _FIXABLE,
        )

    def fixes(self, context: FixContext) -> tuple[Fix, ...]:
        from exportdb_rules.rewrite.equivalents.distribution import distribution_unchecked
        from exportdb_rules.rewrite.interface import under_export
        from exportdb_rules.rewrite.interface.left_out import effect_in_eager
        from exportdb_rules.rewrite.numbers.conversion import pow_to_operator, size_unpacked
        from exportdb_rules.rewrite.numbers.detach import saved_variables_to_tensors, variable_to_detach

        match context.finding.case:
            case "distribution_of_numbers":
                return distribution_unchecked(context)
            case "pow_of_tensor":
                return pow_to_operator(context)
            case "checkpoint":
                return under_export.checkpoint_in_eager(context)
            case "progress_bar":
                return under_export.bar_in_eager(context)
            case "generator_given":
                return under_export.generator_in_eager(context)
            case "lock_entered":
                return under_export.manager_in_eager(context)
            case "attention_kernels_chosen":
                return under_export.setting_in_eager(context)
            case "autograd_variable":
                return variable_to_detach(context)
            case "legacy_tensor_of_size":
                return size_unpacked(context)
            case "saved_variables":
                return saved_variables_to_tensors(context)
            case _:
                return effect_in_eager(context) or under_export.manager_in_eager(context)


def _is_traced_context(value: Value) -> bool:
    """Whether a context manager is one that Dynamo traces through an `ExitStack`: of a class of the project, or of a function
    under `@contextmanager`. Those of torch and of the standard library, but for `suppress`, it only knows in `with`."""
    if type(value) is Instance:
        return value.cls is not None or value.external == "contextlib.suppress"
    return type(value) is Sequence and value.type == "generator"


def _is_attribute(site: Site) -> bool:
    """Whether a call is one of what the constructor chose: `self.run(x)`."""
    func = site.node.func if isinstance(site.node, ast.Call) else None
    return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "self"

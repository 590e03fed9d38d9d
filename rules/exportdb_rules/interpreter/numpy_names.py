"""Which functions of NumPy strict export knows: those that `torch._numpy` has under the same name."""

from __future__ import annotations

from typing import Final

# What torch translates of NumPy (torch/_dynamo/utils.py, NP_TO_TNP_MODULE); of other modules it knows nothing.
_TRANSLATED_MODULES: Final = frozenset({"", "fft", "linalg", "random"})
# What it leaves out of them (torch 2.13 and NumPy 2.4; `random` draws, which is told elsewhere).
_LEFT_OUT: Final = frozenset(
    (
    "apply_along_axis apply_over_axes argpartition array2string array_repr array_str asanyarray asarray_chkfinite "
    "asfortranarray asmatrix astype base_repr binary_repr bitwise_count block bmat broadcast busday_count busday_offset "
    "busdaycalendar bytes_ character clongdouble complex256 compress cumulative_prod cumulative_sum datetime64 "
    "datetime_as_string datetime_data delete digitize ediff1d einsum_path errstate extract flatiter flexible float128 "
    "format_float_positional format_float_scientific frexp frombuffer fromfile fromfunction fromiter frompyfunc fromregex "
    "fromstring genfromtxt get_include get_printoptions getbufsize geterr geterrcall histogram_bin_edges info insert interp "
    "intersect1d is_busday isdtype isfortran isin isnat iterable ix_ lexsort load loadtxt longdouble mask_indices matrix "
    "matrix_transpose matvec may_share_memory memmap mintypecode nanargmax nanargmin nancumprod nancumsum nanmax nanmean "
    "nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar ndenumerate ndindex nditer nested_iters "
    "object_ packbits partition piecewise place poly poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval "
    "printoptions promote_types putmask ravel_multi_index recarray record require roots save savetxt savez savez_compressed "
    "select set_printoptions setbufsize setdiff1d seterr seterrcall setxor1d shares_memory show_config show_runtime "
    "sort_complex spacing str_ test timedelta64 trapezoid trim_zeros typename ufunc union1d unique_all unique_counts "
    "unique_inverse unique_values unpackbits unravel_index unstack unwrap vecdot vecmat vectorize void linalg.cross "
    "linalg.diagonal linalg.matmul linalg.matrix_norm linalg.matrix_transpose linalg.outer linalg.svdvals linalg.tensordot "
    "linalg.test linalg.trace linalg.vecdot linalg.vector_norm fft.test "
    ).split()
)  # fmt: skip
# Objects that are subscripted; strict export does not trace how (measured with torch 2.13).
SUBSCRIPTED: Final = frozenset({"numpy.r_", "numpy.c_", "numpy.s_", "numpy.index_exp", "numpy.mgrid", "numpy.ogrid"})


def is_translated(name: str) -> bool:
    """Whether strict export knows what is called, by its qualified name."""
    module, _, short = name.removeprefix("numpy.").rpartition(".")
    return module in _TRANSLATED_MODULES and (f"{module}.{short}" if module else short) not in _LEFT_OUT

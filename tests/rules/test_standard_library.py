"""What strict export does with functions of the standard library, beside what check says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from exportdb_rules.finding import Mode

from .strict_calls import found, refused

if TYPE_CHECKING:
    from pathlib import Path

IMPORTS = """\
import array, ast, asyncio, base64, binascii, bisect, calendar, cmath, collections, copy, dataclasses, datetime, decimal, functools, glob, heapq, io
import hashlib, inspect, itertools, json, locale, logging, math, operator, os, pathlib, pprint, queue, random, re, statistics, string, struct
import subprocess, sys, threading, time
import traceback, types, unicodedata, urllib.parse, warnings, zlib
"""
REFUSED = (
    "array.array('i', [1])", "ast.literal_eval('1')", "ast.parse('1')", "bisect.bisect([1, 2], 1)",
    "bisect.bisect_left([1, 2], 1)", "bisect.insort([1, 2], 1)", "bytearray(3)", "bytes(3)", "calendar.monthrange(2020, 1)",
    "compile('1', 'a', 'eval')", "copy.copy([1])", "copy.copy({'a': 1})", "dataclasses.make_dataclass('P', ['a'])",
    "datetime.date(2020, 1, 1)", "datetime.datetime(2020, 1, 1)", "datetime.timedelta(seconds=1)", "decimal.Decimal('1.0')",
    "dir(self)", "functools.cmp_to_key(lambda a, b: a - b)", "globals()", "heapq.heapify([1, 2])", "heapq.heappop([1])",
    "heapq.heappush([1], 2)", "heapq.nlargest(1, [1, 2])", "heapq.nsmallest(1, [1, 2])", "io.BytesIO()", "io.StringIO()",
    "memoryview(b'abc')", "pprint.pformat({})", "statistics.mean([1, 2])", "statistics.stdev([1, 2, 3])",
    "types.SimpleNamespace(a=1)", "unicodedata.normalize('NFC', 'a')", "urllib.parse.quote('a')",
    "os.path.getsize('/')", "os.path.getmtime('/')", "os.path.realpath('/')", "os.path.relpath('/')", "os.access('/', 0)",
    "os.stat('/')", "os.uname()", "glob.glob('/nothing')", "pathlib.Path('/').exists()", "pathlib.Path('/').is_dir()",
    "pathlib.Path('/').is_file()", "pathlib.Path('/').stat()", "pathlib.Path('/').resolve()", "pathlib.Path.cwd()",
    "logging.getLogger('a')", "sys.stdout.flush()", "sys.stderr.flush()", "sys._getframe()",
    "sys.getdefaultencoding()", "traceback.extract_stack()", "threading.Event()", "threading.local()",
    "threading.active_count()", "queue.Queue()", "base64.b64decode(b'')", "zlib.adler32(b'')", "locale.getlocale()",
    "__import__('math')", "json.dumps({})", "torch.is_inference_mode_enabled()", "torch.random.initial_seed()",
    "torch.utils.data.get_worker_info()", "x.is_inference()",
    "binascii.crc32(b'a')", "cmath.exp(1j)", "cmath.log(1j)", "cmath.phase(1j)", "cmath.sqrt(4)", "struct.calcsize('i')",
    "unicodedata.name('a')", "zlib.compress(b'a')",
    "traceback.format_stack()", "os.putenv('A', 'b')", "warnings.simplefilter('ignore')",
    "time.process_time_ns()", "time.thread_time_ns()", "time.clock_gettime(1)", "time.tzset()", "hashlib.sha224()",
    "hashlib.sha384()", "hashlib.sha512()", "hashlib.blake2b()", "hashlib.sha3_256()", "random.betavariate(2, 1)",
    "random.choices([3, 1, 2])", "random.expovariate(1)", "random.gammavariate(2, 1)", "random.gauss()",
    "random.getrandbits(1)", "random.lognormvariate(2, 1)", "random.normalvariate()", "random.paretovariate(1)",
    "os.system('true')", "os.popen('true').close()", "subprocess.call(['true'])", "subprocess.check_output(['true'])",
    "subprocess.Popen(['true']).wait()", "asyncio.run(asyncio.sleep(0))", "inspect.getmodule(1)",
    "pprint.pprint('a')", "decimal.getcontext()", "decimal.localcontext()", "base64.b16encode(b'ab')",
    "base64.b32encode(b'ab')", "base64.b85encode(b'ab')", "base64.a85encode(b'ab')",
    "base64.standard_b64encode(b'ab')", "base64.urlsafe_b64encode(b'ab')", "binascii.hexlify(b'ab')",
    "binascii.unhexlify('ab')", "binascii.b2a_base64(b'ab')", "bisect.insort_left([3, 1, 2], 1)",
    "bisect.insort_right([3, 1, 2], 1)", "calendar.weekday(2020, 1, 1)", "calendar.monthcalendar(2, 1)",
    "cmath.acos(1)", "cmath.atanh(4.0)",
    "cmath.isnan(1)",
    "cmath.log10(1)", "cmath.rect(2, 1)",
    "cmath.tanh(1)", "datetime.time()", "decimal.Context()", "functools.cache(max)",
    "heapq.heappushpop([3, 1, 2], 1)", "heapq.heapreplace([3, 1, 2], 1)", "inspect.cleandoc('ab')",
    "inspect.getdoc(1)", "json.JSONDecoder()",
   
    "re.finditer('a', 'ab')", "statistics.correlation([1, 2], [3, 4])",
    "statistics.covariance([1, 2], [3, 4])", "statistics.geometric_mean([3, 1, 2])",
    "statistics.harmonic_mean([3, 1, 2])", "statistics.linear_regression([1, 2], [3, 4])",
    "statistics.median_grouped([3, 1, 2])", "statistics.mode([3, 1, 2])", "statistics.pstdev([3, 1, 2])",
    "statistics.pvariance([3, 1, 2])", "statistics.variance([3, 1, 2])",
    "types.ModuleType('ab')", "types.new_class('ab')", "zlib.compressobj()",
    "zlib.decompressobj()",
)  # fmt: skip
TRACED = (
    "collections.Counter('abca')", "collections.ChainMap({}, {})", "collections.deque([1, 2], maxlen=3)",
    "copy.deepcopy([1, 2])", "datetime.datetime", "functools.partial(max, 1)(2)", "functools.reduce(max, [1, 2])",
    "itertools.groupby([1, 1])", "list(itertools.accumulate([1, 2]))", "logging.getLogger()", "logging.info('x')",
    "math.comb(4, 2)", "math.factorial(4)", "math.gcd(4, 2)", "operator.itemgetter(0)([1])", "os.environ.get('A', '')",
    "os.path.basename('a/b')", "os.path.join('a', 'b')", "pathlib.Path('/') / 'a'", "pathlib.Path('a.txt').suffix",
    "re.compile('a').match('abc')", "re.sub('a', 'b', 'abc')", "sorted([2, 1])", "statistics.median([1, 2, 3])",
    "string.ascii_letters", "sys.getrecursionlimit()", "sys.version_info", "traceback.format_exc()", "type(self).__name__",
    "types.MappingProxyType({'a': 1})['a']", "vars(self)", "divmod(7, 2)", "frozenset([1])", "slice(1)", "locals()",
    "warnings.catch_warnings()",
)  # fmt: skip


@pytest.mark.filterwarnings("ignore:Dynamo does not know how to trace")
@pytest.mark.parametrize("call", REFUSED)
def test_check_finds_what_strict_export_refuses(call: str, tmp_path: Path) -> None:
    assert refused(IMPORTS, call, tmp_path)
    assert found(IMPORTS, call) == [tuple(mode is Mode.STRICT for mode in Mode)]


@pytest.mark.parametrize("call", TRACED)
def test_check_leaves_alone_what_strict_export_traces(call: str, tmp_path: Path) -> None:
    assert not refused(IMPORTS, call, tmp_path)
    assert found(IMPORTS, call) == []

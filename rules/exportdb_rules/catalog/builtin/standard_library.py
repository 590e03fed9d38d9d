"""Functions of the standard library that Dynamo does not trace, by qualified name (measured: tests/rules/test_standard_library.py)."""

from __future__ import annotations

from typing import Final

# What asks or changes the process, the system or the interpreter.
PROCESS: Final = (
    "gc.collect", "gc.disable", "gc.enable", "time.sleep", "time.time_ns", "time.perf_counter_ns", "time.monotonic_ns",
    "time.strftime", "time.localtime", "time.gmtime", "time.ctime", "time.asctime", "time.thread_time", "os.getcwd",
    "os.path.exists", "os.path.isfile", "os.path.isdir", "os.path.abspath", "os.path.realpath", "os.path.relpath",
    "os.path.getsize", "os.path.getmtime", "os.listdir", "os.walk", "os.access", "os.stat", "os.uname", "os.getpid",
    "os.cpu_count", "os.makedirs", "glob.glob", "pathlib.Path.exists", "pathlib.Path.is_dir", "pathlib.Path.is_file",
    "pathlib.Path.stat", "pathlib.Path.resolve", "pathlib.Path.iterdir", "pathlib.Path.glob", "pathlib.Path.read_text",
    "pathlib.Path.open", "pathlib.Path.cwd", "hashlib.md5", "hashlib.sha1", "hashlib.sha256", "uuid.uuid1",
    "uuid.uuid4", "secrets.token_hex", "threading.current_thread", "threading.get_ident", "threading.active_count",
    "threading.local", "threading.Event", "threading.Thread", "multiprocessing.cpu_count",
    "concurrent.futures.ThreadPoolExecutor", "queue.Queue", "logging.getLogger", "sys.getsizeof", "sys.getrefcount",
    "sys._getframe", "sys.getdefaultencoding", "sys.stdout.write", "sys.stdout.flush", "sys.stderr.write",
    "sys.stderr.flush", "inspect.currentframe", "inspect.stack", "inspect.getsource", "traceback.extract_stack",
    "traceback.format_stack", "os.putenv", "traceback.print_stack", "shutil.which", "subprocess.run",
    "socket.gethostname", "getpass.getuser", "signal.getsignal", "zlib.crc32", "zlib.adler32", "base64.b64encode",
    "base64.b64decode", "importlib.import_module", "__import__", "atexit.register", "locale.getlocale",
    "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.fromtimestamp", "datetime.date.today",
    "json.dumps", "json.loads", "random.choice", "random.shuffle", "random.sample", "random.seed", "random.getstate",
    "torch.set_num_threads", "torch.cuda.manual_seed", "torch.typename", "torch.hub.get_dir",
    "torch.set_flush_denormal", "torch.autograd.set_detect_anomaly", "torch.autograd.detect_anomaly",
    "torch.autograd.graph.save_on_cpu", "torch.autograd.graph.saved_tensors_hooks", "torch.utils.data.get_worker_info",
    "warnings.simplefilter", "warnings.filterwarnings", "contextlib.redirect_stdout",
    "contextlib.redirect_stderr", "tempfile.TemporaryDirectory", "tempfile.NamedTemporaryFile", "time.process_time_ns",
    "time.thread_time_ns", "time.clock_gettime", "time.tzset", "hashlib.sha224", "hashlib.sha384", "hashlib.sha512",
    "hashlib.blake2b", "hashlib.sha3_256", "random.betavariate", "random.choices", "random.expovariate",
    "random.gammavariate", "random.gauss", "random.getrandbits", "random.lognormvariate", "random.normalvariate",
    "random.paretovariate", "os.system", "os.popen", "subprocess.call", "subprocess.check_output", "subprocess.Popen",
    "asyncio.run", "inspect.getmodule", "pprint.pprint", "decimal.getcontext", "decimal.localcontext",
)  # fmt: skip
# What computes something from its arguments alone, but in code that Dynamo skips.
COMPUTES: Final = (
    "array.array", "ast.literal_eval", "ast.parse", "base64.a85encode", "base64.b16encode", "base64.b32encode",
    "base64.b85encode", "base64.standard_b64encode", "base64.urlsafe_b64encode", "binascii.b2a_base64",
    "binascii.crc32", "binascii.hexlify", "binascii.unhexlify", "bisect.bisect", "bisect.bisect_left",
    "bisect.bisect_right", "bisect.insort", "bisect.insort_left", "bisect.insort_right", "bytearray", "bytes",
    "calendar.monthcalendar", "calendar.monthrange", "calendar.weekday", "cmath.acos", "cmath.acosh", "cmath.asin",
    "cmath.asinh", "cmath.atan", "cmath.atanh", "cmath.cos", "cmath.cosh", "cmath.exp", "cmath.isclose",
    "cmath.isfinite", "cmath.isinf", "cmath.isnan", "cmath.log", "cmath.log10", "cmath.phase", "cmath.polar",
    "cmath.rect", "cmath.sin", "cmath.sinh", "cmath.sqrt", "cmath.tan", "cmath.tanh", "compile", "copy.copy",
    "dataclasses.make_dataclass", "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta",
    "decimal.Context", "decimal.Decimal", "dir", "functools.cache", "functools.cmp_to_key", "functools.singledispatch",
    "globals", "heapq.heapify", "heapq.heappop", "heapq.heappush", "heapq.heappushpop", "heapq.heapreplace",
    "heapq.nlargest", "heapq.nsmallest", "inspect.cleandoc", "inspect.getdoc", "io.BytesIO", "io.StringIO",
    "json.JSONDecoder", "memoryview", "pprint.pformat", "re.finditer", "statistics.correlation",
    "statistics.covariance", "statistics.geometric_mean", "statistics.harmonic_mean", "statistics.linear_regression",
    "statistics.mean", "statistics.median_grouped", "statistics.mode", "statistics.pstdev", "statistics.pvariance",
    "statistics.stdev", "statistics.variance", "struct.calcsize", "types.ModuleType",
    "types.SimpleNamespace", "types.new_class", "unicodedata.name", "unicodedata.normalize", "urllib.parse.quote",
    "zlib.compress", "zlib.compressobj", "zlib.decompress", "zlib.decompressobj",
)  # fmt: skip

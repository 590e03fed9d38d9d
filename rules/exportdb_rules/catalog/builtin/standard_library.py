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
    "warnings.catch_warnings", "warnings.simplefilter", "warnings.filterwarnings", "contextlib.redirect_stdout",
    "contextlib.redirect_stderr", "tempfile.TemporaryDirectory", "tempfile.NamedTemporaryFile",
)  # fmt: skip
# What computes something from its arguments alone, but in code that Dynamo skips.
COMPUTES: Final = (
    "array.array", "ast.literal_eval", "ast.parse", "bisect.bisect", "bisect.bisect_left", "bisect.bisect_right",
    "binascii.crc32", "bisect.insort", "bytearray", "bytes", "calendar.monthrange", "cmath.exp", "cmath.log",
    "cmath.phase", "cmath.sqrt", "compile", "copy.copy", "dataclasses.make_dataclass", "datetime.date",
    "datetime.datetime", "datetime.timedelta", "decimal.Decimal", "dir", "functools.cmp_to_key",
    "functools.singledispatch", "globals", "heapq.heapify", "heapq.heappop", "heapq.heappush", "heapq.nlargest",
    "heapq.nsmallest", "io.BytesIO", "io.StringIO", "memoryview", "pprint.pformat", "statistics.mean",
    "statistics.stdev", "struct.calcsize", "types.SimpleNamespace", "unicodedata.name", "unicodedata.normalize",
    "urllib.parse.quote", "zlib.compress", "zlib.decompress",
)  # fmt: skip

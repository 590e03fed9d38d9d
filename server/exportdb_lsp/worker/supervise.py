"""The warm parent: imports torch once, then gives every export a child of its own and watches over it.

The parent runs no code of the user and no torch operator. An operator would start torch's thread pool, and a process
with threads cannot be forked safely.
"""

from __future__ import annotations

import collections
import contextlib
import gc
import importlib
import linecache
import os
import queue
import secrets
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

from . import child as child_process
from . import processes
from .load import file_of
from .preforked import PreforkedChild
from .wire import SECRET_BYTES, Channel, Message, Recoverer, Reporter, pack

OUTPUT_BOUND = 64 * 1024
FAULTS_BOUND = 256 * 1024
TICK = 0.05
# Nobody has exported anything for so many seconds: the memory of the child that waits is of more use elsewhere.
IDLE = 600.0

# What an export imports lazily. Every child would import it again; imported here, it is paid for once.
PRELOADED = (
    "torch.fx.experimental.symbolic_shapes",
    "torch._dynamo",
    "torch._dynamo.convert_frame",
    "torch._export.non_strict_utils",
    "torch.export._trace",
    "torch._higher_order_ops",
    "torch._functorch.aot_autograd",
    "torch._inductor.config",
    "torch._decomp",
    "torch.fx.experimental.validator",
    "torch._subclasses.schema_check_mode",
    "torch._inductor.compiler_bisector",
    "torch._inductor.fx_passes.dedupe_symint_uses",
    "torch._export.passes._node_metadata_hook",
    "torch._export.passes.replace_with_hop_pass_util",
    "torch._export.passes.replace_autocast_with_hop_pass",
    "torch._export.passes.replace_set_grad_with_hop_pass",
    "torch._dynamo.backends.debugging",
    "torch._dynamo.repro.after_dynamo",
    "torch._dynamo.dce_extra_outputs",
    "torch._higher_order_ops.passes.inline_invoke_subgraph",
    "torch.nn.attention.flex_attention",
    "torch._inductor.sizevars",
    "torch._export.passes.insert_custom_op_guards",
    "torch.export._draft_export",
    "torch._functorch._aot_autograd.subclass_parametrization",
    "torch.distributed.tensor.experimental",
    "sympy.tensor.tensor",
    "multiprocessing.synchronize",
)
# And what we run in the child.
OURS = (".job", ".evidence", ".verify", ".calls", ".warmup", "resource", "ctypes")


# Files of torch that every export has on its stack: it notes their lines for each node of the graph.
TRACED_THROUGH = (
    "torch._compile",
    "torch._dynamo.eval_frame",
    "torch._export.non_strict_utils",
    "torch._functorch._aot_autograd.graph_capture_wrappers",
    "torch._functorch._aot_autograd.utils",
    "torch._functorch.aot_autograd",
    "torch._ops",
    "torch._subclasses.fake_tensor",
    "torch._utils_internal",
    "torch.export",
    "torch.export._trace",
    "torch.export.exported_program",
    "torch.fx._symbolic_trace",
    "torch.fx.experimental.proxy_tensor",
    "torch.fx.proxy",
    "torch.nn.modules.module",
    "torch.utils._stats",
)


def _remember_sources() -> None:
    """What an export reads of torch's own source is read here, once for all children."""
    for name in TRACED_THROUGH:
        linecache.getlines(file_of(sys.modules.get(name)))
    try:
        from torch.fx.experimental import symbolic_shapes

        uninteresting: Any = getattr(symbolic_shapes, "uninteresting_files", None)
        uninteresting()  # keeps its result
    except Exception:  # an older torch has no such function, or another one
        return


class Streams:
    """Bytes from several descriptors, with a time limit. Threads stand in where pipes cannot be polled (Windows)."""

    def __init__(self, threads: bool) -> None:
        self._descriptors: set[int] = set()
        self._queue: queue.Queue[tuple[int, bytes]] | None = queue.Queue() if threads else None

    def add(self, descriptor: int) -> None:
        """Listen to it too."""
        self._descriptors.add(descriptor)
        if self._queue is not None:
            threading.Thread(target=self._pump, args=(descriptor,), daemon=True).start()

    def remove(self, descriptor: int) -> None:
        """Stop listening."""
        self._descriptors.discard(descriptor)

    def _pump(self, descriptor: int) -> None:
        assert self._queue is not None
        while True:
            try:
                data = os.read(descriptor, 1 << 16)
            except OSError:
                data = b""
            self._queue.put((descriptor, data))
            if not data:
                return

    def read(self, timeout: float) -> list[tuple[int, bytes]]:
        """What came in within `timeout`; empty bytes mark the end of a stream."""
        if self._queue is not None:
            try:
                first = self._queue.get(timeout=timeout) if timeout > 0 else self._queue.get_nowait()
            except queue.Empty:
                return []
            return [first] if first[0] in self._descriptors else []
        ready, _, _ = select.select(list(self._descriptors), [], [], timeout)
        received: list[tuple[int, bytes]] = []
        for descriptor in ready:
            try:
                received.append((descriptor, os.read(descriptor, 1 << 18)))
            except OSError:
                received.append((descriptor, b""))
        return received


class Child:
    """One export under way."""

    def __init__(self, job: Message, streams: Streams, spare: PreforkedChild | None, folder: str | None = None) -> None:
        self.job = job
        self.streams = streams
        self.output = b""
        self.cut = False
        self.started = time.monotonic()
        self.deadline = self.started + float(job["timeout"])
        if folder is not None:
            os.makedirs(folder, mode=0o700, exist_ok=True)  # the last model may have taken it away
        # Short names: a socket's path, which a model may put there, has a hundred letters at most.
        self.directory = tempfile.mkdtemp(prefix="r", dir=folder)
        self.scratch = tempfile.mkdtemp(prefix="s", dir=folder)
        self.files = processes.Scratch(self.scratch)
        self.process: subprocess.Popen[bytes] | None = None
        secret = secrets.token_bytes(SECRET_BYTES)
        self.recoverer = Recoverer(secret)
        job.update(
            cwd=self.scratch,
            faults=os.path.join(self.directory, "faults"),
            fallback=os.path.join(self.directory, "report"),
        )
        job["secret"] = secret.hex()
        if spare is None:
            self._start()
        else:
            self.pid, self.report, self.prints = spare.pid, spare.report, spare.prints
            self.baseline = processes.own_memory(self.pid)
            spare.assign(job)
        streams.add(self.report)
        streams.add(self.prints)

    def _start(self) -> None:
        """A process of its own, where fork is not to be had."""
        self.baseline = 0
        self.report, report = os.pipe()
        self.prints, prints = os.pipe()
        main = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__main__.py")
        self.process = subprocess.Popen(
            [sys.executable, main, "--once"],
            stdin=subprocess.PIPE,
            stdout=report,
            stderr=prints,
            start_new_session=os.name != "nt",
        )
        self.pid = self.process.pid
        os.close(report)
        os.close(prints)
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(pack(self.job))
            self.process.stdin.close()
        except OSError:
            pass

    def ended(self) -> int | None:
        """Not None once it has ended. It stays a zombie: no other process can take its number meanwhile."""
        if self.process is not None and os.name == "nt":
            return self.process.poll()
        try:
            state = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return 0
        return None if state is None else 1

    def over(self, limit: int) -> str:
        """What it and its descendants hold more than `limit` of, what they share with each other counted once: "memory",
        "files" where memory alone is not too much, '' if neither is."""
        pids = [self.pid, *processes.descendants(self.pid)]
        files = self.files.size() + processes.unseen_memory(pids)
        memory = sum(processes.own_memory(pid) for pid in pids)
        if memory + files - self.baseline <= limit:
            return ""
        memory = sum(processes.fair_memory(pid) for pid in pids)
        return "memory" if memory > limit else "files" if memory + files > limit else ""

    def take(self, descriptor: int, data: bytes) -> list[Message]:
        """Bytes from one of its pipes; the messages in them."""
        if not data:
            self.streams.remove(descriptor)
            return []
        if descriptor == self.report:
            return self.recoverer.feed(data)
        room = OUTPUT_BOUND - len(self.output)
        self.output += data[: max(0, room)]
        self.cut = self.cut or len(data) > room
        return []

    def drain(self) -> list[Message]:
        """What is still in the pipes of a child that has ended, then what it had to write to the file."""
        messages: list[Message] = []
        if not self.streams_threaded:
            for descriptor in (self.report, self.prints):
                os.set_blocking(descriptor, False)
                while True:
                    try:
                        data = os.read(descriptor, 1 << 18)
                    except OSError:
                        break
                    if not data:
                        break
                    messages += self.take(descriptor, data)
        else:
            until = time.monotonic() + 1
            while time.monotonic() < until:
                for descriptor, data in self.streams.read(0.05):
                    messages += self.take(descriptor, data)
        messages += self.recoverer.feed(_contents(self.job["fallback"], 1 << 28))
        return messages

    @property
    def streams_threaded(self) -> bool:
        """Whether threads are reading the pipes."""
        return os.name == "nt"

    def close(self) -> None:
        """Pipes and directories go; the processes are gone already."""
        for descriptor in (self.report, self.prints):
            self.streams.remove(descriptor)
            os.close(descriptor)
        for directory in (self.directory, self.scratch):
            shutil.rmtree(directory, ignore_errors=True)


def _contents(path: str, bound: int) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(bound)
    except OSError:
        return b""


class Supervisor:
    """Reads requests, runs them one after another."""

    def __init__(self, channel: Channel, fork: bool, folder: str | None = None) -> None:
        self.channel = channel
        self.folder = folder
        self.fork = fork
        self.streams = Streams(threads=os.name == "nt")
        self.streams.add(channel.reader)
        self.jobs: collections.deque[Message] = collections.deque()
        self.cancelled: set[int] = set()
        self.open = True
        self.spare: PreforkedChild | None = None
        self.low_priority: bool | None = None
        """Whether the last job was to give way; None if there was none of late."""

    def receive(self, data: bytes) -> None:
        """Bytes from the server."""
        if not data:
            self.open = False
            return
        for message in self.channel.unpacker.feed(data):
            if message["kind"] == "run":
                self.jobs.append(message)
            elif message["kind"] == "cancel":
                self.cancelled.add(message["id"])
            elif message["kind"] == "quit":
                self.open = False

    def serve(self) -> None:
        """Until the server closes the wire."""
        if self.fork:
            for name in (*PRELOADED, *OURS):
                try:
                    importlib.import_module(name, __package__)
                except Exception:  # an older torch has other modules; the export imports what it needs
                    continue
            _remember_sources()
        keep_imports()
        while self.open:
            if self.jobs:
                self.run(self.jobs.popleft())
                continue
            for _, data in self.streams.read(0) or self._rest():
                self.receive(data)
        self._dismiss()

    def _rest(self) -> list[tuple[int, bytes]]:
        """Nothing is to be done: what comes next, for which a child is made ready meanwhile."""
        if self.fork and self.spare is None and self.low_priority is not None:
            try:
                self.spare = PreforkedChild(self._descriptors(), self.low_priority)
                self.channel.send({"kind": "spare", "pid": self.spare.pid})
            except OSError:  # no more processes: the next job may have better luck
                self.low_priority = None
        heard = self.streams.read(IDLE)
        if not heard:
            self.low_priority = None
            self._dismiss()
        return heard

    def _descriptors(self) -> list[int]:
        """What a child must not hold."""
        return [self.channel.reader, self.channel.writer]

    def _dismiss(self) -> None:
        spare, self.spare = self.spare, None
        if spare is not None:
            spare.end()

    def _process_for(self, job: Message) -> PreforkedChild | None:
        """The child for a job: the one that waits, if it is fit for it; None where a fresh process is to be started."""
        if not self.fork:
            return None
        low_priority = self.low_priority = bool(job.get("low_priority"))
        if self.spare is not None and (not self.spare.alive() or self.spare.low_priority > low_priority):
            self._dismiss()
        spare, self.spare = self.spare, None
        return spare or PreforkedChild(self._descriptors(), low_priority=False)

    def run(self, job: Message) -> None:
        """One child from its start until nothing of it is left."""
        number = job["id"]
        if number in self.cancelled:
            self.cancelled.discard(number)
            self.channel.send({"kind": "ended", "id": number, "how": "cancelled", "code": 0})
            return
        spare = None
        try:
            spare = self._process_for(job)
            child = Child(job, self.streams, spare, self.folder)
        except OSError as error:  # no more processes, or no room for the folders of one
            if spare is not None:
                spare.end()
            part = {"part": "internal", "message": f"cannot start a worker process: {error.strerror or error}"}
            self.channel.send({"kind": "part", "id": number, "part": part})
            self.channel.send({"kind": "ended", "id": number, "how": "exit", "code": 70})
            return
        try:
            try:
                self.channel.send({"kind": "started", "id": number, "pid": child.pid})
                how = self._watch(child)
            finally:  # also where the server is gone and cannot be told
                below = processes.end_tree(child.pid)
            self._tell_end(child, how, below)
        finally:
            child.close()
        self.cancelled.discard(number)

    def _tell_end(self, child: Child, how: str, below: int | None) -> None:
        """How a child ended that is gone, after what it still had to say. `below` is its wait status."""
        if child.process is not None:
            child.process.poll()
            below = child.process.returncode if os.name == "nt" else below
        messages = child.drain()
        done = self._forward(child, messages) or child.job.get("done", False)
        code, signalled = _status(below)
        if how == "ended":
            how = "done" if done and code == 0 else "signal" if signalled else "exit"
        self.channel.send(
            {
                "kind": "ended",
                "id": child.job["id"],
                "how": how,
                "code": code,
                "output": child.output.decode("utf-8", "replace") + ("\n[cut]" if child.cut else ""),
                "faults": _contents(child.job["faults"], FAULTS_BOUND).decode("utf-8", "replace"),
                "seconds": time.monotonic() - child.started,
            }
        )

    def _forward(self, child: Child, messages: list[Message]) -> bool:
        number, done = child.job["id"], False
        for message in messages:
            if message.get("part") == "done":
                done = True
            else:
                if message.get("part") == "call":
                    # The time is for one export: each call that the program reaches begins it anew, for each mode.
                    child.deadline = time.monotonic() + float(child.job["timeout"]) * (len(message["runs"]) + 1)
                self.channel.send({"kind": "part", "id": number, "part": message})
        return done

    def _watch(self, child: Child) -> str:
        number, limit = child.job["id"], int(child.job["memory_limit"])
        weighed = time.monotonic()
        while True:
            # A child that has said its last word is gone in a moment.
            for descriptor, data in self.streams.read(0.002 if child.job.get("done") else TICK):
                if descriptor == self.channel.reader:
                    self.receive(data)
                elif self._forward(child, child.take(descriptor, data)):
                    child.job["done"] = True
            if child.ended() is not None:
                return "ended"
            now = time.monotonic()
            if not self.open or number in self.cancelled:
                return "cancelled"
            if now > child.deadline:
                return "timeout"
            if now - weighed > TICK:  # a child that prints without end must not make us weigh it without end
                weighed = now
                over = child.over(limit)
                if over:
                    return over


def keep_imports() -> None:
    """Collect garbage again, which was off for the imports, but none among what they made: that stays.

    A collection in a child would copy every page that it walks over.
    """
    gc.freeze()
    gc.enable()


def _status(status: int | None) -> tuple[int, bool]:
    """Exit code or signal number, and which of them it is."""
    if status is None:
        return 0, False
    if os.name != "nt" and os.WIFSIGNALED(status):
        return os.WTERMSIG(status), True
    return (os.WEXITSTATUS(status) if os.name != "nt" else status), False


def _versions() -> dict[str, Any]:
    return {"python": "{}.{}.{}".format(*sys.version_info[:3]), "executable": sys.executable}


def serve(channel: Channel, fork: bool, folder: str | None = None) -> None:
    """The worker: says `ready` (or why it cannot be), then serves until the wire closes. Nothing is left in `folder`."""
    if not hasattr(os, "fork") or sys.platform == "darwin":
        fork = False
    gc.disable()  # torch is hundreds of thousands of objects, none of them garbage: a quarter of the time is looking
    processes.prctl(processes.PR_SET_CHILD_SUBREAPER, 1)
    try:
        if fork:
            torch = importlib.import_module("torch")
            version, place = str(torch.__version__), os.path.dirname(torch.__file__ or "")
        else:
            from importlib import metadata

            found = metadata.distribution("torch")
            version, place = found.version, str(found.locate_file("torch"))
    except BaseException as error:
        message = f"{type(error).__name__}: {error}"
        channel.send(dict(_versions(), kind="unusable", message=message, missing=isinstance(error, ImportError)))
        return
    channel.send(dict(_versions(), kind="ready", torch=version, place=place, fork=fork))
    try:
        Supervisor(channel, fork, folder).serve()
    except BrokenPipeError:  # the server was killed: nobody hears how the last job ended
        return
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def serve_once(channel: Channel) -> None:
    """One export in a fresh process: what a forked child is where fork is not to be had."""
    job: Message | None = None
    while job is None:
        data = os.read(channel.reader, 1 << 16)
        if not data:
            return
        for message in channel.unpacker.feed(data):
            job = message
    os.close(channel.reader)
    os.dup2(2, 1)
    gc.disable()
    child_process.shut_in(job)
    with contextlib.suppress(Exception):  # who needs it says so
        importlib.import_module("torch")
    keep_imports()
    child_process.run(job, Reporter(channel.writer, bytes.fromhex(job.pop("secret")), job["fallback"]))

"""Makes `proof` importable from the tests beside it."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# pytest listens to every logger; torch then writes down all that its tracer does, which costs more than the trace.
logging.getLogger("torch.__trace").disabled = True

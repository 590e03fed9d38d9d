"""The protocol's own rules: what may come when, what is refused and how, and what goes on after a bad message."""

# pygls does not say what its tables of handlers hold.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any, Final, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

if TYPE_CHECKING:
    from collections.abc import Generator
    from concurrent.futures import Future

    from cattrs import Converter

logger = logging.getLogger(__name__)

_Codes = types.ErrorCodes

KEPT_BY_THE_SESSION: Final = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL,
)


class ExportProtocol(LanguageServerProtocol):
    """pygls's protocol with its own documents taken out and every message checked before it is believed.

    pygls keeps documents whose lines also end at form feeds and Unicode separators, and answers a request that it
    cannot read with a notification to the user; here the session keeps the documents, and the request is answered.
    """

    exit_code: int | None = None

    def __init__(self, server: Any, converter: Converter) -> None:
        super().__init__(server, converter)
        for method in KEPT_BY_THE_SESSION:
            self.fm.builtin_features.pop(method, None)

    _initializing = False

    def receive(self, body: bytes) -> None:
        """One message as it came in; empty where its length could not be read, or was too large. Never raises."""
        if not body:
            self._refuse(None, _Codes.ParseError, "a message without content, or with an invalid Content-Length")
            return
        try:
            message: object = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(None, _Codes.ParseError, f"not JSON: {error}")
            return
        if not isinstance(message, dict):
            self._refuse(None, _Codes.InvalidRequest, "a message must be a JSON object")
            return
        self._receive(cast("dict[str, Any]", message))

    def _receive(self, message: dict[str, Any]) -> None:
        given = message.get("id")
        number = given if isinstance(given, (int, str)) and not isinstance(given, bool) else None
        if message.get("jsonrpc") != self.VERSION:
            self._refuse(number, _Codes.InvalidRequest, 'a message must have "jsonrpc": "2.0"')
            return
        method = message.get("method")
        if method is None and ("result" in message or "error" in message):
            self._answered(number, message)
            return
        if not isinstance(method, str) or ("id" in message and number is None):
            self._refuse(number, _Codes.InvalidRequest, "a request must have a method and an id")
            return
        if "id" not in message:
            if self._may_notify(method):
                self._structured(None, message)
            return
        refusal = self._refusal(method)
        if refusal is not None:
            self._refuse(number, *refusal)
            return
        self._structured(number, message)

    def _refusal(self, method: str) -> tuple[types.ErrorCodes, str] | None:
        if self._shutdown:
            return _Codes.InvalidRequest, "the server is shut down"
        if method == types.INITIALIZE:
            if self._initializing:
                return _Codes.InvalidRequest, "initialize must be sent only once"
            self._initializing = True
        elif self._workspace is None:
            return _Codes.ServerNotInitialized, "initialize must be sent first"
        if _is_notification(method):
            # Its handler answers nobody, and whoever sent it with an id would wait for ever.
            return _Codes.InvalidRequest, f"{method} is a notification and must not have an id"
        return None

    def _may_notify(self, method: str) -> bool:
        if method == types.EXIT:
            return True
        if self._shutdown or (self._workspace is None and method != types.CANCEL_REQUEST):
            logger.debug("dropped %s: not valid in this state", method)
            return False
        known = method in self.fm.features or method in self.fm.builtin_features or method == types.CANCEL_REQUEST
        if not known and not method.startswith("$/"):
            logger.info("ignored the unknown notification %s", method)
        return known

    def _structured(self, number: int | str | None, message: dict[str, Any]) -> None:
        if self.get_message_type(message["method"]) is None:
            message.setdefault("params", None)
        try:
            structured = self._converter.structure(message, self._type_of(message))
        except Exception as error:
            reason = _innermost(error)
            if number is None:
                logger.warning("ignored a malformed %s: %s", message["method"], reason)
            else:
                self._refuse(number, _Codes.InvalidParams, f"{message['method']}: {reason}")
            if message["method"] == types.INITIALIZE:
                self._initializing = False
            return
        self.handle_message(structured)

    def _type_of(self, message: dict[str, Any]) -> type[Any]:
        from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage

        known = self.get_message_type(message["method"])
        return known or (JsonRPCRequestMessage if "id" in message else JsonRPCNotification)

    def _answered(self, number: int | str | None, message: dict[str, Any]) -> None:
        """An answer to a request of ours."""
        future = self._request_futures.get(number) if number is not None else None
        if number is None or future is None:
            logger.debug("a response to an unknown request: %r", message.get("id"))
            return
        if future.done():
            # It was waited for in vain, or its request was cancelled.
            del self._request_futures[number]
            return
        try:
            structured = self.structure_message(message)
        except Exception as error:
            del self._request_futures[number]
            future.set_exception(JsonRpcException(f"invalid response of the client: {_innermost(error)}"))
            return
        self.handle_message(cast("Any", structured))

    def _refuse(self, number: int | str | None, code: types.ErrorCodes, message: str) -> None:
        logger.warning("rejected a message: %s", message)
        error = {"code": code.value, "message": message}
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": error})

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        """As pygls does it, without a traceback in the log for errors that are part of the protocol."""
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            code = types.LSPErrorCodes.RequestCancelled.value
            self._send_response(msg_id, error=types.ResponseError(code, "cancelled by the client"))
            return
        error = future.exception()
        if error is None:
            self._send_response(msg_id, result=future.result())
        elif isinstance(error, JsonRpcException):
            logger.debug("request %s: %s", msg_id, error)
            self._send_response(msg_id, error=error.to_response_error())
        else:
            logger.error("request %s failed", msg_id, exc_info=error)
            text = f"internal error: {type(error).__name__}: {error}"
            self._send_response(msg_id, error=types.ResponseError(_Codes.InternalError.value, text))

    def _check_handler_result(self, future: Future[Any]) -> None:
        """A notification's handler failed: there is nobody to answer, so the log has it."""
        if not future.cancelled() and (error := future.exception()) is not None:
            logger.error("handling a notification failed", exc_info=error)

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        future = self._request_futures.get(msg_id)
        # Not to be found: it was answered meanwhile, which is nobody's mistake.
        if future is not None:
            future.cancel()

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Diagnostics are offered only to clients that can be told to ask for them again; the others get them pushed."""
        result = yield from super().lsp_initialize(params)
        if not cast("Any", self._server).client.pulls:
            result.capabilities.diagnostic_provider = None
        return result

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """End: with 0 after a shutdown, with 1 without one."""
        self.exit_code = 0 if self._shutdown else 1
        cast("Any", self._server).stop()

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> object:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Commands get the whole request: the token for their progress stands beside their arguments."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcException(f"unknown command {params.command!r}", code=_Codes.InvalidParams.value)
        return await cast("Any", handler)(params)


def _is_notification(method: str) -> bool:
    """Whether the protocol has a notification of that name; of unknown names it says nothing."""
    # The table's own annotations leave out that a notification has no type of answer.
    known = cast("tuple[object, ...]", types.METHOD_TO_TYPES.get(method, (None, types.ResponseError)))
    return known[1] is None


def _innermost(error: BaseException) -> str:
    """What is wrong, of an error that holds errors that hold errors."""
    # An exception group, which Python 3.10 has only by the backport that cattrs brings along.
    while isinstance(inner := getattr(error, "exceptions", None), (tuple, list)) and inner:
        error = cast("BaseException", inner[0])
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return str(error) or type(error).__name__

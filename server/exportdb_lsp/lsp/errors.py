"""The errors of the protocol that a request can end with."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException


def content_modified() -> JsonRpcException:
    """The text changed while the answer was worked out: whoever still wants it asks again."""
    return JsonRpcException("the text changed", code=types.LSPErrorCodes.ContentModified.value)


def retrigger() -> JsonRpcException:
    """The same for pulled diagnostics, where the client is told to ask again by itself."""
    data = {"retriggerRequest": True}
    return JsonRpcException("the text changed", code=types.LSPErrorCodes.ServerCancelled.value, data=data)


def request_failed(message: str) -> JsonRpcException:
    """The request was right but could not be worked on; the message is for people."""
    return JsonRpcException(message, code=types.LSPErrorCodes.RequestFailed.value)


def untrusted() -> JsonRpcException:
    """The request would run code of a workspace that the user does not trust."""
    return request_failed("The workspace is not trusted, so its code is not run")


def may_not_edit() -> JsonRpcException:
    """The request ends with an edit, which this client does not take from a server."""
    return request_failed("The client does not support workspace/applyEdit")


def invalid_params(message: str) -> JsonRpcException:
    """The request itself is wrong."""
    return JsonRpcException(message, code=types.ErrorCodes.InvalidParams.value)

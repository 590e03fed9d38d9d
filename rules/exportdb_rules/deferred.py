"""Lists of a syntax tree that are filled when somebody looks at them."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Iterator

Node = TypeVar("Node")


class Deferred(list[Node]):
    """Nodes that are parsed when they are first looked at; the node that has the list has a plain one from then on. It is a
    list of `ast` in all that reads it; nobody changes it before."""

    __slots__ = ("unread",)

    def __init__(self) -> None:
        super().__init__()
        # Nobody has looked at it.
        self.unread = True

    def read(self) -> list[Node]:
        """Parse it, unless that was done."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Node]:
        return iter(self.read()) if self.unread else super().__iter__()

    def __reversed__(self) -> Iterator[Node]:
        return reversed(self.read()) if self.unread else super().__reversed__()

    def __len__(self) -> int:
        return len(self.read()) if self.unread else super().__len__()

    @overload
    def __getitem__(self, index: SupportsIndex) -> Node: ...
    @overload
    def __getitem__(self, index: slice) -> list[Node]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Node | list[Node]:
        return self.read()[index] if self.unread else super().__getitem__(index)

    def __contains__(self, item: object) -> bool:
        return item in self.read() if self.unread else super().__contains__(item)

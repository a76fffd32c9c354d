"""Starts a class afresh: puts back what it keeps outside of its queues, so that one run cannot spoil the
next.

A broken queue may keep its jobs on the class, in a module's global, or in a default argument. Within one run
that is a fault to find; from one run to the next it would make every later answer wrong. So the mutable
things that a class can reach are remembered before the first run, and put back before each.
"""

from __future__ import annotations

import copy
import itertools
import random
import sys
import warnings
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, partial
from types import CodeType, FunctionType
from typing import Any, NamedTuple

__all__ = ["Remembered"]

STEPPED = (itertools.count, itertools.cycle, random.Random)  # things that give something else each time
CONTAINERS = (list, dict, set, bytearray, deque)
CACHED = type(lru_cache(len))  # a function that remembers what it has answered
PLAIN = (int, float, str, bytes, tuple, frozenset, type(None))
LARGE = 10_000  # a container with more entries is somebody's data, not a queue's


Put = Callable[[Any], None]


class _Name(NamedTuple):
    """How to get what is kept in a place, under which name, what it is, and how to put it there again."""

    get: Callable[[str], Any]
    name: str
    value: Any
    put: Put


class Remembered:
    """What a class keeps outside of its queues, as it was when this was made.

    >>> class Shared:
    ...     line = []
    >>> before = Remembered(Shared)
    >>> Shared.line.append("a")
    >>> before.restore()
    >>> Shared.line
    []
    """

    def __init__(self, queue_class: Any) -> None:
        self._seen: set[Any] = set()
        self._names: list[_Name] = []
        self._contents: list[tuple[Any, Any]] = []  # a mutable thing, and a copy of what is in it
        self._stepped: list[tuple[Put, Any]] = []  # how to set, and a copy of a counter or a dice
        self._cached: list[Any] = []  # functions that keep what they have answered
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python 3.12 and 3.13 copy a counter, and say that 3.14 will not
            self._visit(queue_class)

    def restore(self) -> None:
        """Put everything back. What cannot be put back is left as it is."""
        for get, name, value, put in self._names:
            if get(name) is not value:
                with suppress(Exception):
                    put(value)
        for thing, before in self._contents:
            try:
                _refill(thing, before)
            except Exception:  # noqa: BLE001, S112  (as above, but faster where nothing is raised)
                continue
        for put, before in self._stepped:
            with suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                put(copy.deepcopy(before))
        for function in self._cached:
            function.cache_clear()

    def _visit(self, thing: Any) -> None:
        """Remember what can be reached from here: classes, functions, and mutable things that are not
        Python's own."""
        if id(thing) in self._seen:
            return
        self._seen.add(id(thing))
        if isinstance(thing, type):
            for each in thing.__mro__:
                if not _is_python(each):
                    self._visit_class(each)
        elif isinstance(thing, FunctionType):
            if not _is_python(thing):
                self._visit_function(thing)
        elif isinstance(thing, CACHED):
            self._cached.append(thing)
            self._visit(thing.__wrapped__)
        elif isinstance(thing, (classmethod, staticmethod, property, partial)):
            for inner in ("__func__", "fget", "fset", "func"):
                self._visit(getattr(thing, inner, None))
        elif isinstance(thing, CONTAINERS) or not _is_python(type(thing)):
            self._keep(thing)
            self._visit(type(thing))

    def _visit_class(self, owner: type) -> None:
        for name, value in list(vars(owner).items()):
            if not name.startswith("__") or name == "__init__":
                self._name(vars(owner).get, name, value, partial(setattr, owner, name))

    def _visit_function(self, function: FunctionType) -> None:
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self._visit(default)
        world = function.__globals__
        for name in sorted(_names(function.__code__)):
            if name in world and (id(world), name) not in self._seen:  # many functions share a global
                self._seen.add((id(world), name))
                self._name(world.get, name, world[name], partial(world.__setitem__, name))
        for cell in function.__closure__ or ():
            with suppress(ValueError):  # it holds nothing yet
                self._name(partial(getattr, cell), "cell_contents", cell.cell_contents, partial(setattr, cell, "cell_contents"))

    def _name(self, get: Callable[[str], Any], name: str, value: Any, put: Put) -> None:
        if isinstance(value, (*PLAIN, *CONTAINERS)) or not _is_python(type(value)):
            self._names.append(_Name(get, name, value, put))
        elif isinstance(value, STEPPED):
            with suppress(Exception):  # Python 3.14 copies no counter
                self._stepped.append((put, copy.deepcopy(value)))
        self._visit(value)

    def _keep(self, thing: Any) -> None:
        with suppress(Exception):  # what cannot be copied is left as it is
            inside = _inside(thing)
            if len(inside) <= LARGE:
                self._contents.append((thing, copy.deepcopy(inside)))


def _is_python(thing: Any) -> bool:
    """Whether a class or function comes with Python: those are left alone."""
    module = str(getattr(thing, "__module__", None)).partition(".")[0]
    return module in sys.stdlib_module_names or module in ("builtins", "None")


def _inside(thing: Any) -> Any:
    """What a mutable thing holds: a container's entries, or the attributes of an object."""
    if isinstance(thing, CONTAINERS):
        return thing
    slots = [name for each in type(thing).__mro__ for name in _listed(vars(each).get("__slots__", ()))]
    held = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    return {**held, **getattr(thing, "__dict__", {})}


def _refill(thing: Any, before: Any) -> None:
    if isinstance(thing, CONTAINERS) and not before:
        thing.clear()
        return
    if isinstance(thing, dict) and _unchanged(thing, before):
        return
    fresh = copy.deepcopy(before)
    if isinstance(thing, (dict, set)):
        thing.clear()
        thing.update(fresh)
    elif isinstance(thing, deque):
        thing.clear()
        thing.extend(fresh)
    elif isinstance(thing, (list, bytearray)):
        thing[:] = fresh
    else:
        for name in _inside(thing).keys() - fresh.keys():
            delattr(thing, name)
        for name, value in fresh.items():
            setattr(thing, name, value)


def _unchanged(thing: dict, before: dict) -> bool:
    """Whether a table of plain values is as it was. One that holds anything else may have changed inside."""
    return len(thing) == len(before) and all(
        type(value) in PLAIN and thing.get(key, thing) is value for key, value in before.items()
    )


def _listed(slots: Any) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _names(code: CodeType) -> set[str]:
    """The global names that a function uses, those of its inner functions included."""
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return set(code.co_names).union(*map(_names, inner))

"""Queues that nobody thought of: retryq/queue.py with one small mistake each, made by machine.

A mistake is something shared that each queue should have for itself, a statement left out, a condition turned round or
always true or false, a comparison exchanged, a part of an ``and`` or ``or`` forgotten, a number off by one, ``True``
for ``False``. Many change nothing that can be seen; of those that do, one is kept for each way to answer the witnesses.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import retryq
from retryq import rules, scenario

METHODS = ("enqueue", "reserve", "ack", "retry", "cancel", "_held")
EXCHANGED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.GtE: (ast.Gt, ast.Eq), ast.Gt: (ast.GtE,), ast.LtE: (ast.Lt, ast.Eq), ast.Lt: (ast.LtE,),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Lt, ast.Gt, ast.Eq),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip


class Mutant(NamedTuple):
    """A broken queue: the mistake in words, the class, and the clauses whose witnesses it fails."""

    mistake: str
    queue_class: type
    broken: frozenset[str]


def mutants() -> list[Mutant]:
    """One mutant for each set of answers to all witnesses that differs from the right one."""
    found: dict[tuple, Mutant] = {}
    for mistake, source in mistakes(Path(retryq.queue.__file__).read_text("utf-8")):
        namespace: dict = {"__name__": "mutant"}
        exec(compile(source, "<mutant>", "exec"), namespace)  # noqa: S102 our own source, changed by us
        answers = [tuple(answered(witness, namespace["Queue"])) for _, witness in witnesses()]
        broken = frozenset(clause.name for (clause, witness), outputs in zip(witnesses(), answers, strict=True)
                           if rules.fails(clause, witness, outputs))  # fmt: skip
        if broken:
            found.setdefault(tuple(map(repr, answers)), Mutant(mistake, namespace["Queue"], broken))
    return list(found.values())


def witnesses() -> list[tuple[rules.Clause, rules.Witness]]:
    return [(clause, witness) for clause in rules.CLAUSES.values() for witness in clause.witnesses]


def answered(witness: rules.Witness, queue_class: type) -> list:
    """What a class answers to a witness; after an exception, the words "raised" to the end."""
    ops = witness.ops
    try:
        return scenario.run(scenario.Scenario(witness.capacity, ops), queue_class)
    except Exception:  # noqa: BLE001 a mutant may raise anything
        return ["raised"] * len(ops)


def mistakes(source: str) -> Iterator[tuple[str, str]]:
    """(the mistake in words, the source of the module with it), one mistake each."""
    tree = ast.parse(source)
    yield from shared(tree)
    queue = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Queue")
    for method in queue.body:
        if isinstance(method, ast.FunctionDef) and method.name in METHODS:
            for place, node in enumerate(ast.walk(method)):
                for words, change in changes(node):
                    spoiled = copy.deepcopy(tree)
                    twin = next(one for one in ast.walk(spoiled) if isinstance(one, ast.FunctionDef)
                                and one.name == method.name and one.lineno == method.lineno)  # fmt: skip
                    change(list(ast.walk(twin))[place])
                    yield f"{method.name}: {words}", ast.unparse(spoiled)


def shared(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What every queue makes for itself, made once for all of them."""
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute) and node.value:
            spoiled = copy.deepcopy(tree)
            own = list(ast.walk(spoiled))[number]
            once = ast.Name(f"_all{own.target.attr}", ast.Store())
            spoiled.body.append(ast.Assign([once], own.value, lineno=own.lineno))
            own.value = ast.Name(once.id, ast.Load())
            yield f"shared by all queues: {ast.unparse(node.target)}", ast.unparse(spoiled)


def changes(node: ast.AST) -> Iterator[tuple[str, Callable]]:
    """The mistakes that can be made at one node: (words, a function that makes it in a copy)."""
    for field in ("body", "orelse"):
        for index, statement in enumerate(getattr(node, field, None) or []):
            if isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr | ast.If | ast.Delete):
                yield (f"left out: {ast.unparse(statement).splitlines()[0]}",
                       lambda twin, field=field, index=index: getattr(twin, field).__setitem__(index, ast.Pass()))
    if isinstance(node, ast.If):
        for value in (True, False):
            yield (f"if {ast.unparse(node.test)}: always {value}",
                   lambda twin, value=value: setattr(twin, "test", ast.Constant(value)))
        yield f"if not ({ast.unparse(node.test)})", lambda twin: setattr(twin, "test", ast.UnaryOp(ast.Not(), twin.test))
    if isinstance(node, ast.Compare):
        for other in EXCHANGED.get(type(node.ops[0]), ()):
            yield f"{ast.unparse(node)}: {other.__name__}", lambda twin, other=other: setattr(twin, "ops", [other()])
    if isinstance(node, ast.BoolOp):
        for index, value in enumerate(node.values):
            yield f"forgotten: {ast.unparse(value)}", lambda twin, index=index: twin.values.pop(index)
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield f"{not node.value} for {node.value}", lambda twin: setattr(twin, "value", not twin.value)
        yield f"None for {node.value}", lambda twin: setattr(twin, "value", None)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        for step in (-1, 1):
            yield f"{node.value + step} for {node.value}", lambda twin, step=step: setattr(twin, "value", twin.value + step)
    if isinstance(node, ast.Return) and not isinstance(node.value, ast.Constant):
        yield "returns None", lambda twin: setattr(twin, "value", ast.Constant(None))

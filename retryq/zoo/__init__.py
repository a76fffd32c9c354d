"""Broken queues, each with the clauses it breaks and the belief behind it.

One list of misconceptions serves the tests of the checker, the questions before a run, the hints and the
instructor's guide. Every member of `ZOO` is a subclass of one small sound queue, `SimpleQueue`, and differs
from it in a few lines: read ``simple.py`` first, then any of the rest.

>>> RetryJumpsTheLine.belief
'A job that failed should get its next try at once, before the others.'
>>> primary(RetryJumpsTheLine)
'retry.tail'
"""
# ruff: noqa: F401 (the names below are here to be imported from here)

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from retryq import rules
from retryq.rules import Witness
from retryq.scenario import Scenario, notation
from retryq.zoo.attempts import (
    AnswersTheLiveRecord,
    AttemptsStartAtZero,
    AttemptsStopAtThree,
    EmptyPayloadBecomesNone,
    NewcomersStartHigher,
    OneCountForAll,
    PayloadIsTidied,
    RetryStartsOver,
)
from retryq.zoo.cancels import (
    CancelFinishedSaysYes,
    CancelledIsStillHandedOut,
    CancelledMayStillAck,
    CancelMissesTheRetried,
    CancelOnlyInLine,
    CancelUnknownSaysYes,
    CancelWaitsForTheJob,
    RetryBringsItBack,
)
from retryq.zoo.company import (
    NewQueueEmptiesTheOld,
    SharedByAllQueues,
    SharedDefaultArgument,
)
from retryq.zoo.fences import (
    AckTwiceIsFine,
    AnyLiveAttemptWillDo,
    AttemptIsIgnored,
    FreshJobIsHeldByZero,
    FutureAttemptsCount,
    LateAckStillCounts,
    OldAttemptsStillCount,
    OnlyAttemptOneCounts,
    OnlyTheLastReservedCanFinish,
    RetryTwiceDoublesTheJob,
    ZeroFitsAnyAttempt,
)
from retryq.zoo.line import (
    AlphabeticalLine,
    CancelInFlightDropsTheLast,
    CancelSwapsInTheLast,
    CancelTurnsTheLineRound,
    FillsTheFirstGap,
    IdleWorkerGetsAJobInFlight,
    LastInFirstOut,
    NewJobsOvertakeRetried,
    ReserveOnlyLooks,
    RetryForgetsTheLine,
    RetryJumpsTheLine,
    RetryWaitsBehindTheHead,
    SlowRetryGetsAHelper,
)
from retryq.zoo.names import (
    AckFreesTheId,
    CancelFreesTheId,
    DuplicateGoesToTheTail,
    DuplicateLooksAccepted,
    DuplicateReplacesThePayload,
    EverySecondDuplicateGetsIn,
    FullQueueBurnsTheId,
    OnlyTheLineIsSearched,
    RefusedPayloadSticks,
    UpperAndLowerAreOne,
)
from retryq.zoo.replies import (
    EmptyReserveAnswersFalse,
    EmptyReserveRaises,
    EmptyReserveStartsOver,
    EnqueueAnswersTheId,
    EveryRetryCallCounts,
    LateAckFreesASlotAgain,
    NoneForNo,
    OneForYes,
    UnknownIdRaises,
    WrongAckFinishes,
    WrongRetryPutsItBack,
)
from retryq.zoo.simple import SimpleQueue
from retryq.zoo.slots import (
    AckKeepsTheSlot,
    AllInFlightCountAsOne,
    CancelFreesTwo,
    CancelInFlightKeepsTheSlot,
    CancelWaitingKeepsTheSlot,
    CountsTheLineOnly,
    NeverMoreThanEight,
    OneSlotTooFew,
    OneSlotTooMany,
    RefusesEqualPayloads,
    RetryGivesUpTheSlot,
    RetryTakesASecondSlot,
    RoundsUpToAPowerOfTwo,
    ZeroMeansNoLimit,
)


def primary(member: type[SimpleQueue]) -> str:
    """The clause that explains most of what a member does wrong: the most general one that it breaks."""
    return _most_general(member.broken)


@cache
def _most_general(broken: frozenset[str]) -> str:
    clause = rules.most_general(broken)
    assert clause is not None, "a member breaks some rule"
    return clause


# In the contract's order of the clauses.
ZOO: tuple[type[SimpleQueue], ...] = tuple(
    sorted(SimpleQueue.__subclasses__(), key=lambda member: list(rules.CLAUSES).index(primary(member)))
)


@cache
def for_clause(clause: str) -> tuple[type[SimpleQueue], ...]:
    """The members that break a clause, or one of those that match a pattern such as ``"fifo.*"``.

    Those of which it is the `primary` clause come first. ``ValueError`` where no clause has that name.

    >>> [member.__name__ for member in for_clause("identity.case")][:2]
    ['UpperAndLowerAreOne', 'LastInFirstOut']
    """
    names = set(rules.expand(clause))
    members = (member for member in ZOO if names & member.broken)
    return tuple(sorted(members, key=lambda member: primary(member) not in names))


def answers(member: type[SimpleQueue], scenario: Scenario | Witness) -> list[Any]:
    """What a member answers in a run, from a fresh start, in the notation's form.

    Where it raises, the exception stands in place of the answer, and the run goes on.

    >>> answers(EmptyReserveRaises, Scenario(1, (("reserve",), ("enqueue", "a", "A"))))
    [IndexError('pop from empty list'), True]
    """
    return list(answering(member, scenario))


def answering(member: type[SimpleQueue], scenario: Scenario | Witness) -> Iterator[Any]:
    """The same, answer by answer: whoever has seen enough can stop."""
    member.forget()
    queues = [member(scenario.capacity)]
    current = queues[0]
    for name, *arguments in scenario.ops:
        answer = None
        if name == "new":
            current = member(scenario.capacity)
            queues.append(current)
        elif name == "use":
            current = queues[arguments[0]]
        else:
            try:
                answer = notation(getattr(current, name)(*arguments))
            except Exception as error:  # noqa: BLE001 (any that it raises)
                answer = error
        yield answer

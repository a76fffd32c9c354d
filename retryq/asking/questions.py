"""What will it answer? The operations of a run as questions, with plausible options, as plain data.

The right answers come from the rules. The wrong ones are what the broken queues of the zoo answer there, so that each
has a belief behind it; a made-up one fills in only where they all agree with the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from retryq import zoo
from retryq.asking.beliefs import Believer, believers, clause_names, decided
from retryq.grammar import ScenarioError, shown
from retryq.history import History
from retryq.model import Step
from retryq.playing.told import answer
from retryq.scenario import notation, same
from retryq.zoo.simple import SimpleQueue

__all__ = ["MOST", "Option", "Question", "questions"]

MOST = 4  # options of a question
LETTERS = "ABCD"


@dataclass(frozen=True)
class Option:
    """One answer to choose: its letter, its value, and the broken queues that answer so, the likeliest belief first."""

    letter: str
    value: object
    members: tuple[type[SimpleQueue], ...] = ()

    @property
    def words(self) -> str:
        """The answer as Python shows it."""
        return answer(self.value)


@dataclass(frozen=True)
class Question:
    """What will this operation answer? ``number`` counts the operations of the run from 1.

    ``clause`` is the rule that is practised, where the question was chosen for one.
    """

    number: int
    step: Step
    options: tuple[Option, ...]
    clause: str | None = None

    @property
    def right(self) -> Option:
        """The option that the rules answer."""
        return next(option for option in self.options if same(self.step.result, option.value))

    def find(self, choice: object) -> Option:
        """The option that is meant: by its value (a `Job` or a list stands for a job), by its letter, by its words.

        ``ValueError`` where none is meant.
        """
        given = notation(choice)
        for meant in (lambda option: same(option.value, given),
                      lambda option: option.letter == choice or option.words == choice):
            for option in self.options:
                if meant(option):
                    return option
        options = ", ".join(f"{option.letter}: {option.words}" for option in self.options)
        raise ValueError(f"choose one of {options}; got {choice!r}")

    def belief(self, option: Option) -> tuple[str, str] | None:
        """The belief behind a wrong option and why it is not so; ``None`` where nobody of the zoo holds one."""
        if option == self.right or not option.members:
            return None
        likeliest = option.members[0]
        return likeliest.belief, likeliest.correction

    @property
    def rules(self) -> tuple[str, ...]:
        """The clause that decided, and the one that is practised where it is another."""
        practised = () if self.clause in (None, self.step.clause) else (str(self.clause),)
        return (self.step.clause, *practised)


def questions(history: History, ask: object = None) -> tuple[Question, ...]:
    """The questions of a run.

    ``ask`` says which operations are asked:

    ``None``     those where somebody errs: a broken queue parts from the rules there. The jobs that are added before
                 anything else happens are given.
    ``"all"``    all of them, save `new` and `use`, which answer nothing.
    numbers      these operations, counted from 1: ``ask=(3, 5)``.
    clauses      those that one of these clauses decides: ``ask="fence.*"``, ``ask=["retry.tail", "retry.slot"]``.

    `ScenarioError` where an operation cannot be asked, or none is left to ask; ``ValueError`` where no clause has
    a name that is given.
    """
    found = tuple(believers(history))
    chosen = _chosen(history, found, ask)
    if not chosen:
        raise ScenarioError("ops: there is nothing to predict in this run" if ask in (None, "all") else
                            f"ask: no operation of this run is decided by {shown(ask)}")
    return tuple(_question(history.steps, index, clause, found) for index, clause in sorted(chosen.items()))


def _chosen(history: History, found: Sequence[Believer], ask: Any) -> dict[int, str | None]:
    """The indexes of the operations to ask, each with the clause for which it is asked, if any."""
    answering = [index for index, step in enumerate(history.steps) if step.op[0] not in ("new", "use")]
    if ask is None:
        contested = {each.parts for each in found if each.primary != "answer.kind"}
        chosen = [index for index in answering if index in contested and index >= _set_up(history.steps)]
        return dict.fromkeys(chosen or answering)
    if ask == "all":
        return dict.fromkeys(answering)
    wanted = [ask] if isinstance(ask, (str, int)) else list(ask) if isinstance(ask, Iterable) else [ask]
    chosen_for: dict[int, str | None] = {}
    for each in wanted:
        if isinstance(each, str):
            for name in clause_names(each):
                for index in decided(name, history.steps, found):
                    chosen_for.setdefault(index, name)
        elif type(each) is int and each - 1 in answering:
            chosen_for[each - 1] = None
        else:
            numbers = ", ".join(str(index + 1) for index in answering)
            raise ScenarioError(f"ask: must be \"all\", clauses, or numbers of operations that answer something "
                                f"({numbers or 'none here'}), got {shown(each)}")
    return chosen_for


def _set_up(steps: Sequence[Step]) -> int:
    """How many jobs are added before anything else happens."""
    return next((index for index, step in enumerate(steps) if step.clause != "capacity.room"), 0)


def _question(steps: Sequence[Step], index: int, clause: str | None, found: Sequence[Believer]) -> Question:
    step = steps[index]
    members: dict[str, list[Believer]] = {}  # who gives each wrong answer
    values: dict[str, object] = {}
    for each in found:
        value = each.answers[index]
        # One that went wrong before may answer anything by now; it counts where its own rule is at stake.
        if not same(step.result, value) and (each.parts == index or each.primary in step.clauses):
            members.setdefault(answer(value), []).append(each)
            values.setdefault(answer(value), value)
    for here in members.values():
        here.sort(key=lambda each: _unlikely(each, index, clause))
    likely = sorted(members, key=lambda words: _unlikely(members[words][0], index, clause))
    parting = [values[words] for words in likely if members[words][0].parts == index]
    rest = [values[words] for words in likely if members[words][0].parts < index]
    salt = repr([each.op for each in steps[: index + 1]])
    if step.op[0] == "reserve":
        options = [step.result, *parting[: MOST - 1]]
        for value in (*rest, *_made_up(step)):
            if len(options) < 3 and not any(same(value, option) for option in options):
                options.append(value)
        options = _mixed(options, salt)
    elif clause == "answer.kind":
        kinds = [value for value in parting if type(value) is not bool][:2]
        kinds += [value for value in _mixed([None, 1, 0], salt) if answer(value) not in map(answer, kinds)]
        options = [True, False, *_mixed(kinds[:2], salt)]
    else:
        options = [True, False]
    return Question(index + 1, step, tuple(
        Option(letter, value, tuple(each.member for each in members.get(answer(value), ())))
        for letter, value in zip(LETTERS, options)), clause)


def _unlikely(each: Believer, index: int, clause: str | None) -> tuple:
    """What sorts beliefs, the likeliest first: those whose queue parts here, those about the rule that is practised,
    those that break little else."""
    return each.parts != index, each.primary != clause, len(each.member.broken), zoo.ZOO.index(each.member)


def _made_up(step: Step) -> list[object]:
    """Wrong answers to a `reserve` that a learner may give: nobody, another job, another attempt."""
    queue = step.before.current
    waiting = [job for job in map(queue.job, queue.line) if job is not None]
    jobs = [*waiting[1:2], *queue.in_flight[:1], *waiting[-1:]]
    made: list[object] = [None, *((job.id, job.payload, job.attempt + 1) for job in jobs)]
    if isinstance(step.result, tuple):
        id, payload, attempt = step.result
        made.append((id, payload, attempt - 1 if attempt > 1 else attempt + 1))
    made += [(job.id, job.payload, job.attempt + 1) for job in queue.jobs[-1:]]
    return [*made, False]


def _mixed(values: list, salt: str) -> list:
    """The values in an order that is always the same and says nothing of which is right."""
    return sorted(values, key=lambda value: sha256(f"{salt} {answer(value)}".encode()).digest())

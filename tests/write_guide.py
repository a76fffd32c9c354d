"""What the instructor's guide says of wrong answers and of the exercises' answers, from the data, not written twice.

    python tests/write_guide.py

fills in anew what stands in ``notebooks/instructor-guide.md`` between the marks ``<!-- generated: ... -->`` and
``<!-- end -->``. ``tests/test_guide.py`` fails where the page and the data differ.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GUIDE = ROOT / "notebooks" / "instructor-guide.md"
PART = re.compile(r"(?<=^<!-- generated: )(\S+)( -->\n).*?(?=^<!-- end -->$)", re.MULTILINE | re.DOTALL)


def filled(text: str) -> str:
    """The text with every generated part as it should be."""
    return PART.sub(lambda found: f"{found[1]}{found[2]}{part(found[1])}\n", text)


def part(name: str) -> str:
    """A generated part: of a lesson, its wrong answers; of exercise 11, who is behind each number."""
    return masks() if name == "11-break-it" else wrong_answers(name)


def wrong_answers(lesson: str) -> str:
    """The questions of a lesson's *Predict*, each with its wrong answers and who believes so; then all other beliefs
    that its clauses meet."""
    from retryq import zoo
    from retryq.rules import CLAUSES

    told, rows = set(), []
    for question in predict(lesson).questions:
        wrong = []
        for option in question.options:
            belief = question.belief(option)
            if belief is not None:
                told.add(belief[0])
                wrong.append(f"`{short(option.value, question.right.value)}`: “{belief[0]}”")
            elif option != question.right:
                wrong.append(f"`{short(option.value, question.right.value)}`")
        call = f"{question.step.op[0]} {' '.join(map(str, question.step.op[1:2]))}".strip()
        rows.append(f"| {question.number}. `{call}` | `{short(question.right.value)}` | {'<br>'.join(wrong)} |")
    table = ["| Predict | right | wrong, and the belief behind it |", "|---|---|---|", *rows]
    others: dict[str, list[str]] = {}
    for member in zoo.ZOO:
        clause = zoo.primary(member)
        if CLAUSES[clause].lesson == lesson and member.belief not in told:
            others.setdefault(clause, []).append(f"“{member.belief}”")
    if not others:
        return "\n".join(table)
    listed = [f"- `{clause}`: {' · '.join(beliefs)}" for clause, beliefs in others.items()]
    return "\n".join([*table, "", "You may also hear:", *listed])


def predict(lesson: str):
    """The quiz of a lesson, made by its own cell."""
    import nbformat

    cells = nbformat.read(ROOT / "notebooks" / f"{lesson}.ipynb", as_version=4).cells
    (source,) = [cell.source for cell in cells if cell.cell_type == "code" and "import Predict" in cell.source]
    names: dict = {}
    exec(source.rpartition("\n")[0] + "\nquiz = " + source.rpartition("\n")[2], names)  # noqa: S102
    return names["quiz"]


def short(value: object, right: object = None) -> str:
    """An answer in few letters: of a job its id and its attempt, and its payload where that alone is wrong."""
    if not isinstance(value, tuple):
        return repr(value)
    id, payload, attempt = value
    alike = isinstance(right, tuple) and value != right and (id, attempt) == (right[0], right[2])
    return f"{id} #{attempt}, payload {payload!r}" if alike else f"{id} #{attempt}"


def masks() -> str:
    """The numbers of exercise 11 by the lesson of the rule that is broken, with the class behind each."""
    from retryq import zoo
    from retryq.mystery import HOW_MANY, Mystery
    from retryq.rules import CLAUSES

    behind: dict[str, list[str]] = {}
    for number in range(1, HOW_MANY + 1):
        member = Mystery(number).queue_class.__base__
        lesson = CLAUSES[zoo.primary(member)].lesson
        behind.setdefault(lesson, []).append(f"{number} {member.__name__}")
    return "\n".join(f"- {lesson}: {' · '.join(behind[lesson])}" for lesson in sorted(behind))


def main() -> None:
    GUIDE.write_text(filled(GUIDE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    print(f"{GUIDE.name} is filled in")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()

"""What a quiz shows, as HTML: plain functions from a quiz to text, in the lab's style. Everything is escaped here."""

from __future__ import annotations

from html import escape

from retryq.asking.questions import Option, Question
from retryq.asking.quiz import Quiz
from retryq.playing.lab_html import called, code, div, rule

__all__ = ["HELP", "STYLE", "asked", "ending", "heading", "so_far", "static", "verdict"]

STYLE = """<style>
.rq-run { list-style: none; margin: 4px 0; padding: 0; } .rq-run > li { margin: 2px 0; overflow-wrap: anywhere; }
.rq-run b, .rq-verdict b { font-weight: 600; }
.rq-verdict { border-left: 4px solid var(--jp-ui-font-color2, #616161); padding: 2px 0 2px 10px; margin: 4px 0; }
.rq-verdict.rq-wrong { border-left-style: double; border-left-width: 6px; padding-left: 8px; }
.rq-verdict > p:first-child { font-size: 16px; }
.rq-option.jupyter-button { text-align: left; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.4;
  padding: 4px 10px; min-height: 30px; max-width: 100%; font-family: var(--jp-code-font-family, monospace);
  font-size: 14px; border: 2px solid var(--jp-border-color1, #bdbdbd); }
.rq-option.jupyter-button:disabled { opacity: 1; color: var(--jp-ui-font-color1, #212121); }
.rq-option.rq-chosen { border-color: var(--jp-ui-font-color1, #212121); font-weight: 600; }
.rq-lab .rq-options { list-style: none; margin: 2px 0 2px 18px; padding: 0; }
.rq-handout details { margin: 2px 0 8px 18px; } .rq-handout summary { cursor: pointer; }
</style>"""

HELP = div("rq-note", escape(
    "Keyboard: Tab moves on, Enter or Space presses a button. While a button has the focus, JupyterLab's own single "
    "keys stay live (a and b add a cell, x cuts it, d d deletes it): press no letters."))


def heading(quiz: Quiz) -> str:
    """Which run this is, which question, and the score so far."""
    facts = [f"capacity {quiz.history.capacity}"]
    if quiz.question is not None:
        facts.append(f"question {quiz.place + 1} of {len(quiz.round)}")
    if quiz.tries:
        facts.append(f"{quiz.score.right + quiz.score.mended} right so far")
    return div("rq-heading", f"<b>{escape(quiz.title)}</b> {escape(' · '.join(facts))}")


def so_far(quiz: Quiz) -> str:
    """The operations before the question, or all of them at the end, with their answers and what was predicted."""
    until = quiz.question.number - 1 if quiz.question else len(quiz.history)
    asked = {each.number: each for each in quiz.questions}
    lines = []
    for number, step in enumerate(quiz.history.steps[:until], 1):
        said = _said(asked[number], quiz.tries[number][-1]) if number in quiz.tries else ""
        lines.append(f"<li>{number}. {called(step)}{said}</li>")
    return div("", f'<ol class="rq-run">{"".join(lines)}</ol>') if lines else ""


def _said(question: Question, option: Option) -> str:
    if option == question.right:
        return " <b>✓ as you said</b>"
    return f" <b>✗ you said</b> {code(option.words)}"


def asked(question: Question) -> str:
    """The operation that is asked now."""
    line = f'<p class="rq-call">{question.number}. {called(question.step, "<b>?</b>")}</p>'
    return div("", f"{line}<p>What will it answer?</p>", "status")


def verdict(question: Question, option: Option) -> str:
    """What is said to an answer."""
    right = option == question.right
    first = (f"<b>✓ Right:</b> it answers {code(question.right.words)}." if right else
             f"<b>✗ Not so:</b> you said {code(option.words)}, and it answers {code(question.right.words)}.")
    inside = f"<p>{first}</p><p>{escape(question.step.why)}</p>{_belief(question, option)}{_rules(question)}"
    return div("rq-verdict" if right else "rq-verdict rq-wrong", inside, "status")


def _belief(question: Question, option: Option) -> str:
    belief = question.belief(option)
    if belief is None:
        return ""
    return (f"<p><b>The belief behind it:</b> “{_prose(belief[0])}”</p>"
            f"<p><b>Why it is not so:</b> {_prose(belief[1])}</p>")


def _rules(question: Question) -> str:
    return "".join(map(rule, question.rules))


def _prose(text: str) -> str:
    """Words in which code stands between backticks."""
    parts = text.split("`")
    return "".join(code(part) if index % 2 else escape(part) for index, part in enumerate(parts))


def ending(quiz: Quiz) -> str:
    """The score, when every question is answered."""
    return div("rq-verdict", f"<p>{escape(quiz.ending())}</p>", "status")


def static(quiz: Quiz) -> str:
    """The questions on a page where nothing can be pressed, each with its answer folded. The list does the numbering:
    such a page may keep no style that takes a list's own numbers away."""
    questions = {each.number: each for each in quiz.questions}
    lines = []
    for number, step in enumerate(quiz.history.steps, 1):
        if number not in questions:
            known = called(step, None if number < min(questions) else "…")
            lines.append(f"<li>{known}</li>")
            continue
        question = questions[number]
        options = "".join(f"<li>({option.letter}) {code(option.words)}</li>" for option in question.options)
        lines.append(f'<li>{called(step, "<b>?</b>")}<ul class="rq-options">{options}</ul>'
                     f"<details><summary>Answer to {number}</summary>{_answer(question)}</details></li>")
    intro = f"<p>{escape(quiz.heading())} Choose an answer for each question mark, then open what is folded.</p>"
    run = "".join(f"<li>{called(step)}</li>" for step in quiz.history.steps)
    whole = f"<details><summary>The whole run with its answers</summary><ol>{run}</ol></details>"
    return div("rq-handout", f'{intro}<ol>{"".join(lines)}</ol>{whole}')


def _answer(question: Question) -> str:
    wrong = "".join(f"<p>Not {code(option.words)}: “{_prose(belief[0])}” {_prose(belief[1])}</p>"
                    for option in question.options if (belief := question.belief(option)))
    return f"<p>({question.right.letter}) {code(question.right.words)}: {escape(question.step.why)}</p>" \
           f"{wrong}{_rules(question)}"

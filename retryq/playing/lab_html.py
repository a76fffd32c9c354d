"""What the lab shows, as HTML: plain functions from a session to text. Ids, payloads and words are escaped here.

Colours come from JupyterLab's theme, with fallbacks for pages that have none. A state is never told by colour alone.
"""

from __future__ import annotations

import json
from html import escape

from retryq.drawing.palette import AREAS
from retryq.model import IN_FLIGHT, JobState, QueueState, Step
from retryq.playing.session import Session
from retryq.playing.told import answer, call, count, nothing_yet
from retryq.rules import CLAUSES

__all__ = ["HELP", "STYLE", "called", "code", "div", "free", "happened", "heading", "job", "message", "missions", "now",
           "rule", "static"]

STYLE = """<style>
.rq-lab { color: var(--jp-ui-font-color1, #212121); font-family: var(--jp-ui-font-family, system-ui, sans-serif);
  font-size: 14px; line-height: 1.45; }
.rq-lab code { font-family: var(--jp-code-font-family, monospace); font-size: 14px; padding: 1px 4px; border-radius: 3px;
  color: inherit; background: var(--jp-layout-color2, #eeeeee); overflow-wrap: anywhere; white-space: pre-wrap; }
.rq-lab p { margin: 2px 0; }
.rq-heading { font-size: 15px; } .rq-heading b { font-size: 17px; margin-right: 4px; }
.rq-title { font-weight: 600; }
.rq-happened { border-left: 4px solid var(--jp-ui-font-color2, #616161); padding: 2px 0 2px 10px; min-height: 66px; }
.rq-refused { border-left-style: double; border-left-width: 6px; padding-left: 8px; }
.rq-call { font-size: 16px; } .rq-call code { font-size: 16px; font-weight: 600; }
.rq-rule, .rq-quiet { color: var(--jp-ui-font-color2, #616161); }
.rq-rule code { color: var(--jp-ui-font-color1, #212121); }
.rq-note { font-style: italic; }
.rq-parts, .rq-alert { border: 2px solid var(--jp-ui-font-color1, #212121); border-radius: 4px; padding: 2px 8px;
  font-weight: 600; margin: 4px 0; overflow-wrap: anywhere; }
.rq-now { display: flex; flex-wrap: wrap; gap: 4px 18px; align-items: center; }
.rq-now .rq-chip, .rq-now b { white-space: pre; }
.rq-job { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: center; min-height: 32px; overflow-wrap: anywhere; }
.rq-chip { display: inline-block; box-sizing: border-box; min-width: 30px; padding: 0 7px; border-radius: 3px;
  font-weight: 600; text-align: center; line-height: 22px; border: 2px solid WAITEDGE; margin: 1px 0; white-space: pre; }
.rq-waiting { color: #1a1a1a; background: linear-gradient(#fff, #fff) content-box,
  repeating-linear-gradient(135deg, WAITFILL 0 3px, WAITHATCH 3px 5px); padding: 0 7px; }
.rq-flying { color: FLYON; background: FLYFILL; border-color: FLYEDGE; }
.rq-free { color: inherit; border: 2px dashed var(--jp-ui-font-color2, #757575); font-weight: 400; }
.rq-missions { list-style: none; margin: 0; padding: 0; } .rq-missions li { margin: 2px 0; padding-left: 76px;
  text-indent: -76px; } .rq-missions b, .rq-missions i { display: inline-block; width: 76px; text-indent: 0; }
</style>"""
for _word, _state in (("WAIT", AREAS["waiting"]), ("FLY", AREAS["in flight"])):  # as in the picture
    STYLE = (STYLE.replace(f"{_word}FILL", _state.fill).replace(f"{_word}EDGE", _state.edge)
             .replace(f"{_word}HATCH", _state.on).replace(f"{_word}ON", _state.on))

def div(kind: str, inside: str, role: str = "") -> str:
    """A piece of the page in the lab's style; ``inside`` is HTML already."""
    spoken = f' role="{role}"' if role else ""
    return f'<div class="rq-lab {kind}"{spoken}>{inside}</div>'


def code(text: str) -> str:
    """A text as code, escaped."""
    return f"<code>{escape(text)}</code>"


def called(step: Step, shown: str | None = None) -> str:
    """The call as code, with its answer, or with what is ``shown`` in its place."""
    line = code(call(step.op, step.before.current.capacity))
    return line if step.op[0] in ("new", "use") else f"{line} → {code(answer(step.result)) if shown is None else shown}"


def rule(clause: str) -> str:
    """A clause with its sentence."""
    sentence = escape(CLAUSES[clause].sentence).replace("`", "")
    return f'<p class="rq-rule">{code(clause)} {sentence}</p>'


HELP = div("rq-note", escape(
    "Keyboard: Tab moves on, Enter or Space presses a button. While a button or the slider has the focus, "
    "JupyterLab's own single keys stay live (a and b add a cell, x cuts it, d d deletes it): "
    "type letters only inside a field."))


def heading(session: Session) -> str:
    """Which queue this is, and where the cursor stands."""
    state, beside = session.state, session.queue_class
    facts = [f"capacity {session.history.capacity}", f"step {session.cursor} of {len(session.history)}"]
    if len(state.queues) > 1:
        facts.append(f"queue {state.selected} selected ({len(state.queues)} made)")
    if beside is not None:
        facts.append(f"{session.name} runs beside the rules")
    return div("rq-heading", f"<b>Lab</b> {escape(' · '.join(facts))}")


def happened(session: Session) -> str:
    """What just happened: the call as code, its answer, why, the clause with its sentence, and the notes."""
    step = session.step
    lead, notes = ("".join(f'<p class="rq-note">{escape(note)}</p>' for note in each)
                   for each in (session.lead, session.notes))
    beside = f'<p class="rq-parts">{escape(session.beside)}</p>' if session.beside else ""
    if step is None:
        inside = f'{lead}<p class="rq-call">{escape(nothing_yet(session.history.capacity))}</p>{beside}{notes}'
        return div("rq-happened", inside, "status")
    inside = (f'{lead}<p class="rq-call">{session.cursor}. {called(step)}</p><p>{escape(step.why)}</p>{beside}'
              f'{rule(step.clause)}{notes}')
    return div(f"rq-happened{' rq-refused' if step.refused else ''}", inside, "status")


def now(session: Session) -> str:
    """Every queue at the cursor: the jobs in flight, the line from head to tail, and the slots."""
    queues = session.state.queues
    return div("", "".join(
        f'<div class="rq-now">{_which(index, session.state.selected) if len(queues) > 1 else ""}{_line(queue)}</div>'
        for index, queue in enumerate(queues)))


def _which(index: int, selected: int) -> str:
    return f'<span class="rq-title">queue {index}{", selected" if index == selected else ""}</span>'


def _line(queue: QueueState) -> str:
    flying = " ".join(_chip(job) for job in queue.in_flight) or "none"
    jobs = filter(None, map(queue.job, queue.line))
    line = f"head → {' '.join(map(_chip, jobs))} → tail" if queue.line else "nobody"
    return (f"<span><b>In flight</b> {flying}</span><span><b>Waiting</b> {line}</span>"
            f"<span><b>Slots</b> {queue.active} of {queue.capacity} taken</span>")


def _chip(job: JobState) -> str:
    if job.status == IN_FLIGHT:
        return f'<span class="rq-chip rq-flying">{escape(job.id)} #{job.attempt}</span>'
    return f'<span class="rq-chip rq-waiting">{escape(job.id)}</span>'


def job(queue: QueueState, job: JobState) -> str:
    """One active job: its id, its payload and what it does."""
    if job.status == IN_FLIGHT:
        words = "in flight"
    else:
        place = queue.line.index(job.id) + 1
        ends = [end for end, there in (("head", place == 1), ("tail", place == queue.waiting)) if there]
        words = f"waiting, {' and '.join(ends) or f'place {place}'}"
    return div("rq-job", f"{_chip(job)} {code(json.dumps(job.payload))} <span>{words}</span>")


def free() -> str:
    """A slot that nobody has."""
    return div("rq-job", '<span class="rq-chip rq-free">free</span><span class="rq-quiet">slot</span>')


def missions(session: Session) -> str:
    """The goals, each reached or open, and a hint for whoever is stuck."""
    if not session.missions:
        return ""
    items = "".join(f"<li>{'<b>✓ done</b>' if index in session.reached else '<i>○ open</i>'}{escape(mission.goal)}</li>"
                    for index, mission in enumerate(session.missions))
    hint = f'<p class="rq-note">Hint: {escape(session.hint)}</p>' if session.hint else ""
    title = f"Missions: {len(session.reached)} of {count(len(session.missions), 'goal')} reached"
    return div("", f'<div class="rq-title">{title}</div><ul class="rq-missions">{items}</ul>{hint}')


def static(session: Session, picture: str) -> str:
    """The lab on a page where nothing can be pressed."""
    words = "\n\n".join(session.words())
    return f"{picture}<pre>{escape(words)}</pre><p>Run this cell to play: the lab's controls appear here.</p>"


def message(words: str, alert: bool = True) -> str:
    """A sentence beside the control it is about; empty for none."""
    return div("rq-alert" if alert else "rq-note", escape(words), "alert" if alert else "status") if words else ""

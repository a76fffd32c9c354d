"""retryq: a small job queue that retries, and everything needed to understand it.

Importing this package imports the standard library only. The rest of the kit lives in rooms of its own, and a room
imports only from those above it in this list (``tests/test_house.py`` sees to that):

    queue         the queue itself: what you would take into a worker of your own
    model         the same rules as a pure function, slow and obvious: the executable specification
    rules         the clauses by name, and the witnesses that show them
    grammar       what may stand in a scenario, and the sentences about what may not
    scenario      the notation: parse, validate, dump; run a scenario against any queue
    data          the published examples and the field reports, as scenarios
    history       a run: its steps, seek, undo, fork
    statespace    every reachable state of a small queue, and the shortest way into each
    guarding      how guard does it
    guard         runs code that may never return, exit or flood, and comes back with what happened
    zoo           broken queues, each with the clauses it breaks and the belief behind it
    lanes         a history as lanes, bars and marks: plain data
    geometry      the same printed as text: the text twin
    checking      how conformance does it
    conformance   check(queue_class): does it keep every rule?
    drawing       how timeline does it
    timeline      the lanes drawn by matplotlib
    mission_signs how a history shows that a mission is reached
    missions      the small goals of a lab
    playing       what lab is made of
    lab           the playground: operate, step, undo, explain, missions
    asking        what predict is made of
    predict       questions before a run, and drills
    cost_lines    four ways to keep a waiting line
    cost          what each of them costs, counted and measured
    cost_chart    and a chart of it
    mystery       a broken queue behind a mask, for exercise 11
    tour          a walk through every state
    statemap      every state of a small queue as a map: plain data, and text
    stategraph    the map drawn by matplotlib
    slides        a handout for the projector: one step at a time
    handouts      each notebook as one page that needs no network, and as a PDF
    commands      run, check and draw
    __main__      python -m retryq

Every file says in its first line what it is for. The core, down to ``geometry``, is standard library alone, and so is
all else but what draws (matplotlib), what has controls (ipywidgets) and what makes handouts (nbconvert).
"""

from retryq.queue import Job, Queue

__all__ = ["Job", "Queue"]

"""Set up and start, with nothing but Python:

    python start.py                 open the notebooks (options go to JupyterLab: --no-browser, --port=9000)
    python start.py test            run every test (options go to pytest)
    python start.py fresh LESSON    have a lesson as it was, in work/; yours is kept beside it
    python start.py handouts        make every lesson a page that needs no network, and a PDF, in handouts/
                                    (with --slides 05-fencing: one for the projector, a step at a time)
    python start.py copy            only bring work/ up to date, for a JupyterLab that you start yourself

The first start makes .venv and installs into it. You work on copies, in work/.
"""
# Even Python 2.7 must be able to read this file, to say what to do: no annotations and no f-strings here.
from __future__ import print_function

import sys

NEEDS = (3, 11)
if sys.version_info < NEEDS:
    sys.exit("retryq needs Python {}.{} or newer and this is {}.{}: install a newer one, say from "
             "python.org, and use that, as in: python3.12 start.py".format(*(NEEDS + sys.version_info[:2])))

import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge",
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            "C:/Program Files/Google/Chrome/Application/chrome.exe",
            "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe")
# How pytest shares its work: by files, in their order, so that the browser tests, which come first, need a browser once.
EVERY_CORE = ["-n", "auto", "--maxprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder"]
NO_VENV = ("This Python came without its venv module: on Debian and Ubuntu say 'sudo apt install "
           "python{}.{}-venv', elsewhere install Python from python.org; then say the same again.")
NO_FOLDER = "{} could not be made, for the reason above: delete that folder, then say the same again."
NO_PACKAGES = ("The packages could not be installed, for the reason above: without a network, connect; "
               "behind a proxy, set HTTPS_PROXY; then say the same again.")
NO_WRITING = ("{} ({}): where this folder is not yours to write in, copy it to your home folder and start "
              "there; where the disk is full, make room.")
NO_BROWSER = ("No Chromium, Chrome or Edge was found, so the browser tests cannot run: install one of them "
              "(on Debian: sudo apt install chromium), then say the same again.")
STARTS = ("JupyterLab starts now and opens in your browser; if it does not, open an address that it names below. "
          "To end it: Ctrl-C here, twice.")
NEWER = "There is a newer {}; yours is left as it is. To have both: python start.py fresh {}"
FRESH = "{} is fresh; yours is kept as {}. If it is open, choose File > Reload Notebook from Disk."


def set_up(root, extra):
    """Make .venv and install an extra of pyproject.toml into it, once; answers the Python in there."""
    venv = root / ".venv"
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    # The stamp of a finished set-up: with other wants, another Python or the folder moved it is another one.
    wants = (root / "pyproject.toml").read_text("utf-8") + sys.version + str(root)
    digest = hashlib.sha256(wants.encode("utf-8")).hexdigest()
    stamp = venv / ("has-" + extra)
    if python.exists() and stamp.exists() and stamp.read_text() == digest:
        return python
    tempfile.TemporaryFile(dir=str(root)).close()  # if nothing can be written here, main says so
    uv = shutil.which("uv")
    if not uv and not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        sys.exit(NO_VENV.format(*sys.version_info[:2]))
    print("Setting up in {}: this takes a minute or two, once.".format(venv), flush=True)
    sound = "import pip, sys; sys.exit(sys.version != {!r})".format(sys.version)
    if not python.exists() or subprocess.call([str(python), "-c", sound], stderr=subprocess.DEVNULL):
        plain = [sys.executable, "-m", "venv"]
        make = [uv, "venv", "--quiet", "--seed", "--python", sys.executable] if uv else plain
        if subprocess.call(make + ["--clear", str(venv)]):
            sys.exit(NO_FOLDER.format(venv))
    plain = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    install = [uv, "pip", "install", "--quiet", "--python", str(python)] if uv else plain
    if subprocess.call(install + ["--editable", ".[{}]".format(extra)], cwd=str(root)):
        sys.exit(NO_PACKAGES)
    settings = venv / "share" / "jupyter" / "lab" / "settings"  # no news prompt, as on Binder
    settings.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(str(root / "binder" / "overrides.json"), str(settings / "overrides.json"))
    for name in {extra, "notebooks"}:  # the extra "test" has all that "notebooks" has
        (venv / ("has-" + name)).write_text(digest)
    return python


def lessons(root):
    """The name below notebooks/ of every file there; hidden files, such as an editor's, are left out."""
    top = root / "notebooks"
    names = sorted(path.relative_to(top) for path in top.rglob("*") if path.is_file())
    return [name for name in names if not any(part.startswith(".") for part in name.parts)]


def copy(root):
    """Bring work/ up to date with notebooks/, all but the files that the learner has changed.

    work/.originals remembers what was handed out: only a copy that still equals it may be replaced.
    """
    for name in lessons(root):
        ours, mine, given = (root / folder / name for folder in ("notebooks", "work", "work/.originals"))
        if not mine.exists() or (given.exists() and mine.read_bytes() == given.read_bytes()):
            hand_out(root, name)
        elif not given.exists() or given.read_bytes() != ours.read_bytes():
            print(NEWER.format(name.as_posix(), name.with_suffix("").as_posix()))
    return 0


def hand_out(root, name):
    """Copy one file of notebooks/ into work/ and remember what it was."""
    for target in (root / "work" / name, root / "work" / ".originals" / name):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(root / "notebooks" / name), str(target))


def fresh(root, wanted):
    """Hand out one file again; the learner's own is kept beside it under a free name.

    A lesson has its place before its solution, and a full name before a beginning.
    """
    names = [name for name in lessons(root) if name.suffix in (".ipynb", ".md")]
    names.sort(key=lambda name: len(name.parts))
    parts = [part for part in Path(wanted).parts if part not in ("work", "notebooks")]
    asked = "/".join(parts).replace(".ipynb", "").replace(".md", "")
    whole = [name for name in names if asked in (name.with_suffix("").as_posix(), name.stem)]
    begun = [name for name in names if name.stem.startswith(asked) and len(name.parts) == 1]
    found = whole[:1] or begun
    if len(found) != 1:
        choice = " ".join(name.with_suffix("").as_posix() for name in begun or names)
        sys.exit("'{}' is not the name of one lesson; say one of: {}".format(wanted, choice))
    copy(root)
    mine, count = root / "work" / found[0], 1
    while mine.with_name("{}-kept-{}{}".format(mine.stem, count, mine.suffix)).exists():
        count += 1
    kept = mine.rename(mine.with_name("{}-kept-{}{}".format(mine.stem, count, mine.suffix)))
    hand_out(root, found[0])
    print(FRESH.format(*(path.relative_to(root).as_posix() for path in (mine, kept))))
    return 0


def chromium():
    """Where this machine has a Chromium, Chrome or Edge, for the browser tests; None without."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def find_browser():
    """See that the browser tests have a browser; on a machine where it can simply be installed, do so."""
    if not chromium() and shutil.which("apt-get") and os.geteuid() == 0:
        print("Installing Chromium for the browser tests.", flush=True)
        quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        subprocess.call(["apt-get", "update", "-qq"], env=quiet)
        subprocess.call(["apt-get", "install", "-qq", "--no-install-recommends", "chromium"], env=quiet)
    if not chromium():
        print(NO_BROWSER, flush=True)


def run(command, folder):
    """Run a program to its end and answer its exit status. Ctrl-C is for that program to answer."""
    before = signal.signal(signal.SIGINT, lambda *_: None)  # a new program does not inherit this
    try:
        return subprocess.Popen([str(word) for word in command], cwd=str(folder)).wait()
    finally:
        signal.signal(signal.SIGINT, before)


def main(words, root=ROOT):
    """Do what the words of the command line say; answers the exit status, or the sentence to end with."""
    try:
        if words[:1] == ["test"]:
            python = set_up(root, "test")
            find_browser()
            return run([python, "-m", "pytest"] + (words[1:] or EVERY_CORE), root)
        if words[:1] == ["handouts"]:
            browser = ["--browser", chromium()] if chromium() else []
            return run([set_up(root, "notebooks"), "-m", "retryq.handouts"] + browser + words[1:], root)
        if words[:1] == ["fresh"] and len(words) == 2:
            return fresh(root, words[1])
        if words == ["copy"]:
            return copy(root)
        if words and (words[0] in ("-h", "--help") or not words[0].startswith("-")):
            print(__doc__)
            return 0 if words[0].startswith("-") else 2
        python = set_up(root, "notebooks")
        copy(root)
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            words = ["--allow-root"] + words  # in a container, say; without it Jupyter does not start
        print(STARTS, flush=True)
        return run([python, "-m", "jupyterlab", "00-start-here.ipynb"] + words, root / "work")
    except OSError as error:
        return NO_WRITING.format(root, error.strerror or error)
    except KeyboardInterrupt:
        return "Stopped. To go on, say the same again."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

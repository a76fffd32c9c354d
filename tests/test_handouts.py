"""Handouts: every notebook as one page that loads nothing, with its answers folded, and as a PDF."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import notebook_lessons
import pytest
import real_browser

import start
from retryq import handouts
from retryq.asking import predict_html
from retryq.playing import lab_html

NOTEBOOKS = sorted((start.ROOT / "notebooks").glob("*.ipynb"))
LOADS = {"src", "srcset", "data", "poster", "background", "action"}  # attributes that fetch what they name


class Page(HTMLParser):
    """What a page would fetch, where it leads, what it says, and what of that is folded."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.folds: list[tuple[str, str]] = []  # what each fold is called, and whether it is open
        self.seen, self.folded, self.style, self.tags = "", "", "", set[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attributes}
        self.tags.add(tag)
        self.fetched += [value for name, value in named.items() if name in LOADS and not value.startswith("data:")]
        self.fetched += [named["href"]] if tag == "link" else []
        self.links += [named["href"]] if tag == "a" and "href" in named else []
        self.style += named.get("style", "")
        if tag == "details":
            self.open.append("open" if "open" in named else "folded")
        elif tag in ("style", "summary"):
            self.open.append(tag)
            self.folds += [("", self.open[-2])] if tag == "summary" else []

    def handle_endtag(self, tag: str) -> None:
        if tag in ("details", "style", "summary"):
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["summary"]:
            self.folds[-1] = (self.folds[-1][0] + data, self.folds[-1][1])
        if "style" in self.open:
            self.style += data
        elif "folded" in self.open and self.open[-1] != "summary":
            self.folded += data
        else:
            self.seen += data


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def handout(request: pytest.FixtureRequest) -> tuple[Path, Page]:
    return request.param, Page(handouts.page(request.param))


def test_a_page_fetches_nothing(handout: tuple[Path, Page]) -> None:
    page = handout[1]
    assert page.fetched == []
    assert not page.tags & {"script", "iframe", "object", "embed"}
    assert re.findall(r"@import|url\((?!['\"]?data:)", page.style) == []


def test_a_page_says_all_that_the_notebook_says(handout: tuple[Path, Page]) -> None:
    path, page = handout

    def bare(text: str) -> str:
        return re.sub(r"\W+", "", text)

    said = bare(page.seen)
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            assert bare(cell.source) in said
            printed = [output.text for output in cell.outputs if output.output_type == "stream"]
            assert all(bare(text) in said for text in printed)
        else:
            headings = re.findall(r"^#+ +(.+)$", cell.source, re.MULTILINE)
            assert all(bare(heading) in said for heading in headings)


def test_every_answer_is_folded_and_every_why_is_not(handout: tuple[Path, Page]) -> None:
    path, page = handout
    for summary, how in page.folds:
        assert how == ("open" if summary == "Why it was refused" else "folded"), summary
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", ()):
            text = output.get("data", {}).get("text/plain", "")
            if text.startswith("Predict:"):
                beliefs = re.findall(r'Not \(\w\): "(\w+ \w+ \w+)', text)
                assert beliefs and all(f"“{words}" in page.folded for words in beliefs)
                assert not any(f"Not {option}" in page.seen for option in ("True: “", "False: “", "None: “"))


def test_a_lab_becomes_an_empty_run_to_fill_in(handout: tuple[Path, Page]) -> None:
    path, page = handout
    assert "Run this cell to play" not in page.seen
    stored = nbformat.read(path, as_version=4).cells
    outputs = [output.data.get("text/plain", "") for cell in stored for output in cell.get("outputs", ())
               if "data" in output]
    fresh = [text for text in outputs if re.match(r"Lab: .*\b0 operations\n", text)]
    assert page.seen.count("On paper:") == len(fresh)


def test_links_lead_from_handout_to_handout(handout: tuple[Path, Page]) -> None:
    local = [link.partition("#")[0] for link in handout[1].links if "://" not in link and not link.startswith("#")]
    assert local and set(local) <= {f"{name}.html" for name in notebook_lessons.NOTEBOOKS}


def test_a_picture_keeps_its_words() -> None:
    text = handouts.page(start.ROOT / "notebooks" / "00-start-here.ipynb")
    pictures = re.findall(r"<img\b[^>]*>", text)
    assert pictures and all('src="data:image/' in each and re.search(r"alt=(['\"])\w", each) for each in pictures)


def test_what_is_replaced_is_what_the_controls_say() -> None:
    """The sentences are written in another room: here the two are held together."""
    assert handouts.LIVE in Path(lab_html.__file__).read_text("utf-8")
    assert handouts.FOLDED in Path(predict_html.__file__).read_text("utf-8")


def test_the_command_makes_one_file_for_each_name(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(start.ROOT)
    assert handouts.main(["05-fencing", "notebooks/03-capacity.ipynb", "-o", str(tmp_path / "out")]) == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["03-capacity.html", "05-fencing.html"]
    assert "No PDFs" in capsys.readouterr().out


@pytest.mark.parametrize(("content", "said"), [
    (None, "nothing.ipynb"), ("{}", "is no notebook"), ("x", "is no notebook"), ("[]", "is no notebook")])
def test_what_is_no_notebook_is_named(content: str | None, said: str, tmp_path: Path,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nothing.ipynb"
    if content is not None:
        path.write_text(content, "utf-8")
    assert handouts.main([str(path), "-o", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err


def test_without_notebooks_it_says_where_to_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                  capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert handouts.main([]) == 2
    assert "in the folder of the clone" in capsys.readouterr().err


def test_a_browser_that_fails_is_said(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>Hello")
    with pytest.raises(OSError, match="did not print"):
        handouts.print_to_pdf(page, sys.executable)


def test_start_makes_handouts_with_the_browser_that_it_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(start, "set_up", lambda root, extra: f"python with {extra}")
    monkeypatch.setattr(start, "run", lambda command, folder: asked.append(command) or 0)
    for found in ("/bin/some-browser", None):
        monkeypatch.setattr(start, "chromium", lambda found=found: found)
        assert start.main(["handouts", "05-fencing"]) == 0
    base = ["python with notebooks", "-m", "retryq.handouts"]
    assert asked == [[*base, "--browser", "/bin/some-browser", "05-fencing"], [*base, "05-fencing"]]


def test_a_pdf_has_pages_headings_and_text_that_can_be_searched(tmp_path: Path) -> None:
    browser = real_browser.path()
    page = tmp_path / "05-fencing.html"
    page.write_text(handouts.page(start.ROOT / "notebooks" / "05-fencing.ipynb"), "utf-8")
    pdf = handouts.print_to_pdf(page, browser).read_bytes()
    assert pdf.startswith(b"%PDF-") and pdf.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"/Type /Page\b", pdf)) > 4
    assert b"/ToUnicode" in pdf  # letters, not drawings of letters
    titles = re.findall(rb"/Title \(([^)]*)\)", pdf)
    for heading in ("Fencing", "Predict", "See", "Try", "Recap"):
        assert heading.encode() in titles


# -- for the projector


def test_slides_are_one_step_at_a_time_and_fetch_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                         capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(start.ROOT)
    assert handouts.main(["--slides", "05-fencing", "--browser", "none is asked", "-o", str(tmp_path)]) == 0
    assert "No PDFs" not in capsys.readouterr().out
    (made,) = tmp_path.iterdir()
    assert made.name == "05-fencing-slides.html"
    text = made.read_text("utf-8")
    assert Page(text).fetched == [] and '<a href="06-cancel-slides.html">' in text
    playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright, which the extra \"test\" has")
    with playwright.sync_playwright() as player:
        browser = player.chromium.launch(executable_path=real_browser.path(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1024, "height": 768})
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else wrong.append(asked.url))
        page.goto(made.as_uri())
        where, told = page.locator("#keys"), page.locator(".output_wrapper:visible")
        steps = int(re.match(r"1 / (\d+) ", where.inner_text())[1])
        seen = [page.locator("main").inner_text()]
        assert "Fencing" in seen[0] and "The rule:" not in seen[0] and told.count() == 0
        page.keyboard.type("4\n")
        assert where.inner_text() == f"4 / {steps}" and told.count() == 0
        size = page.locator(".input_area:visible pre").evaluate("cell => cell.getBoundingClientRect().width / 1024")
        page.keyboard.press("PageDown")  # as a presenter's remote does
        assert where.inner_text() == f"4 / {steps}" and told.count() == 1
        page.keyboard.press("ArrowLeft")
        assert told.count() == 0 and size > 0.8
        for number in range(1, steps + 1):
            page.keyboard.type(f"{number}\n")
            assert page.evaluate("document.documentElement.scrollWidth") <= 1024
        assert "Previous: Retry" in page.locator("main").inner_text()
        assert wrong == []
        browser.close()

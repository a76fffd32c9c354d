"""What a person can see and use: is a box blank, a text cut off, a control without a name?"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from PIL import Image

from browser.lesson import OUTPUTS

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect, Locator, Page

# What standard ipywidgets lack, by axe's rule and their selector; and the controls beside them that do the same.
KNOWN: dict[tuple[str, str], tuple[tuple[Any, str], ...]] = {
    # Play's buttons are icons without words.
    ("button-name", ".widget-play button"): (("button", "forward"), ("button", "first")),
    # A slider's handle has no name.
    ("aria-input-field-name", ".widget-slider .noUi-handle"): (("spinbutton", "step"),),
    # JupyterLab makes a link of an address in printed text, in a colour alone. That it is one, its words say.
    ("link-in-text-block", ".jp-RenderedText a"): (),
}
LEAST = 0.65  # of its size is how small a picture may be shown: below that, its small print cannot be read

# axe takes the text in JupyterLab's body for hidden, because that has no height: give it one, and scroll to the top.
# How tall must a window be to show the whole notebook? And does it?
HEIGHT = """() => {
  document.body.style.height = '100vh';
  document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0;
  return Math.ceil([...document.querySelectorAll('.jp-Notebook .jp-Cell')].at(-1).getBoundingClientRect().bottom) + 100;
}"""
IN_SIGHT = """() => {
  const cells = [...document.querySelectorAll('.jp-Notebook .jp-Cell')].map(each => each.getBoundingClientRect());
  return cells[0].top > 0 && cells.at(-1).bottom < innerHeight;
}"""
SHRUNK = """least => [...document.querySelectorAll('.jp-Notebook .jp-OutputArea-output img')]
  .filter(each => each.width < least * each.getAttribute('width'))
  .map(each => `${each.width} of ${each.getAttribute('width')} pixels: ${each.alt.slice(0, 60)}`)"""

# Every piece of text in the outputs must lie inside each box around it that hides what sticks out; the value of a field
# and the choice of a drop-down inside their control; and a live output needs no scroll bar across.
CLIPPED = """() => {
  const found = [], pen = document.createElement('canvas').getContext('2d');
  const tell = (element, words) => found.push(
    `${words.trim().slice(0, 60)} (in ${element.tagName.toLowerCase()}.${element.className})`);
  const seen = element => element.checkVisibility({visibilityProperty: true});
  for (const output of document.querySelectorAll('.jp-Notebook .jp-OutputArea-output')) {
    const texts = document.createTreeWalker(output, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (!text.data.trim() || !seen(text.parentElement) || text.parentElement.closest('style, select')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (let box = text.parentElement; box !== output.parentElement; box = box.parentElement) {
        const style = getComputedStyle(box), at = box.getBoundingClientRect();
        if (style.display === 'inline') continue;
        const across = ['hidden', 'clip'].includes(style.overflowX), down = ['hidden', 'clip'].includes(style.overflowY);
        if ([...range.getClientRects()].some(part =>
          across && (part.left < at.left - 1 || part.right > at.right + 1) ||
          down && (part.top < at.top - 1 || part.bottom > at.bottom + 1))) { tell(box, text.data); break; }
        if (['auto', 'scroll'].includes(style.overflowX)) break;  // whoever wants to read the rest can scroll
      }
    }
    for (const field of output.querySelectorAll('input, select')) {
      if (!seen(field)) continue;
      const style = getComputedStyle(field), select = field.tagName === 'SELECT';
      pen.font = style.font;
      const words = select ? field.selectedOptions[0]?.text ?? '' : field.value || field.placeholder;
      const room = field.clientWidth - parseFloat(style.paddingLeft) - (select ? 0 : parseFloat(style.paddingRight));
      if (pen.measureText(words).width + (select ? 16 : 0) > room + 1) tell(field, words);
    }
    const controls = [...output.querySelectorAll('.jupyter-widgets')];
    for (const box of controls.length ? [output, ...controls] : [])
      if (['auto', 'scroll'].includes(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth + 1)
        tell(box, 'a bar to scroll controls across');
  }
  return [...new Set(found)];
}"""


def clipped(page: Page) -> list[str]:
    """The texts in the outputs that are cut off, each with the box that cuts it."""
    return list(page.evaluate(CLIPPED))


def shrunk(page: Page) -> list[str]:
    """The pictures in the outputs that are shown so small that their words cannot be read."""
    return list(page.evaluate(SHRUNK, LEAST))


def screenshot(output: Locator) -> Image.Image:
    """What can be seen of an output, scrolled into sight."""
    return Image.open(io.BytesIO(output.screenshot())).convert("RGB")


def share_of_ink(image: Image.Image) -> float:
    """The share of pixels that are not of the commonest colour: next to nothing where nothing is drawn."""
    colours = image.getcolors(image.width * image.height)
    assert colours is not None  # None only where there are more colours than pixels
    return 1 - max(count for count, _ in colours) / (image.width * image.height)


def is_a_white_card(image: Image.Image, around: FloatRect, picture: FloatRect) -> bool:
    """Whether a picture's corners are white in the image of what is around it; both boxes are places on the page."""
    left, top = picture["x"] - around["x"] + 2, picture["y"] - around["y"] + 2
    right, bottom = left + picture["width"] - 4, top + picture["height"] - 4
    return {image.getpixel((round(x), round(y))) for x in (left, right) for y in (top, bottom)} == {(255, 255, 255)}


def barriers(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe-core finds in the outputs that is serious or critical, save what is known of standard ipywidgets:
    by all of its rules, or by a few."""
    from axe_playwright_python.sync_playwright import Axe

    options = {"runOnly": {"type": "rule", "values": rules}} if rules else None
    found = []
    window = page.viewport_size
    # axe looks at the colours of what is in sight alone: so let all be in sight.
    page.set_viewport_size({"width": window["width"], "height": page.evaluate(HEIGHT)})
    page.wait_for_function(IN_SIGHT)
    violations = Axe().run(page, context=OUTPUTS, options=options).response["violations"]
    page.set_viewport_size(window)
    for violation in violations:
        if violation["impact"] in ("serious", "critical"):
            for node in violation["nodes"]:
                if not has_a_twin(page, violation["id"], node["target"]):
                    found.append(f"{violation['id']}: {violation['help']}: {node['html'][:200]}")
    return found


def has_a_twin(page: Page, rule: str, target: list[str]) -> bool:
    """Whether a control with this fault is a known one, and all that it does can be done beside it."""
    control = page.locator(target[0])
    for (known, widget), twins in KNOWN.items():
        if known == rule and control.and_(page.locator(widget)).count():
            lab = control.locator("xpath=ancestor::*[contains(@class, 'jp-OutputArea-output')][1]")
            return all(lab.get_by_role(role, name=name, exact=True).count() == 1 for role, name in twins)
    return False

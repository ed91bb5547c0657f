"""Opens the site's pages in a headless Chromium: nothing may be wider than the window, links must lead somewhere, texts
must stand out from what they are drawn on (WCAG 2: 4.5 to 1, large ones 3 to 1), in light and dark, at three widths. At
the widest no block of code is cut, and prose never scrolls. Each C block has its whole program, the one that test_docs
runs, and a button selects and copies it. The search gives the pages of search_terms.txt first.

usage: check_pages.py SITE SCREENSHOTS    exit status 1: a page fails; 2: the command line is wrong; 77: no browser
"""
import pathlib
import re
import shutil
import sys

WIDTHS = (420, 900, 1280)
SHOWN = ("index", "md_docs_start", "md_docs_sales", "md_docs_operations_scan", "md_docs_coming_from", "scan_8h",
         "md_docs_performance_processors", "md_docs_renderer")

# What is wider than the window and in no box that scrolls.
OVERFLOW = """() => {
    const scrolls = node => {
        for (; node && node !== document.body; node = node.parentElement)
            if (/auto|scroll|hidden/.test(getComputedStyle(node).overflowX)) return true;
        return false;
    };
    const found = [];
    for (const node of document.querySelectorAll('#doc-content *, #top *')) {
        const box = node.getBoundingClientRect();
        if (box.width && box.right > innerWidth + 1 && !scrolls(node.parentElement) && node.checkVisibility())
            found.push(`${node.tagName.toLowerCase()} ${node.className} ends at ${Math.round(box.right)}`);
    }
    if (document.documentElement.scrollWidth > innerWidth + 1)
        found.push(`the page is ${document.documentElement.scrollWidth} wide`);
    return found.slice(0, 3);
}"""

# Blocks that must be scrolled to be read: code in a wide window, prose in any.
CUT = """code => [...document.querySelectorAll(code ? 'div.fragment, pre' : ['.textblock p', '.textblock dd', '.memdoc p',
        '.memdoc dd', '.memdoc pre', '#doc-content'])]
    .filter(node => node.checkVisibility() && getComputedStyle(node).display !== 'inline')
    .filter(node => node.scrollWidth > node.clientWidth + 1).slice(0, 3)
    .map(node => `cut by ${node.scrollWidth - node.clientWidth}: "${node.textContent.trim().slice(0, 40)}"`)"""

CONTRAST = """() => {
    const parts = text => {
        const n = text.match(/[0-9.]+/g).map(Number);
        return n.length > 3 ? n : [...n, 1];
    };
    const over = (top, below) => [0, 1, 2].map(k => top[k] * top[3] + below[k] * (1 - top[3]));
    const light = color => {
        const part = color.map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
    };
    const ground = node => {
        const layers = [];
        for (; node; node = node.parentElement) layers.push(parts(getComputedStyle(node).backgroundColor));
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
    };
    const found = new Map();
    let texts = 0;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
        const node = text.parentElement;
        if (!text.data.trim() || !node.checkVisibility() || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(node.tagName)) continue;
        ++texts;
        const style = getComputedStyle(node);
        const below = ground(node);
        const own = over(parts(style.color), below);
        const a = light(own), b = light(below);
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const size = parseFloat(style.fontSize);
        const least = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
        if (ratio < least)
            found.set(`${node.tagName.toLowerCase()} ${node.className}`,
                      `${ratio.toFixed(2)}: "${text.data.trim().slice(0, 30)}"`);
    }
    return [texts, [...found].slice(0, 3).map(([where, what]) => `${where}: contrast ${what}`)];
}"""

LINKS = """() => [...document.querySelectorAll('a[href], img[src], object[data]')]
    .map(node => node.href || node.src || node.data)
    .filter(address => address.startsWith('file:'))"""
IMAGES = "() => [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src)"

OPEN = "() => document.querySelectorAll('details').forEach(node => { node.open = true; })"
PROGRAMS = """() => [...document.querySelectorAll('details.program')].map(node => {
    node.querySelector('button')?.click();
    return [node.querySelector('pre').textContent, node.querySelector('a').href, getSelection().toString()];
})"""
PROJECT = pathlib.Path(__file__).resolve().parents[2]
C_BLOCK = re.compile(r"^(<!-- block: (?:file|skip).*\n)?```c$", re.MULTILINE)


def source_of(stem):
    """The page of the project that the site's page was made of, None: it has none."""
    if stem == "index":
        return PROJECT / "README.md"
    paths = [*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"), *PROJECT.glob("bench/*.md")]
    names = {"md_" + str(path.relative_to(PROJECT).with_suffix("")).replace("/", "_"): path for path in paths}
    return names.get(stem)


def program_faults(stem, programs):
    """What is wrong with the whole programs that a page shows."""
    source = source_of(stem)
    wanted = sum(not found.group(1) for found in C_BLOCK.finditer(source.read_text())) if source else 0
    wrong = [] if len(programs) == wanted else [f"{len(programs)} whole programs; expected {wanted}"]
    for text, address, selected in programs:
        path = pathlib.Path(address.removeprefix("file://"))
        if not path.exists() or path.read_text() != text:
            wrong.append(f"{path.name}: the page shows another text")
        if selected.strip() != text.strip():
            wrong.append(f"{path.name}: its button does not select it")
    return wrong


def broken(links):
    """Addresses of files that are not there. Places in pages are check_site.sh's."""
    paths = {link.removeprefix("file://").split("#")[0].split("?")[0] for link in links}
    return sorted(path for path in paths if not pathlib.Path(path).exists())


MENUS = {420: "#main-menu-state + .main-menu-btn", 900: "#nav-tree", 1280: "#nav-tree"}
FOUND = "typed => document.querySelector('#found')?.dataset.query === typed"


# Whether the first result can be clicked, and nothing lies over it.
FREE = """() => {
    const node = document.querySelector('#found a');
    const box = node?.getClientRects()[0]; // of its first line
    return !node || node.contains(document.elementFromPoint(box.x + 5, box.y + box.height / 2));
}"""


def search_faults(page, address):
    """Terms that lead to another page first than search_terms.txt says, and how many terms there are."""
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    lines = pathlib.Path(__file__).with_name("search_terms.txt").read_text().splitlines()
    terms = [line.split("\t") for line in lines if not line.startswith("#")]
    page.goto(address.as_uri(), wait_until="load")
    wrong = []
    if page.locator("#search input").count() != 1:
        return ["there is no search"], len(terms)
    for term, wanted in terms:
        page.fill("#search input", term)
        try:
            page.wait_for_function(FOUND, arg=term.lower(), timeout=20000)
        except Exception:  # no answer is an answer
            return [*wrong, f'search for "{term}": no answer'], len(terms)
        first = page.evaluate("document.querySelector('#found a')?.href ?? 'nothing'").split("/")[-1]
        if not page.evaluate(FREE):
            wrong.append(f'search for "{term}": something lies over its first result')
        if first.split("#")[0] != wanted:
            wrong.append(f'search for "{term}": {first} is first; expected {wanted}')
    return wrong, len(terms)


def check(page, address, screenshots):
    """What is wrong with one page, and how many texts it has."""
    if not address.exists():
        return ["is not there"], 0
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    page.goto(address.as_uri(), wait_until="load")
    page.evaluate(OPEN)
    wrong = [f"{path} is not there" for path in broken(page.evaluate(LINKS))]
    wrong += program_faults(address.stem, page.evaluate(PROGRAMS))
    wrong += [f"{source} is no picture" for source in page.evaluate(IMAGES)]
    texts = 0
    for width in WIDTHS:
        if width != WIDTHS[0]:
            page.set_viewport_size({"width": width, "height": 900})
            if address.stem in SHOWN:
                page.goto(address.as_uri(), wait_until="load")  # Doxygen's script asks for the width once
                page.evaluate(OPEN)
        if address.stem in SHOWN and not page.locator(MENUS[width]).is_visible():
            wrong.append(f"{width} wide: there is no menu, {MENUS[width]}")
        wrong += [f"{width} wide: {what}" for what in page.evaluate(OVERFLOW)]
        wrong += [f"{width} wide: prose is {what}" for what in page.evaluate(CUT, False)]
        if width == WIDTHS[-1]:
            wrong += [f"{width} wide: code is {what}" for what in page.evaluate(CUT, True)]
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            if address.stem in SHOWN:
                page.screenshot(path=screenshots / f"{address.stem}-{width}-{scheme}.png")
            if width == WIDTHS[0] and address.stem not in SHOWN:
                continue  # colours do not depend on the width, except for the menu, which all pages share
            texts, faint = page.evaluate(CONTRAST)
            wrong += [f"{width} wide, {scheme}: {what}" for what in faint]
            if texts < 20:
                wrong.append(f"{texts} texts: the page is nearly empty")
    return wrong, texts


def main():
    if sys.argv[1:] == ["--help"]:
        print(__doc__)
        return 0
    if len(sys.argv) != 3 or not pathlib.Path(sys.argv[1], "index.html").exists():
        print(__doc__.strip().splitlines()[-1], file=sys.stderr)
        return 2
    chromium = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if not chromium:
        print("check_pages: chromium or Playwright not found (Debian: chromium; PyPI: docs/site/requirements.txt)")
        return 77
    site, screenshots = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    screenshots.mkdir(parents=True, exist_ok=True)
    addresses = sorted(site / f"{name}.html" for name in {*SHOWN, *(p.stem for p in site.glob("md_*.html"))})
    addresses += sorted({*site.glob("*_8h.html"), *site.glob("*_8hpp.html")} - {*addresses})
    failures = seen = 0
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        for address in addresses:
            wrong, texts = check(page, address, screenshots)
            seen += texts
            failures += len(wrong)
            for what in wrong:
                print(f"{address.stem}: {what}")
        wrong, terms = search_faults(page, site / "index.html")
        failures += len(wrong)
        for what in wrong:
            print(what)
        browser.close()
    print(f"check_pages: {len(addresses)} pages, {terms} searches, {seen} texts, {failures} failures;",
          f"pictures in {screenshots}")
    return 1 if failures else 0


sys.exit(main())

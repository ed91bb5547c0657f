"""Makes search_index.js of the site's pages: the index that search.js looks into, by lunr (Debian: python3-lunr).

usage: search_index.py SITE    exit status 2: the command line is wrong

The index has an entry for each page, each section of a page and each public name. A page may name further words that
its readers look for, by a comment:

    <!-- search: total, add up -->
"""
import html.parser
import json
import pathlib
import re
import sys

import lunr
from lunr.__main__ import get_default_builder
from lunr.stemmer import porter_stemmer
from lunr.stop_word_filter import WORDS as COMMON

PROJECT = pathlib.Path(__file__).resolve().parents[2]
FIELDS = (("title", 12), ("words", 40), ("headings", 3), ("names", 1), ("text", 1))


def normal(text):
    """The words of a text as search.js makes them too; of a name also what follows its prefix."""
    words = re.sub(r"[^a-z0-9_]+", " ", text.lower().replace("c++", "cpp")).split()
    return " ".join(words + [word[4:] for word in words if re.match(r"mcl_.", word)])


def end_in_y():
    """The stem of a word in y, as lunr.js makes it: that of "key" is "key", where lunr's of Python is "kei"."""
    stem = porter_stemmer
    if re.fullmatch(r".+[^aeiou]y", stem.b[: stem.k + 1]):
        stem.b = stem.b[: stem.k] + "i" + stem.b[stem.k + 1 :]


def marked(text):
    """Words of a comment. The index leaves out common ones such as "any": of these each gets a mark, as in search.js."""
    return " ".join(word + "_" if word in COMMON else word for word in normal(text).split())


class Page(html.parser.HTMLParser):
    """The title of a page, and its sections: heading, place in the page, text, names in code."""

    VOID = {"img", "br", "hr", "meta", "link", "input"}

    def __init__(self, text):
        super().__init__()
        self.title = ""
        self.sections = [["", "", "", set()]]
        self.names = []  # public names that a header's page declares: name, address, what it is
        self.stack = []
        self.in_name = False
        self.feed(text)

    def inside(self, *marks):
        return any(mark in self.stack for mark in marks)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        kinds = attrs.get("class", "").split()
        if tag not in self.VOID:
            self.stack.append(f"{tag}.{kinds[0]}" if kinds else tag)
        if not self.inside("div.contents"):
            return
        if tag in ("h1", "h2") and not self.inside("div.memitem") and not {"memtitle", "groupheader"} & {*kinds}:
            self.sections.append(["", "", "", set()])
        if tag == "a" and "anchor" in kinds and self.inside("h1", "h2"):
            self.sections[-1][1] = attrs.get("id", "")
        if tag == "td" and "memItemRight" in kinds:
            self.names.append(["", "", ""])
        self.in_name = tag == "a" and self.inside("td.memItemRight") and not self.names[-1][1]
        if self.in_name:
            self.names[-1][1] = attrs.get("href", "")

    def handle_endtag(self, tag):
        self.in_name = False
        open_tags = [mark.split(".")[0] for mark in self.stack]
        if tag in open_tags:
            del self.stack[len(open_tags) - 1 - open_tags[::-1].index(tag) :]

    def handle_data(self, data):
        if self.inside("div.title") and not self.inside("div.contents"):
            self.title += data
        if not self.inside("div.contents") or self.inside("details.program", "script", "style", "div.toc"):
            return
        section = self.sections[-1]
        if self.inside("h1", "h2") and len(self.sections) > 1:
            section[0] += data
        elif self.inside("div.fragment", "pre.fragment", "code", "table.memberdecls"):
            section[3].update(re.findall(r"\bmcl_\w+|\bMCL_\w+", data))
        if not self.inside("h1", "h2", "div.fragment", "table.memberdecls"):
            section[2] += data
        if self.in_name:
            self.names[-1][0] += data
        if self.names and self.inside("td.mdescRight") and data != "More...":
            self.names[-1][2] += data


def first_sentence(text):
    found = re.split(r"(?<=[.]) ", " ".join(text.split()) + " ")[0].strip()
    return found if len(found) <= 160 else found[:160].rsplit(" ", 1)[0] + " ..."


def extra_words(stem):
    """The words of a page's comment."""
    sources = [PROJECT / "README.md"] if stem == "index" else [
        path for folder in (".", "docs", "docs/operations", "bench") for path in (PROJECT / folder).glob("*.md")
        if "md_" + str(path.relative_to(PROJECT).with_suffix("")).replace("/", "_") == stem]
    found = [re.search(r"^<!-- search: (.*?) -->$", path.read_text(), re.M) for path in sources]
    return " ".join(match[1] for match in found if match)


def main():
    if sys.argv[1:] == ["--help"]:
        print(__doc__)
        return 0
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1], "index.html").exists():
        print("usage: search_index.py SITE", file=sys.stderr)
        return 2
    site = pathlib.Path(sys.argv[1])
    entries = []  # title, address, what it is, number of its page's entry
    documents = []

    def add(title, address, about, page, boost, **texts):
        fields = {"ref": str(len(entries)), "title": normal(title)}
        fields |= {name: (marked if name == "words" else normal)(texts.get(name, "")) for name, _ in FIELDS[1:]}
        documents.append((fields, {"boost": boost}))
        entries.append([title, address, about, page])

    pages = [site / "index.html", *site.glob("md_*.html")]
    headers = [*site.glob("*_8h.html"), *site.glob("*_8hpp.html")]
    for path in sorted([*pages, *headers, *site.glob("python_reference.html")]):
        page = Page(path.read_text())
        is_header = path in headers
        title = page.title.strip().removesuffix(" File Reference")
        number = len(entries)
        add(title, path.name, first_sentence(page.sections[0][2]), -1, 0.25 if path not in pages else 2,
            words=extra_words(path.stem),
            headings=" ".join(section[0] for section in page.sections),
            names=" ".join(sorted(set().union(*(section[3] for section in page.sections)))),
            text=" ".join(section[2] for section in page.sections))
        for heading, place, text, names in [] if is_header else page.sections[1:]:
            add(heading.strip(), f"{path.name}#{place}", "", number, 1, text=text, names=" ".join(sorted(names)))
        declared = {}
        for name, address, about in page.names if is_header else []:
            if re.match(r"mcl_|MCL_", name):
                declared.setdefault(name, [address, ""])[1] += about
        for name, (address, about) in declared.items():
            if address.startswith(path.name) or address.startswith(("struct", "union")):
                add(name, address, first_sentence(about), -1, 0.1, text=about)

    porter_stemmer.step1c = end_in_y
    builder = get_default_builder()
    builder.b(0.2)  # a page with many of a reader's words is about no less than one with few
    index = lunr.lunr(ref="ref", fields=[{"field_name": name, "boost": boost} for name, boost in FIELDS],
                      documents=documents, builder=builder)
    text = json.dumps({"entries": entries, "index": index.serialize()}, separators=(",", ":"))
    (site / "search_index.js").write_text(f"const searchIndex = {text};\n")
    print(f"search_index: {len(entries)} entries, {len(text)} bytes")
    return 0


sys.exit(main())

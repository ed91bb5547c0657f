"""What the C headers and shapes.txt say of each function, as Python's module, its stubs and its page know it."""

import dataclasses
import keyword
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
HEADS = ("moderncl.h", "opencl.h", "cuda.h")


@dataclasses.dataclass
class Parameter:
    word: str  # its name in C
    kind: str  # its type in C
    is_list: bool  # a pointer whose count follows: one list in Python

    @property
    def name(self):
        return self.word + "_" if keyword.iskeyword(self.word) else self.word


@dataclasses.dataclass
class Function:
    name: str  # without mcl_
    result: str
    parameters: list  # all of C's
    comment: str
    header: str
    shapes: str

    def in_python(self):
        """The parameters of Python: without the counts of lists."""
        kept, after_list = [], False
        for parameter in self.parameters:
            if not after_list:
                kept.append(parameter)
            after_list = parameter.is_list
        return kept

    def may_be_left_out(self, parameter):
        """Whether a call returns what the parameter receives, or passes NULL for it."""
        is_last = parameter is self.in_python()[-1]
        return (
            parameter.kind in ("mcl_result", "mcl_sort_report *")
            or bool(re.fullmatch(r"mcl_\w+ \*\*", parameter.kind))
            or (is_last and parameter.kind in STORED)
        )

    def summary(self):
        """The first sentence of the comment."""
        text = " ".join(self.comment.split("\n\n")[0].split())
        return re.split(r"(?<=[.:]) (?=[A-Z])", text, maxsplit=1)[0]


STORED = ("int *", "double *", "size_t *", "mcl_tile *")  # what a last parameter receives


def with_includes(path, seen):
    """The text of a header and of those that it includes, each once, without the headers of other libraries."""
    if path in seen:
        return ""
    seen.append(path)
    lines = []
    for line in path.read_text().splitlines():
        included = re.match(r'#include ([<"])(.*)[>"]', line)
        if not included:
            lines.append(line)
        elif included[1] == '"':
            lines.append(with_includes(path.parent / included[2], seen))
    return "\n".join(lines)


def all_headers(include):
    """(the text of all headers that Python knows, their paths)"""
    seen = []
    text = "\n".join(with_includes(include / "moderncl" / head, seen) for head in HEADS)
    return text, seen


def sentences(comment):
    """The text of a C comment without its stars."""
    lines = [re.sub(r"^ ?\* ?", "", line) for line in comment.strip().splitlines()]
    return "\n".join(lines).strip()


def read_shapes():
    """The text of shapes.txt for each function; parameters have Python's names."""
    found = {}
    for line in (HERE / "shapes.txt").read_text().splitlines():
        if not line.startswith("#"):
            name, text = line.split(": ", 1)
            found[name] = re.sub(r"(^|, )in \(", r"\1in_ (", text)
    return found


def functions(include):
    """A Function for each function of the headers, in the order of the headers."""
    pattern = r"(?:/\*((?:[^*]|\*(?!/))*)\*/\n)?MCL_API ([^;{]*?)(mcl_\w+)\(([^;{]*)\);"
    shapes = read_shapes()
    for path in all_headers(include)[1]:
        for comment, result, name, declared in re.findall(pattern, path.read_text()):
            pairs = [
                re.fullmatch(r"\s*(.*?)(\w+)", one).groups()
                for one in re.sub(r"\s+", " ", declared).split(",")
                if one.strip() != "void"
            ]
            parameters = []
            for k, (kind, word) in enumerate(pairs):
                following = pairs[k + 1] if k + 1 < len(pairs) else ("", "")
                is_list = (
                    following[0].strip() == "int" and "count" in following[1]
                    and bool(re.fullmatch(r"const (?!mcl_op)\w+ \*|mcl_event \*const \*", kind))
                )
                parameters.append(Parameter(word, kind.strip(), is_list))
            short = name[4:]
            yield Function(short, result.strip(), parameters, sentences(comment), path.name, shapes.get(short, ""))


def by_hand():
    """The pattern of the functions that the module does not make of their declarations, from _functions.py."""
    text = (HERE / "src/moderncl/_functions.py").read_text()
    return re.compile("".join(re.findall(r'"(.*)"', re.search(r"_BY_HAND = re.compile\((.*?)\n\)", text, re.S)[1])))

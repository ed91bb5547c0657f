"""Writes the site's page of the Python module, of the C headers, shapes.txt and the module's own files.
usage: reference.py INCLUDE_FOLDER PAGE"""

import ast
import html
import pathlib
import re
import sys

import headers

HEAD = """# The Python module {#python_reference}

Every class and function of `moderncl`. The docstring of a function, which `help(moderncl.sort)` shows, is the whole
comment of its C header. docs/bindings.md says how the package is built, what operands may be, and how C's parameters
become Python's.

A shape such as (n,) is that of a sequence of n elements. An output may be longer. An operator is its text, such as
"p < q", or an object, such as `moderncl.LESS`. A parameter with the default `...` may be left out: the call then
returns what it would receive, or gives it nowhere. `options` are keywords: the members of `mcl_options`.
"""


def plain(text):
    """Text that neither Markdown nor Doxygen takes for more than its words."""
    text = html.escape(" ".join(text.split()), quote=False)
    return re.sub(r"([\\@#*])", r"\\\1", text)


def item(code, text):
    return f"- `{code}`" + (f"<br>{plain(text)}" if text else "") + "\n"


def first_paragraph(node):
    return (ast.get_docstring(node) or "").split("\n\n")[0]


def parameters(node):
    """The parameters of a function of Python's, without their types."""
    names = [one.arg for one in node.args.args]
    defaults = [None] * (len(names) - len(node.args.defaults)) + [ast.unparse(one) for one in node.args.defaults]
    shown = [
        name if default is None else f"{name}={default}"
        for name, default in zip(names, defaults) if name not in ("self", "cls", "pointer")
    ]
    shown += ["*"] * bool(node.args.kwonlyargs)
    shown += [f"{one.arg}={ast.unparse(value)}" for one, value in zip(node.args.kwonlyargs, node.args.kw_defaults)]
    return ", ".join(shown + ([f"**{node.args.kwarg.arg}"] if node.args.kwarg else []))


def classes(path):
    """A section for each class that the package shows."""
    shown = re.findall(r"\w+", re.search(r"from \._objects import (.*)", (path / "__init__.py").read_text())[1])
    yield "\n## Classes\n"
    for node in ast.parse((path / "_objects.py").read_text()).body:
        if not isinstance(node, ast.ClassDef) or node.name not in shown or not ast.get_docstring(node):
            continue
        yield f"\n### {node.name}\n\n{plain(first_paragraph(node))}\n\n"
        for member in node.body:
            if not isinstance(member, ast.FunctionDef) or any("overload" in ast.unparse(d) for d in member.decorator_list):
                continue
            kinds = [ast.unparse(one) for one in member.decorator_list]
            if member.name == "__init__" and parameters(member) and node.name not in ("Array", "Slot", "Input", "Struct"):
                yield item(f"{node.name}({parameters(member)})", "")
            elif "property" in kinds and first_paragraph(member):
                yield item(f"{node.name}.{member.name}", first_paragraph(member))
            elif first_paragraph(member):
                yield item(f"{node.name}.{member.name}({parameters(member)})", first_paragraph(member))


def module(path, title):
    """A section for the functions of one of the module's own files."""
    yield f"\n## {title}\n\n"
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name[0] != "_":
            yield item(f"{node.name}({parameters(node)})", first_paragraph(node))


def signature(function):
    """As inspect.signature shows it."""
    listed, at_end = [], True
    for parameter in reversed([one for one in function.in_python() if one.name != "options"]):
        at_end = at_end and function.may_be_left_out(parameter)
        listed.insert(0, parameter.name + ("=..." if at_end else ""))
    has_options = any(one.name == "options" for one in function.parameters)
    return f"{function.name}({', '.join(listed + ['**options'] * has_options)})"


def functions(include):
    by_hand = headers.by_hand()
    header = None
    yield "\n## Functions\n"
    for function in headers.functions(include):
        if by_hand.fullmatch(function.name):
            continue
        if function.header != header:
            header = function.header
            yield f"\n### moderncl/{header}\n\n"
        words = [function.summary(), f"Shapes: {function.shapes}." if function.shapes else ""]
        yield item(signature(function), " ".join([*filter(None, words), f"In C: mcl_{function.name}()."]))


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        raise SystemExit(2)
    path = headers.HERE / "src/moderncl"
    parts = [HEAD, *classes(path), *module(path / "_makers.py", "Operators and computed inputs"),
             *module(path / "_host.py", "Arrays larger than a device"), *functions(pathlib.Path(sys.argv[1]))]
    page = pathlib.Path(sys.argv[2])
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("".join(parts))


main()

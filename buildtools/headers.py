"""Writes the ``.pxd`` of hot modules: numbers of a layout, C functions and C classes.

A function becomes a C function where C has all types of its annotations, a method likewise. Python sees it too if it
is a method or takes an object. Every class becomes a C class. An attribute has the type that the class says, else that
of the value that ``__init__`` gives it. Modules and classes that are imported from hot modules are cimported.
"""

from __future__ import annotations

import ast
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from solver import compiled_form

TYPES = {"int": "I", "float": "double", "Word": "U", "None": "void"}
OBJECTS = {"Any": "object", "bytes": "bytes", "dict": "dict", "list": "list", "tuple": "tuple"}
ITEMS = {
    "Shorts": "short",
    "Row": "short",
    "Table": "int",
    "Ints": "int",
    "Longs": "I",
    "Words": "U",
    "Halves": "unsigned int",
    "Doubles": "double",
    "Letters": "unsigned char",
    "Key": "const unsigned char",
}
"""Items of lists: functions have pointers to the first one, methods and attributes views of all of them."""
POINTER, VIEW = "{} *", "{}[::1]"
TYPECODES = {"b": "signed char", "B": "unsigned char", "h": "short", "i": "int", "q": "I", "Q": "U", "d": "double"}
"""Items of arrays."""
PRELUDE = "from solver.search.native cimport I, U\n"


def write_headers() -> list[Path]:
    """Write each header whose text has changed, and return all of them."""
    texts = {path.with_suffix(".pxd"): _numbers(path) for path in compiled_form.layouts()}
    for path in compiled_form.hot_modules().values():
        texts[path.with_suffix(".pxd")] = compiled_form.MARK + PRELUDE + "".join(_declarations(_tree(path)))
    for path, text in texts.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
    return list(texts)


def _numbers(path: Path) -> str:
    """Return the numbers of a layout as C constants."""
    numbers = {name: value for name, value in runpy.run_path(str(path)).items() if type(value) is int}
    return "cdef enum:\n" + "".join(f"    {name} = {value}\n" for name, value in numbers.items())


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def _classes() -> dict[str, ast.ClassDef]:
    """Return the classes of all hot modules by name."""
    nodes = [node for path in compiled_form.hot_modules().values() for node in _tree(path).body]
    return {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}


def _declarations(module: ast.Module) -> Iterator[str]:
    """Yield the lines of the header of a module."""
    hot = compiled_form.hot_modules()
    modules = {*hot, *map(compiled_form.module_name, (*compiled_form.layouts(), *compiled_form.headers_by_hand()))}
    for node in module.body:
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                if f"{node.module}.{name.name}" in modules or (node.module in hot and name.name in _classes()):
                    yield f"from {node.module} cimport {name.name} as {name.asname or name.name}\n"
        elif isinstance(node, ast.FunctionDef):
            yield _signature(node)
        elif isinstance(node, ast.ClassDef):
            bases = [ast.unparse(base) for base in node.bases]
            inherited = {name for base in bases for name in _attributes(_classes()[base])}
            yield f"cdef class {node.name}({', '.join(bases)}):\n"
            for name, kind in _attributes(node).items():
                if name not in inherited:
                    yield f"    cdef public {kind} {name}\n"
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and (signature := _signature(method, "self")):
                    yield f"    {signature}"


def _signature(node: ast.FunctionDef, *first: str) -> str:
    """Return the declaration of a function in C, a method's with its ``self``; nothing where it is one of Python's."""
    arguments = node.args.args[len(first) :]
    kinds = [_kind(each, VIEW if first else POINTER) for each in (*(one.annotation for one in arguments), node.returns)]
    if not all(kinds) or node.args.defaults or node.args.vararg or node.decorator_list or node.name.startswith("__"):
        return ""
    *types, result = kinds
    words = [*first, *(f"{kind} {argument.arg}" for kind, argument in zip(types, arguments, strict=True))]
    signature = f"{result} {node.name}({', '.join(words)})"
    # Python calls methods and what takes its objects.
    return f"cpdef {signature}\n" if first or {*OBJECTS.values()} & {*kinds} else f"cdef {signature} noexcept nogil\n"


def _kind(annotation: ast.expr | None, list_of: str) -> str:
    """Return the type in C of an annotation; nothing where it has none."""
    name = ast.unparse(annotation).split("[")[0] if annotation else ""
    if name in ITEMS:
        return list_of.format(ITEMS[name])
    return TYPES.get(name) or OBJECTS.get(name) or (name if name in _classes() else "")


def _attributes(node: ast.ClassDef) -> dict[str, str]:
    """Return the types of the attributes that a class has, those of its bases first."""
    found: dict[str, str] = {}
    for base in node.bases:
        found |= _attributes(_classes()[ast.unparse(base)])
    for part in node.body:
        if isinstance(part, ast.AnnAssign):
            found[ast.unparse(part.target)] = _kind(part.annotation, VIEW) or "object"
        elif isinstance(part, ast.FunctionDef) and part.name == "__init__":
            parameters = {argument.arg: _kind(argument.annotation, VIEW) for argument in part.args.args}
            for step in part.body:
                if isinstance(step, ast.Assign):
                    for target in step.targets:
                        if isinstance(target, ast.Attribute):
                            found.setdefault(target.attr, _kind_of(step.value, parameters))
    return found


def _kind_of(value: ast.expr, parameters: dict[str, str]) -> str:
    """Return the type of a value that an attribute begins with."""
    match value:
        case ast.Constant(value=int()) | ast.Attribute(value=ast.Name(id="L" | "V" | "P")):  # numbers of layouts
            return "I"
        case ast.Constant(value=float()):
            return "double"
        case ast.Name(id=name):
            return parameters.get(name) or "object"
        case ast.Call(func=ast.Name(id="array"), args=[ast.Constant(value=code), *_]):
            return VIEW.format(TYPECODES[code])
    return "object"

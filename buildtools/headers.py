"""Writes the ``.pxd`` of hot modules: numbers of a layout, and the C functions of a module that has no other types.

A function becomes a C function where all its annotations are keys of ``C_TYPES``. What it imports of other hot modules
is cimported.
"""

from __future__ import annotations

import ast
import runpy
from collections.abc import Iterator
from pathlib import Path

from solver import compiled_form

C_TYPES = {
    "int": "I",
    "float": "double",
    "None": "void",
    "Row": "short *",
    "Table": "int *",
    "Longs": "I *",
    "Ints": "int *",
}
PRELUDE = """from libc.string cimport memcpy
from solver.search.pointers cimport ints
ctypedef long long I
"""


def write_headers() -> list[Path]:
    """Write each header whose text has changed, and return all of them."""
    texts = {path.with_suffix(".pxd"): _numbers(path) for path in compiled_form.layouts()}
    for path in compiled_form.hot_modules().values():
        if compiled_form.is_written(header := path.with_suffix(".pxd")):
            texts[header] = "".join(_functions(ast.parse(path.read_text("utf-8"))))
    for path, text in texts.items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
    return list(texts)


def _numbers(path: Path) -> str:
    """Return the numbers of a layout as C constants."""
    numbers = {name: value for name, value in runpy.run_path(str(path)).items() if type(value) is int}
    return "cdef enum:\n" + "".join(f"    {name} = {value}\n" for name, value in numbers.items())


def _functions(module: ast.Module) -> Iterator[str]:
    """Yield the lines of the header of a module."""
    yield compiled_form.MARK + PRELUDE
    modules = {*compiled_form.hot_modules(), *map(compiled_form.module_name, compiled_form.layouts())}
    for node in module.body:
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                if f"{node.module}.{name.name}" in modules:
                    yield f"from {node.module} cimport {name.name} as {name.asname or name.name}\n"
        elif isinstance(node, ast.FunctionDef):
            yield _signature(node)


def _signature(node: ast.FunctionDef) -> str:
    """Return the declaration of a function in C; nothing where it is one of Python's."""
    kinds = [ast.unparse(each) if each else "" for each in (*(arg.annotation for arg in node.args.args), node.returns)]
    if not all(kind in C_TYPES for kind in kinds):
        return ""
    *types, result = (C_TYPES[kind] for kind in kinds)
    arguments = ", ".join(f"{kind} {arg.arg}" for kind, arg in zip(types, node.args.args, strict=True))
    return f"cdef {result} {node.name}({arguments}) noexcept nogil\n"

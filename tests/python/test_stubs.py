"""The type stubs describe what is there."""
import ast
import inspect
from pathlib import Path

import plenosr as ps

STUBS = ast.parse((Path(ps.__file__).parent / "__init__.pyi").read_text(encoding="utf-8"))


def test_stubs_have_every_public_name():
    names = {node.name for node in STUBS.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert names == set(ps.__all__)
    assert (Path(ps.__file__).parent / "py.typed").exists()


def test_stubs_have_every_parameter():
    for node in STUBS.body:
        if isinstance(node, ast.FunctionDef):
            arguments = [argument.arg for argument in node.args.args + node.args.kwonlyargs]
            assert arguments == list(inspect.signature(getattr(ps, node.name)).parameters), node.name


def test_stubs_have_every_member():
    for node in STUBS.body:
        if isinstance(node, ast.ClassDef) and node.name in ("LightField", "Result", "AllViewsResult", "DisparityResult"):
            stubs = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            public = {name for name, value in inspect.getmembers(getattr(ps, node.name))
                      if not name.startswith("_") and (callable(value) or isinstance(value, property))}
            assert public == {name for name in stubs if not name.startswith("_")}

"""Writes the type stubs of the package: make_stubs.py CORE_MODULE TEMPLATE OUTPUT

In the template, a line of the form {options: LIST …} becomes one keyword per option of these lists.
"""
import importlib.util
import re
import sys

LINE = re.compile(r"^( *)\{options: ([a-z_ ]+)\}\n", re.MULTILINE)


def load(path):
    spec = importlib.util.spec_from_file_location("_core", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def type_of(values):
    """The type of a keyword from the values that the help shows, e.g. auto|N or on|off."""
    words = values.split("|")
    if words == ["on", "off"]:
        return "bool | str"
    if all(re.fullmatch(r"[a-z0-9+-]+", word) for word in words):
        return "Literal[" + ", ".join(f'"{word}"' for word in words) + "]"
    if set(words) <= {"auto", "N", "Z"}:
        return "int | str"
    if set(words) <= {"auto", "X"}:
        return "float | str"
    return "Value"


def keywords(core, indent, lists):
    lines, seen = [], set()
    for name in lists.split():
        for option, values, *_ in core.option_lists()[name]:
            word = "lambda_" if option == "lambda" else option.replace("-", "_")
            if word in seen:
                continue
            seen.add(word)
            kind = type_of(values)
            if option == "denoiser":
                kind += " | Denoiser"
            lines.append(f"{indent}{word}: {kind} | None = None,\n")
    return "".join(lines)


def main(module, template, output):
    core = load(module)
    with open(template, encoding="utf-8") as file:
        text = file.read()
    text = LINE.sub(lambda match: keywords(core, match[1], match[2]), text)
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Options as keywords. They are those of the program: `-` becomes `_`, and `lambda` is `lambda_`."""
import inspect
import os
import textwrap

from . import _core
from ._errors import OptionError, UnknownOptionError

OPTION_LISTS = _core.option_lists()
_REAL_NAMES = {"lambda_": "lambda"}  # words that Python reserves


def keyword(name):
    """The keyword for an option of the program."""
    word = name.replace("-", "_")
    return word + "_" if word in _REAL_NAMES.values() else word


def option_name(word):
    return _REAL_NAMES.get(word, word.replace("_", "-"))


def text_of(name, value):
    """A value as the program takes it."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "on" if value else "off"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (tuple, list)):
        return ("x" if name == "grid" else ",").join(text_of(name, part) for part in value)
    if hasattr(value, "item"):  # a NumPy scalar
        value = value.item()
    if isinstance(value, (int, float)):
        return repr(value)
    raise OptionError(
        f"{keyword(name)} = {value!r} must be a number, a string, a bool or a tuple of them"
    )


def path_or_array(given):
    """A path as a string; anything else as it is."""
    return os.fspath(given) if isinstance(given, (str, os.PathLike)) else given


def split(function, keywords, lists, others=()):
    """The given keywords as one list of (name, text) for each of `lists`, in that order.

    None stands for the default. `others` are keywords that the function takes besides.
    """
    known = {option[0]: i for i, name in reversed(list(enumerate(lists))) for option in OPTION_LISTS[name]}
    given = [[] for _ in lists]
    for word, value in keywords.items():
        name = option_name(word)
        if name not in known or word != keyword(name):
            words = list(known) + [option_name(other) for other in others]
            similar = _core.similar_word(option_name(word.rstrip("_")), words)
            hint = f"did you mean {keyword(similar)}?" if similar else f"help(plenosr.{function}) lists all"
            raise UnknownOptionError(f"{function} has no option {word}; {hint}")
        if value is not None:
            given[known[name]].append((name, text_of(name, value)))
    return given


def documented(lists, others=()):
    """Adds the options of `lists` to a function's docstring and signature."""

    def change(function):
        lines, parameters, seen = [], [], set()
        for name in lists:
            for option, values, description, default, _ in OPTION_LISTS[name]:
                if option in seen:
                    continue
                seen.add(option)
                word = keyword(option)
                lines.append(f"{word} : {values}, default {default or 'none'}")
                lines += textwrap.wrap(description, 84, initial_indent="    ", subsequent_indent="    ")
                parameters.append(inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, default=None))
        text = inspect.cleandoc(function.__doc__)
        function.__doc__ = text + "\n\nOptions\n-------\n" + "\n".join(lines) + "\n"
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        function.__signature__ = signature.replace(parameters=own + parameters)
        return function

    return change


class Options(dict):
    """Checked options of a function, for use as keywords: ``reconstruct(lf, **options)``.

    It is a dict, so it pickles, copies and compares like one.

    >>> Options("reconstruct", scale=2, lambda_=0.3)
    """

    LISTS = {"reconstruct": ("reconstruct", "open"), "frames": ("frames_solver", "frames"),
             "disparity": ("disparity", "open"), "open": ("open",), "synth": ("synth",),
             "degrade": ("degrade",), "convert": ("convert", "open")}

    def __init__(self, function, **keywords):
        if function not in self.LISTS:
            raise OptionError(f"function = {function} must be one of {'|'.join(self.LISTS)}")
        for name, given in zip(self.LISTS[function], split(function, keywords, self.LISTS[function])):
            _core.check_options(name, given)
        super().__init__(keywords)
        self.function = function

    def __reduce__(self):
        return _restored, (self.function, dict(self))

    def __repr__(self):
        words = "".join(f", {word}={value!r}" for word, value in self.items())
        return f"Options({self.function!r}{words})"


def _restored(function, keywords):
    return Options(function, **keywords)

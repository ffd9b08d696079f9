"""The module refuses with the program's sentences."""
import copy
import inspect
import pickle

import pytest
from conftest import refusal_of_program

import plenosr as ps


@pytest.mark.parametrize("keywords, flags", [
    ({"scale": 1}, ["--scale", "1"]),
    ({"lambda_": -2.5}, ["--lambda", "-2.5"]),
    ({"data": "l3"}, ["--data", "l3"]),
    ({"view": (9, 9)}, ["--view", "9,9"]),
    ({"views": "0x0"}, ["--views", "0x0"]),
    ({"disparity": "missing.pfm"}, ["--disparity", "missing.pfm"]),
    ({"disparity_from": "nowhere"}, ["--disparity-from", "nowhere"]),
    ({"device": "abacus"}, ["--device", "abacus"]),
    ({"solver": "gd", "data": "mixture"}, ["--solver", "gd", "--data", "mixture"]),
])
def test_the_sentence_is_that_of_the_program(scene, tmp_path, keywords, flags):
    sentence = refusal_of_program("reconstruct", scene / "lr", "-o", tmp_path / "out.png", *flags)
    with pytest.raises(ps.Error) as error:
        ps.reconstruct(scene / "lr", **keywords)
    assert str(error.value).rstrip(".") == sentence


def test_missing_inputs(tmp_path):
    sentence = refusal_of_program("reconstruct", tmp_path / "none", "-o", tmp_path / "out.png")
    with pytest.raises(ps.InputError) as error:
        ps.open(tmp_path / "none")
    assert str(error.value).rstrip(".") == sentence
    with pytest.raises(ps.InputError):
        ps.frames([tmp_path / "none.png"])
    with pytest.raises(ps.InputError):
        ps.frames([])


def test_a_misspelt_keyword_suggests(views):
    with pytest.raises(ps.UnknownOptionError, match=r"reconstruct has no option lamda; did you mean lambda_\?"):
        ps.reconstruct(views, lamda=0.1)
    with pytest.raises(TypeError, match=r"did you mean progress\?"):
        ps.disparity(views, progres=True)
    with pytest.raises(ps.OptionError, match="lists all"):
        ps.open("x", lambda_=1)


def test_outputs_that_cannot_be_written(views, tmp_path):
    result = ps.reconstruct(views, scale=2, iterations=0)
    with pytest.raises(ps.OutputError):
        result.save(tmp_path / "out.txt")
    with pytest.raises(ps.OptionError, match="bits = 12 must be one of 8|16|float"):
        result.save(tmp_path / "out.png", bits=12)
    assert not list(tmp_path.iterdir())


def test_options_are_checked_and_pickle(views):
    options = ps.Options("reconstruct", scale=2, lambda_=0.3, iterations=1)
    again = pickle.loads(pickle.dumps(options))
    assert again == options and again.function == "reconstruct" and copy.deepcopy(options) == options
    assert (ps.reconstruct(views, **again).image == ps.reconstruct(views, **options).image).all()
    with pytest.raises(ps.OptionError, match="scale = 1 must be"):
        ps.Options("reconstruct", scale=1)
    with pytest.raises(ps.OptionError, match="function = paint"):
        ps.Options("paint")


def test_every_option_is_documented():
    for function in (ps.reconstruct, ps.frames, ps.disparity, ps.open):
        for name in ps.Options.LISTS[function.__name__]:
            for option, *_ in ps._core.option_lists()[name]:
                word = "lambda_" if option == "lambda" else option.replace("-", "_")
                assert f"\n{word} : " in function.__doc__
                assert word in inspect.signature(function).parameters

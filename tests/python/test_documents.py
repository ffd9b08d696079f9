"""The code of docs/python.md runs, and docs/python-api.md is that of the module."""
import re
import runpy
import shutil
from pathlib import Path

from conftest import run_program

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_code_of_the_tutorial_runs(burst, tmp_path, monkeypatch, capfd):
    run_program("synth", "-o", tmp_path / "hr", "--grid", 5, "--width", 96, "--height", 64)
    run_program("degrade", tmp_path / "hr", "-o", tmp_path / "my_light_field", "--scale", 2, "--gaussian", 1,
                "--colour", "rgb")
    shutil.copytree(burst, tmp_path / "my_burst")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 8
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert "did you mean lambda_?" in capfd.readouterr().out
    assert Path("sharp.png").exists() and Path("centre.pfm").exists() and Path("all_views").is_dir()


def test_the_api_reference_is_up_to_date():
    root = PAGE.parents[1]
    script = runpy.run_path(str(root / "scripts" / "update_python_api"))
    written = (root / "docs" / "python-api.md").read_text(encoding="utf-8")
    assert written == script["reference"](), "scripts/update_python_api writes it"

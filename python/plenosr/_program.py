"""The command-line program, as `pip install` brings it."""
import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "plenosr")
    os.execv(program, ["plenosr", *sys.argv[1:]])

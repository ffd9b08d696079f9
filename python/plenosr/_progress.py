"""Progress: a callback of the user, or a bar of tqdm."""
from collections import namedtuple
from contextlib import contextmanager

from ._errors import require

ProgressEvent = namedtuple("ProgressEvent", "stage step steps cost fraction")
ProgressEvent.__doc__ = """What a long job reports while it runs.

stage is a word such as "reading" or "solving"; step of steps are finished (0: unknown number);
cost is the objective, 0 if the stage has none; fraction is the part of the step in progress."""


@contextmanager
def callback(progress):
    """The function that the core calls, for progress = None, False, True or a callable."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        bar = require("tqdm.auto", "progress=True").tqdm(unit="step", leave=False)
        try:
            yield _Bar(bar)
        finally:
            bar.close()
    else:
        yield lambda *event: progress(ProgressEvent(*event))


class _Bar:
    def __init__(self, bar):
        self.bar = bar
        self.stage = None

    def __call__(self, stage, step, steps, cost, fraction):
        if stage != self.stage or self.bar.total != (steps or None):
            self.stage = stage
            self.bar.reset(total=steps or None)
            self.bar.set_description(stage, refresh=False)
        self.bar.n = step + round(fraction, 2) if fraction else step
        self.bar.refresh()

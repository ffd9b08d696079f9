"""The exceptions of the package. Their messages are the sentences that the program prints."""


class Error(Exception):
    """Misuse or bad data: what was tried, with which value or file, and what would be right."""


class OptionError(Error, ValueError):
    """A value outside its range, or options that contradict each other."""


class UnknownOptionError(OptionError, TypeError):
    """A keyword that is not an option."""


class InputError(Error, ValueError):
    """A file, folder or array that is missing, unreadable or inconsistent."""


class OutputError(Error, OSError):
    """A file or folder that cannot be written."""


class DeviceError(Error, RuntimeError):
    """A compute device that is missing, fails or lacks memory."""


class OutOfMemoryError(Error, MemoryError):
    """Too little memory, even with small tiles."""


class Cancelled(Error):
    """The progress callback of a job without a partial result returned False."""


class MissingPackageError(Error, ImportError):
    """A function needs a package that is not installed."""


def require(package, what):
    """The module `package`, or one sentence that says what needs it."""
    import importlib

    try:
        return importlib.import_module(package)
    except ImportError as error:
        root = package.split(".")[0]
        raise MissingPackageError(
            f"{what} needs the package {root}, which is not installed; pip install {root} installs it"
        ) from error

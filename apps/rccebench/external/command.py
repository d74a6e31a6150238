# SPDX-License-Identifier: Apache-2.0
"""What commands that are programs of their own share: options, messages, how they end."""

import json
import os
import signal
import sys
import tempfile


class Refused(Exception):
    """What the user has to change."""


def near(word, words):
    """"; there are", or what the word may have meant before that."""
    from difflib import get_close_matches

    found = get_close_matches(word, words, 1)
    return f", did you mean '{found[0]}'? There are" if found else "; there are"


def write(file, data):
    """Writes bytes to the file of -o. What is there stays as it is where that fails."""
    beside = None
    try:
        if os.path.exists(file) and not os.path.isfile(file):  # a pipe or a device
            with open(file, "wb") as out:
                out.write(data)
            return
        target = os.path.realpath(file)
        descriptor, beside = tempfile.mkstemp(dir=os.path.dirname(target))
        with os.fdopen(descriptor, "wb") as out:
            out.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(beside, os.stat(target).st_mode & 0o7777 if os.path.exists(target) else 0o666 & ~mask)
        os.replace(beside, target)
        beside = None
    except OSError as error:
        why = f"cannot be written: {error.strerror}; choose another place"
        raise Refused(f"--output '{file}': {why}") from None
    finally:
        if beside is not None:
            os.unlink(beside)


def parsed(name, about, options, words):
    import argparse  # not for --describe

    parser = argparse.ArgumentParser(f"rccebench {name}", description=about)
    for one in options:
        names = one["names"].split(",")
        if "value" not in one and names[0].startswith("-"):
            parser.add_argument(*names, action="store_true")
        elif names[0].startswith("-"):
            action, default = ("append", []) if one.get("repeated") else ("store", None)
            parser.add_argument(*names, action=action, default=default)
        else:
            parser.add_argument(names[0], nargs="*")
    return parser.parse_args(words)


def run(name, about, options, work):
    """Executes `work` with the options of the command line; with --describe tells about the command."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a closed pipe ends the command, as all others
    if sys.argv[1:] == ["--describe"]:
        print(json.dumps({"help": about, "options": options}))
        return
    try:
        work(parsed(name, about, options, sys.argv[1:]))
        if sys.stdout is not None:
            sys.stdout.flush()
    except (Refused, OSError) as error:
        what, status = error, 2
        if isinstance(error, OSError) and error.filename is None:
            what, status = f"cannot write standard output: {error.strerror}", 74
            sys.stdout = None  # what it has not taken is not tried again
        print(f"rccebench: {what}", file=sys.stderr)
        sys.exit(status)

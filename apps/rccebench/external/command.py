# SPDX-License-Identifier: Apache-2.0
"""What commands that are programs of their own share: options, messages, how they end."""

import json
import signal
import sys


class Refused(Exception):
    """What the user has to change."""


def near(word, words):
    from difflib import get_close_matches

    found = get_close_matches(word, words, 1)
    return f", did you mean '{found[0]}'?" if found else ""


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
        what = error
        if isinstance(error, OSError) and error.filename is None:
            what = f"the output cannot be written: {error.strerror}; choose another place"
            sys.stdout = None  # what it has not taken is not tried again
        print(f"rccebench: {what}", file=sys.stderr)
        sys.exit(2)

# SPDX-License-Identifier: Apache-2.0
"""The judge of `rccebench reproduce`, which starts it: one JSON object a line, on standard input and output.

First comes what is to be judged. Then the judge asks for measurements as often as it needs some ({"measure":
...}, {"fact": ...}), and at last says {"report": ...}, {"refused": ...} or {"unfinished": true}.
"""

import json
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from judge import report  # noqa: E402
from judge.expressions import Refused  # noqa: E402
from judge.study import Study, UnknownStatement  # noqa: E402


def _say(message):
    sys.stdout.write(json.dumps(message, allow_nan=False, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def _hear():
    line = sys.stdin.readline()
    if not line:
        os._exit(0)  # rccebench has ended
    return json.loads(line)


def _ask(message):
    _say(message)
    return _hear()


def judged(config):
    """The last message."""
    study = Study(config["folder"], _ask, config)
    study.check_substitutes(config.get("with", []))
    if study.run() is None:
        return {"unfinished": True}
    one = report.of_statement(study) if config.get("statement") else report.of_all(study)
    answer = {"report": one, "machines": study.machines, "complete": study.complete}
    answer["inputs"] = [claim.inputs for claim in study.claims]
    answer["evidence_fail"] = report.counts(study.claims)["evidence_fail"]
    if not config.get("statement"):
        answer["settings"], answer["figures"], answer["page"] = study.settings, study.figures, report.page(
            study)
    return answer


def main():
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)  # rccebench says when it is over
    config = _hear()
    try:
        _say(judged(config))
    except UnknownStatement as error:
        _say({"unknown": error.ids})
    except (Refused, OSError) as error:
        _say({"refused": str(error)})


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""What is said of an evaluated publication, as rccebench prints it: tables, notes, a summary, and figures of
the page."""

from .values import cell

columns = [
    [name, "", 3 if name in ("Published", "Simulated") else 0, False]
    for name in (
        "Id", "Statement", "Published", "Simulated", "Unit", "Tolerance", "Holds", "Evidence", "Headline",
        "Cause", "Reason",
    )
]  # fmt: skip


def _row(claim):
    return [
        claim.id, claim.statement, claim.published, claim.simulated, claim.unit or None, claim.tolerance,
        claim.holds,
        claim.evidence, claim.headline, claim.cause or None, claim.reason or None,
    ]  # fmt: skip


def _view(title, claims, reasons):
    """The columns that fit beside each other on a screen, and the number of the reason, which is a note."""
    rows = [[*_row(claim)[:-3], _number_of(claim, reasons)] for claim in claims]
    return {"title": title, "columns": [*columns[:-3], ["Why", "", 0, False]], "rows": rows}


def _reason(claim):
    """Why a statement fails, or is no evidence; empty of one that holds and is, or is not measured."""
    if claim.holds is not False:
        return f"no evidence: {claim.reason}" if claim.reason else ""
    return f"cause {claim.cause or 'unknown'}: {claim.reason or 'no reason found'}"


def _reasons(claims):
    """Their numbers, from 1 in the order of the statements, each text once."""
    texts = dict.fromkeys(reason for claim in claims if (reason := _reason(claim)))
    return {text: number for number, text in enumerate(texts, 1)}


def _number_of(claim, reasons):
    reason = _reason(claim)
    return f"[{reasons[reason]}]" if reason else None


def _number(name):
    """The publication's own number of a statement, of which there may be several: "C21" of "C21a-x4600"."""
    number = name.partition("-")[0]
    return number[:-1] if len(number) > 1 and "a" <= number[-1] <= "z" and number[-2].isdigit() else number


def _balance(claims):
    """How many hold by the publication's own numbers, in their order."""
    groups = {}
    for claim in claims:
        groups.setdefault(_number(claim.id), []).append(claim.holds)
    told = ", ".join(f"{number} {holds.count(True)} of {len(holds)}" for number, holds in groups.items())
    return f"# hold, by statement: {told}"


def counts(claims):
    holds = [one.holds for one in claims]
    evidence = [one.holds for one in claims if one.evidence]
    headlines = [one.holds for one in claims if one.headline]
    return {
        "claims": len(holds),
        "hold": holds.count(True),
        "fail": holds.count(False),
        "evidence_hold": evidence.count(True),
        "evidence_fail": evidence.count(False),
        "headlines": len(headlines),
        "headlines_hold": headlines.count(True),
    }


def comes_out(result):
    """All its statements hold; a main result without one does not come out. None: not all are measured."""
    _, statements, hold, _, unmeasured = result
    return None if unmeasured else 0 < statements == hold


def _out(study):
    return [comes_out(one) for one in study.results].count(True)


def _results_table(results):
    rows = [
        [result[0], comes_out(result), *(f"{part} of {result[1]}" if result[1] else None
        for part in result[2:4])]
        for result in results
    ]
    names = ("Main result", "Comes out", "Hold", "Evidence")
    return {
        "title": "main results: yes where all statements of it hold",
        "columns": [[name, "", 0, False] for name in names],
        "rows": rows,
    }


def summary(study):
    results = [
        {"result": one[0], "comes_out": comes_out(one), "statements": one[1], "hold": one[2],
        "evidence": one[3]}
        for one in study.results
    ]
    each = [
        {"id": one.id, "published": one.published, "simulated": one.simulated, "holds": one.holds}
        for one in study.claims
    ]
    return {**counts(study.claims), "main_results": results, "by_claim": each}


def of_all(study):
    """Main results, headlines, the other statements and the figures as views, reasons as notes."""
    claims, count = study.claims, counts(study.claims)
    views = [_results_table(study.results)] if study.results else []
    parts = [(title, [claim for claim in claims if claim.headline == headline])
        for title, headline in (("headlines", True), ("statements", False))]
    reasons = _reasons([claim for _, own in parts for claim in own])
    views += [_view(title, own, reasons) for title, own in parts if own]
    views += [figure["table"] for figure in study.figures if figure["in_text"]]
    last = (
        f"# {count['hold']} of {count['claims']} statements hold; as evidence {count['evidence_hold']} of "
        f"{count['evidence_hold'] + count['evidence_fail']}; headlines {count['headlines_hold']} of "
        f"{count['headlines']}"
    )
    if study.results:
        last += f"; main results {_out(study)} of {len(study.results)}"
    if count["hold"] + count["fail"] < count["claims"]:
        last += f"; {count['claims'] - count['hold'] - count['fail']} not measured"
    evidence = "no: follows from what was put in or fitted, or repeats another statement"
    return {
        "settings": [("publication", study.title), *study.settings, ("evidence", evidence)],
        "table": {"title": "", "columns": columns, "rows": [_row(claim) for claim in claims]},
        "views": views,
        "notes": [
            *(f"# [{number}] {text}" for text, number in reasons.items()),
            *study.notes,
            _balance(claims),
            last,
        ],
        "summary": summary(study),
    }


def of_statement(study):
    """The one statement with the quantities that it rests on, a row for each."""
    claim = study.claims[0]

    def yes(truth):
        return {True: "yes", False: "no", None: "not measured"}[truth]

    rows = [[name, cell(value), unit or None] for name, (value, unit) in study.terms.items()]
    rows += [["published", claim.published, claim.unit or None],
        ["simulated", claim.simulated, claim.unit or None]]
    study.results = []
    return {
        "settings": [
            ("publication", study.title),
            ("statement", claim.statement),
            ("where", claim.where),
            ("holds", yes(claim.holds)),
            ("evidence", yes(claim.evidence)),
            ("headline", yes(claim.headline)),
            ("inputs", claim.inputs or "none"),
            ("tolerance", f"{claim.tolerance} (chosen by {claim.chosen})"),
            *study.substitutes,
        ],
        "table": {
            "title": "",
            "columns": [["Quantity", "", 0, False], ["Value", "", 3, False], ["Unit", "", 0, False]],
            "rows": rows,
        },
        "views": [],
        "notes": [
            {True: "# holds", False: "# fails", None: "# not measured"}[claim.holds],
            *(f"# {text}" for text in _reasons([claim])),
        ],
        "summary": summary(study),
    }


def page(study):
    """Of the HTML page: facts, statements, then curves and figures."""
    count = counts(study.claims)

    def fact(name, value, of=None):
        return {"name": name, "value": value, "unit": "1", "note": "" if of is None else f"of {of}"}

    facts = [
        fact("statements", count["claims"]),
        fact("hold", count["hold"]),
        fact("fail", count["fail"]),
        fact("evidence that holds", count["evidence_hold"], count["evidence_hold"] + count["evidence_fail"]),
        fact("headlines that hold", count["headlines_hold"], count["headlines"]),
    ]
    members = (
        "id", "statement", "published", "simulated", "unit", "tolerance", "holds", "evidence", "headline",
        "cause", "reason",
    )  # fmt: skip
    rows = [{name: getattr(claim, name) for name in members} for claim in study.claims]
    if study.results:
        facts.insert(0, fact("main results that come out", _out(study), len(study.results)))
    return {
        "lead": study.title,
        "notes": study.notes,  # reasons stand beside the statements
        "facts": facts,
        "results": _results_table(study.results) if study.results else None,
        "claims": {"kind": "claims", "title": "Statements, held and failed", "rows": rows},
        "curves": study.curves,
        "schedules": study.schedules,
    }

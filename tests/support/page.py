# SPDX-License-Identifier: Apache-2.0
"""A page tells the truth: its files are written, its commands run, and what they print is compared with what
it says. page.py [--accept] PAGE; BIN is the folder of the commands, WORK one whose contents are deleted.

  ```c                  a program; its first line is a comment with its file name: /* ring.c */
  ```ini slow.machine   any file, by its name
  ```console            commands behind "$ ", each with what it prints (standard output and error together)

A command that ends with a backslash goes on behind "> ". A last line "[2]" is the status. Without one it is
0, and outside folders named pages any. A line "..." stands for any lines, "..." inside a line for any words.
Commands that set up or test ("$ sh ...") are not run. Programs are also looked for in the folder PROGRAMS.
--accept, or ACCEPT=1 in the environment, writes the present output into the page, but for lines with "..."
that fit. A page in a folder named pages compiles the same C++ file once (compile_once.sh)."""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Tables go without their longest vector unless WHOLE=1 is in the environment.
LONGEST = r",1900000(?= )"
LONGEST_ROW = r"(?m)^ *[0-9]* *1900000 .*\n|(?<=^# )[0-9]*(?= points)"


class Command:
    def __init__(self, line):
        self.line, self.expected = line, []


def read(page):
    """Writes the page's files. Returns its lines, with a Command in place of each and its output."""
    parts, kind, file = [], None, None
    for line in page.read_text("utf-8").splitlines():
        fence = re.match(r"```(\w*) ?(\S*)$", line)
        command = parts[-1] if parts and kind == "console" and isinstance(parts[-1], Command) else None
        if fence:
            kind = None if kind is not None else fence[1]
            file = pathlib.Path(fence[2]) if kind and fence[2] else None
            if file:
                file.write_text("")
        elif kind == "console" and line.startswith("$ "):
            parts.append(Command(line[2:]))
            continue
        elif command and command.line.endswith("\\") and not command.expected:
            command.line += "\n" + line.removeprefix("> ")
            continue
        elif command:
            command.expected.append(line)
            continue
        elif kind == "c" and not file:
            file = pathlib.Path(line.split()[1])
            file.write_text("")
        if file and not fence:
            with file.open("a", encoding="utf-8") as stream:
                print(line, file=stream)
        parts.append(line)
    return parts


def pattern(line):
    return ".*".join(map(re.escape, line.split("...")))


def fits(expected, line):
    return re.fullmatch(pattern(expected), line) is not None


def all_fit(expected, output):
    """Whether the lines are those expected, where a line "..." stands for any number of them."""
    whole = "".join(r"(?:.*\n)*?" if line == "..." else pattern(line) + r"\n" for line in expected)
    return re.fullmatch(whole, "".join(line + "\n" for line in output)) is not None


def adapted(expected, output):
    """What is expected, with the nearest line of the output for each that does not fit; None if that does
    not do."""
    result, at = [], 0
    for line in expected:
        if line != "...":
            fit = next((index for index in range(at, len(output)) if fits(line, output[index])), None)
            if fit is None:
                near = difflib.get_close_matches(line, output[at:], 1, 0.5)
                if not near:
                    continue
                line, fit = near[0], output.index(near[0], at)
            at = fit + 1
        result.append(line)
    return result if all_fit(result, output) else None


def shaped(expected, output):
    """The output in the words of what is expected: with "..." where that stands, and what fits as it stands;
    else as many lines before the first "..." and behind the last as stand there."""
    if all_fit(expected, output):
        return expected
    near = adapted(expected, output) if "..." in expected else None
    if near:
        return near
    gaps = [index for index, line in enumerate(expected) if line == "..."]
    if gaps:
        behind = len(expected) - gaps[-1] - 1
        output = output[:gaps[0]] + ["..."] + output[len(output) - behind:]
    left = [line for line in expected if "..." in line]
    return [next((one for one in left if one != "..." and fits(one, line)), line) for line in output]


def run(command, any_status):
    """What the command prints, and its status as the page would say it."""
    result = subprocess.run(["sh", "-c", command.line], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, errors="replace", check=False)
    # pages show a release build, whichever is tested
    text = re.sub(r"(\(model revision \d+\)), \w+ build\)", r"\1, Release build)", result.stdout)
    status = result.returncode if result.returncode >= 0 else 128 - result.returncode
    wanted = command.expected and re.fullmatch(r"\[\d+\]", command.expected[-1])
    return text, [f"[{status}]"] if status and (wanted or not any_status) else []


def main(words):
    accept = "--accept" in words or bool(os.environ.get("ACCEPT"))
    page = pathlib.Path(words[-1]).resolve()
    any_status = page.parent.name != "pages"
    if not any_status:
        os.environ["CXX"] = str(pathlib.Path(__file__).resolve().with_name("compile_once.sh"))
    binaries = os.environ["BIN"]
    os.environ["PATH"] = ":".join([binaries, os.environ["PATH"], os.environ.get("PROGRAMS", "")]).rstrip(":")
    os.chdir(os.environ["WORK"])
    for path in pathlib.Path().iterdir():  # what an earlier run has left
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    os.environ.pop("ROCKCREEK_COMPUTE", None)  # pages show what users get
    pathlib.Path("build").mkdir()
    pathlib.Path("build/bin").symlink_to(binaries)
    parts, failed = read(page), False
    for command in (part for part in parts if isinstance(part, Command)):
        if command.line.startswith("sh "):
            continue
        shorter = not accept and not os.environ.get("WHOLE") and re.search(LONGEST, command.line)
        if shorter:
            command.line = re.sub(LONGEST, "", command.line)
        text, status = run(command, any_status)
        expected = command.expected
        if shorter:  # columns are narrower then
            text, *expected = (re.sub(" +", " ", re.sub(LONGEST_ROW, "", part))
                               for part in (text, "".join(line + "\n" for line in expected)))
            expected = expected[0].splitlines()
        output = shaped(expected, text.splitlines() + status)
        if accept:
            command.expected = output
        elif output != expected:
            failed = True
            print(f"$ {command.line}", *difflib.unified_diff(expected, output, "what the page says",
                                                            "what it prints", lineterm=""), sep="\n")
    if failed:
        print(f"in {page}; to see it: cd {os.getcwd()} && PATH={binaries}:$PATH\n"
              "accept it by 'sh tests/accept.sh' if it is right")
    if accept:
        lines = []
        for part in parts:
            lines += [part] if isinstance(part, str) else \
                ["$ " + part.line.replace("\n", "\n> "), *part.expected]
        page.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return failed


sys.exit(main(sys.argv[1:]))

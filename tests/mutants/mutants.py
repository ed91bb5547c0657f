"""Plants faults by rule in kernels (cl) and host code (src), one at a time, in a copy of the tree at HEAD, and runs the
tests that could see each on POCL. Prints which were killed, and which lived.

usage: tests/mutants/run [--count N] [--skip N] [--seed S] [--only TEXT] [--again LOG] [--list]

--count N     faults that are planted (20)
--skip N      of the seed's faults the first N are left out (0)
--seed S      which of all that the rules give (1)
--only TEXT   of files whose path has TEXT alone
--again LOG   those that lived in what an earlier run printed
--list        prints the faults and plants none

A test that ends with a failure or a crash, or that takes ten times as long as without a fault, has killed it. Few rounds
come first; a fault that lives there has to live in more of them, in groups where its text is theirs. Texts that look back
run again, with look-backs that give up at once, and without them. Then Oclgrind, where it is there, looks for races and for accesses outside
of arrays. A fault that does not compile is left out, and another one is taken. tests/mutants/equivalent lists those that
change nothing that a test could see, with the reason; they are left out, too. Exit status 1: a fault lived; 77: there is no
POCL.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "mutants"
TREE = WORK / "tree"
BUILD = WORK / "build"
TESTS_MOST = 4  # of a fault, beside those that take no sample; those of the fewest kernels first
LEAST_LIMIT = 60  # seconds, on a machine with other work
LIMIT_FIRST = 300  # of a test whose time is not known yet
LIMIT_MORE = 900  # of one with more rounds

# ---- rules: a name, what is looked for in a line of code, and what replaces it ---------------------------------------

SIMPLE = r"[\w.>\[\]-]+"
RULES = [
    ("barrier removed", r"\b(group_barrier|group_barrier_global|sub_group_fence)\(\);", ";"),
    ("< for <=", r" <= ", " < "),
    ("<= for <", r" < ", " <= "),
    ("> for >=", r" >= ", " > "),
    (">= for >", r" > ", " >= "),
    ("!= for ==", r" == ", " != "),
    ("one more left out", r" \+ 1\b(?! *<<)", ""),
    ("one less left out", r" - 1\b(?! *<<)", ""),
    ("operands of a fold swapped", rf"\bfold\(env, ({SIMPLE}), ({SIMPLE})\)", r"fold(env, \2, \1)"),
    ("a condition dropped", rf" && !?{SIMPLE}( (<|<=|>|>=|==|!=) {SIMPLE})?(?=[ )])", ""),
    ("a check left out", r"\bMCL__TRY\(mcl__check\w*\(.*\)\);", ";"),
    ("a step left out", r"\bMCL__TRY\((?!mcl__check)\w+\(.*\)\);", ";"),
    ("a size too small", r"\bmcl__divide_up\(([^(),]+), ([^(),]+)\)", r"((\1) / (\2))"),
    ("a flush left out", r"\b\w*flush\w*\([^()]*\);", ";"),
    ("the other choice", rf" \? ({SIMPLE}) : ({SIMPLE})(?=[;,)])", r" ? \2 : \1"),
]

# ---- tests that could see a fault ------------------------------------------------------------------------------------

# Programs of a kernel file whose name is not the test's.
TESTS_OF_KERNELS = {
    "bucket_finish": ["bucket_sort"],
    "bucket_sort": ["bucket_sort"],
    "by_key": ["by_key", "segmented"],
    "gather": ["transform"],
    "join": ["join", "join_table"],
    "map": ["map", "map_apply"],
    "map_retrieve": ["map_retrieve"],
    "map_service": ["map"],
    "quantiles": ["top_k"],
    "segmented_nth": ["segmented_top_k"],
    "top_k_by_sort": ["top_k"],
    "top_k_few": ["top_k"],
    "compact_unordered": ["compact"],
    "probe": ["platform", "programs"],
    "validate": ["errors"],
}
# Of folders of src, and of files whose name is not the test's.
TESTS_OF_SOURCES = {
    "base": ["base", "platform_faults", "disk_cache", "contexts"],
    "backends": ["driver_handles", "memory", "kernel", "merge"],
    "call": ["guided", "call_checks", "vast_plans", "host_memory", "fold", "gate", "index_range", "scan"],
    "check": ["checks", "guided", "errors", "counts", "gate", "compact"],
    "kernel": ["guided", "kernel", "kernel_checks"],
    "context": ["device_facts", "contexts", "programs"],
    "device": ["memory", "events", "allocators", "recording"],
    "interop": ["interop_opencl"],
    "program": ["programs", "generate", "source", "build_failures"],
    "map": ["multimap", "map", "map_retrieve", "map_owned"],
    "tuning": ["tuning", "plan"],
    "values": ["golden_host", "views", "random"],
    "merge": ["merge", "sets"],
    "fold": ["scan", "reduce", "segmented"],
    "sort": ["sort", "radix_sort"],
    "select": ["compact", "compact_columns", "find"],
    "balance": ["load_balance", "interval"],
    "transform": ["transform", "bulk"],
    "block_cache": ["allocators"],
    "bucket_pairs": ["bucket_sort"],
    "gather": ["join_unsorted"],
    "group_by": ["group_by", "outputs"],
    "join": ["join", "join_columns"],
    "segments_by_sort": ["few_segments"],
    "steps": ["cuts", "compact"],
}
# Of every operation, on devices that run nothing, and of its errors: they take seconds.
TESTS_OF_OPERATIONS = ["guided", "call_checks", "errors", "vast_plans"]
# take no sample
PLAIN = {"base", "checks", "fold", "generate", "plan", "source", "texts", "tuning", "allocators", "platform", "platform_faults",
         "guided", "golden_host", "call_checks", "errors", "few_segments", "programs", "vast_plans", "interleavings",
         "host_memory", "device_facts", "recording", "driver_handles", "kernel_checks"}


def test_names():
    return {p.name[len("test_") : -2] for p in (ROOT / "tests").glob("test_*.c")}


def includes_of(path, seen):
    """The texts that one includes, and those that they include."""
    for name in re.findall(r'#include "([^"]+)"', (ROOT / "cl" / path).read_text()):
        if name not in seen and (ROOT / "cl" / name).exists():
            seen.add(name)
            includes_of(name, seen)
    return seen


def tests_of_kernels():
    """For each text of cl the tests whose kernels have it, those of the fewest texts first."""
    tests, known = {}, test_names()
    for kernel in sorted((ROOT / "cl").glob("kernels/*/*.cl")):
        path = str(kernel.relative_to(ROOT / "cl"))
        stem = kernel.stem
        names = TESTS_OF_KERNELS.get(stem, [stem] if stem in known else [])
        texts = includes_of(path, {path})
        for text in texts:
            tests.setdefault(text, []).append((len(texts), names))
    for model in (ROOT / "tests" / "interleavings").glob("*.c"):
        for path in re.findall(r'#include "((?:kernels|pieces)/[^"]+)"', model.read_text()):
            for text in includes_of(path, {path}):
                tests.setdefault(text, []).append((0, ["interleavings"]))
    return {text: list(dict.fromkeys(n for _, names in sorted(rows) for n in names)) for text, rows in tests.items()}


def tests_of_source(path):
    known, parts = test_names(), path.split("/")
    stem = pathlib.Path(path).stem
    names = [stem] if stem in known else TESTS_OF_SOURCES.get(stem, [])
    for part in reversed(parts[1:-1]):
        names += TESTS_OF_SOURCES.get(part, [part] if part in known else [])
    if parts[1] == "operations":
        names += TESTS_OF_OPERATIONS
    return list(dict.fromkeys(names))


def chosen(names):
    """Those that take no sample first, which are the quickest."""
    return [n for n in names if n in PLAIN] + [n for n in names if n not in PLAIN][:TESTS_MOST]


# ---- faults ----------------------------------------------------------------------------------------------------------


def code_lines(text):
    """Yields the numbers and lines of code; comments, strings' ends and includes are none."""
    in_comment = False
    for number, line in enumerate(text.split("\n")):
        code = line
        if in_comment or code.lstrip().startswith(("/*", "//", "*")):
            in_comment = "*/" not in code
            continue
        in_comment = "/*" in code and "*/" not in code.split("/*")[-1]
        if not code.lstrip().startswith("#") and '"' not in code and not code.startswith("static "):
            yield number, line.split("/*")[0]


def all_faults(only):
    kernels = tests_of_kernels()
    files = sorted(p for d in ("cl/kernels", "cl/pieces", "src") for p in (ROOT / d).rglob("*") if p.is_file())
    for file in files:
        path = str(file.relative_to(ROOT))
        if file.suffix not in (".c", ".cl", ".clh") or (only and only not in path) or "cuda" in path or "windows" in path:
            continue
        tests = kernels.get(path[3:], []) if path.startswith("cl/") else tests_of_source(path)
        if not tests:
            continue
        lines = file.read_text().split("\n")
        for number, code in code_lines("\n".join(lines)):
            for rule, pattern, other in RULES:
                for match in re.finditer(pattern, code):
                    changed = code[: match.start()] + match.expand(other) + code[match.end() :]
                    yield {
                        "path": path,
                        "number": number,
                        "rule": rule,
                        "old": lines[number],
                        "new": changed + lines[number][len(code) :],
                        "tests": chosen(tests),
                    }


def equivalents():
    """The faults that change nothing: path, rule, and the line of code as it is planted."""
    rows = (ROOT / "tests" / "mutants" / "equivalent").read_text().split("\n")
    return {tuple(f.strip() for f in row.split(" | ")[:3]) for row in rows if " | " in row and row[0] != "#"}


def lived_in(log):
    """The faults that lived, of what a run printed: path, line, rule, and the line of code as it was planted."""
    lines = pathlib.Path(log).read_text().split("\n")
    found = (re.match(r"(\S+):(\d+): ([^:]+): LIVED", line) for line in lines)
    return {(m[1], int(m[2]), m[3], lines[k + 1].strip()) for k, m in enumerate(found) if m}


def key_of(fault):
    return (fault["path"], fault["rule"], fault["new"].strip())


# ---- builds and runs -------------------------------------------------------------------------------------------------


def run(command, limit, **more):
    """Returns the status, the output and the seconds; status None: the limit was reached."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                               start_new_session=True, **more)
    try:
        output = process.communicate(timeout=limit)[0]
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, status = process.communicate()[0], None
    return status, output, time.monotonic() - start


def target_of(name):
    return name if name == "guided" else "test_" + name


def command_of(name):
    if name == "interleavings":
        return [str(BUILD / "tests" / "interleavings" / "test_interleavings"), "texts"]
    if name == "guided":
        return [str(BUILD / "tests" / "guided" / "guided"), str(TREE / "tests" / "guided" / "corpus")]
    return [str(BUILD / "tests" / ("test_" + name))]


def build(tests):
    return run(["cmake", "--build", str(BUILD), "-j2", "--target", *map(target_of, tests)], 1800)


def prepare():
    """A copy of the tree at HEAD, with a build folder of its own."""
    WORK.mkdir(parents=True, exist_ok=True)
    if not TREE.exists():
        subprocess.run(["git", "clone", "--quiet", "--local", "--no-checkout", str(ROOT), str(TREE)], check=True)
    subprocess.run(["git", "fetch", "--quiet", str(ROOT), "HEAD"], cwd=TREE, check=True)
    subprocess.run(["git", "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD"], cwd=TREE, check=True)
    (TREE / "tests" / "interleavings" / "faults").write_text("")  # each of them needs its lines as they are
    subprocess.run(["cmake", "-S", str(TREE), "-B", str(BUILD), "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_C_FLAGS_RELEASE=-O2 -DNDEBUG"], check=True, stdout=subprocess.DEVNULL)


# Rounds of a test that takes a sample: few small ones and all its other tests; then more rounds alone.
FEW = {"MCL_TEST_SAMPLE": "60", "MCL_TEST_SMALL": "1"}
MORE = {"MCL_TEST_SAMPLE": "12", "MCL_TEST_PHASE": "5", "MCL_TEST_ROUNDS_ONLY": "1"}
GROUPS = {"MCL_TEST_GROUPS_ALONE": "1"}
# All rounds of the tests whose kernels look back: each look-back gives up at once. Then some without look-back.
GIVES_UP = [dict(MORE, MCL_TEST_SAMPLE="2", MCL_TEST_PHASE=phase, MCL_FEATURES="poll_limit=0") for phase in "01"]
GIVES_UP += [dict(MORE, MCL_FEATURES="look_back=0")]
LOOK_BACK = {"by_key", "compact", "join", "multisplit", "radix_sort", "scan", "segmented", "sets"}


def run_test(name, limit, rounds):
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", MCL_KERNEL_DIR=str(TREE / "cl"),
                       MCL_CACHE_DIR=str(WORK / "cache"), POCL_CACHE_DIR=str(WORK / "pocl"), MCL_TEST_DEVICE="opencl:portable")
    if name not in PLAIN:
        environment.update(rounds, MCL_TEST_UNOPTIMISED="1")
    return run(command_of(name), limit, env=environment, cwd=BUILD)


# Small rounds on a simulator, which tells what it sees: a few of groups, or all where a barrier is gone, which little
# else sees; and all of one work-item, which are quick.
SIMULATED = dict(MCL_TEST_SMALL="1", MCL_TEST_ROUNDS_ONLY="1", MCL_TEST_DEVICE="opencl:oclgrind")
SIMULATED_GROUPS = [dict(SIMULATED, MCL_TEST_SAMPLE="56", **GROUPS)]
SIMULATED_BARRIERS = [dict(SIMULATED, MCL_TEST_SAMPLE="4", MCL_TEST_PHASE=phase, **GROUPS) for phase in "0123"]
SIMULATED_ALONE = [dict(SIMULATED, MCL_TEST_SAMPLE="2", MCL_TEST_PHASE=phase, MCL_TEST_NO_GROUPS="1") for phase in "01"]
SEEN = re.compile(r"data race|Invalid (read|write)|divergence")


def is_seen(name, rounds):
    """Whether Oclgrind tells of something in a test. .ci/run keeps it silent without a fault."""
    environment = dict(os.environ, MCL_KERNEL_DIR=str(TREE / "cl"), MCL_CACHE_DIR=str(WORK / "cache"), **rounds)
    environment.pop("OCL_ICD_VENDORS", None)
    output = run(["oclgrind", "--data-races", *command_of(name)], LIMIT_MORE, env=environment, cwd=BUILD)[1]
    return SEEN.search(output) is not None


baselines = {}


def baseline(name):
    """The seconds of a test without a fault, programs compiled anew; None: it fails, and says nothing of faults."""
    if name not in baselines:
        status, output, seconds = run_test(name, LIMIT_FIRST, FEW)
        baselines[name] = seconds if status == 0 else None
        if status != 0:
            print(f"mutants: without a fault {target_of(name)} fails, so it is left out\n{output[-400:]}")
    return baselines[name]


def rounds_seen(path, rule):
    return SIMULATED_ALONE if "serial" in path else SIMULATED_BARRIERS if rule == "barrier removed" else SIMULATED_GROUPS


def killer_of(names, path, rule):
    """Returns the test that fails first, and how; a name of None: none does."""
    is_kernel, is_serial = path.startswith("cl/"), "serial" in path
    sampled = [n for n in names if n not in PLAIN]
    turns = [(FEW, names), (MORE if is_serial or not is_kernel else dict(MORE, **GROUPS), sampled)]
    if is_kernel:
        turns += [(rounds, [n for n in sampled if n in LOOK_BACK]) for rounds in GIVES_UP]
    for rounds, tests in turns:
        for name in tests:
            limit = max(LEAST_LIMIT, 10 * baselines[name]) if name in baselines else LIMIT_FIRST
            if rounds is not FEW:
                limit = LIMIT_MORE
            status, output, seconds = run_test(name, limit, rounds)
            if status is None:
                return name, "which does not end"
            if status != 0:
                return name, "not built" if "MCL_ERROR_BUILD" in output else f"after {seconds:.0f} s"
    if is_kernel and shutil.which("oclgrind"):
        for name in sampled:
            if any(is_seen(name, rounds) for rounds in rounds_seen(path, rule)):
                return name, "by oclgrind"
    return None, ""


def verdict(fault):
    """Plants a fault; returns 'killed by ...', 'LIVED ...' or None where it does not compile."""
    file = TREE / fault["path"]
    text = file.read_text()
    is_kernel = fault["path"].startswith("cl/")
    names = [t for t in fault["tests"] if baselines.get(t, 0) is not None]
    build(names)
    lines = text.split("\n")
    lines[fault["number"]] = fault["new"]
    name, how = None, ""
    try:
        file.write_text("\n".join(lines))
        if not is_kernel and build(names)[0] != 0:
            return None
        if is_kernel and "interleavings" in names and build(["interleavings"])[0] != 0:
            names.remove("interleavings")  # it does not compile
        name, how = killer_of(names, fault["path"], fault["rule"])
    finally:
        file.write_text(text)
        if not is_kernel or "interleavings" in fault["tests"]:
            build(names)
    if name is None:
        return "LIVED " + ", ".join(map(target_of, names))
    # the test must pass without the fault; where it does not, the others have to tell
    if baseline(name) is None:
        return verdict(fault)
    return None if is_kernel and how == "not built" else f"killed by {target_of(name)} {how}"


def main():
    parser = argparse.ArgumentParser(usage="tests/mutants/run [--count N] [--skip N] [--seed S] [--only TEXT] [--again LOG] [--list]", add_help=False)
    parser.add_argument("--help", action="store_true")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--again", default="")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.help:
        print(__doc__)
        return 0
    known = equivalents()
    faults = [f for f in all_faults(options.only) if key_of(f) not in known]
    by_rule = {}
    for fault in faults:
        by_rule.setdefault(fault["rule"], []).append(fault)
    draw = random.Random(options.seed)
    for rule in by_rule.values():
        draw.shuffle(rule)
    print(f"mutants: {len(faults)} faults by {len(by_rule)} rules; {options.count} are planted, seed {options.seed}")
    # every rule in turn, so that a rule with few faults has its share
    order = [rule[k] for k in range(max(map(len, by_rule.values()), default=0)) for rule in by_rule.values() if k < len(rule)]
    if options.again:
        lived = lived_in(options.again)
        order = [f for f in order if (f["path"], f["number"] + 1, f["rule"], f["new"].strip()) in lived]
    order = order[options.skip :]
    if options.list:
        for fault in order[: options.count]:
            print(f"{fault['path']}:{fault['number'] + 1}: {fault['rule']}: {fault['new'].strip()}")
        return 0
    if "PORTABLE" not in subprocess.run(["clinfo", "-l"], capture_output=True, text=True).stdout.upper():
        print("mutants: no POCL (Debian: pocl-opencl-icd, clinfo)")
        return 77
    prepare()
    killed = lived = left_out = 0
    for fault in order:
        if killed + lived == options.count:
            break
        found = verdict(fault)
        if found is None:
            left_out += 1
            continue
        killed += found.startswith("killed")
        lived += not found.startswith("killed")
        print(f"{fault['path']}:{fault['number'] + 1}: {fault['rule']}: {found}\n    {fault['new'].strip()}", flush=True)
    print(f"mutants: {killed} killed, {lived} lived; {left_out} did not compile")
    return 1 if lived else 0


sys.exit(main())

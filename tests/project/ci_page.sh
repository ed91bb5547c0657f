#!/bin/bash
# docs/ci.md: the workflow is YAML whose commands are the steps of docs/ci/first_test, its caches lie in the folder that
# it keeps, and the page's project builds and passes. usage: ci_page.sh BUILD_DIR | ci_page.sh --root FOLDER
# --root: all steps in an empty Debian root with the network, timed; FOLDER is what debootstrap has made, with /proc,
# /dev and /sys mounted.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

first_block() { # LANGUAGE PAGE
    awk -v start="\`\`\`$1" '/^```$/ { if (inside) exit } inside { print } $0 == start { inside = 1 }' "$2"
}

# The project of the page, in FOLDER.
make_project() { # FOLDER
    mkdir -p "$1/ci"
    cp "$root/docs/ci/first_test" "$1/ci"
    first_block cmake "$root/docs/ci.md" > "$1/CMakeLists.txt"
    first_block c "$root/README.md" > "$1/first.c"
}

if [ "$1" = --root ]; then
    make_project "$2/project"
    git -C "$root" archive --prefix=project/moderncl/ HEAD | tar -x -C "$2"
    for step in packages library project; do
        start=$(date +%s%N)
        chroot "$2" env -i PATH="$PATH" MODERNCL_SOURCE=moderncl sh -c "cd /project && ci/first_test $step" \
            > "$work/log" 2>&1 || { tail -n 30 "$work/log" && exit 1; }
        echo "$step: $((($(date +%s%N) - start) / 1000000)) ms"
    done
    exit
fi

python3 -c 'import yaml' 2> /dev/null || { echo "ci_page: PyYAML not found (Debian: python3-yaml)" && exit 77; }
python3 - "$root/docs/ci/workflow.yml" "$root/docs/ci/first_test" << 'PYTHON'
import re, sys, yaml

workflow = yaml.safe_load(open(sys.argv[1]))
script = open(sys.argv[2]).read()
job = workflow["jobs"]["test"]
steps = [step["run"] for step in job["steps"] if "run" in step]
listed = re.findall(r"^#   (\w+)  ", script, re.M)
assert listed and steps == ["ci/first_test " + name for name in listed], f"steps {steps}, the script has {listed}"
kept = next(step["with"]["path"] for step in job["steps"] if step.get("uses", "").startswith("actions/cache@"))
for name in ("POCL_CACHE_DIR", "MCL_CACHE_DIR", "MODERNCL_PREFIX"):
    assert job["env"][name].startswith(kept + "/"), f"{name} is not kept"
unread = [name for name in job["env"] if name.startswith("MODERNCL_") and name not in script]
assert not unread, f"nobody reads {unread}"
PYTHON

cmake --install "$(readlink -f "$1")" --prefix "$work/prefix" > "$work/log" 2>&1 ||
    { tail -n 30 "$work/log" && exit 1; }
make_project "$work/project"
cd "$work/project"
export MODERNCL_PREFIX=$work/prefix POCL_CACHE_DIR=$work/pocl MCL_CACHE_DIR=$work/programs OMP_WAIT_POLICY=passive
ci/first_test library # which is there, so that nothing is built
[ ! -e .cache ] || { echo "ci_page: the library is built though it is there" && exit 1; }
ci/first_test project > "$work/log" 2>&1 || { tail -n 30 "$work/log" && exit 1; }
[ -n "$(ls "$work/pocl")" ] || { echo "ci_page: POCL has kept nothing in POCL_CACHE_DIR" && exit 1; }
sed -i 's/23 25 31/23 25 32/' CMakeLists.txt
! ci/first_test project > "$work/log" 2>&1 || { echo "ci_page: a test that fails is not seen" && exit 1; }
echo "ci_page: the workflow's commands are the script's, and the page's project passes"

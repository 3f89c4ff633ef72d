#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Is this build slower or faster than another one? `make bench-compare OLD=...`.
#
# OLD is a git revision (v0.1.0, HEAD~5, a1b2c3d), which is built in $B/bench/old-REVISION with the
# same compiler and kept there, or a folder with another build: it holds fauxfleet and
# libfauxpolicy.a, or build/ with those, as a source tree does.
#
# Both builds do the same work in turns, old new new old, block after block, measured in CPU time of
# the process: so other load on the machine affects both alike. How to read the table:
#
#   new/old        1.10: the new build takes 10 % more CPU time; 0.90: 10 % less
#   95 % interval  where the true ratio is to be expected; more blocks (BENCH_BLOCKS=30) make it narrower
#   new is         slower or faster when the difference is more than chance over all rows (Holm's correction), see ratio.c;
#                  "no difference seen" says nothing beyond the interval. Below 2 or 3 % the layout of the code in memory decides.
#
# Rows "run" are whole runs of the program (on 128 nodes jobs wait), rows "decide" the policy core
# alone on a full fleet (pending.c). Builds with different numbers of decisions are named below the
# table: such a row compares different schedules. Exit status 0 however fast or slow the new build
# is, 2 if OLD cannot be used.
#
# Environment: OLD, BIN the program, B the folder of the build, CC, LINK how this build is linked,
# PENDING_O the objects of tests/bench/pending; BENCH_BLOCKS (8) blocks; BENCH_SIZE (100) the work
# of a cell in percent: at 100 it takes 0.1 to 0.5 s.
set -eu

BIN=${BIN:-build/fauxfleet}
B=${B:-build/release}
CC=${CC:-cc}
blocks=${BENCH_BLOCKS:-8}
size=${BENCH_SIZE:-100}
LC_ALL=C
export LC_ALL

refuse() {
    echo "bench-compare: $*" >&2
    exit 2
}

[ -n "${OLD:-}" ] || refuse "say what to compare with: make bench-compare OLD=REVISION, or OLD=FOLDER of another build"
case $blocks in '' | *[!0-9]* | 0*) refuse "BENCH_BLOCKS='$blocks': expected a number of 1 or more" ;; esac
case $size in '' | *[!0-9]* | 0*) refuse "BENCH_SIZE='$size': expected percent, 1 or more" ;; esac
mkdir -p "$B/bench"
work=$(mktemp -d "$B/bench/compare-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# build_revision: builds the revision, and sets $tree to the folder of its tree.
build_revision() {
    git rev-parse --git-dir >/dev/null 2>&1 || refuse "'$OLD' is no folder, and here are no revisions: this is no git repository"
    commit=$(git rev-parse --verify --quiet "$OLD^{commit}") ||
        refuse "'$OLD' is neither a folder nor a revision of this repository; \`git log --oneline\` and \`git tag\` show revisions"
    tree=$B/bench/old-$(echo "$commit" | cut -c 1-12)
    [ ! -x "$tree/build/fauxfleet" ] || return 0
    echo "building $OLD in $tree" >&2
    rm -rf "$tree"
    mkdir -p "$tree"
    git archive "$commit" | tar -x -C "$tree"
    # Nothing of this make is passed to that one.
    if ! env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES make -C "$tree" -j "$(nproc 2>/dev/null || echo 1)" CC="$CC" \
        build/fauxfleet >"$tree.log" 2>&1; then
        tail -n 5 "$tree.log" >&2
        refuse "revision '$OLD' does not build: $tree.log"
    fi
}

# first FILE...: the first that exists, or nothing.
first() {
    for file in "$@"; do
        [ ! -f "$file" ] || { echo "$file" && return; }
    done
}

if [ -d "$OLD" ]; then tree=$OLD; else build_revision; fi
old_bin=$(first "$tree/fauxfleet" "$tree/build/fauxfleet")
[ -x "$old_bin" ] || refuse "no program in '$OLD': neither fauxfleet nor build/fauxfleet is there"
old_core=$(first "$tree/libfauxpolicy.a" "$tree/release/libfauxpolicy.a" "$tree/build/release/libfauxpolicy.a")

# Its policy core, in the program that measures one: the same objects except for the library.
# shellcheck disable=SC2086
if [ -z "$old_core" ] || [ -z "${PENDING_O:-}" ] || ! ${LINK:-$CC} $PENDING_O "$old_core" -o "$work/pending" 2>"$work/link"; then
    echo "bench-compare: without rows for the policy core alone: '$OLD' has no libfauxpolicy.a that links" >&2
    old_core=
fi

part() { echo $((($1 * size + 99) / 100)); } # so much of the work of 100 %

# Cells: a name, a tab, and the arguments of the program ("run") or of pending ("decide").
scenario() {
    cat <<END
{"fauxfleet_scenario": 1, "name": "compare", "fleet": {"pools": [{"name": "c", "node": {"gpus": 8}, "count": $1}]},
 "queues": "from-trace", "workload": {"mode": "replay"}, "window": {"warmup": 0, "drain": true},
 "outputs": {"jobs": true, "journal": false, "timeline_s": 0}}
END
}

# Made by the old build: the new one reads its traces, but may write columns unknown to the old one.
trace() { # FILE NODES JOBS
    "$old_bin" trace generate batch --set "jobs=$3" --set "gpus=$(($2 * 8))" --set load=0.85 -o "$1"
}

for nodes in 128 1024; do scenario "$nodes" >"$work/$nodes.json"; done
trace "$work/128.csv" 128 "$(part 30000)"
trace "$work/1024.csv" 1024 "$(part 100000)"
cells() {
    for cell in fifo:1024 easy:128 las:128 slurm:128 runai:128; do
        policy=${cell%:*} nodes=${cell#*:}
        printf 'run %s, %s nodes\trun %s --trace %s --policy %s -o %s --no-report --quiet\n' "$policy" "$nodes" \
            "$work/$nodes.json" "$work/$nodes.csv" "$policy" "$work/out"
    done
    [ -n "$old_core" ] || return 0
    while read -r policy nodes pending steps; do
        printf 'decide %s, %s nodes, %s pending\tdecide %s %s %s 100000 %s\n' "$policy" "$nodes" "$pending" "$policy" "$nodes" \
            "$pending" "$(part "$steps")"
    done <<END
fifo 1024 1000 200000
easy 1024 1000 2000
las 1024 1000 2000
fgd 1024 1000 20000
runai 1024 100 3000
runai 1024 1000 5000
kube-default 128 1000 20000
END
}

# program WHICH KIND: the program for such a cell, old or new.
program() {
    case $1-$2 in
    old-run) echo "$old_bin" ;;
    new-run) echo "$BIN" ;;
    old-decide) echo "$work/pending" ;;
    new-decide) echo "$B/tests/bench/pending" ;;
    esac
}

# decisions WHICH KIND ARGUMENT...: does the work once, and prints how many decisions were made.
decisions() {
    which=$1 kind=$2
    shift 2
    if [ "$kind" = run ]; then
        "$(program "$which" run)" run "$@" >/dev/null 2>"$work/err" || return 1
        sed -n 's/^ *"decisions": \([0-9]*\),*$/\1/p' "$work/out/summary.json" | head -n 1
    else
        "$(program "$which" decide)" "$@" 2>"$work/err" | sed -n 's/ decisions$//p'
    fi
}

# seconds WHICH KIND ARGUMENT...: CPU time of doing it.
seconds() {
    which=$1 kind=$2
    shift 2
    [ "$kind" = decide ] || set -- run "$@"
    "$B/tests/bench/measure" 1 "$(program "$which" "$kind")" "$@" 2>"$work/err" | cut -d ' ' -f 1
}

# Once without measuring: cells that one of the builds cannot do are left out.
: >"$work/cells"
: >"$work/notes"
cells >"$work/all"
tab=$(printf '\t')
while IFS="$tab" read -r name arguments; do
    # shellcheck disable=SC2086
    old_count=$(decisions old $arguments) || old_count=
    # shellcheck disable=SC2086
    new_count=$(decisions new $arguments) || new_count=
    if [ -z "$old_count" ] || [ -z "$new_count" ]; then
        echo "$name: left out, one of the builds cannot do it: $(tail -n 1 "$work/err")" >>"$work/notes"
        continue
    fi
    [ "$old_count" = "$new_count" ] ||
        echo "$name: other schedules, $old_count decisions by the old build, $new_count by the new one" >>"$work/notes"
    printf '%s\t%s\n' "$name" "$arguments" >>"$work/cells"
done <"$work/all"

block=0
while [ "$block" -lt "$blocks" ]; do
    while IFS="$tab" read -r name arguments; do
        # shellcheck disable=SC2086
        printf '%s\t%s %s %s %s\n' "$name" "$(seconds old $arguments)" "$(seconds new $arguments)" "$(seconds new $arguments)" \
            "$(seconds old $arguments)"
    done <"$work/cells"
    block=$((block + 1))
done >"$work/times"

cat <<END
old: $OLD; new: this build. CPU seconds, geometric means over blocks of old new new old; load now:
$(cut -d ' ' -f 1-3 /proc/loadavg 2>/dev/null || echo unknown). Read it as tests/bench/compare.sh says.

END
"$B/tests/bench/ratio" <"$work/times"
[ ! -s "$work/notes" ] || { echo && cat "$work/notes"; }

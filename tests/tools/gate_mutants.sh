#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Planted changes of policies/ against the gate: gate_mutants.sh [NAME...]; part of `make
# gate-evidence`.
#
# tests/gate/mutants/NN-name.patch breaks one rule each, tests/gate/neutral/NN-name.patch none. Each
# patch is applied with `patch -p1` to a copy of the tree, the program is built from it (only
# changed files are compiled), and judged by `gate --baseline` of the unpatched program on the suite
# scenarios/ci/suite.json, without --require-identical. The first lines of a patch name the rule
# ("Rule: ...") and the policy that has it ("Policy: ...").
#
# A mutant is detected if the gate exits with 1 (worse) or 4 (an invariant or the bound of
# starvation is violated). Time and memory are not judged: costs break no rule.
#
# With names only patches whose file name contains one of them are judged, and the number detected
# does not matter. Exit status 1 when a patch no longer applies or builds, fewer than MUTANTS_LEAST
# mutants are detected, or a neutral patch fails a gate.
#
# Environment: BIN the program; MUTANTS_LEAST (36); NEUTRAL_SEEDS (10) gates of each neutral patch;
# MUTANT_REPLICAS (20); JOBS processes (all processors); CC; ROOM the scratch folder (a temporary
# one, removed).
set -u

BIN=${BIN:-build/fauxfleet}
least=${MUTANTS_LEAST:-36}
seeds=${NEUTRAL_SEEDS:-10}
replicas=${MUTANT_REPLICAS:-20}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 1)}
names=$*
LC_ALL=C
PATH=/usr/lib/ccache:$PATH
export LC_ALL PATH
room=${ROOM:-}
if [ -z "$room" ]; then
    room=$(mktemp -d "${TMPDIR:-/tmp}/fauxfleet-mutants-XXXXXX") || exit 2
    trap 'rm -rf "$room"' EXIT
    trap 'exit 130' INT TERM
fi
mkdir -p "$room/tree" || exit 2
bad=0

wanted() {
    [ -n "$names" ] || return 0
    for name in $names; do
        case $1 in *"$name"*) return 0 ;; esac
    done
    return 1
}

sed -e 's|"fauxfleet_gate": 1|&, "resources": {"decision_time": {"role": "off"}, "peak_memory": {"role": "off"}, "memory_growth": {"role": "off"}}|' \
    -e "s|\"scenario\": \"|&$PWD/scenarios/ci/|" scenarios/ci/suite.json >"$room/suite.json"

# The tree with the program's build products, so that little is compiled again; times are kept.
tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$room/tree" || exit 2
[ ! -d build/release ] || tar -cf - --exclude=build/release/tests build/release | tar -xf - -C "$room/tree" || exit 2
make -s -C "$room/tree" -j "$jobs" build/release/fauxfleet >"$room/log" 2>&1 || {
    cat "$room/log" >&2
    echo "gate_mutants: the tree does not build" >&2
    exit 2
}
cp "$room/tree/build/release/fauxfleet" "$room/base" || exit 2

# baseline POLICY SEED: makes it once.
baseline() {
    [ -s "$room/$1-$2.json" ] || "$room/base" gate "$room/suite.json" --base "$1" --save-baseline "$room/$1-$2.json" --seed "$2" \
        --replicas "$replicas" -j "$jobs" --quiet || exit 2
}

# build PATCH: builds $room/mutant; false if the patch does not apply or build.
build() {
    cp -p -R policies "$room/tree/" || exit 2 # whatever another patch left
    patch -s -f -F0 -p1 -d "$room/tree" <"$1" >"$room/log" 2>&1 || {
        echo "gate_mutants: $1 no longer applies: make it anew" >&2
        sed 's/^/  /' "$room/log" >&2
        return 1
    }
    touch_changed "$1"
    make -s -C "$room/tree" -j "$jobs" build/release/fauxfleet >"$room/log" 2>&1 || {
        echo "gate_mutants: $1 does not build" >&2
        sed 's/^/  /' "$room/log" >&2
        return 1
    }
    cp "$room/tree/build/release/fauxfleet" "$room/mutant"
}

# Files of this patch and of the one before are newer than their objects.
before=
touch_changed() {
    now=$(sed -n 's|^+++ b/\([^	 ]*\).*|\1|p' "$1")
    for file in $before $now; do
        touch "$room/tree/$file"
    done
    before=$now
}

# judge POLICY SEED: sets $status to the verdict, and leaves the report in $room/report.
judge() {
    baseline "$1" "$2"
    "$room/mutant" gate "$room/suite.json" --baseline "$room/$1-$2.json" --candidate "$1" --seed "$2" --replicas "$replicas" \
        -j "$jobs" --quiet --json >"$room/report" 2>"$room/err"
    status=$?
}

# What became worse: the first scenario and metric, and how many in all.
what() {
    case $status in
    4) echo "invariant" ;;
    1)
        awk -F'"' '
            / "scenario": / { scenario = $4 } / "metric": / { metric = $4 }
            / "role": / { role = $4 }
            / "verdict": "fail/ { if (metric != "" && role != "guard") { if (!n++) first = scenario ": " metric } }
            END { if (n) printf "%s%s\n", first, (n > 1 ? " and " (n - 1) " more" : ""); else print "failed" }' "$room/report"
        ;;
    0) echo "-" ;;
    3) echo "- (inconclusive)" ;;
    *)
        sed 's/^/  /' "$room/err" >&2
        echo "exit status $status"
        ;;
    esac
}

header() { sed -n "s/^$2: //p" "$1" | head -n 1; }

printf '%-36s %-12s %s\n' mutant policy 'detected by'
total=0 detected=0
for patch in tests/gate/mutants/*.patch; do
    wanted "$patch" || continue
    total=$((total + 1))
    name=$(basename "$patch" .patch)
    build "$patch" || {
        bad=1
        continue
    }
    policy=$(header "$patch" Policy)
    judge "$policy" 1
    case $status in 1 | 4) detected=$((detected + 1)) ;; esac
    printf '%-36s %-12s %s\n' "$name" "$policy" "$(what)"
    printf '    %s\n' "$(header "$patch" Rule)"
done
echo "Detected: $detected of $total mutants."
[ -n "$names" ] || [ "$detected" -ge "$least" ] || bad=1
[ ! -f tests/gate/mutants/undetected.txt ] || { echo && cat tests/gate/mutants/undetected.txt && echo; }

printf '%-36s %-12s %5s %6s\n' 'neutral change' policy gates failed
gates=0 wrong=0
for patch in tests/gate/neutral/*.patch; do
    if [ ! -f "$patch" ] || [ "$seeds" -eq 0 ] || ! wanted "$patch"; then
        continue
    fi
    build "$patch" || {
        bad=1
        continue
    }
    policy=$(header "$patch" Policy)
    failed=0
    for seed in $(seq "$seeds"); do
        judge "$policy" "$((seed * 1000))"
        gates=$((gates + 1))
        case $status in 0 | 3) ;; *) failed=$((failed + 1)) ;; esac
    done
    wrong=$((wrong + failed))
    printf '%-36s %-12s %5d %6d\n' "$(basename "$patch" .patch)" "$policy" "$seeds" "$failed"
done
echo "Failed: $wrong of $gates gates of neutral changes."
[ "$wrong" -eq 0 ] || bad=1
exit "$bad"

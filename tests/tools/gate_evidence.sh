#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often the gate is wrong, on the suite of scenarios/ci: `make gate-evidence`.
#
# A/A: a policy against itself with other jitter of the same jobs, many seeds. A gate that fails is
# wrong. Regressions: a policy against itself with something removed or broken
# (tests/e2e/data/regressions). A gate that does not fail has missed it. Planted: plugins that
# crash, hang, leak, are slow or decide at random (planted.c there).
#
# Prints a table. Exit status 1 if more than 1 % of the A/A gates fail, or fewer than 95 % of the
# gates with a regression do. Equal seeds give equal tables, except where time is judged.
#
# Environment: BIN the program, AA_SEEDS (100) for each of AA_POLICIES (quota-base line-base),
# REGRESSION_SEEDS (20) for each regression, BROAD_ONLY=1 the four broad scenarios of the suite
# alone, PLANTED_SEEDS (20) for each planted plugin, JOBS processes (all processors), CC. 0 seeds
# leave a part out.
set -u

BIN=${BIN:-build/fauxfleet}
aa_seeds=${AA_SEEDS:-100}
regression_seeds=${REGRESSION_SEEDS:-20}
planted_seeds=${PLANTED_SEEDS:-20}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 1)}
LC_ALL=C
export LC_ALL
data=tests/e2e/data/regressions
tmp=$(mktemp -d "${TMPDIR:-/tmp}/fauxfleet-evidence-XXXXXX") || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# The suite without the auditor after every event, which is not measured here.
few=
[ "${BROAD_ONLY:-0}" -eq 0 ] || few='s|"venus"},|"venus"}|; /"owners"/,/"ahead"/d'
sed -e 's|"audit": [0-9]*|"audit": 0|' -e "$few" -e "s|\"scenario\": \"|&$PWD/scenarios/ci/|" \
    scenarios/ci/suite.json >"$tmp/suite.json"

# gates BASE CANDIDATE SEEDS OPTION...: files of policies; runs the gates, with seeds that share no
# replica; sets $passed $failed $undecided to the numbers of verdicts and $replicas to the number of
# replicas in all.
gates() {
    passed=0 failed=0 undecided=0 replicas=0
    base=$1 candidate=$2 seeds=$3
    shift 3
    for seed in $(seq "$seeds"); do
        "$BIN" gate "$tmp/suite.json" --base "$base" --candidate "$candidate" "$@" --seed "$((seed * 1000))" \
            -j "$jobs" --quiet --json >"$tmp/out" 2>"$tmp/err"
        status=$?
        case $status in
        0) passed=$((passed + 1)) ;;
        1) failed=$((failed + 1)) ;;
        3) undecided=$((undecided + 1)) ;;
        *)
            echo "gate_evidence: seed $((seed * 1000)): $base against $candidate: exit status $status" >&2
            cat "$tmp/err" "$tmp/out" >&2
            exit 2
            ;;
        esac
        replicas=$((replicas + $(sed -n 's/^   "replicas": \([0-9]*\),$/\1/p' "$tmp/out" | sort -n | tail -n 1)))
    done
}

# row WHAT SEEDS
row() {
    [ "$2" -eq 0 ] || printf '%-44s %5d %6d %6d %13d %9d\n' "$1" "$2" "$passed" "$failed" "$undecided" "$((replicas / $2))"
}

bad=0
printf '%-44s %5s %6s %6s %13s %9s\n' "suite scenarios/ci/suite.json" gates passed failed inconclusive replicas
all=0 wrong=0
for policy in ${AA_POLICIES:-quota-base line-base}; do
    gates "$data/$policy.json" "$data/$policy.json" "$aa_seeds" --aa
    row "A/A: $policy" "$aa_seeds"
    all=$((all + aa_seeds)) wrong=$((wrong + failed))
done
[ $((100 * wrong)) -le "$all" ] || bad=1
while read -r from to; do
    gates "$data/$from.json" "$data/$to.json" "$regression_seeds"
    row "regression: $to" "$regression_seeds"
    [ $((100 * failed)) -ge $((95 * regression_seeds)) ] || bad=1
done <<END
quota-base quota-fair-share-off
quota-base quota-reclaim-off
quota-base quota-ignored
quota-base quota-spread
line-base line-spread
line-base line-backfill-off
END
while read -r plant options && [ "$planted_seeds" -gt 0 ]; do
    for one in NONE "$plant"; do
        ${CC:-cc} -std=c17 -O1 -shared -fPIC -Ipolicies "-DPLANT_$one" -o "$tmp/$one.so" "$data/planted.c" || exit 2
    done
    # shellcheck disable=SC2086 # they are words
    gates "$tmp/NONE.so" "$tmp/$plant.so" "$planted_seeds" $options
    row "planted: $plant" "$planted_seeds"
    [ $((100 * failed)) -ge $((95 * planted_seeds)) ] || bad=1
done <<END
CRASH
EXIT
LOOP --side-time 1s
SLEEP --side-time 1s
EAT --side-memory 300
CHANCE
SALT
SLOW
LEAK
LEAKLET
END
echo "False failures: $wrong of $all A/A gates."
exit "$bad"

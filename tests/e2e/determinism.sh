#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Equal inputs give equal bytes: run directories are compared file by file, except for timing.json.
# Twice, from another working directory with other HOME, TZ, LANG and priority, with another process
# limit and file mask; and with DETERMINISM=full between builds: -O0, and the other compiler. The
# examples with reports; Venus September 2020 (from $FAUXFLEET_SHARED or ../shared, if present)
# without.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

root=$PWD
demo=$root/scenarios/examples/demo.json
bound=$root/tests/e2e/data/bound.json
venus=$root/scenarios/studies/venus-sept.json
venus_trace=$shared/traces/venus-sept/jobs.csv.gz
[ -n "$shared" ] && [ -r "$venus_trace" ] || venus_trace=

# simulate NAME: runs a workload with the program $program, into $tmp/$1-$to; environment and
# directory are the caller's.
simulate() {
    case $1 in
    demo) set -- demo "$demo" ;;
    random) set -- random "$demo" --no-report --set policy.options.placement=random --set policy.options.blocking=skip ;;
    replicas) set -- replicas "$demo" --no-report --replicas 2 -j 2 ;;
    bound) set -- bound "$bound" ;;
    faulty) set -- faulty "$demo" --set 'faults={"profile":"h100","scale":50}' --set 'cost.pue=1.3' ;;
    venus) set -- venus "$venus" --trace "$venus_trace" --no-report ;;
    esac
    workload=$1
    shift
    "$program" run "$@" -o "$tmp/$workload-$to" --quiet >"$tmp/$workload-$to.out" 2>"$tmp/err" </dev/null
}

# again WHAT WORKLOAD...: simulates each once more and compares with the first run.
again() {
    description=$1
    shift
    for workload in "$@"; do
        simulate "$workload"
        status=$?
        check "$workload: $description" eval \
            '[ "$status" -eq 0 ] && alike "$tmp/$workload-first" "$tmp/$workload-$to" && same "$tmp/$workload-first.out" "$tmp/$workload-$to.out"'
        rm -rf "$tmp/$workload-$to"
    done
}

workloads="bound demo random replicas faulty"
[ -z "$venus_trace" ] || workloads="$workloads venus"
program=$BIN
to=first
for workload in $workloads; do
    simulate "$workload"
    status=$?
    check "$workload: runs" status_is 0
done
[ -n "$venus_trace" ] || skip "venus: the same run twice" "no traces/venus-sept"

to=second
# shellcheck disable=SC2086
again "the same run twice" $workloads

mkdir "$tmp/elsewhere"
cd "$tmp/elsewhere" || exit 2
HOME=/nonexistent TZ=Asia/Kathmandu LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 COLUMNS=40 GSL_RNG_SEED=7 \
    GSL_RNG_TYPE=taus MALLOC_PERTURB_=165
export HOME TZ LANG LC_ALL LC_NUMERIC COLUMNS GSL_RNG_SEED GSL_RNG_TYPE MALLOC_PERTURB_
umask 077
again "another directory, home, time zone, language, memory" bound demo random replicas faulty
umask 022
LC_ALL=C
unset MALLOC_PERTURB_ COLUMNS LC_NUMERIC
cd "$root" || exit 2

# Another priority and another memory layout, if the tools are installed.
cat >"$tmp/other" <<END
#!/bin/sh
exec nice -n 15 $(command -v setarch >/dev/null && setarch -R true 2>/dev/null && echo "setarch -R") "$BIN" "\$@"
END
chmod +x "$tmp/other"
program=$tmp/other
again "at low priority, at fixed addresses" bound demo

# --- other builds --------------------------------------------------------------------------------

# build VARIANT COMPILER: prints the program of another build; slow the first time.
build() {
    folder=${B:-build/release}
    folder=${folder%/*}/$1
    if ! ${MAKE:-make} -s --no-print-directory CC="$2" VARIANT="$1" B="$folder" "$folder/fauxfleet" >"$tmp/make" 2>&1; then
        tail -n 20 "$tmp/make" >&2
        return 1
    fi
    echo "$root/$folder/fauxfleet"
}

while read -r variant compiler; do
    if [ "${DETERMINISM:-}" != full ] || [ "${VARIANT:-release}" != release ]; then
        skip "the $variant build gives the same bytes" "DETERMINISM=full builds it"
    elif ! command -v "$compiler" >/dev/null; then
        skip "the $variant build gives the same bytes" "no $compiler"
    else
        program=$(build "$variant" "$compiler")
        status=$?
        check "the $variant build is made by $compiler" status_is 0
        # shellcheck disable=SC2086
        again "the $variant build gives the same bytes" $workloads
    fi
done <<'ROWS'
debug gcc
clang clang
ROWS

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Malicious names, through every output: examples, and random ones judged by python3's own parsers,
# gnuplot and shells (tests/e2e/lib/hostile.py). HOSTILE_SEEDS: how many draws of names [2].
# shellcheck disable=SC2016,SC2154,SC2317 # $tmp is of tap.sh; checks are texts
set -u
. tests/e2e/lib/tap.sh

# --- examples ------------------------------------------------------------------------------------

plan=$PWD/tests/e2e/data/sweep.json
target=$(printf 'x\ntouch canary\n#')
mkdir "$tmp/scripts" "$tmp/bin"
for program in fauxfleet parallel; do
    printf '#!/bin/sh\nexit 0\n' >"$tmp/bin/$program"
    chmod +x "$tmp/bin/$program"
done
for engine in slurm parallel; do
    run sweep "$plan" -o "$target" --emit "$engine"
    cp "$tmp/out" "$tmp/scripts/$engine"
    (cd "$tmp/scripts" && PATH=$tmp/bin:$PATH SLURM_ARRAY_TASK_ID=1 sh "$engine") >/dev/null 2>&1
    check "no name of a folder runs as shell: --emit $engine" eval 'status_is 0 && absent "$tmp/scripts/canary"'
done
run sweep "$plan" -o "$target" --emit k8s
check "nor ends a comment of the manifest" eval 'status_is 0 && ! grep -q "^touch canary" "$tmp/out"'
run sweep "$plan" -o "$(printf 'a\377')" --emit k8s
check "a name that YAML cannot hold is refused" eval 'status_is 2 && says err "is not UTF-8"'

printf 'job_id,submit_s,duration_s,gpus,queue,user\n' >"$tmp/names.csv"
printf '1,0,10,1,"q\033[2J\n::error::x",u\302\2331m\342\200\256\n' >>"$tmp/names.csv"
run trace stats "$tmp/names.csv"
check "trace stats shows control characters, line ends and marks of direction" \
    eval 'status_is 0 && says out "q\u001b[2J\n::error::x" && says out "u\u009b1m\u202e"'
run trace convert "$tmp/names.csv" -o "$tmp/again.csv"
run trace convert "$tmp/again.csv" -o "$tmp/twice.csv"
check "and a converted trace keeps their bytes" \
    eval 'status_is 0 && same "$tmp/again.csv" "$tmp/twice.csv" && grep -q "$(printf "q\033")" "$tmp/again.csv"'
run trace convert "$(printf 'no\nsuch\033[2J')"
check "an error stays one line and is shown" eval 'refused "no\nsuch\u001b[2J" && [ "$(wc -l <"$tmp/err")" -eq 1 ]'

# --- random names --------------------------------------------------------------------------------

if command -v python3 >/dev/null; then
    seed=0
    while [ "$seed" -lt "${HOSTILE_SEEDS:-2}" ]; do
        seed=$((seed + 1))
        status=0
        python3 tests/e2e/lib/hostile.py "$BIN" "$tmp/$seed" "$seed" >"$tmp/out" 2>"$tmp/err" || status=$?
        while IFS= read -r line; do
            case $line in
            *' # SKIP '*) why=${line#*' # SKIP '} what=${line%' # SKIP '*} && skip "${what#ok - }" "$why" ;;
            'ok - '*) check "${line#ok - }" true ;;
            'not ok - '*) check "${line#not ok - }" false ;;
            esac
        done <"$tmp/out"
        check "all names of seed $seed were judged" eval 'status_is 0 && silent err'
    done
else
    skip "random names" "no python3"
fi

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every trace format through the program: detected by content, described, converted to the native
# format (which converts to itself) and to SWF, and simulated. The files are the fuzz target's
# seeds, a few rows of each format.
set -u
. tests/e2e/lib/tap.sh

cat >"$tmp/fleet.json" <<'END'
{"fauxfleet_scenario": 1, "name": "formats",
 "fleet": {"pools": [{"name": "gpu", "node": "dgx-a100", "count": 8}]},
 "policy": {"name": "fifo"}}
END

# stat KEY: a top-level number of the JSON printed by trace stats.
stat() { sed -n "s/^  \"$1\": \([^,]*\),\{0,1\}\$/\1/p" "$tmp/out"; }

for path in tests/fuzz/corpus/traces/*.*; do
    name=${path##*/}
    format=${name%.*}
    format=${format%-[0-9]}
    option= set=
    case $name in
    gavel-2.* | ones.* | pollux*) # no run times, and no models from which they follow
        run trace stats "$path"
        check "$name: refused" refused "progress models are not supported yet; option run_time=TIME gives every job the same one"
        run run "$tmp/fleet.json" --trace "$PWD/$path" -o "$tmp/run"
        check "$name: nor simulated" refused "progress models are not supported yet"
        option=--option=run_time=1h set=--set=workload.options.run_time=1h
        ;;
    esac
    # The options are one word or none.
    # shellcheck disable=SC2086
    run trace stats --json "$path" $option
    check "$name: found" eval 'status_is 0 && is_json "$tmp/out" && says out "\"format\": \"$format\""'
    jobs=$(stat jobs)
    hours=$(stat gpu_hours)
    # shellcheck disable=SC2086
    run trace convert "$path" -o "$tmp/once.csv" $option
    check "$name: converted" eval 'status_is 0 && equal "$(($(wc -l <"$tmp/once.csv") - 1))" "$jobs"'
    run trace convert "$tmp/once.csv" -o "$tmp/twice.csv"
    check "$name: a native trace is unchanged" eval 'status_is 0 && same "$tmp/once.csv" "$tmp/twice.csv"'
    # shellcheck disable=SC2086
    run trace convert "$path" -o "$tmp/once.swf" $option
    shares=$(grep -c 'a share of a GPU' "$tmp/err")
    run trace stats --json "$tmp/once.swf"
    if [ "$shares" -eq 0 ] && [ "$hours" != 0 ]; then
        check "$name: SWF has the same GPU-hours" eval 'good=$(stat gpu_hours); equal "$good" "$hours"'
    fi
    # shellcheck disable=SC2086
    run run "$tmp/fleet.json" --trace "$PWD/$path" --audit --no-report -q -o "$tmp/run" $set
    check "$name: simulated" eval 'status_is 0 && equal "$(json "$tmp/run/summary.json" jobs.submitted)" "$jobs"'
    rm -rf "$tmp/run"
done

# The page is self-contained, and the same every time.
swf=tests/fuzz/corpus/traces/jsspp.bin
run trace stats "$swf" -o "$tmp/page.html"
check "trace stats -o PAGE.html" eval 'status_is 0 && says page.html "<svg" && ! grep -qi "http://\|https://\|<script" "$tmp/page.html"'
cp "$tmp/page.html" "$tmp/first.html"
run trace stats "$swf" --json -o "$tmp/page.html"
check "the page is the same again" eval 'is_json "$tmp/out" && same "$tmp/first.html" "$tmp/page.html"'
run trace stats "$swf" -o -
check "no page on standard output" refused "the page goes to a file"

# Options of formats, on the command line and in a scenario, and errors in them.
alcf=tests/fuzz/corpus/traces/alcf.bin
run trace stats --json "$alcf" --option unit_gpus=8
check "an option of the format" eval 'status_is 0 && says out "\"9-63\""'
eight=$(stat gpu_hours)
run run "$tmp/fleet.json" --trace "$PWD/$alcf" --set workload.options.unit_gpus=8 --no-report -q -o "$tmp/run"
check "the same in a scenario" eval 'status_is 0'
run trace stats --json "$alcf"
one=$(stat gpu_hours)
check "eight GPUs a unit are eight times the GPU-hours" \
    eval 'awk -v a="$one" -v b="$eight" "BEGIN { exit !(b > 7.99 * a && b < 8.01 * a) }"'
while IFS='|' read -r arguments message; do
    # shellcheck disable=SC2086
    run trace stats "$alcf" $arguments
    check "trace stats $arguments" refused "$message"
done <<'END'
--option unit_gpus|expected KEY=VALUE
--option =8|expected KEY=VALUE
--option unit_gpu=8|did you mean 'unit_gpus'?
--option unit_gpus=0|expected a whole number from 1 to 1024
--option run_time=1h|is for traces of format gavel|pollux|ones, this one is alcf
END
run run "$tmp/fleet.json" --trace "$PWD/$alcf" --set workload.options.unit_gpu=8 --check
check "a scenario's option by its nearest name" refused "workload.options.unit_gpu: there is no option 'unit_gpu'"
run run "$tmp/fleet.json" --trace "$PWD/$alcf" --set workload.options.jobs=no-such-file.csv --check
check "a scenario's option that names a file" refused "workload.options.jobs"

# One job has no rate, and a log without a status does not say that its jobs completed.
printf 'job_id,submit_s,duration_s,gpus\na,0,10,8\n' >"$tmp/one.csv"
run trace stats "$tmp/one.csv"
check "no rate of one job" eval 'status_is 0 && says out "arrivals     - jobs an hour" && ! says out "completed "'
check "a status that is not recorded" eval 'says out "unknown                1  100.0"'
run trace stats "$tmp/one.csv" --json
check "both are null in JSON" eval 'status_is 0 && says out "\"per_hour\": null" && says out "\"completed\": null"'

# Tables that are no traces are identified in the message.
printf 'sn,cpu_milli,memory_mib,gpu,model\nn,1,1,1,T4\n' >"$tmp/nodes.csv"
run trace stats "$tmp/nodes.csv"
check "a list of nodes is no trace" refused "no job trace: this is a list of nodes"

# SWF with a clock that counts from 1970 begins at 0 and says when that was.
printf 'job_id,submit_s,duration_s,gpus,user,queue,status,start_s,time_limit_s\na,1600000000.5,10,2,ann,q,failed,1600000003.5,60\nb,1600000007,5,0,bob,q,completed,,\n' >"$tmp/unix.csv"
run trace convert "$tmp/unix.csv" --to swf
printf '; Version: 2.2\n; Conversion: fauxfleet trace convert\n; Note: one processor is one GPU\n; UnixStartTime: 1600000000\n; TimeZoneString: UTC\n1 0.5 3 10 2 -1 -1 2 60 -1 0 1 -1 -1 1 -1 -1 -1\n' >"$tmp/want.swf"
check "SWF as it should be" same "$tmp/out" "$tmp/want.swf"
check "jobs without GPUs are counted" says err "1 jobs without GPUs: skipped"
finish

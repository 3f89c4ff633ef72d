#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line from outside: help, version, manual, misuse, exit codes, `list`, and `trace` on
# small files. Drives $BIN (build/fauxfleet) from the root of the repository and prints one TAP line
# a check. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

narrow() { awk 'length($0) > 80 { bad = 1; print "# too long: " $0 } END { exit bad }' "$tmp/$1"; }
lines() { [ "$(wc -l <"$tmp/$1")" -eq "$2" ]; }
good() { status_is 0 && silent err; }

# --- help, version, manual ------------------------------------------------------------------------

run --help
check "--help succeeds and says nothing on stderr" good
check "--help fits 80 columns" narrow out
cp "$tmp/out" "$tmp/first"
for command in run decide shares explain report trace list; do
    check "--help names $command" grep -q "^  $command  " "$tmp/first"
    run "$command" --help
    check "$command --help" eval 'good && says out "Usage: fauxfleet $command"'
    check "$command --help has its options" grep -q '^  -h, --help' "$tmp/out"
done
for command in stats convert generate formats; do
    run trace "$command" --help
    check "trace $command --help" eval 'good && says out "Usage: fauxfleet trace $command"'
done
run list policies --help
check "list policies --help" eval 'good && says out "Usage: fauxfleet list policies"'
run run --help
for option in output check no-report policy trace set seed replicas jobs audit quiet json; do
    check "run --help has --$option" grep -q -- "--$option\b" "$tmp/out"
done
run list options
actions=$(sed -n 's/^actions  *\([a-z,]*\): .*/\1/p' "$tmp/out" | tr , ' ')
check "list options has the actions" equal "$(echo "$actions" | wc -w | tr -d ' ')" 6
run decide --help
for action in $actions; do
    check "decide --help has $action" grep -qw -- "$action" "$tmp/out"
done
run --help
sed -n 's/^  \([a-z]*\)  .*/\1/p' "$tmp/out" >"$tmp/commands"
run run --help
tr -s ' \n' ' ' <"$tmp/out" >"$tmp/text"
named=$(sed -n 's/.*snapshot\.json, for \([a-z, ]*\)\..*/\1/p' "$tmp/text" | sed 's/,\| and / /g')
for command in $named; do
    check "run --help: there is a command $command" grep -qx "$command" "$tmp/commands"
done
run run no-such-file --seed 5 --help --bogus
check "--help wins over operands and over what follows it" good
cp "$tmp/out" "$tmp/first"
run run -h
check "-h is --help" same "$tmp/out" "$tmp/first"

run --version
check "--version" eval 'good && head -n 1 "$tmp/out" | grep -qx "fauxfleet [0-9]*\.[0-9]*\.[0-9]*"'
check "--version names the libraries" says out "GSL"
for part in "policy contract " "plugins " "random numbers fauxfleet-counter" "scenario 1" SQLite fauxfleet-slurm; do
    check "--version says $part" says out "$part"
done
cp "$tmp/out" "$tmp/first"
run -V
check "-V is --version" same "$tmp/out" "$tmp/first"

run --man
check "--man succeeds" good
for part in '.SH NAME' '.SH COMMANDS' '.SH "EXIT STATUS"' 'fauxfleet trace generate' '\-\-replicas'; do
    check "--man has $part" says out "$part"
done
run trace stats --man
cp "$tmp/out" "$tmp/first"
run trace --man
check "trace --man is one page with its subcommands" eval 'good && same "$tmp/out" "$tmp/first" && says out "fauxfleet trace generate"'
run --man
if command -v groff >/dev/null; then
    groff -ww -man -Tascii "$tmp/out" >"$tmp/page" 2>"$tmp/err"
    check "groff has no warnings about the manual" silent err
    check "the manual renders" grep -q 'FAUXFLEET(1)' "$tmp/page"
else
    skip "groff has no warnings about the manual" "no groff"
fi

# --- misuse: exit code 2, nothing on stdout, the nearest name, and a hint -------------------------

# Arguments, then what stderr must contain.
while IFS='|' read -r arguments expected; do
    # shellcheck disable=SC2086
    run $arguments
    check "misuse: '$arguments'" refused "$expected"
    check "misuse: '$arguments' points at the help" grep -q "^Try 'fauxfleet.* --help'\.$" "$tmp/err"
done <<'ROWS'
|command missing
rnu|unknown command 'rnu', did you mean 'run'?
xyzzy-plugh|unknown command 'xyzzy-plugh'
--bogus|unknown option '--bogus'
--quiet run x|option '--quiet' has to stand behind the command
run|operand missing, expected: fauxfleet run SCENARIO.json
run a b|unexpected operand 'b'
run --polcy fifo a|unknown option '--polcy', did you mean '--policy'?
run --polcy=fifo a|unknown option '--polcy', did you mean '--policy'?
run a --se 3|option '--se' is ambiguous: --set, --seed
run -x a|unknown option '-x'
run a --seed|option '--seed' needs an argument
run a -o|option '--output' needs an argument
run a --output=|option '--output' needs an argument that is not empty
run a --check=yes|option '--check' takes no argument
run a --seed x|option '--seed': 'x' is not a whole number from 0 to 18446744073709551615
run a --seed -1|option '--seed': '-1' is not a whole number
run a --seed 18446744073709551616|'18446744073709551616' is not a whole number
run a --replicas 0|option '--replicas': '0' is not a whole number from 1
run a -j 0|option '--jobs': '0' is not a whole number from 1
explain out|operand missing, expected: fauxfleet explain (SNAPSHOT.json|DIR) JOB
decide|operand missing, expected: fauxfleet decide SNAPSHOT.json
decide a b|unexpected operand 'b'
decide a --cycles 0|option '--cycles': '0' is not a whole number from 1
shares|operand missing, expected: fauxfleet shares QUEUES.json
shares a --jsn|unknown option '--jsn'
report|operand missing, expected: fauxfleet report DIR
list polices|unknown topic 'polices', did you mean 'policies'?
list policies fifo|unexpected operand 'fifo'
list --jsn|unknown option '--jsn', did you mean '--json'?
trace|subcommand missing, expected one of stats, convert, generate, perturb, formats
trace stat x|unknown subcommand 'stat', did you mean 'stats'?
trace --json stats x|option '--json' has to stand behind the subcommand
trace convert x --to parquet|cannot write format 'parquet', expected native or swf
trace convert x -o y.csv.gz|y.csv.gz: traces are written uncompressed
ROWS

# --- list -----------------------------------------------------------------------------------------

run list
check "list prints the topics" good
topics='policies orders placements nodes fabrics faults models metrics formats profiles reports commands'
for topic in $topics; do
    run list
    check "list has $topic" grep -q "^$topic  " "$tmp/out"
    run list "$topic"
    check "list $topic" eval 'good && [ -s "$tmp/out" ]'
    check "list $topic: a name and a description a line" eval '! grep -Evq "^[^ ]+ {2,}[^ ]" "$tmp/out"'
    rows=$(wc -l <"$tmp/out")
    run list "$topic" --json
    check "list $topic --json is JSON" eval 'good && is_json "$tmp/out"'
    check "list $topic --json has as many rows" [ "$(grep -c '"name": ' "$tmp/out")" -eq "$rows" ]
done
while read -r topic name; do
    run list "$topic"
    check "list $topic has $name" grep -q "^$name  " "$tmp/out"
done <<'ROWS'
policies fifo
policies sjf
policies best-fit
policies random
orders fifo
orders sjf
orders multifactor
placements count
placements first-fit
placements best-fit
placements consolidated
placements binpack
placements spread
placements random
nodes dgx-1v
nodes dgx-2
nodes dgx-a100
nodes dgx-a100-40
nodes dgx-h100
nodes dgx-h200
nodes dgx-b200
nodes gb200-nvl72
nodes hgx-a100-4
nodes pcie-8x-a100
nodes pcie-8x-l40s
nodes workstation
faults h100
faults a100_good
faults a100_busy
faults early
faults b200
faults gpu
faults maintenance
faults user
metrics utilization.fleet_goodput
metrics fairness.jain
formats native
formats helios
formats openb
formats swf
profiles batch
profiles teams
profiles philly
profiles acme-kalos
profiles case-study
reports html
commands run
commands decide
commands shares
commands trace
policies runai
policies static
policies slurm
ROWS
run list nodes dgx-h100
check "list nodes NAME shows figures and sources" eval 'good && grep -Eq "^  peak_w +10200 +docs.nvidia.com" "$tmp/out"'
check "list nodes NAME marks unverified values" grep -Eq '^  idle_w +2000 +[?]  estimate' "$tmp/out"
run list nodes dgx-h100 --json
check "list nodes NAME --json has them too" eval 'good && is_json "$tmp/out" && [ "$(grep -c "\"name\": " "$tmp/out")" -eq 1 ] && says out "\"idle_w\": 2000"'
run list nodes dgx-h10
check "list nodes with an unknown name" eval 'status_is 2 && silent out && says err "unknown kind of node '"'dgx-h10', did you mean 'dgx-h100'"'?"'
run list nodes
check "list nodes counts unverified values" grep -q '^dgx-h100  .*figures unverified\]$' "$tmp/out"
run list policies --json
cp "$tmp/out" "$tmp/first"
run list --json policies
check "options may stand before the topic" same "$tmp/out" "$tmp/first"
run list --js policies
check "options may be abbreviated" same "$tmp/out" "$tmp/first"

# --- trace stats ----------------------------------------------------------------------------------

# Two jobs: 2 GPUs for an hour and 1 GPU for half an hour are 2.5 GPU-hours.
printf 'job_id,submit_s,duration_s,gpus\na,0,3600,2\nb,60,1800,1\n' >"$tmp/two.csv"
printf 'job_id,submit_s,duration_s,gpus\nb,60,1800,1\na,0,3600,2\n' >"$tmp/unsorted.csv"
run trace stats "$tmp/two.csv"
check "trace stats" good
check "trace stats says format and digest first" \
    eval 'head -n 1 "$tmp/out" | grep -q "format native, sha256:$(sha256sum <"$tmp/two.csv" | cut -d " " -f 1)$"'
run trace stats --json "$tmp/two.csv"
check "trace stats --json is one JSON value" eval 'good && is_json "$tmp/out"'
for part in '"format": "native"' '"jobs": 2' '"gpu_hours": 2.5' '"first_submit_s": 0' '"last_submit_s": 60'; do
    check "trace stats --json has $part" says out "$part"
done
cp "$tmp/out" "$tmp/first"
printf 'job_id,submit_s,duration_s,gpus\n' >"$tmp/none.csv"
run trace stats "$tmp/none.csv" --json
check "without jobs there is no first submission" says out '"first_submit_s": null'
run trace stats "$tmp/two.csv" --json
check "options may stand behind operands" same "$tmp/out" "$tmp/first"
run trace stats --json -- "$tmp/two.csv"
check "-- ends the options" same "$tmp/out" "$tmp/first"
"$BIN" trace stats --json - <"$tmp/two.csv" >"$tmp/out" 2>"$tmp/err"
status=$?
check "- is standard input" eval 'status_is 0 && says out "\"gpu_hours\": 2.5"'
run trace stats --json "$tmp/unsorted.csv"
check "an unsorted trace is sorted" eval 'status_is 0 && says out "\"gpu_hours\": 2.5" && says out "\"jobs\": 2"'
run trace stats "$tmp/two.csv"
sed 1d "$tmp/out" >"$tmp/first"
for packer in gzip zstd; do
    if ! command -v "$packer" >/dev/null; then
        skip "trace stats reads what $packer wrote" "no $packer"
        continue
    fi
    "$packer" -c <"$tmp/two.csv" >"$tmp/packed.csv"
    run trace stats "$tmp/packed.csv"
    sed 1d "$tmp/out" >"$tmp/second"
    check "trace stats reads what $packer wrote" eval 'good && same "$tmp/first" "$tmp/second"'
done
for row in helios/published.csv:helios openb/full.csv:openb swf/small.swf:swf; do
    run trace stats "tests/fuzz/corpus/${row%:*}"
    check "trace stats finds the format of ${row%:*}" eval 'status_is 0 && says out "format ${row#*:},"'
done
printf '; Version: 2.2\n1 0 0 9 -1 -1 -1 -1 -1 -1 1 1 1 -1 1 -1 -1 -1\n2 5 0 9 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n' >"$tmp/drop.swf"
run trace stats "$tmp/drop.swf"
check "what the reader dropped is a note on stderr" \
    eval 'status_is 0 && grep -qx "note: $tmp/drop.swf: 1 row: no processors, line dropped (first at line 2)" "$tmp/err"'

# Errors in a file name it and the line; the exit code is 2.
: >"$tmp/empty.csv"
printf 'job_id,submit_s,duration_s,gpus\na,0,soon,2\n' >"$tmp/value.csv"
printf 'job_id,submit_s,gpus\na,0,2\n' >"$tmp/column.csv"
head -c 64 tests/fuzz/corpus/native/minimal.csv.gz >"$tmp/cut.csv.gz"
run trace stats "$tmp/value.csv"
check "a wrong value: file, line and column" eval 'refused "value.csv:2" && says err duration_s && says err soon'
for file in empty.csv column.csv cut.csv.gz no-such-file.csv; do
    run trace stats "$tmp/$file"
    check "trace stats of $file is refused" refused "$file"
done
run trace stats --format swff "$tmp/two.csv"
check "an unknown format is refused with the nearest" refused "did you mean 'swf'?"
printf 'job_id,\033[31mred,submit_s\n' >"$tmp/escape.csv"
run trace stats "$tmp/escape.csv"
check "control characters of a file do not reach the terminal" \
    eval 'status_is 2 && ! grep -q "$(printf "\033")" "$tmp/err"'

# --- trace convert --------------------------------------------------------------------------------

run trace convert "$tmp/two.csv" -o "$tmp/native.csv"
check "trace convert" eval 'good && silent out'
run trace convert "$tmp/unsorted.csv" -o "$tmp/sorted.csv"
check "trace convert sorts" eval 'status_is 0 && same "$tmp/native.csv" "$tmp/sorted.csv"'
run trace convert "$tmp/unsorted.csv"
check "standard output is the default and gets the same" same "$tmp/out" "$tmp/native.csv"
"$BIN" trace convert - -o - <"$tmp/native.csv" >"$tmp/out" 2>"$tmp/err"
status=$?
check "a native trace converts to itself" eval 'status_is 0 && same "$tmp/out" "$tmp/native.csv"'
for file in helios/published.csv openb/full.csv swf/small.swf native/all-columns.csv; do
    run trace convert "tests/fuzz/corpus/$file" -o "$tmp/once.csv"
    check "trace convert $file" eval 'status_is 0 && [ -s "$tmp/once.csv" ]'
    run trace convert "$tmp/once.csv" -o "$tmp/twice.csv"
    check "converting $file again changes nothing" eval 'status_is 0 && same "$tmp/once.csv" "$tmp/twice.csv"'
done
run trace convert "$tmp/value.csv" -o "$tmp/never.csv"
check "nothing is written of a trace with an error" \
    eval 'refused value.csv && [ -z "$(ls "$tmp" | grep never)" ]'
run trace convert "$tmp/value.csv"
check "nor on standard output" refused value.csv
printf 'job_id,submit_s,duration_s,gpus\n' >"$tmp/none.csv"
run trace convert "$tmp/none.csv"
check "a trace without jobs is a header" eval 'good && lines out 1'
run trace convert "$tmp/two.csv" -o "$tmp/no/such/dir.csv"
check "an output that cannot be made is an error that names it" refused "no/such/dir.csv"
mkdir "$tmp/dir"
run trace convert "$tmp/two.csv" -o "$tmp/dir"
check "a directory is no output" eval 'refused "$tmp/dir" && [ -z "$(ls "$tmp" | grep "dir\.")" ]'

# --- trace generate, formats ----------------------------------------------------------------------

run trace generate teams --set jobs=50 --seed 3 -o "$tmp/g1.csv"
check "trace generate" eval 'good && [ "$(wc -l <"$tmp/g1.csv")" -eq 51 ]'
run trace generate teams --seed=3 --set=jobs=50
check "equal seeds give equal bytes" same "$tmp/out" "$tmp/g1.csv"
run trace generate teams --set jobs=50 --seed 4
check "another seed gives other jobs" eval 'status_is 0 && ! same "$tmp/out" "$tmp/g1.csv"'
run trace generate batch --set horizon_s=6h
cp "$tmp/out" "$tmp/first"
run trace generate batch --set horizon_s=21600
check "seconds may be durations" eval 'status_is 0 && same "$tmp/out" "$tmp/first"'
run trace generate batch --set jobs=5 --set jobs=7
check "of two values of a parameter the last counts" lines out 8
while IFS='|' read -r arguments expected; do
    # shellcheck disable=SC2086
    run trace generate $arguments
    check "refused: trace generate $arguments" refused "$expected"
done <<'ROWS'
team|did you mean 'teams'?
teams --set gpu=3|no parameter 'gpu', did you mean 'gpus'?
teams --set gpus=many|'gpus=many' is not a number
teams --set horizon_s=many|'horizon_s=many' is not a number of seconds or a duration
teams --set gpus|'gpus', expected PARAMETER=NUMBER
teams --set =3|'=3', expected PARAMETER=NUMBER
teams --set load=-1|load
ROWS
run list formats
cp "$tmp/out" "$tmp/first"
run trace formats
check "trace formats is list formats" eval 'good && same "$tmp/out" "$tmp/first"'

# --- standard output that cannot be written, signals ----------------------------------------------

if [ -w /dev/full ]; then
    "$BIN" list >/dev/full 2>"$tmp/err"
    status=$?
    check "a full device is exit code 70 and a message" eval 'status_is 70 && says err "standard output"'
else
    skip "a full device is exit code 70 and a message" "no /dev/full"
fi
"$BIN" list >&- 2>"$tmp/err"
status=$?
check "closed standard output is exit code 70 and a message" eval 'status_is 70 && says err "standard output"'
{
    "$BIN" trace generate batch --set jobs=100000 2>"$tmp/err"
    echo $? >"$tmp/status"
} | head -n 1 >/dev/null
status=$(cat "$tmp/status")
check "a reader that goes away ends the program quietly" eval 'status_is 141 && silent err'

# Far more jobs than it has time to write; once the temporary file exists, it has begun.
"$BIN" trace generate batch --set jobs=1000000000 -o "$tmp/long.csv" 2>"$tmp/err" &
pid=$!
while ! ls "$tmp/long.csv".*.tmp >/dev/null 2>&1 && kill -0 "$pid" 2>/dev/null; do :; done
kill -TERM "$pid"
wait "$pid"
status=$?
check "SIGTERM is exit code 143" status_is 143
check "and leaves no short file behind" eval '[ -z "$(ls "$tmp" | grep long)" ]'

run report "$tmp/dir"
check "report of a directory that is no run" refused "summary.json"

finish

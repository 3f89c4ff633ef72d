#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# SIGINT, SIGTERM and SIGHUP end every wait: fifos without a reader or writer, idle pipes, full
# ones, plugins that loop, sleep or read, children. And plugins that crash, end the program or take
# too long are named with the question they were asked. Nothing here measures time: a program that
# does not end by itself is killed after half a minute, which fails the check.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

demo=scenarios/examples/demo.json
snapshot=scenarios/examples/snapshot.json
bad=$tmp/bad.so
ranked=$tmp/ranked.so
sanitized=false
case ${VARIANT:-release} in asan | tsan | fuzz) sanitized=true ;; esac

if ! [ -r /proc/self/stat ]; then
    skip "signals end every wait" "there is no /proc to see who waits"
    finish
fi

# state PID: R runs, S waits, Z has ended.
state() { sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null; }
is_program() { [ "$(readlink "/proc/$1/exe" 2>/dev/null)" = "$BIN" ]; }
# until_true COMMAND...: for at most half a minute; false if it never was.
until_true() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ "$tries" -lt 3000 ] || return 1
        sleep 0.01
    done
}
waits() { is_program "$1" && [ "$(state "$1")" = S ]; }
has_ended() { case $(state "$1") in '' | Z) ;; *) return 1 ;; esac; }

# begin ARGUMENT...: starts the program in the background, as $pid; its standard input is descriptor
# 9.
begin() {
    "$BIN" "$@" >"$tmp/out" 2>"$tmp/err" <&9 &
    pid=$!
}
# collect: waits for its end and sets $status; kills it if it takes too long.
collect() {
    until_true has_ended "$pid" || kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    status=$?
}
# ends SIGNAL CODE: the waiting program ends by the signal.
ends() {
    until_true waits "$pid"
    kill "-$1" "$pid"
    collect
    status_is "$2"
}

mkfifo "$tmp/idle" "$tmp/lonely" "$tmp/lonely.json"
exec 9<>"$tmp/idle" # a pipe that has a writer, who writes nothing
${CC:-cc} -std=gnu17 -shared -fPIC -Ipolicies -o "$bad" tests/e2e/data/misbehaving.c 2>"$tmp/err"
check "the plugin builds" eval '[ -s "$bad" ]'
${CC:-cc} -std=gnu17 -DRANKED -shared -fPIC -Ipolicies -o "$ranked" tests/e2e/data/misbehaving.c 2>"$tmp/err"

# --- reading -------------------------------------------------------------------------------------

# A fifo without a writer: open() itself waits.
opening() {
    signal=$1
    code=$2
    shift 2
    begin "$@"
    ends "$signal" "$code" || { echo "# $*" && return 1; }
}
check "SIGINT ends trace stats FIFO" opening INT 130 trace stats "$tmp/lonely"
check "and says so" says err "ended by SIGINT"
check "SIGTERM" opening TERM 143 trace stats "$tmp/lonely"
# A test under nohup cannot send it: ignored signals stay ignored.
case $(sed -n 's/^SigIgn:.*\(.\)$/\1/p' /proc/self/status) in
[02468ace]) check "SIGHUP" opening HUP 129 trace stats "$tmp/lonely" ;;
*) skip "SIGHUP" "it is ignored here" ;;
esac
check "every command that opens a fifo" eval '
    opening INT 130 run "$tmp/lonely" -o "$tmp/x" && opening TERM 143 run "$demo" --trace "$tmp/lonely" -o "$tmp/x" &&
    opening INT 130 decide "$tmp/lonely" && opening INT 130 shares "$tmp/lonely" && opening INT 130 explain "$tmp/lonely" job &&
    opening INT 130 sweep "$tmp/lonely" -o "$tmp/x" &&
    opening INT 130 plan "$tmp/lonely" --target "mean(wait) <= 1h" && opening INT 130 whatif "$tmp/lonely" --policy fifo &&
    opening INT 130 replay "$tmp/lonely" && opening INT 130 trace perturb "$tmp/lonely" --set load=2 &&
    opening INT 130 plan "$tmp/lonely" --method compaction && opening TERM 143 run "$demo" --policy "$tmp/lonely.json" -o "$tmp/x"'

reading() {
    begin "$@"
    ends INT 130 || { echo "# $*" && return 1; }
}
check "standard input that stays idle" eval 'reading trace stats - && reading trace convert - -o "$tmp/c.csv"'
printf 'job_id,submit_s,duration_s,gpus\na,0,1,1\nb,' >&9
check "and in the middle of a row" reading trace convert - -o "$tmp/c.csv"
check "leave nothing behind" eval '[ -z "$(find "$tmp" -name "c.csv*")" ]'
check "serve on standard input" reading serve --policy fifo
begin serve --policy fifo --socket "$tmp/socket"
check "serve on a socket" eval 'until_true [ -S "$tmp/socket" ] && ends TERM 143 && absent "$tmp/socket"'

# nohup: SIGHUP stays ignored.
(trap '' HUP && exec "$BIN" trace stats "$tmp/lonely" >"$tmp/out" 2>"$tmp/err") &
pid=$!
until_true waits "$pid"
kill -HUP "$pid"
check "SIGHUP is ignored under nohup" ends TERM 143

# --- writing -------------------------------------------------------------------------------------

mkfifo "$tmp/full"
exec 8<>"$tmp/full" # nobody reads it
"$BIN" trace generate batch --set jobs=100000 >"$tmp/full" 2>"$tmp/err" &
pid=$!
check "a full pipe on standard output" ends INT 130
"$BIN" list commands >"$tmp/full" 2>"$tmp/err" &
pid=$!
check "at the end of the program, too" ends INT 130
exec 8>&-

# --- plugins that do not answer ------------------------------------------------------------------

# hangs HOW ARGUMENT...: SIGINT while the plugin does that in its second decision; the message names
# both.
hangs() {
    how=$1
    shift
    rm -f "$tmp/here"
    MISBEHAVE=$how MISBEHAVE_HERE=$tmp/here "$BIN" "$@" >"$tmp/out" 2>"$tmp/err" <"$tmp/input" &
    pid=$!
    until_true [ -e "$tmp/here" ]
    kill -INT "$pid"
    collect
    status_is 130 || { echo "# $*" && return 1; }
}
: >"$tmp/input"
for how in loop sleep read; do
    check "a plugin: $how" eval 'hangs $how run "$demo" -o "$tmp/hung" --quiet --policy "$bad" &&
        says err "ended by SIGINT" && says err "the plugin '\''misbehaving'\'' was asked to decide at 1979 s"'
done
check "no temporary files are left" eval '[ -z "$(find "$tmp/hung" -name "*.tmp*")" ]'
check "on several threads" eval 'hangs loop run "$demo" -o "$tmp/hung" --quiet --policy "$bad" --replicas 3 -j 2 &&
    says err "the plugin '\''misbehaving'\''"'
check "in decide" hangs loop decide "$snapshot" --policy "$bad"
check "in explain" hangs loop explain "$snapshot" susan-1 --policy "$bad"
check "in whatif" hangs loop whatif "$demo" --policy "$bad" --replicas 1 --quiet
check "in plan" hangs loop plan "$demo" --target "mean(wait) <= 1h" --policy "$bad" --quiet
printf '{"fauxfleet_sweep": 1, "scenario": "%s", "grid": {"policy": ["%s"]}, "seeds": [1, 2]}\n' \
    "$PWD/$demo" "$bad" >"$tmp/plan.json"
check "in sweep" eval 'hangs loop sweep "$tmp/plan.json" -o "$tmp/swept" -j 2 --quiet && says err "kept: the points in $tmp/swept"'
printf '{"fauxfleet_gate": 1, "name": "small", "scenarios": ["%s"], "metrics": [{"metric": "wait_s.mean", "margin": 0.5}], "looks": [2]}\n' \
    "$PWD/$demo" >"$tmp/suite.json"
check "in gate, which simulates in a child" eval 'hangs loop gate "$tmp/suite.json" --base fifo --candidate "$bad" --quiet && silent out'
check "that is ended, too" eval '[ -s "$tmp/here" ] && until_true has_ended "$(cat "$tmp/here")"'
cat >"$tmp/input" <<END
{"t_ms": 0, "fact": "node_add", "node": 0, "rank": 0, "devices": 4, "name": "n0"}
{"t_ms": 0, "fact": "queue_add", "queue": 0, "rank": 0, "name": "q", "gpu": {"quota": 8000}}
{"t_ms": 5, "fact": "job_add", "job": 7, "queue": 0, "rank": "1", "submitted_ms": 5, "roles": [{"request": {"devices": 4}}]}
{"t_ms": 5, "do": "decide"}
END
check "in serve" hangs loop serve --policy "$bad"
MISBEHAVE='' "$BIN" run "$demo" -o "$tmp/recorded" --quiet --no-report --policy fifo --set outputs.journal=facts >/dev/null 2>&1
check "in replay" hangs loop replay "$tmp/recorded/journal.jsonl" --policy "$bad"
: >"$tmp/input"

rm -f "$tmp/here"
MISBEHAVE=loop MISBEHAVE_HERE=$tmp/here "$BIN" run "$demo" -o "$tmp/hung" --quiet --policy "$bad" 2>"$tmp/err" &
pid=$!
until_true [ -e "$tmp/here" ]
kill -INT "$pid"
kill -TERM "$pid"
collect
check "a second signal ends it by that" eval 'status_is 143 || status_is 130'

# --- children ------------------------------------------------------------------------------------

mkdir "$tmp/bin"
printf '#!/bin/sh\necho $$ >"%s"\nmv "%s" "%s"\nexec sleep 1000\n' "$tmp/child.part" "$tmp/child.part" "$tmp/child" >"$tmp/bin/gnuplot"
chmod +x "$tmp/bin/gnuplot"
PATH=$tmp/bin:$PATH "$BIN" run "$demo" -o "$tmp/drawn" --quiet >"$tmp/out" 2>"$tmp/err" &
pid=$!
until_true [ -s "$tmp/child" ]
kill -INT "$pid"
collect
check "a gnuplot that hangs" eval 'status_is 130 && says err "kept: $tmp/drawn, but for the report"'
check "is ended, too" until_true has_ended "$(cat "$tmp/child")"
check "the run is kept" is_json "$tmp/drawn/summary.json"

# --- a Slurm that does not answer ----------------------------------------------------------------

adapter=${BIN%/*}/fauxfleet-slurm
if [ -x "$adapter" ] && ! $sanitized && ${CC:-cc} -shared -fPIC -o "$tmp/silent.so" tests/e2e/data/silent_slurm.c 2>"$tmp/err"; then
    echo '{"fauxfleet_slurm": 1, "policy": {"name": "fifo"}}' >"$tmp/slurm.json"
    SLURM_CONF=$tmp/slurm.json SILENT_HERE=$tmp/asked LD_PRELOAD=$tmp/silent.so \
        "$adapter" --config "$tmp/slurm.json" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    until_true [ -e "$tmp/asked" ]
    kill -TERM "$pid"
    collect
    check "fauxfleet-slurm" eval 'status_is 143 && says err "ended by SIGTERM"'
else
    skip "fauxfleet-slurm" "it is not built, or sanitized"
fi

# --- too much CPU time ---------------------------------------------------------------------------

# limited ARGUMENT...: the plugin loops, and is stopped by the limit: exit code 4, plugin and
# question.
limited() {
    MISBEHAVE=loop "$BIN" "$@" --decision-limit 0.05 >"$tmp/out" 2>"$tmp/err" <"$tmp/input" &
    pid=$!
    collect
    status_is 4 && says err "the plugin 'misbehaving' was asked" &&
        says err "used more than 0.050 s of CPU time (--decision-limit)" || { echo "# $*" && return 1; }
}
check "--decision-limit: run" eval 'limited run "$demo" -o "$tmp/hung" --quiet --policy "$bad" && says err "to decide at 1979 s"'
check "decide" limited decide "$snapshot" --policy "$bad"
check "whatif" limited whatif "$demo" --policy "$bad" --replicas 1 --quiet
check "plan" limited plan "$demo" --target "mean(wait) <= 1h" --policy "$bad" --quiet
check "sweep" limited sweep "$tmp/plan.json" -o "$tmp/swept" -j 2 --quiet
check "replay" limited replay "$tmp/recorded/journal.jsonl" --policy "$bad"
MISBEHAVE=loop run gate "$tmp/suite.json" --base fifo --candidate "$bad" --quiet --decision-limit 0.05
check "gate: a verdict" eval 'status_is 1 && says out "more than 0.050 s of CPU time"'
export MISBEHAVE_IN=key
check "the key of a job: run" eval 'limited run "$demo" -o "$tmp/hung" --quiet --policy "$bad" && says err "for the key of job '\''t0'\'' at 1979 s"'
export MISBEHAVE_IN=rank
check "its rank" eval 'limited run "$demo" -o "$tmp/hung" --quiet --policy "$ranked" && says err "for the rank of job '\''t0'\'' at 1979 s"'
check "in decide" eval 'limited decide "$snapshot" --policy "$ranked" && grep -q "for the rank of job '\''[^'\'']*'\'' at 7200 s" "$tmp/err"'
unset MISBEHAVE_IN

# A thousand decisions of half a millisecond are not one long decision.
MISBEHAVE=slow run run "$demo" -o "$tmp/slow" --quiet --no-report --policy "$bad" --decision-limit 0.1
check "many short decisions are no long one" status_is 0
run run "$demo" -o "$tmp/x" --decision-limit soon
check "a limit that is no time" eval 'refused "--decision-limit" && says err "'\''soon'\''"'

# --- crashes -------------------------------------------------------------------------------------

crashes() {
    MISBEHAVE=$1 run run "$demo" -o "$tmp/hung" --quiet --policy "$bad"
    status_is "$2" && says err "the plugin 'misbehaving' was asked" && says err "and crashed: $3"
}
if $sanitized; then
    skip "crashes" "sanitizers handle them in their own way"
else
    check "a segmentation fault" crashes segv 139 SIGSEGV
    check "a stack that overflows" crashes overflow 139 SIGSEGV
    check "abort()" crashes abort 134 SIGABRT
    check "a division by zero" crashes fpe 136 SIGFPE
    check "an illegal instruction" crashes ill 132 SIGILL
    check "a bus error" crashes bus 135 SIGBUS
    check "no temporary files are left" eval '[ -z "$(find "$tmp/hung" -name "*.tmp*")" ]'
    MISBEHAVE_IN=load MISBEHAVE=segv run run "$demo" -o "$tmp/hung" --quiet --policy "$bad"
    check "while it is loaded" eval 'status_is 139 && says err "bad.so'\'' is being loaded and crashed: SIGSEGV"'
    MISBEHAVE_IN=key MISBEHAVE=segv run decide "$snapshot" --policy "$bad"
    check "about a job" eval 'status_is 139 && grep -q "for the key of job '\''[^'\'']*'\''" "$tmp/err"'
fi
MISBEHAVE=exit run run "$demo" -o "$tmp/hung" --quiet --policy "$bad"
check "a plugin that ends the program" eval 'status_is 4 && says err "to decide at 1979 s and ended the program"'
exec 9>&-

finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The decision service: given the facts of a simulation it decides the same, also when stopped half
# way and restarted from its state; its output replays; and whatever a client does, the others are
# served. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317,SC2154
set -u
. tests/e2e/lib/tap.sh

# recorded POLICY ARGUMENT...: $tmp/run/journal.jsonl of a run, $tmp/in its facts as requests,
# $tmp/expected its decisions.
recorded() {
    rm -rf "$tmp/run"
    policy=$1
    shift
    run run scenarios/examples/demo.json -o "$tmp/run" --no-report --quiet --policy "$policy" --seed 5 \
        --set outputs.journal=facts --set window.horizon=2d "$@"
    sed 's/, "chain": "[0-9a-f]*"}$/}/' "$tmp/run/journal.jsonl" | sed 1d >"$tmp/lines"
    sed -n '/"fact"/p' "$tmp/lines" |
        sed 's/^{"t_ms": \([^,]*\), "fact": "decide".*/{"do": "decide", "t_ms": \1}/' >"$tmp/in"
    grep '"decision"' "$tmp/lines" >"$tmp/expected"
}
# serve ARGUMENT...: serves $tmp/in; the decisions are in $tmp/decided.
serve() {
    "$BIN" serve --sync never "$@" <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
    status=$?
    sed -n 's/.*"decisions": \[\(.*\)\], "next_ms".*/\1/p' "$tmp/out" | sed 's/}, {/}\n{/g' | grep decision >"$tmp/decided"
    return "$status"
}

# --- as in the simulation ------------------------------------------------------------------------

decides_the_same() {
    recorded "$1" && status_is 0 && rm -f "$tmp/j" && serve --policy "$1" --journal "$tmp/j" &&
        ! says out '"ok": false' && [ -s "$tmp/decided" ] && same "$tmp/decided" "$tmp/expected"
}
says_the_same() {
    sed 's/, "chain": "[0-9a-f]*"}$/}/' "$tmp/j" | sed 1d | cmp -s - "$tmp/lines"
}
for policy in easy srtf slurm las runai kube-default; do
    check "$policy: the decisions of the simulation" decides_the_same "$policy"
    check "$policy: the same journal" says_the_same
    run replay "$tmp/j"
    check "$policy: which replays" eval 'status_is 0 && says out "the same decisions"'
done
check "the journal is its owner's alone" equal "$(ls -l "$tmp/j" | cut -c1-10)" "-rw-------"

# --- from its state ------------------------------------------------------------------------------

# The policy of the journal as a file, with its seed among the options.
policy_file() {
    head -n 1 "$tmp/run/journal.jsonl" >"$tmp/policy.line"
    options=$(sed -n 's/.*"options": {\([^}]*\)}.*/, \1/p' "$tmp/policy.line")
    sed "s/.*\"policy\": \(\"[^\"]*\"\), \"seed\": \(\"[0-9]*\"\).*/{\"name\": \1, \"options\": {\"seed\": \2$options}}/" \
        "$tmp/policy.line" >"$tmp/policy.json"
}
# In two halves, each a process of its own: the decisions do not change.
in_halves() {
    recorded "$@" --set window.horizon=36h && policy_file && set -- "$tmp/policy.json" && cp "$tmp/in" "$tmp/all" && rm -f "$tmp/j" "$tmp/state" "$tmp/state.log"* || return 1
    half=$(($(wc -l <"$tmp/all") / 2))
    head -n "$half" "$tmp/all" >"$tmp/in"
    serve --policy "$1" --journal "$tmp/j" --state "$tmp/state" || return 1
    mv "$tmp/decided" "$tmp/first"
    sed "1,${half}d" "$tmp/all" >"$tmp/in"
    serve --policy "$1" --journal "$tmp/j" --state "$tmp/state" && says err "facts restored" &&
        ! says out '"ok": false' && cat "$tmp/first" "$tmp/decided" | cmp - "$tmp/expected"
}
"$BIN" list policies | awk '{ print $1 }' >"$tmp/policies"
cat >>"$tmp/policies" <<'ROWS'
las demotion=published
easy easy_variant=frozen
runai backfill=true
runai usage_window=sliding usage_window_s=604800 usage_half_life_s=43200
runai idle_limit_s=1800
ROWS
cp "${B:-build/release}/policies/examples/take_turns.so" "$tmp/turns.so" # a plugin that saves its state
echo "$tmp/turns.so slice_s=900" >>"$tmp/policies"
while read -r policy options; do
    set --
    for option in $options; do
        set -- "$@" --set "policy.options.$option"
    done
    check "${policy##*/} $options: stopped and started again" in_halves "$policy" "$@"
    run replay "$tmp/j"
    check "${policy##*/}: both sections replay" eval 'status_is 0 && says out "the same decisions"'
done <"$tmp/policies"
in_halves las --set policy.options.demotion=published
cp "$tmp/state" "$tmp/was"
run serve --policy fifo --journal "$tmp/j" --state "$tmp/state"
check "a service with another policy that gets no facts leaves the state as it is" eval 'status_is 0 && grep -q "\"history\"" "$tmp/was" && same "$tmp/was" "$tmp/state"'
echo '{"t_ms": 999999999, "fact": "queue_add", "queue": 999, "rank": 999}' >"$tmp/in"
serve --policy fifo --journal "$tmp/j" --state "$tmp/state"
check "one that gets a fact saves its own" eval '! grep -q "\"history\"" "$tmp/state" && grep -q "\"queue\": 999" "$tmp/state"'
cp "$tmp/was" "$tmp/state"
printf 'x' >>"$tmp/j"
run serve --policy fifo --journal "$tmp/j"
check "a torn line is cut on restart" eval 'status_is 0 && says err "1 bytes are cut off"'
run replay "$tmp/j"
check "and the journal holds" status_is 0
sed -i '3d' "$tmp/state"
run serve --policy kube-default --state "$tmp/state"
check "a state that was changed" eval 'status_is 2 && says err "chain is broken"'
run serve --policy kube-default --state "$tmp/run/journal.jsonl"
check "a journal is no state" eval 'status_is 2 && says err "is it a journal?"'
echo "notes" >"$tmp/notes"
run serve --policy fifo --journal "$tmp/notes"
check "another program's file" eval 'status_is 2 && says err "no journal with facts" && equal "$(cat "$tmp/notes")" notes'

# --- its state as a snapshot ---------------------------------------------------------------------

# Two nodes with one name and one whose number is another's name; a gang in groups, MIG, shares,
# device memory, labels. Requests by number (nodes 10 and 12) and by name give the same decisions.
sed "s#FILE#$tmp/shot.json#" tests/e2e/data/service.jsonl >"$tmp/in"
rm -f "$tmp/state" "$tmp/state.log"*
"$BIN" serve --policy runai --state "$tmp/state" <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
check "what the service decides" equal "$(tail -n 1 "$tmp/out" | sed 's/}, {/}\n{/g' | sed -n 's/.*"job": \([0-9]\).*"task": \([0-9]\), "node": \([0-9]*\).*/\1:\2@\3/p' | tr '\n' ' ')" \
    "1:0@10 1:1@10 1:3@10 2:0@12 "
sed -n 's/.*, "snapshot": \(.*\)}$/\1/p' "$tmp/out" >"$tmp/inline.json"
check "a snapshot in a line" eval '[ "$(grep -c "\"ok\": true" "$tmp/out")" = 21 ] && is_json "$tmp/inline.json"'
# starts FILE: the starts of `decide`, as "job task node".
starts() {
    sed -n 's/.*"kind": "start", "job": "\([^"]*\)", "task": "[^"]*-0*\([0-9][0-9]*\)", "node": "\([^"]*\)".*/\1 \2 \3/p' "$1"
}
for shot in inline shot; do
    run decide "$tmp/$shot.json"
    check "$shot: decides the same" equal "$(starts "$tmp/out" | tr '\n' ',')" "gang 0 x#10,gang 1 x#10,gang 3 x#10,job-2 0 node-12#,"
done
run run "$tmp/shot.json" --set start.remaining=exponential:1h --no-report --quiet -o "$tmp/begun"
check "a run begins with it" status_is 0
cat >"$tmp/in" <<'END'
{"do": "snapshot", "file": 5}
{"do": "snapshot", "file": "/dev/null/x"}
{"t_ms": 0, "fact": "mig_profile", "profile": 2, "compute_slices": 5, "memory_slices": 5}
{"do": "snapshot"}
END
rm -f "$tmp/state" "$tmp/state.log"*
"$BIN" serve --policy runai --state "$tmp/state" <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
check "a name that is no file" eval 'says out "expected the name of a file" && says out "/dev/null/x"'
check "what has no name" says out "MIG profile 2: no name says that it takes 5 compute and 5 memory slices"

# In the middle of a run: the policy's memory is in the snapshot, so that it decides as the service
# would next.
goes_along() {
    recorded "$1" --set window.horizon=36h && policy_file || return 1
    # The first decision after 200 facts with a start reported.
    cut=$(awk 'NR > 200 && /"task_started"/ && before { print before; exit } /"do"/ { before = NR - 1; next } ! /"task_started"/ { before = 0 }' "$tmp/in")
    head -n "$cut" "$tmp/in" >"$tmp/all"
    sed -n "$((cut + 1))p" "$tmp/in" >"$tmp/next"
    { cat "$tmp/all" && echo "{\"do\": \"snapshot\", \"file\": \"$tmp/shot.json\"}" && cat "$tmp/next"; } >"$tmp/in"
    rm -f "$tmp/state" "$tmp/state.log"*
    "$BIN" serve --policy "$tmp/policy.json" --state "$tmp/state" <"$tmp/in" >"$tmp/out" 2>"$tmp/err" || return 1
    tail -n 1 "$tmp/out" | sed 's/}, {/}\n{/g' |
        sed -n 's/.*"decision": "start".*"name": "\([^"]*\)", "task": \([0-9]*\).*"node_name": "\([^"]*\)".*/\1 \2 \3/p' >"$tmp/a"
    run decide "$tmp/shot.json"
    starts "$tmp/out" >"$tmp/b"
    [ -s "$tmp/a" ] && same "$tmp/a" "$tmp/b" && grep -q '"of": ' "$tmp/shot.json"
}
for policy in las slurm random conservative "$tmp/turns.so"; do
    check "${policy##*/}: the policy's memory is in the snapshot" goes_along "$policy"
done

# Age counts from the begin time, even a past one: Y, which came half an hour before it, goes first.
cat >"$tmp/in" <<END
{"t_ms": 0, "fact": "node_add", "node": 0, "rank": 0, "devices": 4, "name": "n0"}
{"t_ms": 0, "fact": "queue_add", "queue": 0, "rank": 0, "name": "q", "gpu": {"quota": 8000}}
{"t_ms": 0, "fact": "job_add", "job": 1, "queue": 0, "rank": "1", "name": "X", "submitted_ms": 0, "eligible_ms": 3600000, "roles": [{"request": {"devices": 4}}]}
{"t_ms": 1800000, "fact": "job_add", "job": 2, "queue": 0, "rank": "2", "name": "Y", "submitted_ms": 1800000, "roles": [{"request": {"devices": 4}}]}
{"t_ms": 7200000, "fact": "queue_add", "queue": 1, "rank": 1, "name": "r"}
{"do": "snapshot", "file": "$tmp/shot.json"}
{"do": "decide", "t_ms": 7200000}
END
echo '{"name": "slurm", "options": {"priority_weight_age": 100000}}' >"$tmp/age.json"
rm -f "$tmp/state" "$tmp/state.log"*
serve --policy "$tmp/age.json" --state "$tmp/state"
check "age counts from the begin time" eval 'status_is 0 && grep -q "\"name\": \"Y\"" "$tmp/decided"'
run decide "$tmp/shot.json"
check "and so it does in the snapshot" equal "$(starts "$tmp/out")" "Y 0 n0"

# --- its answers ---------------------------------------------------------------------------------

cat >"$tmp/in" <<'END'
{"t_ms": 0, "fact": "node_add", "node": 10, "name": "dgx", "rank": 1, "devices": 8, "id": {"a": [1]}}

{"t_ms": 0, "fact": "queue_add", "queue": 7, "rank": 1}
{"t_ms": 5, "fact": "job_add", "job": 100, "name": "j", "queue": 7, "rank": "1", "submitted_ms": 5, "roles": [{"request": {"devices": 6}}]}
{"t_ms": 5, "fact": "job_add", "job": 101, "name": "k", "queue": 7, "rank": "2", "submitted_ms": 5, "roles": [{"request": {"devices": 4}}]}
{"do": "decide", "t_ms": 5, "id": 4}
{"do": "explain", "job": 101}
{"do": "explain", "job": 55}
{"do": "decide", "t_ms": 4}
{"do": "decide"}
{"do": "dance"}
{"do": "snapshot"}
{"t_ms": 6, "fact": "decide"}
{"t_ms": 6, "fact": "policy", "fauxfleet_facts": 1, "contract": 2, "policy": "fifo"}
{"t_ms": 6, "decision": "start", "job": 1, "action": "allocate"}
{"t_ms": 6, "fact": "task_started", "job": 101}
nonsense
{"do": "stop", "id": "end"}
{"do": "explain", "job": 101}
END
serve --policy fifo
check "a conversation" eval 'status_is 0 && equal "$(wc -l <"$tmp/out")" 17'
answer() { equal "$(sed -n "$1p" "$tmp/out" | cut -c"1-${#2}")" "$2"; }
while IFS='|' read -r line text; do
    check "answer $line" answer "$line" "$text"
done <<'ROWS'
1|{"id": {"a":[1]}, "ok": true, "record": 2}
5|{"id": 4, "ok": true, "record": 6, "decisions": [{"t_ms": 5, "decision": "start", "job": 100, "name": "j", "task": 0, "node": 10, "node_name": "dgx", "devices": "63", "gpu_milli": 6000, "action": "allocate"}], "next_ms": null, "records": 7}
6|{"ok": true, "reason": "DEVICES_BUSY", "detail": "wants 4 GPUs
7|{"ok": false, "error": "there is no such job"}
8|{"ok": false, "error": "'t_ms' is before
9|{"ok": false, "error": "'t_ms' is missing"}
10|{"ok": false, "error": "'do': expected decide, status, decisions, explain, snapshot or stop"}
11|{"ok": false, "error": "there is no --state FILE
12|{"ok": false, "error": "ask for a decision with
13|{"ok": false, "error": "the policy is chosen
14|{"ok": false, "error": "decisions are made here
15|{"ok": false, "error": "job 101: is pending
16|{"ok": false, "error": "expected one JSON object"}
17|{"id": "end", "ok": true}
ROWS

# Watching only: it does not assume that its decisions were carried out.
head -n 6 "$tmp/in" >"$tmp/twice"
echo '{"do": "decide", "t_ms": 9}' >>"$tmp/twice"
cp "$tmp/twice" "$tmp/in"
rm -f "$tmp/j"
serve --policy fifo --shadow --journal "$tmp/j"
check "a shadow decides the same again" equal "$(grep -c '"job": 100' "$tmp/decided") $(grep -c start_failed "$tmp/j")" "2 2"
run replay "$tmp/j"
check "and its journal replays" eval 'status_is 0 && says out "2 decisions"'

# A last line without a line feed, as shells make it; half a line; bytes that could not be in a
# journal.
printf '{"do": "decide", "t_ms": 5}' >"$tmp/in"
serve --policy fifo
check "the last line may lack its end" eval 'status_is 0 && says out "\"decisions\": "'
printf '{"do": "decide", "t_ms": 5' >"$tmp/in"
serve --policy fifo
check "half a line is an error" eval 'status_is 0 && says out "expected one JSON object"'
printf '{"do": "decide", "t_ms": 5, "id": "\377"}\n{"do": "dec\0ide", "t_ms": 5}\n{"do": "decide\\u0000", "t_ms": 5}\n' >"$tmp/in"
serve --policy fifo
check "no UTF-8, a NUL, and one that would cut a word" eval 'status_is 0 && equal "$(grep -c "\"ok\": false" "$tmp/out")" 3'
name=$(printf '%01024d' 1)
printf '{"t_ms": 0, "fact": "node_add", "node": 1, "rank": 1, "devices": 8, "name": "%s"}\n' "$name" >"$tmp/in"
sed 's/"node": 1, "rank": 1/"node": 2, "rank": 2/; s/"name": "/"name": "0/' "$tmp/in" >"$tmp/twice"
cat "$tmp/twice" >>"$tmp/in"
cp "$tmp/in" "$tmp/named"
serve --policy fifo
check "a name has 1024 bytes" equal "$(tr -d '\n' <"$tmp/out")" '{"ok": true, "record": 2}{"ok": false, "error": "'"'name'"': expected at most 1024 bytes"}'

# One answer larger than all that may wait for a reader: the requests behind it are answered, too.
{
    head -n 1 "$tmp/named"
    echo '{"t_ms": 0, "fact": "queue_add", "queue": 1, "rank": 1}'
    printf '{"t_ms": 0, "fact": "job_add", "job": 1, "queue": 1, "rank": "1", "submitted_ms": 0, "name": "%s", "roles": [{"tasks": 8000, "min_tasks": 8000, "request": {"devices": 1, "device_milli": 1}}]}\n' "$name"
    echo '{"do": "decide", "t_ms": 0}'
    echo '{"do": "explain", "job": 2, "id": "last"}'
} >"$tmp/in"
serve --policy fifo
check "a large answer" eval '[ "$(wc -c <"$tmp/out")" -gt 16777216 ] && [ "$(wc -l <"$tmp/out")" = 5 ] && says out "\"last\""'
rm -f "$tmp/out" "$tmp/decided"

# A full disk: requests answered with ok are in the journal, and none is answered so after that.
{
    head -n 1 "$tmp/named"
    echo '{"t_ms": 0, "fact": "queue_add", "queue": 1, "rank": 1}'
    awk 'BEGIN { for (i = 0; i < 300; i++)
        printf "{\"t_ms\": %d, \"fact\": \"job_add\", \"job\": %d, \"queue\": 1, \"rank\": \"%d\", \"submitted_ms\": 0, \"roles\": [{\"request\": {\"devices\": 1}}]}\n", i, i, i }'
} >"$tmp/in"
rm -f "$tmp/j"
(
    ulimit -f 16
    "$BIN" serve --policy fifo --journal "$tmp/j" <"$tmp/in" 2>"$tmp/err"
    echo $? >"$tmp/code"
) | cat >"$tmp/out"
status=$(cat "$tmp/code")
check "a journal that may not grow" eval 'status_is 2 && says err "cannot write the journal" && [ "$(wc -l <"$tmp/out")" = 302 ]'
check "what was taken is in it" equal "$(grep -c '"ok": true' "$tmp/out")" "$(($(wc -l <"$tmp/j") - 1))"
check "and the rest was not" eval 'tail -n 1 "$tmp/out" | grep -q "cannot write the journal"'
run replay "$tmp/j"
check "it replays, but for a torn line" status_is 0

run serve --policy fifo --state "$tmp/none/state"
check "where no state can be saved it does not begin" eval 'status_is 2 && says err "none/state: cannot write"'
rm -f "$tmp/j"
run serve --policy fifo --journal "$tmp/j" --state "$tmp/j"
check "one file for both" eval 'status_is 2 && says err "expected a journal and a state of their own"'
cp "$tmp/was" "$tmp/state"
run serve --policy las --journal "$tmp/state" --state "$tmp/state"
check "an existing one is left as it is" eval 'status_is 2 && says err "expected a journal and a state of their own" && same "$tmp/was" "$tmp/state"'
: >"$tmp/empty"
run serve --policy fifo --state "$tmp/empty"
check "a state of nothing" eval 'status_is 2 && says err "got an empty file"'

# --- accepted facts, and times -------------------------------------------------------------------

# A client that was cut off asks what it missed, and resends requests whose answer it did not get.
head -n 6 "$tmp/in" >"$tmp/all"
rm -f "$tmp/j" "$tmp/state" "$tmp/state.log"*
cat >"$tmp/in" <<'END'
{"t_ms": 0, "fact": "node_add", "node": 10, "rank": 1, "devices": 8, "record": 2}
{"t_ms": 0, "fact": "queue_add", "queue": 7, "rank": 1, "record": 3}
{"t_ms": 5, "fact": "job_add", "job": 1, "queue": 7, "rank": "1", "submitted_ms": 5, "roles": [{"request": {"devices": 6}}], "record": 4}
{"do": "decide", "t_ms": 5, "record": 5}
END
serve --policy fifo --journal "$tmp/j" --state "$tmp/state"
cp "$tmp/j" "$tmp/j.was"
cat >>"$tmp/in" <<'END'
{"do": "status"}
{"do": "decisions", "after": 4}
{"do": "decisions", "after": 6}
{"t_ms": 0, "fact": "queue_add", "queue": 7, "rank": 2, "record": 3}
{"t_ms": 9, "fact": "job_cancel", "job": 1, "record": 9}
{"t_ms": 5, "fact": "job_add", "job": 1, "queue": 7, "rank": "1", "submitted_ms": 5, "roles": [{"request": {"devices": 6}}]}
{"do": "decisions", "after": 9}
END
serve --policy fifo --journal "$tmp/j" --state "$tmp/state"
check "resending everything changes nothing" eval 'status_is 0 && same "$tmp/j" "$tmp/j.was"'
chain=$(tail -n 1 "$tmp/j" | sed 's/.*"chain": "\([0-9a-f]*\)"}$/\1/')
while IFS='|' read -r line text; do
    check "recalled $line" answer "$line" "$text"
done <<ROWS
1|{"ok": true, "record": 2, "repeated": true}
3|{"ok": true, "record": 4, "repeated": true}
4|{"ok": true, "record": 5, "repeated": true, "decisions": [{"t_ms": 5, "decision": "start", "job": 1, "task": 0, "node": 10,
5|{"ok": true, "records": 6, "chain": "$chain", "first": 1, "saved": 6, "t_ms": 5, "next_ms": null, "policy": "fifo"}
6|{"ok": true, "decisions": [{"record": 6, "t_ms": 5, "decision": "start", "job": 1,
7|{"ok": true, "decisions": [], "upto": 6, "records": 6}
8|{"ok": false, "error": "'record' 3: it was taken, and is something else; 6 records were taken"}
9|{"ok": false, "error": "'record' 9: the records before it are missing; 6 records were taken"}
10|{"ok": true, "repeated": true}
11|{"ok": false, "error": "'after': expected the number of a record, and 6 records were taken"}
ROWS

# One client's wrong clock does not stop the others.
cat >"$tmp/in" <<'END'
{"t_ms": 9223372036854775807, "fact": "queue_add", "queue": 1, "rank": 1}
{"t_ms": "9223372036854775807", "fact": "queue_add", "queue": 1, "rank": 1}
{"do": "decide", "t_ms": "9223372036854775807"}
{"t_ms": 1000, "fact": "queue_add", "queue": 1, "rank": 1}
{"do": "decide", "t_ms": 7201001}
{"do": "decide", "t_ms": 3601000}
{"t_ms": 3601000, "fact": "job_add", "job": 1, "queue": 1, "rank": "1", "submitted_ms": "-9223372036854775807", "roles": [{"request": {"devices": 6}}]}
{"do": "decide", "t_ms": "9223372036854775807"}
{"do": "decide", "t_ms": 3601001}
END
serve --policy fifo --max-jump 1h
check "times that cannot be are refused" equal "$(sed 's/.*"ok": \([a-z]*\).*/\1/' "$tmp/out" | tr '\n' ' ')" "false false false true false true false false true "
check "in words" eval 'says out "--max-jump" && says out "the year 9999"'
run serve --policy fifo --max-jump never
check "a jump that is no time" eval 'status_is 2 && says err "expected a time above 0"'

# --- missing values are named --------------------------------------------------------------------

cp "$tmp/state" "$tmp/state.was"
lines=$(wc -l <"$tmp/state.was")
# A truncated state, with its journal and alone.
cut_states() {
    for keep in $(seq 0 $((lines - 1))); do
        head -n "$keep" "$tmp/state.was" >"$tmp/state"
        cp "$tmp/j.was" "$tmp/j"
        run serve --policy fifo --journal "$tmp/j" --state "$tmp/state"
        status_is 0 && says err "are taken instead" && same "$tmp/j" "$tmp/j.was" || return 1
        head -n "$keep" "$tmp/state.was" >"$tmp/state"
        rm -f "$tmp/state.log"*
        run serve --policy fifo --state "$tmp/state"
        status_is 2 && says err "$tmp/state: " || return 1
    done
}
check "each of its $lines cut states is refused, or the journal taken instead" cut_states
# lacking TEXT: the old state does not fit the present journal.
lacking() {
    cp "$tmp/state.was" "$tmp/state"
    run serve --policy fifo --journal "$tmp/j" --state "$tmp/state"
    refused "$1" && same "$tmp/state" "$tmp/state.was"
}
head -n 4 "$tmp/j.was" >"$tmp/j"
check "a journal that is too short" lacking "the last 2 are missing"
rm -f "$tmp/j"
check "a journal that is missing" lacking "stands for the first 6 records"
sed 1,3d "$tmp/in" >"$tmp/other.in"
rm -f "$tmp/j" && "$BIN" serve --policy fifo --journal "$tmp/j" <"$tmp/other.in" >"$tmp/out" 2>"$tmp/err"
for i in 1 2 3 4; do echo "{\"do\": \"decide\", \"t_ms\": $((7300000 + i))}"; done >"$tmp/more" && "$BIN" serve --policy fifo --journal "$tmp/j" <"$tmp/more" >"$tmp/out" 2>"$tmp/err"
check "a journal of something else" lacking "it is the state of another journal"
cp "$tmp/state.was" "$tmp/state"
rm -f "$tmp/j"
run serve --policy fifo --journal "$tmp/j" --state "$tmp/state" --new-journal
check "when asked to, it continues without" eval 'status_is 0 && grep -q "\"facts\": " "$tmp/j"'
run replay "$tmp/j"
check "and the new journal replays" status_is 0
cp "$tmp/j.was" "$tmp/j"
sed -i '5s/"decisions": 1/"decisions": 2/' "$tmp/j"
rm -f "$tmp/state" "$tmp/state.log"*
run serve --policy fifo --journal "$tmp/j" --state "$tmp/state"
check "a journal that was changed" refused "line 5: the chain is broken"
rm -f "$tmp/j" "$tmp/state" "$tmp/state.log"*

# --- from its state, partly started gangs --------------------------------------------------------

# gang LINE...: a gang of three runs; the lines; then the service is restarted.
gang() {
    rm -f "$tmp/state" "$tmp/state.log"*
    {
        cat <<'END'
{"t_ms": 0, "fact": "node_add", "node": 1, "rank": 1, "devices": 8}
{"t_ms": 0, "fact": "queue_add", "queue": 1, "rank": 1}
{"t_ms": 0, "fact": "job_add", "job": 1, "queue": 1, "rank": "1", "submitted_ms": 0, "roles": [{"tasks": 3, "min_tasks": 3, "request": {"devices": 2}}]}
{"do": "decide", "t_ms": 0}
{"t_ms": 1, "fact": "task_started", "job": 1}
END
        printf '%s\n' "$@"
    } >"$tmp/in"
    serve --policy fifo --state "$tmp/state" || return 1
    echo '{"do": "decide", "t_ms": 9}' >"$tmp/in"
    serve --policy fifo --state "$tmp/state"
}
for own in j state; do
    echo "{\"do\": \"snapshot\", \"file\": \"$tmp/$own\"}" >"$tmp/in"
    rm -f "$tmp/j" "$tmp/state" "$tmp/state.log"*
    serve --policy fifo --journal "$tmp/j" --state "$tmp/state"
    check "a snapshot does not replace its own file $own" eval 'status_is 0 && says out "is the journal or the state of this service" && head -n 1 "$tmp/$own" | grep -q "\"fact\": \"policy\""'
done

gang '{"t_ms": 2, "fact": "task_ended", "job": 1, "task": 0, "outcome": "succeeded"}'
check "of a gang some are over: the others run on" eval 'status_is 0 && equal "$(cat "$tmp/decided")" ""'
gang '{"t_ms": 2, "fact": "task_ended", "job": 1, "task": 1, "outcome": "evicted"}' \
    '{"t_ms": 3, "fact": "task_ended", "job": 1, "outcome": "failed"}'
check "one was evicted before the others failed: it starts again" equal "$(grep -c '"start"' "$tmp/decided")" 3

gang '{"t_ms": 2, "fact": "task_ended", "job": 1, "task": 1, "outcome": "evicted"}'
{
    echo '{"t_ms": 10, "fact": "task_ended", "job": 1, "outcome": "failed"}'
    echo '{"do": "decide", "t_ms": 10}'
} >"$tmp/in"
serve --policy fifo --state "$tmp/state"
check "so it does when the others fail after a restart" equal "$(grep -c '"start"' "$tmp/decided")" 3

# Restarted between a decision and its outcome: the start fails, and is decided anew.
cat >"$tmp/in" <<'END'
{"t_ms": 0, "fact": "node_add", "node": 1, "rank": 1, "devices": 8}
{"t_ms": 0, "fact": "queue_add", "queue": 1, "rank": 1, "gpu": {"quota": 8000}}
{"t_ms": 0, "fact": "job_add", "job": 1, "queue": 1, "rank": "1", "submitted_ms": 0, "roles": [{"request": {"devices": 2}}]}
{"do": "decide", "t_ms": 0}
END
rm -f "$tmp/state" "$tmp/state.log"*
serve --policy runai --state "$tmp/state"
for second in 1 2; do
    {
        echo "{\"t_ms\": $second, \"fact\": \"start_failed\", \"job\": 1}"
        echo "{\"do\": \"decide\", \"t_ms\": $second}"
    } >"$tmp/in"
    serve --policy runai --state "$tmp/state"
    check "a start that fails after restart $second" equal "$(grep -c '"start"' "$tmp/decided")" 1
done

run serve
check "no policy" eval 'status_is 2 && says err "expected --policy"'
run serve --policy fifo --socket "$tmp/notes"
check "a socket where a file is" eval 'status_is 2 && says err "is there, and no socket"'
printf '{"name": "fifo", "options": {"placement": "count"}}' >"$tmp/count.json"
run serve --policy "$tmp/count.json"
check "devices that are only counted" eval 'status_is 2 && says err "names no nodes"'
if [ -w /dev/full ]; then
    "$BIN" serve --policy fifo --state /dev/full/x </dev/null >"$tmp/out" 2>"$tmp/err"
    status=$?
    check "a state that cannot be written" status_is 2
fi

# --- the disk ------------------------------------------------------------------------------------

cat >"$tmp/in" <<'END'
{"t_ms": 0, "fact": "node_add", "node": 10, "name": "dgx", "rank": 1, "devices": 8}
{"t_ms": 0, "fact": "queue_add", "queue": 7, "rank": 1}
{"do": "decide", "t_ms": 1}
{"t_ms": 5, "fact": "job_add", "job": 100, "name": "j", "queue": 7, "rank": "1", "submitted_ms": 5, "roles": [{"request": {"devices": 6}}]}
{"do": "decide", "t_ms": 5}
{"t_ms": 6, "fact": "job_add", "job": 101, "name": "k", "queue": 7, "rank": "2", "submitted_ms": 6, "roles": [{"request": {"devices": 2}}]}
{"do": "decide", "t_ms": 6}
END
# on_disk FAILS ARGUMENT...: serves with a disk that fails from that call on; $tmp/syncs has a line
# a call.
on_disk() {
    rm -f "$tmp/j" "$tmp/syncs"
    fails=$1
    shift
    SYNC_FAILS=$fails SYNC_LOG=$tmp/syncs LD_PRELOAD=$tmp/failing_sync.so "$BIN" serve --policy fifo --journal "$tmp/j" "$@" \
        <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
    status=$?
}
syncs() { cat "$tmp/syncs" 2>/dev/null | wc -l | tr -d ' '; }
if "${CC:-cc}" -shared -fPIC -o "$tmp/failing_sync.so" tests/e2e/lib/failing_sync.c 2>/dev/null &&
    LD_PRELOAD=$tmp/failing_sync.so "$BIN" --version >"$tmp/out" 2>"$tmp/err" && silent err; then
    on_disk 9
    check "facts answered together take one sync, and the beginning another" eval 'status_is 0 && equal "$(syncs)" 2'
    on_disk 2
    check "facts that are not on the disk are not answered" eval 'status_is 2 && says err "cannot write the journal" && says err "Input/output error" &&
        ! says out "\"ok\": true" && equal "$(wc -l <"$tmp/out") $(wc -l <"$tmp/j")" "7 1"'
    on_disk 9 --sync never
    check "never" eval 'status_is 0 && equal "$(syncs)" 0'
    on_disk 9 --sync 1h
    check "once an hour, and when it ends" eval 'status_is 0 && equal "$(syncs)" 2'
else
    skip "a disk that fails" "no compiler, or nothing may be preloaded"
fi
run serve --policy fifo --sync sometimes
check "sometimes" eval 'status_is 2 && says err "expected a time such as 0, 0.5 or 1s, or never"'

# --- clients at a socket -------------------------------------------------------------------------

if command -v python3 >/dev/null; then
    python3 tests/e2e/lib/clients.py "$BIN" "$tmp" >"$tmp/out" 2>"$tmp/err"
    status=$?
    check "clients that interleave, flood, vanish and stay silent" status_is 0
else
    skip "clients that interleave, flood, vanish and stay silent" "no python3"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every preset takes jobs of every kind (MIG instances, device memory, shares, required and
# preferred racks, elastic gangs, tasks without GPUs, gated tasks), and all of them run to their
# end, audited. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

data=tests/e2e/data
journal=$tmp/run/journal.jsonl

# Presets that still refuse some kinds; none in the end.
refusing=''
refuses() {
    case " $refusing " in *" $1 "*) grep -q "$2" "$tmp/err" "$tmp/out" ;; *) false ;; esac
}

# Number of racks in which tasks of the job were started: nodes a-0 and a-1, a-2 and a-3 share one
# each, m-0 has its own.
racks() {
    sed -n 's/.*"decision": "start".*"name": "'"$1"'".*"node_name": "\([am]-[0-9]\)".*/\1/p' "$journal" |
        sed 's/a-[01]/one/; s/a-[23]/two/; s/m-0/three/' | sort -u | wc -l
}
# Gangs placed task by task hold on to what they have and wait for the rest: there all of them get
# room at once.
all_kinds() {
    rm -rf "$tmp/run"
    case $1 in kube-default) nodes=16 ;; *) nodes=4 ;; esac
    run run "$data/kinds.json" -o "$tmp/run" --no-report --quiet --audit --policy "$1" --set "fleet.pools[0].count=$nodes"
}
# goes_on POLICY: a run that begins with another's state half way decides as that one did.
decisions() {
    sed -n 's/^{"t_ms": \([0-9]*\), "decision": "\([a-z]*\)".*"name": "\([^"]*\)", "task": \([0-9]*\),.*"node_name": "\([^"]*\)".*"devices": "\([0-9]*\)".*/\1 \2 \3:\4 \5 \6/p' "$1" |
        awk -v after="$2" '$1 > after'
}
goes_on() {
    run run "$data/kinds.json" -o "$tmp/whole" --no-report --quiet --policy "$1" --set "fleet.pools[0].count=$nodes" --snapshot-at 602 &&
        run run "$data/kinds.json" -o "$tmp/rest" --no-report --quiet --audit --policy "$1" --set "fleet.pools[0].count=$nodes" \
            --set start.snapshot="$tmp/whole/snapshot.json" && status_is 0 || return 1
    decisions "$tmp/whole/journal.jsonl" 602000 >"$tmp/a"
    decisions "$tmp/rest/journal.jsonl" 602000 >"$tmp/b"
    [ -s "$tmp/a" ] && same "$tmp/a" "$tmp/b" || { diff "$tmp/a" "$tmp/b" | head -n 5 | sed 's/^/# /' && false; }
}
# Nodes sold whole take only tasks that want all their GPUs: parts of a node run on the open one,
# and 'never', which does not accept the open one's type, does not run at all.
whole_nodes() {
    rm -rf "$tmp/whole-only"
    run run "$data/whole.json" -o "$tmp/whole-only" --no-report --quiet --audit --policy "$1" && status_is 0 || return 1
    started=$(sed -n 's/.*"decision": "start".*"name": "\([^"]*\)".*"node_name": "\([a-z]*\)-.*/\1 \2/p' \
        "$tmp/whole-only/journal.jsonl" | sort -u | tr '\n' ' ')
    equal "$started" "cpu open first open node whole part open share open " &&
        equal "$(json "$tmp/whole-only/summary.json" jobs.completed)" 5
}
starts() { sed -n 's/.*"t_ms": \([0-9]*\), "decision": "start".*"name": "\([a-z]*\)".*"task": \([0-9]\).*/\1 \2:\3/p' "$tmp/gated" | tr '\n' ' '; }

"$BIN" list policies >"$tmp/policies"
while read -r policy _; do
    all_kinds "$policy"
    if [ "$status" -ne 0 ] && refuses "$policy" "cannot do"; then
        skip "$policy runs jobs of every kind" "not yet"
    else
        check "$policy runs jobs of every kind" status_is 0
        check "$policy: all of them end" equal "$(json "$tmp/run/summary.json" jobs.completed)" "$(($(wc -l <"$data/kinds.csv") - 1))"
        run replay "$journal"
        check "$policy decides it again" says out "the same decisions"
        check "$policy resumes from half way" goes_on "$policy"
        [ "$policy" = kube-default ] || check "$policy: what requires a rack is in one" equal \
            "$(racks required-1) $(racks required-2)" "1 1"
    fi
    check "$policy: what wants no whole node waits for one that is not sold whole" whole_nodes "$policy"
    rm -f "$tmp/gated"
    "$BIN" serve --sync never --policy "$policy" --journal "$tmp/gated" <"$data/gated.jsonl" >"$tmp/out" 2>"$tmp/err"
    status=$?
    if refuses "$policy" '"ok": false'; then
        skip "$policy knows gated tasks" "not yet"
        continue
    fi
    # Task by task: one of the gang may run alone.
    case $policy in kube-default) first="0 gang:0 0 some:0 1000 gang:1" ;; *) first="0 some:0 1000 gang:0 1000 gang:1" ;; esac
    check "$policy: gated tasks wait, and what needs them" equal "$(starts)" "$first 2000 some:1 "
done <"$tmp/policies"
finish

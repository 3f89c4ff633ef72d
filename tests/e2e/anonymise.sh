#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# snapshot --anonymise: no name is left, and decisions are the same once the key's names are put
# back. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# named KEY FILE: FILE with the names of the key.
named() { sed -n 's/^ *"\([a-z]*-[0-9]*\)": "\(.*\)",\{0,1\}$/s|\\<\1\\>|\2|g/p' "$1" >"$tmp/names.sed" && sed -f "$tmp/names.sed" "$2"; }
# as_before SNAPSHOT POLICY: decisions on its names equal those on the pseudonyms.
as_before() {
    "$BIN" decide "$1" --policy "$2" --cycles 3 >"$tmp/plain.out" 2>"$tmp/err" || return 1
    "$BIN" decide "$tmp/hidden.json" --policy "$2" --cycles 3 >"$tmp/hidden.out" 2>>"$tmp/err" || return 1
    named "$tmp/key.json" "$tmp/hidden.out" >"$tmp/again.out"
    grep -q '"decision\|"kind' "$tmp/plain.out" && same "$tmp/plain.out" "$tmp/again.out" ||
        { diff "$tmp/plain.out" "$tmp/again.out" | head -5 | sed 's/^/# /' && false; }
}

# A snapshot from the middle of the demo, with sessions, quotas, gangs and a policy with memory; a
# node has a host name.
"$BIN" run scenarios/examples/demo.json --policy runai --snapshot-at 3d -o "$tmp/demo" --no-report --quiet >/dev/null 2>&1
cp "$tmp/demo/snapshot.json" "$tmp/demo.json"
cp tests/e2e/data/cluster.json "$tmp/cluster.json"
for snapshot in demo cluster; do
    run snapshot "$tmp/$snapshot.json" -o "$tmp/plain.json"
    run snapshot "$tmp/$snapshot.json" --anonymise "$tmp/key.json" -o "$tmp/hidden.json"
    check "$snapshot: is anonymised" status_is 0
    check "$snapshot: putting the names back gives the snapshot" eval \
        'named "$tmp/key.json" "$tmp/hidden.json" >"$tmp/back.json" && same "$tmp/plain.json" "$tmp/back.json"'
    for policy in runai fifo kube-default easy; do
        check "$snapshot, $policy: decides the same" as_before "$tmp/plain.json" "$policy"
    done
done
run snapshot "$tmp/demo.json" --anonymise "$tmp/key2.json"
run snapshot "$tmp/demo.json" --anonymise "$tmp/key3.json" -o "$tmp/hidden3.json"
check "the same snapshot gets the same pseudonyms" same "$tmp/key2.json" "$tmp/key3.json"
names() { sed -n 's/^ *"\([a-z]*-[0-9]*\)": "\(.*\)",\{0,1\}$/"\2"/p' "$tmp/key3.json" | sort -u; }
check "and no name is left" eval '[ "$(names | grep -vE "\"(node|queue|job|task|uid|user|label)-[0-9]+\"" | grep -vx "\"train\"\|\"build\"" | head -400 | grep -cFf - "$tmp/hidden3.json")" -eq 0 ]'
run snapshot "$tmp/demo.json" --anonymise "$tmp/nowhere/key.json" -o "$tmp/out.json"
check "a key that cannot be written is an error, and nothing is" eval 'status_is 2 && absent "$tmp/out.json"'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line of the adapter for Slurm, as far as it needs no Slurm: options, configurations,
# and a machine without Slurm. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317,SC2154
set -u
. tests/e2e/lib/tap.sh

ADAPTER=${BIN%/*}/fauxfleet-slurm
if [ ! -x "$ADAPTER" ]; then
    echo "SKIP: $ADAPTER is not built: it needs libslurm-dev"
    exit 77
fi
adapter() {
    "$ADAPTER" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
}

adapter --help
check "--help" eval 'status_is 0 && says out "Usage: fauxfleet-slurm" && silent err'
adapter --version
check "--version" eval 'status_is 0 && says out "fauxfleet-slurm "'
adapter --help
sed -n 's/^ *\(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' "$tmp/out" >"$tmp/options"
check "its options" eval '[ "$(wc -l <"$tmp/options")" -gt 10 ]'
adapter --man
cp "$tmp/out" "$tmp/fauxfleet-slurm.1"
check "--man" eval 'status_is 0 && says out ".SH OPTIONS" && silent err'
if command -v groff >/dev/null; then
    groff -ww -man -Tascii "$tmp/fauxfleet-slurm.1" >"$tmp/out" 2>"$tmp/err"
    check "groff has no warnings about it" eval 'silent err && says out "FAUXFLEET-SLURM(1)"'
fi
has_all() { while read -r option; do grep -q -e "$option" "$tmp/out" || return 1; done <"$tmp/options"; }
for shell in bash zsh fish; do
    adapter --completion "$shell"
    check "--completion $shell has every option" eval 'status_is 0 && has_all'
    if command -v "$shell" >/dev/null; then
        "$shell" -n "$tmp/out" 2>"$tmp/err"
        check "which $shell can read" silent err
    fi
    cp "$tmp/out" "$tmp/$shell"
done
adapter --completion csh
check "for no other shell" refused "--completion 'csh': expected bash, zsh or fish"
# ask WORD...: prints bash's completions of the last word.
ask() { bash -c '. "$0"; COMP_WORDS=(fauxfleet-slurm "$@"); COMP_CWORD=$#; _fauxfleet-slurm; echo "${COMPREPLY[@]}"' "$tmp/bash" "$@"; }
if command -v bash >/dev/null; then
    check "an option" equal "$(ask --sha)" --shadow
    check "a file" equal "$(cd "$tmp" && ask --config = fauxfleet-s)" fauxfleet-slurm.1
    check "the same with a short option" equal "$(cd "$tmp" && ask -c fauxfleet-s)" fauxfleet-slurm.1
    check "nothing where a number is expected" equal "$(ask --interval '')" ""
fi
adapter --interval 0
check "an invalid interval" refused "--interval '0': expected seconds from 0.1 to 86400"
adapter now
check "operands" refused "'now': expected options only"
adapter --check --config "$(printf 'a\033[2Jb\302\233c')"
check "controls in a name are shown" refused 'a\u001b[2Jb\u009bc: No such file'
adapter --check --config "$tmp/none.json"
check "a configuration that is not there" refused "none.json"
adapter --check --policy runnai
check "an unknown policy" refused "no policy is named 'runnai'"
adapter --check --state "$tmp/past"
check "a state needs --act" refused "--state goes with --act"
adapter --check --act --state "$tmp/past"
check "a state may be to come" eval 'status_is 0 && [ ! -e "$tmp/past" ]'
echo "notes" >"$tmp/past"
adapter --check --act --state "$tmp/past"
check "another program's file is no state" eval 'refused "past: line 1: a state has facts and no decisions" && equal "$(cat "$tmp/past")" notes'
adapter --max-jump 0
check "an invalid jump" refused "--max-jump '0': expected seconds from 1 to 31622400"
while IFS='|' read -r config message; do
    printf '%s' "$config" >"$tmp/site.json"
    adapter --check --config "$tmp/site.json"
    check "refused: $message" refused "$message"
done <<'ROWS'
{"policy": {}}|site.json: expected "fauxfleet_slurm": 1
{"fauxfleet_slurm": 1, "queue": []}|unknown key 'queue', expected one of
{"fauxfleet_slurm": 1, "queues": [{"name": "a"}, {"name": "a"}]}|queues[1]: there is another queue 'a'
{"fauxfleet_slurm": 1, "queue_by": "user"}|queue_by: 'user', expected partition or account
ROWS
printf '{"fauxfleet_slurm": 1, "policy": {"name": "fifo"}, "queue_by": "account"}' >"$tmp/site.json"
adapter --check --config "$tmp/site.json"
check "one that is fine" eval 'status_is 0 && silent out && silent err'

# Without Slurm, its library would end the program with an exit code of its own, or search for a
# minute.
export SLURM_CONF="$tmp/slurm.conf"
adapter --once
check "SLURM_CONF names no file" refused "SLURM_CONF: $tmp/slurm.conf: No such file"
echo "nonsense" >"$tmp/slurm.conf"
adapter --once
check "it names a file that is no configuration" refused "Slurm is not configured here"

finish

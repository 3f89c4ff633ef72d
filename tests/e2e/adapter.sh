#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line of the adapter for Slurm, as far as it needs none: options, configurations, and a machine without Slurm.
# Checks are given as text and as names of functions.
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
adapter --interval 0
check "an interval that is none" refused "--interval '0': expected seconds from 0.1 to 86400"
adapter now
check "operands" refused "'now': expected options only"
adapter --check --config "$tmp/none.json"
check "a configuration that is not there" refused "none.json"
adapter --check --policy runnai
check "a policy that is none" refused "no policy is named 'runnai'"
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

# Where there is no Slurm its library would end the program with a code of its own, or look for a minute.
export SLURM_CONF="$tmp/slurm.conf"
adapter --once
check "SLURM_CONF names no file" refused "SLURM_CONF: $tmp/slurm.conf: No such file"
echo "nonsense" >"$tmp/slurm.conf"
adapter --once
check "what it names is no configuration" refused "Slurm is not configured here"

finish

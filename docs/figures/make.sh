#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the figures of docs/concepts.md from runs (`make doc-figures`). Environment: BIN, the
# program.
set -eu

BIN=${BIN:-build/fauxfleet}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# figure NAME PART SCENARIO ARGUMENT...: one figure of the report of a run.
figure() {
    name=$1 part=$2 scenario=$3
    shift 3
    "$BIN" run "scenarios/$scenario.json" -o "$work/$name" --quiet "$@" >/dev/null
    cp "$work/$name/figures/$part.svg" "docs/figures/$name.svg"
}

figure time ladder examples/demo
figure waiting reasons examples/demo
figure quota shares_time studies/susan-joe-jemma
figure share shares studies/static-to-quota
figure gang ladder studies/gang-deadlock --policy kube-default
figure spread heat studies/fragmentation --set policy.options.gpu_placement=spread \
    --set policy.options.actions=allocate,reclaim,preempt,stale,limits
figure packed heat studies/fragmentation
figure goodput ladder examples/demo --policy runai --set 'faults={"profile":"h100","scale":20}' --set 'checkpoint={}'

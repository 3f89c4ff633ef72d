#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Replicas of a run and points of a sweep on several threads give the bytes of one thread, also with
# faults, networks, storage, services and shared devices. Built with ThreadSanitizer (`make
# check-tsan`) it fails if two simulations share data.
# shellcheck disable=SC2016
set -u
. tests/e2e/lib/tap.sh

demo=$PWD/scenarios/examples/demo.json

# both NAME SCENARIO ARGUMENT...: four replicas on one thread and on four.
both() {
    world=$1
    shift
    for threads in 1 4; do
        run run "$@" --replicas 4 -j "$threads" -o "$tmp/$world-$threads" --no-report --quiet
        status_is 0 || break
        mv "$tmp/out" "$tmp/$world-$threads.out"
    done
    check "$world: the same on four threads" eval 'status_is 0 && silent err && alike "$tmp/$world-1" "$tmp/$world-4" && same "$tmp/$world-1.out" "$tmp/$world-4.out"'
    rm -rf "$tmp/$world-1" "$tmp/$world-4"
}

both demo "$demo" --set window.horizon=4d
both faulty "$demo" --set window.horizon=4d --set 'faults={"profile":"h100","scale":50}' --set network=contention \
    --set 'checkpoint={"interval":"daly","write":"30s","restart":"5m"}' --set 'fleet.pools[0].fabric="superpod-a100"'
both runai "$demo" --set window.horizon=4d --policy runai
both easy "$demo" --set window.horizon=4d --policy easy
both services "$PWD/scenarios/studies/services.json" --set window.horizon=2d
both gpu-memory "$PWD/scenarios/studies/gpu-memory.json" --set window.horizon=1d --set gpu_memory.mode=swap

for threads in 1 4; do
    run sweep tests/e2e/data/sweep.json -o "$tmp/sweep-$threads" -j "$threads" --set window.horizon=2d --quiet
    status_is 0 || break
done
check "a sweep: the same on four threads" eval 'status_is 0 && silent err && alike "$tmp/sweep-1" "$tmp/sweep-4"'

finish

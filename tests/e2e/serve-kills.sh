#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A short form of `make serve-kill-sweep`: short sessions under a few presets, and only some of
# their calls.
SWEEP_REQUESTS=60 SWEEP_STRIDE=29 SWEEP_POLICIES="fifo slurm las runai kube-default"
export SWEEP_REQUESTS SWEEP_STRIDE SWEEP_POLICIES
. tests/tools/serve_kill_sweep.sh

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the binary interface of the policy library: exported functions, then sizes and offsets of
# the public structs. Environment: POLICY_SO, CC, B (build folder).
set -eu

nm -D --defined-only "$POLICY_SO" | awk '$2 != "A" { sub(/@.*/, "", $3); print "function " $3 }' | LC_ALL=C sort
mkdir -p "$B/tests/abi"
"${CC:-cc}" -std=c17 -Ipolicies -o "$B/tests/abi/sizes" tests/abi/sizes.c
"$B/tests/abi/sizes"

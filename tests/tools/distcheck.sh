#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A packager's steps with the source tarball: distcheck.sh FILE.tar.gz. Unpacks it, builds, tests
# the policy core, installs below a DESTDIR, runs the installed program, uninstalls, and makes the
# tarball again. Prints TAP. Environment: CC, JOBS (all processors), DISTCHECK_FOLDER
# (build/distcheck).
# shellcheck disable=SC2016,SC2317
set -u
tarball=$PWD/$1
folder=${DISTCHECK_FOLDER:-build/distcheck}
. tests/e2e/lib/tap.sh

rm -rf "$folder" && mkdir -p "$folder" && gzip -dc "$tarball" | tar -x -C "$folder" -f - || exit 1
cd "$folder"/* || exit 1
root=$PWD/../root
unset MAKEFLAGS MAKELEVEL B VARIANT
make_quietly() {
    ${MAKE:-make} -j "${JOBS:-$(nproc 2>/dev/null || echo 1)}" ${CC:+"CC=$CC"} "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
    tail -n 20 "$tmp/out" >"$tmp/last" && mv "$tmp/last" "$tmp/out"
    status_is 0
}
tree() { (cd "$1" && find . ! -type d | sort); }

tree . >"$tmp/unpacked"
check "the sources build" make_quietly all
check "the tests of the policy core pass" make_quietly check-core
check "make install" make_quietly install DESTDIR="$root" prefix=/usr
check "the installed program runs" eval '(cd / && "$root/usr/bin/fauxfleet" list nodes | grep -q dgx-h100)'
check "a simulation with it" eval '"$root/usr/bin/fauxfleet" run scenarios/examples/demo.json --no-report --quiet -o "$tmp/run" \
    >"$tmp/out" 2>"$tmp/err" && [ -s "$tmp/run/summary.json" ]'
check "make uninstall" make_quietly uninstall DESTDIR="$root" prefix=/usr
check "nothing is left" equal "$(tree "$root")" ""
check "make clean" make_quietly clean
tree . >"$tmp/cleaned"
check "the sources are as they were unpacked" eval 'diff "$tmp/unpacked" "$tmp/cleaned" >"$tmp/out"'
check "make dist" make_quietly dist
check "gives the same tarball" eval 'cmp "$tarball" build/*.tar.gz >"$tmp/out" 2>&1'
cd ../../.. && rm -rf "$folder"
finish

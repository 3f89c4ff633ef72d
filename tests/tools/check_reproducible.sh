#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Two builds give the same bytes: check_reproducible.sh FILE.tar.gz, the source tarball. It is built
# in two folders with names of different lengths, by one job of make and by several, under another
# locale, time zone and file mask. Prints TAP. Environment: CC.
# shellcheck disable=SC2016,SC2317
set -u
tarball=$PWD/$1
. tests/e2e/lib/tap.sh

# build FOLDER JOBS
build() {
    mkdir -p "$1" && gzip -dc "$tarball" | tar -x -C "$1" --strip-components=1 -f - &&
        (cd "$1" && unset MAKEFLAGS MAKELEVEL B VARIANT CCACHE_BASEDIR && CCACHE_DISABLE=1 ${MAKE:-make} -j "$2" ${CC:+"CC=$CC"} all) \
            >"$tmp/out" 2>&1
}
one=$tmp/a
two=$tmp/a/folder/with/a/much/longer/name
check "a build by one job" build "$one" 1
check "a build elsewhere by four" eval '(umask 077; TZ=Asia/Kathmandu LANG=de_DE.UTF-8 HOME=/nonexistent build "$two" 4)'
for file in fauxfleet libfauxpolicy.so.0 libfauxpolicy.a man/fauxfleet.1 completions/bash; do
    check "$file: the same bytes" eval 'cmp "$one/build/release/$file" "$two/build/release/$file" >"$tmp/out" 2>&1'
done
check "neither knows where it was built" eval '! grep -lF "$tmp" "$one/build/release/fauxfleet" "$two/build/release/fauxfleet" >"$tmp/out"'
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages: check_deb.sh FILE.tar.gz, the source tarball. Builds them, runs lintian,
# unpacks them into a folder and runs the package's own smoke test there. Prints TAP; skipped
# without debhelper.
# shellcheck disable=SC2016,SC2317
set -u
folder=${DEB_FOLDER:-build/deb}
. tests/e2e/lib/tap.sh

if ! command -v dpkg-buildpackage >/dev/null || ! command -v dh >/dev/null; then
    skip "the Debian packages" "no dpkg-dev and debhelper"
    finish
fi
sh tests/tools/deb.sh "$1" "$folder" >"$tmp/log" 2>&1
status=$?
tail -n 20 "$tmp/log" >"$tmp/out"
check "dpkg-buildpackage" status_is 0
check "the library's symbols are those of debian/libfauxpolicy0.symbols" eval '! grep "dpkg-gensymbols: warning" "$tmp/log"'
for package in fauxfleet libfauxpolicy0 libfauxpolicy-dev; do
    check "the package $package" eval 'ls "$folder/$package"_*.deb >"$tmp/out" 2>&1 && dpkg-deb -x "$folder/$package"_*.deb "$tmp/root"'
done
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning "$folder"/*.changes >"$tmp/out" 2>"$tmp/err"
    status=$?
    check "lintian finds no error and no warning" status_is 0
else
    skip "lintian finds no error and no warning" "no lintian"
fi

# As if installed: paths of pkg-config are below the root, and the loader looks there too.
root=$tmp/root
libraries=$(dirname "$(find "$root" -name libfauxpolicy.so)")
AUTOPKGTEST_TMP=$tmp/smoke FAUXFLEET=$root/usr/bin/fauxfleet PKG_CONFIG_SYSROOT_DIR=$root LD_LIBRARY_PATH=$libraries \
    PKG_CONFIG_LIBDIR=$libraries/pkgconfig
export AUTOPKGTEST_TMP FAUXFLEET PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH PKG_CONFIG_LIBDIR
mkdir "$tmp/smoke"
debian/tests/smoke >"$tmp/out" 2>"$tmp/err"
status=$?
check "the package's own test" status_is 0
unset LD_LIBRARY_PATH
sh tests/tools/check_hardening.sh "$root/usr/bin/fauxfleet" "$libraries/libfauxpolicy.so.0" >"$tmp/out" 2>"$tmp/err"
status=$?
check "program and library are hardened" status_is 0
check "the manual pages are there" [ -s "$root/usr/share/man/man1/fauxfleet-run.1.gz" ]
finish

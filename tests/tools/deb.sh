#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the Debian packages from the source tarball: deb.sh FILE.tar.gz FOLDER. They are left in
# the folder.
set -eu
tarball=$PWD/$1
if ! command -v dpkg-buildpackage >/dev/null || ! command -v dh >/dev/null; then
    echo "the Debian packages need dpkg-dev and debhelper: apt-get install dpkg-dev debhelper" >&2
    exit 2
fi
rm -rf "$2"
mkdir -p "$2"
cd "$2"
gzip -dc "$tarball" | tar -x -f -
cd fauxfleet-*
unset MAKEFLAGS MAKELEVEL MFLAGS B VARIANT CC CFLAGS LDFLAGS
dpkg-buildpackage -us -uc -b "-j${JOBS:-$(nproc 2>/dev/null || echo 1)}"

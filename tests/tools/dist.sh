#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the source tarball: dist.sh NAME FILE.tar.gz. The files are those under version control,
# or, in a tree unpacked from a tarball, all except build products. The same sources give the same
# bytes: sorted, without owners, all times SOURCE_DATE_EPOCH (unless set, that of the last change,
# or of CHANGELOG.md).
set -eu

name=$1
file=$2
LC_ALL=C
export LC_ALL
if [ -e .git ]; then
    list() { git ls-files -z | tr '\0' '\n' | grep -vE '^\.(ci/|gitignore$)'; }
    epoch=$(git log -1 --format=%ct)
else
    list() { find . -type f ! -path './build/*' ! -path './debian/.debhelper/*' | sed 's|^\./||'; }
    epoch=$(stat -c %Y CHANGELOG.md)
fi
mkdir -p "$(dirname "$file")"
list | sort | tar --create --no-recursion --format=gnu --owner=0 --group=0 --numeric-owner \
    --mode=u=rwX,go=rX --mtime="@${SOURCE_DATE_EPOCH:-$epoch}" --transform="s|^|$name/|" --file="$file.tar" --files-from=-
gzip -9n <"$file.tar" >"$file.tmp"
rm "$file.tar"
mv "$file.tmp" "$file"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes sure that the Debian packages named as arguments are installed: installs missing ones with
# apt as root or if sudo works without a question, otherwise names them and fails.
set -eu

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "not a Debian system: please install what provides these Debian packages: $*" >&2
    exit 0
fi
missing=
for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root=sudo
else
    echo "missing Debian packages:$missing" >&2
    echo "install them with: sudo apt-get install$missing" >&2
    exit 2
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null

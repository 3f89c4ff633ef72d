#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `make install` below DESTDIR: the tree is as expected, the program runs from there, a third-party
# program builds against the installed header and library by pkg-config, and the manual page
# renders.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# Which builds make the program that users run. Nothing is built: make only prints what it would do.
# MAKEFLAGS would pass on how these tests were started.
made() { MAKEFLAGS='' ${MAKE:-make} -n -B --no-print-directory "$@" 2>/dev/null | grep -c 'build/fauxfleet\.tmp'; }
while IFS='|' read -r settings expected; do
    # shellcheck disable=SC2086
    check "make all $settings writes build/fauxfleet: $expected times" equal "$(unset B VARIANT && made all $settings)" "$expected"
done <<'ROWS'
|1
VARIANT=release|1
VARIANT=debug|0
VARIANT=asan|0
B=build/other|0
VARIANT=debug B=build/release|0
ROWS

# The rest installs the build under test, if it is one of those.
if [ "${B:-build/release}" != build/release ] || [ "${VARIANT:-release}" != release ]; then
    skip "make install" "not the release build"
    finish
fi

root=$tmp/root
prefix=/opt/fauxfleet
${MAKE:-make} -s --no-print-directory install DESTDIR="$root" prefix="$prefix" >"$tmp/out" 2>"$tmp/err"
status=$?
check "make install" status_is 0
version=$("$BIN" --version | head -n 1 | cut -d ' ' -f 2)
(cd "$root$prefix" && find . ! -type d | sort) >"$tmp/tree"
cat >"$tmp/expected" <<END
./bin/fauxfleet
./include/fauxpolicy/plugin.h
./include/fauxpolicy/policy.h
./lib/libfauxpolicy.a
./lib/libfauxpolicy.so
./lib/libfauxpolicy.so.0
./lib/libfauxpolicy.so.$version
./lib/pkgconfig/fauxpolicy.pc
./share/bash-completion/completions/fauxfleet
./share/fish/vendor_completions.d/fauxfleet.fish
./share/man/man1/fauxfleet.1
./share/zsh/site-functions/_fauxfleet
END
for command in $("$BIN" list commands | sed 's/ .*//'); do
    echo "./share/man/man1/fauxfleet-$command.1"
done >>"$tmp/expected"
# If libslurm was present at build time.
adapter_files() {
    printf '%s\n' "./bin/$1" "./share/man/man1/$1.1" "./share/bash-completion/completions/$1" \
        "./share/zsh/site-functions/_$1" "./share/fish/vendor_completions.d/$1.fish"
}
[ ! -x build/fauxfleet-slurm ] || { adapter_files fauxfleet-slurm && echo ./share/fauxfleet/job_submit.lua; } >>"$tmp/expected"
sort -o "$tmp/expected" "$tmp/expected"
check "the installed tree" eval 'diff "$tmp/expected" "$tmp/tree" >"$tmp/out"'
check "nothing is installed beside it" equal "$(find "$root" ! -type d | wc -l)" "$(wc -l <"$tmp/expected")"
check "the shared library's links" eval '[ -f "$root$prefix/lib/libfauxpolicy.so" ] &&
    [ "$(readlink "$root$prefix/lib/libfauxpolicy.so")" = libfauxpolicy.so.0 ] &&
    [ "$(readlink "$root$prefix/lib/libfauxpolicy.so.0")" = "libfauxpolicy.so.$version" ]'
check "no file names the temporary folder" eval '! grep -rlF "$root" "$root" >"$tmp/out"'
check "the program says its version" eval '"$root$prefix/bin/fauxfleet" --version >"$tmp/out"'
check "which is that of before" equal "$(head -n 1 "$tmp/out" | cut -d ' ' -f 2)" "$version"
check "the program runs from there" eval \
    '(cd "$tmp" && "$root$prefix/bin/fauxfleet" list nodes >"$tmp/out" 2>"$tmp/err") && says out dgx-h100'

if command -v pkg-config >/dev/null; then
    PKG_CONFIG_LIBDIR=$root$prefix/lib/pkgconfig
    PKG_CONFIG_SYSROOT_DIR=$root
    export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
    check "pkg-config knows the version" equal "$(pkg-config --modversion fauxpolicy)" "$version"
    # shellcheck disable=SC2046
    ${CC:-cc} -std=c17 -Wall -Wextra -Werror $(pkg-config --cflags fauxpolicy) -o "$tmp/embed" policies/examples/embed.c \
        $(pkg-config --libs fauxpolicy) >"$tmp/out" 2>"$tmp/err"
    status=$?
    check "the example builds against the installed files" status_is 0
    LD_LIBRARY_PATH=$root$prefix/lib "$tmp/embed" >"$tmp/shared.out" 2>"$tmp/err"
    status=$?
    check "and runs with the shared library" eval 'status_is 0 && [ -s "$tmp/shared.out" ]'
    # shellcheck disable=SC2046
    ${CC:-cc} -std=c17 $(pkg-config --cflags fauxpolicy) -o "$tmp/embed-a" policies/examples/embed.c \
        "$root$prefix/lib/libfauxpolicy.a" >"$tmp/out" 2>"$tmp/err" && "$tmp/embed-a" >"$tmp/static.out" 2>"$tmp/err"
    check "and says the same with the static one" same "$tmp/static.out" "$tmp/shared.out"
else
    skip "the example builds against what is installed" "no pkg-config"
fi

pages=$root$prefix/share/man/man1
page=$pages/fauxfleet.1
check "the manual page is that of the program" eval '"$root$prefix/bin/fauxfleet" --man | same - "$page"'
check "that of run too" eval '"$root$prefix/bin/fauxfleet" run --man | same - "$pages/fauxfleet-run.1"'
for other in "$pages"/*.1; do
    title=$(basename "$other" .1)
    if command -v groff >/dev/null; then
        groff -ww -man -Tascii "$other" >"$tmp/out" 2>"$tmp/err"
        check "groff has no warnings about $title(1)" eval 'silent err && grep -qi "^$title(1)" "$tmp/out"'
    fi
    if command -v man >/dev/null && command -v groff >/dev/null; then
        man --warnings -E UTF-8 -l -Tutf8 -Z "$other" >/dev/null 2>"$tmp/err"
        check "nor has man" silent err
    fi
    if command -v lexgrog >/dev/null; then
        check "apropos finds $title(1)" eval 'lexgrog "$other" >"$tmp/out" && grep -q "$title - " "$tmp/out"'
    fi
done
if command -v man >/dev/null && command -v groff >/dev/null; then
    MANWIDTH=80 MANPAGER=cat man -l "$page" >"$tmp/out" 2>"$tmp/err"
    status=$?
    check "man shows the page" eval 'status_is 0 && silent err && grep -q "FAUXFLEET(1)" "$tmp/out"'
elif command -v groff >/dev/null; then
    groff -ww -man -Tascii "$page" >"$tmp/out" 2>"$tmp/err"
    check "groff renders the page" eval 'silent err && grep -q "FAUXFLEET(1)" "$tmp/out"'
else
    skip "the manual page renders" "no groff"
fi

${MAKE:-make} -s --no-print-directory install DESTDIR="$tmp/usr" prefix=/usr libdir=/usr/lib/x86_64-linux-gnu mandir=/usr/man \
    >"$tmp/out" 2>"$tmp/err"
status=$?
check "libdir and mandir can be chosen" eval \
    'status_is 0 && [ -e "$tmp/usr/usr/lib/x86_64-linux-gnu/libfauxpolicy.so.0" ] && [ -s "$tmp/usr/usr/man/man1/fauxfleet.1" ]'
check "and are written into the pkg-config file" \
    grep -qx "libdir=/usr/lib/x86_64-linux-gnu" "$tmp/usr/usr/lib/x86_64-linux-gnu/pkgconfig/fauxpolicy.pc"

${MAKE:-make} -s --no-print-directory uninstall DESTDIR="$root" prefix="$prefix" >"$tmp/out" 2>"$tmp/err"
status=$?
check "make uninstall" status_is 0
check "leaves nothing" equal "$(find "$root" ! -type d)" ""

finish

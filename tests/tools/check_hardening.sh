#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks that ELF files are hardened: check_hardening.sh [FILE ...]; without files, those of the
# build folder (environment: BIN, B, POLICY_SO) and the rules of the Debian packages, whose files
# check_deb.sh passes. Programs and libraries bind at the start and keep no table writable;
# programs, including the policy core in them, have stack protectors and checked libc functions. The
# library for embedders has neither (see POLICY_CFLAGS in the Makefile). Prints TAP.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# Every file: read-only relocations, bound at the start, no executable stack, no text relocations,
# no search path.
bound() {
    readelf -dlW "$1" >"$tmp/elf" 2>"$tmp/err" || return 1
    grep -q 'GNU_RELRO' "$tmp/elf" && grep -qE '\((FLAGS|FLAGS_1)\).*(BIND_NOW|NOW)' "$tmp/elf" &&
        grep -qE 'GNU_STACK .* RW ' "$tmp/elf" && ! grep -qE 'TEXTREL|RPATH|RUNPATH' "$tmp/elf"
}

# A program: position-independent, and it calls the functions of stack protector and fortify.
protected() {
    readelf -hW "$1" | grep -q 'Type: *DYN' && grep -q '(FLAGS_1).*PIE' "$tmp/elf" &&
        readelf --dyn-syms -W "$1" >"$tmp/symbols" && grep -q ' __stack_chk_fail' "$tmp/symbols" &&
        grep -qE ' __(memcpy|snprintf|vsnprintf)_chk' "$tmp/symbols"
}

# Calls from functions of the core, which have its prefixes, in the linked program.
core_calls() {
    objdump -d --no-show-raw-insn "$1" | awk -v callee="<$2" '
        /^[0-9a-f]+ </ { core = $2 ~ /^<(policy|pc|pq)_/ }
        core && index($0, callee) { count++ }
        END { exit count == 0 }'
}

if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046
    set -- "$BIN" $(ls "${BIN%/*}/fauxfleet-slurm" 2>/dev/null) "$POLICY_SO" "$B"/policies/examples/*.so
    check "debian/rules asks for all hardening" grep -qx 'export DEB_BUILD_MAINT_OPTIONS = hardening=+all' debian/rules
    if command -v dpkg-buildflags >/dev/null; then
        DEB_BUILD_MAINT_OPTIONS=hardening=+all dpkg-buildflags >"$tmp/out" 2>"$tmp/err"
        check "which binds at the start" grep -q '^LDFLAGS=.*-Wl,-z,now' "$tmp/out"
        check "and protects stacks and libc calls" eval \
            'grep -q "^CFLAGS=.*-fstack-protector-strong" "$tmp/out" && grep -q "^CPPFLAGS=.*-D_FORTIFY_SOURCE" "$tmp/out"'
    else
        skip "which binds at the start" "no dpkg-buildflags"
    fi
fi
for file in "$@"; do
    check "${file##*/} is bound at the start" bound "$file"
    case $file in
    *.so*) continue ;;
    esac
    check "${file##*/} has stack protectors and checked libc functions" protected "$file"
    if readelf -SW "$file" | grep -q '\.symtab'; then
        check "so has the policy core inside ${file##*/}" core_calls "$file" __stack_chk_fail
    fi
done
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Proves the promises of policies/policy.h: the library needs libc's four memory functions and
# nothing else, it has no mutable globals, it includes nothing from outside its folder, it exports
# exactly what its map lists, its binary interface is the checked-in one, and its header compiles
# alone in C and C++. Environment (all optional): POLICY_A and POLICY_SO, the libraries built
# without fortify and stack protector; CC; B, the build folder. Prints TAP.
set -u

B=${B:-build/release}
CC=${CC:-cc}
if [ -z "${POLICY_A:-}" ] || [ -z "${POLICY_SO:-}" ]; then
    POLICY_A=$B/libfauxpolicy.a
    POLICY_SO=$B/libfauxpolicy.so.0
    make -s B="$B" CC="$CC" "$POLICY_A" "$POLICY_SO" || exit 1
fi
export B CC POLICY_A POLICY_SO
tools=$(dirname "$0")
work=$(mktemp -d "${TMPDIR:-/tmp}/fauxfleet-lib-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
number=0
failed=0

# verdict NAME FILE: passes if the file, a list of what is wrong, is empty.
verdict() {
    number=$((number + 1))
    if [ -s "$2" ]; then
        sed 's/^/# /' "$2"
        echo "not ok $number - $1"
        failed=1
    else
        echo "ok $number - $1"
    fi
}

# skip NAME WHY
skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

nm "$POLICY_A" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort -u >"$work/own"
nm -u "$POLICY_A" | awk '$1 == "U" { print $2 }' | LC_ALL=C sort -u | LC_ALL=C comm -23 - "$work/own" |
    grep -vxE 'memcpy|memmove|memset|memcmp|_GLOBAL_OFFSET_TABLE_' >"$work/undefined"
[ -s "$work/own" ] || echo "no symbols in $POLICY_A" >>"$work/undefined"
verdict "the library needs memcpy, memmove, memset and memcmp only" "$work/undefined"

nm -g --defined-only "$POLICY_A" | awk 'NF == 3 && $3 !~ /^(pc|policy)_/ { print $3 }' >"$work/foreign"
verdict "all its global names begin with policy_ or pc_" "$work/foreign"

sh "$tools/no_globals.sh" "$POLICY_A" >"$work/globals" 2>&1
objdump -h "$POLICY_A" | awk '$2 ~ /^\.(data|bss|tdata|tbss)$/ && $3 !~ /^0+$/ { print $2, "has", "0x" $3, "bytes" }' >>"$work/globals"
verdict "it has no mutable globals" "$work/globals"

find policies -name '*.[ch]' ! -path 'policies/adapters/*' ! -path 'policies/facts/*' ! -path 'policies/examples/*' | LC_ALL=C sort >"$work/sources"
while read -r file; do
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*//p' "$file" | while read -r name; do
        case $name in
        '<stdint.h>'* | '<stddef.h>'* | '<stdbool.h>'* | '<string.h>'*) ;;
        '"'*) inner=${name#\"} && inner=${inner%%\"*}
            case $inner in
            *..* | /*) echo "$file: $name" ;;
            *) [ -f "policies/$inner" ] || echo "$file: $name" ;;
            esac ;;
        *) echo "$file: $name" ;;
        esac
    done
done <"$work/sources" >"$work/includes"
verdict "policies/ includes its own folder and four headers of libc" "$work/includes"

sed -n 's/^[[:space:]]*\(policy_[a-z_0-9]*\);.*/\1/p' policies/exports.map | LC_ALL=C sort >"$work/map"
nm -D --defined-only "$POLICY_SO" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort >"$work/exported"
diff "$work/map" "$work/exported" >"$work/exports"
verdict "the shared library exports what exports.map lists" "$work/exports"

grep '^POLICY_API' policies/policy.h |
    grep -oE '\bpolicy_[a-z_]+\(struct|\bpolicy_[a-z_]+\(const|\bpolicy_[a-z_]+\((size_t|int32_t|void)' | sed 's/(.*//' | LC_ALL=C sort -u | LC_ALL=C comm -3 - "$work/map" >"$work/declared"
verdict "exports.map lists what policy.h declares" "$work/declared"

sed -n 's/^ \(policy_[a-z_0-9]*\)@.*/\1/p' debian/libfauxpolicy0.symbols | LC_ALL=C sort | diff "$work/map" - >"$work/debian"
verdict "so does debian/libfauxpolicy0.symbols" "$work/debian"

sh "$tools/policy_abi.sh" >"$work/abi.now" 2>"$work/abi.error" || cat "$work/abi.error" >>"$work/abi.now"
diff tests/abi/policy.abi "$work/abi.now" >"$work/abi"
verdict "the binary interface is that of tests/abi/policy.abi (else: make abi-update)" "$work/abi"

CXX=$(command -v "${CXX:-c++}" || true)
for header in policy.h plugin.h; do
    echo "#include \"$header\"" >"$work/alone.c"
    "$CC" -std=c17 -Wall -Wextra -Wpedantic -Werror -Ipolicies -fsyntax-only "$work/alone.c" >"$work/c" 2>&1
    verdict "$header compiles alone in C" "$work/c"

    cp "$work/alone.c" "$work/alone.cc"
    for standard in c++11 c++20; do
        if [ -n "$CXX" ]; then
            "$CXX" -std=$standard -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wold-style-cast \
                -Werror -Ipolicies -fsyntax-only "$work/alone.cc" >"$work/cc" 2>&1
            verdict "$header compiles alone in $standard" "$work/cc"
        else
            skip "$header compiles alone in $standard" "no C++ compiler"
        fi
    done
done
if [ -n "$CXX" ]; then
    "$CXX" -std=c++11 -Wall -Wextra -Wpedantic -Werror -Ipolicies -o "$work/embed-cc" tests/abi/embed.cc "$POLICY_A" \
        >"$work/cc" 2>&1 && [ "$("$work/embed-cc")" = ok ] || echo "does not run" >>"$work/cc"
    verdict "a program in C++11 embeds the library" "$work/cc"
else
    skip "a program in C++11 embeds the library" "no C++ compiler"
fi

# Built with an older header, whose structs are shorter, and with the current one: the current
# shared library gives both the same answers.
for header in tests/abi/older policies; do
    name=${header##*/}
    "$CC" -std=c17 -Wall -Wextra -Werror $([ "$name" = older ] && echo -DOLDER_HEADER) "-I$header" -o "$work/$name" \
        tests/abi/embedder.c "$POLICY_SO" "-Wl,-rpath,$(cd "${POLICY_SO%/*}" && pwd)" >"$work/built" 2>&1 &&
        "$work/$name" >"$work/$name.out" 2>>"$work/built" || echo "$name: exit status $?" >>"$work/built"
    [ "$(cat "$work/$name.out" 2>/dev/null | wc -l)" -gt 100 ] || echo "$name: says next to nothing" >>"$work/built"
    verdict "a program built with $header/policy.h runs with the shared library" "$work/built"
done
diff "$work/policies.out" "$work/older.out" >"$work/c"
verdict "and both get the same answers" "$work/c"

if [ -x "$B/policies/examples/embed" ]; then
    "$B/policies/examples/embed" >"$work/embed.out" 2>&1 || echo "exit status $?" >"$work/embed"
    [ "$(grep -c ' start task ' "$work/embed.out")" -eq 5 ] || cat "$work/embed.out" >>"$work/embed"
    touch "$work/embed"
    verdict "the example embeds the library alone and runs" "$work/embed"
fi
echo "1..$number"
exit "$failed"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The pages of docs/: those of docs/reference/ match the tables, and no link is dead.
set -u
. tests/e2e/lib/tap.sh

if command -v python3 >/dev/null; then
    run list keys --json
    check "list keys prints JSON" python3 -m json.tool "$tmp/out" /dev/null
    python3 tests/tools/reference.py "$BIN" "$tmp/reference" >"$tmp/out" 2>"$tmp/err"
    for page in docs/reference/*.md; do
        check "$page is as \`make reference\` writes it" same "$page" "$tmp/reference/${page##*/}"
    done
    check "as many pages" [ "$(find docs/reference -name '*.md' | wc -l)" -eq "$(find "$tmp/reference" -name '*.md' | wc -l)" ]
else
    skip "docs/reference" "no python3"
fi

# dead_links: prints links to files of this repository that do not exist.
dead_links() {
    for page in README.md CONTRIBUTING.md docs/*.md docs/*/*.md; do
        grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^$\|^[a-z]*:' | while read -r link; do
            [ -e "$(dirname "$page")/$link" ] || echo "# $page: $link"
        done
    done
}
dead_links >"$tmp/out"
: >"$tmp/err"
check "every link leads to a file" silent out
check "there were links" [ "$(grep -c '](' README.md)" -gt 10 ]
check "README.md has at most 200 lines" [ "$(wc -l <README.md)" -le 200 ]

run list keys
check "each key has its type, default and meaning" says out 'fleet.pools[].name  (text; required)  unique name of the pool'
check "so is one with a default" says out 'seed  (seed; 1)  of all random numbers'
check "an object that was described before is referred to" says out 'object as fleet.pools[].node'
finish

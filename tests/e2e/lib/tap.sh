# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Shared by the end-to-end tests, which source it from the root of the repository. Sets the program
# ($BIN), makes a folder for files ($tmp) that is removed at the end, and prints one TAP line a
# check. A test ends with `finish`. Checks are commands, or text for `eval`.

BIN=${BIN:-build/fauxfleet}
case $BIN in /*) ;; *) BIN=$PWD/$BIN ;; esac
LC_ALL=C
export LC_ALL
unset POSIXLY_CORRECT
tmp=$(mktemp -d "${TMPDIR:-/tmp}/fauxfleet-e2e-XXXXXX") || exit 2
trap 'chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
n=0
failed=0
status=0

# run ARGUMENT...: runs the program; sets $status, and leaves $tmp/out and $tmp/err.
run() {
    "$BIN" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
}

# check WHAT COMMAND...: the command has to succeed.
check() {
    n=$((n + 1))
    what=$1
    shift
    if "$@"; then
        echo "ok $n - $what"
        return
    fi
    echo "not ok $n - $what"
    failed=$((failed + 1))
    echo "# last status ${status:-?}, check: $*"
    [ ! -f "$tmp/err" ] || head -n 20 "$tmp/err" | sed 's/^/# err: /'
    [ ! -f "$tmp/out" ] || head -n 20 "$tmp/out" | sed 's/^/# out: /'
}

# skip WHAT WHY
skip() {
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2"
}

finish() {
    echo "1..$n"
    [ "$failed" -eq 0 ]
    exit
}

status_is() { [ "$status" -eq "$1" ] || { echo "# status $status, expected $1" && false; }; }
# within SECONDS COMMAND...: tries until the command succeeds; fails if it does not in time.
within() {
    tenths=$(($1 * 10))
    shift
    until "$@"; do
        tenths=$((tenths - 1))
        [ "$tenths" -gt 0 ] || return 1
        sleep 0.1
    done
}

silent() { [ ! -s "$tmp/$1" ]; }
says() { grep -qF -- "$2" "$tmp/$1"; }
same() { cmp -s "$1" "$2"; }
absent() { [ ! -e "$1" ]; }
empty() { [ ! -s "$1" ]; }
# equal GOT EXPECTED: compares texts and shows both.
equal() { [ "$1" = "$2" ] || { echo "# got '$1', expected '$2'" && false; }; }
refused() { status_is 2 && silent out && says err "$1"; }

# is_json FILE: true if it is exactly one JSON value (not checked without python3).
is_json() { ! command -v python3 >/dev/null || python3 -m json.tool <"$1" >/dev/null 2>&1; }

# json FILE PATH: the text, number or word at a dotted path of a JSON file as the program prints it:
# one key a line, one space a level. Prints nothing if it is not there.
json() {
    awk -v want="$2" '
        match($0, /^ *"[^"]*": /) {
            line = $0
            depth = match(line, /"/) - 1
            line = substr(line, depth + 2)
            key = substr(line, 1, index(line, "\"") - 1)
            value = substr(line, length(key) + 4)
            sub(/,$/, "", value)
            names[depth] = key
            path = names[1]
            for (i = 2; i <= depth; i++) path = path "." names[i]
            if (path == want) { gsub(/^"|"$/, "", value); print value; exit }
        }' "$1"
}

# alike DIR_A DIR_B: the folders have the same files with the same bytes, except for timing.json,
# which has the duration of the run.
alike() {
    (cd "$1" && find . -type f ! -name timing.json | sort) >"$tmp/alike-a"
    (cd "$2" && find . -type f ! -name timing.json | sort) >"$tmp/alike-b"
    if [ ! -s "$tmp/alike-a" ]; then
        echo "# no files in $1"
        return 1
    fi
    diff "$tmp/alike-a" "$tmp/alike-b" || return 1
    differences=0
    while read -r name; do
        cmp "$1/$name" "$2/$name" || differences=1
    done <"$tmp/alike-a"
    [ "$differences" -eq 0 ]
}

# The optional folder of published traces and results, "" when it is not there.
shared=${FAUXFLEET_SHARED:-../shared}
case $shared in /*) ;; *) shared=$PWD/$shared ;; esac
[ -d "$shared" ] || shared=

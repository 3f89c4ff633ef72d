#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of the command line: the three scripts are made, each installed shell reads its own,
# and bash and fish are asked for completions.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

for shell in bash zsh fish; do
    run --completion "$shell"
    check "--completion $shell" eval 'status_is 0 && silent err && says out "made by"'
    cp "$tmp/out" "$tmp/script.$shell"
    for word in snapshot generate placements snapshot-at; do
        check "$shell: $word is in it" grep -q -- "$word" "$tmp/script.$shell"
    done
done
run --completion=csh
check "another shell is refused" refused "'csh' is not a known shell"
run run --completion bash
check "--completion is no option of a command" refused completion

# Words, a tab; then words that must be among the answers, and words that must not. The cursor is in
# the last word.
cat >"$tmp/rows" <<'ROWS'
r|run report replay|sweep --policy
run --pol|--policy|--help
run x.json --policy sl|slurm|fifo
explain --|--policy --at --json|--emit
list po|policies|placements
list policies --|--json|--policy
trace gen|generate|stats
trace generate te|teams|batch
trace stats -f sw|swf|helios
trace stats --|--format --charts|--policy
plan --method |slo compaction|fifo
sweep --emit |slurm parallel k8s|bash
--comp|--completion|--policy
--completion |bash zsh fish|run
run --seed 1 ord|ordinary.json|run
ROWS
: >"$tmp/ordinary.json"

# fits WANTED UNWANTED: checks the words in $tmp/got, one a line.
fits() {
    for word in $1; do grep -qxF -- "$word" "$tmp/got" || { echo "# '$word' is missing" && return 1; }; done
    for word in $2; do ! grep -qxF -- "$word" "$tmp/got" || { echo "# '$word' is there" && return 1; }; done
}

# ask SHELL WORDS: leaves its completions in $tmp/got.
cat >"$tmp/ask.bash" <<'END'
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_fauxfleet
printf '%s\n' "${COMPREPLY[@]}"
END
ask() {
    case $1 in
    bash)
        last=${2##* }
        # shellcheck disable=SC2086
        set -- "$BIN" ${2% *} "$last"
        [ $# -gt 3 ] || [ "$2" != "$3" ] || set -- "$BIN" "$3"
        (cd "$tmp" && bash "$tmp/ask.bash" "$tmp/script.bash" "$@") >"$tmp/got" 2>"$tmp/err"
        ;;
    fish)
        (cd "$tmp" && HOME=$tmp XDG_CONFIG_HOME=$tmp PATH=$(dirname "$BIN"):$PATH fish --no-config -c \
            "source $tmp/script.fish; complete -C 'fauxfleet $2'") 2>"$tmp/err" | cut -f 1 >"$tmp/got"
        ;;
    esac
}

for shell in bash fish; do
    if ! command -v "$shell" >/dev/null; then
        skip "what $shell completes" "no $shell"
        continue
    fi
    while IFS='|' read -r words wanted unwanted; do
        ask "$shell" "$words"
        check "$shell: $words" eval 'silent err && fits "$wanted" "$unwanted"'
    done <"$tmp/rows"
done
if command -v bash >/dev/null; then # which splits words at '='
    (cd "$tmp" && bash "$tmp/ask.bash" "$tmp/script.bash" "$BIN" run --policy = kube) >"$tmp/got" 2>"$tmp/err"
    check "bash: run --policy=kube" fits kube-default slurm
fi
if command -v zsh >/dev/null; then
    zsh -n "$tmp/script.zsh" >"$tmp/out" 2>"$tmp/err"
    status=$?
    check "zsh reads its script" eval 'status_is 0 && silent err'
    HOME=$tmp zsh -f -c "autoload -U compinit && compinit -u -D && source $tmp/script.zsh && print \$_comps[fauxfleet]" \
        >"$tmp/out" 2>"$tmp/err"
    check "and knows the command by it" equal "$(cat "$tmp/out")" _fauxfleet
else
    skip "zsh reads its script" "no zsh"
fi

finish

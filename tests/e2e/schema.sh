#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `fauxfleet schema`: what the JSON Schema allows and refuses, judged by an independent validator;
# and what files written by hand may have: comments, trailing commas, "$schema".
# shellcheck disable=SC2016,SC2154,SC2317 # $tmp is of tap.sh; checks are texts
set -u
. tests/e2e/lib/tap.sh

run schema
check "scenario is the default" eval 'status_is 0 && mv "$tmp/out" "$tmp/scenario"'
for kind in scenario sweep gate; do
    run schema "$kind"
    check "$kind has a schema" eval 'status_is 0 && silent err && mv "$tmp/out" "$tmp/schema-$kind"'
done
check "the first is that of scenarios" same "$tmp/scenario" "$tmp/schema-scenario"
run schema scenarios
check "another kind is refused" eval \
    'status_is 2 && says err "expected scenario, sweep or gate, did you mean '\''scenario'\''?"'

# ---- a file with comments runs as the same file without them ------------------------------------

sed -e 's|^{|// made by hand\n{ "$schema": "x.schema.json", /* for the editor */|' \
    tests/e2e/data/node.json >"$tmp/commented.json"
sed -i -e '$s|}|, // the end\n}|' "$tmp/commented.json"
cp tests/e2e/data/*.csv "$tmp/"
check "the comments are there" [ "$(grep -c 'made by hand\|editor\|the end' "$tmp/commented.json")" = 3 ]
run run tests/e2e/data/node.json -o "$tmp/plain" --no-report --quiet
run run "$tmp/commented.json" -o "$tmp/hand" --no-report --quiet
check "it runs" eval 'status_is 0 && silent err'
check "as the same jobs" same "$tmp/plain/jobs.csv" "$tmp/hand/jobs.csv"

# ---- a validator agrees -------------------------------------------------------------------------

if ! python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
    skip "a validator of JSON Schema" "python3-jsonschema is not installed"
    finish
fi

# valid KIND FILE... / refuses KIND JSON WORDS
valid() { kind=$1 && shift && python3 tests/tools/validate.py "$tmp/schema-$kind" "$@"; }
refuses() {
    printf '%s\n' "$2" >"$tmp/bad.json"
    python3 tests/tools/validate.py "$tmp/schema-$1" "$tmp/bad.json" >"$tmp/why"
    [ $? -eq 1 ] && { grep -qF -- "$3" "$tmp/why" || { cat "$tmp/why" && false; }; }
}
for kind in scenario sweep gate; do
    # shellcheck disable=SC2046 # names of files have no blanks
    check "every $kind of the project is valid" \
        valid "$kind" $(grep -rl --include='*.json' "\"fauxfleet_$kind\"" scenarios tests/e2e/data)
done
while IFS='|' read -r kind json words; do
    check "refused: $json" refuses "$kind" "$json" "$words"
done <<'EOF'
scenario|{"sed": 1}|'sed' was unexpected
scenario|{"seed": -1}|$.seed: -1
scenario|{"replicas": 1.5}|$.replicas: 1.5
scenario|{"replicas": 0}|$.replicas: 0
scenario|{"fleet": {"pools": [{"count": "two"}]}}|$.fleet
scenario|{"queues": [{"gpu": {"quotas": 1}}]}|$.queues
scenario|[]|not of type 'object'
gate|{"looks": []}|[]
gate|{"alpha": 0.9}|0.9
sweep|{"seeds": "all"}|'all'
EOF
finish

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `fauxfleet check`: every problem of a file is reported with its line; files without problems are
# named.
# shellcheck disable=SC2016,SC2154,SC2317 # $tmp is of tap.sh; checks are texts
set -u
. tests/e2e/lib/tap.sh

run check scenarios/examples/*demo.json scenarios/examples/snapshot.json scenarios/ci/suite.json
check "files of the project are in order" eval 'status_is 0 && silent err'
check "a line for each" equal "$(grep -c ', in order$' "$tmp/out")" \
    "$(ls scenarios/examples/*demo.json scenarios/examples/snapshot.json scenarios/ci/suite.json | wc -l)"

cat >"$tmp/bad.json" <<'EOF'
{"fauxfleet_scenario": 1, "sed": 3,
 "replicas": 0, // one is the least
 "fleet": {"pools": [{"name": "a", "node": "dgx-h100", "count": "x"},
   {"nam": "b", "node": "dgx-h100", "count": 1}]},
 "queues": [{"name": 5}],
 "policy": {"options": 3}
}
EOF
run check "$tmp/bad.json" tests/e2e/data/node.json
check "a file with troubles" status_is 2
while IFS='|' read -r line words; do
    check "line $line: $words" eval 'grep -F "bad.json:$line: " "$tmp/err" | grep -qF "$words"'
done <<'EOF'
1|sed: unknown key 'sed', did you mean 'seed'?
2|replicas: expected an integer from 1 to 100000, got 0
3|fleet.pools[0].count: expected an integer
4|fleet.pools[1].nam: unknown key 'nam', did you mean 'name'?
4|fleet.pools[1]: the key 'name' is missing
5|queues[0].name: expected non-empty text, got 5
6|policy.options: expected an object, got 3
EOF
check "nothing else is wrong" equal "$(wc -l <"$tmp/err")" 7
check "the file behind it is checked, too" says out "node.json: a scenario, in order"

printf '{"fauxfleet_gate": 1, "scenarios": ["a.json"], "metrics": [{"metric": "x", "rol": 1}], "alpha": 2}' \
    >"$tmp/suite.json"
run check "$tmp/suite.json"
check "a suite" eval 'status_is 2 && says err "did you mean '\''role'\''?" && says err "alpha: expected"'

printf '{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": {"gpus": 4}, "count": 1}]},
 "workload": {"trace": "jobs.csv"}}' >"$tmp/scenario.json"
printf 'job_id,submit_s,duration_s,gpus\n1,0,10,1\n2,5,ten,1\n' >"$tmp/jobs.csv"
run check "$tmp/scenario.json" "$tmp/jobs.csv"
check "the trace of a scenario is read to its end, and so is one by itself" eval \
    'status_is 2 && equal "$(grep -c "jobs.csv:3" "$tmp/err")" 2'
printf 'job_id,submit_s,duration_s,gpus\n1,0,10,1\n2,5,10,1\n' >"$tmp/jobs.csv"
run check "$tmp/scenario.json" "$tmp/jobs.csv"
check "in order" eval 'status_is 0 && says out "2 jobs, in order"'


# --- all rows of a trace that are wrong ---

cat >"$tmp/bad.csv" <<'END'
job_id,submit_s,duration_s,gpus
a,0,10,1
b,x,10,1
c,1,10,1
d,2,-5,1
e,3,1,zz,7
f,3
a,4,1,1
g,5,"ten
or so",1
h,6,1,1
i,7,y,1
END
run check "$tmp/bad.csv"
check "each bad row has one message, with its line and column" equal \
    "$status $(sed -n 's/.*bad.csv:\([0-9]*:[0-9]*\): .*/\1/p' "$tmp/err" | tr '\n' ' ')$(wc -l <"$tmp/err")" "2 3:2 5:3 6:4 7:3 9:3 12:3 8:1 7"
check "a repeated id names the line that had it first" says err "8:1: the job id 'a' is that of line 2 too"
run trace convert "$tmp/bad.csv" --rejected "$tmp/rejected.csv" -o "$tmp/good.csv"
check "a conversion leaves them out, and says how many" eval 'status_is 0 && says err "7 rows were left out; $tmp/rejected.csv says why"'
check "the good rows are converted" equal "$(cut -d, -f1 "$tmp/good.csv" | tr '\n' ' ')" "job_id a c h "
check "the others are listed with line and column" equal "$(cut -d, -f1,2 "$tmp/rejected.csv" | tr '\n' ' ')" "line,column 3,2 5,3 6,4 7,3 9,3 12,3 8,1 "
sed 's/"//g' "$tmp/rejected.csv" >"$tmp/plain.csv"
check "and the reason" grep -q "^8,1,the job id 'a' is that of line 2 too, expected each id once\$" "$tmp/plain.csv"
printf 'job_id,submit_s,duration_s,gpus\na,9,1,1\nb,x,1,1\nc,1,1,1\nd,2,1,y\n' >"$tmp/unsorted.csv"
run trace convert "$tmp/unsorted.csv" --rejected "$tmp/rejected.csv" -o "$tmp/good.csv"
check "a trace that is read twice lists them once" eval 'status_is 0 && equal "$(cut -d, -f1,2 "$tmp/rejected.csv" | tr "\n" " ")" "line,column 3,2 5,4 " && equal "$(cut -d, -f1 "$tmp/good.csv" | tr "\n" " ")" "job_id c a "'
run trace convert "$tmp/bad.csv" -o "$tmp/none.csv"
check "without it nothing is written" eval 'status_is 2 && absent "$tmp/none.csv" && says err "bad.csv:3:2"'
run trace convert "$tmp/absent.csv" --rejected "$tmp/no.csv" -o "$tmp/none.csv"
check "nor of a file that is not there" eval 'status_is 2 && absent "$tmp/none.csv" && absent "$tmp/no.csv"'
run trace convert "$tmp/bad.csv" --rejected "$tmp/same.csv" -o "$tmp/same.csv"
check "two outputs are two files" refused "expected a file beside the output"
awk 'BEGIN { print "job_id,submit_s,duration_s,gpus"; for (i = 0; i < 30000; i++) print "j" i "," i ",x,1" }' >"$tmp/many.csv"
run check "$tmp/many.csv"
check "the first twenty are shown, the others counted" eval 'equal "$(grep -c "many.csv:[0-9]" "$tmp/err")" 20 && says err "many.csv: 29980 more rows with errors"'
{
    echo "; MaxProcs: 8"
    for i in 1 2 3 4; do echo "$i $i 0 10 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1"; done | sed '2s/ 10 1 -1/ ten 1 -1/; 4s/^4/four/'
} >"$tmp/bad.swf"
run check "$tmp/bad.swf"
check "of lines as well" equal "$status $(sed -n 's/.*bad.swf:\([0-9]*\):.*/\1/p' "$tmp/err" | tr '\n' ' ')" "2 3 5 "
printf 'job_id,submit_s,duration_s,gpus\na,0,1"0,1\nb,x,1,1\n' >"$tmp/quote.csv"
run check "$tmp/quote.csv"
check "after a wrong quote nothing is read" eval 'status_is 2 && equal "$(wc -l <"$tmp/err")" 1 && says err "a quote inside a field"'

printf '{"a": 1}' >"$tmp/other.json"
run check "$tmp/other.json" "$tmp/absent.json" "$tmp/absent.csv"
check "other files" eval 'status_is 2 && says err "other.json: expected a scenario" &&
    says err "absent.json" && says err "absent.csv"'
run check
check "no file" status_is 2
finish

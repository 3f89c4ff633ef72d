#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One log as different clusters write it: the jobs are the same byte for byte, whatever the
# delimiter, the format of times and the names of the columns.
# shellcheck disable=SC2016,SC2317 # checks are texts and names of functions
set -u
. tests/e2e/lib/tap.sh

# jobs FILE OPTIONS...: the jobs of a log, without the names of its own notes.
jobs() {
    file=$1
    shift
    run trace convert "$tmp/$file" "$@"
}
alike() { status_is 0 && same "$tmp/want" "$tmp/out"; }

# --- sacct ---------------------------------------------------------------------------------------

cat >"$tmp/sacct.txt" <<'E'
JobID|JobName|User|Account|Partition|State|Submit|Start|End|ElapsedRaw|Timelimit|NNodes|ReqTRES
11|a "b, c|ann|language|gpu|COMPLETED|2026-01-05T08:00:00|2026-01-05T08:05:00|2026-01-05T09:05:00|3600|02:00:00|1|cpu=16,gres/gpu:h100=8,node=1
11.batch|batch||language||COMPLETED|2026-01-05T08:05:00|2026-01-05T08:05:00|2026-01-05T09:05:00|3600||1|cpu=16,node=1
12_1|d;e|bob|vision|gpu|CANCELLED by 7|2026-01-05T08:10:00|Unknown|2026-01-05T08:20:00|0|UNLIMITED|1|cpu=4,gres/gpu:h100=1,node=1
13|f|bob|vision|gpu|RUNNING|2026-01-05T08:15:00|2026-01-05T08:30:00|Unknown|600|UNLIMITED|2|cpu=8,gres/gpu:h100=4,node=2
E
jobs sacct.txt
cp "$tmp/out" "$tmp/want"
check "sacct -P: steps and what never started are no jobs" equal "$(cut -d, -f1-4 "$tmp/out" | tail -n +2 | tr '\n' ' ')" "11,1767600000,3600, 13,1767600900,600, "
check "a job that still runs is kept with its run time so far" says err "its run time so far is taken, a lower bound"
check "a column without use is a plain note" eval '! grep -q "⚠\|warning" "$tmp/err"'

# quoted DELIMITER: every field in quotes.
quoted() { python3 -c 'import csv, sys
out = csv.writer(open(sys.argv[2], "w"), delimiter=sys.argv[1], quoting=csv.QUOTE_ALL)
out.writerows(line.rstrip("\n").split("|") for line in open(sys.argv[3]))' "$@"; }
for delimiter in ';' '	' ',' '|'; do
    quoted "$delimiter" "$tmp/quoted.csv" "$tmp/sacct.txt"
    jobs quoted.csv
    check "in quotes, divided by '$delimiter'" alike
done
sed 's/d;e/de/; s/|/;/g' "$tmp/sacct.txt" >"$tmp/plain.txt"
sed 's/"b, c/b/' "$tmp/plain.txt" >"$tmp/semicolons.txt"
jobs semicolons.txt
check "divided by semicolons without quotes" alike
sed 's/$/|/; s/$/\r/' "$tmp/sacct.txt" >"$tmp/p.txt"
jobs p.txt
check "sacct -p, lines of another system" alike
python3 - "$tmp" <<'E'
import calendar, re, sys, time
t = open(sys.argv[1] + "/sacct.txt").read()
epoch = lambda m: str(calendar.timegm(time.strptime(m[0], "%Y-%m-%dT%H:%M:%S")))
local = lambda m: time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(int(epoch(m)) - 5 * 3600))
moment = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d"
open(sys.argv[1] + "/epoch.txt", "w").write(re.sub(moment, epoch, t))
open(sys.argv[1] + "/local.txt", "w").write(re.sub(moment, local, t))
E
jobs epoch.txt
check "seconds since 1970" alike
jobs local.txt --option utc_offset=-05:00
check "the clock of another zone" alike

# --- tables of other columns ---------------------------------------------------------------------

# One job of 8 GPUs for an hour, one of 2 for half an hour.
cat >"$tmp/iso.csv" <<'E'
Job ID,Submitted At,Started At,Finished At,Num GPUs,User,Team,Comment
a,2026-01-05 08:00:00,2026-01-05 08:05:00,2026-01-05 09:05:00,8,ann,language,"x, y"
b,2026-01-05 08:10:00,2026-01-05 08:10:00,2026-01-05 08:40:00,2,bob,vision,
E
jobs iso.csv
cp "$tmp/out" "$tmp/want"
check "a table by the names of its columns" equal "$(cut -d, -f1-6,35-36 "$tmp/out" | tail -n +2 | tr '\n' ' ')" \
    "a,1767600000,3600,8,language,ann,1767600300,1767603900 b,1767600600,1800,2,vision,bob,1767600600,1767602400 "
check "a note names the columns' meanings" says err "columns: job_id=Job ID, submit=Submitted At, start=Started At, end=Finished At, gpus=Num GPUs, queue=Team, user=User; not used: Comment (--map says it otherwise)"
# Times as text made by FUNCTION, from the seconds of the table.
dialect() { python3 - "$tmp" "$1" "$2" <<'E'
import calendar, csv, sys, time
folder, how, delimiter = sys.argv[1:]
zone = lambda s, h, end: time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(s + h * 3600)) + end
ways = {"s": str, "ms": lambda s: "%d000" % s, "us": lambda s: "%d000000" % s,
        "float": lambda s: "%d.000" % s, "exp": lambda s: "%.9e" % s,
        "z": lambda s: zone(s, 0, "Z"), "offset": lambda s: zone(s, 1, "+01:00"),
        "west": lambda s: zone(s, -8, ".000-0800"), "utc": lambda s: zone(s, 0, " UTC"),
        "slash": lambda s: time.strftime("%Y/%m/%d %H:%M", time.gmtime(s))}
rows = list(csv.reader(open(folder + "/iso.csv")))
parse = lambda t: calendar.timegm(time.strptime(t, "%Y-%m-%d %H:%M:%S"))
for row in rows[1:]:
    row[1:4] = [ways[how](parse(t)) for t in row[1:4]]
csv.writer(open(folder + "/dialect.csv", "w"), delimiter=delimiter).writerows(rows)
E
}
for how in s ms us float exp z offset west utc slash; do
    dialect $how ';'
    jobs dialect.csv
    check "times as '$how'" alike
done
sed '1s/.*/A,B,C,D,E,F,G,H/' "$tmp/iso.csv" >"$tmp/nameless.csv"
jobs nameless.csv --map gpus=E --map job_id=A,user=F,queue=G
check "names that say nothing: moments by their order, the rest by --map" alike
jobs nameless.csv --option map=gpus=E,job_id=A,user=F,queue=G,submit=B,start=C,end=D
check "all by an option of the trace" alike
jobs nameless.csv --format table
check "a required column is missing" eval 'status_is 2 && says err "no column says how many GPUs a job had; name it: --map gpus=COLUMN"'
jobs nameless.csv --map gpu=E
check "a role that is not there" eval 'status_is 2 && says err "there is no '"'gpu'"', did you mean '"'gpus'"'?"'
jobs iso.csv --map gpus=NumGPUs
check "a column that is not there" eval 'status_is 2 && says err "did you mean '"'Num GPUs'"'?"'
jobs iso.csv --map gpus=Team,queue=Team
check "a column for two roles" eval 'status_is 2 && says err "is both gpus and queue"'
sed 's/,8,ann/,eight,ann/' "$tmp/iso.csv" >"$tmp/bad.csv"
jobs bad.csv
check "values are called by the names of the file" eval 'status_is 2 && says err "bad.csv:2:5: column '"'Num GPUs'"': '"'eight'"' is not valid"'

# Durations in the unit given by the column's name, as clock times and as durations.
for spans in 's 3600 1800' 'min 60 30' 'hours 1 0.5' 'ms 3600000 1800000' 's 1:00:00 30:00' 's 01:00:00 00:30:00' 's 1h 30m'; do
    # shellcheck disable=SC2086 # three words
    set -- $spans
    printf 'id,arrival,runtime (%s),gpus\na,0,%s,8\nb,600,%s,2\n' "$1" "$2" "$3" >"$tmp/spans.csv"
    jobs spans.csv
    check "run times in $1: $2" equal "$(cut -d, -f1-4 "$tmp/out" | tail -n +2 | tr '\n' ' ')" "a,0,3600,8 b,600,1800,2 "
done

# --- where maps may be given ---------------------------------------------------------------------

cat >"$tmp/s.json" <<'E'
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "a", "node": {"gpus": 8}, "count": 1}]},
 "queues": [{"name": "language", "gpu": {"quota": 4}}, {"name": "vision", "gpu": {"quota": 4}}],
 "workload": {"trace": "nameless.csv"},
 "policy": {"name": "fifo"}}
E
run run "$tmp/s.json" --map gpus=E,job_id=A,user=F,queue=G -o "$tmp/run" --no-report --quiet
check "run takes a map" eval 'status_is 0 && equal "$(grep -c . "$tmp/run/jobs.csv")" 3'
run calibrate "$tmp/s.json" "$tmp/nameless.csv" --map gpus=E,job_id=A,user=F,queue=G --quiet
check "calibrate takes a map" eval 'status_is 0 && says out "jobs     2 in the log, 2 compared"'
run init --from "$tmp/nameless.csv" --map gpus=E,job_id=A --map user=F,queue=G -o "$tmp/made.json"
check "init writes the map down" eval 'status_is 0 && grep -qF "\"options\": {\"map\": \"gpus=E,job_id=A,user=F,queue=G\"}" "$tmp/made.json"'
run run "$tmp/made.json" -o "$tmp/run" --no-report --quiet
check "and the scenario runs" status_is 0
run check "$tmp/nameless.csv" --map gpus=E
check "check takes a map" eval 'status_is 0 && says out "a trace in the format table, 2 jobs"'

finish

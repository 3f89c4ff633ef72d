#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every figure in the text of README.md and of the pages of docs/ comes from a run made here, or is
# exempt with a reason (tests/e2e/data/figures.txt); code blocks are checked by pages.sh. `make
# figures` writes the figures of this build into the pages.
#
# A row is a passage of a page with {} for each figure, and the figures. Rows share runs. Ranges
# over seeds take minutes and are made with FIGURES_ALL=1 (`make figures`) only. Passages have
# backticks, and some functions print several figures.
# shellcheck disable=SC2016,SC2046
set -u
. tests/e2e/lib/tap.sh

examples=scenarios/examples studies=scenarios/studies
: >"$tmp/claims"

# ---- runs and their values ----

# made DIR SCENARIO ARGUMENT...: runs it into $tmp/DIR.
made() {
    dir=$1 scenario=$2
    shift 2
    run run "$scenario.json" -o "$tmp/$dir" --no-report --quiet "$@"
    cp "$tmp/out" "$tmp/$dir.out"
    [ "$status" -eq 0 ] || check "$dir: $scenario $*" status_is 0
}
# value DIR PATH: a number of its summary; lost DIR KIND: GPU-hours.
value() { json "$tmp/$1/summary.json" "$2"; }
lost() { value "$1" "gpu_hours.lost.$2"; }
# job DIR ID COLUMN: a cell of its jobs.csv.
job() {
    awk -F, -v id="$2" -v name="$3" 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == id { print $at[name] }' \
        "$tmp/$1/jobs.csv"
}

# ---- figures as the pages write them ------------------------------------------------------------

calc() { awk "BEGIN { printf \"$1\", $2 }"; } # FORMAT EXPRESSION
fixed() { calc "%.$2f" "$1"; }                 # RATIO DECIMALS
percent() { calc "%.$2f" "100 * ($1)"; }       # RATIO DECIMALS
count() { calc %.0f "$1" | sed -e :a -e 's/^\([0-9]*[0-9]\)\([0-9]\{3\}\)/\1,\2/;ta'; } # 12,345
time_of() { # SECONDS: 1d22h, 2h30m, 1m39s, 30s as the program prints times (report/words/units.c)
    awk -v x="$1" 'BEGIN {
        s = int(x + 0.5); m = int(x / 60 + 0.5); h = int(x / 3600 + 0.5)
        if (s < 60) printf "%ds", s
        else if (s < 3600) printf "%dm%02ds", int(s / 60), s % 60
        else if (m < 1440) printf "%dh%02dm", int(m / 60), m % 60
        else printf "%dd%02dh", int(h / 24), h % 24 }'
}
hours_of() { calc '%dh%02dm' "int($1 / 3600), int($1 % 3600 / 60 + 0.5)"; } # 32h09m

# says PASSAGE FIGURE...
says_page() {
    printf '%s' "$1" >>"$tmp/claims"
    shift
    [ $# -eq 0 ] || printf '\t%s' "$@" >>"$tmp/claims"
    echo >>"$tmp/claims"
}

# ---- formats, nodes, models ---------------------------------------------------------------------

run list formats
says_page '`fauxfleet list formats` has {} formats' "$(wc -l <"$tmp/out")"
run list faults
says_page '(`list faults` shows {} classes and five profiles' "$(grep -c ' class C' "$tmp/out")"
run list nodes dgx-h100
says_page 'DGX H100 ({} kW)' "$(awk '$1 == "peak_w" { print $2 / 1000 }' "$tmp/out")"

# A DGX-1 takes 7.8 GB/s, and its disks give 2.2: tests/e2e/storage.sh runs it.
says_page 'needs 7.8 GB/s and has 2.2 trains at {} % of its speed' "$(percent 2.2/7.8 1)"
says_page 'order (`smallest_first.c`, {} lines)' "$(wc -l <policies/examples/smallest_first.c)"
says_page 'a whole policy (`researcher.c`, {} lines;' "$(wc -l <policies/examples/researcher.c)"

# ---- the demo -----------------------------------------------------------------------------------

made demo $examples/demo
made demo-runai $examples/demo --policy runai
made demo-kube $examples/demo --policy kube-default
says_page 'runs the demo under it: 95 % of the sessions start within {} s (under `fifo` {})' \
    "$(value demo-runai by_class.build.wait_s.p95)" "$(time_of "$(value demo by_class.build.wait_s.p95)")"
says_page 'training jobs after {} on average ({}), gangs after {} ({})' \
    "$(time_of "$(value demo-runai by_class.train.wait_s.mean)")" "$(time_of "$(value demo by_class.train.wait_s.mean)")" \
    "$(time_of "$(value demo-runai by_class.distributed.wait_s.mean)")" "$(time_of "$(value demo by_class.distributed.wait_s.mean)")"
says_page 'The demo, two weeks, under `kube-default`: {} % allocated, {} % of all GPU-hours held by incomplete gangs' \
    "$(percent "$(value demo-kube utilization.allocation)" 0)" \
    "$(percent "$(lost demo-kube startup) / $(value demo-kube gpu_hours.installed)" 0)"
run explain "$tmp/demo" t957 --at 800000 --replicas 20 --json
eta() { awk -v key="\"$1\":" '$1 == key { inside = 1 } inside && $1 == "\"median_s\":" { sub(/,/, "", $2); print $2; exit }' "$tmp/out"; }
says_page '(here in {}, or in {} with {} GPUs instead of 8)' "$(time_of "$(eta eta)")" "$(time_of "$(eta eta_alternative)")" \
    "$(sed -n 's/.*"eta_alternative_detail": "with \([0-9.]*\) GPUs instead.*/\1/p' "$tmp/out")"

made rho $examples/demo --rho
made rho-runai $examples/demo --policy runai --rho
rho() { value "$1" "fairness.rho.$2"; }
says_page 'so for {} % of the jobs under `fifo` (p95 {}), and for {} % under `runai` (p95 {})' "$(percent "$(rho rho share_above_1)" 1)" \
    "$(calc %.1f "$(rho rho p95)")" "$(percent "$(rho rho-runai share_above_1)" 1)" "$(calc %.2f "$(rho rho-runai p95)")"

made faulty $examples/demo --set 'faults={"profile":"h100","scale":20}'
says_page '{} faults in two weeks on 16 nodes (`scale` 20: about what 320 nodes would see). Faults stopped a job {} times' \
    "$(value faulty reliability.faults)" "$(value faulty reliability.job_interruptions)"
says_page 'before a fault was detected, come to {} lost GPU-hours' "$(count "$(value faulty reliability.lost_gpu_h)")"

# ---- published figures --------------------------------------------------------------------------

# compared STUDY: its number of rows with a tolerance, and how far the worst of them is from the
# published value.
compared() {
    awk '/, within [0-9.]*%$/ { n++; d = $(NF - 2); gsub(/[+%,]/, "", d); d = d < 0 ? -d : d; m = d > m ? d : m }
        END { printf "%d | %.1f", n, m }' "$tmp/$1.out"
}
made basepod $studies/nemo-basepod
made scaling $studies/nemo-scaling
says_page 'one misprint corrected | {} | {} %' $(compared basepod | tr -d '|')
says_page "NeMo's tables | {} | {} %" $(compared scaling | tr -d '|')

# Eight GPUs on DGX A100 in one, two, four and eight nodes: how much longer a job of 100,000 s
# takes.
{
    echo job_id,submit_s,duration_s,tasks,gpus_per_task,model
    for model in gpt3-5b vgg16; do
        for shape in 1,8 2,4 4,2 8,1; do echo "$model-${shape%,*},0,100000,$shape,$model"; done
    done
} >"$tmp/shapes.csv"
cat >"$tmp/shapes.json" <<'JSON'
{"fauxfleet_scenario": 1, "network": "placement", "workload": {"trace": "shapes.csv"},
 "fleet": {"pools": [{"name": "p", "node": "dgx-a100", "count": 32}]}, "policy": {"name": "fifo", "options": {"placement": "spread"}}}
JSON
made shapes "${tmp#"$PWD"/}/shapes"
longer() { percent "$(job shapes "$1" run_s) / 100000 - 1" "$2"; }
says_page '| `gpt3-5b` | 0 | {} % | {} % | {} % |' "$(longer gpt3-5b-2 1)" "$(longer gpt3-5b-4 1)" "$(longer gpt3-5b-8 1)"
says_page '| `vgg16` | 0 | {} % | {} % | {} % |' "$(longer vgg16-2 1)" "$(longer vgg16-4 1)" "$(longer vgg16-8 0)"

# ---- planned changes ----------------------------------------------------------------------------

made hours $studies/trading-hours
made hours-fixed $studies/trading-hours --set 'events=[]' --set queues.risk.gpu.quota=8 --set queues.batch.gpu.quota=8
says_page 'Its {} risk jobs wait {} s, the notice that batch jobs get, and use the {} GPU-hours they need; with a quota of 8 for each all week, half of them wait {} hours' \
    "$(value hours by_queue.risk.jobs)" "$(value hours by_queue.risk.wait_s.max)" "$(value hours by_queue.risk.gpu_hours.allocated)" \
    "$(calc %.1f "$(value hours-fixed by_queue.risk.wait_s.max) / 3600")"

# ---- faults, spot capacity, services, memory ----------------------------------------------------

for study in rsc1 llama3 delta opt175 spot spot-on-demand; do made $study $studies/$study; done
made rsc1-5m $studies/rsc1 --set checkpoint.interval=5m
says_page 'a checkpoint every hour | 0.68 to 0.73 | {} |' "$(calc %.3f "$(value rsc1 reliability.ettr)")"
says_page '(`--set checkpoint.interval=5m`) | 0.93 | {} |' "$(calc %.3f "$(value rsc1-5m reliability.ettr)")"
says_page 'interruptions of 16,384 H100s in 54 days | 466 | {} |' "$(value llama3 reliability.job_interruptions)"
says_page 'availability of 106 A100 nodes | 99.4 % | {} % |' "$(percent "$(value delta utilization.availability)" 2)"
says_page 'uptime of the job | 52 to 59 % | {} % |' "$(percent "$(value opt175 reliability.ettr)" 1)"
says_page 'restarts | about 90 | {} |' "$(value opt175 reliability.job_interruptions)"
# second ARGUMENT...: the share of the cost of failures that is preemption by restarting jobs.
second() {
    made second $studies/rsc1-preemption "$@"
    made first $studies/rsc1-preemption "$@" --set faults=null
    more="($(lost second preemption) - $(lost first preemption))"
    percent "$more / ($more + $(lost second failure))" 1
}
says_page 'preempted by restarting ones after a failure | 16 % | {} % |' "$(second)"
says_page 'nothing at 80 % allocated, {} % with seed 2)' "$(second --seed 2)"
price() { calc %.2f "$(value "$1" cost.usd_per_productive_gpu_h)"; }
says_page 'cost {} USD per productive GPU-hour, on `spot.json` {}: {} % less' "$(price spot-on-demand)" "$(price spot)" \
    "$(percent "1 - $(value spot cost.usd_per_productive_gpu_h) / $(value spot-on-demand cost.usd_per_productive_gpu_h)" 0)"

for choice in shrink restart; do made $choice $studies/shrink --set on_failure=$choice; done
ends() { count "$(job "$1" "$2" end_s)"; }
says_page 'With `shrink` it ends at {} s and the short job at {} s. With `restart` the short job takes the other node from {} s to {} s, and the elastic one ends at {} s' \
    "$(ends shrink large)" "$(ends shrink short)" "$(count "$(job restart short first_start_s)")" "$(ends restart short)" "$(ends restart large)"

for choice in restart shrink continue; do
    made $choice $studies/parameter-server --set on_failure=$choice
    case $choice in
    restart) row='minimums are free' ;;
    shrink) row='checkpoint, and grow back' ;;
    *) row='servers do, and grow back' ;;
    esac
    says_page "$row | {} s |" "$(count "$(job $choice ps end_s)")"
done

# For both services: requests over capacity, or GPU-hours.
both() { calc %.6f "$(value "$1" "services.by_name.chat.$2") + $(value "$1" "services.by_name.embed.$2")"; }
over() { both "$1" requests_over_capacity; }
extra=''
while IFS='|' read -r row seed headroom; do
    set -- --seed "$seed"
    [ "$headroom" = 0.1 ] || set -- "$@" --set "services[0].autoscaler.headroom=$headroom" --set "services[1].autoscaler.headroom=$headroom"
    made reactive $studies/services "$@"
    made predictive $studies/services "$@" --set 'services[0].autoscaler.mode=predictive' --set 'services[1].autoscaler.mode=predictive'
    says_page "| $row | {} | {} | {} % |" "$(count "$(over reactive)")" "$(count "$(over predictive)")" \
        "$(percent "$(over predictive) / $(over reactive) - 1" 0)"
    extra="$extra $(calc %.4f "100 * ($(both predictive gpu_hours) / $(both reactive gpu_hours) - 1)")"
done <<'ROWS'
1, 0.1|1|0.1
2, 0.1|2|0.1
1, 0|1|0
ROWS
range() { echo "$1" | tr ' ' '\n' | sort -g | sed '/^$/d' | sed -n '1p;$p' | { read -r a; read -r b; printf "%.$2f %.$2f" "$a" "$b"; }; }
says_page 'for {} to {} % more GPU-hours. Replicas' $(range "$extra" 1)

for mode in static none wait priority swap; do made "memory-$mode" $studies/gpu-memory --set gpu_memory.mode=$mode; done
memory() { value "memory-$1" "gpu_memory.$2"; }
# tasks MODE DECIMALS: tasks on a GPU, mean wait in hours, memory in use.
tasks() { echo "$(calc %.2f "$(memory "$1" mean_tenants)") $(calc "%.$2f" "$(value "memory-$1" wait_s.mean) / 3600") $(percent "$(memory "$1" mean_use)" 0)"; }
says_page 'is placed by the limit | {} | {} h | {} % | |' $(tasks static 0)
says_page 'is killed | {} | {} h | {} % | {} out-of-memory kills' $(tasks none 0) "$(count "$(memory none oom_kills)")"
says_page 'pauses until it fits | {} | {} h | {} % | {} GPU-hours paused, {} killed in deadlocks' $(tasks wait 1) \
    "$(count "$(memory wait wait_gpu_h)")" "$(count "$(memory wait stuck_kills)")"
says_page 'of lower priority | {} | {} h | {} % | {} idle sessions ended' $(tasks priority 1) "$(count "$(memory priority evicted_idle)")"
says_page 'all take turns | {} | {} h | {} % | {} GPU-hours of slowdown' $(tasks swap 1) "$(calc %.1f "$(memory swap swap_lost_gpu_h)")"

# ---- pools --------------------------------------------------------------------------------------

made pools $studies/three-pools
made pools-line $studies/three-pools --policy fifo
says_page "a's job starts after {} s: b's job moves to B, where c's gives way. Under \`fifo\` it waits {} s." \
    "$(job pools a-1 wait_s)" "$(count "$(job pools-line a-1 wait_s)")"

made own-quotas $studies/pool-quotas
made one-quota $studies/pool-quotas --set 'queues[1].gpu={"by_pool": null, "quota": 16}'
says_page 'after {} s. With one quota' "$(job own-quotas a-1 wait_s)"
says_page 'and a waits for {} s:' "$(count "$(job one-quota a-1 wait_s)")"

# ---- the four stories ---------------------------------------------------------------------------

researchers() { # DIR ARGUMENT...: last end, Joe's wait, Jemma's, allocation until all is done
    story=$1
    shift
    made "$story" $studies/susan-joe-jemma "$@"
    last=$(awk -F, '/^susan/ { print $8 }' "$tmp/$story/jobs.csv" | sort -g | tail -n 1)
    held=$(awk -F, 'NR > 1 { s += $5 * $11 } END { print s }' "$tmp/$story/jobs.csv")
    end=$(awk -F, 'NR > 1 { print $8 }' "$tmp/$story/jobs.csv" | sort -g | tail -n 1)
    echo "$(hours_of "$last") $(job "$story" joe-notebook wait_s) $(job "$story" jemma-1 wait_s) $(percent "$held / ($end * 8)" 1)"
}
says_page '| quotas | {} | {} s | {} s | {} % |' $(researchers quotas)
says_page '(`--policy static`) | {} | {} s | {} s | {} % |' $(researchers owned --policy static)
set -- $(researchers line --policy fifo)
says_page '(`--policy fifo`) | {} | {} | {} | {} % |' "$1" "$(time_of "$2")" "$(time_of "$3")" "$4"
says_page "(\`--set 'queues[1].gpu.fixed=2'\`) | {} | {} s | {} s | {} % |" $(researchers fixed --set 'queues[1].gpu.fixed=2')
says_page 'The journal, all {} decisions but' "$(($(grep -c '"kind": "\(start\|evict\|nominate\)"' "$tmp/quotas/journal.jsonl")))"

made static $studies/static-to-quota-static
made pooled $studies/static-to-quota
made pooled-fifo $studies/static-to-quota --policy fifo
busy() { percent "$(value "$1" utilization.allocation) * $(value "$1" utilization.sm)" "$2"; }
completed() { awk -F, '$4 == "train" && $19 == "completed"' "$tmp/$1/jobs.csv" | wc -l; }
satisfied() { percent "$(value "$1" fairness.quota_satisfaction)" 1; }
# The 13 of 22 engineers with the least weight in the file, train-10 to train-22: median and p95 of
# their waits, nearest rank.
waits() {
    awk -F, '$2 ~ /^train-[12]/ && $9 != "" { print $9 }' "$tmp/$1/jobs.csv" | sort -g |
        awk '{ w[NR] = $1 } END { a = NR * 0.5; b = NR * 0.95; print w[int(a) + (a > int(a))], w[int(b) + (b > int(b))] }' |
        { read -r half most; echo "$(time_of "$half"), $(time_of "$most")"; }
}
says_page '(`utilization.allocation` x `utilization.sm`) | {} % | {} % | {} % |' "$(busy static 1)" "$(busy pooled 1)" "$(busy pooled-fifo 1)"
says_page 'GPU-hours allocated, whole fleet | {} % | {} % | {} % |' "$(percent "$(value static utilization.allocation)" 1)" \
    "$(percent "$(value pooled utilization.allocation)" 1)" "$(percent "$(value pooled-fifo utilization.allocation)" 1)"
says_page 'experiments completed (`train`) | {} | {} | {} |' "$(count "$(completed static)")" "$(count "$(completed pooled)")" \
    "$(count "$(completed pooled-fifo)")"
says_page 'productive GPU-hours | {} | {} | {} |' "$(count "$(value static gpu_hours.productive)")" \
    "$(count "$(value pooled gpu_hours.productive)")" "$(count "$(value pooled-fifo gpu_hours.productive)")"
says_page 'wait of the 13 who train least: median, p95 | {} | {} | {} |' "$(waits static)" "$(waits pooled)" "$(waits pooled-fifo)"
says_page 'quota satisfaction | {} % | {} % | {} % |' "$(satisfied static)" "$(satisfied pooled)" "$(satisfied pooled-fifo)"
says_page 'the whole fleet stays at {} %, because the 16 low-end' "$(busy pooled 0)"
says_page '{} % to {} % busy, {} to {} experiments ([story]' "$(busy static 1)" "$(busy pooled 1)" \
    "$(count "$(completed static)")" "$(count "$(completed pooled)")"

for load in 0.5 1.2; do
    made hospital-static-$load $studies/hospital --policy static --set workload.generate.load=$load
    made hospital-quotas-$load $studies/hospital --set workload.generate.load=$load
done
allocated() { value "hospital-$1-0.5" utilization.allocation; }
done_of() { value "hospital-$1-0.5" jobs.completed; }
half_of() { value "hospital-$1" wait_s.p50; }
says_page '{} % to {} % allocated ({} times), {} to {} experiments ({} times) |' "$(percent "$(allocated static)" 1)" \
    "$(percent "$(allocated quotas)" 1)" "$(fixed "$(allocated quotas) / $(allocated static)" 2)" "$(count "$(done_of static)")" \
    "$(count "$(done_of quotas)")" "$(fixed "$(done_of quotas) / $(done_of static)" 2)"
says_page 'the median wait falls from {} to {} ({} times)' "$(time_of "$(half_of static-1.2)")" "$(time_of "$(half_of quotas-1.2)")" \
    "$(fixed "$(half_of static-1.2) / $(half_of quotas-1.2)" 0)"
says_page 'the median wait falls from {} days to {} s |' "$(fixed "$(half_of static-0.5) / 86400" 0)" "$(half_of quotas-0.5)"
# Requests that queue instead of being lost.
for mode in reactive predictive; do
    made queued-$mode $studies/services --set 'services[0].requests.queue=null' --set 'services[1].requests.queue=null' \
        --set "services[0].autoscaler.mode=$mode" --set "services[1].autoscaler.mode=$mode"
done
queued() { value "queued-$1" services.total.queue_wait_mean_s; }
says_page 'mean wait of a request {} ms, with `predictive` scalers {} ms ({} %)' "$(fixed "1000 * $(queued reactive)" 1)" \
    "$(fixed "1000 * $(queued predictive)" 1)" "$(percent "$(queued predictive) / $(queued reactive) - 1" 0)"
# One service level on shared nodes and on nodes of each team's own.
nodes_each() { # N: the options for N nodes of each team
    for pool in 0 1 2 3 4 5 6 7; do echo "--set fleet.pools.$pool.count=$1"; done
}
made cost-shared $studies/quota-cost
made cost-static $studies/quota-cost-static
made cost-shared-bursts $studies/quota-cost --set workload.generate.burst_share=0.2
made cost-static-bursts $studies/quota-cost-static --set workload.generate.burst_share=0.2 $(nodes_each 4)
late() { time_of "$(value "cost-$1" wait_s.p95)"; }
says_page 'need 12 shared DGX A100 (p95 {}) or 24 of their own (p95 {}): {} % less' "$(late shared)" "$(late static)" \
    "$(percent "1 - $(value cost-shared cost.usd) / $(value cost-static cost.usd)" 0)"
says_page 'then 12 still do (p95 {}), and 32 nodes of their own do not (p95 {})' "$(late shared-bursts)" "$(late static-bursts)"
# Nodes by order: own ones and a cloud, spot first, headroom in trading hours.
usd() { count "$(value "$1" cost.usd)"; }
made burst $studies/burst
made burst-own $studies/burst-own
made own-12 $studies/burst-own --set fleet.pools.own.count=12
made burst-1 $studies/burst --set fleet.pools.cloud.elastic.max=1
says_page '11 own nodes and {} node-hours of a cloud, {} USD, or with 25 own nodes, {} USD ({} %)' \
    "$(count "$(value burst elastic.node_h)")" "$(usd burst)" "$(usd burst-own)" \
    "$(percent "$(value burst cost.usd) / $(value burst-own cost.usd) - 1" 0)"
says_page '12 own nodes cost {} USD, and 11 with one of a cloud {} |' "$(usd own-12)" "$(usd burst-1)"
made first $studies/spot-first
made no-spot $studies/spot-first --set fleet.pools.spot.elastic.max=0
made scarce $studies/spot-first --set fleet.pools.spot.elastic.max=32
for usd in 0.40 0.75 0.86; do
    made first-$usd $studies/spot-first --set fleet.pools.spot.spot.usd_per_gpu_hour=$usd
done
saved() { percent "$(value "$1" cost.usd_per_productive_gpu_h) / $(value no-spot cost.usd_per_productive_gpu_h) - 1" 0; }
says_page '{} USD per productive GPU-hour instead of {} ({} %): spot at 0.60 USD first, 2.00 on demand for the {} % of the node-hours' \
    "$(price first)" "$(price no-spot)" "$(saved first)" \
    "$(percent "$(value first elastic.pools.on-demand.node_h) / $(value first elastic.node_h)" 0)"
says_page '{} % at 0.40 USD, {} % at 0.75, {} % at 0.86; with 32 spot nodes where {} are needed {} %' "$(saved first-0.40)" \
    "$(saved first-0.75)" "$(saved first-0.86)" "$(calc %.0f "$(value first elastic.node_h) / 672")" "$(saved scarce)"
for nodes in 0 3 4; do
    made headroom-$nodes $studies/trading-headroom --set policy.options.provision_headroom=$nodes
done
made headroom-week $studies/trading-headroom --set policy.options.provision_hours='mon-sun 00-24'
made headroom-ahead $studies/trading-headroom --set policy.options.provision=predictive --set policy.options.provision_headroom=0
cold() { calc %.0f "$(value "headroom-$1" wait_s.mean)"; }
colder() { percent "$(value "headroom-$1" wait_s.mean) / $(value headroom-0 wait_s.mean) - 1" 0; }
says_page 'wait {} s in the mean without headroom, {} s with three nodes kept ready ({} %), {} s with four ({} %)' "$(cold 0)" \
    "$(cold 3)" "$(colder 3)" "$(cold 4)" "$(colder 4)"
says_page '{} USD a week, {}, {}; kept ready all week three nodes cost {}. Ordered by the week before (`predictive`) jobs wait {} s for {} USD' \
    "$(usd headroom-0)" "$(usd headroom-3)" "$(usd headroom-4)" "$(usd headroom-week)" "$(cold ahead)" "$(usd headroom-ahead)"
made slices $studies/mig-inference
made whole $studies/mig-inference --trace $studies/mig-inference-whole.csv
span() { calc %.0f "$(value "$1" window.end_s) - $(value "$1" window.start_s)"; }
says_page '700 jobs in {} instead of {} ({} times)' "$(time_of "$(span slices)")" "$(time_of "$(span whole)")" \
    "$(fixed "$(span whole) / $(span slices)" 1)"
took() { awk -F, 'NR > 1 { n++; s += $11 } END { printf "%.0f", s / n }' "$tmp/$1/jobs.csv"; }
for over in 4 8 16; do
    made racks-$over $studies/topology-contention --set fleet.pools.0.fabric.oversubscription.rack=$over
    made anywhere-$over $studies/topology-contention --set fleet.pools.0.fabric.oversubscription.rack=$over \
        --set policy.options.placement=random
done
shorter() { percent "$(took racks-"$1") / $(took anywhere-"$1") - 1" 0; }
says_page 'oversubscribed 8:1 jobs take {} instead of {} ({} %), at 16:1 {} %' "$(time_of "$(took racks-8)")" \
    "$(time_of "$(took anywhere-8)")" "$(shorter 8)" "$(shorter 16)"
says_page 'at 4:1 it is {} %' "$(shorter 4)"
made cached $studies/cache
made uncached $studies/cache --set storage.cache_hit=0
says_page 'an hour of work takes {} instead of {}: {} % less wait' "$(time_of "$(took cached)")" "$(time_of "$(took uncached)")" \
    "$(percent "1 - ($(took cached) - 3600) / ($(took uncached) - 3600)" 0)"
if [ -n "${FIGURES_ALL:-}" ]; then
    # The V100 alone, without sessions.
    made trainers $studies/static-to-quota --set 'workload[0].jobs=0'
    says_page 'The V100 are {} % allocated and, as experiments use three quarters of what they hold, {} % busy' \
        "$(percent "$(value trainers gpu_hours.allocated) / $(value trainers gpu_hours.installed) * 120 / 104" 0)" \
        "$(percent "$(value trainers gpu_hours.allocated) / $(value trainers gpu_hours.installed) * 120 / 104 * $(value trainers utilization.sm)" 0)"
    made static-less $studies/static-to-quota-static --set 'workload[1].generate.load=0.6'
    made pooled-less $studies/static-to-quota --set 'workload[1].generate.load=0.6'
    says_page 'make {} % of the fleet busy against {} %, with {} times the experiments' "$(busy pooled-less 0)" "$(busy static-less 0)" \
        "$(calc %.1f "$(completed pooled-less) / $(completed static-less)")"
    used='' more='' useful=''
    for seed in 1 2 3 4 5; do
        made static-$seed $studies/static-to-quota-static --seed $seed
        made pooled-$seed $studies/static-to-quota --seed $seed
        used="$used $(busy static-$seed 2)"
        more="$more $(calc %.4f "$(completed pooled-$seed) / $(completed static-$seed)")"
        useful="$useful $(calc %.4f "$(value pooled-$seed gpu_hours.productive) / $(value static-$seed gpu_hours.productive)")"
    done
    says_page '(seeds 1 to 5: {} to {} %)' $(range "$used" 0)
    says_page 'rise by a factor of {} to {}, useful' $(range "$more" 2)
    says_page 'GPU-hours by {} to {}. The V100' $(range "$useful" 2)
fi

moving=policy.options.actions=allocate,reclaim,preempt,stale,limits
made spread $studies/fragmentation --set $moving --set policy.options.gpu_placement=spread
made packed $studies/fragmentation --set $moving
made moved $studies/fragmentation
pieces() {
    echo "$(time_of "$(value "$1" by_size.8.wait_s.mean)") $(time_of "$(value "$1" by_size.8.wait_s.p95)")" \
        "$(value "$1" fragmentation.largest_gang_p50) $(value "$1" preemption.moves)"
}
says_page '| `gpu_placement` `spread`, `actions` without `consolidate` | {} | {} | {} | {} |' $(pieces spread)
says_page '| `binpack`, without `consolidate` | {} | {} | {} | {} |' $(pieces packed)
says_page '| `binpack` and consolidation (the file as it is) | {} | {} | {} | {} |' $(pieces moved)
says_page '16 nodes of 8 GPUs, {} % allocated, a week' "$(percent "$(value moved utilization.allocation)" 0)"

made gangs $studies/gang-deadlock --policy kube-default
started() { grep -c "\"kind\": \"start\", \"job\": \"$1\"" "$tmp/gangs/journal.jsonl"; }
says_page 'the teams get {}, {} and {} GPUs' "$(started vision-1)" "$(started language-1)" "$(started speech-1)"
says_page 'From then on {} % is allocated' "$(percent "$(value gangs utilization.allocation)" 0)"
made partial $studies/partial-gangs --policy kube-default
says_page 'the other 4, and {} of {} GPU-hours is worked' "$(value partial gpu_hours.productive)" "$(value partial gpu_hours.installed)"

# ---- the pages ----------------------------------------------------------------------------------

# All pages in one text, each after a line with its name.
for page in README.md docs/*.md docs/guides/*.md; do
    echo "<!-- page $page -->"
    cat "$page"
done >"$tmp/pages"

# figures FILE: prints which figures of such a text are wrong.
figures() {
    awk -v claims="$tmp/claims" -v exempt=tests/e2e/data/figures.txt -v all="${FIGURES_ALL:-}" -v update="${FIGURES_UPDATE:+$tmp/updated}" \
        -f tests/e2e/lib/figures.awk "$1"
}
figures "$tmp/pages" >"$tmp/out"
: >"$tmp/err"
if [ -n "${FIGURES_UPDATE:-}" ]; then
    cat "$tmp/out"
    awk '/^<!-- page / { page = $3; printf "" >page; next } { print >page }' "$tmp/updated"
    exit
fi
check "every figure of the pages is that of a run, or exempt with a reason" silent out
check "there were such figures" [ "$(wc -l <"$tmp/claims")" -gt 50 ]
{ sed 's/has [0-9]* formats/has 7 formats/' "$tmp/pages"; echo 'It is 12 % faster.'; } >"$tmp/changed"
figures "$tmp/changed" >"$tmp/out"
check "a figure that is wrong is found" says out 'a page says: `fauxfleet list formats` has 7 formats'
check "a figure without a run is found" says out "no run and no exemption: It is 12 % faster."
finish

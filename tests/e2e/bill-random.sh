#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A conservation law in random worlds: the costs of queues (or of users), of idle devices and of
# storage add up to the bill, to the micro-dollar, whatever the policy, prices, faults, roles and
# storage. Environment: WORLDS, how many (12). Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# world SEED: prints a scenario and the options of a run.
world() {
    awk -v seed="$1" -v out="$tmp/w.json" '
    function pick(list,   n, a) { n = split(list, a, "|"); return a[1 + int(rand() * n)] }
    function some(chance, text) { return rand() < chance ? text : "" }
    function price(most) { return sprintf("%.4f", rand() * most) }
    BEGIN {
        srand(seed)
        pools = 1 + int(rand() * 3)
        printf "{\"fauxfleet_scenario\": 1,\n \"fleet\": {\"pools\": [" >out
        for (i = 0; i < pools; i++) {
            how = pick("on-demand|reserved|elastic|spot")
            printf "%s\n  {\"name\": \"p%d\", \"node\": {\"gpus\": %d, \"cpus\": 64, \"usd\": %d, \"peak_w\": %d, \"rent_usd_per_hour\": %s, \"reserved_usd_per_hour\": %s, \"spot_usd_per_hour\": %s}", \
                i ? "," : "", i, pick("4|8"), 1000 + int(rand() * 300000), 500 + int(rand() * 9000), price(90), price(60), price(30) >out
            if (how == "elastic" && i > 0)
                printf ", \"elastic\": {\"min\": 0, \"max\": %d, \"delay\": \"5m\", \"price\": %s}}", 1 + int(rand() * 4), price(80) >out
            else
                printf ", \"count\": %d%s}", 2 + int(rand() * 4), some(0.5, ", \"billing\": \"" (i == 0 || how == "elastic" ? "on-demand" : how) "\"") >out
        }
        printf "]},\n \"queues\": [{\"name\": \"vc1\", \"gpu\": {\"quota\": 8}}, {\"name\": \"vc2\", \"gpu\": {\"quota\": 4}}, {\"name\": \"vc3\", \"gpu\": {\"quota\": 0}}],\n" >out
        printf " \"workload\": {\"generate\": {\"profile\": \"philly\", \"jobs\": 150, \"gpus\": 24, \"max_gpus\": 8, \"queues\": 3, \"server_share\": %s}},\n", pick("0|0.6") >out
        printf "%s", some(0.5, " \"faults\": {\"profile\": \"h100\", \"scale\": 30, \"burn_in\": {\"time\": \"6h\", \"reject\": 0.3}},\n") >out
        printf "%s", some(0.6, " \"storage\": {\"data_gb_per_gpu_s\": 0.05, \"tiers\": [{\"name\": \"hot\", \"tb\": 10, \"usd_per_tb_month\": " price(99) ", \"hit\": 0.7}, {\"name\": \"cold\", \"tb\": 90, \"usd_per_tb_month\": " price(9) ", \"usd_per_tb_read\": " price(40) "}]},\n") >out
        printf " \"cost\": {\"basis\": \"%s\"%s},\n", pick("rent|own"), some(0.7, ", \"pue\": 1.3, \"usd_per_kwh\": " price(0.4)) >out
        printf " \"policy\": {\"name\": \"%s\"}}\n", pick("fifo|easy|slurm|runai|las|kube-default|quota-fgd") >out
    }'
}
micro() { awk '{ s += $1 * 1e6 >= 0 ? int($1 * 1e6 + 0.5) : 0 } END { printf "%.0f\n", s }'; }
rest() { for key in idle_usd idle_cpu_usd idle_energy_usd unused_storage_usd; do json "$tmp/w/summary.json" cost.$key; done; }
column_of() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$1"; }
adds_up() { # adds_up FILE: its costs and the rest are the bill
    equal "$({ column_of "$tmp/w/$1" cost_usd; rest; } | micro)" "$(json "$tmp/w/summary.json" cost.usd | micro)"
}
seed=1 energy=0
while [ "$seed" -le "${WORLDS:-12}" ]; do
    world "$seed"
    run run "$tmp/w.json" -o "$tmp/w" --seed "$seed" --audit --quiet --no-report
    check "world $seed: it runs" status_is 0
    check "world $seed: queues, idle and storage are the bill" adds_up queues.csv
    check "world $seed: so are users" adds_up users.csv
    check "world $seed: there is one" [ "$(json "$tmp/w/summary.json" cost.usd | micro)" -gt 0 ]
    energy=$((energy + $(json "$tmp/w/summary.json" cost.energy_usd | micro)))
    seed=$((seed + 1))
done
check "some pay for energy" eval '[ "$energy" -gt 0 ]'
finish

# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Runs of the packing study against the published results of the FGD paper; sourced after tap.sh by
# tests/e2e/packing.sh and tests/tools/packing_sweep.sh. $openb and $fgd are the folders of traces
# and of results, in $FAUXFLEET_SHARED.
# shellcheck disable=SC2034,SC2154 # used by those that source this; $tmp and $shared are of tap.sh

openb=$shared/traces/alibaba-gpu-2023
fgd=$shared/expected/fgd
published="best-fit dot-product fgd gpu-clustering gpu-packing" # those that are the same at every run of a seed

# paper NAME: prints the paper's name of the policy.
paper() {
    case $1 in
    best-fit) echo BestFit ;;
    dot-product) echo DotProd ;;
    fgd) echo FGD ;;
    gpu-clustering) echo GpuClustering ;;
    gpu-packing) echo GpuPacking ;;
    random) echo Random ;;
    esac
}

# fill LIST SEED POLICY [ARGUMENT...]: the study on a published list of tasks with its recorded
# order, into $tmp/fill.
fill() {
    list=$1
    seed=$2
    policy=$3
    shift 3
    rm -rf "$tmp/fill"
    run run scenarios/studies/openb-fill.json --set "fleet.nodes_file=$openb/openb_node_list_gpu_node.csv" \
        --trace "$openb/openb_pod_list_$list.csv" --set "workload.arrivals=$openb/orders/$list-s$seed-arrivals.txt" \
        --set "workload.node_rank=$openb/orders/$list-s$seed-noderank.txt" --seed "$seed" --set outputs.journal=false \
        -o "$tmp/fill" --no-report --quiet --policy "$policy" "$@"
    status_is 0
}

# curve SUMMARY: a line "bucket alloc frag_amount frag_ratio" for each entry of fill.curve.
curve() {
    awk '{ gsub(/[",]/, "") }
        $1 == "arrived_pct:" { bucket = $2 }
        $1 == "alloc_pct:" { alloc[bucket] = $2 }
        $1 == "frag_ratio_pct:" { ratio[bucket] = $2 }
        $1 == "frag_amount_pct:" { amount[bucket] = $2 }
        END { for (b = 0; b <= 130; b++) print b, alloc[b], amount[b], ratio[b] }' "$1"
}

# curve_matches SEED POLICY: alloc, frag_amount and frag_ratio of the default list at 0, 5, .. 130
# within 0.01 of the published rows.
curve_matches() {
    curve "$tmp/fill/summary.json" >"$tmp/curve"
    awk -v seed="$1" -v policy="$(paper "$2")" '
        NR == FNR { got["alloc", $1] = $2; got["frag_amount", $1] = $3; got["frag_ratio", $1] = $4; next }
        FNR == 1 { split($0, head, ","); next }
        {
            split($0, cell, ",")
            if (cell[1] != policy || cell[2] != seed) next
            for (i = 4; i in cell; i++) {
                bucket = substr(head[i], 2)
                off = got[cell[3], bucket] - cell[i]
                compared++
                # Published with two decimals; the bound is in binary fractions.
                if (got[cell[3], bucket] == "" || off > 0.010001 || off < -0.010001) {
                    bad++
                    print "# " cell[3] " at " bucket ": " got[cell[3], bucket] ", expected " cell[i]
                }
            }
        }
        END { exit !(compared == 81 && bad == 0) }' "$tmp/curve" "$fgd/default_per_seed_curve.csv"
}

# end_matches LIST SEED POLICY: failed tasks, requested, used and fragmented milli-GPUs are those of
# verification.csv.
end_matches() {
    for key in failed_tasks arrived_gpus allocated_gpus fragment_gpus; do
        json "$tmp/fill/summary.json" "fill.$key"
    done | tr '\n' ' ' >"$tmp/end"
    awk -v want="$1,$(paper "$3"),$2," '
        NR == FNR { failed = $1; arrived = $2 * 1000; used = $3 * 1000; fragment = $4 * 1000; next }
        index($0, want) == 1 {
            split($0, cell, ",")
            found = 1
            off = fragment - cell[13]
            if (failed != cell[10] || sprintf("%.0f", arrived) != cell[11] || sprintf("%.0f", used) != cell[12] || off > 0.0051 || off < -0.0051) {
                print "# " failed, arrived, used, fragment ", expected " cell[10], cell[11], cell[12], cell[13]
                found = 0
            }
        }
        END { exit !found }' "$tmp/end" "$fgd/verification.csv"
}

# row_matches LIST SEED POLICY: matches the nine cells of per_seed.csv within 0.01.
row_matches() {
    curve "$tmp/fill/summary.json" >"$tmp/curve"
    awk -v want="$1,$(paper "$3"),$2," '
        NR == FNR { alloc[$1] = $2; amount[$1] = $3; ratio[$1] = $4; next }
        FNR == 1 { split($0, head, ","); for (i in head) at[head[i]] = i; next }
        index($0, want) == 1 {
            split($0, cell, ",")
            worst = 0
            for (b = 50; b <= 130; b += 5) {
                if (("alloc" b) in at) { d = alloc[b] - cell[at["alloc" b]]; if (d < 0) d = -d; if (d > worst) worst = d; n++ }
                if (("fragamt" b) in at) { d = amount[b] - cell[at["fragamt" b]]; if (d < 0) d = -d; if (d > worst) worst = d; n++ }
                if (("fragratio" b) in at) { d = ratio[b] - cell[at["fragratio" b]]; if (d < 0) d = -d; if (d > worst) worst = d; n++ }
            }
        }
        END { if (worst > 0.010001) print "# worst deviation " worst; exit !(n == 9 && worst <= 0.010001) }' \
        "$tmp/curve" "$fgd/per_seed.csv"
}

# spread_of FILE: from lines "bucket alloc ..." of several runs, a line "bucket runs mean sd" for
# each bucket.
spread_of() {
    awk '{ n[$1]++; sum[$1] += $2; square[$1] += $2 * $2 }
        END {
            for (b in n) {
                mean = sum[b] / n[b]
                off = square[b] - n[b] * mean * mean
                printf "%d %d %.3f %s\n", b, n[b], mean, (n[b] > 1 ? sprintf("%.3f", sqrt(off > 0 ? off / (n[b] - 1) : 0)) : "-")
            }
        }' "$1" | sort -n
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How to get a log; see how.h. */
#include "sim/init/how.h"

#include "traces/non_traces.h"

void init_how(struct out *out)
{
    out_text(
        out,
        "Slurm, the jobs of the last 30 days (as an operator, who sees everybody's):\n"
        "  " NON_TRACE_SACCT " > sacct.txt\n"
        "Its nodes, the weights of its priorities, and its accounts:\n"
        "  scontrol show nodes > nodes.txt\n"
        "  scontrol show config > config.txt\n"
        "  sacctmgr show assoc -P > accounts.txt\n"
        "  fauxfleet init --from sacct.txt --option queue=account --cluster nodes.txt "
        "--cluster config.txt --cluster accounts.txt\n"
        "\n"
        "Kubernetes, the Jobs and pods that it still lists (ttlSecondsAfterFinished of a Job says "
        "how long; save them daily):\n"
        "  kubectl get jobs,pods -A -o json > log.json\n"
        "  fauxfleet init --from log.json -o scenario.json\n"
        "The state of now answers questions about now:\n"
        "  kubectl get nodes,pods -A -o json > cluster-objects.json\n"
        "  fauxfleet snapshot cluster-objects.json -o now.json\n"
        "  fauxfleet whatif now.json --add-nodes POOL=2\n"
        "Its nodes with a log from elsewhere, or with generated jobs:\n"
        "  kubectl get nodes -o json > nodes.json\n"
        "  fauxfleet init --cluster nodes.json -o scenario.json\n"
        "\n"
        "Any other table of jobs: fauxfleet init --from FILE, with --map "
        "submit=COLUMN,gpus=COLUMN\n"
        "where columns are not found; see 'fauxfleet list formats'. The native CSV needs the "
        "columns\n"
        "job_id,submit_s,duration_s,gpus; queue, user, gpu_type, start_s and time_limit_s\n"
        "make the proposal better.\n");
}

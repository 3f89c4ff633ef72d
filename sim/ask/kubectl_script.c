/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan as a script that looks before it acts; see kubectl_script.h. */
#include "sim/ask/kubectl_script.h"

#include "sim/ask/kubectl_object.h"
#include "sim/base/mem.h"
#include "traces/times.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TAINT "taint " /* begins the labels that the importer makes of taints */

static const char head[] = "#!/bin/sh\n"
                           "# A plan of fauxfleet. It is carried out only if the cluster is still "
                           "in the state that was decided on.\n"
                           "# Exit code 0: done; 1: the cluster has changed, or a request was "
                           "refused. KUBECTL: the command, with its options.\n"
                           "set -eu\n"
                           "LC_ALL=C\n"
                           "export LC_ALL\n"
                           "kubectl=${KUBECTL:-kubectl}\n"
                           "dir=$(mktemp -d)\n"
                           "trap 'rm -rf \"$dir\"' EXIT\n"
                           "trap 'exit 1' HUP INT TERM\n"
                           "\n"
                           "# The state: the time; nodes; targets with GPUs and taints; pods on "
                           "nodes; objects and their generation; the plan.\n"
                           "cat >\"$dir/then\" <<'END'\n";

static const char get[] =
    "END\n"
    "\n"
    "stop() { echo \"fauxfleet: $*\" >&2 && exit 1; }\n"
    "\n"
    "# get WORD RESOURCE COLUMNS: a line for each object, behind the word.\n"
    "get() {\n"
    "    $kubectl get \"$2\" -A --no-headers -o \"custom-columns=$3\" >\"$dir/part\" || stop \"$2: "
    "cannot be read\"\n"
    "    sed \"s|^|$1 |\" \"$dir/part\" >>\"$dir/now\"\n"
    "}\n"
    "\n"
    "# look before|after: what is not as it should be, one a line, in $dir/news.\n"
    "look() {\n"
    "    : >\"$dir/now\"\n"
    "    get pod pods "
    "'S:.metadata.namespace,P:.metadata.name,U:.metadata.uid,N:.spec.nodeName,F:.status.phase,D:."
    "metadata.deletionTimestamp,T:.status.startTime'\n"
    "    get node nodes "
    "'N:.metadata.name,C:.spec.unschedulable,R:.status.conditions[?(@.type==\"Ready\")].status,G:."
    "status.allocatable.nvidia\\.com/gpu,A:.status.allocatable.amd\\.com/"
    "gpu,K:.spec.taints[*].key,E:.spec.taints[*].effect'\n"
    "    for resource in $(sed -n 's/^object \\([^ ]*\\) .*/\\1/p' \"$dir/then\" | sort -u); do\n"
    "        get \"object $resource\" \"$resource\" "
    "'S:.metadata.namespace,N:.metadata.name,G:.metadata.generation'\n"
    "    done\n"
    "    compare \"$1\" \"$dir/then\" \"$dir/now\" | sort >\"$dir/news\"\n"
    "    [ ! -s \"$dir/news\" ] || sed 's/^/fauxfleet: /' \"$dir/news\" >&2\n"
    "}\n"
    "\n";

static const char compare[] =
    "# compare before|after THEN NOW: what is not as it should be.\n"
    "compare() {\n"
    "    awk -v when=\"$1\" '\n"
    "        function is_new(taint) { return taint !~ "
    "/^node.kubernetes.io\\/(unschedulable|not-ready|unreachable):/ &&\n"
    "            taint ~ /:No(Schedule|Execute)$/ && index(taints[$2], \",\" taint \",\") == 0 }\n"
    "        NR == FNR && $1 == \"time\" { time = $2 }\n"
    "        NR == FNR && $1 == \"node\" { known[$2] = 1 }\n"
    "        NR == FNR && $1 == \"target\" { gpus[$2] = $3; taints[$2] = \",\" $4 \",\" }\n"
    "        NR == FNR && ($1 == \"pod\" || $1 == \"mate\") { held[$2 \"/\" $3] = $4; uid[$2 \"/\" "
    "$3] = $5 }\n"
    "        NR == FNR && $1 == \"mate\" { mate[$2 \"/\" $3] = 1 }\n"
    "        NR == FNR && $1 == \"object\" { generation[$2 \" \" $3 \" \" $4] = $5 }\n"
    "        NR == FNR && ($1 == \"bind\" || $1 == \"evict\") { key = $2 \"/\" $3; verb[key] = $1; "
    "uid[key] = $5\n"
    "            if ($1 == \"bind\" && when == \"after\") held[key] = $4 }\n"
    "        NR == FNR { next }\n"
    "        $1 == \"pod\" { key = $2 \"/\" $3; ended = $6 == \"Succeeded\" || $6 == \"Failed\"; "
    "there[key] = 1\n"
    "            same = key in uid && (uid[key] == \"*\" || uid[key] == $4); known_there = same && "
    "held[key] == $5 }\n"
    "        $1 == \"pod\" && when == \"before\" && key in verb {\n"
    "            if (!same) print \"pod \" key \": another one has that name\"\n"
    "            else if (ended) print \"pod \" key \": has ended\"\n"
    "            else if ($7 != \"<none>\") print \"pod \" key \": is being deleted\"\n"
    "            else if (verb[key] == \"bind\" && $5 != \"<none>\") print \"pod \" key \": runs "
    "on \" $5\n"
    "            else if (verb[key] == \"evict\" && !known_there) print \"pod \" key \": does not "
    "run on \" held[key] }\n"
    "        $1 == \"pod\" && $5 != \"<none>\" && !ended && !known_there && (when == \"after\" || "
    "!(key in verb)) &&\n"
    "            ($5 in known || $8 == \"<none>\" || $8 > time) { print \"pod \" key \": runs on "
    "\" $5 \", and did not\" }\n"
    "        $1 == \"node\" && $2 in gpus { found[$2] = 1; n = split($7, keys, \",\"); split($8, "
    "effects, \",\")\n"
    "            if ($3 == \"true\") print \"node \" $2 \": is cordoned\"\n"
    "            if ($4 != \"True\" && $4 != \"<none>\") print \"node \" $2 \": is not ready\"\n"
    "            if ($5 + $6 < gpus[$2]) print \"node \" $2 \": has \" $5 + $6 \" GPUs, and had \" "
    "gpus[$2]\n"
    "            for (i = 1; i <= n; i++) if (is_new(keys[i] \":\" effects[i])) print \"node \" $2 "
    "\": has the taint \" keys[i] }\n"
    "        $1 == \"object\" { key = $2 \" \" $3 \" \" $4; there[key] = 1\n"
    "            if (key in generation && generation[key] != $5) print $2 \" \" $4 \": has "
    "changed\" }\n"
    "        END { if (when == \"after\") exit\n"
    "            for (key in verb) if (!(key in there)) print \"pod \" key \": is gone\"\n"
    "            for (key in mate) if (!(key in there) && !(key in verb)) print \"pod \" key \": "
    "is gone\"\n"
    "            for (node in gpus) if (!(node in found)) print \"node \" node \": is gone\"\n"
    "            for (key in generation) if (!(key in there)) print key \": is gone\" }\n"
    "    ' \"$2\" \"$3\"\n"
    "}\n"
    "\n";

static const char post[] =
    "look before\n"
    "[ ! -s \"$dir/news\" ] || stop 'the cluster has changed since the snapshot, nothing was done: "
    "make a new one and decide again'\n"
    "# Which Eviction the API server takes: policy/v1 from 1.22 on.\n"
    "$kubectl get --raw /api/v1 >\"$dir/api\" || stop 'the API server does not answer'\n"
    "eviction=v1\n"
    "tr -d '[:space:]' <\"$dir/api\" | grep -q '\"version\":\"v1beta1\",\"kind\":\"Eviction\"' && "
    "eviction=v1beta1\n"
    "done=0\n"
    "# post SPACE POD binding|eviction, the object on standard input\n"
    "post() {\n"
    "    sed \"s|\\\"policy/v1\\\"|\\\"policy/$eviction\\\"|\" >\"$dir/object\"\n"
    "    $kubectl create --raw \"/api/v1/namespaces/$1/pods/$2/$3\" -f - <\"$dir/object\" "
    ">/dev/null ||\n"
    "        stop \"the $3 of pod $1/$2 was refused; $done of $count requests before it are done: "
    "make a new snapshot and decide again\"\n"
    "    done=$((done + 1))\n"
    "}\n";

static const char tail[] = "look after\n"
                           "[ ! -s \"$dir/news\" ] || stop 'all is done, but others started pods "
                           "meanwhile: limits may be exceeded'\n"
                           "echo \"fauxfleet: $bound pods bound, $evicted evicted\" >&2\n";

/* ---- the state ---- */

/* Returns true for text that can be a line by itself, as the uids of Kubernetes are. */
static bool is_word(const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/:";
    size_t n = strlen(text);
    return n > 0 && n <= KUBECTL_NAME && strspn(text, plain) == n;
}

static void print_pod(struct out *out, const char *word, const char *space, const char *pod,
                      const char *node, const char *uid)
{
    out_format(out, "%s %s %s %s %s\n", word, space, pod, node, is_word(uid) ? uid : "*");
}

/* Names that Kubernetes does not have are not in the cluster either. */
static void print_held(const struct snapshot *s, const bool *starts, struct out *out)
{
    char space[KUBECTL_NAME + 1];
    for (size_t i = 0; i < s->job_count; i++) {
        const struct snap_job *job = &s->jobs[i];
        if (!kubectl_space(job->id, space))
            continue;
        for (uint32_t t = 0; t < job->task_count; t++) {
            const struct snap_task *task = &job->tasks[t];
            if (!snap_holds(task) || !kubectl_is_name(task->id, strlen(task->id)))
                continue;
            const char *node = s->nodes[task->node].name;
            if (kubectl_is_name(node, strlen(node)))
                print_pod(out, starts[i] ? "mate" : "pod", space, task->id, node, task->uid);
        }
    }
}

static void print_nodes(const struct snapshot *s, struct out *out)
{
    for (size_t i = 0; i < s->node_count; i++)
        if (kubectl_is_name(s->nodes[i].name, strlen(s->nodes[i].name)))
            out_format(out, "node %s\n", s->nodes[i].name);
}

static void print_target(const struct snap_node *node, struct out *out)
{
    const char *between = "";
    out_format(out, "target %s %d ", node->name, node->gpus - __builtin_popcountll(node->unusable));
    for (size_t i = 0; i < node->label_count; i++) {
        const char *key = node->labels[i].key;
        if (strncmp(key, TAINT, strlen(TAINT)) != 0 || !is_word(key + strlen(TAINT)))
            continue;
        out_format(out, "%s%s", between, key + strlen(TAINT));
        between = ",";
    }
    out_text(out, *between == '\0' ? "-\n" : "\n");
}

static void print_origin(const struct snap_origin *origin, const char *space, const char *name,
                         struct out *out)
{
    if (origin->generation > 0 && is_word(origin->resource) && kubectl_is_name(name, strlen(name)))
        out_format(out, "object %s %s %s %" PRId64 "\n", origin->resource, space, name,
                   origin->generation);
}

/* All queues, since a limit further up counts too; only the jobs that the plan starts. */
static void print_origins(const struct dry_run *run, const bool *starts, struct out *out)
{
    const struct snapshot *s = run->s;
    char space[KUBECTL_NAME + 1];
    for (size_t i = 0; i < s->queue_count; i++)
        print_origin(&s->queues[i].origin, "<none>", s->queues[i].name, out);
    for (size_t i = 0; i < s->job_count; i++)
        if (starts[i] && kubectl_space(s->jobs[i].id, space))
            print_origin(&s->jobs[i].origin, space, strchr(s->jobs[i].id, '/') + 1, out);
}

/* ---- the plan ---- */

struct plan {
    size_t bound, evicted;
    bool *starts, *targets; /* jobs, nodes, by their places in the snapshot */
};

static bool print_plan(const struct dry_run *run, struct plan *plan, struct out *out,
                       struct err *err)
{
    struct kubectl_object object;
    for (size_t i = 0; i < run->decision_count; i++) {
        const struct policy_decision *decision = &run->decisions[i];
        if (!kubectl_is_object(decision))
            continue;
        if (!kubectl_describe(run, decision, &object, err))
            return false;
        print_pod(out, object.evicts ? "evict" : "bind", object.space, object.pod, object.node,
                  object.uid);
        plan->evicted += object.evicts;
        plan->bound += !object.evicts;
        if (!object.evicts) {
            plan->starts[snap_facts_job(&run->facts, decision->job) - run->s->jobs] = true;
            plan->targets[snap_facts_node(&run->facts, decision->node) - run->s->nodes] = true;
        }
    }
    return true;
}

static void print_posts(const struct dry_run *run, struct out *out)
{
    struct err err = {.msg = ""};
    for (size_t i = 0; i < run->decision_count; i++) {
        struct kubectl_object object;
        struct json j;
        if (!kubectl_is_object(&run->decisions[i]) ||
            !kubectl_describe(run, &run->decisions[i], &object, &err))
            continue;
        out_format(out, "post %s %s %s <<'END'\n", object.space, object.pod,
                   object.evicts ? "eviction" : "binding");
        json_init(&j, out, 0);
        kubectl_print_object(&object, &j);
        out_text(out, "\nEND\n");
    }
}

bool kubectl_script(const struct dry_run *run, struct out *out, struct err *err)
{
    const struct snapshot *s = run->s;
    char now[TIMES_TEXT];
    struct plan plan = {.starts = mem_alloc(s->job_count + 1, sizeof *plan.starts),
                        .targets = mem_alloc(s->node_count + 1, sizeof *plan.targets)};
    out_format(out, "%stime %s\n", head, times_text(s->now_ms, now));
    print_nodes(s, out);
    bool ok = print_plan(run, &plan, out, err);
    print_held(s, plan.starts, out);
    for (size_t i = 0; i < s->node_count; i++)
        if (plan.targets[i])
            print_target(&s->nodes[i], out);
    print_origins(run, plan.starts, out);
    out_text(out, get);
    out_text(out, compare);
    out_text(out, post);
    out_format(out, "bound=%zu evicted=%zu count=%zu\n", plan.bound, plan.evicted,
               plan.bound + plan.evicted);
    print_posts(run, out);
    out_text(out, tail);
    free(plan.starts);
    free(plan.targets);
    return ok;
}

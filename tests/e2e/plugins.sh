#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Policies from shared libraries: the examples, which decide like the built-in policies that they
# rebuild, wherever a policy may be named; and libraries that are no policy, or make impossible
# decisions.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

examples=${B:-build/release}/policies/examples
demo=scenarios/examples/demo.json

# simulate NAME ARGUMENT...: the demo, audited, into $tmp/NAME.
simulate() {
    name=$1
    shift
    run run "$demo" --quiet --audit --no-report -o "$tmp/$name" "$@"
    status_is 0
}
# decides_as A B: the same decisions, and so the same jobs.
decides_as() {
    sed 1d "$tmp/$1/journal.jsonl" >"$tmp/a"
    sed 1d "$tmp/$2/journal.jsonl" >"$tmp/b"
    [ -s "$tmp/a" ] && same "$tmp/a" "$tmp/b" && same "$tmp/$1/jobs.csv" "$tmp/$2/jobs.csv"
}
# differ A B
differ() { ! same "$tmp/$1/jobs.csv" "$tmp/$2/jobs.csv"; }

library() { ${CC:-cc} -std=c17 -Wall -Wextra -Werror -shared -fPIC "$@"; }

# --- the examples --------------------------------------------------------------------------------

check "least_waste runs, audited" simulate waste --policy "$examples/least_waste.so"
check "the built-in best-fit in the same line" simulate fit --policy fifo --set policy.options.scope=fleet
check "they decide the same" decides_as waste fit
check "its own name is in the summary" equal "$(json "$tmp/waste/summary.json" policy)" least-waste
check "and in the journal" eval 'head -n 1 "$tmp/waste/journal.jsonl" | grep -q "\"policy\": \"least-waste\""'

check "researcher runs, audited" simulate research --policy "$examples/researcher.so"
check "the built-in srtf by GPU time" simulate srtf --policy srtf --set policy.options.order=remaining-gpu
check "they decide the same" decides_as research srtf
check "with evictions" eval 'grep -q "\"kind\": \"evict\"" "$tmp/research/journal.jsonl"'
check "and that take time" eval 'simulate research-30 --policy "$examples/researcher.so" --set policy.grace_s=300 &&
    simulate srtf-30 --policy srtf --set policy.options.order=remaining-gpu --set policy.grace_s=300'
check "they decide the same" decides_as research-30 srtf-30

check "smallest_first runs, audited" simulate small --policy "$examples/smallest_first.so"
check "it decides like no other policy" differ small fit
check "a second time the same" eval 'simulate again --policy "$examples/smallest_first.so" && alike "$tmp/small" "$tmp/again"'
check "options are those of its base" eval \
    'simulate skip --policy "$examples/smallest_first.so" --set policy.options.placement=spread && differ skip small'
check "except the one that it replaces" eval 'run run "$demo" -o "$tmp/x" --policy "$examples/smallest_first.so" --set policy.options.order=sjf
    refused "has no option" && says err order'
check "replicas side by side" eval 'simulate twice --policy "$examples/researcher.so" --replicas 2 --jobs 2 &&
    simulate twice-srtf --policy srtf --set policy.options.order=remaining-gpu --replicas 2'
check "they decide the same" eval 'decides_as twice/rep-1 twice-srtf/rep-1 && decides_as twice/rep-2 twice-srtf/rep-2'

# --- wherever a policy may be named --------------------------------------------------------------

run decide scenarios/examples/snapshot.json --policy "$examples/researcher.so"
check "decide" eval 'status_is 0 && says out "\"policy\": \"researcher\""'
run decide scenarios/examples/snapshot.json --policy srtf
check "the built-in one" status_is 0
run decide scenarios/examples/snapshot.json --policy "$examples/least_waste.so"
sed 1,2d "$tmp/out" >"$tmp/waste.json"
run decide scenarios/examples/snapshot.json --policy fifo
check "least_waste on a snapshot is fifo with best-fit" eval 'sed 1,2d "$tmp/out" | same - "$tmp/waste.json" && [ -s "$tmp/waste.json" ]'

mkdir "$tmp/mine"
cp "$examples/smallest_first.so" "$tmp/mine/p.so"
job=$(sed -n 2p "$tmp/small/jobs.csv" | cut -d , -f 1)
run explain "$tmp/small" "$job"
check "explain finds it again" status_is 0
sed 's|"policy": {"name": "fifo", "options": {[^}]*}}|"policy": {"name": "./p.so"}|' "$demo" >"$tmp/mine/s.json"
run run "$tmp/mine/s.json" --quiet --no-report -o "$tmp/named"
check "a scenario names one beside it" eval 'status_is 0 && same "$tmp/named/jobs.csv" "$tmp/small/jobs.csv"'
cp "$examples/least_waste.so" "$tmp/mine/p.so"
run run "$tmp/mine/s.json" --quiet --no-report -o "$tmp/named-2"
check "the digest of a run has the library in it" eval 'status_is 0 &&
    [ -n "$(json "$tmp/named/summary.json" scenario_digest)" ] &&
    [ "$(json "$tmp/named/summary.json" scenario_digest)" != "$(json "$tmp/named-2/summary.json" scenario_digest)" ]'

echo '{"name": "./q.so", "options": {"placement": "spread"}}' >"$tmp/mine/skip.json"
cp "$examples/smallest_first.so" "$tmp/mine/q.so"
check "a file with name and options" eval 'simulate file --policy "$tmp/mine/skip.json" && decides_as file skip'
run decide scenarios/examples/snapshot.json --policy "$tmp/mine/skip.json"
check "for decide as well" eval 'status_is 0 && says out smallest-first'
echo '{"name": "srtf", "options": {"order": "remaining-gpu"}}' >"$tmp/srtf.json"
check "with a built-in policy" eval 'simulate file-2 --policy "$tmp/srtf.json" && decides_as file-2 srtf'
while IFS='|' read -r what text; do
    printf '%s\n' "$text" >"$tmp/bad.json"
    run run "$demo" --check --policy "$tmp/bad.json"
    check "a file: $what" eval 'refused "$tmp/bad.json"'
    run decide scenarios/examples/snapshot.json --policy "$tmp/bad.json"
    check "the same for decide: $what" eval 'refused "$tmp/bad.json"'
done <<'END'
no name|{"options": {}}
a key that it does not have|{"name": "fifo", "optoins": {}}
another file|{"name": "a.json"}
a value that the option does not take|{"name": "fifo", "options": {"blocking": "maybe"}}
no JSON|{"name": fifo}
END
run run "$demo" --check --policy nowhere.json
check "a file that is not there" refused "nowhere.json"

# --- rows of runai -------------------------------------------------------------------------------

quota=tests/e2e/data/quota.json
# simulated NAME SCENARIO ARGUMENT...: audited, into $tmp/NAME.
simulated() {
    name=$1
    scenario=$2
    shift 2
    run run "$scenario" --quiet --audit --no-report -o "$tmp/$name" "$@"
    status_is 0
}
check "least_served is runai with another order of queues" eval 'simulated served "$demo" --policy "$examples/least_served.so" &&
    simulated runai "$demo" --policy runai && differ served runai && grep -q "\"action\": \"reclaim\"" "$tmp/served/journal.jsonl"'
check "with MIG, memory of GPUs, sessions, elastic jobs" eval 'simulated kinds "$quota" --policy "$examples/least_served.so"'
sed 's/"weight": 3/"weight": 1/' "$demo" >"$tmp/weights.json"
check "by its option" eval 'simulated weight "$tmp/weights.json" --policy "$examples/least_served.so" --set policy.options.due=weight &&
    simulated quota "$tmp/weights.json" --policy "$examples/least_served.so" && differ weight quota'
check "take_turns evicts for others" eval 'simulated turns "$demo" --policy "$examples/take_turns.so" && differ turns runai &&
    grep -q "\"action\": \"preempt\"" "$tmp/turns/journal.jsonl"'
check "with MIG, memory of GPUs, sessions, elastic jobs too" eval 'simulated kinds "$quota" --policy "$examples/take_turns.so" --set policy.options.slice_s=60'
cat <<'END' | library -Ipolicies -o "$tmp/rows.so" -x c -
#include "plugin.h"
/* Rows of runai, rebuilt: the order of jobs, of which the demo has one priority, and no order of queues of its own. */
static int64_t key(void *self, const struct policy_job_spec *job) { (void)self; return (int64_t)job->submitted; }
static int64_t none(void *self, const struct policy_view *view, policy_queue queue) { (void)self, (void)view, (void)queue; return 0; }
const struct policy_plugin fauxpolicy_plugin = {POLICY_PLUGIN_HEAD("rows", "two rows"), .base = "runai", .key = key, .queue_key = none};
END
check "a rebuilt policy decides the same" eval 'simulated rows "$demo" --policy "$tmp/rows.so" --set policy.options.priorities=false &&
    simulated age "$demo" --policy runai --set policy.options.priorities=false && decides_as rows age'
cat <<'END' | library -Ipolicies -o "$tmp/place.so" -x c -
#include "plugin.h"
static int64_t score(void *self, const struct policy_plugin_node *node, const struct policy_plugin_role *role) {
    (void)self, (void)role; return -__builtin_popcountll(node->whole); }
const struct policy_plugin fauxpolicy_plugin = {POLICY_PLUGIN_HEAD("place", "a placement"), .base = "runai", .score = score};
END
check "a placement in runai" eval 'simulated place-quota "$quota" --policy "$tmp/place.so" && simulated place "$demo" --policy "$tmp/place.so" &&
    grep -q "\"action\": \"reclaim\"" "$tmp/place/journal.jsonl"'

# An order that changes with time, with and without quotas.
cat <<'END' >"$tmp/aging.c"
#include "plugin.h"
/* The built-in order multifactor by age and size alone: weights of 1000, saturated after an hour, in periods of a minute. */
#define UNIT (INT64_C(1) << 20)
#define MOST INT64_C(3600000)
#define PERIOD INT64_C(60000)
static int64_t since(const struct policy_view_job *job) { return job->eligible > job->submitted ? job->eligible : job->submitted; }
static bool waits(const struct policy_view *view, uint32_t i, struct policy_view_job *job) {
    *job = (struct policy_view_job){.size = sizeof *job};
    return view->job(view, i, job) && job->eligible_now && job->running + job->releasing == 0;
}
static int64_t rekey(void *self, const struct policy_view *view, policy_job id) {
    struct policy_view_job job = {.size = sizeof job};
    static int64_t all; /* devices of the fleet, which stays as it is */
    int64_t base = view->now - view->now % PERIOD;
    (void)self;
    if (!view->job(view, id.i, &job)) return 0;
    if (all == 0)
        for (uint32_t i = 0; i < view->node_ids; i++) {
            struct policy_view_node node = {.size = sizeof node};
            all += view->node(view, (policy_node){i}, &node) ? node.devices * 1000 : 0;
        }
    int64_t age = base - since(&job) < MOST ? base - since(&job) : MOST;
    int64_t part = job.minimum.gpu < all ? job.minimum.gpu : all;
    return -(int64_t)((__int128)1000 * UNIT * age / MOST + (__int128)1000 * UNIT * part / all);
}
static policy_time rekeys_at(void *self, const struct policy_view *view) {
    policy_time first = INT64_MAX;
    (void)self;
    for (uint32_t i = 0; i < view->job_ids; i++) {
        struct policy_view_job job;
        if (waits(view, i, &job) && since(&job) + MOST < first) first = since(&job) + MOST;
    }
    if (first == INT64_MAX) return first;
    first = first > view->now ? first - 1 : view->now;
    return first - first % PERIOD + PERIOD;
}
const struct policy_plugin fauxpolicy_plugin = {POLICY_PLUGIN_HEAD("age-and-size", "multifactor by age and size"), .base = BASE, .rekey = rekey, .rekeys_at = rekeys_at};
END
as_multifactor() { # BASE ARGUMENT...
    base=$1
    shift
    library -Ipolicies -D BASE="\"$base\"" -Wno-pedantic -o "$tmp/aging-$base.so" "$tmp/aging.c" && simulate "aging-$base" --policy "$tmp/aging-$base.so" &&
        simulate "multifactor-$base" --policy "$base" --set policy.options.order=multifactor --set policy.options.priority_weight_age=1000 \
            --set policy.options.priority_weight_job_size=1000 --set policy.options.priority_weight_fairshare=0 \
            --set policy.options.priority_weight_qos=0 --set policy.options.priority_weight_partition=0 \
            --set policy.options.priority_max_age_s=3600 --set policy.options.priority_calc_period_s=60 "$@" &&
        decides_as "aging-$base" "multifactor-$base"
}
check "an order that changes with time decides like the built-in one" as_multifactor fifo --set policy.options.scope=fleet
check "it is another order than fifo" differ aging-fifo fit
check "and inside quotas" as_multifactor static
cat <<'END' | library -Ipolicies -o "$tmp/shortest.so" -x c -
#include "plugin.h"
static int64_t rekey(void *self, const struct policy_view *view, policy_job id) {
    struct policy_view_job job = {.size = sizeof job}; (void)self; return view->job(view, id.i, &job) && job.run_ms >= 0 ? job.run_ms : INT64_MAX; }
const struct policy_plugin fauxpolicy_plugin = {POLICY_PLUGIN_HEAD("shortest", "quota-sjf"), .base = "runai", .rekey = rekey, .wants = POLICY_WANTS_RUN_TIMES};
END
check "with reclaim and preemption, by the run time" eval 'simulate shortest --policy "$tmp/shortest.so" && simulate quota-sjf --policy quota-sjf &&
    decides_as shortest quota-sjf && differ shortest runai'
# Least attained service inside quotas, which no built-in policy has: a run that is resumed decides the same.
cat <<'END' | library -Ipolicies -o "$tmp/attained.so" -x c -
#include "plugin.h"
static int64_t rekey(void *self, const struct policy_view *view, policy_job id) {
    struct policy_view_job job = {.size = sizeof job}; (void)self; return view->job(view, id.i, &job) ? job.attained : 0; }
const struct policy_plugin fauxpolicy_plugin = {POLICY_PLUGIN_HEAD("attained", "least attained service"), .base = "runai", .rekey = rekey};
END
starts_after() { sed -n 's/^{"t_ms": \([0-9]*\), "kind": "start", "job": "\([^"]*\)", "task": \([0-9]*\), "node": "\([^"]*\)".*/\1 \2 \3 \4/p' "$1" | awk '$1 > 259200000'; }
resumes() {
    simulate attained --policy "$tmp/attained.so" --snapshot-at 259200 && differ attained runai || return 1
    run run "$demo" --quiet --audit --no-report -o "$tmp/attained-2" --policy "$tmp/attained.so" --set start.snapshot="$tmp/attained/snapshot.json"
    starts_after "$tmp/attained/journal.jsonl" >"$tmp/a"
    starts_after "$tmp/attained-2/journal.jsonl" >"$tmp/b"
    status_is 0 && [ -s "$tmp/a" ] && same "$tmp/a" "$tmp/b"
}
check "attained service inside quotas, resumed from a snapshot" resumes

run list policies "$examples/researcher.so" "$examples/least_waste.so"
check "list policies shows what libraries bring" eval 'status_is 0 && equal "$(wc -l <"$tmp/out")" 2 && says out "least GPU time left"'

# --- an older plugin -----------------------------------------------------------------------------

check "a plugin compiled against the first plugin.h" eval \
    'library -DOLDER_HEADER -Itests/abi/older -o "$tmp/older.so" tests/abi/older_plugin.c && simulate older --policy "$tmp/older.so"'
check "the same compiled anew" eval \
    'library -Ipolicies -o "$tmp/anew.so" tests/abi/older_plugin.c && simulate anew --policy "$tmp/anew.so"'
check "they decide the same" decides_as older anew
check "with evictions" eval 'grep -q "\"kind\": \"evict\"" "$tmp/older/journal.jsonl"'

# --- options of its own, and a state that is kept ------------------------------------------------

cat <<'END' | library -Ipolicies -o "$tmp/stepping.so" -x c -
#include "plugin.h"
/* Jobs in bands of `band` places, the last of a band first. */
struct state { int64_t band, seen; };
static void *open_state(const struct policy_allocator *m, const struct policy_plugin_setup *setup) {
    struct state *s = m->resize(m->user, 0, 0, sizeof *s);
    if (s) *s = (struct state){setup->options[0], 0};
    return s;
}
static void close_state(void *s, const struct policy_allocator *m) { m->resize(m->user, s, sizeof(struct state), 0); }
static int64_t key(void *self, const struct policy_job_spec *job) {
    struct state *s = self; (void)job;
    int64_t n = s->seen++;
    return n / s->band * s->band * 2 - n;
}
static size_t save(const void *self, void *to, size_t room) {
    if (room >= 8) __builtin_memcpy(to, &((const struct state *)self)->seen, 8);
    return 8;
}
static bool load(void *self, uint32_t version, const void *from, size_t size) {
    if (version != 1 || size != 8) return false;
    __builtin_memcpy(&((struct state *)self)->seen, from, 8);
    return true;
}
static const struct policy_plugin_option options[] = {
    {{"band", "jobs in a band"}, POLICY_OPTION_NUMBER, 0, 1, 1, 1000000},
    {{"pause_s", "of no meaning"}, POLICY_OPTION_SECONDS, 0, 1500, 0, 60000},
};
const struct policy_plugin fauxpolicy_plugin = {POLICY_PLUGIN_HEAD("stepping", "in bands"), .destroy = close_state, .key = key,
    .options = options, .option_count = 2, .state_version = 1, .open = open_state, .save = save, .load = load};
END
check "options are listed with values and default" eval 'run list options "$tmp/stepping.so"; status_is 0 &&
    grep -q "^band  *1 to 1000000: jobs in a band .1.$" "$tmp/out" && grep -q "^pause_s  *0 to 60 seconds: of no meaning .1[.]5.$" "$tmp/out" &&
    grep -q "^blocking " "$tmp/out"'
check "except its own" eval '! grep -q "^order " "$tmp/out"'
check "of a built-in policy those that it takes" eval 'run list options fifo; status_is 0 && grep -q "^order " "$tmp/out" && ! grep -q "^usage_k " "$tmp/out"'
check "of no policy" eval 'run list options fofi; refused fofi && says err "fifo"'
check "with the usual value it is fifo" eval 'simulate step-1 --policy "$tmp/stepping.so" && simulate step-fifo --policy fifo --set policy.options.scope=fleet &&
    decides_as step-1 step-fifo'
check "a value is taken" eval 'simulate step-9 --policy "$tmp/stepping.so" --set policy.options.band=9 && differ step-9 step-1'
check "and is in the scenario of the run" eval 'grep -q "\"band\"" "$tmp/step-9/scenario.json"'
check "a wrong value is refused, and valid ones are shown" eval 'run run "$demo" --check --policy "$tmp/stepping.so" --set policy.options.band=0
    refused "policy.options.band" && says err "expected 1 to 1000000"'
check "a wrong name with the nearest" eval 'run run "$demo" --check --policy "$tmp/stepping.so" --set policy.options.bond=2
    refused "policy.options.bond" && says err "band"'
cat >"$tmp/sweep.json" <<END
{"fauxfleet_sweep": 1, "scenario": "$PWD/$demo", "metrics": ["engine.journal_sha256"],
 "points": [{"policy": "$tmp/stepping.so"}], "grid": {"policy.options.band": [1, 9]}}
END
check "a sweep over it" eval 'run sweep "$tmp/sweep.json" -o "$tmp/sweep" --quiet; status_is 0 &&
    equal "$(sed 1d "$tmp/sweep/results.csv" | cut -d, -f4 | sort -u | wc -l)" 2'
check "a journal of facts has them" eval 'simulate facts --policy "$tmp/stepping.so" --set policy.options.band=9 --set outputs.journal=facts &&
    head -n 1 "$tmp/facts/journal.jsonl" | grep -q "\"options\": {\"band\": \"9\"}"'
check "and is replayed with them" eval 'run replay "$tmp/facts/journal.jsonl"; status_is 0 && says out "the same decisions"'

# --- libraries that are no policy ----------------------------------------------------------------

# build NAME: a library of the C on standard input.
build() { ${CC:-cc} -std=c17 -Wall -Wextra -Werror -shared -fPIC -Ipolicies -o "$tmp/$1.so" -x c - 2>"$tmp/err"; }
# refuses NAME PART: the run ends with a message that names the library.
refuses() {
    run run "$demo" --check --policy "$tmp/$1.so"
    refused "$tmp/$1.so" && says err "$2"
}
head='#include "plugin.h"
static inline int64_t key(void *self, const struct policy_job_spec *job) { return (void)self, (void)job, 0; }
static inline int64_t rank(void *self, const struct policy_plugin_job *job, policy_time now) { return (void)self, (void)job, (void)now, 0; }'
plain='POLICY_PLUGIN_HEAD("mine", "of a test")'

check "a library that is not there" refuses nothing "cannot open"
echo 'int x;' | build empty
check "a library of something else" refuses empty "does not define 'fauxpolicy_plugin'"
echo "text" >"$tmp/text.so"
check "no library at all" refuses text "cannot load"
while IFS='|' read -r name members part; do
    printf '%s\nconst struct policy_plugin fauxpolicy_plugin = {%s};\n' "$head" "$members" |
        sed "s|PLAIN|$plain|" | build "$name"
    check "$name" refuses "$name" "$part"
done <<'END'
version|sizeof(struct policy_plugin), 7, "mine", "text", .key = key|version 7
size|8, POLICY_PLUGIN_VERSION, "mine", "text", .key = key|a struct of 8 bytes
nameless|sizeof(struct policy_plugin), POLICY_PLUGIN_VERSION, "", "text", .key = key|name
blank|sizeof(struct policy_plugin), POLICY_PLUGIN_VERSION, "a b", "text", .key = key|name
without|PLAIN, .base = "fifo"|brings nothing
base|PLAIN, .key = key, .base = "fofi"|fofi
quota|PLAIN, .rank = rank, .base = "runai"|runai
END

# --- impossible decisions ------------------------------------------------------------------------

# ends NAME BODY PART: a plugin that does this first ends the run; the message has its name, what it
# did, and the job.
ends() {
    cat <<END | build "$1" || return 1
#include "plugin.h"
static void decide(void *self, struct policy_plan *plan) { const struct policy_plugin_job *job = plan->jobs; (void)self; (void)job; $2 }
const struct policy_plugin fauxpolicy_plugin = {$plain, .decide = decide};
END
    run run "$demo" --quiet --audit --no-report -o "$tmp/ends-$1" --policy "$tmp/$1.so"
    status_is 4 && silent out && says err "policy 'mine' $3" && absent "$tmp/ends-$1/summary.json"
}
check "a gang in part" ends part 'plan->start(plan, job, 0, 0);' "starts a gang in part"
check "the job is named" says err "(job 't0')"
check "a node that does not exist" ends node \
    'struct policy_plugin_seat seat = {{99}, 1}; plan->start(plan, job, &seat, 1);' "starts a task on a node that does not exist"
check "a device that does not exist" ends device \
    'struct policy_plugin_seat seat = {{0}, 256}; plan->start(plan, job, &seat, 1);' "starts a task on devices that are taken"
check "too many devices" ends many \
    'struct policy_plugin_seat seat = {{0}, 255}; plan->start(plan, job, &seat, 1);' "starts a task on a number of devices"
check "a device twice" ends twice \
    'static struct policy_plugin_seat seat = {{0}, 1}; for (uint32_t i = 0; i < plan->job_count; i++) if (job[i].tasks == 1 && job[i].gpu_milli == 1000 && job[i].state == POLICY_JOB_WAITS) plan->start(plan, &job[i], &seat, 1);' \
    "starts a task on devices that are taken"
check "a job twice" ends again 'plan->place(plan, job); plan->place(plan, job);' "starts a job that does not wait"
check "a job that does not run" ends evict 'plan->evict(plan, job, 0);' "evicts a job that does not run"
check "there and back" ends back \
    'for (uint32_t i = 0; i < plan->job_count; i++) if (job[i].preemptible && job[i].state == POLICY_JOB_WAITS && plan->place(plan, &job[i])) plan->evict(plan, &job[i], 0);' \
    "evicts a job that it has just started"
check "an invalid job" ends none 'plan->place(plan, 0);' "starts a job that does not exist"
check "a time that is over" ends past 'plan->wake_at = plan->now;' "asks to be woken"
check "giving up" ends up 'plan->give_up(plan, "too late");' "gives up: too late"
cat <<END | build names
#include "plugin.h"
static void decide(void *self, struct policy_plan *plan) { (void)self; plan->give_up(plan, plan->view->name(plan->view, POLICY_NAME_TYPE, 0)); }
const struct policy_plugin fauxpolicy_plugin = {$plain, .decide = decide, .wants = POLICY_WANTS_NAMES};
END
run run "$demo" --quiet --no-report -o "$tmp/names" --policy "$tmp/names.so"
check "a plugin that asks for names gets them" eval 'status_is 4 && says err "gives up: a100"'
run decide scenarios/examples/snapshot.json --policy "$tmp/names.so"
check "for decide as well" eval 'status_is 4 && says err "gives up: "'
run decide scenarios/examples/snapshot.json --policy "$tmp/none.so"
check "decide says so too" eval 'status_is 4 && silent out && says err "policy '"'mine'"' starts a job that does not exist"'
# A policy that decides nothing leaves all jobs pending; that is allowed.
cat <<END | build idle
#include "plugin.h"
static void decide(void *self, struct policy_plan *plan) { (void)self; (void)plan; }
const struct policy_plugin fauxpolicy_plugin = {$plain, .decide = decide};
END
check "a policy that decides nothing starts nothing" eval 'simulate idle --policy "$tmp/idle.so" && equal "$(json "$tmp/idle/summary.json" jobs.completed)" 0'
finish

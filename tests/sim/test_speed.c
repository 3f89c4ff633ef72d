/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Speeds by arithmetic: by placement, with uplinks and devices shared by other jobs, and after
 * faults. Then random runs, with all audits.
 */
#include "tests/sim/listed.h"
#include "tests/sim/speed_world.h"

/* ---- placement ---- */

/*
 * Eight devices on one node: W/8 + 7/4 S/100 = 21.5 + 1.75 s. On two nodes of four: the tree has
 * 7/4 of 4 GB/s, so 21.5 + 25 s, twice as long. Eight of one each: 21.5 + 175 s.
 */
static const struct {
    enum sim_network_mode mode;
    int tasks, gpus;
    int64_t end_ms;
} places[] = {
    {SIM_NETWORK_PLACEMENT, 1, 8, 100000},  {SIM_NETWORK_OFF, 2, 4, 100000},
    {SIM_NETWORK_PLACEMENT, 2, 4, 200000},  {SIM_NETWORK_CONTENTION, 2, 4, 200000},
    {SIM_NETWORK_CONTENTION, 1, 8, 100000},
};

START_TEST(a_job_is_as_fast_as_where_it_is)
{
    struct world *w = speed_begin("fifo", "placement=spread", places[_i].mode, 8);
    w->model.work_s = 172;
    w->model.gradient_gb = 100;
    for (uint32_t i = 0; i < 2; i++)
        w->tree.ratio[w->tree.tiers[1].first + i] = 1;
    speed_gang(w, "a", 0, 100, places[_i].tasks, places[_i].gpus)->class = TRACE_TRAIN;
    small_run(&w->s);
    ck_assert_int_eq(small_stop(&w->s, "a"), places[_i].end_ms);
    ck_assert(w->ledger.slowdown == (ledger_amount)8000 * (places[_i].end_ms - 100000));
    ck_assert_double_eq(ledger_mean_slowdown(&w->ledger), (double)places[_i].end_ms / 100000);
    ck_assert(ledger_productive(&w->ledger) == (ledger_amount)8000 * 100000);
    ck_assert(w->ledger.installed - ledger_productive(&w->ledger) == speed_losses(&w->ledger));
    speed_end(w);
}
END_TEST

/*
 * A device of half the speed doubles the time, even for a job whose queue may use no other; one of
 * twice the recorded speed halves it. Hardware costs no productive time: a slow GPU-hour is a
 * GPU-hour with less work. On an unknown type a job runs as recorded.
 */
static const struct {
    enum sim_network_mode mode;
    int bound;       /* to this pool; 0: any */
    int recorded_on; /* kind of node */
    double slow;     /* speed of devices of the second kind; 0 unknown */
    int64_t first_ms, second_ms, second_start_ms;
} hardware[] = {
    {SIM_NETWORK_PLACEMENT, 0, 0, 0.5, 100000, 200000, 0},
    {SIM_NETWORK_PLACEMENT, 2, 0, 0.5, 200000, 400000, 200000},
    {SIM_NETWORK_PLACEMENT, 0, 1, 0.5, 50000, 100000, 0},
    {SIM_NETWORK_CONTENTION, 0, 1, 0.5, 50000, 100000, 0},
    {SIM_NETWORK_OFF, 0, 0, 0.5, 100000, 200000, 0},
    {SIM_NETWORK_OFF, 2, 1, 0.5, 100000, 200000, 100000},
    {SIM_NETWORK_OFF, 0, 1, 0.5, 50000, 100000, 0},
    {SIM_NETWORK_OFF, 0, 1, 0, 100000, 100000, 0},
    {SIM_NETWORK_PLACEMENT, 0, 0, 0, 100000, 100000, 0},
};

static void two_kinds(struct world *w, double slow)
{
    (void)small_pool(&w->s, "slow", 1, GPUS);
    fabric_tree_fini(&w->tree);
    speed_tree(w, 2);
    w->kind_of[1] = 1;
    w->speeds[0] = (struct perf_device_speed){"any", 1};
    w->speeds[1] = (struct perf_device_speed){"slow", slow};
    w->model.work_s = 10;
    w->model.speeds = w->speeds;
    w->model.speed_count = slow > 0 ? 2 : 1;
}

START_TEST(a_run_time_belongs_to_the_hardware_it_was_recorded_on)
{
    struct world *w = speed_begin("fifo", "", hardware[_i].mode, 1);
    two_kinds(w, hardware[_i].slow);
    w->s.config.network.recorded_on = &w->kinds[hardware[_i].recorded_on];
    (void)small_queue(&w->s, "default", (uint32_t)hardware[_i].bound);
    speed_gang(w, "first", 0, 100, 1, 8)->class = TRACE_TRAIN;
    speed_gang(w, "second", 0, 100, 1, 8)->class = TRACE_TRAIN;
    small_run(&w->s);
    ck_assert_int_eq(small_stop(&w->s, "first"), hardware[_i].first_ms);
    ck_assert_int_eq(small_stop(&w->s, "second"), hardware[_i].second_ms);
    ck_assert_int_eq(small_start(&w->s, "second"), hardware[_i].second_start_ms);
    ck_assert(w->ledger.slowdown == 0);
    ck_assert(ledger_productive(&w->ledger) ==
              (ledger_amount)8000 *
                  (hardware[_i].first_ms + hardware[_i].second_ms - hardware[_i].second_start_ms));
    ck_assert(ledger_work(&w->ledger) == (ledger_amount)8000 * 200000);
    ck_assert(w->ledger.installed - ledger_productive(&w->ledger) == speed_losses(&w->ledger));
    speed_end(w);
}
END_TEST

/* A job on both kinds runs at the speed of its slowest device; the fast ones' wait for it counts as
 * slowdown. */
START_TEST(the_slowest_device_rules)
{
    struct world *w = speed_begin("fifo", "", _i == 0 ? SIM_NETWORK_OFF : SIM_NETWORK_PLACEMENT, 1);
    two_kinds(w, 0.5);
    w->s.config.network.recorded_on = &w->kinds[0];
    speed_gang(w, "both", 0, 100, 2, 8)->class = TRACE_TRAIN;
    small_run(&w->s);
    ck_assert_int_eq(small_stop(&w->s, "both"), 200000);
    ck_assert(w->ledger.slowdown == (ledger_amount)16000 * 100000);
    ck_assert(ledger_work(&w->ledger) == (ledger_amount)16000 * 100000);
    speed_end(w);
}
END_TEST

static const struct sim_node_kind *find_kind(void *self, const char *name, struct err *err)
{
    struct world *w = self;
    for (int i = 0; i < 2; i++)
        if (strcmp(w->kinds[i].gpu_type, name) == 0)
            return &w->kinds[i];
    err_set(err, EXIT_INPUT, "unknown node '%s'", name);
    return NULL;
}

/*
 * A job may say where its run time was recorded. If all nodes are of the kind that the others were
 * recorded on, speeds are only computed once such a job arrives; running jobs then continue as
 * before.
 */
START_TEST(a_job_may_say_where_it_was_recorded)
{
    struct world *w = speed_begin("fifo", "", _i == 0 ? SIM_NETWORK_OFF : SIM_NETWORK_PLACEMENT, 1);
    two_kinds(w, 0.5);
    w->kind_of[1] = 0;
    w->s.config.network.recorded_on = &w->kinds[0];
    w->s.config.network.find_node = find_kind;
    w->s.config.names.nodes = w->s.names.nodes;
    speed_gang(w, "first", 0, 100, 1, 8)->class = TRACE_TRAIN;
    struct trace_job *told = speed_gang(w, "told", 10, 100, 1, 8);
    told->class = TRACE_TRAIN;
    told->recorded_on = symbols_add(w->s.names.nodes, "slow", 4);
    struct trace_job *same = speed_gang(w, "same", 60, 100, 1, 8);
    same->class = TRACE_TRAIN;
    same->recorded_on = symbols_add(w->s.names.nodes, "any", 3);
    small_run(&w->s);
    ck_assert_int_eq(small_stop(&w->s, "first"), 100000);
    ck_assert_int_eq(small_stop(&w->s, "told"), 60000);
    ck_assert_int_eq(small_stop(&w->s, "same"), 160000);
    speed_end(w);
}
END_TEST

/* Counted devices: all that a job may use must be equally fast. */
START_TEST(counted_devices_are_equally_fast_or_refused)
{
    struct world *w = speed_begin("fifo", "placement=count", SIM_NETWORK_OFF, 1);
    two_kinds(w, 0.5);
    w->s.config.network.recorded_on = &w->kinds[0];
    (void)small_queue(&w->s, "default", _i == 0 ? 2 : 0);
    speed_gang(w, "a", 0, 100, 1, 8)->class = TRACE_TRAIN;
    if (_i == 0) {
        small_run(&w->s);
        ck_assert_int_eq(small_stop(&w->s, "a"), 200000);
    } else {
        ck_assert(!small_try(&w->s));
        ck_assert_int_eq(w->s.err.code, EXIT_INPUT);
        ck_assert_ptr_nonnull(
            strstr(w->s.err.msg, "job 'a' (row 1 of its trace): placement 'count'"));
        ck_assert_ptr_nonnull(strstr(w->s.err.msg, "('any' and 'slow')"));
    }
    speed_end(w);
}
END_TEST

START_TEST(sessions_take_as_long_as_people_want)
{
    struct world *w = speed_begin("fifo", "placement=spread", SIM_NETWORK_PLACEMENT, 2);
    w->model.work_s = 172;
    w->model.gradient_gb = 100;
    speed_gang(w, "session", 0, 100, 2, 2)->class = TRACE_BUILD;
    struct trace_job *named = speed_gang(w, "named", 0, 100, 2, 2);
    named->class = TRACE_INFERENCE;
    named->model = symbols_add(w->s.names.models, "known", 5);
    small_run(&w->s);
    ck_assert_int_eq(small_stop(&w->s, "session"), 100000);
    ck_assert_int_gt(small_stop(&w->s, "named"), 100000);
    speed_end(w);
}
END_TEST

START_TEST(unknown_models_are_refused)
{
    struct world *w = speed_begin("fifo", "", SIM_NETWORK_PLACEMENT, 1);
    speed_gang(w, "a", 0, 100, 1, 8)->model = symbols_add(w->s.names.models, "unknown", 7);
    ck_assert(!small_try(&w->s));
    ck_assert_str_eq(w->s.err.msg, "job 'a' (row 1 of its trace): unknown model 'unknown'");
    speed_end(w);
}
END_TEST

START_TEST(devices_that_are_counted_have_no_place)
{
    struct world *w = speed_begin("fifo", "placement=count", SIM_NETWORK_PLACEMENT, 1);
    speed_gang(w, "a", 0, 100, 1, 8)->class = TRACE_TRAIN;
    ck_assert(!small_try(&w->s));
    ck_assert_ptr_nonnull(strstr(w->s.err.msg, "network: "));
    speed_end(w);
}
END_TEST

/* ---- uplinks ---- */

/*
 * Two nodes of eight, one below each leaf, W = S = 16: a step of 1 + 2 s, 2/3 of which is
 * communication. Two such jobs have half of the uplinks each, since the other one leaves no more
 * than a third: 1 + 4 s, a speed of 0.6.
 */
static const struct {
    const char *what;
    enum sim_network_mode mode;
    int64_t b_submit_s, a_s, b_s; /* run times */
    int64_t a_end_ms, b_end_ms;
} pairs[] = {
    {"alone one after the other", SIM_NETWORK_CONTENTION, 60, 60, 100, 60000, 160000},
    /* 100 s at 0.6; b has done 60 of 100 */
    {"both from the start", SIM_NETWORK_CONTENTION, 0, 60, 100, 100000, 140000},
    /* a has done 30; its other 30 take 50 s, in which b does 30 of 100 */
    {"one comes later", SIM_NETWORK_CONTENTION, 30, 60, 100, 80000, 150000},
    /* oversubscribed 2:1, with any number of jobs */
    {"a fixed share", SIM_NETWORK_PLACEMENT, 0, 60, 90, 100000, 150000},
    {"off", SIM_NETWORK_OFF, 0, 60, 100, 60000, 100000},
};

START_TEST(uplinks_are_shared_by_present_jobs)
{
    struct world *w = speed_begin("fifo", "", pairs[_i].mode, 4);
    w->model.work_s = w->model.gradient_gb = 16;
    (void)speed_gang(w, "a", 0, pairs[_i].a_s, 2, 8);
    (void)speed_gang(w, "b", pairs[_i].b_submit_s, pairs[_i].b_s, 2, 8);
    small_run(&w->s);
    ck_assert_msg(small_stop(&w->s, "a") == pairs[_i].a_end_ms, "%s: a ends at %lld",
                  pairs[_i].what, (long long)small_stop(&w->s, "a"));
    ck_assert_msg(small_stop(&w->s, "b") == pairs[_i].b_end_ms, "%s: b ends at %lld",
                  pairs[_i].what, (long long)small_stop(&w->s, "b"));
    ck_assert(ledger_productive(&w->ledger) ==
              (ledger_amount)16000000 * (pairs[_i].a_s + pairs[_i].b_s));
    ck_assert(w->ledger.installed - ledger_productive(&w->ledger) == speed_losses(&w->ledger));
    ck_assert_int_eq(w->s.sim->window_end_ms,
                     w->s.sim->last_end_ms); /* their previous ends are forgotten */
    speed_end(w);
}
END_TEST

/* ---- shared devices ---- */

/* Two unknown tenants keep 1.37 / 2 each. */
START_TEST(tenants_of_a_device_slow_each_other_down)
{
    struct world *w = speed_begin("fifo", "placement=binpack", SIM_NETWORK_PLACEMENT, 1);
    w->model.work_s = 10;
    const int64_t run_ms[] = {68500, 137000};
    const char *const ids[] = {"a", "b"};
    for (int i = 0; i < 2; i++) {
        struct trace_job *job = speed_gang(w, ids[i], 0, 0, 1, 1);
        job->duration_ms = run_ms[i];
        job->gpu_milli = 500;
        job->class = TRACE_TRAIN;
    }
    speed_gang(w, "whole", 0, 90, 1, 1)->class = TRACE_TRAIN;
    small_run(&w->s);
    ck_assert_int_eq(small_stop(&w->s, "a"), 100000);
    ck_assert_int_eq(small_stop(&w->s, "b"), 168500);
    ck_assert_int_eq(small_stop(&w->s, "whole"), 90000);
    speed_end(w);
}
END_TEST

/* ---- faults ---- */

struct one_fault {
    struct sim_fault fault;
    bool taken;
};

static int64_t fault_ms(void *self)
{
    const struct one_fault *f = self;
    return f->taken ? INT64_MAX : f->fault.at_ms;
}

static bool take_fault(void *self, struct sim_fault *fault)
{
    struct one_fault *f = self;
    if (f->taken)
        return false;
    f->taken = true;
    *fault = f->fault;
    return true;
}

/* At a quarter of its speed from 20 to 60 s: 30 s of work are done by then. */
static const struct {
    const char *what;
    uint32_t node;
    int device;
    bool one_job;
    int64_t at_s, detect_s, repair_s;
    int64_t a_end_ms, b_end_ms,
        late_end_ms; /* devices 0-3 and 4-7 of node 0; the first free ones */
} slow[] = {
    {"a node", 0, SIM_ALL_DEVICES, false, 20, 0, 40, 130000, 130000, 230000},
    {"noticed later", 0, SIM_ALL_DEVICES, false, 20, 30, 10, 130000, 130000, 230000},
    {"a device", 0, 5, false, 20, 0, 40, 100000, 130000, 200000},
    {"one job's own", 0, SIM_ALL_DEVICES, true, 20, 0, 40, 130000, 100000, 200000},
    {"another node", 1, SIM_ALL_DEVICES, false, 20, 0, 40, 100000, 100000, 200000},
    /* from 90 to 170: both have 10 s left, which take 40; the late one starts at 130 and has done
     * 10 s at 170 */
    {"who comes later", 0, SIM_ALL_DEVICES, false, 90, 0, 80, 130000, 130000, 260000},
};

START_TEST(faults_slow_jobs_down_until_they_are_repaired)
{
    static const char *const classes[] = {"slow"};
    static const uint32_t nodes[] = {0, 1};
    struct world *w =
        speed_begin("fifo", "", _i % 2 == 0 ? SIM_NETWORK_OFF : SIM_NETWORK_CONTENTION, 2);
    const int row = _i / 2;
    struct one_fault f = {.fault = {.at_ms = slow[row].at_s * 1000,
                                    .effect = SIM_FAULT_SLOWS,
                                    .nodes = &nodes[slow[row].node],
                                    .node_count = 1,
                                    .device = slow[row].device,
                                    .one_job = slow[row].one_job,
                                    .detect_ms = slow[row].detect_s * 1000,
                                    .repair_ms = slow[row].repair_s * 1000,
                                    .slow_ppm = 250000}};
    w->s.config.faults = (struct sim_faults){
        .self = &f, .next_ms = fault_ms, .take = take_fault, .classes = classes, .class_count = 1};
    w->model.work_s = 10;
    speed_gang(w, "a", 0, 100, 1, 4)->class = TRACE_TRAIN;
    speed_gang(w, "b", 0, 100, 1, 4)->class = TRACE_TRAIN;
    speed_gang(w, "other", 0, 400, 1, 8)->class = TRACE_TRAIN;
    speed_gang(w, "late", 10, 100, 1, 4)->class = TRACE_TRAIN;
    small_run(&w->s);
    const char *what = slow[row].what;
    ck_assert_msg(small_stop(&w->s, "a") == slow[row].a_end_ms, "%s: a ends at %lld", what,
                  (long long)small_stop(&w->s, "a"));
    ck_assert_msg(small_stop(&w->s, "b") == slow[row].b_end_ms, "%s: b ends at %lld", what,
                  (long long)small_stop(&w->s, "b"));
    ck_assert_msg(small_stop(&w->s, "late") == slow[row].late_end_ms, "%s: late ends at %lld", what,
                  (long long)small_stop(&w->s, "late"));
    ck_assert(w->ledger.installed - ledger_productive(&w->ledger) == speed_losses(&w->ledger));
    speed_end(w);
}
END_TEST

/*
 * Faults that take bandwidth, from 20 s on. A job of 90 s on nodes 0 and 1 computes for 1 s of a
 * step and communicates for 2 / h s with a share h of the bandwidth: at half of it the job runs at
 * 3/5 of its speed, at a quarter at 1/3.
 */
enum { NICS = 0, UPLINK = 1 };
static const struct {
    const char *what;
    enum sim_network_mode mode;
    int kind;
    uint32_t id; /* node, or leaf */
    int32_t slow_ppm;
    int64_t lasts_s;
    int faults; /* same uplink or NICs */
    bool adds_up;
    int64_t end_ms, other_end_ms; /* other: 90 s on node 2 alone */
} narrow[] = {
    {"NICs", SIM_NETWORK_CONTENTION, NICS, 1, 500000, 50, 1, false, 110000, 90000},
    {"NICs, as placed", SIM_NETWORK_PLACEMENT, NICS, 1, 500000, 50, 1, false, 110000, 90000},
    {"NICs of a node of others", SIM_NETWORK_CONTENTION, NICS, 2, 500000, 50, 1, false, 90000,
     90000},
    {"an uplink", SIM_NETWORK_CONTENTION, UPLINK, 0, 500000, 50, 1, false, 110000, 90000},
    {"an uplink, as placed", SIM_NETWORK_PLACEMENT, UPLINK, 0, 500000, 50, 1, false, 110000, 90000},
    /* in 60 s it does 20, and its speed is a whole number of millionths */
    {"two multiply", SIM_NETWORK_CONTENTION, UPLINK, 0, 500000, 60, 2, false, 130001, 90000},
    {"two multiply, as placed", SIM_NETWORK_PLACEMENT, UPLINK, 0, 500000, 60, 2, false, 130001,
     90000},
    {"two add up", SIM_NETWORK_CONTENTION, UPLINK, 0, 750000, 50, 2, true, 110000, 90000},
    {"two add up, as placed", SIM_NETWORK_PLACEMENT, UPLINK, 0, 750000, 50, 2, true, 110000, 90000},
    /* unknown network: half of the speed */
    {"NICs, no network", SIM_NETWORK_OFF, NICS, 1, 500000, 50, 1, false, 115000, 90000},
    {"NICs of others, none", SIM_NETWORK_OFF, NICS, 2, 500000, 50, 1, false, 90000, 115000},
};

START_TEST(jobs_on_narrow_links_slow_down)
{
    struct world *w = speed_begin("fifo", "", narrow[_i].mode, 4);
    struct listed l;
    const uint32_t uplink = w->tree.tiers[1].first + narrow[_i].id;
    memset(&l, 0, sizeof l);
    w->model.work_s = w->model.gradient_gb = 16;
    for (uint32_t i = 0; i < 2; i++)
        w->tree.ratio[w->tree.tiers[1].first + i] = 1;
    for (int i = 0; i < narrow[_i].faults; i++) {
        bool nics = narrow[_i].kind == NICS;
        struct sim_fault *f = listed_add(&w->s, &l, 20, SIM_FAULT_SLOWS, nics ? narrow[_i].id : 0,
                                         0, narrow[_i].lasts_s);
        f->slow_ppm = narrow[_i].slow_ppm;
        f->narrows = true;
        f->adds_up = narrow[_i].adds_up;
        f->uplinks = &uplink;
        f->uplink_count = !nics;
    }
    (void)speed_gang(w, "a", 0, 90, 2, 8);
    speed_gang(w, "other", 0, 90, 1, 8)->class = TRACE_TRAIN;
    small_run(&w->s);
    ck_assert_msg(small_stop(&w->s, "a") == narrow[_i].end_ms, "%s: ends at %lld", narrow[_i].what,
                  (long long)small_stop(&w->s, "a"));
    ck_assert_msg(small_stop(&w->s, "other") == narrow[_i].other_end_ms,
                  "%s: the other one ends at %lld", narrow[_i].what,
                  (long long)small_stop(&w->s, "other"));
    ck_assert(w->ledger.installed - ledger_productive(&w->ledger) == speed_losses(&w->ledger));
    speed_end(w);
}
END_TEST

/* ---- random runs ---- */

static void draw_jobs(struct world *w, uint64_t *r, int count, bool elastic)
{
    int64_t at_s = 0;
    for (int i = 0; i < count; i++) {
        static const int shapes[][2] = {{1, 1}, {1, 4}, {1, 8}, {2, 4},
                                        {2, 8}, {3, 2}, {4, 8}, {5, 3}};
        const int *shape = shapes[small_below(r, 8)];
        char id[16];
        (void)snprintf(id, sizeof id, "j%d", i);
        at_s += small_below(r, 60);
        struct trace_job *job =
            speed_gang(w, id, at_s, 1 + small_below(r, 500), shape[0], shape[1]);
        job->class = small_below(r, 4) > 0 ? TRACE_TRAIN : TRACE_BUILD;
        job->preemptible = 1;
        if (shape[1] == 1 && small_below(r, 2) == 0)
            job->gpu_milli = (int32_t)(100 + small_below(r, 500));
        if (elastic && shape[0] > 2 && small_below(r, 2) == 0)
            job->min_tasks = 1;
    }
}

/* Bandwidth of NICs and uplinks varies. */
static void draw_narrow(struct world *w, struct listed *l, uint64_t *r, const uint32_t uplinks[2])
{
    int64_t at_s = 0;
    memset(l, 0, sizeof *l);
    for (int i = 0; i < 40; i++) {
        at_s += small_below(r, 60);
        struct sim_fault *f = listed_add(&w->s, l, at_s, SIM_FAULT_SLOWS,
                                         (uint32_t)small_below(r, 8), 0, small_below(r, 300));
        f->narrows = true;
        f->adds_up = small_below(r, 2) == 0;
        f->slow_ppm = (int32_t)(1000 + small_below(r, 999000));
        f->uplinks = &uplinks[small_below(r, 2)];
        f->uplink_count = (uint32_t)small_below(r, 2);
    }
}

/* Nodes of two kinds, either of which may be the one on which run times were recorded. */
static void mix(struct world *w, uint64_t *r)
{
    w->speeds[0] = (struct perf_device_speed){"any", 1};
    w->speeds[1] = (struct perf_device_speed){"slow", (double)(1 + small_below(r, 40)) / 10};
    w->model.speeds = w->speeds;
    w->model.speed_count = 2;
    for (int i = 0; i < 8; i++)
        w->kind_of[i] = (uint32_t)small_below(r, 2);
    w->s.config.network.recorded_on = &w->kinds[small_below(r, 2)];
}

/*
 * With all audits: every job ends, none before its time at the recorded speed if no node is faster,
 * its work is complete to within a millisecond per change of speed, and every device-second is in
 * the ledger once, on one kind of node and on two.
 */
START_TEST(all_jobs_end_and_the_ledger_adds_up)
{
    enum { JOBS = 60 };
    for (uint64_t seed = (uint64_t)_i; seed < 60; seed += 10 * (uint64_t)harness_thin()) {
        uint64_t r = seed;
        enum sim_network_mode mode = (enum sim_network_mode)(seed % 3);
        struct world *w = speed_begin(seed % 2 == 0 ? "fifo" : "runai", "", mode, 8);
        const uint32_t first = w->tree.tiers[1].first, uplinks[2] = {first, first + 1};
        struct listed faults;
        bool narrows = seed % 5 < 2;
        if (narrows)
            draw_narrow(w, &faults, &r, uplinks);
        w->s.silent = true;
        w->s.config.grace_ms = small_below(&r, 2) * 5000;
        w->model.work_s = (double)(1 + small_below(&r, 40));
        w->model.gradient_gb = (double)small_below(&r, 80);
        w->model.weak = small_below(&r, 2) == 0;
        w->s.config.network.interference = (struct perf_interference){
            .sharing = small_below(&r, 2) == 0 ? PERF_SHARING_MPS : PERF_SHARING_TIMESLICES,
            .cpu = small_below(&r, 2) == 0};
        w->kinds[0].vnic = &perf_vnics[small_below(&r, 4)];
        bool mixed = seed % 4 == 3;
        if (mixed)
            mix(w, &r);
        if (small_below(&r, 2) == 0)
            w->s.config.checkpoints = (struct work_checkpoints){
                .given = true, .interval_ms = 30000, .write_ms = 1000, .restart_ms = 10000};
        (void)small_queue(&w->s, "default", 0);
        (void)small_queue(&w->s, "other", 0);
        w->s.queues[0].gpu.quota = w->s.queues[1].gpu.quota = 32000;
        draw_jobs(w, &r, JOBS, seed % 2 == 1);
        for (int i = 0; i < JOBS; i++)
            w->s.jobs[i].queue = (uint32_t)small_below(&r, 2);
        ck_assert_msg(small_try(&w->s), "seed %llu: %s", (unsigned long long)seed, w->s.err.msg);
        ck_assert_uint_eq(w->s.sim->ended, JOBS);
        for (int i = 0; i < JOBS; i++) {
            const struct trace_job *job = &w->s.jobs[i];
            if (job->min_tasks == job->max_tasks && !mixed)
                ck_assert_int_ge(w->s.lives[i].end_ms, job->submit_ms + job->duration_ms);
        }
        const struct ledger *l = &w->ledger;
        ck_assert(l->installed - ledger_productive(l) == speed_losses(l));
        ck_assert(mode != SIM_NETWORK_OFF || narrows || mixed || l->slowdown == 0);
        ck_assert(ledger_productive(l) <= ledger_running(l));
        ck_assert(l->slowdown >= 0);
        speed_end(w);
    }
}
END_TEST

/* ---- without contention ---- */

static int64_t last_end(enum sim_network_mode mode, uint64_t seed, int64_t ends[40])
{
    struct world *w = speed_begin("fifo", "", mode, 16);
    uint64_t r = seed;
    w->s.silent = true;
    draw_jobs(w, &r, 40, false);
    small_run(&w->s);
    for (int i = 0; i < 40; i++)
        ends[i] = w->s.lives[i].end_ms;
    int64_t last = w->s.sim->last_end_ms;
    speed_end(w);
    return last;
}

/* A model without costs runs at full speed anywhere: every job ends as it does without a network.
 */
START_TEST(jobs_without_a_model_end_as_without_a_network)
{
    int64_t off[40];
    int64_t on[40];
    for (uint64_t seed = 0; seed < 10; seed++) {
        ck_assert_int_eq(last_end(SIM_NETWORK_OFF, seed, off),
                         last_end(SIM_NETWORK_CONTENTION, seed, on));
        ck_assert_mem_eq(off, on, sizeof off);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("speed");
    TCase *tcase = tcase_create("speed");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, a_job_is_as_fast_as_where_it_is, 0, ROWS(places));
    tcase_add_loop_test(tcase, a_run_time_belongs_to_the_hardware_it_was_recorded_on, 0,
                        ROWS(hardware));
    tcase_add_loop_test(tcase, the_slowest_device_rules, 0, 2);
    tcase_add_loop_test(tcase, a_job_may_say_where_it_was_recorded, 0, 2);
    tcase_add_loop_test(tcase, counted_devices_are_equally_fast_or_refused, 0, 2);
    tcase_add_test(tcase, sessions_take_as_long_as_people_want);
    tcase_add_test(tcase, unknown_models_are_refused);
    tcase_add_test(tcase, devices_that_are_counted_have_no_place);
    tcase_add_loop_test(tcase, uplinks_are_shared_by_present_jobs, 0, ROWS(pairs));
    tcase_add_test(tcase, tenants_of_a_device_slow_each_other_down);
    tcase_add_loop_test(tcase, faults_slow_jobs_down_until_they_are_repaired, 0, 2 * ROWS(slow));
    tcase_add_loop_test(tcase, jobs_on_narrow_links_slow_down, 0, ROWS(narrow));
    tcase_add_loop_test(tcase, all_jobs_end_and_the_ledger_adds_up, 0, 10);
    tcase_add_test(tcase, jobs_without_a_model_end_as_without_a_network);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The division of the bill: by hand for small runs, and against a second-by-second count for random
 * ones. */
#include "report/measure/showback.h"
#include "tests/sim/listed.h"

#include <math.h>

#define HOUR 3600000

/* 8 devices: 1,000 W idle, 5,000 W at full load, so 500 W per device; 8 USD an hour. */
static const struct node_traits known = {.idle_w = 1000, .peak_w = 6250, .usd_per_hour = 8};
static const struct energy_node eight = {.traits = &known, .gpus = 8};

struct run {
    struct small s;
    struct energy energy;
    struct showback showback;
    struct showback_bill bill;
    struct showback_cost *costs[SHOWBACK_KINDS];
};

static void begin(struct run *r, const char *preset, const struct energy_node *nodes, size_t count,
                  double pue, double tariff)
{
    *r = (struct run){0};
    small_begin(&r->s, preset, "");
    struct price_terms terms = price_terms_usual(PRICE_RENT);
    terms.pue = pue;
    terms.mid.usd_per_kwh = tariff;
    terms.tariff_given = tariff > 0;
    energy_init(&r->energy, &(struct energy_terms){nodes, count, &terms, NULL});
    small_observe(&r->s, showback_observer(&r->showback, &r->energy));
}

static void finish(struct run *r)
{
    small_run(&r->s);
    energy_finish(&r->energy, r->s.sim);
    showback_finish(&r->showback, r->s.sim);
    r->bill = showback_bill(&r->showback, r->s.sim, NULL);
    for (int kind = 0; kind < SHOWBACK_KINDS; kind++)
        r->costs[kind] = showback_costs(&r->showback, &r->bill, (enum showback_kind)kind);
}

static void end(struct run *r)
{
    for (int kind = 0; kind < SHOWBACK_KINDS; kind++)
        free(r->costs[kind]);
    showback_fini(&r->showback);
    energy_fini(&r->energy);
    small_end(&r->s);
}

/* Micro-dollars of the account with this name. */
static struct showback_cost cost_of(const struct run *r, enum showback_kind kind, const char *name)
{
    for (size_t i = 0; i < r->showback.by[kind].count; i++)
        if (strcmp(showback_name(r->s.sim, kind, i), name) == 0)
            return r->costs[kind][i];
    ck_abort_msg("no account '%s'", name);
}

/* The law: the accounts of each kind plus idle costs are the bill, to the micro-dollar. */
static void check_sums(const struct run *r)
{
    const struct showback_bill *b = &r->bill;
    ck_assert_int_eq(b->held + b->idle_gpu_nodes + b->idle_cpu_nodes, b->nodes);
    ck_assert_int_eq(b->drawn + b->idle_energy, b->energy);
    ck_assert(b->idle_gpu_nodes >= 0 && b->idle_cpu_nodes >= 0 && b->idle_energy >= 0);
    for (int kind = 0; kind < SHOWBACK_KINDS; kind++) {
        int64_t nodes = 0, energy = 0;
        for (size_t i = 0; i < r->showback.by[kind].count; i++) {
            nodes += r->costs[kind][i].nodes;
            energy += r->costs[kind][i].energy;
        }
        ck_assert_int_eq(nodes, b->held);
        ck_assert_int_eq(energy, b->drawn);
    }
}

static uint32_t user(struct run *r, const char *name)
{
    return symbols_add(r->s.names.users, name, strlen(name));
}

/* ---- by hand ---- */

/*
 * Two hours of 8 USD. x holds all devices for the first: 8 USD, and draws 5 kWh; y two for the
 * second: 2 USD, and 1 kWh of work plus a quarter of the idle 1 kWh. At 0.10 USD x PUE 1.5 per kWh.
 */
START_TEST(queues_pay_for_devices_held)
{
    struct run r;
    begin(&r, "fifo", &eight, 1, 1.5, 0.1);
    small_pool(&r.s, "p", 1, 8);
    struct trace_job *a = small_job_of(&r.s, "x", "a", 0, HOUR, 8);
    a->user = user(&r, "ann");
    a->model = symbols_add(r.s.names.models, "bert", 4);
    small_job_of(&r.s, "y", "b", HOUR, HOUR, 2)->user = user(&r, "bob");
    finish(&r);
    check_sums(&r);
    ck_assert_int_eq(r.bill.nodes, 16000000);
    ck_assert_int_eq(r.bill.idle_gpu_nodes, 6000000);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_QUEUE, "x").nodes, 8000000);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_QUEUE, "y").nodes, 2000000);
    ck_assert_int_eq(r.bill.energy, 1050000);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_USER, "ann").energy, 750000);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_USER, "bob").energy, 187500);
    ck_assert_int_eq(r.bill.idle_energy, 112500);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_MODEL, "bert").nodes, 8000000);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_MODEL, "").nodes, 2000000);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_CLASS, "train").nodes, 10000000);
    ck_assert_uint_eq(r.showback.by[SHOWBACK_USER].of[a->user].completed, 1);
    end(&r);
}
END_TEST

/* Half a device for an hour is a sixteenth of the node: 0.50 USD. */
START_TEST(a_fraction_pays_its_part)
{
    struct run r;
    begin(&r, "runai", &eight, 1, 1, 0);
    small_pool(&r.s, "p", 1, 8);
    struct trace_job *job = small_job_of(&r.s, "x", "half", 0, HOUR, TRACE_UNKNOWN);
    job->gpus = 1;
    job->gpu_milli = 500;
    finish(&r);
    check_sums(&r);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_QUEUE, "x").nodes, 500000);
    ck_assert_int_eq(r.bill.idle_gpu_nodes, 7500000);
    end(&r);
}
END_TEST

/* A 3g.20gb instance has 3 of 7 compute slices of one of 8 devices: 429 thousandths, 0.429 USD. */
START_TEST(an_instance_pays_by_its_slices)
{
    struct run r;
    begin(&r, "runai", &eight, 1, 1, 0);
    small_pool(&r.s, "p", 1, 8);
    r.s.fleet.nodes[0].mig = POLICY_MIG_FREE;
    r.s.fleet.nodes[0].device_mem_mib = 40960;
    struct trace_job *job = small_job_of(&r.s, "x", "slice", 0, HOUR, TRACE_UNKNOWN);
    job->gpus = 1;
    job->mig = "3g.20gb";
    finish(&r);
    check_sums(&r);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_QUEUE, "x").nodes, 429000);
    end(&r);
}
END_TEST

/* 4 of 10 cores of a node without devices at 1 USD, for an hour; its memory costs nothing. */
START_TEST(a_node_without_devices_is_paid_for_by_cores)
{
    static const struct node_traits plain = {.usd_per_hour = 1};
    const struct energy_node nodes[] = {eight, {.traits = &plain, .gpus = 0}};
    struct run r;
    begin(&r, "fifo", nodes, 2, 1, 0);
    small_pool(&r.s, "p", 1, 8);
    small_pool(&r.s, "q", 1, 0);
    small_queue(&r.s, "x", 2);
    r.s.fleet.nodes[1].cpu_milli = 10000;
    r.s.fleet.nodes[1].mem_mib = 65536;
    struct trace_job *job = small_job_of(&r.s, "x", "spark", 0, HOUR, 0);
    job->cpu_milli = 4000;
    job->mem_mib = 2048;
    finish(&r);
    check_sums(&r);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_QUEUE, "x").nodes, 400000);
    ck_assert_int_eq(r.bill.idle_cpu_nodes, 600000);
    ck_assert_int_eq(r.bill.idle_gpu_nodes, 8000000);
    const struct showback_use *used = &r.showback.by[SHOWBACK_QUEUE].of[0].used;
    ck_assert(used->of[SHOWBACK_CPU] == (wide)4000 * HOUR);
    ck_assert(used->of[SHOWBACK_MEM] == (wide)2048 * HOUR);
    ck_assert(used->of[SHOWBACK_GPU] == 0);
    end(&r);
}
END_TEST

/* Only 1 h to 3 h are measured; the job has the node until 2 h. */
START_TEST(only_the_window_counts)
{
    struct run r;
    begin(&r, "fifo", &eight, 1, 1, 0);
    small_pool(&r.s, "p", 1, 8);
    small_job_of(&r.s, "x", "a", 0, 2 * HOUR, 8);
    r.s.config.warmup_ms = HOUR;
    r.s.config.horizon_ms = 3 * HOUR;
    finish(&r);
    check_sums(&r);
    ck_assert_int_eq(r.bill.nodes, 16000000);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_QUEUE, "x").nodes, 8000000);
    end(&r);
}
END_TEST

/* 1 s at 0.01 USD an hour is 2.777 micro-dollars per device: thirds of 8 x 2.777 = 22 are not
 * whole. */
START_TEST(rounding_remainders_are_given_out)
{
    static const struct node_traits cheap = {.usd_per_hour = 0.08};
    const struct energy_node node = {.traits = &cheap, .gpus = 3};
    struct run r;
    begin(&r, "fifo", &node, 1, 1, 0);
    small_pool(&r.s, "p", 1, 3);
    for (int i = 0; i < 3; i++)
        small_job_of(&r.s, (const char *const[]){"x", "y", "z"}[i], "j", 0, 1000, 1);
    finish(&r);
    check_sums(&r);
    ck_assert_int_eq(r.bill.nodes, 22); /* 22.2 */
    ck_assert_int_eq(cost_of(&r, SHOWBACK_QUEUE, "x").nodes, 8);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_QUEUE, "y").nodes, 7);
    ck_assert_int_eq(cost_of(&r, SHOWBACK_QUEUE, "z").nodes, 7);
    end(&r);
}
END_TEST

START_TEST(without_prices_there_is_no_bill)
{
    static const struct energy_node unknown = {.traits = &traits_unknown, .gpus = 8};
    struct run r;
    begin(&r, "fifo", &unknown, 1, 1, 0);
    small_pool(&r.s, "p", 1, 8);
    small_job_of(&r.s, "x", "a", 0, HOUR, 4);
    finish(&r);
    ck_assert(!r.bill.known);
    check_sums(&r);
    ck_assert(r.showback.by[SHOWBACK_QUEUE].of[0].used.of[SHOWBACK_GPU] == (wide)4000 * HOUR);
    end(&r);
}
END_TEST

static const struct {
    int64_t total;
    wide weights[4];
    int64_t parts[4];
} divisions[] = {
    {10, {1, 1, 1, 0}, {4, 3, 3, 0}},
    {100, {0, 5, 0, 0}, {0, 100, 0, 0}},
    {7, {0, 0, 0, 0}, {0, 0, 0, 0}},
    {0, {3, 4, 5, 6}, {0, 0, 0, 0}},
    {5, {1, 3, 0, 0}, {1, 4, 0, 0}},                           /* 1.25, 3.75 */
    {3, {(wide)1 << 100, (wide)1 << 101, 0, 1}, {1, 2, 0, 0}}, /* exactly */
    {1000000, {(wide)1 << 125, (wide)1 << 125, 0, 0}, {500000, 500000, 0, 0}},
};

START_TEST(parts_are_whole_and_add_up)
{
    int64_t parts[4];
    showback_divide(divisions[_i].total, divisions[_i].weights, 4, parts);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(parts[i], divisions[_i].parts[i]);
}
END_TEST

/* ---- against a second-by-second count ---- */

struct count {
    struct run r;
    const struct energy_node *nodes;
    double queues[2], all, last; /* USD */
};

/* All events are at whole seconds, so the state at each of them holds until the next. */
static void count_second(void *self, const struct sim *sim, int64_t at_ms)
{
    struct count *c = self;
    (void)at_ms;
    c->last = 0;
    for (size_t i = 0; i < sim->fleet->node_count; i++) {
        const struct fleet_node *node = &sim->fleet->nodes[i];
        bool billed = node->reclaimed == 0;
        c->last += billed ? c->nodes[node->pool].traits->usd_per_hour / 3600 : 0;
    }
    c->all += c->last;
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state != WORK_RUNNING && job->state != WORK_PENDING)
            continue;
        for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
            const struct energy_node *node = &c->nodes[sim->work.tasks[id].pool];
            c->queues[job->queue] += node->traits->usd_per_hour / 3600 *
                                     (double)sim->work.tasks[id].held_milli / (node->gpus * 1000.0);
        }
    }
}

START_TEST(the_bill_is_divided_without_a_rest)
{
    static const struct node_traits dear = {.idle_w = 300, .peak_w = 4000, .usd_per_hour = 9.87};
    static const struct node_traits cheap = {.idle_w = 100, .peak_w = 900, .usd_per_hour = 1.23};
    static const struct energy_node nodes[] = {
        {.traits = &dear, .gpus = 4, .spot = true, .own_usd_per_hour = -1},
        {.traits = &cheap, .gpus = 3},
    };
    struct count c = {.nodes = nodes};
    struct listed l = {0};
    uint64_t random = (uint64_t)_i;
    begin(&c.r, "runai", nodes, 2, 1.3, _i % 3 == 0 ? 0.17 : 0);
    small_observe(&c.r.s, (struct sim_observer){.self = &c, .tick = count_second});
    small_pool(&c.r.s, "p", 2, 4);
    small_pool(&c.r.s, "q", 2, 3);
    small_queue(&c.r.s, "x", 0)->gpu.quota = 7000;
    small_queue(&c.r.s, "y", 0)->gpu.quota = 7000;
    for (int64_t i = 0, at = 0; i < 30; i++, at += small_below(&random, 20)) {
        bool part = small_below(&random, 3) == 0;
        struct trace_job *job = small_job_of(&c.r.s, small_below(&random, 2) == 0 ? "x" : "y",
                                             (char[]){(char)('a' + i), '\0'}, at * 1000,
                                             (1 + small_below(&random, 90)) * 1000,
                                             part ? TRACE_UNKNOWN : 1 + small_below(&random, 7));
        job->gpus = part ? 1 : job->gpus;
        job->gpu_milli = part ? 1 + (int32_t)small_below(&random, 998) : job->gpu_milli;
        job->user = user(&c.r, (const char *const[]){"u", "v", "w"}[small_below(&random, 3)]);
        if (small_below(&random, 2) == 0)
            job->model = symbols_add(c.r.s.names.models, "m", 1);
    }
    for (int64_t i = 0, at = 1; i < 8; i++, at += 1 + small_below(&random, 40)) {
        bool spot = small_below(&random, 2) == 0;
        struct sim_fault *fault =
            listed_add(&c.r.s, &l, at, spot ? SIM_FAULT_DRAINS : SIM_FAULT_KILLS,
                       (uint32_t)small_below(&random, spot ? 2 : 4), small_below(&random, 10),
                       1 + small_below(&random, 60));
        fault->reclaims = spot;
    }
    c.r.s.config.checkpoints = (struct work_checkpoints){
        .given = true, .interval_ms = 20000, .restart_ms = 7000, .on_evict = _i % 2 == 0};
    c.r.s.config.grace_ms = 3000;
    c.r.s.config.tick_ms = 1000;
    finish(&c.r);
    check_sums(&c.r);
    ck_assert_double_eq_tol((double)c.r.bill.nodes, (c.all - c.last) * 1e6, 1);
    ck_assert_double_eq_tol((double)cost_of(&c.r, SHOWBACK_QUEUE, "x").nodes, c.queues[0] * 1e6,
                            1.5);
    ck_assert_double_eq_tol((double)cost_of(&c.r, SHOWBACK_QUEUE, "y").nodes, c.queues[1] * 1e6,
                            1.5);
    end(&c.r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("showback");
    TCase *tcase = tcase_create("by hand");
    tcase_add_test(tcase, queues_pay_for_devices_held);
    tcase_add_test(tcase, a_fraction_pays_its_part);
    tcase_add_test(tcase, an_instance_pays_by_its_slices);
    tcase_add_test(tcase, a_node_without_devices_is_paid_for_by_cores);
    tcase_add_test(tcase, only_the_window_counts);
    tcase_add_test(tcase, rounding_remainders_are_given_out);
    tcase_add_test(tcase, without_prices_there_is_no_bill);
    tcase_add_loop_test(tcase, parts_are_whole_and_add_up, 0, ROWS(divisions));
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("the law");
    tcase_add_loop_test(tcase, the_bill_is_divided_without_a_rest, 0, 100);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Energy and cost of hand-made runs, by arithmetic: nodes of known watts and prices for known
 * times. */
#include "report/measure/showback.h"
#include "tests/sim/listed.h"

#include <math.h>

/* 8 devices: 1,000 W idle, 0.80 x 6,250 = 5,000 W at full load, so 500 W more per device; 8 USD an
 * hour. */
static const struct node_traits known = {
    .idle_w = 1000, .peak_w = 6250, .usd_per_hour = 8, .usd = 70080};
static const struct energy_node eight = {.traits = &known, .gpus = 8};

struct run {
    struct small s;
    struct energy energy;
    struct showback showback;
    double watts[32]; /* at each tick; -1 unknown */
    size_t ticks;
};

static void tick(void *self, const struct sim *sim, int64_t at_ms)
{
    struct run *r = self;
    (void)at_ms;
    ck_assert_uint_lt(r->ticks, 32);
    int64_t uw = energy_now_uw(&r->energy, sim);
    r->watts[r->ticks++] = uw < 0 ? -1 : (double)uw / 1e6;
}

/* years: linear depreciation over this many, if nodes are owned; else prices are given. */
static struct price_terms terms_of(double pue, double tariff, double years)
{
    struct price_terms terms = price_terms_usual(years > 0 ? PRICE_OWN : PRICE_RENT);
    terms.pue = pue;
    terms.interest = terms.network = 0;
    terms.mid = (struct price_level){.years = years, .usd_per_kwh = tariff};
    terms.tariff_given = tariff > 0;
    return terms;
}

static void begin(struct run *r, const char *preset, const struct energy_node *nodes, size_t count,
                  double pue, double tariff, double years)
{
    small_begin(&r->s, preset, "");
    r->ticks = 0;
    const struct price_terms terms = terms_of(pue, tariff, years);
    energy_init(&r->energy, &(struct energy_terms){nodes, count, &terms, NULL});
    small_observe(&r->s, showback_observer(&r->showback, &r->energy));
    small_observe(&r->s, (struct sim_observer){.self = r, .tick = tick});
}

struct cost {
    double kwh, usd, idle_usd;
};

static struct cost finish(struct run *r)
{
    small_run(&r->s);
    energy_finish(&r->energy, r->s.sim);
    showback_finish(&r->showback, r->s.sim);
    struct showback_bill bill = showback_bill(&r->showback, r->s.sim, NULL);
    double unit = bill.known ? 1e6 : (double)NAN;
    return (struct cost){energy_kwh(&r->energy), (double)(bill.nodes + bill.energy) / unit,
                         (double)bill.idle_gpu_nodes / unit};
}

static void end(struct run *r)
{
    showback_fini(&r->showback);
    energy_fini(&r->energy);
    small_end(&r->s);
}

/* ---- one node ---- */

/* Two hours: 8 devices work for one, 2 for the other: 5 kWh and 2 kWh; of 16 GPU-hours, 6 at 1 USD
 * are idle. */
START_TEST(a_node_draws_power_by_its_jobs)
{
    struct run r;
    begin(&r, "fifo", &eight, 1, 1.5, 0.1, 0);
    small_pool(&r.s, "p", 1, 8);
    small_job(&r.s, "a", 0, 3600000, 8);
    small_job(&r.s, "b", 3600000, 3600000, 2);
    r.s.config.tick_ms = 1800000;
    struct cost cost = finish(&r);
    ck_assert_double_eq_tol(cost.kwh, 7 * 1.5, 1e-9);
    ck_assert_double_eq_tol(cost.usd, 2 * 8 + 7 * 1.5 * 0.1, 1e-9);
    ck_assert_double_eq_tol(cost.idle_usd, 6, 1e-9);
    static const double watts[] = {5000, 5000, 2000, 2000, 1000};
    ck_assert_uint_eq(r.ticks, 5);
    for (size_t i = 0; i < 5; i++)
        ck_assert_double_eq_tol(r.watts[i], watts[i], 1e-6);
    end(&r);
}
END_TEST

/* At 60 % while active, active half of the time: 4 devices draw 500 x 0.3 each. */
START_TEST(the_trace_says_how_busy_devices_are)
{
    struct run r;
    begin(&r, "fifo", &eight, 1, 1, 0, 0);
    small_pool(&r.s, "p", 1, 8);
    struct trace_job *job = small_job(&r.s, "a", 0, 3600000, 4);
    job->sm_util_ppm = 600000;
    job->active_ppm = 500000;
    ck_assert_double_eq_tol(finish(&r).kwh, 1.6, 1e-9);
    end(&r);
}
END_TEST

/* Missing values count as fully and always active: 500 x 0.5, 500 x 0.6, 500 for each of two
 * devices. */
static const struct {
    int32_t sm_ppm, active_ppm;
    double kwh;
} unsaid[] = {
    {-1, 500000, 1.5},
    {600000, -1, 1.6},
    {-1, -1, 2},
};

START_TEST(values_missing_in_the_trace_count_fully)
{
    struct run r;
    begin(&r, "fifo", &eight, 1, 1, 0, 0);
    small_pool(&r.s, "p", 1, 8);
    struct trace_job *job = small_job(&r.s, "a", 0, 3600000, 2);
    job->sm_util_ppm = unsaid[_i].sm_ppm;
    job->active_ppm = unsaid[_i].active_ppm;
    ck_assert_double_eq_tol(finish(&r).kwh, unsaid[_i].kwh, 1e-9);
    end(&r);
}
END_TEST

/*
 * A list of three nodes in one pool: two of the kind above and one that draws 200 W idle and 1,000
 * W with its two devices at work, for 1 USD an hour. One job works for an hour on a whole large
 * node, one on the small one: 5 + 1 + 1 kWh, and 8 of 17 USD are for unused devices.
 */
START_TEST(nodes_of_a_list_are_of_several_kinds)
{
    const struct node_traits little = {.idle_w = 200, .peak_w = 1250, .usd_per_hour = 1};
    const struct energy_node kinds[] = {eight, {.traits = &little, .gpus = 2}};
    static const uint32_t kind_of[] = {0, 1, 0};
    struct run r;
    begin(&r, "fifo", kinds, 2, 1, 0, 0);
    r.energy.kind_of = kind_of;
    uint32_t pool = small_pool(&r.s, "all", 1, 8);
    for (int i = 1; i < 3; i++) {
        struct fleet_node node = r.s.fleet.nodes[0];
        node.name = i == 1 ? "little" : "large";
        node.pool = pool;
        node.rank = (uint32_t)i;
        node.gpus = i == 1 ? 2 : 8;
        fleet_add_node(&r.s.fleet, &node);
    }
    small_job(&r.s, "large", 0, 3600000, 8);
    small_job(&r.s, "little", 0, 3600000, 2);
    struct cost cost = finish(&r);
    ck_assert_uint_eq(small_life(&r.s, "little")->node, 1);
    ck_assert_double_eq_tol(cost.kwh, 7, 1e-9);
    ck_assert_double_eq_tol(cost.usd, 17, 1e-9);
    ck_assert_double_eq_tol(cost.idle_usd, 8, 1e-9);
    end(&r);
}
END_TEST

START_TEST(counted_devices_of_a_list_are_of_no_known_kind)
{
    static const uint32_t kind_of[] = {0};
    struct run r;
    small_begin(&r.s, "fifo", "placement=count");
    r.ticks = 0;
    const struct price_terms terms = terms_of(1, 0, 0);
    energy_init(&r.energy, &(struct energy_terms){&eight, 1, &terms, _i == 0 ? NULL : kind_of});
    small_observe(&r.s, showback_observer(&r.showback, &r.energy));
    small_pool(&r.s, "all", 1, 8);
    small_job(&r.s, "a", 0, 3600000, 2);
    struct cost cost = finish(&r);
    ck_assert(isnan(cost.kwh) == (_i == 1));
    ck_assert(isnan(cost.usd) == (_i == 1));
    end(&r);
}
END_TEST

/* Only 1 h to 3 h are measured; the job works until 2 h: 5 kWh and 1 kWh, and 8 of 16 GPU-hours. */
START_TEST(only_the_window_counts)
{
    struct run r;
    begin(&r, "fifo", &eight, 1, 1, 0, 0);
    small_pool(&r.s, "p", 1, 8);
    small_job(&r.s, "a", 0, 7200000, 8);
    r.s.config.warmup_ms = 3600000;
    r.s.config.horizon_ms = 10800000;
    struct cost cost = finish(&r);
    ck_assert_double_eq_tol(cost.kwh, 6, 1e-9);
    ck_assert_double_eq_tol(cost.usd, 16, 1e-9);
    ck_assert_double_eq_tol(cost.idle_usd, 8, 1e-9);
    end(&r);
}
END_TEST

/* 70,080 USD over two years of 8,760 hours are 4 USD an hour. */
START_TEST(nodes_that_were_bought_depreciate)
{
    struct node_traits bought = known;
    bought.usd_per_hour = 0;
    struct run r;
    begin(&r, "fifo", &(struct energy_node){.traits = &bought, .gpus = 8}, 1, 1, 0, 2);
    small_pool(&r.s, "p", 1, 8);
    small_job(&r.s, "a", 0, 3600000, 8);
    struct cost cost = finish(&r);
    ck_assert_double_eq_tol(cost.usd, 4, 1e-9);
    ck_assert_double_eq_tol(cost.idle_usd, 0, 1e-9);
    end(&r);
}
END_TEST

/*
 * An hour of three nodes that draw 5 kWh each, at 0.10 USD/kWh and a PUE of 2: rented for 20 USD
 * with energy, owned for 4 and 1 USD of energy, and at the user's own price of 8, plus energy since
 * the user gave a tariff.
 */
START_TEST(energy_is_paid_for_once)
{
    static const struct node_traits rented = {
        .idle_w = 1000, .peak_w = 6250, .usd = 35040, .rent_usd_per_hour = 20};
    const struct energy_node nodes[] = {
        {.traits = &rented, .gpus = 8, .name = "rented"},
        {.traits = &known, .gpus = 8, .name = "given"},
    };
    struct run r;
    begin(&r, "fifo", nodes, 2, 2, 0.1, _i == 0 ? 0 : 1);
    small_pool(&r.s, "p", 1, 8);
    small_pool(&r.s, "q", 1, 8);
    small_job(&r.s, "a", 0, 3600000, 8);
    small_job(&r.s, "b", 0, 3600000, 8);
    struct cost cost = finish(&r);
    ck_assert_double_eq_tol(cost.kwh, 2 * (5 + 5), 1e-9);
    ck_assert_double_eq_tol(cost.usd, _i == 0 ? 20 + 8 + 1 : 4 + 1 + 8 + 1, 1e-9);
    end(&r);
}
END_TEST

/* ---- several kinds ---- */

/* A job on a node of each kind draws power on both: 500 x 8 and 1,000 x 8 above 1,000 and 0; CPU
 * nodes add 300. */
START_TEST(each_device_draws_as_its_node_does)
{
    static const struct node_traits other = {.peak_w = 10000, .usd_per_hour = 16};
    static const struct node_traits cpus = {.idle_w = 300, .peak_w = 1000};
    const struct energy_node nodes[] = {
        eight, {.traits = &other, .gpus = 8}, {.traits = &cpus, .gpus = 0}};
    struct run r;
    begin(&r, "runai", nodes, 3, 1, 0, 0);
    for (int i = 0; i < 3; i++)
        small_pool(&r.s, (const char *const[]){"p", "q", "r"}[i], 1, nodes[i].gpus);
    small_job(&r.s, "a", 0, 3600000, 16);
    r.s.config.tick_ms = 1800000;
    struct cost cost = finish(&r);
    ck_assert_double_eq_tol(r.watts[0], 5000 + 8000 + 300, 1e-6);
    ck_assert_double_eq_tol(cost.kwh, 13.3, 1e-9);
    ck_assert_double_eq_tol(cost.usd, 24, 1e-9);
    end(&r);
}
END_TEST

START_TEST(unknown_values_are_undefined)
{
    static const struct node_traits unpriced = {.idle_w = 100, .peak_w = 1000};
    static const struct node_traits unpowered = {.usd_per_hour = 1};
    const struct {
        struct energy_node nodes[2];
        double tariff;
        bool kwh, usd;
    } rows[] = {
        {{eight, eight}, 0.1, true, true},
        {{eight, {.traits = &unpriced, .gpus = 1}}, 0.1, true, false},
        {{eight, {.traits = &unpowered, .gpus = 1}}, 0, false, true},
        {{eight, {.traits = &unpowered, .gpus = 1}},
         0.1,
         false,
         false}, /* its energy is not free */
        {{eight, {.traits = &traits_unknown, .gpus = 1}}, 0, false, false},
        {{eight, {.traits = &traits_unknown, .gpus = 0}}, 0.1, true, true}, /* it has no devices */
    };
    struct run r;
    begin(&r, "fifo", rows[_i].nodes, 2, 1, rows[_i].tariff, 0);
    small_pool(&r.s, "p", 1, rows[_i].nodes[0].gpus);
    small_pool(&r.s, "q", 1, rows[_i].nodes[1].gpus);
    small_job(&r.s, "a", 0, 1000, 1);
    r.s.config.tick_ms = 1000;
    struct cost cost = finish(&r);
    ck_assert_int_eq(!isnan(cost.kwh), rows[_i].kwh);
    ck_assert_int_eq(!isnan(cost.usd), rows[_i].usd);
    ck_assert_int_eq(r.watts[0] >= 0, rows[_i].kwh);
    end(&r);
}
END_TEST

START_TEST(without_figures_nothing_is_observed)
{
    struct energy e;
    const struct price_terms terms = terms_of(1, 0.1, 4);
    const struct energy_node node = {.traits = &traits_unknown, .gpus = 8};
    energy_init(&e, &(struct energy_terms){&node, 1, &terms, NULL});
    ck_assert(!energy_has_figures(&e));
    ck_assert(energy_observer(&e).held == NULL && energy_observer(&e).spent == NULL);
    energy_fini(&e);
    energy_init(&e, &(struct energy_terms){0});
    ck_assert(!energy_has_figures(&e));
    energy_fini(&e);
}
END_TEST

/* ---- faults ---- */

/*
 * Two nodes, a job of 2 hours on one of them; the fault is detected after half an hour in which the
 * job hangs, and costs it all its work. It moves to the other node, restarts for half an hour and
 * works for 2 hours, while the first one is away for an hour. In kWh: 5 + 1 for the first hour, 1 +
 * 1 (hanging is idle) x 0.5, then the other node alone: 1 x 0.5 (restart) and 5 x 0.5, and with the
 * first one back 6 x 1.5.
 */
/*
 * Four hours of two nodes of spot capacity at 3 USD: one is reclaimed at 1 h for 2 h. A node of the
 * same kind beside them breaks for as long, and is paid for. A job holds the other one all the
 * time, so the run continues.
 */
START_TEST(spot_capacity_costs_only_while_present)
{
    const struct energy_node nodes[] = {
        {.traits = &known, .gpus = 8, .spot = true, .own_usd_per_hour = 3},
        {.traits = &known, .gpus = 8},
        {.traits = &known, .gpus = 8, .spot = true, .own_usd_per_hour = -1},
    };
    struct run r;
    struct listed l = {0};
    begin(&r, "fifo", nodes, 3, 1, 0, 0);
    small_pool(&r.s, "spot", 2, 8);
    small_pool(&r.s, "own", 1, 8);
    small_pool(&r.s, "at-the-usual-price", 1, 8);
    small_job(&r.s, "a", 0, 4 * 3600000, 8);
    r.s.config.horizon_ms = 4 * 3600000;
    listed_add(&r.s, &l, 3600, SIM_FAULT_DRAINS, 1, 0, 7200)->reclaims = true;
    (void)listed_add(&r.s, &l, 3600, SIM_FAULT_KILLS, 2, 0, 7200);
    listed_add(&r.s, &l, 3600, SIM_FAULT_DRAINS, 3, 0, 1800)->reclaims = true;
    struct cost cost = finish(&r);
    ck_assert_double_eq_tol(cost.usd, 3 * (4 + 2) + 8 * 4 + 8 * 3.5, 1e-9);
    ck_assert_double_eq_tol(cost.idle_usd, cost.usd - 3 * 4, 1e-9);
    end(&r);
}
END_TEST

START_TEST(nodes_that_are_down_draw_nothing)
{
    struct listed l = {0};
    struct run r;
    begin(&r, "fifo", &eight, 1, 1, 0, 0);
    small_pool(&r.s, "p", 2, 8);
    small_job(&r.s, "a", 0, 7200000, 8);
    r.s.config.checkpoints =
        (struct work_checkpoints){.given = true, .interval_ms = 7200000, .restart_ms = 1800000};
    listed_add(&r.s, &l, 3600, SIM_FAULT_KILLS, 0, 1800, 3600);
    r.s.config.tick_ms = 900000;
    struct cost cost = finish(&r);
    ck_assert_int_eq(small_stop(&r.s, "a"), 4 * 3600000);
    ck_assert_double_eq_tol(cost.kwh, 6 + 1 + 0.5 + 2.5 + 9, 1e-9);
    ck_assert_double_eq_tol(cost.usd, 2 * 8 * 4, 1e-9); /* it is paid for anyway */
    static const double watts[] = {6000, 6000, 6000, 6000, 2000, 2000, 1000, 1000, 5000,
                                   5000, 6000, 6000, 6000, 6000, 6000, 6000, 2000};
    ck_assert_uint_eq(r.ticks, 17);
    for (size_t i = 0; i < 17; i++)
        ck_assert_msg(fabs(r.watts[i] - watts[i]) < 1e-6, "tick %zu: %g W instead of %g", i,
                      r.watts[i], watts[i]);
    end(&r);
}
END_TEST

/* ---- two ways to the same sum ---- */

static void sum_watts(void *self, const struct sim *sim, int64_t at_ms)
{
    struct run *r = self;
    (void)at_ms;
    r->watts[0] += (double)energy_now_uw(&r->energy, sim) / 1e6;
}

/* All events are at whole seconds: the energy is that of the power at each of them. */
START_TEST(power_adds_up_to_energy)
{
    static const struct node_traits other = {.idle_w = 500, .peak_w = 4000};
    static const struct node_traits plain = {.idle_w = 1000, .peak_w = 6250};
    const struct energy_node nodes[] = {{.traits = &plain, .gpus = 4},
                                        {.traits = &other, .gpus = 4}};
    struct run r;
    struct listed l = {0};
    uint64_t random = (uint64_t)_i;
    begin(&r, "runai", nodes, 2, 1, 0, 0);
    r.s.observers[2] = (struct sim_observer){.self = &r, .tick = sum_watts};
    r.watts[0] = 0;
    small_pool(&r.s, "p", 2, 4);
    small_pool(&r.s, "q", 2, 4);
    small_queue(&r.s, "x", 0)->gpu.quota = 8000;
    small_queue(&r.s, "y", 0)->gpu.quota = 8000;
    static const int64_t sizes[] = {1, 2, 4, 8, 12};
    static const enum sim_fault_effect effects[] = {SIM_FAULT_KILLS, SIM_FAULT_CORRUPTS,
                                                    SIM_FAULT_DRAINS};
    for (int64_t i = 0, at = 0; i < 30; i++, at += small_below(&random, 20)) {
        struct trace_job *job = small_job_of(
            &r.s, small_below(&random, 2) == 0 ? "x" : "y", (char[]){(char)('a' + i), '\0'},
            at * 1000, (1 + small_below(&random, 90)) * 1000, sizes[small_below(&random, 5)]);
        job->sm_util_ppm =
            small_below(&random, 2) == 0 ? 1000 * (int32_t)small_below(&random, 1001) : -1;
    }
    for (int64_t i = 0, at = 1; i < 12; i++, at += 1 + small_below(&random, 40))
        listed_add(&r.s, &l, at, effects[small_below(&random, 3)],
                   (uint32_t)small_below(&random, 4), small_below(&random, 10),
                   small_below(&random, 60))
            ->after_job = small_below(&random, 3) == 0;
    r.s.config.checkpoints = (struct work_checkpoints){
        .given = true, .interval_ms = 20000, .restart_ms = 7000, .on_evict = _i % 2 == 0};
    r.s.config.grace_ms = 3000;
    r.s.config.tick_ms = 1000;
    struct cost cost = finish(&r);
    double last = (double)energy_now_uw(&r.energy, r.s.sim) / 1e6;
    ck_assert_double_eq_tol(cost.kwh * 3.6e6, r.watts[0] - last, 1e-3);
    end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("energy");
    TCase *tcase = tcase_create("energy");
    tcase_add_test(tcase, a_node_draws_power_by_its_jobs);
    tcase_add_test(tcase, the_trace_says_how_busy_devices_are);
    tcase_add_loop_test(tcase, values_missing_in_the_trace_count_fully, 0, ROWS(unsaid));
    tcase_add_test(tcase, nodes_of_a_list_are_of_several_kinds);
    tcase_add_loop_test(tcase, counted_devices_of_a_list_are_of_no_known_kind, 0, 2);
    tcase_add_test(tcase, only_the_window_counts);
    tcase_add_test(tcase, nodes_that_were_bought_depreciate);
    tcase_add_loop_test(tcase, energy_is_paid_for_once, 0, 2);
    tcase_add_test(tcase, each_device_draws_as_its_node_does);
    tcase_add_loop_test(tcase, unknown_values_are_undefined, 0, 6);
    tcase_add_test(tcase, without_figures_nothing_is_observed);
    tcase_add_test(tcase, spot_capacity_costs_only_while_present);
    tcase_add_test(tcase, nodes_that_are_down_draw_nothing);
    tcase_add_loop_test(tcase, power_adds_up_to_energy, 0, 60);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}

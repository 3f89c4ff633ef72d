/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spare nodes: which one replaces which and for how long by arithmetic, how often they are
 * exhausted by the binomial formula, and that nothing is lost in random runs, with all audits.
 */
#include "report/measure/ledger.h"
#include "report/measure/spares.h"
#include "sim/goodput/availability.h"
#include "sim/sources/faults.h"
#include "tests/lib/faults.h"
#include "tests/sim/listed.h"

#include <math.h>

static const uint32_t one[] = {1};

struct world {
    struct small s;
    struct listed l;
    struct ledger ledger;
    struct spares seen;
};

/* Nodes of 8 devices; the last one is a spare that takes 20 s to replace another. */
static struct world *begin(const char *preset, int nodes)
{
    struct world *w = calloc(1, sizeof *w);
    ck_assert_ptr_nonnull(w);
    small_begin(&w->s, preset, "");
    (void)small_pool(&w->s, "n", nodes, 8);
    w->s.config.spares = (struct sim_spares){one, 20000};
    spares_init(&w->seen);
    small_observe(&w->s, ledger_observer(&w->ledger));
    small_observe(&w->s, spares_observer(&w->seen));
    return w;
}

static void fails(struct world *w, int64_t at_s, uint32_t node, int64_t repair_s)
{
    (void)listed_add(&w->s, &w->l, at_s, SIM_FAULT_KILLS, node, 0, repair_s);
}

static void run(struct world *w)
{
    w->s.config.horizon_ms = 400000;
    small_run(&w->s);
    spares_finish(&w->seen, w->s.sim);
}

static void end(struct world *w)
{
    ledger_fini(&w->ledger);
    small_end(&w->s);
    free(w);
}

static int64_t node_s(ledger_amount amount)
{
    ck_assert(amount % (8 * FLEET_WHOLE * 1000) == 0);
    return (int64_t)(amount / (8 * FLEET_WHOLE * 1000));
}

/* ---- by arithmetic; two places, one spare, a job of 100 s that needs both places and loses
 * nothing, 400 s ---- */

static const struct {
    const char *what;
    struct {
        int64_t at_s, repair_s;
        uint32_t node;
    } faults[3];
    int64_t start_s, end_s; /* the last ones of the job of 100 s */
    int64_t down, drained;  /* node-seconds; the spare is drained unless it serves or is down */
    int64_t in_use, exhausted;
} rows[] = {
    {"nothing breaks", {{0}}, 0, 100, 0, 400, 0, 0},
    {"the spare steps in", {{50, 100, 0}}, 70, 120, 100, 400 - 80, 100, 0},
    {"back before the swap", {{50, 10, 0}}, 60, 110, 10, 400, 10, 0},
    {"the spare breaks", {{50, 100, 2}}, 0, 100, 100, 300, 100, 0},
    /* 2 is out until 110, 0 from 60 to 160: from 110 on 2 serves at once, and 0 is the spare */
    {"none is left", {{10, 100, 2}, {60, 100, 0}}, 110, 150, 200, 10 + 240, 150, 50},
    /* 0 is out from 50 to 350, 2 replaces it at 70 and breaks at 80; it returns at 90 */
    {"the stand-in breaks", {{50, 300, 0}, {80, 10, 2}}, 90, 130, 310, 50 + 20 + 50, 300, 10},
    /* it breaks before it has replaced the node: no replacement until it returns, then it serves at
       once */
    {"it breaks on its way", {{50, 300, 0}, {60, 30, 2}}, 90, 140, 330, 50 + 10 + 50, 300, 30},
};

START_TEST(spares_do_what_arithmetic_says)
{
    const int row = _i / 2;
    struct world *w = begin(_i % 2 == 0 ? "fifo" : "runai", 3);
    small_job(&w->s, "a", 0, 100000, 16);
    small_job(&w->s, "late", 399000, 1000, 1); /* keeps the fleet busy to the end of the window */
    for (int i = 0; i < 3 && rows[row].faults[i].repair_s > 0; i++)
        fails(w, rows[row].faults[i].at_s, rows[row].faults[i].node, rows[row].faults[i].repair_s);
    run(w);
    const char *what = rows[row].what;
    ck_assert_msg(small_start(&w->s, "a") == rows[row].start_s * 1000, "%s: starts at %lld", what,
                  (long long)small_start(&w->s, "a"));
    ck_assert_msg(small_stop(&w->s, "a") == rows[row].end_s * 1000, "%s: ends at %lld", what,
                  (long long)small_stop(&w->s, "a"));
    ck_assert_msg(node_s(w->ledger.down) == rows[row].down, "%s: %lld down", what,
                  (long long)node_s(w->ledger.down));
    ck_assert_msg(node_s(w->ledger.drained) == rows[row].drained, "%s: %lld drained", what,
                  (long long)node_s(w->ledger.drained));
    ck_assert_msg(fabs(w->seen.in_use_ms / 1000 - (double)rows[row].in_use) < 1e-6, "%s: %f in use",
                  what, w->seen.in_use_ms / 1000);
    ck_assert_msg(w->seen.exhausted_ms == rows[row].exhausted * 1000, "%s: %lld exhausted", what,
                  (long long)w->seen.exhausted_ms);
    ck_assert_int_eq(w->seen.span_ms, 400000);
    ck_assert_uint_eq(w->seen.peak, rows[row].in_use > 0);
    end(w);
}
END_TEST

/* No gang may rely on spares: one that needs a spare is an error, one larger than the fleet never
 * fits. */
START_TEST(a_gang_that_needs_a_spare_is_an_error)
{
    struct world *w = begin("fifo", 3);
    small_job(&w->s, "a", 0, 100000, 24);
    ck_assert(!small_try(&w->s));
    ck_assert_int_eq(w->s.err.code, EXIT_INPUT);
    ck_assert_ptr_nonnull(strstr(w->s.err.msg, "wants 24 GPUs, and without spare nodes"));
    end(w);
    w = begin("fifo", 3);
    small_job(&w->s, "a", 0, 100000, 32);
    small_job(&w->s, "b", 0, 100000, 16);
    run(w);
    ck_assert_int_eq(small_stop(&w->s, "b"), 100000);
    end(w);
}
END_TEST

/* ---- the formula ---- */

/*
 * Faults of a node are memoryless, also while it is out; it is up with probability exp(-rate x
 * repair), independently of the others. So more than s of n + s are out for a share P(Bin(n + s, 1
 * - A) > s) of the time.
 */
static double exhausted(uint32_t places, uint32_t spares, double mtbf_h, double mttr_h,
                        int64_t days)
{
    struct world *w = calloc(1, sizeof *w);
    ck_assert_ptr_nonnull(w);
    small_begin(&w->s, "fifo", "");
    w->s.silent = true;
    w->s.config.audit = false;
    (void)small_pool(&w->s, "n", (int)(places + spares), 8);
    (void)small_job(&w->s, "ever", 0, 1000000 * TEST_DAY_MS, 1);
    struct fault_profile profile = test_plain_profile();
    struct fault_class *host = &profile.classes[FAULT_HOST];
    host->rate = fault_rate_of_hours(mtbf_h);
    host->drain = host->drain_hardware = FAULT_DRAIN_NOW;
    host->transient_share = 1;
    host->transient = (struct fault_span){.kind = FAULT_SPAN_FIXED, .a = mttr_h * 3600};
    const struct fault_pool pool = test_pool(&profile, places + spares);
    struct fault_source *source =
        fault_source_create(&(struct fault_source_options){.fleet = &w->s.fleet,
                                                           .profile = &profile,
                                                           .pools = &pool,
                                                           .horizon_ms = days * TEST_DAY_MS},
                            7);
    w->s.config.faults = fault_source_faults(source);
    w->s.config.spares = (struct sim_spares){&spares, 300000};
    w->s.config.horizon_ms = days * TEST_DAY_MS;
    w->s.config.drain = false;
    spares_init(&w->seen);
    small_observe(&w->s, spares_observer(&w->seen));
    small_run(&w->s);
    spares_finish(&w->seen, w->s.sim);
    double share = (double)w->seen.exhausted_ms / (double)w->seen.span_ms;
    end(w);
    fault_source_destroy(source);
    return share;
}

START_TEST(spares_are_exhausted_as_the_binomial_formula_says)
{
    const uint32_t places = 40;
    const double mtbf_h = 200, mttr_h = 8, available = exp(-mttr_h / mtbf_h), risk = 0.01;
    uint32_t enough = availability_spares(places, available, risk);
    ck_assert_uint_gt(enough, 2);
    double share = exhausted(places, enough, mtbf_h, mttr_h, 20000);
    ck_assert_msg(share < risk, "%u spares: exhausted %.4f of the time", enough, share);
    for (uint32_t spares = enough - 3; spares <= enough; spares++) {
        double expected = 1 - availability_at_least(places + spares, places, available);
        double got = exhausted(places, spares, mtbf_h, mttr_h, 20000);
        ck_assert_msg(fabs(got / expected - 1) < 0.1,
                      "%u spares: exhausted %.4f, not %.4f of the time", spares, got, expected);
    }
}
END_TEST

/* ---- random runs ---- */

static void draw_world(struct world *w, uint64_t *r)
{
    int64_t at_s = 0;
    for (int i = 0; i < 25; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "j%d", i);
        at_s += small_below(r, 40);
        small_job(&w->s, id, at_s * 1000, (1 + small_below(r, 200)) * 1000,
                  (int64_t)1 << small_below(r, 6));
    }
    at_s = 0;
    for (int i = 0; i < 40; i++) {
        static const enum sim_fault_effect effects[] = {SIM_FAULT_KILLS, SIM_FAULT_KILLS,
                                                        SIM_FAULT_DRAINS};
        at_s += small_below(r, 40);
        struct sim_fault *f =
            listed_add(&w->s, &w->l, at_s, effects[small_below(r, 3)], (uint32_t)small_below(r, 6),
                       small_below(r, 2) * 10, small_below(r, 120));
        f->after_job = f->effect == SIM_FAULT_KILLS && small_below(r, 3) == 0;
    }
}

START_TEST(whatever_breaks_places_are_filled_and_jobs_end)
{
    static const uint32_t two[] = {2};
    for (uint64_t seed = (uint64_t)_i; seed < 200; seed += 10 * (uint64_t)harness_thin()) {
        uint64_t r = seed;
        struct world *w = begin(seed % 2 == 0 ? "fifo" : "runai", 6);
        w->s.silent = true;
        w->s.config.spares = (struct sim_spares){two, small_below(&r, 3) * 15000};
        w->s.config.checkpoints =
            (struct work_checkpoints){.given = true, .interval_ms = 30000, .restart_ms = 10000};
        draw_world(w, &r);
        ck_assert_msg(small_try(&w->s), "seed %llu: %s", (unsigned long long)seed, w->s.err.msg);
        ck_assert_uint_eq(w->s.sim->ended, 25);
        const struct ledger *l = &w->ledger;
        ck_assert(l->installed - ledger_productive(l) ==
                  l->down + l->drained + l->idle_no_demand + l->idle_fragmented + l->idle_blocked +
                      l->user_lost + l->preemption + l->failure + l->hung + l->checkpoint +
                      l->restart + l->startup + l->hold + l->slowdown);
        end(w);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spares");
    TCase *tcase = tcase_create("spares");
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, spares_do_what_arithmetic_says, 0, 2 * ROWS(rows));
    tcase_add_test(tcase, a_gang_that_needs_a_spare_is_an_error);
    tcase_add_loop_test(tcase, whatever_breaks_places_are_filled_and_jobs_end, 0, 10);
    if (harness_whole())
        tcase_add_test(tcase, spares_are_exhausted_as_the_binomial_formula_says);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}

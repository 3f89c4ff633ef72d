/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Properties of speeds that hold on any fleet: random node types, models and jobs, each run once as
 * drawn and once with a change whose effect is known.
 *
 *     more nodes, of any type                          no change for a job that stays in place
 *     faster devices, faster NICs, more NICs           it is never slower
 *     another type in the fleet, another pool          the same
 *     all times by a factor                            all results by that factor
 *     half of the nodes under another name and type    the same
 *     the recorded nodes twice as fast                 with `off` it takes twice as long
 *
 * The job takes the lowest nodes that fit, without interruption, so more nodes behind them do not
 * move it.
 */
#include "tests/sim/speed_world.h"

enum { TRIALS = 60, PARTS = 6, KINDS = 3 };

/* One fleet and one job. */
struct drawn {
    enum sim_network_mode mode;
    struct node_traits traits[KINDS]; /* of the fleet, of what is added, of the job's recording */
    double device[KINDS];
    int node_gpus[KINDS];
    int nodes, added;
    bool renamed; /* every other node has a type of its own with the same figures */
    int tasks, gpus;
    struct perf_model model;
    int64_t duration_ms, submit_ms;
};

static double draw(uint64_t *r, double low, double high)
{
    return low + (high - low) * (double)small_below(r, 1000) / 999;
}

static struct node_traits draw_traits(uint64_t *r, int gpus)
{
    static const int nics[] = {1, 2, 4, 8};
    struct node_traits traits = {.links = small_below(r, 2) == 0 ? LINKS_SWITCH : LINKS_PAIRS,
                                 .busbw_gbps = draw(r, 20, 800),
                                 .pair_gbps = draw(r, 100, 200),
                                 .pcie_gbps = draw(r, 10, 40),
                                 .nvlink_nodes = 1,
                                 .network = NETWORK_INFINIBAND,
                                 .nics = nics[small_below(r, 4)],
                                 .nic_gbit = draw(r, 10, 800)};
    for (int i = 0; i < gpus; i++)
        traits.nic_of[i] = i * traits.nics / gpus;
    return traits;
}

static struct drawn draw_world(uint64_t seed)
{
    static const enum sim_network_mode modes[] = {SIM_NETWORK_OFF, SIM_NETWORK_PLACEMENT,
                                                  SIM_NETWORK_CONTENTION};
    uint64_t r = seed;
    struct drawn d = {.mode = modes[small_below(&r, 3)], .model = perf_model_empty()};
    for (int k = 0; k < KINDS; k++) {
        d.node_gpus[k] = k == 0 || small_below(&r, 2) == 0 ? 8 : 4;
        d.traits[k] = draw_traits(&r, d.node_gpus[k]);
        d.device[k] = draw(&r, 0.1, 5);
    }
    d.tasks = 1 + (int)small_below(&r, 5);
    d.gpus = 1 + (int)small_below(&r, 8);
    d.nodes = d.tasks + (int)small_below(&r, 3);
    d.model.weak = small_below(&r, 2) == 0;
    d.model.work_s = draw(&r, 0.5, 50);
    d.model.gradient_gb = draw(&r, 0, 20);
    d.model.overlap = draw(&r, 0, 0.9);
    d.model.fixed_s = draw(&r, 0, 0.1);
    d.model.tensor_parallel = 1 << small_below(&r, 3);
    d.model.tensor_gb = draw(&r, 0, 5);
    d.model.pipeline_parallel = 1 + (int)small_below(&r, 3);
    d.model.micro_batches = 1 + (double)small_below(&r, 32);
    d.duration_ms = 100000 + small_below(&r, 1000000);
    d.submit_ms = small_below(&r, 1000);
    return d;
}

/* When the job ends, and what it lost by its placement. */
struct result {
    int64_t run_ms;
    ledger_amount slowdown, productive, work;
};

static void set_kinds(struct world *w, const struct drawn *d, struct sim_node_kind kinds[KINDS + 1])
{
    static const char *const types[KINDS] = {"own", "other", "there"};
    for (int k = 0; k < KINDS; k++)
        kinds[k] = (struct sim_node_kind){.traits = &d->traits[k],
                                          .gpu_type = types[k],
                                          .name = types[k],
                                          .gpus = d->node_gpus[k]};
    kinds[KINDS] = kinds[0];
    kinds[KINDS].name = "the same under another name";
    for (int i = 0; i < d->nodes; i++)
        w->kind_of[i] = d->renamed && i % 2 == 1 ? KINDS : 0;
    for (int i = 0; i < d->added; i++)
        w->kind_of[d->nodes + i] = 1;
}

static struct result run(const struct drawn *d)
{
    struct world *w = speed_begin("fifo", "placement=first-fit", d->mode, d->nodes);
    struct sim_node_kind kinds[KINDS + 1];
    struct perf_device_speed speeds[KINDS] = {
        {"own", d->device[0]}, {"other", d->device[1]}, {"there", d->device[2]}};
    if (d->added > 0) {
        (void)small_pool(&w->s, "added", d->added, d->node_gpus[1]);
        fabric_tree_fini(&w->tree);
        speed_tree(w, (uint32_t)(d->nodes + d->added));
    }
    for (uint32_t i = 0; i < 2; i++) /* uplinks are not under test */
        w->tree.capacity_kbps[w->tree.tiers[1].first + i] = FABRIC_UNLIMITED;
    for (uint32_t i = 0; i < 2; i++)
        w->tree.ratio[w->tree.tiers[1].first + i] = 1;
    set_kinds(w, d, kinds);
    w->model = d->model;
    w->model.speeds = speeds;
    w->model.speed_count = KINDS;
    w->s.config.network.kinds = kinds;
    w->s.config.network.kind_count = KINDS + 1;
    w->s.config.network.recorded_on = &kinds[2];
    struct trace_job *job = speed_gang(w, "a", 0, 0, d->tasks, d->gpus);
    job->class = TRACE_TRAIN;
    job->submit_ms = job->eligible_ms = d->submit_ms;
    job->duration_ms = d->duration_ms;
    small_run(&w->s);
    struct result result = {.run_ms = small_stop(&w->s, "a") - small_start(&w->s, "a"),
                            .slowdown = w->ledger.slowdown,
                            .productive = ledger_productive(&w->ledger),
                            .work = ledger_work(&w->ledger)};
    ck_assert(w->ledger.installed - result.productive == speed_losses(&w->ledger));
    ck_assert(result.productive <= ledger_running(&w->ledger));
    speed_end(w);
    return result;
}

static void same(uint64_t seed, const char *what, const struct result *a, const struct result *b)
{
    ck_assert_msg(a->run_ms == b->run_ms && a->slowdown == b->slowdown && a->work == b->work,
                  "trial %llu, %s: %lld ms, before %lld", (unsigned long long)seed, what,
                  (long long)b->run_ms, (long long)a->run_ms);
}

/* Speeds are whole millionths. */
static void no_slower(uint64_t seed, const char *what, const struct result *a,
                      const struct drawn *changed)
{
    struct result b = run(changed);
    ck_assert_msg((double)b.run_ms <= (double)a->run_ms * (1 + 1e-5) + 1,
                  "trial %llu, %s: %lld ms, before %lld", (unsigned long long)seed, what,
                  (long long)b.run_ms, (long long)a->run_ms);
}

static void one_trial(uint64_t seed)
{
    const struct drawn d = draw_world(seed);
    const struct result base = run(&d);
    const double gpu_ms = (double)d.duration_ms * d.tasks * d.gpus * 1000;
    ck_assert_double_lt(fabs((double)base.work / gpu_ms - 1),
                        1e-3); /* the same work on any fleet */

    struct drawn c = d;
    c.added = 1 + (int)(seed % 4);
    struct result more = run(&c);
    same(seed, "more nodes", &base, &more);
    c.device[1] *= 3;
    c.traits[1].nic_gbit *= 2;
    more = run(&c);
    same(seed, "more and faster nodes", &base, &more);

    c = d;
    c.renamed = true;
    more = run(&c);
    same(seed, "another name", &base, &more);

    c = d;
    c.device[0] *= 1.7;
    no_slower(seed, "faster devices", &base, &c);
    c = d;
    c.traits[0].nic_gbit *= 2;
    no_slower(seed, "faster NICs", &base, &c);
    c = d;
    c.traits[0].nics = 8;
    for (int i = 0; i < 8; i++)
        c.traits[0].nic_of[i] = i;
    no_slower(seed, "more NICs", &base, &c);

    c = d;
    c.duration_ms *= 7;
    c.submit_ms *= 7;
    more = run(&c);
    ck_assert_msg(llabs(more.run_ms - 7 * base.run_ms) <= 7,
                  "trial %llu, times by 7: %lld ms, before %lld", (unsigned long long)seed,
                  (long long)more.run_ms, (long long)base.run_ms);

    c = d;
    c.device[2] *= 2;
    more = run(&c);
    if (d.mode == SIM_NETWORK_OFF)
        ck_assert_double_lt(fabs((double)more.run_ms / (double)base.run_ms - 2), 1e-3);
    else
        ck_assert_int_ge(more.run_ms + more.run_ms / 100000 + 1, base.run_ms);
}

START_TEST(speeds_hold_whatever_the_fleet)
{
    for (uint64_t i = 0; i < TRIALS / PARTS; i++)
        one_trial(1 + (uint64_t)_i * (TRIALS / PARTS) + i);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("speeds");
    tcase_add_loop_test(tcase, speeds_hold_whatever_the_fleet, 0, PARTS);
    Suite *suite = suite_create("speed_random");
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}

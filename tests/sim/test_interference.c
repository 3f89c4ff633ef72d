/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slowdowns besides placement, by arithmetic through runs: time slices, virtual NICs, cores and
 * NICs remote from the devices, too few cores. Nodes are those of speed_world.h, with two sockets
 * of two NUMA domains each and two devices per domain; an hour of work unless noted.
 */
#include "tests/sim/speed_world.h"

static struct node_traits domains_node(void)
{
    struct node_traits traits = speed_node;
    traits.sockets = 2;
    traits.numa = 4;
    for (int i = 0; i < GPUS; i++)
        traits.numa_of[i] = i / 2;
    return traits;
}

static struct world *world_of(struct node_traits *traits, enum sim_network_mode mode, int nodes)
{
    struct world *w = speed_begin("fifo", "placement=spread", mode, nodes);
    *traits = domains_node();
    w->kinds[0].traits = traits;
    for (uint32_t i = 0; i < 2; i++)
        w->tree.ratio[w->tree.tiers[1].first + i] = 1;
    return w;
}

static double slowdown_of(struct world *w, const char *id)
{
    return (double)(small_stop(&w->s, id) - small_start(&w->s, id)) / 3600000;
}

static void expect(struct world *w, const char *id, double slowdown, const char *what)
{
    double got = slowdown_of(w, id);
    double slack = slowdown * slowdown * 0.6e-6 +
                   1e-6; /* a speed in whole millionths, an end in milliseconds */
    ck_assert_msg(got > slowdown - slack && got < slowdown + slack, "%s: %.7f, expected %.7f", what,
                  got, slowdown);
    ck_assert(w->ledger.installed - ledger_productive(&w->ledger) == speed_losses(&w->ledger));
}

/* ---- devices ---- */

/* Time slices: two tenants have 0.94 / 2 each, three 0.94 / 3; side by side, two unknown tenants
 * keep 1.37 / 2. */
static const struct {
    const char *what;
    enum perf_sharing sharing;
    int tenants;
    double slowdown;
} sharing_rows[] = {
    {"one in turn", PERF_SHARING_TIMESLICES, 1, 1},
    {"two in turn", PERF_SHARING_TIMESLICES, 2, 2 / 0.94},
    {"three in turn", PERF_SHARING_TIMESLICES, 3, 3 / 0.94},
    {"two side by side", PERF_SHARING_MPS, 2, 1 / 0.685},
};

START_TEST(tenants_go_in_turn)
{
    struct world *w = speed_begin("fifo", "placement=binpack", SIM_NETWORK_PLACEMENT, 1);
    w->s.config.network.interference.sharing = sharing_rows[_i].sharing;
    w->model.work_s = 10;
    for (int i = 0; i < sharing_rows[_i].tenants; i++) {
        struct trace_job *job = speed_gang(w, (const char *[]){"a", "b", "c"}[i], 0, 3600, 1, 1);
        job->gpu_milli = 300;
        job->class = TRACE_TRAIN;
    }
    small_run(&w->s);
    expect(w, "a", sharing_rows[_i].slowdown, sharing_rows[_i].what);
    speed_end(w);
}
END_TEST

/* ---- virtual NICs ---- */

/*
 * W = S = 40. On one node 5 + 7/4 x 40/100 = 5.7 s, the best. On two nodes of four the tree has 7/4
 * of the rate of 4 NICs: 5 + 40/4 = 15 s; with a third of it 5 + 40/(4 x 0.33), with 0.30 5 + 40/(4
 * x 0.3).
 */
static const struct {
    const char *vnic;
    double step_s;
} vnic_rows[] = {
    {"direct", 15},
    {"sr-iov", 15},
    {"tcp-vnic", 5 + 40 / (4 * .33)},
    {"pod-net", 5 + 40 / (4 * .30)},
};

START_TEST(virtual_nics_slow_down_jobs_across_nodes)
{
    for (int mode = SIM_NETWORK_PLACEMENT; mode <= SIM_NETWORK_CONTENTION; mode++) {
        struct node_traits traits;
        struct world *w = world_of(&traits, (enum sim_network_mode)mode, 4);
        w->kinds[0].vnic = perf_vnic_find(vnic_rows[_i].vnic);
        ck_assert_ptr_nonnull(w->kinds[0].vnic);
        w->model.work_s = w->model.gradient_gb = 40;
        speed_gang(w, "spread", 0, 3600, 2, 4)->class = TRACE_TRAIN;
        speed_gang(w, "whole", 0, 3600, 1, 8)->class = TRACE_TRAIN;
        small_run(&w->s);
        expect(w, "spread", vnic_rows[_i].step_s / 5.7, vnic_rows[_i].vnic);
        expect(w, "whole", 1, "on one node");
        speed_end(w);
    }
}
END_TEST

/* Uplinks oversubscribed 2:1 carry half of each NIC; a virtual NIC of a third wants no more than
 * that. */
START_TEST(uplinks_carry_what_virtual_nics_send)
{
    struct node_traits traits;
    struct world *w = world_of(&traits, SIM_NETWORK_PLACEMENT, 4);
    w->kinds[0].vnic = perf_vnic_find("tcp-vnic");
    for (uint32_t i = 0; i < 2; i++)
        w->tree.ratio[w->tree.tiers[1].first + i] = 2;
    w->model.work_s = w->model.gradient_gb = 40;
    speed_gang(w, "spread", 0, 3600, 2, 4)->class = TRACE_TRAIN;
    small_run(&w->s);
    expect(w, "spread", (5 + 40 / (4 * .33)) / 5.7, "below the uplink's share");
    speed_end(w);
}
END_TEST

/* ---- cores and NICs next to the devices ---- */

/*
 * 1.1 for remote cores. Eight devices have all domains; four of one node (0 to 3) have one socket
 * of two. Two nodes of four, no gradients: the same. With gradients of 40 GB and virtual functions
 * of NICs 0.67 of these, so 1.1 x 5 + 40/(4 x 0.67) s; NICs visible to everybody are found.
 */
static const struct {
    const char *what, *vnic;
    bool numa;
    int tasks, gpus;
    double gradient_gb, step_s, best_s;
} numa_rows[] = {
    {"kept next to it", NULL, false, 1, 4, 0, 10, 10},
    {"one socket of two", NULL, true, 1, 4, 0, 11, 10},
    {"all devices", NULL, true, 1, 8, 0, 5, 5},
    {"two nodes", NULL, true, 2, 4, 0, 5.5, 5},
    {"functions of a NIC", "sr-iov", true, 2, 4, 40, 5.5 + 40 / (4 * .67), 5.7},
    {"that are kept too", "sr-iov", false, 2, 4, 40, 15, 5.7},
    {"NICs are there", "direct", true, 2, 4, 40, 15.5, 5.7},
    {"all devices, all NICs", "sr-iov", true, 2, 8, 0, 2.5, 2.5},
};

START_TEST(cores_and_nics_may_be_remote)
{
    struct node_traits traits;
    struct world *w = world_of(&traits, SIM_NETWORK_PLACEMENT, 4);
    w->s.config.network.interference.numa = numa_rows[_i].numa;
    w->kinds[0].vnic = numa_rows[_i].vnic != NULL ? perf_vnic_find(numa_rows[_i].vnic) : NULL;
    w->model.work_s = 40;
    w->model.numa = 1.1;
    w->model.gradient_gb = numa_rows[_i].gradient_gb;
    speed_gang(w, "a", 0, 3600, numa_rows[_i].tasks, numa_rows[_i].gpus)->class = TRACE_TRAIN;
    small_run(&w->s);
    expect(w, "a", numa_rows[_i].step_s / numa_rows[_i].best_s, numa_rows[_i].what);
    speed_end(w);
}
END_TEST

/* ---- cores ---- */

/*
 * Four devices compute 4 s per step of 80 samples; each sample needs 0.4 core-seconds, so 8 cores
 * are enough. A node of 16 cores gives a task without a request half of them with half of the
 * devices: enough, too; a node of 8 cores gives it four, so 8 s. A task that requests two cores
 * takes 16 s, whatever the node has.
 */
static const struct {
    const char *what;
    bool cpu;
    int64_t node_milli, asks_milli;
    double slowdown;
} core_rows[] = {
    {"not looked at", false, 8000, 0, 1},
    {"its part is enough", true, 16000, 0, 1},
    {"its part is too small", true, 8000, 0, 2},
    {"it asks for few", true, 16000, 2000, 4},
    {"as it always had them", false, 16000, 2000, 1},
    {"nobody knows", true, -1, 0, 1},
};

START_TEST(few_cores_slow_down_jobs_that_want_more)
{
    struct node_traits traits;
    struct world *w = world_of(&traits, SIM_NETWORK_PLACEMENT, 1);
    w->s.fleet.nodes[0].cpu_milli = core_rows[_i].node_milli;
    w->s.config.network.interference.cpu = core_rows[_i].cpu;
    w->model.work_s = 16;
    w->model.batch = 80;
    w->model.input_core_s = 0.4;
    struct trace_job *job = speed_gang(w, "a", 0, 3600, 1, 4);
    job->class = TRACE_TRAIN;
    job->cpu_milli = core_rows[_i].asks_milli;
    small_run(&w->s);
    expect(w, "a", core_rows[_i].slowdown, core_rows[_i].what);
    speed_end(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interference");
    TCase *tcase = tcase_create("interference");
    tcase_add_loop_test(tcase, tenants_go_in_turn, 0, ROWS(sharing_rows));
    tcase_add_loop_test(tcase, virtual_nics_slow_down_jobs_across_nodes, 0, ROWS(vnic_rows));
    tcase_add_test(tcase, uplinks_carry_what_virtual_nics_send);
    tcase_add_loop_test(tcase, cores_and_nics_may_be_remote, 0, ROWS(numa_rows));
    tcase_add_loop_test(tcase, few_cores_slow_down_jobs_that_want_more, 0, ROWS(core_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}

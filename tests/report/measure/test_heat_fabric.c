/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heat map by levels of the fabric: devices and uplinks by arithmetic, and the number of rows.
 */
#include "report/measure/heat.h"
#include "report/measure/series.h"
#include "tests/lib/folder.h"
#include "tests/sim/listed.h"
#include "tests/sim/speed_world.h"

/* Nodes with `gpus` GPUs, the first `leaf` in one leaf, the next in another, ... */
static void add_nodes(struct fleet *fleet, int nodes, int gpus, int leaf)
{
    fleet_add_level(fleet, "leaf");
    fleet_close_levels(fleet);
    uint32_t pool = fleet_add_pool(fleet, "p");
    for (int i = 0; i < nodes; i++) {
        char name[32], domain[32];
        (void)snprintf(name, sizeof name, "p-%d", i);
        (void)snprintf(domain, sizeof domain, "p-leaf-%d", i / leaf);
        uint32_t at = fleet_domain(fleet, 0, domain);
        fleet_add_node(fleet, &(struct fleet_node){.name = name,
                                                   .pool = pool,
                                                   .rank = (uint32_t)i,
                                                   .gpus = gpus,
                                                   .cpu_milli = -1,
                                                   .mem_mib = -1,
                                                   .max_tasks = -1,
                                                   .domains = &at});
    }
}

/* Like a run that samples its timeline, but only the heat map gets the samples. */
static void tick(void *self, const struct sim *sim, int64_t at_ms)
{
    heat_tick(self, sim, at_ms);
}

static char *fabric_of(struct small *s, struct series *series, int64_t tick_ms)
{
    struct folder folder;
    struct sim_observer observer = series_observer(series);
    observer.tick = tick;
    s->config.tick_ms = tick_ms;
    small_observe(s, observer);
    small_run(s);
    folder_make(&folder);
    ck_assert(heat_write(series, s->sim, folder.path, &s->err));
    char *text = folder_has(&folder, "fabric.csv") ? folder_read(&folder, "fabric.csv") : NULL;
    folder_remove(&folder);
    return text;
}

/*
 * Leaves of two nodes of 2 GPUs, intervals of 10 s. a has one of the first four GPUs for 20 s, b
 * all of the other leaf from 5 to 15; node 1 is down from 0 to 10, so a has one of two until then,
 * and of four after that.
 */
START_TEST(cells_are_shares_of_domains)
{
    struct small s;
    struct listed l = {0};
    struct series series = {0};
    small_begin(&s, "fifo", "");
    add_nodes(&s.fleet, 4, 2, 2);
    small_job(&s, "a", 0, 20000, 1);
    struct trace_job *b = small_job(&s, "b", 5000, 10000, TRACE_UNKNOWN);
    b->tasks = b->min_tasks = b->max_tasks = 2;
    b->gpus = 2;
    listed_add(&s, &l, 0, SIM_FAULT_KILLS, 1, 0, 10);
    char *text = fabric_of(&s, &series, 10000);
    ck_assert_str_eq(text, "domain,0,10\np-leaf-0,0.5,0.25\np-leaf-1,0.5,0.5\n");
    free(text);
    series_fini(&series);
    small_end(&s);
}
END_TEST

/* Never more than 64 rows, whatever the fleet; the last one may have fewer domains. */
START_TEST(many_domains_share_rows)
{
    static const struct {
        int nodes, leaf;
        size_t rows;
        const char *last;
    } shapes[] = {
        {64, 1, 64, "p-leaf-63,"},
        {65, 1, 33, "p-leaf-64,"},
        {200, 1, 50, "p-leaf-196..p-leaf-199,"},
        {200, 50, 4, "p-leaf-3,"},
    };
    struct small s;
    struct series series = {0};
    small_begin(&s, "fifo", "");
    add_nodes(&s.fleet, shapes[_i].nodes, 1, shapes[_i].leaf);
    small_job(&s, "a", 0, 10000, 1);
    char *text = fabric_of(&s, &series, 10000);
    size_t lines = 0;
    const char *last = text;
    for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1, lines++)
        last = at;
    ck_assert_uint_eq(lines, 1 + shapes[_i].rows);
    ck_assert_mem_eq(last, shapes[_i].last, strlen(shapes[_i].last));
    free(text);
    series_fini(&series);
    small_end(&s);
}
END_TEST

/* All nodes in one leaf, or in none: the level does not distinguish them. */
START_TEST(a_single_domain_does_not_count)
{
    struct small s;
    struct series series = {0};
    small_begin(&s, "fifo", "");
    add_nodes(&s.fleet, 4, 1, 4);
    small_job(&s, "a", 0, 10000, 1);
    ck_assert_ptr_null(fabric_of(&s, &series, 10000));
    series_fini(&series);
    small_end(&s);
}
END_TEST

/*
 * Nodes 0 and 2 are below one leaf, 1 and 3 below the other, with uplinks of 8 GB/s. A job on two
 * nodes with W = S = 16 communicates for 2 of 3 s and uses all 8 GB/s then: 0.667 of the time while
 * it runs, from 0 to 20 s of 30.
 */
START_TEST(uplinks_are_used_for_the_time_in_which_jobs_talk)
{
    struct world *w = speed_begin("fifo", "", SIM_NETWORK_CONTENTION, 0);
    struct series series = {0};
    fleet_fini(&w->s.fleet);
    fleet_init(&w->s.fleet);
    fleet_add_level(&w->s.fleet, "leaf");
    fleet_close_levels(&w->s.fleet);
    uint32_t pool = fleet_add_pool(&w->s.fleet, "p");
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t at = fleet_domain(&w->s.fleet, 0, i % 2 == 0 ? "even" : "odd");
        fleet_add_node(&w->s.fleet, &(struct fleet_node){.name = "n",
                                                         .pool = pool,
                                                         .rank = i,
                                                         .gpus = GPUS,
                                                         .cpu_milli = -1,
                                                         .mem_mib = -1,
                                                         .max_tasks = -1,
                                                         .domains = &at});
    }
    fabric_tree_fini(&w->tree);
    speed_tree(w, 4);
    w->model.work_s = w->model.gradient_gb = 16;
    (void)speed_gang(w, "a", 0, 20, 2, 8);
    speed_gang(w, "b", 0, 30, 1, 8)->class = TRACE_TRAIN;
    char *text = fabric_of(&w->s, &series, 10000);
    ck_assert_str_eq(text, "domain,0,10,20\neven,1,1,0.5\nodd,0.5,0.5,0\n"
                           "uplinks even,0.667,0.667,0\nuplinks odd,0.667,0.667,0\n");
    free(text);
    series_fini(&series);
    speed_end(w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("heat_fabric");
    TCase *tcase = tcase_create("heat_fabric");
    tcase_add_test(tcase, cells_are_shares_of_domains);
    tcase_add_loop_test(tcase, many_domains_share_rows, 0, 4);
    tcase_add_test(tcase, a_single_domain_does_not_count);
    tcase_add_test(tcase, uplinks_are_used_for_the_time_in_which_jobs_talk);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}

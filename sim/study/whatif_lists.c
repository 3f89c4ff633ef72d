/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of jobs; see whatif_lists.h. */
#include "sim/study/whatif_lists.h"

#include "report/words/units.h"
#include "sim/base/mem.h"

#include <stdlib.h>

#define SHOWN   ((size_t)20)
#define COLUMNS 7

static const struct {
    const char *key, *title;
} fates[FATES] = {
    [FATE_EVICTED] = {"newly_evicted", "Evicted in B and not in A"},
    [FATE_DISPLACED] = {"newly_displaced", "Without their nodes in B when it begins"},
    [FATE_NEVER_FITS] = {"newly_never_fits", "Waiting in B for more than its whole fleet has"},
};

static char *gpus_text(int64_t milli)
{
    return mem_format("%.10g", (double)milli / 1000);
}

static char *share_text(int replicas, int all)
{
    return all == 1 ? mem_text("-") : mem_format("%d of %d", replicas, all);
}

/* Seconds on the clock of the world, as everywhere where times are named. */
static char *when_text(const struct watch_case *c)
{
    return c->fate == FATE_EVICTED ? mem_format("%.10g s", (double)c->at_ms / 1000) : mem_text("");
}

static void fill_row(char **cells, const struct watch_case *c, int replicas)
{
    char *row[COLUMNS] = {mem_text(c->job),
                          mem_text(c->queue),
                          mem_text(c->class),
                          gpus_text(c->gpu_milli),
                          share_text(c->replicas, replicas),
                          when_text(c),
                          mem_text(c->reason)};
    for (int i = 0; i < COLUMNS; i++)
        cells[i] = row[i];
}

static struct comparison_list list_of(struct watch *w, enum watch_fate fate, int replicas)
{
    static const char *const head[COLUMNS] = {"job",      "queue",    "class", "GPUs",
                                              "replicas", "first at", "reason"};
    size_t count;
    const struct watch_case *cases = watch_cases(w, fate, &count);
    struct comparison_list list = {
        .title = mem_format("%s: %zu job%s%s", fates[fate].title, count, count == 1 ? "" : "s",
                            replicas > 1 ? " in one replica or more" : ""),
        .id = fates[fate].key,
        .head = head,
        .columns = fate == FATE_EVICTED ? COLUMNS : COLUMNS - 2,
        .rows = count < SHOWN ? count : SHOWN,
        .more =
            count > SHOWN ? mem_format("and %zu more (--json has them all)", count - SHOWN) : NULL,
    };
    list.cells = mem_alloc(list.rows * list.columns + COLUMNS, sizeof *list.cells);
    for (size_t i = 0; i < list.rows; i++) {
        char *row[COLUMNS];
        fill_row(row, &cases[i], replicas);
        for (size_t k = 0; k < COLUMNS; k++)
            if (k < list.columns)
                list.cells[i * list.columns + k] = row[k];
            else
                free(row[k]);
    }
    return list;
}

struct comparison_list *whatif_lists(struct watch *w, int replicas, size_t *count)
{
    struct comparison_list *lists = mem_alloc(FATES, sizeof *lists);
    *count = 0;
    for (int fate = 0; fate < FATES; fate++) {
        size_t cases;
        (void)watch_cases(w, (enum watch_fate)fate, &cases);
        if (cases > 0)
            lists[(*count)++] = list_of(w, (enum watch_fate)fate, replicas);
    }
    return lists;
}

void whatif_lists_free(struct comparison_list *lists, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < lists[i].rows * lists[i].columns; k++)
            free(lists[i].cells[k]);
        free(lists[i].cells);
        free(lists[i].title);
        free(lists[i].more);
    }
    free(lists);
}

void whatif_lists_json(struct watch *w, int replicas, struct json *j)
{
    for (int fate = 0; fate < FATES; fate++) {
        size_t count;
        const struct watch_case *cases = watch_cases(w, (enum watch_fate)fate, &count);
        json_begin_array(j, fates[fate].key);
        for (size_t i = 0; i < count; i++) {
            const struct watch_case *c = &cases[i];
            json_begin_object(j, NULL);
            json_text(j, "job", c->job);
            json_text(j, "queue", c->queue);
            json_text(j, "class", c->class);
            json_f64(j, "gpus", (double)c->gpu_milli / 1000, 3);
            json_i64(j, "replicas", c->replicas);
            json_f64(j, "share", (double)c->replicas / replicas, 6);
            json_i64(j, "first_replica", c->first_replica);
            if (fate == FATE_EVICTED) {
                json_seconds(j, "at_s", c->at_ms);
                json_text(j, "reason", c->reason);
            }
            json_end_object(j);
        }
        json_end_array(j);
    }
}

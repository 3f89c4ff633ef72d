/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's simulations in child processes (side.h), several at a time. What goes wrong in a child
 * is a finding about its side: a signal, an end without an answer, a limit. What a child reports
 * itself is an error, as it would be in this process.
 *
 *     struct gate_piece pieces[] = {{.task = a}, {.task = b}};
 *     struct gate_batch batch = {.cli = cli, .gate = &gate, .pieces = pieces, .count = 2, .threads
 * = 4}; bool ok = gate_batch_run(&batch, &err);     pieces[i].answer gate_batch_forget(&batch);
 *
 * After a failure only pieces of the same replica are started, to learn whether both sides fail.
 * Findings and the error are those of the first failed pieces in the order of the list, whatever
 * the number of processes.
 */
#ifndef SIM_GATE_CHILDREN_H
#define SIM_GATE_CHILDREN_H

#include "report/gate/findings.h"
#include "sim/gate/side.h"
#include "sim/program/progress.h"
#include "sim/study/replica_store.h"

struct gate_piece {
    struct gate_task task;
    char key[DIGEST_HEX]; /* of its answer in the store; "": it is not stored */
    bool again; /* in another environment: variables have other values, and memory other contents */
    cJSON *answer;              /* out, owned: NULL if there is none */
    struct gate_finding failed; /* out: its texts are NULL when it did not */
    struct err err;             /* out */
};

/* One bar for all looks of a gate. How many simulations there will be is known only for the case
 * that the last look decides. */
struct gate_progress {
    struct progress bar;
    size_t done, most;
};

struct gate_batch {
    const struct cli *cli;
    struct gate *gate; /* findings are added to it */
    struct gate_piece *pieces;
    size_t count;
    int threads;
    struct child_limits limits;
    const struct replica_store *store; /* NULL: none */
    struct gate_progress *progress;    /* NULL: none */
    bool quiet;                        /* failures are no findings: pieces just have no answer */
    bool interrupted;                  /* out: a signal came */
    size_t done;                       /* out: pieces with an answer */
    size_t recalled;                   /* out: of them, from the store */
    struct children work;              /* its own, like all that follows */
    size_t *todo;                      /* pieces that are not in the store */
    size_t todo_count;
    size_t end; /* pieces from here on do not count */
};

/*
 * Returns false with err set if a child could not be started, or reported an error. If this batch
 * has findings it returns true, and some pieces may have no answer.
 */
bool gate_batch_run(struct gate_batch *, struct err *);
void gate_batch_forget(struct gate_batch *); /* answers */

#endif

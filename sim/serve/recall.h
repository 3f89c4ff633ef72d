/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks up accepted records for a client that does not know what became of its requests. */
#ifndef SIM_SERVE_RECALL_H
#define SIM_SERVE_RECALL_H

#include "sim/serve/service.h"

/* The lowest number of a record that can be looked up. */
uint64_t service_first_record(const struct service *);

/* The meaning of a request's record number. */
enum recall_verdict {
    RECALL_NEXT,     /* a new request, to be accepted */
    RECALL_REPEATED, /* accepted before: for a decide, `decisions` has its decisions as members
                        of a list */
    RECALL_WRONG,    /* neither; `error` has the reason */
};
struct recall {
    int64_t record;
    uint64_t count;        /* decisions */
    struct text decisions; /* to be freed by service_recall_fini() */
    char error[256];
};
enum recall_verdict service_recall(struct service *, struct recall *, const struct fact *);
void service_recall_fini(struct recall *);

/* Appends decisions after record `after`, and related members, to `answer`. Returns false with the
 * reason in `error`. */
bool service_recall_decisions(struct service *, uint64_t after, struct text *answer, char *error,
                              size_t size);

#endif

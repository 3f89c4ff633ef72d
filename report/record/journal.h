/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal of decisions. Each decision is a record of 64 bytes (little endian) that is added to
 * a running SHA-256: two runs made the same decisions if and only if the hashes match. The text,
 * journal.jsonl, has one JSON object per decision with the first 16 digits of the running hash, and
 * costs time only if it is requested.
 *
 *     offset  bytes  what
 *          0      8  time, ms
 *          8      8  job, by its number in order of submission
 *         16      8  job served by an eviction, else 2^64-1
 *         24      8  set of devices
 *         32      8  thousandths of devices taken
 *         40      4  task, 2^32-1 when devices are only counted
 *         44      4  node by its number, else 2^32-1
 *         48      4  pool
 *         52      1  kind    53  1  action    54  2  reason
 *         56      8  zero
 */
#ifndef REPORT_RECORD_JOURNAL_H
#define REPORT_RECORD_JOURNAL_H

#include "sim/base/digest.h"
#include "sim/base/json.h"
#include "sim/sim.h"

struct journal {
    struct digest digest;
    struct out *out; /* NULL: hash only */
    uint64_t count;
};

void journal_init(struct journal *);
bool journal_open(struct journal *, const char *dir, const char *policy,
                  struct err *); /* also writes the text */
struct sim_observer journal_observer(struct journal *);
void journal_hex(const struct journal *, char hex[DIGEST_HEX]);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics and scenario keys in words, for readers who do not know the names:
 *
 *     wait_s.p95                       "Wait, p95"
 *     by_class.train.jct_s.mean        "Train: time to completion, mean"
 *     cost.by_queue.vision.usd         "Queue vision: cost, USD"
 *     fleet.pools.main.count           "the nodes of pool main"
 *     queues.vision.gpu.quota          "the GPU quota of queue vision"
 *
 * Names of queues and pools come from the scenario; the caller has to escape them.
 */
#ifndef REPORT_WORDS_LABELS_H
#define REPORT_WORDS_LABELS_H

/* Returns the label of a dotted path in summary.json. The caller frees it. */
char *label_metric(const char *path);

/*
 * Returns the label of a dotted path in a scenario, or the path itself if there is none. The caller
 * frees it.
 */
char *label_key(const char *path);

#endif

/* SPDX-License-Identifier: MIT */
/* A job as it is shown to plugins that order by progress, with what ranking.h knows of it. */
#ifndef POLICY_ORDER_PLUGIN_JOB_H
#define POLICY_ORDER_PLUGIN_JOB_H

#include "state/plugins.h"

/* Fills in everything except roles and seats. */
void pc_plugin_job_fill(const struct policy *, uint32_t job, struct policy_plugin_job *);

#endif

/* SPDX-License-Identifier: MIT */
/* Converts an order to a libslurm request; see send.h. */
#include "policies/adapters/slurm/send.h"

#include <signal.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <time.h>

/* The first error among the answers, one per task if the order was about an array. */
static int result(int status, job_array_resp_msg_t *answers)
{
    int error = status == SLURM_SUCCESS ? SLURM_SUCCESS : slurm_get_errno();
    for (uint32_t i = 0; answers != NULL && i < answers->job_array_count && error == SLURM_SUCCESS;
         i++)
        error = (int)answers->error_code[i];
    if (answers != NULL)
        slurm_free_job_array_resp(answers);
    return error;
}

/*
 * Nodes and release go in one request, so that Slurm never sees one without the other. For a held
 * job, a number instead of INFINITE would be refused. The begin time of a requeued job is in the
 * future; it may start now.
 */
static void release(job_desc_msg_t *update, const struct order *order)
{
    update->req_nodes = order->text;
    update->min_nodes = update->max_nodes = order->nodes;
    update->begin_time = time(NULL);
    update->priority = INFINITE;
}

static int update(const struct order *order)
{
    char nothing[] = "";
    job_array_resp_msg_t *answers = NULL;
    job_desc_msg_t update;
    slurm_init_job_desc_msg(&update);
    update.job_id_str = order->job;
    update.priority = 0;
    if (order->kind == ORDER_RELEASE)
        release(&update, order);
    else if (order->kind == ORDER_HOLD)
        update.req_nodes = nothing;
    else if (*order->text != '\0')
        update.admin_comment = order->text;
    int status = slurm_update_job2(&update, &answers);
    return result(status, answers);
}

static int requeue(const struct order *order)
{
    job_array_resp_msg_t *answers = NULL;
    int status = slurm_requeue2(order->job, 0, &answers);
    return result(status, answers);
}

bool send_order(const struct order *order, const char **why)
{
    int error = order->kind == ORDER_REQUEUE ? requeue(order)
                : order->kind == ORDER_CANCEL
                    ? result(slurm_kill_job2(order->job, SIGKILL, 0, NULL), NULL)
                    : update(order);
    if (error != SLURM_SUCCESS)
        *why = slurm_strerror(error);
    return error == SLURM_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* Converts libslurm's messages to a view; see load.h. */
#include "policies/adapters/slurm/load.h"

#include "policies/adapters/slurm/gres.h"
#include "policies/adapters/slurm/memory.h"

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000)

/* ---- nodes ---- */

static enum view_node_state state_of_node(uint32_t state)
{
    uint32_t base = state & NODE_STATE_BASE;
    const uint32_t gone =
        NODE_STATE_POWERED_DOWN | NODE_STATE_POWERING_DOWN | NODE_STATE_INVALID_REG;
    const uint32_t closed = NODE_STATE_DRAIN | NODE_STATE_FAIL | NODE_STATE_MAINT |
                            NODE_STATE_NO_RESPOND | NODE_STATE_POWERING_UP |
                            NODE_STATE_REBOOT_REQUESTED | NODE_STATE_REBOOT_ISSUED | NODE_STATE_RES;
    if (base == NODE_STATE_DOWN || base == NODE_STATE_UNKNOWN || base == NODE_STATE_ERROR ||
        (state & gone))
        return VIEW_DOWN;
    return state & closed ? VIEW_DRAINING : VIEW_UP;
}

static int compare_nodes(const void *a, const void *b)
{
    return strcmp(((const struct view_node *)a)->name, ((const struct view_node *)b)->name);
}

static void take_nodes(struct view *view, const node_info_msg_t *from)
{
    view->nodes = view_get(view, from->record_count, sizeof *view->nodes);
    for (uint32_t i = 0; i < from->record_count; i++) {
        const node_info_t *n = &from->node_array[i];
        struct gres gres;
        if (n->name == NULL || (n->node_state & NODE_STATE_BASE) == NODE_STATE_FUTURE)
            continue;
        bool known = gres_read(&gres, n->gres);
        view->nodes[view->node_count++] = (struct view_node){
            .name = view_text(view, n->name),
            .gpus = known ? (int32_t)gres.gpus : 0,
            .gpu_type = view_text(view, known ? gres.type : ""),
            .cpus = n->cpus_efctv != 0 && n->cpus_efctv != NO_VAL16 ? n->cpus_efctv : n->cpus,
            .mem_mib = (int64_t)n->real_memory -
                       (n->mem_spec_limit != NO_VAL64 ? (int64_t)n->mem_spec_limit : 0),
            .features = view_text(view, n->features_act != NULL ? n->features_act : n->features),
            .state = known ? state_of_node(n->node_state) : VIEW_DOWN,
        };
    }
    if (view->node_count > 1)
        qsort(view->nodes, view->node_count, sizeof *view->nodes, compare_nodes);
}

static void take_partitions(struct view *view, const partition_info_msg_t *from)
{
    view->partitions = view_get(view, from->record_count, sizeof *view->partitions);
    for (uint32_t i = 0; i < from->record_count; i++) {
        const partition_info_t *p = &from->partition_array[i];
        struct view_partition *to = &view->partitions[view->partition_count++];
        *to = (struct view_partition){view_text(view, p->name),
                                      view_get(view, view->node_count, sizeof *to->has),
                                      p->state_up == PARTITION_UP};
        hostlist_t hosts = slurm_hostlist_create(p->nodes != NULL ? p->nodes : "");
        for (char *host; hosts != NULL && (host = slurm_hostlist_shift(hosts)) != NULL;
             free(host)) {
            uint32_t node = view_find_node(view, host);
            if (node != UINT32_MAX)
                to->has[node] = true;
        }
        slurm_hostlist_destroy(hosts);
    }
}

/* ---- jobs ---- */

static bool begins(const char *text, const char *with)
{
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

static enum view_job_state state_of_pending(const slurm_job_info_t *j)
{
    if (j->priority != 0)
        return VIEW_LOOSE;
    if (j->state_reason == WAIT_HELD_USER && begins(j->admin_comment, LOAD_FRESH))
        return VIEW_FRESH;
    if (j->state_reason == WAIT_HELD_USER)
        return VIEW_NOBODYS;
    return begins(j->admin_comment, LOAD_TAKEN) ? VIEW_HELD : VIEW_NOBODYS;
}

static enum view_job_state state_of_job(const slurm_job_info_t *j)
{
    uint32_t base = j->job_state & JOB_STATE_BASE;
    if (j->job_state & (JOB_COMPLETING | JOB_STAGE_OUT))
        return VIEW_LEAVING;
    if (base == JOB_PENDING)
        return state_of_pending(j);
    if (base == JOB_RUNNING || base == JOB_SUSPENDED)
        return VIEW_RUNNING;
    return base == JOB_COMPLETE ? VIEW_SUCCEEDED : VIEW_FAILED;
}

static void take_places(struct view *view, struct view_job *to, const slurm_job_info_t *j)
{
    hostlist_t hosts = slurm_hostlist_create(j->nodes != NULL ? j->nodes : "");
    int count = hosts != NULL ? slurm_hostlist_count(hosts) : 0;
    struct view_place *places = view_get(view, (size_t)(count > 0 ? count : 0), sizeof *places);
    uint32_t i = 0;
    for (char *host; hosts != NULL && (host = slurm_hostlist_shift(hosts)) != NULL;
         free(host), i++) {
        struct gres gres = {.gpus = 0};
        if (i < j->gres_detail_cnt && j->gres_detail_str != NULL)
            (void)gres_read(&gres, j->gres_detail_str[i]);
        places[i] = (struct view_place){view_find_node(view, host), (int32_t)gres.gpus};
    }
    slurm_hostlist_destroy(hosts);
    to->places = places;
    to->place_count = i;
}

static uint32_t said(uint32_t value)
{
    return value == NO_VAL || value == INFINITE ? 0 : value;
}

static uint32_t said16(uint16_t value)
{
    return value == NO_VAL16 || value == INFINITE16 ? 0 : value;
}

static void take_wishes(struct view *view, struct view_job *to, const slurm_job_info_t *j)
{
    bool memory = j->pn_min_memory != NO_VAL64;
    to->partition = view_text(view, j->partition);
    to->account = view_text(view, j->account);
    to->qos = view_text(view, j->qos);
    to->comment = view_text(view, j->admin_comment);
    to->gpus_per_job = view_text(view, j->tres_per_job);
    to->gpus_per_node = view_text(view, j->tres_per_node);
    to->gpus_per_task = view_text(view, j->tres_per_task);
    to->gpus_per_socket = view_text(view, j->tres_per_socket);
    to->cpus_per_gpu = view_text(view, j->cpus_per_tres);
    to->mem_per_gpu = view_text(view, j->mem_per_tres);
    to->features = view_text(view, j->features);
    to->excluded_nodes = view_text(view, j->exc_nodes);
    to->wanted_nodes = view_text(view, j->req_nodes);
    to->reservation = view_text(view, j->resv_name);
    to->licenses = view_text(view, j->licenses);
    to->nodes = said(j->num_nodes);
    to->tasks = said(j->num_tasks);
    to->tasks_per_node = said16(j->ntasks_per_node);
    to->cpus = said(j->num_cpus);
    to->cpus_per_node = said16(j->pn_min_cpus);
    to->mem_per_cpu = memory && (j->pn_min_memory & MEM_PER_CPU) != 0;
    to->mem_mib = memory ? (int64_t)(j->pn_min_memory & ~MEM_PER_CPU) : 0;
    to->exclusive = j->shared == JOB_SHARED_NONE;
    to->heterogeneous = j->het_job_id != 0;
    to->may_requeue = j->batch_flag != 0 && j->requeue != 0;
}

static void take_job(struct view *view, struct view_job *to, const slurm_job_info_t *j)
{
    *to = (struct view_job){.key = {j->job_id, VIEW_NO_TASK}, .state = state_of_job(j)};
    take_wishes(view, to, j);
    to->held = j->priority == 0;
    to->dependency = view_text(view, j->dependency);
    to->submit_ms = (int64_t)j->submit_time * MS;
    to->begin_ms = (int64_t)j->eligible_time * MS;
    to->start_ms = (int64_t)j->start_time * MS;
    to->limit_ms = j->time_limit == INFINITE || j->time_limit == NO_VAL
                       ? -1
                       : (int64_t)j->time_limit * 60 * MS;
    to->nice = (int32_t)((int64_t)j->nice - (int64_t)NICE_OFFSET);
    to->user = j->user_id;
    to->restarts = j->restart_cnt;
    to->array_limit = said(j->array_max_tasks);
    if (to->state == VIEW_RUNNING || to->state == VIEW_LEAVING || to->state >= VIEW_SUCCEEDED)
        take_places(view, to, j);
    char id[32];
    bool task = j->array_job_id != 0 && j->array_task_id != NO_VAL;
    if (task) {
        to->key = (struct view_key){j->array_job_id, j->array_task_id};
        (void)snprintf(id, sizeof id, "%u_%u", j->array_job_id, j->array_task_id);
    } else {
        (void)snprintf(id, sizeof id, "%u", j->job_id);
    }
    to->id = to->record = view_text(view, id);
}

/* Tasks of an array that have not been split off yet; -1 if this record has none. */
static int64_t tasks_of(const slurm_job_info_t *j, uint32_t *tasks, int64_t most)
{
    bool array = j->array_job_id != 0 && j->array_task_id == NO_VAL && j->array_task_str != NULL;
    return array ? gres_array_tasks(j->array_task_str, tasks, most) : -1;
}

static void take_array(struct view *view, const slurm_job_info_t *j, int64_t count)
{
    uint32_t *tasks = memory_get((size_t)count, sizeof *tasks);
    struct view_job whole;
    take_job(view, &whole, j);
    (void)tasks_of(j, tasks, count);
    char *record = memory_format("%u_[%.*s]", j->array_job_id, (int)strcspn(j->array_task_str, "%"),
                                 j->array_task_str);
    whole.record = view_text(view, record);
    for (int64_t i = 0; i < count; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "%u_%u", j->array_job_id, tasks[i]);
        struct view_job *to = &view->jobs[view->job_count++];
        *to = whole;
        to->key = (struct view_key){j->array_job_id, tasks[i]};
        to->id = view_text(view, id);
    }
    free(record);
    free(tasks);
}

static void take_jobs(struct view *view, const job_info_msg_t *from)
{
    size_t most = 0;
    for (uint32_t i = 0; i < from->record_count; i++) {
        int64_t tasks = tasks_of(&from->job_array[i], NULL, 0);
        most += tasks > 1 ? (size_t)tasks : 1;
    }
    view->jobs = view_get(view, most, sizeof *view->jobs);
    for (uint32_t i = 0; i < from->record_count; i++) {
        int64_t tasks = tasks_of(&from->job_array[i], NULL, 0);
        if (tasks >= 1)
            take_array(view, &from->job_array[i], tasks);
        else
            take_job(view, &view->jobs[view->job_count++], &from->job_array[i]);
    }
    view_sort_jobs(view);
}

/* ---- all of it ---- */

struct answers {
    slurm_conf_t *conf;
    node_info_msg_t *nodes;
    partition_info_msg_t *partitions;
    job_info_msg_t *jobs;
};

/*
 * slurm_free_job_info_msg() of Slurm 22.05 leaks the admin comment, 30 bytes per job and look. The
 * library exports the function that frees it, but its header does not declare it.
 */
extern void slurm_xfree(void **) __attribute__((weak));

static void free_jobs(job_info_msg_t *jobs)
{
    for (uint32_t i = 0; jobs != NULL && slurm_xfree != NULL && i < jobs->record_count; i++) {
        void *comment = jobs->job_array[i].admin_comment;
        jobs->job_array[i].admin_comment = NULL;
        slurm_xfree(&comment);
    }
    slurm_free_job_info_msg(jobs);
}

/* Jobs last: their nodes are then known. */
static bool ask(struct answers *a)
{
    return slurm_load_ctl_conf(0, &a->conf) == SLURM_SUCCESS &&
           slurm_load_node(0, &a->nodes, SHOW_ALL) == SLURM_SUCCESS &&
           slurm_load_partitions(0, &a->partitions, SHOW_ALL) == SLURM_SUCCESS &&
           slurm_load_jobs(0, &a->jobs, SHOW_ALL | SHOW_DETAIL) == SLURM_SUCCESS;
}

bool load_view(struct view *view, const char **why)
{
    struct answers a = {.conf = NULL};
    bool ok = ask(&a);
    *view = (struct view){.nodes = NULL};
    if (ok) {
        view->counts_cpus = (a.conf->select_type_param & (CR_CPU | CR_CORE | CR_SOCKET)) != 0;
        view->counts_memory = (a.conf->select_type_param & CR_MEMORY) != 0;
        take_nodes(view, a.nodes);
        take_partitions(view, a.partitions);
        take_jobs(view, a.jobs);
    } else {
        *why = slurm_strerror(slurm_get_errno());
    }
    slurm_free_ctl_conf(a.conf);
    slurm_free_node_info_msg(a.nodes);
    slurm_free_partition_info_msg(a.partitions);
    free_jobs(a.jobs);
    return ok;
}

/* SPDX-License-Identifier: MIT */
/* The lifecycle of a plugin in a policy; see plugins.h. */
#include "query/plugins.h"

#include <string.h>

#define MOST_NAME 255 /* characters */

/* ---- life ---- */

static bool open_state(struct policy *p)
{
    struct pc_plugin *x = p->plugin;
    if (x->of.open != NULL) {
        const struct policy_plugin_setup setup = pc_plugin_setup(&p->config, &x->of);
        x->self = x->of.open(&p->memory.allocator, &setup);
        return x->self != NULL;
    }
    if (x->of.create == NULL)
        return true;
    x->self = x->of.create(&p->memory.allocator);
    return x->self != NULL;
}

bool pc_plugin_create(struct policy *p)
{
    struct policy_plugin room;
    const struct policy_plugin *known = pc_plugin_known(p->config.plugin, &room);
    if (known == NULL)
        return true;
    p->plugin = pc_alloc(&p->memory, 1, sizeof *p->plugin);
    if (p->plugin == NULL)
        return false;
    *p->plugin = (struct pc_plugin){
        .of = *known, .wrong_job = {POLICY_NO_ID, 0}, .keys_change_at = POLICY_NEVER};
    pc_plugin_view_open(p);
    return open_state(p) && pc_module_open(p, &pc_plugin_module);
}

static void release_shown(const struct pc_memory *memory, struct pc_plugin_shown *s)
{
    pc_release(memory, s->nodes, s->node_capacity, sizeof *s->nodes);
    pc_release(memory, s->rooms, s->room_capacity, sizeof *s->rooms);
    pc_release(memory, s->node_at, s->node_at_capacity, sizeof *s->node_at);
    pc_release(memory, s->jobs, s->job_capacity, sizeof *s->jobs);
    pc_release(memory, s->roles, s->role_capacity, sizeof *s->roles);
    pc_release(memory, s->requests, s->request_capacity, sizeof *s->requests);
    pc_release(memory, s->mig, s->mig_capacity, sizeof *s->mig);
    pc_release(memory, s->seats, s->seat_capacity, sizeof *s->seats);
}

void pc_plugin_destroy(struct policy *p)
{
    struct pc_plugin *x = p->plugin;
    const struct pc_memory *memory = &p->memory;
    if (x == NULL)
        return;
    if (x->self != NULL && x->of.destroy != NULL)
        x->of.destroy(x->self, &memory->allocator);
    for (uint32_t i = 0; i < x->name_count; i++)
        pc_release(memory, x->names[i].text, x->names[i].bytes, 1);
    pc_release(memory, x->names, x->name_capacity, sizeof *x->names);
    pc_release(memory, x->jobs, x->job_capacity, sizeof *x->jobs);
    release_shown(memory, &x->shown);
    pc_release(memory, x->saved.of, x->saved.capacity, 1);
    pc_release(memory, x->told.of, x->told.capacity, 1);
    pc_release(memory, x, 1, sizeof *x);
    p->plugin = NULL;
}

policy_job policy_wrong_job(const struct policy *p)
{
    const policy_job none = {POLICY_NO_ID, 0};
    return p->plugin != NULL && p->error.status == POLICY_WRONG_PLUGIN ? p->plugin->wrong_job
                                                                       : none;
}

/* ---- names ---- */

static struct pc_plugin_name *find_name(const struct pc_plugin *x, int32_t of, uint32_t number)
{
    for (uint32_t i = 0; i < x->name_count; i++)
        if (x->names[i].of == of && x->names[i].number == number)
            return &x->names[i];
    return NULL;
}

const char *pc_plugin_name(const struct pc_plugin *x, int32_t of, uint32_t number)
{
    const struct pc_plugin_name *found = find_name(x, of, number);
    return found != NULL ? found->text : NULL;
}

static int check_name(struct policy *p, int32_t of, uint32_t number, size_t length)
{
    static const uint32_t most[] = {[POLICY_NAME_TYPE] = POLICY_MAX_TYPES,
                                    [POLICY_NAME_POOL] = POLICY_MAX_POOLS,
                                    [POLICY_NAME_PROFILE] = POLICY_MAX_PROFILES};
    if (of < POLICY_NAME_TYPE || of > POLICY_NAME_PROFILE)
        return pc_refuse(p, POLICY_INVALID, "kind of a name", of, "0 to 2");
    if (number >= most[of])
        return pc_refuse(p, POLICY_INVALID, "number with a name", number, "larger than there are");
    return length <= MOST_NAME ? POLICY_OK
                               : pc_refuse(p, POLICY_INVALID, "characters of a name",
                                           (int64_t)length, "255 at most");
}

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (length <= MOST_NAME && text[length] != '\0')
        length++;
    return length;
}

int policy_set_name(struct policy *p, policy_time at, int32_t of, uint32_t number, const char *name)
{
    policy_time before = p->now;
    const size_t length = length_of(name);
    int status = check_name(p, of, number, length);
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK)
        return status;
    struct pc_plugin *x = p->plugin;
    if (x == NULL || (x->of.wants & POLICY_WANTS_NAMES) == 0)
        return POLICY_OK;
    struct pc_plugin_name *found = find_name(x, of, number);
    char *text = pc_alloc(&p->memory, length + 1, 1);
    if (text == NULL ||
        (found == NULL && !PC_GROW(&p->memory, x->names, x->name_capacity, x->name_count + 1))) {
        pc_release(&p->memory, text, length + 1, 1);
        return pc_no_memory(p, before, "name of number", number);
    }
    memcpy(text, name, length + 1);
    if (found != NULL)
        pc_release(&p->memory, found->text, found->bytes, 1);
    else
        found = &x->names[x->name_count++];
    *found = (struct pc_plugin_name){of, number, text, (uint32_t)length + 1};
    return POLICY_OK;
}

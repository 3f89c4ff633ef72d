/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads roles of jobs; see pod_sets.h. */
#include "traces/pod_sets.h"

#include "sim/base/text.h"

#include <stddef.h>
#include <string.h>

#define MOST_TASKS 1000000
#define MOST_GPUS  1024 /* per task; a node has far fewer */
#define MOST_MIB   INT64_C(1000000000000)
#define MOST_CORES INT64_C(1000000)

/* ---- words ---- */

struct words {
    const char *at, *end; /* the unread part of an entry */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Returns the next word of the entry; *n is 0 after the last. */
static const char *next_word(struct words *words, int *n)
{
    while (words->at < words->end && is_blank(*words->at))
        words->at++;
    const char *word = words->at;
    while (words->at < words->end && !is_blank(*words->at))
        words->at++;
    *n = (int)(words->at - word);
    return word;
}

static bool copy(char *to, size_t size, const char *what, const char *text, int n, struct err *err)
{
    if (n == 0 || (size_t)n >= size)
        return err_set(err, EXIT_INPUT, "%s '%.*s': expected 1 to %zu characters", what,
                       n < 40 ? n : 40, text, size - 1);
    memcpy(to, text, (size_t)n);
    to[n] = '\0';
    return true;
}

/* ---- settings ---- */

enum kind { COUNT, THOUSANDTHS, NAME, GROUP };

struct setting {
    const char *key;
    enum kind kind;
    bool of_role, of_group;
    size_t offset, group_offset, size; /* size of a name or an integer */
    int64_t least, most;
};

#define ROLE(member)                                                                               \
    offsetof(struct trace_role, member), 0, sizeof(((struct trace_role *)0)->member)
#define BOTH(member)                                                                               \
    offsetof(struct trace_role, member), offsetof(struct trace_group, member),                     \
        sizeof(((struct trace_role *)0)->member)

static const struct setting settings[] = {
    {"tasks", COUNT, true, false, ROLE(tasks), 1, MOST_TASKS},
    {"min", COUNT, true, false, ROLE(min_tasks), 1, MOST_TASKS},
    {"gpus", COUNT, true, false, ROLE(gpus), 0, MOST_GPUS},
    {"gpu_milli", COUNT, true, false, ROLE(gpu_milli), 1, 999},
    {"gpu_mem_mib", COUNT, true, false, ROLE(gpu_mem_mib), 1, MOST_MIB},
    {"mig", NAME, true, false, ROLE(mig), 0, 0},
    {"gpu_type", NAME, true, false, ROLE(gpu_types), 0, 0},
    {"cpus", THOUSANDTHS, true, false, ROLE(cpu_milli), 0, MOST_CORES * 1000},
    {"mem_mib", COUNT, true, false, ROLE(mem_mib), 0, MOST_MIB},
    {"required", NAME, true, true, BOTH(required), 0, 0},
    {"preferred", NAME, true, true, BOTH(preferred), 0, 0},
    {"in", GROUP, true, true, offsetof(struct trace_role, group),
     offsetof(struct trace_group, parent), sizeof(int32_t), 0, 0},
};
#define SETTINGS (sizeof settings / sizeof *settings)

/* An entry being read; `in` is looked up once all groups are known. */
struct entry {
    const char *name; /* of the role or group, for messages */
    bool is_group;
    void *to;
    const char *in;
    int in_length;
    uint32_t given; /* a bit for each setting */
};

static bool number(const struct entry *e, const struct setting *s, const char *text, int n,
                   struct err *err)
{
    int64_t value;
    bool known = s->kind == COUNT ? text_i64(text, (size_t)n, &value)
                                  : text_scaled(text, (size_t)n, 3, &value);
    if (!known || value < s->least || value > s->most) {
        int64_t unit = s->kind == COUNT ? 1 : 1000;
        return err_set(err, EXIT_INPUT,
                       "'%s' of '%s' is '%.*s', expected a number from %lld to %lld", s->key,
                       e->name, n < 40 ? n : 40, text, (long long)(s->least / unit),
                       (long long)(s->most / unit));
    }
    char *to = (char *)e->to + s->offset;
    if (s->size == sizeof(int32_t))
        *(int32_t *)to = (int32_t)value;
    else
        *(int64_t *)to = value;
    return true;
}

static const struct setting *find(const struct entry *e, const char *key, int n, struct err *err)
{
    const char *names[SETTINGS];
    char shown[40], hint[96];
    size_t count = 0;
    for (size_t i = 0; i < SETTINGS; i++) {
        const struct setting *s = &settings[i];
        if (!(e->is_group ? s->of_group : s->of_role))
            continue;
        if (strlen(s->key) == (size_t)n && memcmp(s->key, key, (size_t)n) == 0)
            return s;
        names[count++] = s->key;
    }
    (void)snprintf(shown, sizeof shown, "%.*s", n, key);
    err_set(err, EXIT_INPUT, "unknown setting '%s' of %s '%s'%s", shown,
            e->is_group ? "group" : "role", e->name,
            text_suggest(hint, sizeof hint, shown, names, count, sizeof *names));
    return NULL;
}

static bool set(struct entry *e, const char *word, int n, struct err *err)
{
    const char *equals = memchr(word, '=', (size_t)n);
    if (equals == NULL)
        return err_set(err, EXIT_INPUT, "'%.*s' of '%s': expected KEY=VALUE, such as tasks=8",
                       n < 40 ? n : 40, word, e->name);
    const struct setting *s = find(e, word, (int)(equals - word), err);
    const char *value = equals + 1;
    int length = (int)(word + n - value);
    if (s == NULL)
        return false;
    uint32_t bit = UINT32_C(1) << (s - settings);
    if ((e->given & bit) != 0)
        return err_set(err, EXIT_INPUT, "'%s' is given twice for '%s'", s->key, e->name);
    e->given |= bit;
    if (s->kind == GROUP) {
        e->in = value;
        e->in_length = length;
        return true;
    }
    if (s->kind != NAME)
        return number(e, s, value, length, err);
    char *to = (char *)e->to + (e->is_group ? s->group_offset : s->offset);
    return copy(to, s->size, s->key, value, length, err);
}

static bool is_given(const struct entry *e, const char *key)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (strcmp(settings[i].key, key) == 0)
            return (e->given >> i & 1) != 0;
    return false;
}

/* ---- a role as a whole ---- */

static bool check_role(const struct entry *e, struct err *err)
{
    struct trace_role *role = e->to;
    bool memory = role->gpu_mem_mib > 0, share = role->gpu_milli > 0, mig = role->mig[0] != '\0';
    if (!is_given(e, "min"))
        role->min_tasks = role->tasks;
    if (role->min_tasks > role->tasks)
        return err_set(err, EXIT_INPUT, "role '%s' has min=%d above its tasks, %d", role->name,
                       role->min_tasks, role->tasks);
    if (memory + share + mig > 1)
        return err_set(err, EXIT_INPUT,
                       "role '%s' has more than one of gpu_milli, gpu_mem_mib and mig", role->name);
    if (mig && role->gpus > 0)
        return err_set(err, EXIT_INPUT, "role '%s' has both mig and gpus", role->name);
    if ((memory || share) && is_given(e, "gpus") && role->gpus == 0)
        return err_set(err, EXIT_INPUT, "role '%s' has a share of devices with gpus=0", role->name);
    if ((memory || share) && role->gpus == 0)
        role->gpus = 1;
    return true;
}

/* ---- entries ---- */

static bool is_taken(const struct trace_roles *to, const char *name, bool is_group)
{
    int count = 0;
    for (int32_t i = 0; !is_group && i < to->role_count; i++)
        count += strcmp(to->roles[i].name, name) == 0;
    for (int32_t i = 0; is_group && i < to->group_count; i++)
        count += strcmp(to->groups[i].name, name) == 0;
    return count > 1;
}

static bool add_role(struct trace_roles *to, struct entry *e, const char *word, int n,
                     struct err *err)
{
    if (to->role_count == TRACE_ROLES)
        return err_set(err, EXIT_INPUT, "more than %d roles", TRACE_ROLES);
    if (memchr(word, '=', (size_t)n) != NULL)
        return err_set(err, EXIT_INPUT,
                       "'%.*s' where a role begins: expected its name, such as worker",
                       n < 40 ? n : 40, word);
    struct trace_role *role = &to->roles[to->role_count++];
    *role = (struct trace_role){.tasks = 1, .min_tasks = 1};
    e->to = role;
    e->name = role->name;
    return copy(role->name, sizeof role->name, "role", word, n, err);
}

static bool add_group(struct trace_roles *to, struct entry *e, const char *word, int n,
                      struct err *err)
{
    if (to->group_count == TRACE_GROUPS)
        return err_set(err, EXIT_INPUT, "more than %d groups", TRACE_GROUPS);
    if (n < 2 || word[n - 1] != ']')
        return err_set(err, EXIT_INPUT, "'%.*s' begins a group: expected its name as [NAME]",
                       n < 40 ? n : 40, word);
    struct trace_group *group = &to->groups[to->group_count++];
    *group = (struct trace_group){0};
    e->to = group;
    e->name = group->name;
    e->is_group = true;
    return copy(group->name, sizeof group->name, "group", word + 1, n - 2, err);
}

static bool read_entry(struct trace_roles *to, struct words words, struct entry *e, struct err *err)
{
    int n;
    const char *word = next_word(&words, &n);
    if (n == 0)
        return err_set(err, EXIT_INPUT, "an empty entry: expected NAME KEY=VALUE ... between ';'");
    if (!(word[0] == '[' ? add_group : add_role)(to, e, word, n, err))
        return false;
    if (is_taken(to, e->name, e->is_group))
        return err_set(err, EXIT_INPUT, "two %s of the name '%s'", e->is_group ? "groups" : "roles",
                       e->name);
    while (word = next_word(&words, &n), n > 0)
        if (!set(e, word, n, err))
            return false;
    return e->is_group || check_role(e, err);
}

/* A group can only be inside one listed before it, so there are no cycles. */
static bool enter(const struct trace_roles *to, const struct entry *e, struct err *err)
{
    if (e->in == NULL)
        return true;
    int32_t before =
        e->is_group ? (int32_t)((struct trace_group *)e->to - to->groups) : to->group_count;
    for (int32_t i = 0; i < before; i++) {
        if (strlen(to->groups[i].name) != (size_t)e->in_length ||
            memcmp(to->groups[i].name, e->in, (size_t)e->in_length) != 0)
            continue;
        *(int32_t *)((char *)e->to + (e->is_group ? offsetof(struct trace_group, parent)
                                                  : offsetof(struct trace_role, group))) = i + 1;
        return true;
    }
    return err_set(err, EXIT_INPUT, "'%s' is in '%.*s', expected the name of a group%s", e->name,
                   e->in_length < 40 ? e->in_length : 40, e->in,
                   e->is_group ? " before it" : ", written as [NAME]");
}

/* Refuses empty groups, whose constraints would apply to no role. */
static bool check_groups(const struct trace_roles *to, struct err *err)
{
    bool used[TRACE_GROUPS] = {false};
    for (int32_t i = 0; i < to->role_count; i++)
        if (to->roles[i].group > 0)
            used[to->roles[i].group - 1] = true;
    for (int32_t i = to->group_count - 1; i >= 0; i--) {
        if (!used[i])
            return err_set(err, EXIT_INPUT, "no role is in group '%s'", to->groups[i].name);
        if (to->groups[i].parent > 0)
            used[to->groups[i].parent - 1] = true;
    }
    return true;
}

/* Moves nested groups directly after the one around them, the order of a snapshot, where they are
 * written inside it. */
static void order_groups(struct trace_roles *to)
{
    struct trace_group sorted[TRACE_GROUPS] = {{.parent = 0}};
    int32_t place[TRACE_GROUPS + 1] = {0}, count = 0, open[TRACE_GROUPS + 1] = {0}, depth = 0;
    int32_t at[TRACE_GROUPS + 1] = {
        0}; /* by depth: the first group that may be a child of the open one */
    while (depth >= 0) {
        int32_t i = at[depth];
        while (i < to->group_count && to->groups[i].parent != open[depth])
            i++;
        at[depth] = i + 1;
        if (i == to->group_count) {
            depth--;
            continue;
        }
        sorted[count] = to->groups[i];
        sorted[count].parent = place[open[depth]];
        place[i + 1] = ++count;
        open[++depth] = i + 1;
        at[depth] = 0;
    }
    memcpy(to->groups, sorted, (size_t)count * sizeof *sorted);
    for (int32_t i = 0; i < to->role_count; i++)
        to->roles[i].group = place[to->roles[i].group];
}

bool trace_roles_read(const char *text, struct trace_roles *to, struct err *err)
{
    struct entry entries[TRACE_ROLES + TRACE_GROUPS];
    size_t count = 0;
    to->role_count = to->group_count = 0;
    for (const char *at = text; *text != '\0';) {
        size_t n = strcspn(at, ";");
        if (count == sizeof entries / sizeof *entries)
            return err_set(err, EXIT_INPUT, "more than %d roles", TRACE_ROLES);
        entries[count] = (struct entry){0};
        if (!read_entry(to, (struct words){at, at + n}, &entries[count++], err))
            return false;
        if (at[n] == '\0')
            break;
        at += n + 1;
    }
    for (size_t i = 0; i < count; i++)
        if (!enter(to, &entries[i], err))
            return false;
    if (count > 0 && to->role_count == 0)
        return err_set(err, EXIT_INPUT, "groups without a role");
    if (!check_groups(to, err))
        return false;
    order_groups(to);
    return true;
}

/* ---- sums ---- */

int64_t trace_role_milli(const struct trace_role *role)
{
    if (role->mig[0] >= '1' && role->mig[0] <= '7')
        return (role->mig[0] - '0') * 1000 / 7;
    return (int64_t)role->gpus * (role->gpu_milli > 0 ? role->gpu_milli : 1000);
}

struct trace_role_sums trace_roles_sum(const struct trace_roles *roles)
{
    struct trace_role_sums sums = {0};
    for (int32_t i = 0; i < roles->role_count; i++) {
        const struct trace_role *role = &roles->roles[i];
        sums.tasks += role->tasks;
        sums.min_tasks += role->min_tasks;
        sums.milli += role->tasks * trace_role_milli(role);
        sums.min_milli += role->min_tasks * trace_role_milli(role);
    }
    return sums;
}

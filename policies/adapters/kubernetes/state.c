/* SPDX-License-Identifier: MIT */
/* What the extender knows; see state.h. */
#include "policies/adapters/kubernetes/state.h"

#include "scenarios/import.h"
#include "sim/base/mem.h"
#include "sim/cli/kubectl_plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void binding_fini(const struct state_kept *binding)
{
    free(binding->space);
    free(binding->pod);
    free(binding->uid);
    free(binding->node);
}

void state_fini(struct state *state)
{
    for (size_t i = 0; i < state->count; i++)
        binding_fini(&state->bindings[i]);
    free(state->bindings);
    free(state->text);
    *state = (struct state){.n = 0};
}

void state_replace(struct state *state, struct state *by)
{
    state_fini(state);
    *state = *by;
    *by = (struct state){.n = 0};
}

static void remember(struct state *state, const struct state_binding *binding)
{
    if (!state->bindings)
        state->bindings = mem_alloc(STATE_MOST_BINDINGS, sizeof *state->bindings);
    struct state_kept *to = &state->bindings[state->next];
    if (state->count == STATE_MOST_BINDINGS)
        binding_fini(to);
    else
        state->count++;
    *to = (struct state_kept){mem_text(binding->space), mem_text(binding->pod), mem_text(binding->uid),
                              mem_text(binding->node)};
    state->next = (state->next + 1) % STATE_MOST_BINDINGS;
}

/* The oldest one is number 0. */
static struct state_binding remembered(const struct state *state, size_t number)
{
    size_t first = state->count == STATE_MOST_BINDINGS ? state->next : 0;
    const struct state_kept *kept = &state->bindings[(first + number) % STATE_MOST_BINDINGS];
    return (struct state_binding){kept->space, kept->pod, kept->uid, kept->node};
}

static bool apply(struct import *import, struct state *state, const struct state_binding *binding)
{
    bool waits = import_bound(import, binding->space, binding->pod, binding->uid, binding->node);
    if (waits)
        remember(state, binding);
    return waits;
}

static void print(struct import *import, struct state *state)
{
    struct out *out = out_memory();
    import_print(import, out);
    const char *text = out_memory_text(out, &state->n);
    free(state->text);
    state->text = mem_text_n(text, state->n);
    out_discard(out);
}

static void make(struct state *state, const struct state *old, struct import *import)
{
    for (size_t i = 0; i < old->count; i++) {
        const struct state_binding binding = remembered(old, i);
        (void)apply(import, state, &binding);
    }
    print(import, state);
}

bool state_parse(struct state *state, const struct state *old, const char *name, const char *text, size_t n,
                 struct err *err)
{
    struct import *import = import_create();
    bool ok = import_parse(import, name, text, n, err);
    if (ok)
        make(state, old, import);
    import_destroy(import);
    return ok;
}

bool state_load(struct state *state, const struct state *old, const char *path, struct err *err)
{
    struct import *import = import_create();
    bool ok = import_add(import, path, err);
    if (ok)
        make(state, old, import);
    import_destroy(import);
    return ok;
}

/* ---- bindings ---- */

static struct out *print_binding(const struct state_binding *binding)
{
    const struct kubectl_object object = {
        .space = binding->space, .pod = binding->pod, .uid = binding->uid, .node = binding->node};
    struct out *out = out_memory();
    struct json j;
    json_init(&j, out, 0);
    kubectl_print_object(&object, &j);
    out_char(out, '\n');
    return out;
}

/*
 * One write, so that who reads along sees whole lines, on the disk before the scheduler hears that the pod is bound. Of a line
 * that did not fit nothing stays. (What is no file can be brought to no disk: EINVAL, EROFS.)
 */
static bool write_line(int fd, const char *text, size_t n)
{
    struct stat before;
    bool is_file = fstat(fd, &before) == 0 && S_ISREG(before.st_mode);
    size_t written = 0;
    while (written < n) {
        ssize_t more = write(fd, text + written, n - written);
        if (more < 0 && errno != EINTR)
            break;
        written += more > 0 ? (size_t)more : 0;
    }
    if (written == n)
        return fsync(fd) == 0 || errno == EINVAL || errno == EROFS;
    int wrong = errno;
    if (written > 0 && is_file)
        (void)!ftruncate(fd, before.st_size);
    errno = wrong;
    return false;
}

bool state_append(const struct state_binding *binding, const char *path, struct err *err)
{
    struct out *line = print_binding(binding);
    size_t n;
    const char *text = out_memory_text(line, &n);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && write_line(fd, text, n);
    int wrong = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        wrong = errno;
        ok = false;
    }
    out_discard(line);
    return ok || err_set(err, EXIT_INPUT, "%s: %s", path, strerror(wrong));
}

/* The bindings of the old state are in its text already, and are remembered all the same. */
bool state_bind(struct state *state, const struct state *old, const struct state_binding *binding)
{
    struct err unread = {.msg = ""};
    struct import *import = import_create();
    bool known = old->text && import_parse(import, "snapshot", old->text, old->n, &unread);
    for (size_t i = 0; known && i < old->count; i++) {
        const struct state_binding kept = remembered(old, i);
        remember(state, &kept);
    }
    known = known && apply(import, state, binding);
    if (known)
        print(import, state);
    import_destroy(import);
    return known;
}

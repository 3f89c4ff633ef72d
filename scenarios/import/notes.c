/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes what was left out, and from which objects. One note per field: "podgroup ml/a, ml/b and 3
 * more: spec.preemptionDelay: not imported". A cluster has thousands of similar objects, so only
 * the first few are named.
 */
#include "scenarios/import/internal.h"

#include "sim/base/mem.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED 8 /* objects named in a note */
/* notes; beyond that, one more note covers all other fields */
#define MOST_FIELDS 500

struct import_field {
    char *names;
    char *text; /* the whole note, once the names are known */
    uint64_t objects;
    uint64_t last; /* last object, by import->serial */
};

void import_subject(struct import *import, const char *kind, const char *space, const char *name)
{
    size_t n = strlen(kind) < IMPORT_KIND ? strlen(kind) : IMPORT_KIND - 1;
    for (size_t i = 0; i < n; i++)
        import->kind[i] = (char)tolower((unsigned char)kind[i]);
    import->kind[n] = '\0';
    (void)snprintf(import->object, sizeof import->object, "%.250s%s%.250s", space,
                   *space ? "/" : "", name);
    import->serial++;
}

void import_task_subject(struct import *import, const cJSON *job, const cJSON *task)
{
    char space[256] = "";
    const char *id = import_text(job, "id"), *slash = strchr(id, '/');
    (void)snprintf(space, sizeof space, "%.*s", slash ? (int)(slash - id) : 0, id);
    import_subject(import, "pod", space, import_text(task, "id"));
}

void import_note(struct import *import, const char *what)
{
    trace_note_add(&import->notes, what, 0);
}

static void add_name(struct import_field *field, const char *name)
{
    char *before = field->names;
    field->names = before ? mem_format("%s, %s", before, name) : mem_text(name);
    free(before);
}

void import_note_field(struct import *import, const char *path, const char *what)
{
    char *key = mem_format("%s: %s: %s", import->kind, path, what);
    uint32_t before = symbols_count(import->field_names);
    uint32_t symbol = before < MOST_FIELDS ? symbols_add(import->field_names, key, strlen(key))
                                           : symbols_find(import->field_names, key, strlen(key));
    free(key);
    if (symbol == SYMBOL_NONE) {
        import_note(import, "more fields are not imported");
        return;
    }
    if (symbol == before) {
        import->fields = mem_grow(import->fields, &import->field_capacity, symbol + (size_t)1,
                                  sizeof *import->fields);
        import->fields[symbol] = (struct import_field){.names = NULL};
    }
    struct import_field *field = &import->fields[symbol];
    if (field->last == import->serial)
        return;
    if (field->objects < NAMED && *import->object != '\0')
        add_name(field, import->object);
    field->objects++;
    field->last = import->serial;
}

void import_notes_finish(struct import *import)
{
    for (uint32_t i = 0; i < symbols_count(import->field_names); i++) {
        struct import_field *field = &import->fields[i];
        const char *key = symbols_name(import->field_names, i), *rest = strstr(key, ": ");
        int kind = (int)(rest - key);
        char more[40] = "";
        if (field->text)
            continue;
        if (field->names && field->objects > NAMED)
            (void)snprintf(more, sizeof more, " and %llu more",
                           (unsigned long long)field->objects - NAMED);
        field->text = mem_format("%.*s%s%s%s%s", kind, key, field->names ? " " : "",
                                 field->names ? field->names : "", more, rest);
        trace_note_add(&import->notes, field->text, 0);
        import->notes.notes[import->notes.count - 1].rows = field->objects;
    }
}

void import_notes_fini(struct import *import)
{
    for (uint32_t i = 0; i < symbols_count(import->field_names); i++) {
        free(import->fields[i].names);
        free(import->fields[i].text);
    }
    free(import->fields);
    symbols_destroy(import->field_names);
    trace_note_list_fini(&import->notes);
}

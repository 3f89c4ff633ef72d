/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads catalogues from text to rows; see file.h. */
#include "scenarios/catalog/file.h"
#include "scenarios/catalog/embedded.h"
#include "sim/base/mem.h"

#include <string.h>

void *catalog_file_parse(const struct catalog_kind *kind, const char *name, const char *text,
                         size_t n, struct err *err)
{
    struct json_source source;
    if (!json_source_parse(&source, name, text, n, err))
        return NULL;
    struct check check = {.where = check_where_file, .of = &source, .whole = true, .err = err};
    void *catalog = mem_alloc(1, kind->size);
    bool ok = check_value(&check, kind->schema, source.root);
    if (ok) {
        ok = kind->read(catalog, &check, source.root);
        source.root = NULL; /* messages of `read` needed it until here */
    }
    json_source_close(&source);
    if (ok)
        return catalog;
    kind->release(catalog);
    return NULL;
}

void *catalog_file_open(const struct catalog_kind *kind, struct err *err)
{
    for (unsigned i = 0; i < embedded_file_count; i++) {
        const struct embedded_file *file = &embedded_files[i];
        if (strcmp(file->name, kind->file) == 0)
            return catalog_file_parse(kind, file->name, (const char *)file->bytes, file->size, err);
    }
    err_set(err, EXIT_INTERNAL, "the program was built without %s", kind->file);
    return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of replicas as files; see replica_store.h. */
#include "sim/study/replica_store.h"

#include "scenarios/json/source.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/program/overrides.h"
#include "sim/study/run_dir.h"
#include "traces/input.h"

#include <stdlib.h>
#include <string.h>

bool replica_store_open(struct replica_store *store, const char *dir, const char *who,
                        struct err *err)
{
    *store = (struct replica_store){.dir = dir != NULL ? mem_format("%s/replicas", dir) : NULL};
    scenario_files_init(&store->files, who);
    return dir == NULL || run_dir_make(store->dir, err);
}

void replica_store_close(struct replica_store *store)
{
    free(store->dir);
    scenario_files_fini(&store->files);
}

bool replica_store_key(struct replica_store *store, const struct scenario *sc, const char *more,
                       char key[DIGEST_HEX], struct err *err)
{
    static const char kind[] = "fauxfleet plan replica 1, version " FAUXFLEET_VERSION "\n";
    struct digest digest;
    key[0] = '\0';
    if (store->dir == NULL)
        return true;
    digest_init(&digest);
    digest_add(&digest, kind, sizeof kind);
    digest_add(&digest, sc->digest, sizeof sc->digest);
    digest_add(&digest, more, strlen(more) + 1);
    bool ok = scenario_files_add(&store->files, &digest, sc, err);
    char *library = overrides_library(sc);
    ok = ok && (library == NULL || scenario_files_add_one(&store->files, &digest, library, err));
    free(library);
    digest_hex(&digest, key);
    return ok;
}

static char *name_of(const char *key, const char *what, int replica)
{
    return mem_format("%s-%s%d.json", key, what, replica);
}

char *replica_store_get(const struct replica_store *store, const char *key, const char *what,
                        int replica)
{
    if (store->dir == NULL)
        return NULL;
    char *name = name_of(key, what, replica), *path = mem_format("%s/%s", store->dir, name),
         *text = NULL;
    struct json_source file;
    struct err ignored = {0};
    if (json_source_open_max(&file, path, INT32_MAX, &ignored)) {
        text = mem_text_n(file.text, file.n);
        json_source_close(&file);
    }
    free(path);
    free(name);
    return text;
}

bool replica_store_put(const struct replica_store *store, const char *key, const char *what,
                       int replica, const char *text, struct err *err)
{
    if (store->dir == NULL)
        return true;
    char *name = name_of(key, what, replica);
    struct out *out = out_open_in(store->dir, name, err);
    free(name);
    if (out == NULL)
        return false;
    out_text(out, text);
    return out_close(out, err);
}

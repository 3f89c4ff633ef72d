/* SPDX-License-Identifier: MIT */
/* Replacing a log whose records were saved with an empty one; see log.h. */
#include "policies/adapters/ending/temporary.h"
#include "policies/facts/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes its first line, synced before the file gets its name. */
static bool begin(struct fact_log *fresh, struct temporary *new, const char *path, policy_time at,
                  const struct fact_policy *policy)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    temporary_sweep_of(path);
    if (!temporary_create_private(new, path))
        return false;
    fresh->file = new->file;
    if (fcntl(new->file, F_SETFL, O_APPEND) != 0 || fcntl(new->file, F_SETLK, &lock) != 0)
        return false;
    uint64_t records = fresh->records;
    fact_log_fact(fresh, &(struct fact){.kind = FACT_POLICY, .at = at, .spec = policy});
    fresh->records = records; /* it follows the earlier ones */
    return fact_log_commit(fresh);
}

/* Renames such that there is a log at all times. */
static bool put_in_place(struct temporary *new, const char *path)
{
    size_t size = strlen(path) + sizeof ".1";
    char *old = malloc(size);
    if (old == NULL)
        return false;
    (void)snprintf(old, size, "%s.1", path);
    bool ok = (unlink(old) == 0 || errno == ENOENT) && link(path, old) == 0 &&
              temporary_rename_open(new, path) >= 0;
    free(old);
    return ok;
}

/* Closes a log that is no longer used; nobody relies on its last sync. */
static void leave(struct fact_log *log)
{
    log->sync_ms = FACT_LOG_NEVER;
    (void)fact_log_close(log);
}

/* From the rename on the next start finds the new log, so it must be used whatever fails
 * afterwards. */
bool fact_log_renew(struct fact_log *log, const char *path, policy_time at,
                    const struct fact_policy *policy, char *error, size_t size)
{
    char after[CHAIN_DIGITS + 1];
    struct fact_policy first = *policy;
    struct temporary new = {.file = -1};
    struct fact_log fresh = {.file = -1,
                             .is_grouped = log->is_grouped,
                             .base = log->records,
                             .records = log->records,
                             .section = log->records};
    memcpy(after, log->chain.last, sizeof after);
    first.after = after;
    first.records = (int64_t)log->records;
    chain_begin(&fresh.chain);
    if (!begin(&fresh, &new, path, at, &first) || !put_in_place(&new, path)) {
        (void)snprintf(error, size, "%s", strerror(fresh.error != 0 ? fresh.error : errno));
        fresh.file = -1;
        temporary_remove(&new);
        leave(&fresh);
        return false;
    }
    fresh.is_renewed = true;
    fresh.sync_ms = log->sync_ms;
    fresh.torn = log->torn;
    leave(log);
    *log = fresh;
    if (fact_log_sync_folder(path))
        return true;
    log->error = errno;
    (void)snprintf(error, size, "%s", strerror(errno));
    return false;
}

/* SPDX-License-Identifier: MIT */
/* An empty log in the place of one whose records were saved; see log.h. */
#include "policies/adapters/facts/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *with_ending(const char *path, const char *ending)
{
    size_t n = strlen(path), more = strlen(ending) + 1;
    char *name = malloc(n + more);
    if (name != NULL) {
        memcpy(name, path, n);
        memcpy(name + n, ending, more);
    }
    return name;
}

/* Its first line, on the disk before the file has its name. */
static bool begin(struct fact_log *fresh, const char *path, policy_time at, const struct fact_policy *policy)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    (void)unlink(path);
    fresh->file =
        open(path, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (fresh->file < 0 || fcntl(fresh->file, F_SETLK, &lock) != 0)
        return false;
    uint64_t records = fresh->records;
    fact_log_fact(fresh, &(struct fact){.kind = FACT_POLICY, .at = at, .spec = policy});
    fresh->records = records; /* it stands for those before it */
    return fact_log_commit(fresh);
}

/* At no time is there no log. */
static bool put_in_place(const char *path, const char *new, const char *old)
{
    if (unlink(old) != 0 && errno != ENOENT)
        return false;
    return link(path, old) == 0 && rename(new, path) == 0 && fact_log_sync_folder(path);
}

bool fact_log_renew(struct fact_log *log, const char *path, policy_time at, const struct fact_policy *policy,
                    char *error, size_t size)
{
    char after[CHAIN_DIGITS + 1];
    struct fact_policy first = *policy;
    struct fact_log fresh = {.file = -1,
                             .is_grouped = log->is_grouped,
                             .base = log->records,
                             .records = log->records,
                             .section = log->records};
    char *new = with_ending(path, ".new"), *old = with_ending(path, ".1");
    memcpy(after, log->chain.last, sizeof after);
    first.after = after;
    first.records = (int64_t)log->records;
    chain_begin(&fresh.chain);
    bool ok = new != NULL &&old != NULL &&begin(&fresh, new, at, &first) && put_in_place(path, new, old);
    if (!ok) {
        (void)snprintf(error, size, "%s", strerror(fresh.error != 0 ? fresh.error : errno));
        if (new != NULL)
            (void)unlink(new);
    }
    free(new);
    free(old);
    fresh.is_renewed = true;
    fresh.sync_ms = log->sync_ms;
    fresh.torn = log->torn;
    struct fact_log gone = ok ? *log : fresh;
    if (ok)
        *log = fresh;
    gone.sync_ms = FACT_LOG_NEVER;
    (void)fact_log_close(&gone);
    return ok;
}

/* SPDX-License-Identifier: MIT */
/* Appending to a journal; see log.h. */
#include "policies/facts/log.h"

#include "policies/facts/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- existing contents ---- */

/* The end of the last complete line; -1 if the file cannot be read. */
static off_t find_end(int file, off_t size)
{
    char bytes[4096];
    while (size > 0) {
        size_t n = size < (off_t)sizeof bytes ? (size_t)size : sizeof bytes;
        if (pread(file, bytes, n, size - (off_t)n) != (ssize_t)n)
            return -1;
        for (size_t i = n; i > 0; i--)
            if (bytes[i - 1] == '\n')
                return size - (off_t)(n - i);
        size -= (off_t)n;
    }
    return 0;
}

static bool refuse(char *error, size_t size, const char *why)
{
    (void)snprintf(error, size, "%s", why);
    return false;
}

/* Continues the chain; cuts off an incomplete last line. */
static bool take_up(struct fact_log *log, char *error, size_t size)
{
    struct stat info;
    char tail[CHAIN_TAIL + 1];
    if (fstat(log->file, &info) != 0)
        return refuse(error, size, strerror(errno));
    off_t end = find_end(log->file, info.st_size);
    if (end < 0)
        return refuse(error, size, "it cannot be read");
    if (end > 0 &&
        (end < (off_t)sizeof tail ||
         pread(log->file, tail, sizeof tail, end - (off_t)sizeof tail) != (ssize_t)sizeof tail ||
         !chain_take_up(&log->chain, tail)))
        return refuse(error, size,
                      "it is no journal with facts: its last line does not end with 'chain'");
    log->torn = (uint64_t)(info.st_size - end);
    log->size = log->safe = end;
    if (log->torn > 0 && ftruncate(log->file, end) != 0)
        return refuse(error, size, strerror(errno));
    return true;
}

/* Pipes, devices and some file systems cannot be synced; that is not an error. */
static bool is_synced(int status)
{
    return status == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP;
}

/* Syncs the directory entry of the file. */
bool fact_log_sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    int file = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool ok = file >= 0 && is_synced(fsync(file));
    int why = folder == NULL ? ENOMEM : errno;
    if (file >= 0)
        (void)close(file);
    free(folder);
    errno = why;
    return ok || why == EACCES; /* files in it may be writable without read access to it */
}

/* Locks the file. A file that its writer replaced (fact_log_renew()) between open() and the lock is
 * no longer the log. */
static bool take_lock(int file, const char *path)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat info, named;
    if (fstat(file, &info) == 0 && !S_ISREG(info.st_mode))
        return true; /* /dev/null may be shared */
    return fcntl(file, F_SETLK, &lock) == 0 && stat(path, &named) == 0 &&
           named.st_dev == info.st_dev && named.st_ino == info.st_ino;
}

bool fact_log_open(struct fact_log *log, const char *path, char *error, size_t size)
{
    *log = (struct fact_log){.file = -1};
    chain_begin(&log->chain);
    if (path == NULL)
        return true;
    log->file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (log->file < 0)
        return refuse(error, size, strerror(errno));
    bool ok = take_lock(log->file, path) || refuse(error, size, "another process is writing to it");
    if (ok && take_up(log, error, size)) {
        if (fact_log_sync_folder(path))
            return true;
        (void)refuse(error, size, strerror(errno));
    }
    (void)close(log->file);
    log->file = -1;
    return false;
}

/* ---- lines ---- */

/* Restores the file to its length before the group, as far as possible. */
static void cut_back(struct fact_log *log, off_t to, int why)
{
    log->error = why;
    log->held.length = 0;
    if (ftruncate(log->file, to) == 0)
        log->size = to;
}

bool fact_log_cut(const struct fact_log *log)
{
    return ftruncate(log->file, log->size) == 0;
}

static void write_held(struct fact_log *log)
{
    const char *at = log->held.bytes;
    off_t before = log->size;
    if (log->held.failed)
        cut_back(log, before, ENOMEM);
    for (size_t left = log->held.length; left > 0 && log->error == 0;) {
        ssize_t n = write(log->file, at, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            cut_back(log, before, n < 0 ? errno : EIO);
            return;
        }
        at += n;
        left -= (size_t)n;
        log->is_dirty = true;
    }
    log->size += (off_t)log->held.length;
    log->held.length = 0;
}

void fact_log_note_start(struct fact_log *log, uint64_t line, off_t start)
{
    if (line % FACT_LOG_STEP != 0)
        return;
    if (log->start_count == log->start_room) {
        size_t room = log->start_room * 2 + 64;
        off_t *more = realloc(log->starts, room * sizeof *more);
        if (more == NULL) {
            log->error = ENOMEM;
            return;
        }
        log->starts = more;
        log->start_room = room;
    }
    log->starts[log->start_count++] = start;
}

static void end_line(struct fact_log *log)
{
    fact_log_note_start(log, log->records - log->base + log->is_renewed,
                        log->size + (off_t)log->held.length);
    log->records++;
    chain_end_line(&log->chain, &log->line);
    if (log->line.failed)
        log->error = ENOMEM;
    text_bytes(&log->held, log->line.bytes, log->line.length);
    log->line.length = 0;
    if (!log->is_grouped)
        write_held(log);
}

void fact_log_fact(struct fact_log *log, const struct fact *fact)
{
    if (log->file < 0)
        log->records++;
    if (log->file < 0 || log->error != 0)
        return;
    fact_write(&log->line, fact);
    end_line(log);
}

void fact_log_decision(struct fact_log *log, const struct fact_decision *decision)
{
    if (log->file < 0)
        log->records++;
    if (log->file < 0 || log->error != 0)
        return;
    fact_write_decision(&log->line, decision);
    end_line(log);
}

void fact_log_begin(struct fact_log *log, policy_time at, const struct fact_policy *policy)
{
    char after[CHAIN_DIGITS + 1];
    struct fact_policy section = *policy;
    memcpy(after, log->chain.last, sizeof after);
    section.after = after[0] != '\0' ? after : NULL;
    log->section = log->records + 1;
    chain_begin(&log->chain);
    fact_log_fact(log, &(struct fact){.kind = FACT_POLICY, .at = at, .spec = &section});
}

/* ---- the disk ---- */

static int64_t clock_ms(void)
{
    struct timespec now = {0, 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* File timestamps do not matter, its length does: hence fdatasync(). */
static void sync_now(struct fact_log *log)
{
    int status;
    if (log->file < 0 || !log->is_dirty || log->error != 0)
        return;
    do
        status = fdatasync(log->file);
    while (status != 0 && errno == EINTR);
    if (is_synced(status))
        log->safe = log->size;
    else
        cut_back(log, log->safe, errno);
    log->is_dirty = false;
}

bool fact_log_sync(struct fact_log *log)
{
    if (log->file < 0 || !log->is_dirty)
        return log->error == 0;
    if (log->sync_ms != 0)
        log->safe = log->size; /* acknowledged without syncing */
    if (log->sync_ms == FACT_LOG_NEVER)
        return log->error == 0;
    int64_t now = log->sync_ms > 0 ? clock_ms() : 0;
    if (log->sync_ms > 0 && log->synced_ms != 0 && now - log->synced_ms < log->sync_ms)
        return log->error == 0;
    sync_now(log);
    log->synced_ms = now;
    return log->error == 0;
}

bool fact_log_commit(struct fact_log *log)
{
    if (log->file >= 0 && log->error == 0)
        write_held(log);
    return fact_log_sync(log);
}

bool fact_log_close(struct fact_log *log)
{
    if (log->file >= 0 && log->error == 0)
        write_held(log);
    if (log->sync_ms != FACT_LOG_NEVER)
        sync_now(log);
    if (log->file >= 0 && close(log->file) != 0 && log->error == 0)
        log->error = errno;
    log->file = -1;
    text_fini(&log->line);
    text_fini(&log->held);
    free(log->starts);
    log->starts = NULL;
    log->start_count = log->start_room = 0;
    return log->error == 0;
}

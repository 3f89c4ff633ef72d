/* SPDX-License-Identifier: MIT */
/* A state on the disk; see saved_file.h. */
#include "policies/facts/saved_file.h"

#include "policies/adapters/ending/temporary.h"
#include "policies/facts/log.h"
#include "policies/facts/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool fail(char *error, size_t size)
{
    (void)snprintf(error, size, "%s", strerror(errno));
    return false;
}

static bool write_all(int file, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(file, bytes, n);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written < 0 ? errno : EIO;
            return false;
        }
        bytes += written;
        n -= (size_t)written;
    }
    return true;
}

bool saved_file_write(const char *path, const char *bytes, size_t n, char *error, size_t size)
{
    struct temporary new;
    temporary_sweep_of(path);
    if (!temporary_create_private(&new, path))
        return fail(error, size);
    if (!write_all(new.file, bytes, n) || fsync(new.file) != 0) {
        temporary_remove(&new);
        return fail(error, size);
    }
    int file = temporary_rename_open(&new, path);
    bool ok = file >= 0 && close(file) == 0 && fact_log_sync_folder(path);
    return ok || fail(error, size);
}

bool saved_file_try(const char *path, char *error, size_t size)
{
    struct temporary new;
    temporary_sweep_of(path);
    if (!temporary_create_private(&new, path))
        return fail(error, size);
    temporary_remove(&new);
    return true;
}

bool saved_file_read(const char *path, char **bytes, size_t *n, char *error, size_t size)
{
    char chunk[65536];
    struct text text = {.length = 0};
    ssize_t got = 1;
    *bytes = NULL;
    *n = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || fail(error, size);
    while (got > 0 && !text.failed)
        if ((got = read(file, chunk, sizeof chunk)) > 0)
            text_bytes(&text, chunk, (size_t)got);
        else if (got < 0 && errno == EINTR)
            got = 1;
    text_bytes(&text, "", 1); /* non-NULL even for an empty file */
    errno = text.failed ? ENOMEM : errno;
    bool ok = (got == 0 && !text.failed) || fail(error, size);
    (void)close(file);
    if (ok) {
        *bytes = text.bytes;
        *n = text.length - 1;
    } else {
        text_fini(&text);
    }
    return ok;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A failing disk: when preloaded, fdatasync() fails from its n-th call on (n is SYNC_FAILS) and
 * notes in the file SYNC_LOG that it was called.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int fdatasync(int file)
{
    static int calls;
    const char *fails = getenv("SYNC_FAILS"), *log = getenv("SYNC_LOG");
    int out = log != NULL ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    (void)file;
    if (out >= 0) {
        (void)!write(out, "sync\n", 5);
        (void)close(out);
    }
    if (fails == NULL || ++calls < atoi(fails))
        return 0;
    errno = EIO;
    return -1;
}

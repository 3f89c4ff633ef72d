/* SPDX-License-Identifier: MIT */
/*
 * Temporary files: what becomes an output is written beside it under a random name and renamed when
 * it is whole.
 *
 *     DIR/jobs.csv
 *     DIR/jobs.csv.fauxfleet-k3v9q0txm2ah.tmp      60 random bits between the marker and the suffix
 *
 * The file is created anew (O_EXCL), so whatever already bears the name, a symbolic link above all,
 * is neither opened nor followed. Permissions are those of any new file (umask). As long as its
 * writer lives, the file is locked (flock): one that can be locked was left behind by a process
 * that was killed, and temporary_sweep() removes it. Where a file system has no locks, nothing is
 * removed.
 *
 * Renaming replaces the target itself: a link in its place goes, and what it points to is not
 * touched.
 */
#ifndef ADAPTERS_TEMPORARY_H
#define ADAPTERS_TEMPORARY_H

#include <stdbool.h>

/* Owns path and descriptor until temporary_rename() or temporary_remove(), which may be called
 * twice. */
struct temporary {
    char *path; /* NULL: none */
    int file;   /* for reading and writing; holds the lock */
    int noted;  /* to be removed when a signal ends the process (ending.h); 0: not */
};

/* A new empty file beside `target`; a private one is its owner's alone (mode 0600). False with
 * errno set. */
bool temporary_create(struct temporary *, const char *target);
bool temporary_create_private(struct temporary *, const char *target);

/*
 * Gives the file the name of the target, in its place. False with errno set: then the file is
 * removed. The second leaves it open: the descriptor, or -1.
 */
bool temporary_rename(struct temporary *, const char *target);
int temporary_rename_open(struct temporary *, const char *target);
void temporary_remove(struct temporary *); /* leaves errno alone */

/* Takes the name away, for a file that is to vanish with its descriptor. False with errno set: then
 * it has its name still. */
bool temporary_unname(struct temporary *);

/* Removes what killed processes of this user left: all temporary files of a folder, or those of one
 * target. */
void temporary_sweep(const char *dir);
void temporary_sweep_of(const char *target);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Temporary files: an output is written next to its target under a random name and renamed when
 * complete.
 *     DIR/jobs.csv
 *     DIR/jobs.csv.fauxfleet-k3v9q0txm2ah.tmp   60 random bits between the marker and the suffix
 *
 * The file is created with O_EXCL, so an existing object of that name, in particular a symbolic
 * link, is neither opened nor followed. Permissions are those of any new file (umask). The file is
 * locked (flock) while its writer lives: a file that can be locked was left behind by a killed
 * process, and temporary_sweep() removes it. On file systems without locks nothing is removed.
 *
 * Renaming replaces the target itself: a link in its place is replaced, and what it points to is
 * not touched.
 */
#ifndef ADAPTERS_TEMPORARY_H
#define ADAPTERS_TEMPORARY_H

#include <stdbool.h>

/* Owns path and descriptor until temporary_rename() or temporary_remove(), which may be called
 * twice. */
struct temporary {
    char *path; /* NULL: none */
    int file;   /* for reading and writing; holds the lock */
    int noted;  /* registered for removal when a signal ends the process (ending.h); 0: not */
};

/* Creates an empty file next to `target`; a private one has mode 0600. Returns false with errno
 * set. */
bool temporary_create(struct temporary *, const char *target);
bool temporary_create_private(struct temporary *, const char *target);

/*
 * Renames the file to the target, replacing it. Returns false with errno set after removing the
 * file. The second variant leaves it open and returns the descriptor, or -1.
 */
bool temporary_rename(struct temporary *, const char *target);
int temporary_rename_open(struct temporary *, const char *target);
void temporary_remove(struct temporary *); /* preserves errno */

/* Removes the name, for a file that is to vanish with its descriptor. Returns false with errno set
 * if the name remains. */
bool temporary_unname(struct temporary *);

/* Removes temporary files left by killed processes of this user: all in a folder, or those of one
 * target. */
void temporary_sweep(const char *dir);
void temporary_sweep_of(const char *target);

#endif

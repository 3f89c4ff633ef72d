/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kind of this machine, for figures that only compare with those of the same kind: system,
 * processors, memory. */
#ifndef SIM_PROGRAM_MACHINE_H
#define SIM_PROGRAM_MACHINE_H

/* "Linux 6.1.0 x86_64, 8 x AMD EPYC 7763, 32000 MiB". To be freed. */
char *machine_text(void);

#endif

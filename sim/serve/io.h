/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients of the decision service: standard input and output, or a Unix socket that only its owner
 * may use (mode 0600). Nothing is ever listened for on a network.
 *
 *     a line              at most SERVE_LINE bytes; a longer one is refused once, and skipped
 *     answers             at most SERVE_QUEUE bytes wait for a client that does not read; until it
 *                         does nothing more of it is read
 *     clients             at most SERVE_CLIENTS; more are turned away with an error
 *     a client that goes  its last line may lack the line feed: it is answered all the same
 *
 * Ends with the end of standard input, when a client says stop, with SIGTERM, SIGINT or SIGHUP, and
 * when the journal cannot be written. Answers that are due are sent before it does, for a second at
 * most.
 */
#ifndef SIM_SERVE_IO_H
#define SIM_SERVE_IO_H

#include "sim/serve/service.h"

#define SERVE_LINE    ((size_t)4 << 20)
#define SERVE_QUEUE   ((size_t)16 << 20)
#define SERVE_CLIENTS 64

bool serve_standard(struct service *, struct err *);
bool serve_socket(struct service *, const char *path, struct err *);

#endif

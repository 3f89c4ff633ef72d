/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients of the decision service: standard input and output, or a Unix socket that only its owner
 * may use (mode 0600). It never listens on a network.
 *
 *     a line              at most SERVE_LINE bytes; a longer one is refused once, and skipped
 *     answers             at most SERVE_QUEUE bytes are queued for a client that does not read;
 * until it does, nothing more of it is read clients             at most SERVE_CLIENTS; more are
 * turned away with an error a client that goes  its last line may lack the line feed: it is still
 * answered
 *
 * Ends with the end of standard input, at a client's request to stop, with SIGTERM, SIGINT or
 * SIGHUP, and when the journal cannot be written. Pending answers are sent first, for at most a
 * second.
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

/* SPDX-License-Identifier: MIT */
/* The command line of fauxfleet-extender. The texts are those of argv. */
#ifndef POLICIES_ADAPTERS_KUBERNETES_OPTIONS_H
#define POLICIES_ADAPTERS_KUBERNETES_OPTIONS_H

#include "policies/adapters/kubernetes/extender.h"
#include "policies/adapters/kubernetes/server.h"

struct options {
    struct extender_options extender;
    struct server_options server;
    bool is_answered; /* the version, help or something like it was printed: nothing is left to do */
};

bool options_parse(struct options *, int argc, char **argv, struct err *);

#endif

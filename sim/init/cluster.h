/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cluster's description of itself: the output of any of these commands
 *
 *     scontrol show nodes          as text, with -o or with --json
 *     sinfo -N -o "%N %G"          one line per node
 *     sinfo -o "%D %G"             one line per kind of node
 *     kubectl get nodes -o json
 *     scontrol show config         weights of priorities
 *     sacctmgr show assoc -P       shares and limits of accounts
 *
 * The content of a file tells which one it is. Files add up; a node in several files counts once.
 */
#ifndef SIM_INIT_CLUSTER_H
#define SIM_INIT_CLUSTER_H

#include "scenarios/import/gres.h"
#include "sim/base/err.h"

#include <stddef.h>
#include <stdint.h>

#define INIT_KINDS    32 /* of nodes */
#define INIT_FACTORS  9  /* options of the policy slurm that a configuration sets */
#define INIT_ACCOUNTS 1024

struct symbols;

/* Nodes that are alike. */
struct init_kind {
    char type[GRES_TYPE]; /* of their GPUs; "" if unknown */
    int64_t gpus;         /* of a node, 1..64 */
    int64_t nodes;
};

/* An option of the policy slurm. */
struct init_factor {
    const char *option;
    int64_t value; /* points, or seconds */
    bool is_flag;  /* value 0: false */
};

struct init_account {
    char name[128];
    int64_t share;     /* 0: none of its own */
    int64_t gpu_limit; /* -1: none */
};

/* Begins as all zeros. */
struct init_cluster {
    struct init_kind kinds[INIT_KINDS]; /* in the order of the first node */
    size_t kind_count;
    struct init_factor factors[INIT_FACTORS];
    size_t factor_count;                         /* 0: no multifactor priority was described */
    struct init_account accounts[INIT_ACCOUNTS]; /* as listed */
    size_t account_count;
    int64_t without_gpus;    /* nodes that are left out */
    struct symbols *counted; /* names of nodes */
};

/* Adds a file. Returns false with err set (EXIT_INPUT): file, line, value and expectation. */
bool init_cluster_read(struct init_cluster *, const char *path, struct err *err);
bool init_cluster_parse(struct init_cluster *, const char *name, const char *text, struct err *err);
void init_cluster_fini(struct init_cluster *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Properties of a kind of node that matter for speed, power and price: a row of the node catalogue,
 * or a user's own node (scenarios/catalog/node.c fills it from either). These are plain facts;
 * sim/perf and sim/power derive the rest. An unknown figure is 0 unless noted, and whatever depends
 * on it is left out. The catalogue has sources, and which figures are unverified (`list nodes
 * NAME`).
 *
 * Bandwidths named _gbps are GB/s (1e9 bytes): of collectives in one direction, as nccl-tests
 * reports it ("busbw"); of links as sold where a comment says so. NICs are in Gbit/s, as sold.
 */
#ifndef SIM_FLEET_TRAITS_H
#define SIM_FLEET_TRAITS_H

#include <stdbool.h>

#define TRAITS_DEVICES 64

/* How the devices of one node reach each other. */
enum traits_links {
    LINKS_PCIE = 0,  /* through PCIe switches or the host; also if unknown */
    LINKS_PAIRS,     /* NVLink bridges between devices 0-1, 2-3, ...; PCIe between pairs */
    LINKS_CUBE_MESH, /* hybrid cube mesh of DGX-1V: bandwidth depends on which devices a job has */
    LINKS_MESH,      /* a direct link between any two (HGX-4) */
    LINKS_SWITCH,    /* NVSwitch: any set of devices at full speed */
    LINKS_KINDS
};

/* How a node reaches others. */
enum traits_network {
    NETWORK_NONE = 0,
    NETWORK_INFINIBAND,
    NETWORK_ROCE,
    NETWORK_TCP,
    NETWORK_KINDS
};

struct node_traits {
    enum traits_links links;
    double nvlink_gbps;                  /* per device, both directions, as sold */
    double busbw_gbps;                   /* large all-reduce over all devices of the node */
    double busbw_of[TRAITS_DEVICES + 1]; /* over that many devices, where it differs; 0: as
                                            busbw_gbps */
    double pair_gbps, pcie_gbps; /* over a bridged pair; as soon as one pair is left by PCIe */
    int nvlink_nodes; /* nodes in one NVLink domain: 1, or the trays of a rack (NVL72: 18) */
    double nvlink_domain_gbps; /* all-reduce across such a domain */

    enum traits_network network;
    int nics;        /* of the compute fabric, each is one rail; 0 unknown */
    double nic_gbit; /* Gbit/s of each, as sold */
    double
        nic_efficiency; /* share of that which collectives reach; 0: the usual one of the network */
    int nic_of[TRAITS_DEVICES]; /* the NIC next to each device; where not said in order: 0, 0, 1, 1
                                 */

    int sockets, numa; /* CPU sockets and NUMA domains, each socket has as many; 0 unknown */
    int numa_of[TRAITS_DEVICES]; /* NUMA domain of each device; all 0 where not known */
    int pcie_of[TRAITS_DEVICES]; /* its PCIe switch; all 0 where not known */

    double idle_w, peak_w;         /* of the whole node at the plug: idle, and nameplate */
    double gpu_idle_w, gpu_peak_w; /* of one device, part of the above */
    /*
     * Prices of a node, of a whole node per hour; ranges where known. sim/power/price.h uses them.
     */
    double usd, usd_low, usd_high;                 /* to buy it */
    double rent_usd_per_hour, rent_low, rent_high; /* on demand */
    double spot_usd_per_hour;                      /* as spot capacity */
    double reserved_usd_per_hour;                  /* under a reservation */
    double usd_per_hour;                           /* that a user gives: goes before all of them */
    bool usd_unverified, rent_unverified, spot_unverified, given_unverified, reserved_unverified;
    double ssd_gbps;   /* local storage: read */
    double gpu_mem_gb; /* of one device, in units of 1024 MiB */
    double bf16_tflops,
        mem_tb_s; /* of one device: matmul rate that is reached, bandwidth of its memory */
    double speed; /* of one device relative to an A100-SXM, if given by the user; 0: not given
                     (sim/perf/generation.h) */
};

/* True if the figures of their devices are equal; devices of one type are then equally fast. */
bool traits_same_device(const struct node_traits *, const struct node_traits *);

/* True if two nodes with `gpus` devices are equally fast. Compares figures, not names. */
bool traits_alike(const struct node_traits *, const struct node_traits *, int gpus);

/* True if anything is known of the links of the devices, within the node or beyond. */
bool traits_know_links(const struct node_traits *);

extern const struct node_traits traits_unknown; /* nothing known; the default of node lists */

#endif

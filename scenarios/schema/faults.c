/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of keys of faults, innermost first. None has a default here: a profile inherits the
 * keys that it does not give. */
#include "scenarios/schema/faults.h"

// clang-format off

#define SHARE(name, text)    {.key = name, .type = SCHEMA_NUMBER, .max = 1, .summary = text}
#define DURATION(name, text) {.key = name, .type = SCHEMA_DURATION, .summary = text}

static const struct schema_row span_rows[] = {
    DURATION("fixed", "always so long"),
    DURATION("from", "anything from here..."),
    DURATION("to", "...to here, equally likely"),
    DURATION("median", "lognormal, with `sigma` or `mean`; with both, one in twenty takes so long "
                       "that the mean comes out"),
    {.key = "sigma", .type = SCHEMA_NUMBER, .max = 10,
     .summary = "standard deviation of the logarithm"},
    DURATION("mean", "with `median`; or Weibull, with `shape`"),
    {.key = "shape", .type = SCHEMA_NUMBER, .min = 0.1, .max = 10,
     .summary = "of the Weibull distribution"},
    SHARE("at_once", "this share takes no time at all"),
    {0},
};
static const struct schema_row span_object = {.type = SCHEMA_OBJECT, .child = span_rows};
#define SPAN(name, text) {.key = name, .type = SCHEMA_DURATION, .other = &span_object, \
   .summary = text}

#define MARKS "P|S|D|M|A"
static const struct schema_row mark = {.type = SCHEMA_CHOICE, .choices = MARKS};
static const struct schema_row loss_element = {.type = SCHEMA_NUMBER, .max = 1};

#define EFFECTS "kill|slow|corrupt|hang|stop"
#define DRAINS  "no|repeat|after-job|now"

static const struct schema_row class_rows[] = {
    {.key = "id", .type = SCHEMA_TEXT, .min = 1,
     .summary = "its number in the survey of the literature, such as C1"},
    {.key = "summary", .type = SCHEMA_TEXT, .min = 1, .summary = "one line about it"},
    {.key = "source", .type = SCHEMA_TEXT, .min = 1, .summary = "source of its figures"},
    {.key = "marks", .type = SCHEMA_OBJECT, .open = &mark,
     .summary = "evidence by key: P primary text, S quoted elsewhere, D derived; unverified: M "
                "memory, A assumption"},
    {.key = "rate", .type = SCHEMA_NUMBER, .max = 1e6,
     .summary = "per 1,000 days of its scope (GPUs and NICs: of a node of `gpus`, in proportion "
                "for others); user: share of jobs"},
    {.key = "arrival", .type = SCHEMA_CHOICE, .choices = "exponential|weibull|periodic",
     .summary = "distribution of the gaps between faults"},
    {.key = "shape", .type = SCHEMA_NUMBER, .min = 0.1, .max = 10, .summary = "of Weibull gaps"},
    {.key = "width", .type = SCHEMA_INTEGER, .min = 1, .max = 1e6, .summary = "nodes in one set"},
    {.key = "frail", .type = SCHEMA_BOOLEAN, .summary = "lemons have them more often"},
    SPAN("detect", "from the fault until it is noticed"),
    {.key = "effect", .type = SCHEMA_CHOICE, .choices = EFFECTS,
     .summary = "effect on the job"},
    SHARE("effect_share", "in this share of cases"),
    {.key = "otherwise", .type = SCHEMA_CHOICE, .choices = EFFECTS, .summary = "in the others"},
    {.key = "loss", .type = SCHEMA_LIST, .min = 2, .max = 2, .child = &loss_element,
     .summary = "slow: lost share of speed, from and to"},
    SPAN("lasts", "slow: how long [until it is repaired]; user: work until it strikes"),
    DURATION("kills_after", "slow: a fault that lasts this long kills the job"),
    {.key = "rollback", .type = SCHEMA_INTEGER, .max = 1000,
     .summary = "corrupt: number of unusable checkpoints"},
    {.key = "drain", .type = SCHEMA_CHOICE, .choices = DRAINS,
     .summary = "when the node is taken out if a reset helps"},
    {.key = "drain_hardware", .type = SCHEMA_CHOICE, .choices = DRAINS,
     .summary = "when it is taken out if a part is replaced"},
    SHARE("transient_share", "repairs that need no part"),
    SPAN("transient", "how long these take"),
    SPAN("hardware", "and the others"),
    SHARE("relapse", "transient repairs that do not help"),
    SPAN("relapses", "how soon the fault is there again"),
    {0},
};

#define CLASS(name) {.key = name, .type = SCHEMA_OBJECT, .child = class_rows, \
 .summary = "a class of faults"}
static const struct schema_row classes_rows[] = {
    CLASS("gpu"), CLASS("nvlink"), CLASS("hbm"), CLASS("sram"), CLASS("gsp"), CLASS("thermal"),
       CLASS("sdc"),
    CLASS("nic"), CLASS("link"), CLASS("leaf"), CLASS("spine"), CLASS("flap"), CLASS("host"),
    CLASS("host-maintenance"), CLASS("software"), CLASS("hang"), CLASS("slow-device"),
       CLASS("slow-network"),
    CLASS("rack"), CLASS("mount"), CLASS("storage"), CLASS("maintenance"), CLASS("user"),
    {0},
};

static const struct schema_row profile_rows[] = {
    {.key = "summary", .type = SCHEMA_TEXT, .min = 1, .summary = "one line about it"},
    {.key = "source", .type = SCHEMA_TEXT, .min = 1, .summary = "source of its figures"},
    {.key = "marks", .type = SCHEMA_OBJECT, .open = &mark,
     .summary = "evidence by key, as of classes"},
    {.key = "based_on", .type = SCHEMA_TEXT, .min = 1,
     .summary = "a profile of the catalogue that this one changes [the unchanged classes]"},
    {.key = "total", .type = SCHEMA_NUMBER, .max = 1e5,
     .summary = "failures per 1,000 node-days: rates of the counted classes are scaled to this "
                "total"},
    {.key = "gpus", .type = SCHEMA_NUMBER, .min = 1, .max = 1000,
     .summary = "GPUs, and NICs, of the nodes that `total` and rates here refer to [those of the "
                "first pool; in the catalogue 8]"},
    {.key = "hbm_gb", .type = SCHEMA_NUMBER, .min = 1, .max = 1e5,
     .summary = "device memory that the rate of memory errors refers to"},
    SHARE("lemon_share", "nodes that fail again and again"),
    {.key = "lemon_factor", .type = SCHEMA_NUMBER, .min = 1, .max = 1e6,
     .summary = "rate relative to other nodes"},
    {.key = "drift", .type = SCHEMA_NUMBER, .max = 3,
     .summary = "variation between months: standard deviation of the logarithm of a month's rates"},
    {.key = "exponential", .type = SCHEMA_BOOLEAN,
     .summary = "faults without memory, as published formulas assume: no lemons, no drift, repairs "
                "that help"},
    SHARE("transient_share", "as of classes, for those that do not say it themselves"),
    SPAN("transient", "likewise"),
    SPAN("hardware", "likewise"),
    SHARE("relapse", "likewise"),
    SPAN("relapses", "likewise"),
    {.key = "classes", .type = SCHEMA_OBJECT, .child = classes_rows,
     .summary = "changes to single classes"},
    {0},
};
const struct schema_row schema_fault_profile = {.type = SCHEMA_OBJECT, .child = profile_rows};

/* ---- the key `faults` of a scenario */

static const struct schema_row class_name = {.type = SCHEMA_TEXT, .min = 1};
static const struct schema_row spares_of = {.type = SCHEMA_NUMBER, .max = 4194304};
static const struct schema_row spares_object = {.type = SCHEMA_OBJECT, .open = &spares_of};

static const struct schema_row pool_name = {.type = SCHEMA_TEXT, .min = 1};
static const struct schema_row burn_in_rows[] = {
    {.key = "time", .type = SCHEMA_DURATION, .required = true, .summary = "how long a test takes"},
    {.key = "reject", .type = SCHEMA_NUMBER, .max = 0.9, .fallback = "0",
     .summary = "share of tests that fail: the node is repaired and tested again"},
    {.key = "new", .type = SCHEMA_LIST, .max = 4096, .child = &pool_name,
     .summary = "pools whose nodes are new when the run begins, and tested first [none]"},
    {0},
};

const struct schema_row schema_faults[] = {
    {.key = "profile", .type = SCHEMA_TEXT, .min = 1,
     .other = &schema_fault_profile, .required = true,
     .summary = "name in the catalogue of faults, or the profile itself"},
    {.key = "scale", .type = SCHEMA_NUMBER, .max = 1e6, .fallback = "1",
     .summary = "factor on all fault rates"},
    {.key = "only", .type = SCHEMA_LIST, .max = 64, .child = &class_name,
     .summary = "classes of faults that occur [all]"},
    {.key = "exponential", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "without memory, as published formulas assume: no lemons, no drift"},
    {.key = "catch_lemons", .type = SCHEMA_BOOLEAN, .fallback = "true",
     .summary = "nodes that fail repeatedly are tested, and repaired once identified as lemons"},
    {.key = "burn_in", .type = SCHEMA_OBJECT, .child = burn_in_rows,
     .summary = "tests of a node before it takes jobs, after a part was replaced and when it is new"},
    {.key = "patient", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "a node goes into repair when the jobs running there have ended"},
    {.key = "dual_homed", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "each NIC has links to two leaf switches: a failed link or leaf halves its "
                "bandwidth and stops no job"},
    {.key = "nic_failover", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "a node with several NICs loses the bandwidth of a failed one, and its jobs "
                "continue"},
    {.key = "fixed_routing", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "no adaptive routing: a failed spine takes 50 to 75 % of the bandwidth, not its "
                "share; with `network` only"},
    {.key = "user_failures", .type = SCHEMA_BOOLEAN, .fallback = "false",
     .summary = "computing jobs fail on their own as class `user` says: for traces without end "
                "states; recorded failures and cancellations stay"},
    {.key = "spares", .type = SCHEMA_NUMBER, .max = 4194304, .other = &spares_object,
     .summary = "spare nodes of each pool, its last ones, that replace nodes under repair: a "
                "number, a share below 1 (rounded up), or either by pool [none]"},
    {.key = "swap", .type = SCHEMA_DURATION, .fallback = "\"5m\"",
     .summary = "from the start of a repair until the spare takes tasks"},
    {0},
};

/* ---- the catalogue */

static const struct schema_row catalog_rows[] = {
    {.key = "fauxfleet_catalog", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true,
     .summary = "version of this format"},
    {.key = "classes", .type = SCHEMA_OBJECT, .child = classes_rows, .required = true,
     .summary = "classes of faults"},
    {.key = "faults", .type = SCHEMA_OBJECT, .open = &schema_fault_profile, .required = true,
     .summary = "profiles: faults of a kind of fleet"},
    {0},
};
const struct schema_row schema_faults_catalog = {.type = SCHEMA_OBJECT, .child = catalog_rows};

// clang-format on

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reclaim, rule by rule: which jobs may reclaim (the gate), which may be victims, and the
 * conditions before each piece is taken and at each level afterwards. Queues have no limit and
 * weight 1 unless noted; weight 0 keeps a share at its quota.
 */
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

/* clang-format off */
/* ---- the gate: the leaf stays within its fair share ------------------------------------------ */
static const struct story_row gate[] = {
    {"an owner returns: the newest job of the other queue is evicted",
     "opt actions=reclaim; node n0 2; queue a gpu=1; queue b gpu=1;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 1x1",
     "v2/0!n0 p/0~n0"},
    {"a gang above the share is refused",
     "opt actions=reclaim; node n0 2; queue a gpu=1; queue b gpu=1;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 2x1", ""},
    {"an elastic job gets its minimum",
     "opt actions=reclaim; node n0 2; queue a gpu=1; queue b gpu=1;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 2x1/1",
     "v2/0!n0 p/0~n0"},
    {"one chunk of it an action, though both are within the share",
     "opt actions=reclaim; node n0 4; queue a gpu=2; queue b gpu=2; job v b 4x1/1@n0*4; job p a "
     "2x1/1",
     "v/3!n0 p/0~n0"},
    {"what the queue has counts",
     "opt actions=reclaim; node n0 3; queue a gpu=1/-/0; queue b gpu=1/-/0;"
     "job r a 1x1@n0; job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 1x1", ""},
    {"devices being released do not",
     "opt actions=reclaim; node n0 4; queue a gpu=1/-/0; queue b gpu=1/-/0;"
     "job r a 1x1@n0!; job v b 3x1@n0*3; job p a 1x1",
     "p/0~n0"}, /* v is taken on trial and finds its place again */
    {"the share may be above the quota", /* 4 are 1 + 1 and 1 each */
     "opt actions=reclaim; node n0 4; queue a gpu=1; queue b gpu=1;"
     "job r a 1x1@n0; job v1 b 1x1@n0; job v2 b 1x1@n0; job v3 b 1x1@n0; job p a 1x1",
     "v3/0!n0 p/0~n0"},
    {"all resources count: no CPU left of the share",
     "opt actions=reclaim; node n0 2 cpu=8; queue a gpu=1 cpu=1/-/0; queue b gpu=1;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 1x1+c2", ""},
    {"all resources count: CPU within the share",
     "opt actions=reclaim; node n0 2 cpu=8; queue a gpu=1 cpu=2/-/0; queue b gpu=1;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 1x1+c2",
     "v2/0!n0 p/0~n0"},
    {"all resources count: also those that are not asked for",
     /* 3 cores are above the share of 2 */
     "opt actions=reclaim; node n0 2 cpu=8; queue a gpu=1 cpu=2/-/0; queue b gpu=1;"
     "job r a 1xc3@n0; job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 1x1", ""},
    {"non-preemptible jobs stay within the quota",
     "opt actions=reclaim; node n0 2; queue a; queue b;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a fixed 1x1", ""},
    {"preemptible jobs may exceed it",
     "opt actions=reclaim; node n0 2; queue a; queue b;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 1x1",
     "v2/0!n0 p/0~n0"},
    {"preemptible usage leaves the quota to others", /* 1 + 1 of a share of 2,
     0 + 1 of a quota of 1 */
     "opt actions=reclaim; node n0 4; queue a gpu=1; queue b gpu=1;"
     "job r a 1x1@n0; job v b 3x1/1@n0*3; job p a fixed 1x1",
     "v/2!n0 p/0~n0"},
    {"use that may not be preempted does not",
     "opt actions=reclaim; node n0 4; queue a gpu=1; queue b gpu=1;"
     "job r a fixed 1x1@n0; job v b 3x1/1@n0*3; job p a fixed 1x1", ""},
    /* A has 1, of which a1 may have 2: quotas below are not cut. The gate does not consider A's
     * share. */
    {"the gate looks at the leaf alone",
     "opt actions=reclaim; node n0 3; queue A gpu=1/-/0; queue a1 in=A gpu=2; queue B gpu=0/-/0; "
     "queue b in=B;job r a1 1x1@n0; job v b 2x1/1@n0*2; job p a1 1x1",
     "v/1!n0 p/0~n0"},
    {"without victims nothing is placed, though there is room",
     "opt actions=reclaim; node n0 2; queue a gpu=1; queue b; job p a 1x1", ""},
};

/* ---- possible victims ------------------------------------------------------------------------- */
static const struct story_row victims[] = {
    {"not of the own leaf",
     "opt actions=reclaim; node n0 2; queue a gpu=2; queue b gpu=0;"
     "job r a prio=1 2x1@n0*2; job p a prio=99 1x1", ""},
    {"of a sibling in the same department",
     "opt actions=reclaim; node n0 2; queue A gpu=2; queue a1 in=A gpu=1; queue a2 in=A gpu=1;"
     "job v1 a2 1x1@n0; job v2 a2 1x1@n0; job p a1 1x1",
     "v2/0!n0 p/0~n0"},
    {"not what may not be preempted",
     "opt actions=reclaim; node n0 2; queue a gpu=1; queue b gpu=1; job v b fixed 2x1@n0*2; job p "
     "a 1x1", ""},
    {"whatever their priority",
     "opt actions=reclaim; node n0 2; queue a gpu=1; queue b gpu=1;"
     "job v1 b prio=90 1x1@n0; job v2 b prio=99 1x1@n0; job p a prio=1 1x1",
     "v1/0!n0 p/0~n0"}, /* but the lower one first */
    {"those above their minimum first, one task",
     "opt actions=reclaim; node n0 4; queue a gpu=1; queue b gpu=1;"
     "job e b 2x1/1@n0*2; job v b 2x1@n0*2; job p a 1x1",
     "e/1!n0 p/0~n0"},
    {"the queue first that has most of what it may have", /* b 2 of 2, c 2 of 1, minus what they would lose */
     "opt actions=reclaim; node n0 4; queue a gpu=1; queue b gpu=2; queue c gpu=1;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job w1 c 1x1@n0; job w2 c 1x1@n0; job p a 1x1",
     "w2/0!n0 p/0~n0"},
};

/* ---- before each piece: maintain fair share, or guarantee quota ------------------------------ */
static const struct story_row pieces[] = {
    {"a whole gang is evicted if its queue exceeds by part of it",
     "opt actions=reclaim; node n0 3; queue a gpu=1; queue b gpu=2; job v b 3x1@n0*3; job p a 1x1",
     "v/0!n0 v/1!n0 v/2!n0 p/0~n0"},
    {"a gang stays when its queue is not",
     "opt actions=reclaim; node n0 3; queue a gpu=1; queue b gpu=3; job v b 3x1@n0*3; job p a 1x1",
        ""},
    {"pieces of an elastic job are judged one by one", /* 3 is above 2, then 2 is not */
     "opt actions=reclaim; node n0 3; queue a gpu=2; queue b gpu=2; job v b 3x1/1@n0*3; job p a "
     "1x2", ""},
    {"a gang of the same size is one piece",
     "opt actions=reclaim; node n0 3; queue a gpu=2; queue b gpu=2; job v b 3x1@n0*3; job p a 1x2",
     "v/0!n0 v/1!n0 v/2!n0 p/0~n0"},
    {"the quota counts when it is above the share", /* R is 2, so F is 2; D 3 is what b may have */
     "opt actions=reclaim; node n0 2; queue a gpu=1; queue b gpu=3; job v1 b 1x1@n0; job v2 b "
     "1x1@n0; job p a 1x1",
     ""},
    {"a quota without a bound is never exceeded, though the share is less",
     /* 4 devices on nodes of 2 */
     "opt actions=reclaim; node n0 2; node n1 2 drain; queue a gpu=1; queue b gpu=-; job v b "
     "2x1@n0*2; job w b 2x1@n1*2;job p a 1x1", ""},
    {"above in a resource that is not requested", /* 2 cores of a share of 1; 2 devices of 2 */
     "opt actions=reclaim; node n0 2 cpu=4; queue a gpu=1 cpu=1; queue b gpu=2 cpu=1/-/0;"
     "job v1 b 1x1+c1@n0; job v2 b 1x1+c1@n0; job p a 1x1",
     "v2/0!n0 p/0~n0"},
    {"above in no resource",
     "opt actions=reclaim; node n0 2 cpu=4; queue a gpu=1 cpu=1; queue b gpu=2 cpu=2/-/0;"
     "job v1 b 1x1+c1@n0; job v2 b 1x1+c1@n0; job p a 1x1", ""},
    /* Both are confined to n0, so 2 of 4 devices idle: b has 2, its share, of which 1 is quota. */
    {"guarantee quota: within the quota against what exceeds its own",
     "opt actions=reclaim; node n0 2 label=1:1; node n1 2; queue a gpu=1; queue b gpu=1;"
     "job v1 b 1x1+k1:1@n0; job v2 b 1x1+k1:1@n0; job p a 1x1+k1:1",
     "v2/0!n0 p/0~n0"},
    {"guarantee quota: not from a queue within it",
     "opt actions=reclaim; node n0 2 label=1:1; node n1 2; queue a gpu=1; queue b gpu=2;"
     "job v1 b 1x1+k1:1@n0; job v2 b 1x1+k1:1@n0; job p a 1x1+k1:1", ""},
    {"guarantee quota: not for a queue that exceeds it", /* though within the share */
     "opt actions=reclaim; node n0 2 label=1:1; node n1 2; queue a; queue b gpu=1;"
     "job v1 b 1x1+k1:1@n0; job v2 b 1x1+k1:1@n0; job p a 1x1+k1:1", ""},
    {"guarantee quota: in all resources", /* no quota of CPU: a has a share of it,
     but above its quota */
     "opt actions=reclaim; node n0 2 cpu=4 label=1:1; node n1 2 cpu=4; queue a gpu=1 cpu=0; queue "
     "b gpu=1;job v1 b 1x1+k1:1@n0; job v2 b 1x1+k1:1@n0; job p a 1x1+c1+k1:1", ""},
    {"guarantee quota: the gang that reaches below the other's quota",
     /* 2 is above 1; all is one piece */
     "opt actions=reclaim; node n0 2 label=1:1; node n1 2; queue a gpu=1; queue b gpu=1;"
     "job v b 2x1+k1:1@n0*2; job p a 1x1+k1:1",
     "v/0!n0 v/1!n0 p/0~n0"},
    {"shares of devices", /* b has 1.5 of 1 */
     "opt actions=reclaim; node n0 2; queue a gpu=1; queue b gpu=1;"
     "job v1 b 1x1@n0:0; job v2 b 1x.5@n0:1; job p a 1x1",
     "v2/0!n0:1 p/0~n0"},
};

/* ---- where the two branches of the forest meet ------------------------------------------------ */
static const struct story_row levels[] = {
    {"CPU that the own department loses counts: D no longer has k's cores, so it may take y's device",
     "opt actions=reclaim; node n0 1 cpu=3; node n1 0 cpu=2; queue D gpu=1 cpu=2/-/0;"
     "queue a in=D gpu=1 cpu=2/-/0; queue b in=D cpu=0/-/0; queue y cpu=2/-/0; job k b 1xc2@n0;"
     "job v y 1x1+c1@n0; job u y 1xc2@n1; job g a 1x1+c2",
     "k/0!n0 v/0!n0 g/0~n0"},
    {"between departments only these count: the leaf above its quota is safe",
     "opt actions=reclaim; node n0 2; queue A gpu=1; queue a in=A gpu=1; queue B gpu=2; queue b1 "
     "in=B;"
     "queue b2 in=B gpu=2;"
     "job v1 b1 1x1@n0; job v2 b1 1x1@n0; job p a 1x1", ""},
    {"inside the department it is not",
     "opt actions=reclaim; node n0 2; queue A gpu=1; queue a in=A gpu=1; queue B gpu=2; queue b1 "
     "in=B;"
     "queue b2 in=B gpu=2;"
     "job v1 b1 1x1@n0; job v2 b1 1x1@n0; job p b2 1x1",
     "v2/0!n0 p/0~n0"},
    {"and a leaf within its quota is not safe from other departments",
     "opt actions=reclaim; node n0 2; queue A gpu=1; queue a in=A gpu=1; queue B gpu=1; queue b "
     "in=B gpu=2;job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 1x1",
     "v2/0!n0 p/0~n0"},
    {"lines of different length: a root against three levels",
     "opt actions=reclaim; node n0 2; queue a gpu=1; queue B gpu=1; queue Bx in=B gpu=2; queue bxy "
     "in=Bx gpu=2;job v1 bxy 1x1@n0; job v2 bxy 1x1@n0; job p a 1x1",
     "v2/0!n0 p/0~n0"},
    {"lines of different length: three levels against a root",
     "opt actions=reclaim; node n0 2; queue b gpu=1; queue A gpu=1; queue Ax in=A gpu=1; queue axy "
     "in=Ax gpu=1;job v1 b 1x1@n0; job v2 b 1x1@n0; job p axy 1x1",
     "v2/0!n0 p/0~n0"},
    {"three levels, parting at the second", /* S has 1, T 1; t is far above its own quota,
     and T above its share */
     "opt actions=reclaim; node n0 2; queue R gpu=2; queue S in=R gpu=1; queue T in=R gpu=1; queue "
     "s in=S gpu=1;queue t in=T; job v1 t 1x1@n0; job v2 t 1x1@n0; job p s 1x1",
     "v2/0!n0 p/0~n0"},
    {"three levels: T within its quota is safe from S",
     "opt actions=reclaim; node n0 2; queue R gpu=2; queue S in=R gpu=1; queue T in=R gpu=2; queue "
     "s in=S gpu=1;queue t in=T; job v1 t 1x1@n0; job v2 t 1x1@n0; job p s 1x1", ""},
    /*
     * R has a share of 2 and would have 3 with p, proportionally as much as S. But y, on its own
     * side, gives up one.
     */
    {"victims on both sides: losses on the own side make room below the share",
     "opt actions=reclaim; node n0 4; queue R gpu=2/-/0; queue a in=R gpu=2; queue b in=R "
     "gpu=0/-/0;"
     "queue S gpu=2/-/0; queue c in=S; job y b 1x1@n0; job x1 c 1x1@n0; job x2 c 1x1@n0; job x3 c "
     "1x1@n0;job p a 1x2",
     "x3/0!n0 y/0!n0 p/0~n0"},
    {"without a hierarchy leaves are siblings",
     "opt actions=reclaim full_hierarchy=false; node n0 2; queue A gpu=1; queue a in=A gpu=1; "
     "queue B gpu=2;queue b1 in=B;"
     "queue b2 in=B gpu=2; job v1 b1 1x1@n0; job v2 b1 1x1@n0; job p a 1x1",
     "v2/0!n0 p/0~n0"},
    {"a department of higher priority has all that is over quota",
     "opt actions=reclaim; node n0 2; queue A prio=2; queue a in=A; queue B prio=1; queue b in=B;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 2x1",
     "v1/0!n0 v2/0!n0 p/0~n0 p/1~n0"},
    {"and one of lower priority cannot have it back",
     "opt actions=reclaim; node n0 2; queue A prio=1; queue a in=A; queue B prio=2; queue b in=B;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 1x1", ""},
};

/* ---- afterwards: no ancestor of the reclaimer further above its share than a sibling that lost
 * --- */
/*
 * a1 may have 1 (its quota, which is not cut), but A has a share of 1 that a2 already uses: A would
 * have 2/1. B has a share of 1 as well, and after losing one device the rest over 1.
 */
#define CROWDED(opt, devices, gives) \
    "opt actions=reclaim " opt "; node n0 " devices "; queue A gpu=1/-/0; queue a1 in=A gpu=1;" \
     "queue a2 in=A gpu=1;" \
    "queue B gpu=1/-/0; queue b in=B; job r a2 fixed 1x1@n0; job v b " gives "; job p a1 1x1"
static const struct story_row saturation[] = {
    {"2/1 against 2/1 is refused", CROWDED("", "4", "3x1/1@n0*3"), ""},
    {"2/1 against 3/1 is not", CROWDED("", "5", "4x1/1@n0*4"), "v/3!n0 p/0~n0"},
    {"multiplier 2: 4 against 3 is refused", CROWDED("saturation_multiplier=2", "5", "4x1/1@n0*4"),
     ""},
    {"multiplier 1.5: 3 against 3 is refused", CROWDED("saturation_multiplier=1.5", "5",
     "4x1/1@n0*4"), ""},
    {"multiplier 1.499999: just below", CROWDED("saturation_multiplier=1.499999", "5",
     "4x1/1@n0*4"),
     "v/3!n0 p/0~n0"},
    {"up to its share an ancestor may always go", /* 1/1 against 0/1; the gang is lost as one piece */
     "opt actions=reclaim saturation_multiplier=1000; node n0 2; queue A gpu=1/-/0; queue a in=A "
     "gpu=1;queue B gpu=1/-/0; queue b in=B; job v b 2x1@n0*2; job p a 1x1",
     "v/0!n0 v/1!n0 p/0~n0"},
    {"of no share, anything is infinitely much",
     "opt actions=reclaim; node n0 4; queue A gpu=0/-/0; queue a in=A gpu=1; queue B gpu=1/-/0; "
     "queue b in=B;job v b 4x1/1@n0*4; job p a 1x1", ""},
    {"but a sibling without a share cannot complain",
     "opt actions=reclaim; node n0 4; queue A gpu=0/-/0; queue a in=A gpu=1; queue B gpu=0/-/0; "
     "queue b in=B;job v b 4x1/1@n0*4; job p a 1x1",
     "v/3!n0 p/0~n0"},
    {"a sibling that lost nothing is not asked", /* C has 0/1, B 4/1 before and 3/1 after */
     "opt actions=reclaim; node n0 5; queue A gpu=1/-/0; queue a1 in=A gpu=1; queue a2 in=A gpu=1;"
     "queue C gpu=1/-/0;"
     "queue B gpu=1/-/0; queue b in=B; job r a2 fixed 1x1@n0; job v b 4x1/1@n0*4; job p a1 1x1; "
     "job idle C 2x8",
     "v/3!n0 p/0~n0"},
    /* A has 2 cores of a share of 1, B (next to) none of 1: this matters only if CPU is requested
     * or taken. */
    {"resources that are not involved do not count",
     "opt actions=reclaim; node n0 2 cpu=8; queue A gpu=1 cpu=1/-/0; queue a1 in=A gpu=1; queue a2 "
     "in=A;queue B gpu=1 cpu=1/-/0; queue b in=B; job r a2 fixed 1xc2@n0; job v b 2x1/1@n0*2; job "
     "w b 1x8+c1;"
     "job p a1 1x1",
     "v/1!n0 p/0~n0"},
    {"resources that are taken do",
     "opt actions=reclaim; node n0 2 cpu=8; queue A gpu=1 cpu=1/-/0; queue a1 in=A gpu=1; queue a2 "
     "in=A;queue B gpu=1 cpu=1/-/0; queue b in=B; job r a2 fixed 1xc2@n0; job v b 2x1+c.1/1@n0*2; "
     "job p a1 1x1", ""},
    {"resources that are asked for do",
     "opt actions=reclaim; node n0 2 cpu=8; queue A gpu=1 cpu=1/-/0; queue a1 in=A gpu=1; queue a2 "
     "in=A;queue B gpu=1 cpu=1/-/0; queue b in=B; job r a2 fixed 1xc2@n0; job v b 2x1/1@n0*2; job "
     "w b 1x8+c1;"
     "job p a1 1x1+c.1", ""},
    {"three levels: the middle one is looked at",
     /* M would have 2/1, N 2/1 after giving; A and B are far from full */
     "opt actions=reclaim; node n0 9; queue R gpu=9; queue M in=R gpu=1/-/0; queue m1 in=M gpu=1;"
     "queue m2 in=M gpu=1;"
     "queue N in=R gpu=1/-/0; queue n in=N; job r m2 fixed 1x1@n0; job x m2 fixed 5x1@n0*5; job v "
     "n 3x1/1@n0*3;job p m1 1x1", ""},
};

/* ---- non-preemptible reclaimers: the quota at every level ------------------------------------- */
static const struct story_row fixed[] = {
    {"within the quota of leaf and department",
     "opt actions=reclaim; node n0 2; queue A gpu=1; queue a in=A gpu=1; queue B; queue b in=B;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a fixed 1x1",
     "v2/0!n0 p/0~n0"},
    {"the department has none",
     "opt actions=reclaim; node n0 2; queue A; queue a in=A gpu=1; queue B; queue b in=B;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a fixed 1x1", ""},
    {"but then one that may be preempted can",
     "opt actions=reclaim; node n0 2; queue A; queue a in=A gpu=1; queue B; queue b in=B;"
     "job v1 b 1x1@n0; job v2 b 1x1@n0; job p a 1x1",
     "v2/0!n0 p/0~n0"},
    {"a sibling's jobs have used it up",
     "opt actions=reclaim; node n0 3; queue A gpu=1; queue a1 in=A gpu=1; queue a2 in=A gpu=1; "
     "queue B;queue b in=B;"
     "job r a2 fixed 1x1@n0; job v1 b 1x1@n0; job v2 b 1x1@n0; job p a1 fixed 1x1", ""},
    {"a sibling's jobs that may be preempted have not",
     "opt actions=reclaim; node n0 4; queue A gpu=1; queue a1 in=A gpu=1; queue a2 in=A gpu=1; "
     "queue B;queue b in=B;"
     "job r a2 1x1@n0; job v b 3x1/1@n0*3; job p a1 fixed 1x1",
     "v/2!n0 p/0~n0"},
};

/* ---- victims that find another place --------------------------------------------------------- */
static const struct story_row moves[] = {
    {"a moved job has lost nothing, though its queue is within its share",
     "opt actions=reclaim; node n0 1 label=1:1; node n1 1; queue a gpu=1; queue b gpu=1;"
     "job v b 1x1@n0; job p a 1x1+k1:1",
     "v/0!n0 v/0~n1 p/0~n0"},
    {"unless moves count",
     "opt actions=reclaim consolidating_reclaim=false; node n0 1 label=1:1; node n1 1; queue a "
     "gpu=1;"
     "queue b gpu=1;"
     "job v b 1x1@n0; job p a 1x1+k1:1", ""},
    {"and then it is a matter of shares again",
     "opt actions=reclaim consolidating_reclaim=false; node n0 1 label=1:1; node n1 1; queue a "
     "gpu=1;"
     "queue b gpu=0/-/0;"
     "job v b 1x1@n0; job p a 1x1+k1:1",
     "v/0!n0 v/0~n1 p/0~n0"},
    {"the job with the stronger claim takes it back first", /* b is starved, a is not */
     "opt actions=reclaim; node n0 1; queue a; queue b gpu=1; job v b 1x1@n0; job p a 1x1", ""},
};
/* clang-format on */

#define TEST_OF(table)                                                                             \
    START_TEST(table##_rows)                                                                       \
    {                                                                                              \
        story_expects(table[_i].text, table[_i].expected, table[_i].what);                         \
    }                                                                                              \
    END_TEST

TEST_OF(gate)
TEST_OF(victims)
TEST_OF(pieces)
TEST_OF(levels)
TEST_OF(saturation)
TEST_OF(fixed)
TEST_OF(moves)

/* ---- reasons ----------------------------------------------------------------------------------
 */

static const struct {
    const char *text;
    int32_t reason;
} reasons[] = {
    {"opt actions=reclaim; node n0 2; queue a gpu=1; queue b gpu=1; job v b 2x1/1@n0*2; job p a "
     "1x1",
     POLICY_REASON_RECLAIM_OVER_QUOTA},
    {"opt actions=reclaim; node n0 2; queue a; queue b; job v b 2x1/1@n0*2; job p a 1x1",
     POLICY_REASON_RECLAIM_OVER_SHARE},
    {"opt actions=reclaim; node n0 1 label=1:1; node n1 1; queue a gpu=1; queue b gpu=1;"
     "job v b 1x1@n0; job p a 1x1+k1:1",
     POLICY_REASON_MOVED},
};

START_TEST(reasons_are_reported)
{
    struct story s;
    story_open(&s, reasons[_i].text);
    ck_assert_int_eq(story_reason(&s), reasons[_i].reason);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reclaim");
    TCase *tcase = tcase_create("reclaim");
    tcase_add_loop_test(tcase, gate_rows, 0, ROWS(gate));
    tcase_add_loop_test(tcase, victims_rows, 0, ROWS(victims));
    tcase_add_loop_test(tcase, pieces_rows, 0, ROWS(pieces));
    tcase_add_loop_test(tcase, levels_rows, 0, ROWS(levels));
    tcase_add_loop_test(tcase, saturation_rows, 0, ROWS(saturation));
    tcase_add_loop_test(tcase, fixed_rows, 0, ROWS(fixed));
    tcase_add_loop_test(tcase, moves_rows, 0, ROWS(moves));
    tcase_add_loop_test(tcase, reasons_are_reported, 0, ROWS(reasons));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row per field; see kube_fields.h. Tables precede the rows that open them. */
#include "scenarios/import/kube_fields.h"

// clang-format off

#define READ(name)         {.key = name, .fate = FIELD_READ}
#define NO_MATTER(name)    {.key = name, .fate = FIELD_NO_MATTER}
#define NOTED(name)        {.key = name, .fate = FIELD_NOTED}
#define NOTED_BUT(name, value) {.key = name, .fate = FIELD_NOTED, .usual = value}
#define OPEN(name, rows)   {.key = name, .fate = FIELD_OPEN, .inside = rows}
#define END                {.key = NULL}

/* ---- metadata ---- */

#define META_ROWS \
    READ("name"), READ("namespace"), NO_MATTER("generateName"), NO_MATTER("selfLink"), \
    NO_MATTER("resourceVersion"), NO_MATTER("managedFields"), NO_MATTER("ownerReferences"), \
    NO_MATTER("finalizers"), READ("uid"), READ("generation")
#define OBJECT_ROWS NO_MATTER("apiVersion"), NO_MATTER("kind")

/* Labels and annotations of schedulers without a row of their own; others do not matter. */
#define OTHER_KEYS \
    NOTED("kai.scheduler/*"), NOTED("runai/*"), NOTED("run.ai/*"), NOTED("volcano.sh/*"), \
    NOTED("kueue.x-k8s.io/*"), NOTED("scheduling.k8s.io/*"), NOTED("scheduling.x-k8s.io/*"), \
    NO_MATTER("*"), END

static const struct kube_field plain_meta[] = {
    META_ROWS, NO_MATTER("labels"), NO_MATTER("annotations"), NO_MATTER("creationTimestamp"),
    NOTED("deletionTimestamp"), NO_MATTER("deletionGracePeriodSeconds"), END
};
static const struct kube_field dated_meta[] = {
    META_ROWS, NO_MATTER("labels"), NO_MATTER("annotations"), READ("creationTimestamp"),
    NOTED("deletionTimestamp"), NO_MATTER("deletionGracePeriodSeconds"), END
};

/* ---- nodes ---- */

static const struct kube_field node_labels[] = {
    READ("*"), END
};
static const struct kube_field node_meta[] = {
    META_ROWS, OPEN("labels", node_labels), NO_MATTER("annotations"),
       NO_MATTER("creationTimestamp"),
    NOTED("deletionTimestamp"), NO_MATTER("deletionGracePeriodSeconds"), END
};
static const struct kube_field node_spec[] = {
    READ("unschedulable"), READ("taints"), NO_MATTER("podCIDR"), NO_MATTER("podCIDRs"),
    NO_MATTER("providerID"), NO_MATTER("externalID"), NO_MATTER("configSource"), END
};
static const struct kube_field node_status[] = {
    READ("allocatable"), /* resources with other names: a pod's request for them is noted with the pod */
    READ("capacity"), READ("conditions"), NO_MATTER("phase"), NO_MATTER("addresses"),
    NO_MATTER("daemonEndpoints"), NO_MATTER("nodeInfo"), NO_MATTER("images"),
       NO_MATTER("volumesInUse"),
    NO_MATTER("volumesAttached"), NO_MATTER("config"), NO_MATTER("runtimeHandlers"),
       NO_MATTER("features"),
    NO_MATTER("declaredFeatures"), END
};
const struct kube_field kube_node_fields[] = {
    OBJECT_ROWS, OPEN("metadata", node_meta), OPEN("spec", node_spec), OPEN("status", node_status),
       END
};

/* ---- pods ---- */

static const struct kube_field pod_labels[] = {
    READ("kai.scheduler/queue"), READ("runai/queue"), READ("kai.scheduler/subgroup-name"),
    READ("kai.scheduler/preemptibility"), READ("priorityClassName"), READ("runai-gpu-group"),
    READ("runai-gpu-group/*"), READ("volcano.sh/preemptable"),
       READ("scheduling.x-k8s.io/pod-group"),
    READ("pod-group.scheduling.sigs.k8s.io"), READ("kueue.x-k8s.io/pod-group-name"),
    READ("kueue.x-k8s.io/queue-name"), READ("kueue.x-k8s.io/local-queue-name"),
       READ("kueue.x-k8s.io/podset"),
    NO_MATTER("kueue.x-k8s.io/managed"), OTHER_KEYS
};
static const struct kube_field pod_annotations[] = {
    READ("pod-group-name"), READ("scheduling.k8s.io/group-name"), READ("gpu-fraction"),
       READ("gpu-memory"),
    READ("gpu-fraction-num-devices"), READ("kueue.x-k8s.io/pod-group-total-count"),
    READ("kueue.x-k8s.io/workload"), READ("volcano.sh/preemptable"),
       NO_MATTER("gpu-fraction-container-name"),
    NOTED("gpu-fraction.limit"), NOTED("gpu-memory.limit"), NOTED("gpu-sm-percentage"),
       NOTED("gpu-sm-cores"),
    NOTED("mps"), NO_MATTER("received-resource-type"), NO_MATTER("runai/shared-gpu-configmap"),
    NO_MATTER("kai.scheduler/skip-podgrouper"), NO_MATTER("kai.scheduler/top-owner-metadata"),
    NO_MATTER("kai.scheduler/numa-*"), NO_MATTER("run.ai/reserve_for_gpu_index"), OTHER_KEYS
};
static const struct kube_field pod_meta[] = {
    META_ROWS, OPEN("labels", pod_labels), OPEN("annotations", pod_annotations),
       READ("creationTimestamp"),
    READ("deletionTimestamp"), READ("deletionGracePeriodSeconds"), END
};
static const struct kube_field amounts[] = {
    READ("cpu"), READ("memory"), READ("nvidia.com/gpu"), READ("amd.com/gpu"),
       READ("nvidia.com/mig-*"), END
};
static const struct kube_field resources[] = {
    OPEN("requests", amounts), OPEN("limits", amounts), NOTED("claims"), END
};
static const struct kube_field ports[] = {
    NOTED("hostPort"), NO_MATTER("*"), END
};
static const struct kube_field containers[] = {
    OPEN("resources", resources), OPEN("ports", ports), READ("restartPolicy"), NO_MATTER("name"),
    NO_MATTER("image"), NO_MATTER("command"), NO_MATTER("args"), NO_MATTER("workingDir"),
       NO_MATTER("env"),
    NO_MATTER("envFrom"), NO_MATTER("volumeMounts"), NO_MATTER("volumeDevices"),
       NO_MATTER("livenessProbe"),
    NO_MATTER("readinessProbe"), NO_MATTER("startupProbe"), NO_MATTER("lifecycle"),
    NO_MATTER("terminationMessagePath"), NO_MATTER("terminationMessagePolicy"),
       NO_MATTER("imagePullPolicy"),
    NO_MATTER("securityContext"), NO_MATTER("stdin"), NO_MATTER("stdinOnce"), NO_MATTER("tty"),
    NO_MATTER("resizePolicy"), NO_MATTER("restartPolicyRules"), END
};
static const struct kube_field volumes[] = {
    NOTED("persistentVolumeClaim"), NOTED("ephemeral"), NO_MATTER("name"), NO_MATTER("configMap"),
    NO_MATTER("secret"), NO_MATTER("emptyDir"), NO_MATTER("hostPath"), NO_MATTER("projected"),
    NO_MATTER("downwardAPI"), NO_MATTER("image"), NO_MATTER("nfs"), NO_MATTER("csi"),
       NO_MATTER("iscsi"),
    NO_MATTER("fc"), NO_MATTER("cephfs"), NO_MATTER("glusterfs"), NO_MATTER("gitRepo"), END
};
static const struct kube_field node_affinity[] = {
    READ("requiredDuringSchedulingIgnoredDuringExecution"),
    NOTED("preferredDuringSchedulingIgnoredDuringExecution"), END
};
static const struct kube_field affinity[] = {
    OPEN("nodeAffinity", node_affinity), NOTED("podAffinity"), NOTED("podAntiAffinity"), END
};
static const struct kube_field pod_spec[] = {
    OPEN("containers", containers), OPEN("initContainers", containers), OPEN("resources",
       resources),
    OPEN("overhead", amounts), READ("nodeName"), READ("nodeSelector"), OPEN("affinity", affinity),
    READ("tolerations"), READ("schedulingGates"), READ("priority"), READ("priorityClassName"),
    READ("schedulerName"), READ("activeDeadlineSeconds"), NOTED("topologySpreadConstraints"),
    NOTED("resourceClaims"), NOTED_BUT("preemptionPolicy", "PreemptLowerPriority"), OPEN("volumes",
       volumes),
    NOTED("workloadRef"), NOTED("schedulingGroup"), NO_MATTER("ephemeralContainers"),
    NO_MATTER("automountServiceAccountToken"), NO_MATTER("dnsConfig"), NO_MATTER("dnsPolicy"),
    NO_MATTER("enableServiceLinks"), NO_MATTER("hostAliases"), NO_MATTER("hostIPC"),
       NO_MATTER("hostNetwork"),
    NO_MATTER("hostPID"), NO_MATTER("hostUsers"), NO_MATTER("hostname"),
       NO_MATTER("hostnameOverride"),
    NO_MATTER("imagePullSecrets"), NO_MATTER("os"), NO_MATTER("readinessGates"),
       NO_MATTER("restartPolicy"),
    NO_MATTER("runtimeClassName"), /* its overhead is in the pod */
    NO_MATTER("securityContext"), NO_MATTER("serviceAccount"), NO_MATTER("serviceAccountName"),
    NO_MATTER("setHostnameAsFQDN"), NO_MATTER("shareProcessNamespace"), NO_MATTER("subdomain"),
    NO_MATTER("terminationGracePeriodSeconds"), END
};
static const struct kube_field pod_status[] = {
    READ("phase"), READ("startTime"), READ("conditions"), NOTED("nominatedNodeName"),
       NOTED("resize"),
    NOTED("extendedResourceClaimStatus"), NO_MATTER("resourceClaimStatuses"), NO_MATTER("message"),
    NO_MATTER("reason"), NO_MATTER("hostIP"), NO_MATTER("hostIPs"), NO_MATTER("podIP"),
       NO_MATTER("podIPs"),
    NO_MATTER("qosClass"), NO_MATTER("containerStatuses"), NO_MATTER("initContainerStatuses"),
    NO_MATTER("ephemeralContainerStatuses"), NO_MATTER("observedGeneration"),
       NO_MATTER("allocatedResources"),
    NO_MATTER("resources"), END
};
const struct kube_field kube_pod_fields[] = {
    OBJECT_ROWS, OPEN("metadata", pod_meta), OPEN("spec", pod_spec), OPEN("status", pod_status), END
};

/* ---- pod groups ---- */

static const struct kube_field constraint[] = {
    READ("topology"), READ("requiredTopologyLevel"), READ("preferredTopologyLevel"), END
};
static const struct kube_field subgroups[] = {
    READ("name"), READ("minMember"), READ("minSubGroup"), READ("parent"),
    OPEN("topologyConstraint", constraint), END
};
static const struct kube_field group_labels[] = {
    READ("kai.scheduler/queue"), READ("runai/queue"), READ("kueue.x-k8s.io/queue-name"),
    READ("kueue.x-k8s.io/local-queue-name"), NOTED("kai.scheduler/node-pool"),
       NOTED("runai/node-pool"),
    NO_MATTER("*"), END
};
static const struct kube_field group_annotations[] = {
    READ("kai.scheduler/last-start-timestamp"), READ("kai.scheduler/stale-podgroup-timestamp"),
    NO_MATTER("kai.scheduler/last-eviction-timestamp"),
       NO_MATTER("kai.scheduler/top-owner-metadata"),
    NO_MATTER("kai.scheduler/skip-podgrouper"), OTHER_KEYS
};
static const struct kube_field group_meta[] = {
    META_ROWS, OPEN("labels", group_labels), OPEN("annotations", group_annotations),
    READ("creationTimestamp"), NOTED("deletionTimestamp"), NO_MATTER("deletionGracePeriodSeconds"),
       END
};
static const struct kube_field kai_group_spec[] = {
    READ("minMember"), READ("minSubGroup"), READ("queue"), READ("priorityClassName"),
       READ("preemptibility"),
    OPEN("topologyConstraint", constraint), OPEN("subGroups", subgroups),
       NOTED("stalenessGracePeriod"),
    NOTED("preemptionDelay"), NOTED_BUT("safeToConsolidate", "true"),
       NO_MATTER("markUnschedulable"),
    NO_MATTER("schedulingBackoff"), NO_MATTER("parallelism"), NO_MATTER("completions"),
    NO_MATTER("backoffLimit"), END
};
const struct kube_field kube_kai_group_fields[] = {
    OBJECT_ROWS, OPEN("metadata", group_meta), OPEN("spec", kai_group_spec), NO_MATTER("status"),
       END
};
static const struct kube_field volcano_group_spec[] = {
    READ("minMember"), READ("queue"), READ("priorityClassName"), NOTED("minTaskMember"),
    NOTED("networkTopology"), NOTED("subGroupPolicy"),
    NO_MATTER("minResources"), /* derived from its pods */
    END
};
const struct kube_field kube_volcano_group_fields[] = {
    OBJECT_ROWS, OPEN("metadata", group_meta), OPEN("spec", volcano_group_spec),
       NO_MATTER("status"), END
};
static const struct kube_field group_spec[] = {
    READ("minMember"), NO_MATTER("minResources"), NO_MATTER("scheduleTimeoutSeconds"), END
};
const struct kube_field kube_group_fields[] = {
    OBJECT_ROWS, OPEN("metadata", group_meta), OPEN("spec", group_spec), NO_MATTER("status"), END
};

/* ---- queues ---- */

static const struct kube_field shares[] = {
    READ("quota"), READ("limit"), READ("overQuotaWeight"), END
};
static const struct kube_field queue_resources[] = {
    OPEN("gpu", shares), OPEN("cpu", shares), OPEN("memory", shares), END
};
static const struct kube_field kai_queue_spec[] = {
    NO_MATTER("displayName"), READ("parentQueue"), OPEN("resources", queue_resources),
       READ("priority"),
    READ("preemptMinRuntime"), READ("reclaimMinRuntime"), END
};
const struct kube_field kube_kai_queue_fields[] = {
    OBJECT_ROWS, OPEN("metadata", dated_meta), OPEN("spec", kai_queue_spec), NO_MATTER("status"),
       END
};
static const struct kube_field guarantee[] = {
    OPEN("resource", amounts), END
};
static const struct kube_field volcano_queue_spec[] = {
    READ("weight"), OPEN("capability", amounts), OPEN("deserved", amounts), OPEN("guarantee",
       guarantee),
    READ("parent"), READ("priority"), NOTED_BUT("reclaimable", "true"), NOTED("affinity"),
       NOTED("type"),
    NOTED("extendClusters"), NOTED_BUT("dequeueStrategy", "traverse"), END
};
const struct kube_field kube_volcano_queue_fields[] = {
    OBJECT_ROWS, OPEN("metadata", dated_meta), OPEN("spec", volcano_queue_spec),
       NO_MATTER("status"), END
};
static const struct kube_field flavor_resources[] = {
    READ("name"), READ("nominalQuota"), READ("borrowingLimit"), NOTED("lendingLimit"), END
};
static const struct kube_field flavors[] = {
    NO_MATTER("name"), OPEN("resources", flavor_resources), END
};
static const struct kube_field resource_groups[] = {
    NO_MATTER("coveredResources"), OPEN("flavors", flavors), END
};
static const struct kube_field fair_sharing[] = {
    READ("weight"), END
};
static const struct kube_field cluster_queue_spec[] = {
    OPEN("resourceGroups", resource_groups), READ("cohort"), READ("cohortName"),
    OPEN("fairSharing", fair_sharing), NOTED("queueingStrategy"), NOTED("namespaceSelector"),
    NOTED("flavorFungibility"), NOTED("preemption"), NOTED("admissionChecks"),
    NOTED("admissionChecksStrategy"), NOTED("admissionScope"), NOTED_BUT("stopPolicy", "None"), END
};
const struct kube_field kube_cluster_queue_fields[] = {
    OBJECT_ROWS, OPEN("metadata", dated_meta), OPEN("spec", cluster_queue_spec),
       NO_MATTER("status"), END
};
static const struct kube_field local_queue_spec[] = {
    READ("clusterQueue"), NOTED("fairSharing"), NOTED_BUT("stopPolicy", "None"), END
};
const struct kube_field kube_local_queue_fields[] = {
    OBJECT_ROWS, OPEN("metadata", plain_meta), OPEN("spec", local_queue_spec), NO_MATTER("status"),
       END
};

/* ---- others ---- */

static const struct kube_field levels[] = {
    READ("nodeLabel"), NOTED("alias"), END
};
static const struct kube_field topology_spec[] = {
    OPEN("levels", levels), END
};
const struct kube_field kube_topology_fields[] = {
    OBJECT_ROWS, OPEN("metadata", plain_meta), OPEN("spec", topology_spec), NO_MATTER("status"), END
};
const struct kube_field kube_class_fields[] = {
    OBJECT_ROWS, OPEN("metadata", plain_meta), READ("value"), READ("globalDefault"),
       NO_MATTER("description"),
    NOTED_BUT("preemptionPolicy", "PreemptLowerPriority"), END
};

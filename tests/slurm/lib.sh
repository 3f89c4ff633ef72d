# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# A real Slurm on this machine: one slurmctld, 16 slurmd that pass for nodes of 8 GPUs, dgx01 to
# dgx16, and a munged, all with a folder, a key, sockets and ports of their own. No systemd, no
# root, nothing of a Slurm that may be installed for real is touched. Tests source this from the
# root of the repository, where they would source tests/e2e/lib/tap.sh:
#
#     . tests/slurm/lib.sh
#     slurm_start [TEXT]       starts it, or ends the test as skipped; TEXT goes to the end of slurm.conf
#     slurm_adapter            $ADAPTER as an absolute path, or ends the test as skipped
#     slurm_wait SECONDS COMMAND...   until the command succeeds; fails when it does not in time
#     state JOB; is JOB STATE  as squeue has it
#     ... sbatch, squeue, scontrol: SLURM_CONF names it ...
#     finish
#
# It is gone when the test has ended, for whatever reason: the processes are told to end by their
# ids, what a job left behind is known by SLURM_CONF in its environment, and `timeout` ends them if
# the test itself was killed.
#
# What is peculiar: slurmctld and slurmd read gres only when they were called by exactly these
# names; and a GPU needs a character device, for which terminals do.
. tests/e2e/lib/tap.sh

PATH=$PATH:/usr/sbin:/sbin
slurm_dir=$tmp/slurm
slurm_pids=
SLURM_LIFE=${SLURM_LIFE:-900} # seconds that its processes may live
SLURM_NODES=16

# slurm_missing: what has to be there and is not; nothing when all is.
slurm_missing() {
    for program in slurmctld slurmd sbatch squeue scontrol scancel sinfo munged timeout; do
        command -v "$program" >/dev/null || printf ' %s' "$program"
    done
}

# slurm_ports: the first of 17 ports in a row that nobody listens on.
slurm_ports() {
    first=$((20000 + $$ % 2000 * 20))
    while awk -v first="$first" -v last="$((first + SLURM_NODES))" '
        BEGIN { for (i = 0; i < 16; i++) digit[substr("0123456789ABCDEF", i + 1, 1)] = i }
        { split($2, at, ":"); port = 0
          for (i = 1; i <= length(at[2]); i++) port = port * 16 + digit[substr(at[2], i, 1)]
          if (port >= first && port <= last) taken = 1 }
        END { exit !taken }' /proc/net/tcp /proc/net/tcp6 2>/dev/null; do
        first=$(((first - 20000 + 20) % 40000 + 20000))
    done
    echo "$first"
}

slurm_configure() {
    mkdir -p "$slurm_dir/state" "$slurm_dir/spool" "$slurm_dir/munge" "$slurm_dir/log"
    chmod 711 "$tmp" "$slurm_dir" "$slurm_dir/munge" # munged wants the way to its socket open
    (umask 077 && head -c 1024 /dev/urandom >"$slurm_dir/munge/key")
    ports=$(slurm_ports)
    host=$(hostname)
    me=$(id -un)
    cat >"$slurm_dir/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$ports
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
AuthInfo=socket=$slurm_dir/munge/socket
CryptoType=crypto/munge
StateSaveLocation=$slurm_dir/state
SlurmdSpoolDir=$slurm_dir/spool/%n
SlurmctldPidFile=$slurm_dir/slurmctld.pid
SlurmdPidFile=$slurm_dir/slurmd-%n.pid
SlurmctldLogFile=$slurm_dir/log/slurmctld
SlurmdLogFile=$slurm_dir/log/%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=1
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc=$slurm_dir/log/jobcomp
SchedulerParameters=bf_interval=1,sched_interval=1,sched_min_interval=0
InactiveLimit=0
KillWait=1
MinJobAge=3600
NodeName=dgx[01-$SLURM_NODES] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((ports + 1))-$((ports + SLURM_NODES))] CPUs=64 SocketsPerBoard=2 CoresPerSocket=32 RealMemory=2000000 Gres=gpu:h100:8
PartitionName=train Nodes=ALL Default=YES DefMemPerCPU=1000 MaxTime=INFINITE State=UP
PartitionName=build Nodes=ALL DefMemPerCPU=1000 MaxTime=INFINITE State=UP
$1
END
    echo "NodeName=dgx[01-$SLURM_NODES] Name=gpu Type=h100 File=/dev/tty[0-7]" >"$slurm_dir/gres.conf"
}

# slurm_daemon LOG COMMAND...: in the background, for SLURM_LIFE seconds at most.
slurm_daemon() {
    slurm_log=$slurm_dir/log/$1
    shift
    timeout -k 5 "$SLURM_LIFE" "$@" >"$slurm_log.out" 2>&1 </dev/null &
    slurm_pids="$slurm_pids $!"
}

# slurm_controller: starts the slurmctld, with the state that an earlier one left;
# slurm_stop_controller ends it.
slurm_controller() {
    slurm_daemon slurmctld slurmctld -D -f "$SLURM_CONF"
    slurm_controller_pid=$!
}
slurm_stop_controller() {
    kill "$slurm_controller_pid"
    wait "$slurm_controller_pid" 2>/dev/null
}

slurm_wait() { within "$@"; }

state() { squeue -h -t all -j "$1" -o %T; }
is() { [ "$(state "$1")" = "$2" ]; }

slurm_adapter() {
    ADAPTER=${ADAPTER:-build/fauxfleet-slurm}
    if [ ! -x "$ADAPTER" ]; then
        echo "SKIP: $ADAPTER is not built: it needs libslurm-dev"
        exit 77
    fi
    case $ADAPTER in /*) ;; *) ADAPTER=$PWD/$ADAPTER ;; esac
}

slurm_idle() { [ "$(sinfo -h -N -p train -t idle -o %n 2>/dev/null | wc -l)" -eq "$SLURM_NODES" ]; }

# slurm_left: processes that this Slurm or its jobs have started, and that are no child of this
# shell.
slurm_left() {
    for process in /proc/[0-9]*; do
        [ "${process#/proc/}" != $$ ] && tr '\0' '\n' <"$process/environ" 2>/dev/null |
            grep -qxF "SLURM_CONF=$SLURM_CONF" && echo "${process#/proc/}"
    done 2>/dev/null
}

slurm_stop() {
    timeout 5 scancel --full -s KILL -u "$(id -un)" 2>/dev/null
    # shellcheck disable=SC2086
    kill $slurm_pids 2>/dev/null
    for pid in $slurm_pids; do wait "$pid" 2>/dev/null; done
    left=$(slurm_left)
    # shellcheck disable=SC2086
    [ -z "$left" ] || kill -KILL $left 2>/dev/null
    slurm_pids=
}

# slurm_end: of the test. KEEP names a folder that is to get a copy of all that the test leaves
# behind.
slurm_end() {
    [ -z "${KEEP:-}" ] || cp -r "$tmp" "$KEEP"
    trap '' INT TERM HUP
    [ -z "$slurm_pids" ] || slurm_stop
    chmod -R u+w "$tmp"
    rm -rf "$tmp"
}
trap slurm_end EXIT
trap 'exit 129' HUP

# slurm_give_up WHY: what the daemons said goes with it.
slurm_give_up() {
    echo "# Slurm does not start: $1"
    tail -n 5 "$slurm_dir"/log/slurmctld "$slurm_dir"/log/*.out 2>/dev/null | sed 's/^/# /'
    exit 1
}

slurm_start() {
    missing=$(slurm_missing)
    if [ -n "$missing" ]; then
        echo "SKIP: not installed:$missing"
        exit 77
    fi
    slurm_configure "${1:-}"
    SLURM_CONF=$slurm_dir/slurm.conf
    export SLURM_CONF
    slurm_daemon munged munged --foreground --key-file="$slurm_dir/munge/key" --socket="$slurm_dir/munge/socket" \
        --pid-file="$slurm_dir/munge/pid" --log-file="$slurm_dir/munge/log" --seed-file="$slurm_dir/munge/seed" \
        --num-threads=4
    slurm_wait 10 test -S "$slurm_dir/munge/socket" || slurm_give_up "no socket of munged"
    slurm_controller
    i=1
    while [ "$i" -le "$SLURM_NODES" ]; do
        name=$(printf 'dgx%02d' "$i")
        slurm_daemon "slurmd-$name" slurmd -D -N "$name" -f "$SLURM_CONF"
        i=$((i + 1))
    done
    slurm_wait 30 slurm_idle || slurm_give_up "not all nodes are idle: $(sinfo -h -N -p train -t idle 2>&1 | wc -l)"
}

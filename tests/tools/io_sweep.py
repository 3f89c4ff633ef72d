#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs commands with every one of their system calls failing once.

    io_sweep.py [--bin PROGRAM] [--lib faults.so] [--cases FILE] [--only REGEX] [--acts REGEX] [--most N] [--pipes N]
                [--jobs N] [--done FILE] [--shard I/N] [--verbose]

Each case of the table (tests/e2e/data/io-cases.txt) runs once undisturbed, which gives the expected outputs and the
calls to sweep, and then once for each call and each fault that is natural for it (ACTS below). Then either all
outputs have the bytes of the undisturbed run and the exit code is the same, or the exit code differs and a message names
a file; no file with a final name has other bytes, no temporary file is left; nothing crashes or hangs. A killed command
is run once more, and must give the bytes of the undisturbed run.

--most N       at most N calls of each case, with as many faults: the short form; all unless given
--pipes N      only every N-th read and write of pipes (25): gnuplot makes thousands, a few bytes each
--done FILE    pairs of case and fault that are done are added, and left out the next time
--shard I/N    every N-th pair only
"""
import argparse, collections, concurrent.futures, fnmatch, glob, os, re, shutil, signal, subprocess, sys, tempfile, zlib

# Possible faults of a call, by family; "+" at the end: from then on always, as on a full disk.
ACTS = {
    'open': ['EMFILE', 'EACCES', 'EMFILE+'],
    'read': ['EIO', 'partial', 'EIO+'],
    'write': ['ENOSPC', 'EIO', 'partial', 'ENOSPC+'],
    'fsync': ['EIO', 'ENOSPC'],
    'close': ['EIO', 'ENOSPC'],
    'rename': ['EXDEV', 'ENOSPC', 'ENOSPC+'],
    'link': ['ENOSPC'],
    'fork': ['EAGAIN', 'ENOMEM', 'EAGAIN+'],
    'exec': ['ENOMEM', 'EACCES'],
    'unlink': ['EACCES', 'EIO'],
    'mkdir': ['ENOSPC', 'EACCES'],
    'opendir': ['EMFILE', 'EACCES'],
    'readdir': ['EIO'],
    'mmap': ['ENOMEM'],
    'stat': ['EACCES', 'EIO'],
    'pipe': ['EMFILE', 'EMFILE+'],
    'dup': ['EMFILE'],
    'thread': ['EAGAIN', 'EAGAIN+'],
    'truncate': ['EIO'],
    'seek': ['EIO'],
    'lock': ['EIO'],
    'chdir': ['EACCES'],
    'socket': ['EMFILE'],
}
KILLS = {'write': ['kill', 'kill-after', 'short'], 'rename': ['kill', 'kill-after'], 'unlink': ['kill'], 'open': ['kill']}

# Calls that are left out: family, path, and why.
LEFT_OUT = [
    ('*', '/proc/*', 'made by the kernel, not by a disk'),
    ('*', '/sys/*', 'made by the kernel, not by a disk'),
    ('*', '/dev/urandom', 'made by the kernel, not by a disk'),
    ('*', '/etc/*', 'read by libc and gnuplot for themselves (passwd, locale, fonts): optional by their design'),
    ('*', '/usr/*', 'read by libc and gnuplot for themselves: optional by their design'),
]

TIMEOUT_S = 30
TEMPORARY = re.compile(r'\.fauxfleet-\w{12}\.tmp$')


class Case:
    def __init__(self, name, words, marks):
        self.name, self.stdin = name, None
        self.kills, self.bare, self.refused = ('kill' in marks, 'bare' in marks, 'refused' in marks)
        if len(words) > 2 and words[-2] == '<':
            self.stdin, words = words[-1], words[:-2]
        self.words = words


def read_cases(path):
    makes, cases = [], []
    for line in open(path):
        line = line.strip()
        if line == '' or line.startswith('#'):
            continue
        name, words = line.split(': ', 1)
        if name == 'make':
            makes.append(words.split())
        else:
            cases.append(Case(name.split()[-1], words.split(), name.split()[:-1]))
    return makes, cases


class Outcome:
    """What a command left behind: code, texts, files by name, folders; the code is None if it hung."""

    def __init__(self, code, out, err, folder):
        self.code, self.out, self.err = code, out, err
        self.files, self.folders = tree(folder)


def tree(folder):
    files, folders = {}, set()
    for path, names, here in os.walk(folder):
        for name in names:
            folders.add(os.path.relpath(os.path.join(path, name), folder))
        for name in here:
            full = os.path.join(path, name)
            with open(full, 'rb') as file:
                files[os.path.relpath(full, folder)] = file.read()
    return files, folders


class Sweep:
    def __init__(self, options):
        self.options = options
        self.top = tempfile.mkdtemp(prefix='io-sweep-', dir='/dev/shm' if os.access('/dev/shm', os.W_OK) else None)
        self.base = os.path.join(self.top, 'base')
        os.mkdir(self.base)
        os.mkdir(os.path.join(self.base, 'tmp'))
        self.template = {}

    def argv(self, words):
        if words[0] == 'fauxfleet-slurm':
            return [os.path.join(os.path.dirname(self.options.bin), words[0])] + words[1:]
        return [self.options.bin] + words

    def run(self, case, folder, faults=None):
        # Messages go to files: a pipe could not be full.
        environment = {'PATH': '/nowhere' if case.bare else os.environ['PATH'], 'LC_ALL': 'C', 'TMPDIR': os.path.join(folder, 'tmp'), 'HOME': '/nowhere'}
        if faults:
            environment.update(faults, LD_PRELOAD=self.options.lib)
        outs = [os.path.join(os.path.dirname(folder), os.path.basename(folder) + end) for end in ('.out', '.err')]
        with open(outs[0], 'wb') as out, open(outs[1], 'wb') as err, open(os.path.join(folder, case.stdin) if case.stdin else '/dev/null', 'rb') as stdin:
            child = subprocess.Popen(self.argv(case.words), cwd=folder, env=environment, stdin=stdin, stdout=out, stderr=err,
                                     start_new_session=True)
            try:
                code = child.wait(TIMEOUT_S)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()
                code = None
        texts = [open(name, 'rb').read() for name in outs]
        return Outcome(code, texts[0], texts[1], folder)

    def fresh(self, case):
        """A copy of the initial files; only those folders that the case names."""
        folder = os.path.join(self.top, case.name)
        shutil.rmtree(folder, ignore_errors=True)
        named = set(word.split('/')[0] for word in case.words) | {'tmp'}
        others = [name for name in os.listdir(self.base) if os.path.isdir(os.path.join(self.base, name)) and name not in named]
        shutil.copytree(self.base, folder, ignore=lambda path, names: others if path == self.base else [])
        return folder

    def make(self, makes):
        for words in makes:
            if words[0] == 'copy':
                for name in [path for pattern in words[1:] for path in sorted(glob.glob(pattern))]:
                    shutil.copy(name, self.base)
                continue
            done = subprocess.run(self.argv(words), cwd=self.base, stdin=subprocess.DEVNULL, capture_output=True)
            if done.returncode != 0:
                sys.exit('io_sweep: cannot prepare: %s\n%s' % (' '.join(words), done.stderr.decode()))
        self.template = tree(self.base)

    def calls(self, case, folder):
        """The calls of an undisturbed run, by family: a list of paths."""
        log = folder + '.log'
        if os.path.exists(log):
            os.remove(log)
        self.run(case, folder, {'FAULTS_CALLS': 'all', 'FAULTS_AT': '1', 'FAULTS_STICKY': '1', 'FAULTS_DO': 'none', 'FAULTS_LOG': log})
        calls = collections.defaultdict(list)
        for line in open(log) if os.path.exists(log) else []:
            _, family, path = (line.rstrip('\n') + ' ').split(' ', 2)
            calls[family].append(path.strip())
        return calls

    def pairs(self, case, calls):
        for family, paths in sorted(calls.items()):
            for act in ACTS.get(family, []) + (KILLS.get(family, []) if case.kills else []):
                yield family, act, paths

    # --- judging ---

    def wrong_files(self, got, expected):
        for name, bytes_ in sorted(got.files.items()):
            if bytes_ in (expected.files.get(name), self.template[0].get(name)):
                continue
            if name.endswith('timing.json') and bytes_.strip().startswith(b'{') and bytes_.strip().endswith(b'}'):
                continue
            if re.fullmatch(r'verdict\.\w+', name) and got.code not in (0, expected.code) and bytes_.endswith(b'\n'):
                continue # whole, of another verdict: a child of the gate that failed is a finding
            yield ('left over: %s' if name not in expected.files and name not in self.template[0] else 'partial or different: %s') % name
        for name in sorted(got.folders - expected.folders - self.template[1]):
            yield 'left over folder: %s' % name

    def is_same(self, got, expected):
        names = [name for name in expected.files if not name.endswith('timing.json')]
        missing = [name for name in names if got.files.get(name) != expected.files[name]]
        more = [name for name in got.files if name not in expected.files]
        if got.out != expected.out:
            return 'other output on stdout'
        if missing or more:
            return 'exit code %s with other files: %s' % (got.code, ', '.join((missing + more)[:4]))
        return None

    def judge(self, got, expected, log):
        """The first thing that is wrong, or None. `log`: the calls that were hit."""
        if got.code is None:
            return 'hangs'
        if got.code < 0 or got.code >= 126:
            return 'crash: code %s' % got.code
        for wrong in self.wrong_files(got, expected):
            return wrong
        different = self.is_same(got, expected)
        if got.code == expected.code and (expected.code == 0 or different is None):
            if different is None and got.err != expected.err and expected.code == 0 and not self.says_more(got, expected):
                return 'messages lost'
            return different
        if any(path.endswith('.err') for path in log):
            return None # no message can be asked for
        text = (got.err + got.out).decode(errors='replace') # the gate's verdict on a child is in its report
        if text.strip() == '':
            return 'code %d without a message' % got.code
        return None if self.names(text, log) else 'message names nothing: %s' % text.strip().split('\n')[-1]

    @staticmethod
    def says_more(got, expected):
        return got.err.count(b'\n') >= expected.err.count(b'\n')

    @staticmethod
    def names(text, log):
        for path in log:
            base = os.path.basename(path)
            base = re.sub(r'\.fauxfleet-\w+\.tmp.*$', '', base).lstrip('.')
            if path.endswith('.out') and 'standard output' in text:
                return True
            if base and not path.startswith(('pipe:', '/dev/null')) and base in text:
                return True
        return re.search(r'standard (input|output)|gnuplot|process|thread|[\w./-]+\.(json|jsonl|csv|html|svg|md|xml|db|txt|tap)\b', text) is not None

    # --- one pair ---

    def places(self, family, act, paths, key):
        """Which calls are hit."""
        meant = [n for n, path in enumerate(paths, 1)
                 if not any(fnmatch.fnmatch(family, f) and fnmatch.fnmatch(path, p) for f, p, _ in LEFT_OUT)]
        meant = [n for i, n in enumerate(meant) if i % self.options.pipes == 0 or not paths[n - 1].startswith('pipe:')]
        return [meant[zlib.crc32(key.encode()) % len(meant)]] if meant and self.options.most else meant

    def hit(self, case, family, act, n, expected):
        folder = self.fresh(case)
        log = folder + '.log'
        count = folder + '.count'
        for name in (log, count):
            if os.path.exists(name):
                os.remove(name)
        faults = {'FAULTS_CALLS': family, 'FAULTS_AT': str(n), 'FAULTS_DO': act.rstrip('+'), 'FAULTS_COUNT': count,
                  'FAULTS_LOG': log, 'FAULTS_STICKY': '1' if act.endswith('+') else '0'}
        got = self.run(case, folder, faults)
        hits = [(line.rstrip('\n') + '  ').split(' ', 2)[2].strip() for line in open(log)] if os.path.exists(log) else []
        if act in ('kill', 'kill-after', 'short') and got.code == -signal.SIGKILL:
            return hits, self.after_kill(case, got, expected, folder)
        return hits, self.judge(got, expected, hits)

    def after_kill(self, case, got, expected, folder):
        for wrong in self.wrong_files(got, expected):
            if not TEMPORARY.search(wrong):
                return 'killed: ' + wrong
        got = self.run(case, folder)
        if got.code != expected.code:
            return 'after a kill: exit code %s: %s' % (got.code, got.err.decode(errors='replace').strip())
        for name, bytes_ in expected.files.items():
            if got.files.get(name) != bytes_ and not name.endswith('timing.json'):
                return 'after a kill: %s differs' % name
        for name in got.files:
            if name not in expected.files and not TEMPORARY.search(name):
                return 'after a kill: %s is left over' % name
        return None

    def pair(self, case, family, act, paths, expected):
        key = '%s %s %s' % (case.name, family, act)
        found = []
        injected = 0
        for n in self.places(family, act, paths, key):
            hits, wrong = self.hit(case, family, act, n, expected)
            injected += len(hits) > 0
            if wrong:
                found.append((n, hits[0] if hits else '', wrong))
        return key, injected, found

    def case(self, case, mine):
        done = []
        expected = self.run(case, self.fresh(case))
        if expected.code != (2 if case.refused else 0):
            done.append(('%s undisturbed' % case.name, 0, [(0, '', 'code %s: %s' % (expected.code, expected.err.decode()))]))
            self.note(done[-1])
            return done
        calls = self.calls(case, self.fresh(case))
        pairs = [pair for pair in self.pairs(case, calls) if mine('%s %s %s' % (case.name, pair[0], pair[1]))]
        most = self.options.most
        if most and len(pairs) > most:
            start = zlib.crc32(case.name.encode())
            pairs = [pairs[(start + i * len(pairs) // most) % len(pairs)] for i in range(most)]
        for family, act, paths in pairs:
            done.append(self.pair(case, family, act, paths, expected))
            self.note(done[-1])
        return done

    def note(self, result):
        key, injected, found = result
        for n, path, wrong in found:
            print('not right: %s at call %d (%s): %s' % (key, n, re.sub(r'^/dev/shm/io-sweep-\w+/', '', path), wrong), flush=True)
        if self.options.done:
            with open(self.options.done, 'a') as file:
                file.write('%s: %d injected, %d wrong\n' % (key, injected, len(found)))

    def close(self):
        shutil.rmtree(self.top, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', default='build/fauxfleet', type=os.path.abspath)
    parser.add_argument('--lib', default='build/release/tests/preload/faults.so', type=os.path.abspath)
    parser.add_argument('--cases', default='tests/e2e/data/io-cases.txt')
    parser.add_argument('--only', default='.')
    parser.add_argument('--acts', default='.')
    parser.add_argument('--most', type=int, default=0)
    parser.add_argument('--pipes', type=int, default=25)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--done')
    parser.add_argument('--shard', default='1/1')
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM)) # the files go
    part, parts = map(int, options.shard.split('/'))
    past = {line.split(':')[0] for line in open(options.done)} if options.done and os.path.exists(options.done) else set()

    def mine(key):
        return (key not in past and zlib.crc32(key.encode()) % parts == part - 1 and
                re.search(options.acts, key.split(' ', 1)[1]) is not None)

    makes, cases = read_cases(options.cases)
    cases = [case for case in cases if re.fullmatch(options.only, case.name) or options.only == '.']
    sweep = Sweep(options)
    try:
        sweep.make(makes)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = [result for done in pool.map(lambda case: sweep.case(case, mine), cases) for result in done]
    finally:
        sweep.close()
    injected = sum(count for _, count, _ in results)
    wrong = sum(len(found) for _, _, found in results)
    print('%d commands, %d pairs of command and act, %d failures injected, %d not right' % (len(cases), len(results), injected, wrong))
    return wrong > 0


if __name__ == '__main__':
    sys.exit(main())

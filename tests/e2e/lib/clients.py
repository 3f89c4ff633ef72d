# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients of `fauxfleet serve` at a Unix socket, good ones and others: clients.py PROGRAM FOLDER. Exits with 0 when all is well."""
import json, os, random, resource, signal, socket, stat, subprocess, sys, time

program, folder = sys.argv[1:]
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup, say, leaves it ignored
path = os.path.join(folder, 'socket')
journal = os.path.join(folder, 'clients.jsonl')
state = os.path.join(folder, 'clients.state')


def start():
    server = subprocess.Popen([program, 'serve', '--policy', 'fifo', '--socket', path, '--journal', journal,
                               '--state', state], stdin=subprocess.DEVNULL)
    while not os.path.exists(path):
        assert server.poll() is None, 'it does not start'
        time.sleep(0.01)
    return server


class Client:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        while True:
            try:
                self.socket.connect(path)
                break
            except (ConnectionRefusedError, BlockingIOError, FileNotFoundError):  # one left behind is replaced
                time.sleep(0.01)
        self.file = self.socket.makefile('rb')

    def send(self, what):
        self.socket.sendall((what if isinstance(what, bytes) else json.dumps(what).encode()) + b'\n')

    def answer(self):
        return json.loads(self.file.readline())

    def ask(self, what):
        self.send(what)
        return self.answer()


server = start()
mode = os.stat(path).st_mode
assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600, oct(mode)
a, b = Client(), Client()
assert a.ask({'t_ms': 0, 'fact': 'node_add', 'node': 1, 'rank': 1, 'devices': 8})['ok']
assert b.ask({'t_ms': 0, 'fact': 'queue_add', 'queue': 1, 'rank': 1})['ok']

# One writes half a line, the other whole ones in between.
a.socket.sendall(b'{"do": "decide", ')
assert not b.ask({'do': 'explain', 'job': 1})['ok']
a.socket.sendall(b'"t_ms": 0}\n')
assert a.answer()['decisions'] == []

# One disappears within a line, one sends a line that is far too long, one sends noise.
c = Client()
c.socket.sendall(b'{"t_ms": 0, "fact": "node_rem')
c.socket.close()
d = Client()
d.socket.sendall(b'[' * (5 << 20))
d.socket.sendall(b'\n')
assert 'longer than' in d.answer()['error']
assert d.ask({'do': 'decide', 't_ms': 0})['ok']
random.seed(1)
for _ in range(200):
    noise = bytes(random.randrange(256) for _ in range(random.randrange(1, 200))).replace(b'\n', b' ')
    assert not d.ask(noise)['ok']
assert not d.ask(b'[' * 100000)['ok']
assert not d.ask(b'{"t_ms": 1' + b'0' * 5000 + b', "fact": "decide"}')['ok']

# One asks a lot and reads nothing: the others do not wait for it.
flood = Client()
flood.socket.setblocking(False)
sent = 0
question = b'{"do": "' + b'x' * 1000 + b'", "id": "' + b'y' * 3000 + b'"}\n'
deadline = time.time() + 2
while time.time() < deadline and sent < 64 << 20:
    try:
        sent += flood.socket.send(question * 16)
    except BlockingIOError:
        time.sleep(0.01)
        if time.time() > deadline - 1.5:
            break
assert a.ask({'do': 'decide', 't_ms': 0})['ok']
flood.socket.close()

# More clients than there is room for.
many = [Client() for _ in range(70)]
turned_away = 0
for client in many:
    try:
        client.send({'do': 'decide', 't_ms': 0})
        turned_away += not client.answer()['ok']
    except (BrokenPipeError, ConnectionResetError, ValueError):
        turned_away += 1
assert 0 < turned_away < 20, turned_away
for client in many:
    client.socket.close()

# A second service at the same socket is refused.
other = subprocess.run([program, 'serve', '--policy', 'fifo', '--socket', path], stdin=subprocess.DEVNULL, capture_output=True)
assert other.returncode == 2 and b'another service' in other.stderr, other
other = subprocess.run([program, 'serve', '--policy', 'fifo', '--journal', journal], stdin=subprocess.DEVNULL, capture_output=True)
assert other.returncode == 2 and b'another process' in other.stderr, other

# Two clients report jobs at the same time; one decides.
for i in range(100):
    for k, client in enumerate((a, b)):
        client.send({'t_ms': 1, 'fact': 'job_add', 'job': 2 * i + k, 'queue': 1, 'rank': str(2 * i + k), 'submitted_ms': 1,
                     'roles': [{'request': {'devices': 1}}], 'id': [k, i]})
records = set()
for k, client in enumerate((a, b)):
    for i in range(100):
        answer = client.answer()
        assert answer == {'id': [k, i], 'ok': True, 'record': answer['record']}, answer
        records.add(answer['record'])
assert len(records) == 200
assert len(a.ask({'do': 'decide', 't_ms': 2})['decisions']) == 8

# A signal: pending answers are sent, the state is saved, the socket is removed.
server.send_signal(signal.SIGTERM)
assert server.wait(20) == 128 + signal.SIGTERM
assert not os.path.exists(path)
assert b.file.readline() == b''
replay = subprocess.run([program, 'replay', journal], capture_output=True)
assert replay.returncode == 0, replay

# A killed service leaves its socket and its journal behind: the next one takes them over.
server = start()
a = Client()
assert a.ask({'do': 'decide', 't_ms': 3})['decisions'] == []
server.kill()
server.wait()
assert os.path.exists(path)
server = start()
a = Client()
assert a.ask({'t_ms': 4, 'fact': 'task_ended', 'job': 0, 'outcome': 'succeeded'})['ok']
assert len(a.ask({'do': 'decide', 't_ms': 4})['decisions']) == 1
assert a.ask({'do': 'stop'})['ok']
assert server.wait(20) == 0
replay = subprocess.run([program, 'replay', journal], capture_output=True)
assert replay.returncode == 0 and b'the same decisions' in replay.stdout, replay

# A client that reads, but never all of it, does not make the service keep what it sent.
def resident(process):
    with open('/proc/%d/status' % process.pid) as status:
        return next(int(line.split()[1]) for line in status if line.startswith('VmRSS'))


with open(program, 'rb') as file:
    is_plain = b'__asan_init' not in file.read()
if is_plain and os.path.exists('/proc/self/status'):
    server = start()
    a = Client()
    question = b'{"do": "explain", "job": 5, "id": "' + b'x' * 60000 + b'"}\n'
    waiting = 0
    for _ in range(2000):
        a.socket.sendall(question)
        waiting += len(question)
        while waiting > 2 << 20:
            waiting -= len(a.socket.recv(65536))
    assert resident(server) < 60 << 10, resident(server)
    a.socket.close()
    server.kill()
    server.wait()

# No client reads the standard output: the service ends all the same when told to, and saves the
# state.
for wanted in (signal.SIGTERM, signal.SIGHUP):
    os.unlink(state)
    server = subprocess.Popen([program, 'serve', '--policy', 'fifo', '--state', state], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    server.stdin.write((json.dumps({'do': 'explain', 'job': 5, 'id': 'x' * 20000}) + '\n').encode() * 20)
    server.stdin.flush()
    time.sleep(0.2)
    server.send_signal(wanted)
    assert server.wait(20) == 128 + wanted
    assert os.path.exists(state)
    server.stdin.close()
    server.stdout.close()

# As many clients as there are descriptors: all are answered, and later ones wait until one leaves.
server = subprocess.Popen([program, 'serve', '--policy', 'fifo', '--socket', path], stdin=subprocess.DEVNULL,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20)))
clients = [Client() for _ in range(12)]
assert all(client.ask({'do': 'status'})['ok'] for client in clients)
late = [Client() for _ in range(8)]
late[-1].send({'do': 'status'})
for client in clients:
    client.file.close()
    client.socket.close()
assert late[-1].answer()['ok']
server.kill()
server.wait()

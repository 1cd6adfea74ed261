/**
 * `node dev/bench/idle-tls.mjs [COUNT]`, after `npm run build`: resident memory of an idle TLS connection at the engine, and at plain
 * `tls.createServer` with an empty handler, with and without the engine's way to start TLS (`stream-listener.ts`).
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const count = Number(process.argv[2] ?? 4_000);
const clients = fileURLToPath(new URL('idle-clients.mjs', import.meta.url));
const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'demarc-idle-tls-'));
const [keyFile, certificateFile] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
const options = [
  '--no-parallel-scavenge',
  '--max-semi-space-size=8',
  '--heap-growing-percent=200',
  '--no-memory-reducer',
  '--expose-gc',
];
const settleMilliseconds = 3_000;

/** On SIGWINCH each server collects its garbage. */
const collector = `data:text/javascript,process.on('SIGWINCH',()=>gc({type:'major',execution:'sync',flavor:'last-resort'}))`;

/** @param {string} listen what begins TLS with the server `tls` */
const plainServer = (listen) => `
  import { readFileSync } from 'node:fs';
  import { createServer } from 'node:net';
  import { createServer as createTlsServer } from 'node:tls';
  const [keyFile, certificateFile, port] = process.argv.slice(1);
  const tls = createTlsServer({ key: readFileSync(keyFile), cert: readFileSync(certificateFile) }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.write('SIP/2.0 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n'));
  });
  ${listen}`;
const atOnce = plainServer(`tls.listen(Number(port), '127.0.0.1');`);
const afterFirstOctets = plainServer(`createServer((socket) => {
    socket.on('error', () => {});
    socket.once('readable', () => tls.emit('connection', socket));
  }).listen(Number(port), '127.0.0.1');`);

/** @type {readonly (readonly [string, (port: number) => string[]])[]} */
const servers = [
  [
    'tls.createServer',
    (port) => ['--input-type=module', '-e', atOnce, keyFile, certificateFile, String(port)],
  ],
  [
    'the same after the first octets',
    (port) => ['--input-type=module', '-e', afterFirstOctets, keyFile, certificateFile, String(port)],
  ],
  [
    'engine',
    (port) => [
      ...[program, 'engine', '--admin', '127.0.0.1:0', '--tls', `127.0.0.1:${port}`],
      ...['--cert', certificateFile, '--key', keyFile, '--answer-options', '*', '--log-level', 'error'],
    ],
  ],
];

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** @param {number} pid @returns {number} KB */
const resident = (pid) =>
  Number(/^Rss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);

/** The second one, of newer clients, brings longer messages of the handshake. */
const groups = ['X25519', 'X25519MLKEM768'];

/** @param {number} port */
async function accepts(port) {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await sleep(100);
    } finally {
      socket.destroy();
    }
  }
}

/** @param {number} port @param {number} connections @param {string} group */
async function open(port, connections, group) {
  const child = spawn(process.execPath, [clients, '127.0.0.1', String(port), String(connections), group], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: child.stdout }), 'line');
  return async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
}

/** @param {(port: number) => string[]} argumentsFor @param {string} group */
async function measure(argumentsFor, group) {
  const port = await freePort();
  const server = spawn(process.execPath, [...options, '--import', collector, ...argumentsFor(port)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      MALLOC_ARENA_MAX: '1',
      DEMARC_ENGINE_SECRET: 'of-a-measurement-of-idle-connections',
    },
  });
  const collected = async () => {
    await sleep(settleMilliseconds);
    for (let time = 0; time < 2; time++) {
      server.kill('SIGWINCH');
      await sleep(settleMilliseconds / 3);
    }
    return resident(server.pid ?? 0);
  };
  try {
    await accepts(port);
    // What the first connections compile is not part of one.
    const closeFirst = await open(port, 100, group);
    await closeFirst();
    const before = await collected();
    const close = await open(port, count, group);
    const after = await collected();
    await close();
    return (after - before) / count;
  } finally {
    server.kill('SIGKILL');
  }
}

try {
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2'];
  execFileSync('openssl', [...request, '-keyout', keyFile, '-out', certificateFile], { stdio: 'ignore' });
  for (const [name, argumentsFor] of servers) {
    for (const group of groups) {
      const each = await measure(argumentsFor, group);
      process.stdout.write(`${name}, ${group}: ${each.toFixed(1)} KB of ${count} idle connections each\n`);
    }
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}

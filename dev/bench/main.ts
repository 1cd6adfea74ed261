/**
 * `npm run bench`: calls per second and CPU per call of the SIP server and the edge, split by process, with everything enabled:
 * TLS from the trunk, SRTP negotiated, admission, rtpengine offer/answer/delete, traces, records in Redis.
 * With `--drachtio FILE` the same edge also runs on that drachtio-server in the same run, for a ratio. The load generator is first
 * checked against itself at twice the highest rate. `--overload` shows the behaviour of an overloaded edge. Loopback figures of one machine: compare them only with each other.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TestAuthority } from '../../test/support/certificates.js';
import { freePorts } from '../../test/support/free-ports.js';
import { Children, portAccepts } from './children.js';
import { CpuMeter, type Metered, residentMegabytes } from './cpu.js';
import { agentArguments, callersRun, type Load, type LoadResult } from './load.js';
import { type Certificate, number, type Server, startStack } from './stack.js';

const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '50,100,200,300' },
    seconds: { type: 'string', default: '10' },
    hold: { type: 'string', default: '1000' },
    /** The system on one core, the generator on another, load shedding enabled: measures how long admitted calls take at these rates. */
    overload: { type: 'boolean', default: false },
    drachtio: { type: 'string' },
    /** Directory for V8 CPU profiles of engine and edge; profiling distorts the figures of the run. */
    profile: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const rates = values.rates.split(',').map(Number);
const seconds = Number(values.seconds);
const holdMilliseconds = Number(values.hold);

interface Row {
  readonly server: string;
  readonly rate: number;
  readonly result: LoadResult;
  readonly cpu: ReadonlyMap<string, number>;
  readonly memory: ReadonlyMap<string, number>;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function namedPorts<Name extends string>(...names: readonly Name[]): Promise<Record<Name, number>> {
  const ports = await freePorts(names.length);
  return Object.fromEntries(names.map((name, i) => [name, ports[i]])) as Record<Name, number>;
}

/** A TLS client for SIPp, which has no TLS in Debian's build; and for the calibration a TLS server in front of the answering SIPp. */
function startShim(
  children: Children,
  directory: string,
  accept: number,
  connect: number,
  far?: { accept: number; connect: number; certificate: Certificate },
): void {
  const file = join(directory, `stunnel-${accept}.conf`);
  const lines = [
    'foreground = yes',
    'pid =',
    '[caller]',
    'client = yes',
    `accept = 127.0.0.1:${accept}`,
    `connect = 127.0.0.1:${connect}`,
  ];
  if (far !== undefined) {
    lines.push('[far]', `accept = 127.0.0.1:${far.accept}`, `connect = 127.0.0.1:${far.connect}`);
    lines.push(`cert = ${far.certificate.certificateFile}`, `key = ${far.certificate.keyFile}`);
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
  children.start(`stunnel-${accept}`, 'stunnel4', [file]);
}

async function calibrate(directory: string, certificate: Certificate, load: Load): Promise<void> {
  const children = new Children(directory);
  const { near, middle, agent, caller, control, agentControl } = await namedPorts(
    'near',
    'middle',
    'agent',
    'caller',
    'control',
    'agentControl',
  );
  try {
    children.start('calibration-agent', 'sipp', agentArguments(agent, agentControl));
    startShim(children, directory, near, middle, { accept: middle, connect: agent, certificate });
    await portAccepts(agent);
    await portAccepts(near);
    const result = await callersRun({
      directory,
      name: 'calibration',
      target: { host: '127.0.0.1', port: near },
      localPort: caller,
      controlPort: control,
      number,
      load,
    });
    print(
      `generator against itself: asked ${load.callsPerSecond}/s, got ${result.achieved.toFixed(0)}/s (with the last hold), ` +
        `${result.succeeded} good, ${result.failed} failed, ${result.retransmissions} retransmissions`,
    );
    if (result.failed > 0)
      throw new Error('The load generator fails against itself: results would be meaningless.');
  } finally {
    await children.stop();
  }
}

async function measure(
  name: string,
  server: Server,
  directory: string,
  certificate: Certificate,
): Promise<Row[]> {
  // With --overload the generator has its own core, so that it does not compete with the system.
  const generator = new Children(directory, values.overload ? 1 : undefined);
  const children = new Children(directory, values.overload ? 0 : undefined);
  const rows: Row[] = [];
  const { shim, agentControl, ...ports } = await namedPorts(
    ...(['redis', 'ng', 'admin', 'tls', 'tcp', 'hep', 'http', 'agent', 'shim', 'agentControl'] as const),
  );
  try {
    generator.start('agent', 'sipp', agentArguments(ports.agent, agentControl));
    const { profile, overload: sheds } = values;
    const processes = await startStack(children, directory, ports, certificate, server, { profile, sheds });
    startShim(generator, directory, shim, ports.tls);
    await portAccepts(shim);
    // The first thousand calls include compilation time, so they are not counted.
    await run(
      'warm-up',
      { callsPerSecond: 60, seconds: 15, holdMilliseconds: 100 },
      processes,
      shim,
      directory,
    );
    for (const rate of rates) {
      const load = { callsPerSecond: rate, seconds, holdMilliseconds };
      const { result, cpu, memory } = await run(`${name}-${rate}`, load, processes, shim, directory);
      rows.push({ server: name, rate, result, cpu, memory });
      print(values.overload ? formatOverload(rows.at(-1)!) : formatRow(rows.at(-1)!));
      if (result.failed > 0.05 * (result.succeeded + result.failed)) break;
    }
  } finally {
    await generator.stop();
    await children.stop();
  }
  return rows;
}

async function run(
  name: string,
  load: Load,
  processes: readonly Metered[],
  shim: number,
  directory: string,
): Promise<{ result: LoadResult; cpu: Map<string, number>; memory: Map<string, number> }> {
  const { localPort, controlPort } = await namedPorts('localPort', 'controlPort');
  const meter = new CpuMeter(processes);
  const result = await callersRun({
    directory,
    name,
    target: { host: '127.0.0.1', port: shim },
    localPort,
    controlPort,
    number,
    load,
  });
  return {
    result,
    cpu: meter.read(),
    memory: new Map(processes.map(({ name: part, pid }) => [part, residentMegabytes(pid)])),
  };
}

function formatOverload({ rate, result }: Row): string {
  const { succeeded, refused, failed, setups } = result;
  const setup = (share: number): string =>
    `${(setups[Math.floor(setups.length * share)] ?? 0).toFixed(0)} ms`;
  return (
    `${String(rate).padStart(4)}/s  answered ${(succeeded / seconds).toFixed(0)}/s  refused ${(refused / seconds).toFixed(0)}/s  ` +
    `failed ${failed}  INVITE to 200: p50 ${setup(0.5)}, p99 ${setup(0.99)}, longest ${(setups.at(-1) ?? 0).toFixed(0)} ms`
  );
}

function formatRow({ server, rate, result, cpu, memory }: Row): string {
  const calls = Math.max(1, result.succeeded + result.failed);
  const each = (part: string): number => (cpu.get(part) ?? 0) / calls;
  const parts = ['server', 'edge', 'rtpengine', 'redis'];
  return (
    `${server.padEnd(9)} ${String(rate).padStart(4)}/s  good ${result.succeeded}  failed ${result.failed + result.refused}  ` +
    `ms CPU per call: server+edge ${(each('server') + each('edge')).toFixed(2)}  ` +
    `(${parts.map((part) => `${part} ${each(part).toFixed(2)}`).join(', ')})  ` +
    `MB: ${parts.map((part) => `${part} ${(memory.get(part) ?? 0).toFixed(0)}`).join(', ')}`
  );
}

const directory = mkdtempSync(join(tmpdir(), 'demarc-bench-'));
const authority = await TestAuthority.create();
try {
  const issued = await authority.issue('bench');
  const certificate = { certificateFile: issued.certFile, keyFile: issued.keyFile, caFile: authority.caFile };
  print(
    `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${seconds} s a step, calls held ${holdMilliseconds} ms`,
  );
  await calibrate(directory, certificate, {
    callsPerSecond: Math.max(...rates) * 2,
    seconds: 5,
    holdMilliseconds,
  });
  const ours = await measure('embedded', { kind: 'embedded' }, directory, certificate);
  if (values.drachtio === undefined) {
    print('drachtio-server: not compared (set its executable with --drachtio FILE).');
  } else {
    const theirs = await measure(
      'drachtio',
      { kind: 'drachtio', file: values.drachtio },
      directory,
      certificate,
    );
    for (const row of ours) {
      const other = theirs.find(({ rate }) => rate === row.rate);
      if (other === undefined) continue;
      const cost = ({ cpu, result }: Row): number =>
        ((cpu.get('server') ?? 0) + (cpu.get('edge') ?? 0)) / Math.max(1, result.succeeded + result.failed);
      print(
        `${row.rate}/s: embedded engine + edge cost ${(cost(row) / cost(other)).toFixed(2)} of drachtio-server + edge`,
      );
    }
  }
} finally {
  if (values.keep) print(`kept: ${directory}`);
  else rmSync(directory, { recursive: true, force: true });
  rmSync(authority.directory, { recursive: true, force: true });
}

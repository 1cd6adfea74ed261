import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startOf } from '../../../src/base/process-identity.js';
import { outlivesParent } from '../../../src/base/stop-requests.js';
import { successionFileVariable, successionOutcomeSchema } from '../../../src/base/successor.js';
import { type PeerProtocol, SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { demarcCommand } from '../../support/engine-under-test.js';
import { freePorts } from '../../support/free-ports.js';
import { PeerCall, sdp } from '../../support/peer-call.js';
import { TestProcess } from '../../support/processes.js';
import { WireClient } from '../../support/wire-client.js';
import { establishUas } from './calls.js';

const secret = 'succession-secret';
const keep = { 'Engine-Keep': 'yes' };

let directory: string;
let adminPort: number;
let sipPort: number;
let engine: TestProcess;
let environment: Record<string, string>;
let successor: number | undefined;
let closing: (() => Promise<void>)[] = [];

async function application(name: string): Promise<WireClient> {
  const wire = await WireClient.connect({ host: '127.0.0.1', port: adminPort });
  closing.push(() => wire.close());
  expect((await wire.authenticate(secret)).fields[3]).toBe('OK');
  await wire.route('invite', `owner:${name}`);
  return wire;
}

async function peer(protocol: PeerProtocol): Promise<SipPeer> {
  const opened = await SipPeer.open({ protocol, target: { host: '127.0.0.1', port: sipPort } });
  closing.push(() => opened.close());
  return opened;
}

/** @param predecessor pid */
async function succeed(predecessor: number): Promise<number> {
  const file = environment[successionFileVariable]!;
  const [program, args] = engineCommand();
  writeFileSync(file, JSON.stringify({ file: program, args, environment }));
  process.kill(predecessor, 'SIGUSR2');
  let pid = 0;
  await until(
    () => {
      const outcome = successionOutcomeSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
      if (outcome.success && 'pid' in outcome.data) pid = outcome.data.pid;
      return pid !== 0;
    },
    20_000,
    'the successor',
  );
  return pid;
}

const engineCommand = (): readonly [string, readonly string[]] =>
  demarcCommand('engine', [
    ...[
      '--admin',
      `127.0.0.1:${adminPort}`,
      '--tcp',
      `127.0.0.1:${sipPort}`,
      '--udp',
      `127.0.0.1:${sipPort}`,
    ],
    ...['--restore-seconds', '1', '--t1', '50', '--t2', '200', '--t4', '200'],
  ]);

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'demarc-succession-'));
  [adminPort, sipPort] = (await freePorts(2)) as [number, number];
  environment = {
    PATH: process.env.PATH!,
    DEMARC_ENGINE_SECRET: secret,
    [outlivesParent]: 'yes',
    [successionFileVariable]: join(directory, 'order.json'),
  };
  const [program, args] = engineCommand();
  engine = new TestProcess(program, [...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environment,
  });
  await engine.line(/"msg":"ready"/, 20_000);
});

afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
  await engine?.stop();
  if (successor !== undefined) process.kill(successor, 'SIGKILL');
  successor = undefined;
  rmSync(directory, { recursive: true, force: true });
});

it('loses no call when an engine is replaced: ringing ones are answered, answered ones restored, new ones come over the connection of before', async () => {
  const previous = await application('edge-1');
  const [tcp, udp] = [await peer('tcp'), await peer('udp')];
  const answered = PeerCall.to(tcp);
  await establishUas(previous, answered, { headers: keep });
  const ringing = PeerCall.to(udp);
  await ringing.invite();
  const invite = await previous.expectRequest('INVITE');
  await previous.respond(invite, 180);
  await ringing.response(180);

  successor = await succeed(engine.pid!);
  const next = await application('edge-2');
  await engine.line(/takes new calls/, 5_000);
  // An edge that it leaves to its successor is not lost.
  expect((await previous.command('owned|edge-2')).fields.slice(5)).toEqual(['0', 'replaced', '0']);
  expect((await next.command('owned|edge-2')).fields.slice(5)).toEqual(['1', '', '0']);
  await next.command('alive');
  expect((await next.command('owned|edge-2')).fields.slice(5)).toEqual(['1', '', '1']);

  // The connection and the transaction are the former process's.
  for (const [at, fresh] of [PeerCall.to(tcp), PeerCall.to(udp)].entries()) {
    await establishUas(next, fresh);
    await fresh.send('BYE');
    await next.respond(await next.expectRequest('BYE'), 200);
    await fresh.response(200, 'BYE');
    expect(previous.isOpen, `call ${at}`).toBe(true);
  }
  await previous.respond(invite, 200, { headers: keep, body: sdp('2') });
  await ringing.ack((await ringing.response(200)).message);
  await previous.expectRequest('ACK');

  await until(() => !previous.isOpen, 5_000, 'the former application is disconnected between its calls');
  await answered.send('INFO');
  const back = await application('edge-1');
  const restored = await back.command('restore', JSON.stringify([answered, ringing].map(documentOf)));
  expect((JSON.parse(restored.text) as { error?: string }[]).map(({ error }) => error)).toEqual([
    undefined,
    undefined,
  ]);
  // It waited for its dialog.
  await back.respond(await back.expectRequest('INFO'), 200);
  await answered.response(200, 'INFO');
  for (const call of [answered, ringing]) {
    const sent = await back.inDialog(call.dialogId, 'BYE');
    const bye = await call.peer.expectRequest('BYE', { callId: call.callId });
    expect(bye.message.headers.get('Reason')).toBeUndefined();
    await call.respond(bye, 200);
    await back.expectResponse({ status: 200, transaction: sent.fields[10] ?? '' });
  }
  expect(engine.isRunning).toBe(true);
  await back.close();
  tcp.closeConnections();
  expect(await engine.exit(10_000)).toBe(0);
  await establishUas(next, PeerCall.to(await peer('tcp')));
});

it('loses no call when the successor is replaced, too, while a connection of the first process is open', async () => {
  const first = await application('edge-1');
  const [tcp, idle] = [await peer('tcp'), await peer('tcp')];
  await establishUas(first, PeerCall.to(tcp), { headers: keep });
  await establishUas(first, PeerCall.to(idle), { headers: keep });

  successor = await succeed(engine.pid!);
  const second = await application('edge-2');
  await engine.line(/takes new calls/, 5_000);
  await until(() => !first.isOpen, 5_000, 'the first application is disconnected');
  const call = PeerCall.to(tcp);
  await establishUas(second, call, { headers: keep });
  await call.send('INFO');
  await second.respond(await second.expectRequest('INFO'), 200);
  await call.response(200, 'INFO');

  const middle = successor;
  successor = await succeed(middle);
  const third = await application('edge-3');
  await until(() => !second.isOpen, 5_000, 'the second application is disconnected');
  const restored = await third.command('restore', JSON.stringify([documentOf(call)]));
  expect(JSON.parse(restored.text)).toEqual([expect.not.objectContaining({ error: expect.anything() })]);
  await call.send('UPDATE');
  await third.respond(await third.expectRequest('UPDATE'), 200);
  await call.response(200, 'UPDATE');
  const fresh = PeerCall.to(tcp);
  await establishUas(third, fresh);
  // From both sides, over the connection of the first process.
  await fresh.send('BYE');
  await third.respond(await third.expectRequest('BYE'), 200);
  await fresh.response(200, 'BYE');
  const sent = await third.inDialog(call.dialogId, 'BYE');
  await call.respond(await call.peer.expectRequest('BYE', { callId: call.callId }), 200);
  await third.expectResponse({ status: 200, transaction: sent.fields[10] ?? '' });
  expect(tcp.accepted).toBe(0);

  for (const each of [tcp, idle]) each.closeConnections();
  expect(await engine.exit(10_000)).toBe(0);
  const isGone = (): boolean => startOf(middle) === undefined;
  await until(isGone, 10_000, 'the process between ends with the last connection');
  await establishUas(third, PeerCall.to(await peer('tcp')));
});

const documentOf = (call: PeerCall) => ({
  role: 'uas',
  call_id: call.callId,
  local_party: `<${call.remoteUri}>;tag=${call.remoteTag}`,
  remote_party: `<${call.localUri}>;tag=${call.localTag}`,
  route_set: [],
  remote_target: call.peer.uri('alice'),
  local_contact: `<${call.target}>`,
  local_sequence: 100,
  remote_sequence: call.invitation === undefined ? 0 : 1,
  flow: { protocol: call.peer.protocol, address: call.peer.host, port: call.peer.port },
  next_hop: null,
  session_timer: null,
  allows_update: true,
  local_description: sdp('2'),
});

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, onTestFailed } from 'vitest';
import type { CallRecord } from '../../src/contract/call-record.js';
import type { CallCommand } from '../../src/contract/commands.js';
import { commandStream } from '../../src/contract/keys.js';
import { drachtioDiffers } from '../support/drachtio-server.js';
import { saysItListens, startKamailio } from '../support/kamailio-process.js';
import { LossyNamespace } from '../support/lossy-namespace.js';
import type { TestProcess } from '../support/processes.js';
import { Stack } from './stack.js';

/**
 * A PBX that supports only UDP, in a separate network behind interfaces that lose a tenth of all datagrams each way:
 * Kamailio, and phones played by SIPp beside it.
 */
const lossPercent = 10;
const calls = 12;
const ports = { pbx: 5060, caller: 5070, callee: 5080 } as const;

let network: LossyNamespace | undefined;
let stack: Stack | undefined;
let pbx: TestProcess | undefined;
const processes: TestProcess[] = [];

beforeAll(async () => {
  try {
    network = LossyNamespace.create(lossPercent);
  } catch (error) {
    console.log(`Skipped: this machine gives no network that loses datagrams: ${(error as Error).message}`);
    return;
  }
  stack = await Stack.start({
    plainTrunks: true,
    plainAddress: network.hostAddress,
    // SIPp sends no media.
    edge: { DEMARC_TRUST_UDP_SOURCES: 'true', DEMARC_SILENT_CALL_SECONDS: '3600' },
  });
  pbx = await startPbx(network, stack);
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.stop()));
  await stack?.expectNothingLeft();
});
afterAll(async () => {
  await pbx?.stop();
  await stack?.finish();
  network?.remove();
});

/** SIP messages of one leg, repetitions left out. */
const summaries = ({ trace }: CallRecord, leg: 'trunk' | 'agent'): Set<string> =>
  new Set(trace.filter((entry) => entry.leg === leg).map(({ summary }) => summary));

const whole = ['INVITE', '200 OK', 'ACK', 'BYE'];

async function records(direction: 'inbound' | 'outbound'): Promise<CallRecord[]> {
  const found: CallRecord[] = [];
  while (found.length < calls) {
    found.push(await stack!.record((record) => record.direction === direction, 30_000));
  }
  return found;
}

/** Exactly `calls` calls, each whole and none twice. */
async function expectWhole(found: readonly CallRecord[], direction: 'inbound' | 'outbound'): Promise<void> {
  for (const record of found) {
    expect(record).toMatchObject({ outcome: 'completed', sip_status: 200, trace_truncated: false });
    for (const leg of ['trunk', 'agent'] as const) {
      expect([...summaries(record, leg)]).toEqual(expect.arrayContaining(whole));
    }
  }
  expect(new Set(found.map(({ sip_call_ids }) => sip_call_ids.trunk)).size).toBe(calls);
  expect(new Set(found.map(({ sip_call_ids }) => sip_call_ids.agent)).size).toBe(calls);
  await expect(stack!.record((record) => record.direction === direction, 500)).rejects.toThrow();
}

it('calls in, each of them whole', { timeout: 120_000 }, async (context) => {
  if (network === undefined || stack === undefined) return context.skip();
  const number = await stack.number({
    inbound: { allowed_sources: [`${network.address}/32`] },
  });
  // Long enough for eight copies of the 200, so that its ACK arrives however unlucky the call is.
  const talk = drachtioDiffers('it repeats a 200 after 500 ms whatever T1 is.') ? '12000' : '4000';
  const caller = sipp(callerScenario(number), ports.caller, [
    ...['-r', '4', '-d', talk, `${network.address}:${ports.pbx}`],
  ]);
  const found = await records('inbound');
  expect(await caller.exit(40_000), caller.output.slice(-2_000)).toBe(0);
  await expectWhole(found, 'inbound');
  for (const record of found) expect(record.end_reason).toBe('caller_hung_up');
  expect(network.dropped).toBeGreaterThan(0);
});

it('calls out, each of them whole and dialled once', { timeout: 120_000 }, async (context) => {
  if (network === undefined || stack === undefined || pbx === undefined) return context.skip();
  const number = await stack.number({
    outbound: [{ id: 'pbx', host: network.address, port: ports.pbx, transport: 'udp', secure_media: false }],
  });
  const callee = sipp(calleeScenario, ports.callee, []);
  const before = network.dropped;
  for (let ordered = 0; ordered < calls; ordered++) {
    const command: CallCommand = {
      version: 1,
      call_id: randomUUID(),
      organization: 'acme',
      number,
      phone_number: `1415555${String(1_000 + ordered)}`,
      // Long enough for seven copies of the callee's 200.
      max_duration_seconds: 8,
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    };
    await stack.redisClient.xadd(commandStream, '*', 'command', JSON.stringify(command));
  }
  const found = await records('outbound');
  expect(await callee.exit(40_000), callee.output.slice(-2_000)).toBe(0);
  await expectWhole(found, 'outbound');
  for (const record of found) expect(record.end_reason).toBe('max_duration');
  const dialled = [...pbx.output.matchAll(/dialled (\S+) (\S+)/g)].map(([, callId]) => callId);
  expect(new Set(dialled).size).toBe(calls);
  expect(network.dropped).toBeGreaterThan(before);
});

function sipp(scenario: string, port: number, argv: readonly string[]): TestProcess {
  const directory = join(stack!.directory, `sipp-${port}`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'scenario.xml'), scenario);
  const process = network!.run(
    'sipp',
    [
      ...['-sf', 'scenario.xml', '-t', 'u1', '-m', String(calls), '-l', String(calls), '-nostdin'],
      ...['-i', network!.address, '-p', String(port), '-ci', '127.0.0.1', '-cp', String(port + 100)],
      ...['-timeout', '60s', '-timeout_error', '-trace_err', ...argv],
    ],
    directory,
  );
  processes.push(process);
  onTestFailed(() => {
    const errors = readdirSync(directory).filter((file) => file.includes('errors'));
    for (const file of errors) console.error(readFileSync(join(directory, file), 'latin1').slice(0, 4_000));
  });
  return process;
}

async function startPbx(
  { address, hostAddress }: LossyNamespace,
  { directory, plainPort }: Stack,
): Promise<TestProcess> {
  return startKamailio(
    join(directory, 'pbx'),
    `#!KAMAILIO
debug=2
log_stderror=yes
children=2
disable_tcp=yes
auto_aliases=no
listen=udp:${address}:${ports.pbx}
${['tm', 'sl', 'rr', 'pv', 'maxfwd', 'textops', 'siputils', 'xlog'].map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("tm", "retr_timer1", 100)
modparam("tm", "retr_timer2", 800)

request_route {
  if (method == "OPTIONS" && !has_totag()) { sl_send_reply("200", "OK"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here");
    exit;
  }
  record_route();
  if ($sp == ${ports.caller}) $du = "sip:${hostAddress}:${plainPort}";
  else {
    xlog("L_WARN", "dialled $ci $rU\\n");
    $du = "sip:${address}:${ports.callee}";
  }
  t_relay();
}

${saysItListens}
`,
    (command, argv) => network!.run(command, argv),
  );
}

const key = 'WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';

const callerScenario = (number: string): string => {
  const request = (
    method: string,
    sequence: number,
    to: string,
    uri: string,
  ): string => `${method} ${uri} SIP/2.0
Via: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]
Max-Forwards: 70
${uri === '[next_url]' ? '[routes]\n' : ''}From: "Phone" <sip:15550001111@[local_ip]>;tag=[pid]c[call_number]
${to}
Call-ID: [call_id]
CSeq: ${sequence} ${method}
Contact: <sip:15550001111@[local_ip]:[local_port]>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="caller">
  <send retrans="500"><![CDATA[
${request('INVITE', 1, `To: <sip:${number}@[remote_ip]>`, `sip:${number}@[remote_ip]:[remote_port]`)}
Content-Type: application/sdp
Content-Length: [len]

v=0
o=phone 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [local_ip]
t=0 0
m=audio [media_port] RTP/SAVP 0 101
a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${key}
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
]]></send>
  <recv response="100" optional="true"/>
  <recv response="180" optional="true"/>
  <recv response="183" optional="true"/>
  <recv response="200" rrs="true"/>
  <send><![CDATA[
${request('ACK', 1, '[last_To:]', '[next_url]')}
Content-Length: 0

]]></send>
  <pause/>
  <send retrans="500"><![CDATA[
${request('BYE', 2, '[last_To:]', '[next_url]')}
Content-Length: 0

]]></send>
  <recv response="200"/>
</scenario>
`;
};

const answer = (status: string, tag: string): string => `SIP/2.0 ${status}
[last_Via:]
[last_Record-Route:]
[last_From:]
[last_To:]${tag}
[last_Call-ID:]
[last_CSeq:]
Contact: <sip:callee@[local_ip]:[local_port]>`;

const calleeScenario = `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="callee">
  <recv request="INVITE"/>
  <send><![CDATA[
${answer('180 Ringing', ';tag=[pid]a[call_number]')}
Content-Length: 0

]]></send>
  <pause milliseconds="300"/>
  <send retrans="100"><![CDATA[
${answer('200 OK', ';tag=[pid]a[call_number]')}
Content-Type: application/sdp
Content-Length: [len]

v=0
o=callee 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [local_ip]
t=0 0
m=audio [media_port] RTP/AVP 0 101
a=rtpmap:0 PCMU/8000
a=rtpmap:101 telephone-event/8000
]]></send>
  <recv request="ACK"/>
  <recv request="BYE"/>
  <send><![CDATA[
${answer('200 OK', '')}
Content-Length: 0

]]></send>
  <!-- The BYE may come again, its answer lost. -->
  <timewait milliseconds="4000"/>
</scenario>
`;

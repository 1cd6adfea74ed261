import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFailed,
  onTestFinished,
} from 'vitest';
import { Linphone } from '../../dev/softphone/linphone.js';
import type { CallCommand } from '../../src/contract/commands.js';
import { commandStream } from '../../src/contract/keys.js';
import { registrationId, registrationKey } from '../../src/contract/registration.js';
import { patient, pause, until } from '../../src/testkit/waiting.js';
import type { AudioLine } from '../support/audio-socket.js';
import { TestAuthority } from '../support/certificates.js';
import { isRealServer } from '../support/engine-under-test.js';
import { withoutNewerPrograms } from '../support/newer-programs.js';
import { pbxByGuide } from './asterisk/guide.js';
import { Asterisk } from './asterisk.js';
import { agentSideAddress, musicHertz, sentDigits } from './asterisk-configuration.js';
import { edgeAddress, Stack } from './stack.js';
import { messagesOf } from './traces.js';

/** A real PBX on all sides: as customer's PBX, as trunk, as registrar, and where the voice agents are. */
const user = 'demarc-trunk';
const password = 'correct-horse-battery';
const outsideHertz = 1_000;
const agentHertz = 500;

/** What the edges take; they offer all but the last, in this order. Debian's Asterisk has the last two. */
const suites = [
  ...['AEAD_AES_256_GCM', 'AES_256_CM_HMAC_SHA1_80'],
  ...['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'],
];

let stack: Stack;
let pbx: Asterisk;
/** Of the PBX alone: only what names it trusts it. */
let pbxAuthority: TestAuthority;

beforeAll(async () => {
  if (withoutNewerPrograms !== undefined) return;
  stack = await Stack.start({
    edge: { DEMARC_OPTIMISTIC_SRTP: 'accept', DEMARC_SRTP_SUITES: suites.join(',') },
  });
  // Two calls in a row are at different edges, as in every installation.
  if (!isRealServer) await stack.startFurtherEdge('second');
  pbxAuthority = await TestAuthority.create();
  pbx = await Asterisk.start({
    certificate: await pbxAuthority.issue('pbx'),
    trusted: stack.authority.ca,
    demarcPort: stack.tlsPort,
    demarcAgentSide: { host: edgeAddress, port: stack.agentSidePort },
    user,
    password,
  });
});
beforeEach(({ skip }) => {
  skip(withoutNewerPrograms !== undefined, withoutNewerPrograms);
  onTestFailed(() =>
    console.error(`Asterisk said:\n${pbx.output}\nDemarc said:\n${stack.logs.slice(-4_000)}`),
  );
});
afterEach(() => stack?.endTest());
afterAll(async () => {
  await pbx?.stop();
  await stack?.finish();
  pbxAuthority?.remove();
});

/** An extension of the agent runtime. */
const agentUri = (extension: string): string =>
  `sip:${extension}@${agentSideAddress}:${pbx.ports.agent};transport=tcp`;

/** The PBX as a trunk with a private CA that requires credentials. */
const trunk = () => ({
  tls_ca: pbxAuthority.ca,
  id: 'pbx',
  host: '127.0.0.1',
  port: pbx.ports.tls,
  transport: 'tls',
  credential: { username: user, password: stack.seal(password) },
});

/** Orders a call to an extension of the PBX, as control does; returns the id of the call. */
async function order(number: string, extension: string): Promise<string> {
  const command: CallCommand = {
    version: 1,
    call_id: randomUUID(),
    organization: 'acme',
    number,
    phone_number: `1415555${extension}`,
    max_duration_seconds: 60,
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  };
  await stack.redisClient.xadd(commandStream, '*', 'command', JSON.stringify(command));
  return command.call_id;
}

/** Both say their tone until they hear the other's. */
async function talk(agent: AudioLine, outside: AudioLine): Promise<void> {
  agent.say(agentHertz);
  outside.say(outsideHertz);
  await Promise.all([agent.waitForTone(outsideHertz), outside.waitForTone(agentHertz)]);
}

/**
 * After a transfer, whose last re-INVITE may come later than its outcome: reconnects both extensions until each hears the other.
 * @returns their lines, in that order
 */
async function talkAgain(inside: string, outside: string): Promise<readonly [AudioLine, AudioLine]> {
  for (let attempt = 1; ; attempt += 1) {
    const lines = [await pbx.reconnect(inside), await pbx.reconnect(outside)] as const;
    lines[0].say(agentHertz);
    lines[1].say(outsideHertz);
    const isHeard = (): boolean =>
      lines[0].secondsHeard(outsideHertz) >= 0.4 && lines[1].secondsHeard(agentHertz) >= 0.4;
    for (let waited = 0; waited < 4_000 && !isHeard(); waited += 50) await pause(50);
    if (isHeard()) return lines;
    if (attempt === 5) throw new Error(`${inside} and ${outside} do not hear each other.`);
  }
}

/** A call from the PBX to a new number with the agent 1001, heard both ways. */
async function callFromPbx({
  endpoint = 'trunk',
  ...settings
}: { endpoint?: string } & Parameters<Stack['number']>[0] = {}) {
  const number = await stack.number({
    ...settings,
    inbound: { agent_uri: agentUri('1001'), ...settings.inbound },
  });
  await pbx.call(`${number}@${endpoint}`, '1002');
  const [agent, caller] = await Promise.all([pbx.line('1001'), pbx.line('1002')]);
  await talk(agent, caller);
  return { number, agent, caller };
}

const codecs = [
  { name: 'PCMU', agent: 'PCMU', transcode: false },
  { name: 'G722', agent: 'G722', transcode: false },
  { name: 'opus', agent: 'PCMU', transcode: true },
];

describe('a call from Asterisk', () => {
  it.each(codecs)('in $name is heard both ways, the agent having $agent', async ({ name, transcode }) => {
    const { number, agent, caller } = await callFromPbx({
      endpoint: name === 'PCMU' ? 'trunk' : `trunk-${name.toLowerCase()}`,
      codecs: { order: transcode ? [name, 'PCMU'] : [name], transcode },
    });
    caller.hangUp();
    await agent.waitForEnd();
    expect(await stack.recordOf(number)).toMatchObject({
      outcome: 'completed',
      end_reason: 'caller_hung_up',
    });
  });

  it('is encrypted when it offers SRTP as RTP/AVP with keys (RFC 8643)', async () => {
    const { number, agent, caller } = await callFromPbx({ endpoint: 'trunk-optimistic' });
    caller.hangUp();
    await agent.waitForEnd();
    const record = await stack.recordOf(number);
    expect(record).toMatchObject({
      outcome: 'completed',
      media: { srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
    });
    // The offer and its answer.
    const audio = messagesOf(record, { leg: 'trunk', method: 'INVITE' }).flatMap(
      (message) => message.match(/^m=audio \d+ \S+/gm) ?? [],
    );
    expect(audio).toEqual([expect.stringMatching(/ RTP\/AVP$/), expect.stringMatching(/ RTP\/AVP$/)]);
  });

  it('is encrypted with a tag of 32 bits when it offers that alone', async () => {
    const { number, agent, caller } = await callFromPbx({ endpoint: 'trunk-short-tag' });
    caller.hangUp();
    await agent.waitForEnd();
    expect((await stack.recordOf(number)).media?.srtp_suite).toBe('AES_CM_128_HMAC_SHA1_32');
  });

  it('is accepted from any address when it proves itself by digest', async () => {
    const { number, agent, caller } = await callFromPbx({
      endpoint: 'trunk-digest',
      inbound: { allowed_sources: [], credentials: [{ username: user, password: stack.seal(password) }] },
    });
    agent.hangUp();
    await caller.waitForEnd();
    const record = await stack.recordOf(number);
    expect(record).toMatchObject({ outcome: 'completed', end_reason: 'agent_hung_up' });
    expect(record.trace.some(({ message }) => message.includes('algorithm=SHA-256'))).toBe(true);
  });

  it('with a wrong password is refused', async () => {
    const number = await stack.number({
      inbound: { allowed_sources: [], credentials: [{ username: user, password: stack.seal(password) }] },
    });
    await pbx.call(`${number}@trunk-wrong`, '1002');
    expect(await stack.recordOf(number)).toMatchObject({
      outcome: 'refused',
      end_reason: 'refused_credentials',
      sip_status: 403,
    });
  });

  it('carries pressed keys both ways', async () => {
    const { number, agent, caller } = await callFromPbx();
    await pbx.redirect('1001', '3001');
    await caller.waitForDigits(sentDigits);
    const again = await pbx.line('3001');
    await pbx.redirect('1002', '3002');
    await again.waitForDigits(sentDigits);
    again.hangUp();
    await agent.waitForEnd();
    expect(await stack.recordOf(number)).toMatchObject({ outcome: 'completed' });
  });

  it('has music for the agent from when its phone puts it on hold until the phone resumes it', async () => {
    const number = await stack.number({ inbound: { agent_uri: agentUri('1001') } });
    const phone = await stack.phone({
      user: 'phone',
      transport: 'udp',
      mediaEncryption: 'none',
      toneHertz: outsideHertz,
    });
    await phone.dial(`sip:${number}@127.0.0.1:${pbx.ports.phones}`);
    const agent = await pbx.line('1001');
    await agent.waitForTone(outsideHertz);
    await phone.hold();
    await agent.waitForTone(musicHertz);
    agent.forget();
    await phone.resume();
    await agent.waitForTone(outsideHertz);
    await phone.hangup();
    expect(await stack.recordOf(number)).toMatchObject({ end_reason: 'caller_hung_up' });
  });
});

describe('a call to Asterisk', () => {
  it.each(codecs)('in $name is heard both ways', async ({ name, transcode }) => {
    const number = await stack.number({
      inbound: { agent_uri: agentUri('1001') },
      outbound: [trunk()],
      codecs: { order: transcode ? [name, 'PCMU'] : [name], transcode },
    });
    const id = await order(number, '1002');
    const [agent, callee] = await Promise.all([pbx.line('1001'), pbx.line('1002')]);
    await talk(agent, callee);
    callee.hangUp();
    expect(await stack.record(({ call_id }) => call_id === id)).toMatchObject({
      outcome: 'completed',
      media: { srtp_suite: 'AES_CM_128_HMAC_SHA1_80' },
    });
  });

  it('fails where the trunk does not name the CA of its certificate', async () => {
    const { tls_ca: _, ...stranger } = trunk();
    const number = await stack.number({ inbound: { agent_uri: agentUri('1001') }, outbound: [stranger] });
    const id = await order(number, '1002');
    const record = await stack.record(({ call_id }) => call_id === id);
    expect(record.outcome).toBe('failed');
    expect(record.detail).toMatch(/certificate|trusted/i);
  });

  // The engine of this stack waits 64·T1 = 6.4 s for the agent's ACK; four seconds are what a server has that says nothing.
  it('is kept when it sends 100 and rings after the response timeout', async () => {
    const number = await stack.number({ inbound: { agent_uri: agentUri('1001') }, outbound: [trunk()] });
    const id = await order(number, '2002');
    const [agent, callee] = await Promise.all([pbx.line('1001'), pbx.line('2002')]);
    await talk(agent, callee);
    callee.hangUp();
    const record = await stack.record(({ call_id }) => call_id === id);
    expect(record).toMatchObject({ outcome: 'completed' });
  });
});

describe('a blind transfer', () => {
  it('by Asterisk puts another extension in the place of the caller', async () => {
    const { number } = await callFromPbx({ outbound: [trunk()] });
    await pbx.redirect('1002', '5003');
    await pbx.line('1003');
    const [, third] = await talkAgain('1001', '1003');
    third.hangUp();
    expect(await stack.recordOf(number)).toMatchObject({
      end_reason: 'target_hung_up',
      transfers: [{ mode: 'bridge', requested_by: 'trunk', status: 'completed', sip_status: 200 }],
    });
  });

  it('by Asterisk to an outside number is refused unless the number allows it, and the call continues', async () => {
    const { number, agent } = await callFromPbx({ outbound: [trunk()] });
    await pbx.redirect('1002', '6003');
    agent.forget();
    const caller = await pbx.line('6003');
    await talk(agent, caller);
    caller.hangUp();
    const record = await stack.recordOf(number);
    expect(record).toMatchObject({
      end_reason: 'caller_hung_up',
      transfers: [{ requested_by: 'trunk', status: 'failed' }],
    });
    expect(messagesOf(record, { leg: 'trunk', method: 'REFER' }).at(-1)).toMatch(/^SIP\/2.0 403 /);
  });

  it('by the agent leads the caller to another extension', async () => {
    const { number } = await callFromPbx({ outbound: [trunk()] });
    await pbx.redirect('1001', '5003');
    await pbx.line('1003');
    const [third] = await talkAgain('1003', '1002');
    third.hangUp();
    expect(await stack.recordOf(number)).toMatchObject({
      end_reason: 'target_hung_up',
      transfers: [{ mode: 'bridge', requested_by: 'agent', status: 'completed', sip_status: 200 }],
    });
  });
});

describe('an attended transfer', () => {
  it('by the agent joins two extensions of Asterisk', async () => {
    const rtp = await stack.ports.takeRun(8);
    const plainTcpPort = await stack.ports.take();
    const agent = await Linphone.start({
      directory: join(stack.directory, 'linphone'),
      address: '127.0.0.1',
      plainTcpPort,
      user: 'agent',
      tlsPort: await stack.ports.take(),
      rtpPorts: { low: rtp, high: rtp + 7 },
      toneHertz: agentHertz,
      caFile: stack.authority.caFile,
    });
    onTestFinished(() => agent.stop());
    const inbound = { agent_uri: `sip:agent@127.0.0.1:${plainTcpPort};transport=tcp` };
    const numbers = [await stack.number({ inbound }), await stack.number({ inbound })] as const;
    await pbx.call(`${numbers[0]}@trunk`, '1002');
    await agent.answer(1, 20_000);
    await pbx.line('1002');
    agent.hold();
    // Until its re-INVITE is answered it is busy for others.
    await until(
      () => /paused/.test(agent.output),
      10_000,
      () => `the agent holds:\n${agent.output}`,
    );
    // A second call of the same caller would be refused as busy.
    await pbx.call(`${numbers[1]}@trunk-digest`, '1003');
    await agent.answer(2, 20_000);
    await pbx.line('1003');
    agent.joinCalls();
    const record = await stack.recordOf(numbers[1]);
    expect(record).toMatchObject({
      end_reason: 'transferred',
      transfers: [{ mode: 'attended', status: 'completed' }],
    });
    const [, extension] = await talkAgain('1003', '1002');
    extension.hangUp();
    expect(await stack.recordOf(numbers[0])).toMatchObject({ end_reason: 'caller_hung_up' });
  });
});

describe('a registration at Asterisk', () => {
  it('is lost with Asterisk and there again after it, and calls come over it', async () => {
    const registrar = { host: '127.0.0.1', port: pbx.ports.tls, transport: 'tls' } as const;
    const key = registrationKey(registrationId('acme', registrar, user));
    const stateIs = (state: RegExp) =>
      until(
        async () => state.test((await stack.redisClient.get(key)) ?? ''),
        12_000,
        () => `the state of the registration is ${state}`,
      );
    const number = await stack.number({
      inbound: {
        allowed_sources: [],
        agent_uri: agentUri('1001'),
        credentials: [{ username: user, password: stack.seal(password) }],
        registration: {
          ...registrar,
          username: user,
          password: stack.seal(password),
          tls_ca: pbxAuthority.ca,
        },
      },
    });
    await stateIs(/"state":"registered"/);
    await pbx.kill();
    await stateIs(/"state":"(?!registered")/);
    await pbx.restart();
    const back = performance.now();
    await stateIs(/"state":"registered"/);
    expect(performance.now() - back).toBeLessThan(patient(10_000));
    await pbx.call(user, '1002');
    const [agent, caller] = await Promise.all([pbx.line('1001'), pbx.line('1002')]);
    await talk(agent, caller);
    caller.hangUp();
    expect(await stack.record((record) => record.number === number)).toMatchObject({ outcome: 'completed' });
    await stack.numberWriter.delete(number);
    await until(async () => (await stack.redisClient.get(key)) === null, 10_000, 'it is taken back');
  });
});

pbxByGuide(() => stack);

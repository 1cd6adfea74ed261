import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Baresip } from '../../../dev/softphone/baresip.js';
import { Linphone, PhoneCrashed } from '../../../dev/softphone/linphone.js';
import { hearTone } from '../../../dev/softphone/tone.js';
import { until } from '../../../src/testkit/waiting.js';
import { askCall, consult } from '../../contract/transfer/orders.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { secondsHeard, waitForPackets, waitForTone } from '../hearing.js';
import { agentToneHertz, phoneToneHertz, type Stack } from '../stack.js';

/** Transfers between real phones; what proves one is the tone that the new party hears, and is heard by. */
let stack: Stack;
let certificateFile: string;
const linphones: Linphone[] = [];

const newPartysHertz = 600;
const agentPhonesHertz = 800;

/** A phone that is called over TLS, and the outbound direction that leads to it. */
async function newParty({ answers = true } = {}) {
  const phone = await stack.phone({
    user: '1001',
    certificateFile,
    toneHertz: newPartysHertz,
    ...(answers ? { answersByItself: true } : {}),
  });
  const [, tls] = [...phone.ownAddresses];
  const [host, port] = tls!.split(':');
  return { phone, outbound: [{ id: 'out', host, port: Number(port), transport: 'tls' }] };
}

/** The same without SRTP: baresip keeps its keys when a re-INVITE has others. */
async function plainParty() {
  const phone = await stack.phone({
    user: '1001',
    transport: 'tcp',
    mediaEncryption: 'none',
    answersByItself: true,
    toneHertz: newPartysHertz,
  });
  const [host, port] = [...phone.ownAddresses][0]!.split(':');
  return {
    phone,
    outbound: [{ id: 'out', host, port: Number(port), transport: 'tcp', secure_media: false }],
  };
}

/** A softphone where the voice agent would be: it can send REFER. */
async function agentPhone(): Promise<{ phone: Baresip; agent_uri: string }> {
  const phone = await stack.phone({
    user: 'agent',
    transport: 'tcp',
    mediaEncryption: 'none',
    answersByItself: true,
    toneHertz: agentPhonesHertz,
  });
  return { phone, agent_uri: `sip:agent@${[...phone.ownAddresses][0]};transport=tcp` };
}

async function linphone(
  user: string,
  toneHertz: number,
  more: { plainTcpPort?: number } = {},
): Promise<Linphone> {
  const rtp = await stack.ports.takeRun(8);
  const phone = await Linphone.start({
    directory: join(stack.directory, `linphone-${rtp}`),
    address: '127.0.0.1',
    tlsPort: await stack.ports.take(),
    rtpPorts: { low: rtp, high: rtp + 7 },
    user,
    caFile: stack.authority.caFile,
    toneHertz,
    ...more,
  });
  linphones.push(phone);
  return phone;
}

const overTls = (number: string): string => `${stack.uri(number, 'localhost')};transport=tls`;

export function transferredCalls(stage: () => Stack): void {
  describe('a call that is transferred', () => {
    beforeAll(async () => {
      stack = stage();
      // Two calls in a row are at different edges, as in every installation.
      if (!isRealServer) await stack.startFurtherEdge('second');
      const { cert, key } = await stack.authority.issue('phone');
      certificateFile = join(stack.directory, 'phone.pem');
      writeFileSync(certificateFile, cert + key, { mode: 0o600 });
    });

    afterEach(async () => {
      await Promise.all(linphones.splice(0).map((phone) => phone.stop()));
      await stack.endTest();
    });

    describe('a blind transfer', () => {
      it('by the caller’s phone puts another phone in its place, heard both ways', async () => {
        const { phone, outbound } = await newParty();
        const number = await stack.number({ outbound });
        const caller = await stack.phone();
        await caller.dial(stack.uri(number));
        await caller.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(caller, agentToneHertz, 0.3);
        await caller.transfer('sip:1001@127.0.0.1');
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        // The agent echoes what it hears by now.
        await waitForTone(phone, newPartysHertz, 0.5);
        await phone.hangup();
        const record = await stack.recordOf(number);
        expect(record).toMatchObject({
          end_reason: 'target_hung_up',
          transfers: [{ mode: 'bridge', requested_by: 'trunk', status: 'completed', sip_status: 200 }],
        });
        expect(caller.seen.some(({ type }) => type === 'CALL_CLOSED')).toBe(true);
      });

      it('by the agent joins the caller with the new phone without a gap', async () => {
        const { phone, outbound } = await newParty();
        const agent = await agentPhone();
        const number = await stack.number({ outbound, inbound: { agent_uri: agent.agent_uri } });
        const caller = await linphone('caller', phoneToneHertz);
        caller.dial(overTls(number));
        await caller.waitUntilEstablished(30_000);
        await waitForTone(agent.phone, phoneToneHertz, 0.5);
        const watch = Stopwatch.start();
        await agent.phone.transfer('sip:1001@127.0.0.1');
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(phone, phoneToneHertz, 0.5);
        await waitForPackets(stack, 3);
        caller.hangup();
        await caller.waitUntilEnded(20_000);
        const { heard } = caller;
        const fromAgent = hearTone(heard, agentPhonesHertz);
        const fromNew = hearTone(heard, newPartysHertz);
        expect(fromAgent.seconds).toBeGreaterThan(0.3);
        expect(fromNew.seconds).toBeGreaterThan(0.8);
        const gap = fromNew.from! - (fromAgent.from! + fromAgent.seconds);
        expect(1_000 * gap).toBeLessThan(watch.bound(2_000));
        expect(await stack.recordOf(number)).toMatchObject({
          end_reason: 'caller_hung_up',
          transfers: [{ mode: 'bridge', requested_by: 'agent', status: 'completed' }],
        });
      });

      it('passed to the trunk is done by the caller’s phone itself, and ends our part', async () => {
        const { phone } = await newParty();
        const agent = await agentPhone();
        // The caller's phone follows a Refer-To by UDP.
        const port = Number([...phone.ownAddresses][0]!.split(':')[1]);
        const number = await stack.number({
          outbound: [{ id: 'out', host: '127.0.0.1', port, transport: 'udp' }],
          inbound: { agent_uri: agent.agent_uri },
          transfer: { mode: 'refer', fallback: false },
        });
        const caller = await stack.phone();
        await caller.dial(stack.uri(number));
        await caller.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(caller, agentPhonesHertz, 0.3);
        await agent.phone.transfer('sip:1001@127.0.0.1');
        await phone.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(phone, phoneToneHertz, 0.5);
        expect(await stack.recordOf(number)).toMatchObject({
          end_reason: 'transferred',
          transfers: [{ mode: 'refer', requested_by: 'agent', status: 'completed', sip_status: 200 }],
        });
      });

      it('leaves the call as it was when the target declines', async () => {
        const { phone, outbound } = await newParty({ answers: false });
        const number = await stack.number({ outbound });
        const caller = await linphone('caller', phoneToneHertz);
        caller.dial(overTls(number));
        await caller.waitUntilEstablished(30_000);
        await waitForPackets(stack, 1.5);
        caller.transfer('sip:1001@127.0.0.1');
        await phone.waitFor('CALL_INCOMING', 20_000);
        await phone.hangup();
        await until(() => caller.log.includes('SIP/2.0 486'), 20_000, 'the caller hears of it');
        await waitForPackets(stack, 3);
        caller.hangup();
        await caller.waitUntilEnded(20_000);
        // Before the transfer the agent still played its tone: the echo of its voice came after it.
        expect(hearTone(caller.heard, phoneToneHertz).seconds).toBeGreaterThan(1.2);
        expect(await stack.recordOf(number)).toMatchObject({
          end_reason: 'caller_hung_up',
          transfers: [{ requested_by: 'trunk', status: 'failed', reason: 'rejected', sip_status: 486 }],
        });
      });
    });

    describe('a warm transfer', () => {
      it('lets the target hear the agent first, then the caller', async () => {
        const bench = { redis: stack.redisClient };
        const { phone: target, outbound } = await plainParty();
        const { phone: agent, agent_uri } = await agentPhone();
        const number = await stack.number({ outbound, inbound: { agent_uri } });
        const caller = await linphone('caller', phoneToneHertz);
        caller.dial(overTls(number));
        await caller.waitUntilEstablished(30_000);
        await waitForTone(agent, phoneToneHertz, 0.3);
        const callId = callIdAt(agent);
        await consult(bench, callId, 'sip:1001@127.0.0.1');
        await target.waitFor('CALL_ESTABLISHED', 20_000);
        await waitForTone(target, agentPhonesHertz, 0.5);
        await waitForTone(agent, newPartysHertz, 0.5);
        expect(secondsHeard(target, phoneToneHertz)).toBe(0);
        expect(await askCall(bench, callId, { action: 'complete_transfer' })).toMatchObject({
          result: 'done',
        });
        await waitForTone(target, phoneToneHertz, 0.5);
        await agent.waitFor('CALL_CLOSED', 20_000);
        const heardByAgent = secondsHeard(agent, newPartysHertz);
        await waitForPackets(stack, 2);
        caller.hangup();
        await caller.waitUntilEnded(20_000);
        expect(hearTone(caller.heard, newPartysHertz).seconds).toBeGreaterThan(1);
        expect(secondsHeard(agent, newPartysHertz)).toBeLessThan(heardByAgent + 0.5);
        expect(await stack.recordOf(number)).toMatchObject({
          end_reason: 'caller_hung_up',
          transfers: [{ mode: 'attended', requested_by: 'api', status: 'completed' }],
        });
      });

      it('returns the agent to the caller when it is cancelled, and they hear each other', async () => {
        const bench = { redis: stack.redisClient };
        const { phone: target, outbound } = await newParty();
        const { phone: agent, agent_uri } = await agentPhone();
        const number = await stack.number({ outbound, inbound: { agent_uri } });
        const caller = await stack.phone();
        await caller.dial(stack.uri(number));
        await caller.waitFor('CALL_ESTABLISHED', 20_000);
        const callId = callIdAt(agent);
        await consult(bench, callId, 'sip:1001@127.0.0.1');
        await waitForTone(target, agentPhonesHertz, 0.3);
        const before = [secondsHeard(agent, phoneToneHertz), secondsHeard(caller, agentPhonesHertz)] as const;
        expect(await askCall(bench, callId, { action: 'cancel_transfer' })).toMatchObject({ result: 'done' });
        await target.waitFor('CALL_CLOSED', 20_000);
        await waitForTone(agent, phoneToneHertz, before[0] + 0.5);
        await waitForTone(caller, agentPhonesHertz, before[1] + 0.5);
        await caller.hangup();
        expect(await stack.recordOf(number)).toMatchObject({
          transfers: [{ mode: 'attended', status: 'failed', reason: 'cancelled' }],
        });
      });

      /** As the agent reads it in its INVITE. */
      const callIdAt = (agent: Baresip): string => {
        const [, id] = agent.trace.flatMap(({ text }) => /^X-Demarc-Call-ID: *(\S+)/im.exec(text) ?? []);
        return id!;
      };
    });

    describe('an attended transfer', () => {
      it('by the agent joins its two callers, who hear each other', async () => {
        await joinTwoCallers().catch((failure) => {
          if (failure instanceof PhoneCrashed) return joinTwoCallers();
          throw failure;
        });
      });

      async function joinTwoCallers(): Promise<void> {
        const tcpPort = await stack.ports.take();
        const agent = await linphone('agent', agentPhonesHertz, { plainTcpPort: tcpPort });
        const agent_uri = `sip:agent@127.0.0.1:${tcpPort};transport=tcp`;
        const numbers = [
          await stack.number({ inbound: { agent_uri } }),
          await stack.number({ inbound: { agent_uri } }),
        ] as const;
        const firstPhone = await linphone('one', phoneToneHertz);
        firstPhone.dial(overTls(numbers[0]));
        await agent.answer(1, 30_000);
        await firstPhone.waitUntilEstablished(30_000);
        await waitForPackets(stack, 0.5);
        agent.hold();
        const two = await linphone('two', newPartysHertz);
        two.dial(overTls(numbers[1]));
        await agent.answer(2, 30_000);
        await two.waitUntilEstablished(30_000);
        await waitForPackets(stack, 1);
        agent.joinCalls();
        const transferred = await stack.recordOf(numbers[1]);
        await waitForPackets(stack, 3);
        firstPhone.hangup();
        await firstPhone.waitUntilEnded(20_000);
        await two.waitUntilEnded(20_000);
        expect(hearTone(firstPhone.heard, newPartysHertz).seconds).toBeGreaterThan(1);
        expect(hearTone(two.heard, phoneToneHertz).seconds).toBeGreaterThan(1);
        const transfers = [{ mode: 'attended', status: 'completed' }];
        expect(transferred).toMatchObject({ end_reason: 'transferred', transfers });
        expect(await stack.recordOf(numbers[0])).toMatchObject({ end_reason: 'caller_hung_up', transfers });
      }
    });
  });
}

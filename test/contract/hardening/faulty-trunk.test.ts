import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallRecord } from '../../../src/contract/call-record.js';
import type { SipRequest } from '../../../src/sip/message.js';
import type { Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { pause, until } from '../../../src/testkit/waiting.js';
import { FaultyRelay, noFaults } from '../../support/faulty-relay.js';
import { PeerCall } from '../../support/peer-call.js';
import { trunkDescription } from '../media/descriptions.js';
import { AutomaticAgent } from './automatic-agent.js';
import { calledNumber, Stage } from './stage.js';

/** Short timers, RFC 3261's 32 seconds are 64·T1, but long enough for a machine that does other things too. */
const t1 = 100;

let stage: Stage;
let trunkPath: FaultyRelay;
let agentPath: FaultyRelay;
let trunk: SipPeer;
let agent: SipPeer;
beforeAll(async () => {
  stage = await Stage.start({
    engine: { t1 },
    edge: { DEMARC_TRUST_UDP_SOURCES: 'true' },
  });
  trunkPath = await FaultyRelay.to(stage.engine.listeners.udp!, 7);
  trunk = await stage.peer('udp', { target: trunkPath.address });
  agent = await stage.peer('udp');
  agentPath = await FaultyRelay.to({ host: '127.0.0.1', port: agent.port }, 11);
  const { host, port } = agentPath.address;
  await stage.configure({ inbound: [{ id: 'any', agent_uri: `sip:agent@${host}:${port}` }] });
});
afterAll(async () => {
  await stage?.stop();
  await Promise.all([trunkPath?.close(), agentPath?.close()]);
});

/** Sends a request as a UDP client transaction does, until `isDone`; gives up after 64·T1. */
async function repeat(request: SipRequest, isDone: () => boolean): Promise<boolean> {
  let wait = t1;
  for (let waited = 0; waited < 64 * t1; waited += wait, wait = Math.min(2 * wait, 8 * t1)) {
    await trunk.send(request);
    await until(isDone, wait, '').catch(() => {});
    if (isDone()) return true;
  }
  return false;
}

type Plan = 'hang up' | 'cancel' | 'vanish';

/** One caller with what RFC 3261 has a UDP client do; resolves when it has done its part. */
async function play(plan: Plan): Promise<string> {
  const call = PeerCall.to(trunk, calledNumber);
  const arrivals: Arrival[] = [];
  let looked = 0;
  const responses = (method: string): Arrival[] => {
    // All callers share one socket: each arrival is looked at once.
    for (; looked < trunk.everything.length; looked++) {
      const { message } = trunk.everything[looked]!;
      if (message.kind === 'response' && message.headers.get('Call-ID') === call.callId) {
        arrivals.push(trunk.everything[looked]!);
      }
    }
    return arrivals.filter(({ message }) => message.headers.get('CSeq')!.endsWith(` ${method}`));
  };
  const final = () =>
    responses('INVITE').find(({ message }) => message.kind === 'response' && message.status >= 200)?.message;
  const invite = call.build('INVITE', { body: trunkDescription() });
  call.invitation = invite;
  if (plan === 'vanish') {
    await repeat(invite, () => responses('INVITE').length > 0);
    return call.callId;
  }
  if (plan === 'cancel') {
    await repeat(invite, () => responses('INVITE').length > 0);
    const cancel = call.build('CANCEL', { cseq: 1 });
    cancel.headers.set('Via', invite.headers.get('Via')!);
    await repeat(cancel, () => responses('CANCEL').length > 0);
    await until(() => final() !== undefined, 64 * t1, 'a final').catch(() => {});
  } else await repeat(invite, () => final() !== undefined);
  const end = final();
  if (end?.kind !== 'response') return call.callId;
  call.learn(end);
  // Every copy of the final gets its ACK.
  for (let copies = 0, quiet = 0; quiet < 10; quiet++) {
    const now = responses('INVITE').filter(({ text }) => text.startsWith(`SIP/2.0 ${end.status}`)).length;
    if (now > copies) {
      await call.ack(end);
      copies = now;
      quiet = 0;
    }
    await pause(t1);
  }
  if (end.status === 200) {
    const bye = call.build('BYE');
    await repeat(bye, () => responses('BYE').length > 0);
  }
  return call.callId;
}

describe('calls over UDP that loses, doubles and reorders datagrams on both sides of the edge', () => {
  it('end on both sides: no half call, nothing left, one record each', async () => {
    const faults = { loss: 0.2, duplication: 0.2, delay: [0, 60] } as const;
    trunkPath.faults = faults;
    agentPath.faults = faults;
    const automatic = new AutomaticAgent(agent, t1);
    const plans: Plan[] = Array.from({ length: 24 }, (_, index) =>
      index % 6 === 4 ? 'cancel' : index % 6 === 5 ? 'vanish' : 'hang up',
    );
    const callIds = await Promise.all(plans.map((plan) => play(plan)));
    trunkPath.faults = noFaults;
    agentPath.faults = noFaults;
    await stage.expectNothingLeft(64 * t1 * 3);
    automatic.stop();
    expect(trunkPath.lost).toBeGreaterThan(25);
    const records: CallRecord[] = await stage.otherRecords();
    const of = (callId: string) => records.filter(({ sip_call_ids }) => sip_call_ids.trunk === callId);
    const ended: Record<string, string[]> = {};
    for (const [index, callId] of callIds.entries()) {
      const found = of(callId);
      expect(found.length, `records of one call (${plans[index]})`).toBeLessThanOrEqual(1);
      const plan = plans[index]!;
      ended[plan] = [...(ended[plan] ?? []), found[0]?.end_reason ?? 'never arrived'];
    }
    // Seven repeats: with this loss practically every call gets through.
    expect(
      ended['hang up']!.filter((reason) => reason === 'caller_hung_up').length,
      JSON.stringify(ended),
    ).toBeGreaterThanOrEqual(14);
    expect(new Set(ended.vanish)).toEqual(new Set(['ack_timeout']));
  });
});

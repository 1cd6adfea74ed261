import { randomInt, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { commandStream } from '../../../src/contract/keys.js';
import type { SipRequest } from '../../../src/sip/message.js';
import { respondTo } from '../../../src/sip/response.js';
import type { Arrival, SipPeer } from '../../../src/testkit/sip-peer.js';
import { pause } from '../../../src/testkit/waiting.js';
import { newToken, PeerCall } from '../../support/peer-call.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';
import { calledNumber, type Stage } from './stage.js';

const text = { 'Content-Type': 'text/plain' };
const silence = 3_000;

/** What a scenario works with: a caller's peer, the agent's, and a number that no other call has. */
export interface Parties {
  readonly stage: Stage;
  readonly redis: Redis;
  readonly trunk: SipPeer;
  readonly who: string;
}

interface Rung {
  readonly call: PeerCall;
  readonly invite: Arrival<SipRequest>;
}

const belongsTo = (message: SipRequest, who: string): boolean =>
  message.uri.includes(who) || (message.headers.get('From') ?? '').includes(who);

async function invited(peer: SipPeer, who: string): Promise<Rung> {
  const arrival = await peer.inbox.take(
    ({ message }) =>
      message.kind === 'request' &&
      message.method === 'INVITE' &&
      !/;tag=/.test(message.headers.get('To') ?? '') &&
      belongsTo(message, who),
    20_000,
    `INVITE of ${who}`,
  );
  const invite = arrival as Arrival<SipRequest>;
  return { call: PeerCall.from(peer, invite.message), invite };
}

/** Answers what the scripts do not ask for, until stopped: each party says BYE, CANCEL, NOTIFY … to itself and others. */
export function answering(peer: SipPeer): () => Promise<void> {
  let isOver = false;
  const statusOf = ({ method }: SipRequest): number =>
    method === 'INVITE' ? [200, 491, 488][randomInt(3)]! : 200;
  const run = async (): Promise<void> => {
    while (!isOver) {
      const arrival = await peer.inbox
        .take(
          ({ message }) =>
            message.kind === 'request' &&
            message.method !== 'ACK' &&
            message.method !== 'INFO' &&
            (message.method !== 'INVITE' || /;tag=/.test(message.headers.get('To') ?? '')),
          300,
          'a request',
        )
        .catch(() => undefined);
      if (arrival?.message.kind !== 'request') continue;
      const { message } = arrival;
      const status = statusOf(message);
      const response = respondTo(message, status, {});
      response.headers.add('Contact', `<${peer.uri('alice')}>`);
      if (message.method === 'INVITE' && status === 200) {
        const isSecure = message.body.includes('RTP/SAVP');
        response.body = isSecure ? trunkDescription({ version: 9 }) : agentDescription({ version: 9 });
        response.headers.set('Content-Type', 'application/sdp');
      }
      await peer.send(response, arrival.route);
    }
  };
  const running = run();
  return async () => {
    isOver = true;
    await running;
  };
}

async function called(
  parties: Parties,
  headers: Record<string, string | null> = {},
  body = trunkDescription(),
) {
  const call = PeerCall.to(parties.trunk, calledNumber);
  call.localUri = `sip:${parties.who}@127.0.0.1`;
  await call.invite({ body, headers });
  return call;
}

async function established(parties: Parties): Promise<{ trunk: PeerCall; agent: PeerCall }> {
  const trunk = await called(parties);
  const { call: agent, invite } = await invited(parties.stage.agent, parties.who);
  await agent.respond(invite, 180);
  await agent.respond(invite, 200, { body: agentDescription() });
  const ok = await trunk.response(200, 'INVITE', 20_000);
  await trunk.ack(ok.message);
  return { trunk, agent };
}

async function refused(call: PeerCall): Promise<void> {
  const { message } = await call.response((status) => status >= 300, 'INVITE', 30_000);
  await call.ack(message);
}

/** The agent answers our order, and the trunk is rung. */
async function ordered({ redis, stage, trunk, who }: Parties): Promise<Rung> {
  const command = {
    version: 1,
    call_id: randomUUID(),
    organization: 'acme',
    number: calledNumber,
    phone_number: who,
    max_duration_seconds: 600,
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  };
  await redis.xadd(commandStream, '*', 'command', JSON.stringify(command));
  const { call, invite } = await invited(stage.agent, who);
  await call.respond(invite, 200, { body: agentDescription() });
  return invited(trunk, who);
}

async function answered({ call, invite }: Rung, headers: Record<string, string | null> = {}, status = 200) {
  await call.respond(invite, status, { body: trunkDescription(), headers });
  await pause(randomInt(200));
  await call.send('BYE');
}

type Scenario = (parties: Parties) => Promise<void>;

/** What peers do that no peer should, and now and then a call as it should be. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'a good call': async (parties) => {
    const { trunk } = await established(parties);
    await trunk.hangUp();
  },
  'a good order': async (parties) => answered(await ordered(parties)),
  'a broken answer of the agent': async (parties) => {
    const trunk = await called(parties);
    const { call, invite } = await invited(parties.stage.agent, parties.who);
    await call.respond(invite, 200, { body: 'v=0\r\nnothing' });
    await refused(trunk);
  },
  'a CANCEL that crosses the 200': async (parties) => {
    const trunk = await called(parties);
    const { call, invite } = await invited(parties.stage.agent, parties.who);
    await Promise.all([trunk.cancel(), call.respond(invite, 200, { body: agentDescription() })]);
    const final = await trunk.response((status) => status >= 200, 'INVITE', 20_000);
    await trunk.ack(final.message);
    if (final.message.status === 200) await trunk.send('BYE');
  },
  'an agent with many tags': async (parties) => {
    const trunk = await called(parties);
    const { call, invite } = await invited(parties.stage.agent, parties.who);
    for (let tag = 0; tag < 100; tag++) {
      await call.respond(invite, 183, {
        tag: newToken(),
        body: agentDescription({ port: 42_000 + 2 * tag }),
      });
    }
    await call.respond(invite, 486);
    await refused(trunk);
  },
  'a flood of INFO': async (parties) => {
    const { trunk } = await established(parties);
    for (let count = 0; count < 60; count++) await trunk.send('INFO', { headers: text, body: `${count}` });
    await trunk.hangUp();
  },
  glare: async (parties) => {
    const { trunk, agent } = await established(parties);
    await Promise.all([
      trunk.send('INVITE', { body: trunkDescription({ version: 2, attributes: ['a=sendonly'] }) }),
      agent.send('INVITE', { body: agentDescription({ version: 2, attributes: ['a=sendonly'] }) }),
    ]);
    await trunk.send('INVITE');
    await trunk.send('UPDATE');
    await trunk.response((status) => status >= 200, 'UPDATE');
    await trunk.hangUp();
  },
  'nonsense in a call': async (parties) => {
    const { trunk, agent } = await established(parties);
    const target = `<sip:x@127.0.0.1?Route=%3Csip:evil.example%3E&Replaces=${trunk.callId}%3Bto-tag%3Dx%3Bfrom-tag%3Dy&body=z>`;
    for (const side of [trunk, agent]) {
      await side.send('REFER', { headers: { 'Refer-To': target } });
      await side.send('NOTIFY', { headers: { Event: 'refer', 'Subscription-State': 'active' } });
      await side.send('SUBSCRIBE', { headers: { Event: 'dialog' } });
      await side.send('PRACK', { headers: { RAck: '9 9 INVITE' } });
      await side.send('MESSAGE', { headers: text, body: 'x' });
      await side.response((status) => status >= 200, 'MESSAGE');
    }
    await trunk.hangUp();
  },
  'a caller that never acknowledges': async (parties) => {
    const trunk = await called(parties);
    const { call, invite } = await invited(parties.stage.agent, parties.who);
    await call.respond(invite, 200, { body: agentDescription() });
    await trunk.response(200, 'INVITE', 20_000);
  },
  'a BYE before the ACK': async (parties) => {
    const trunk = await called(parties);
    const { call, invite } = await invited(parties.stage.agent, parties.who);
    await call.respond(invite, 200, { body: agentDescription() });
    await trunk.response(200, 'INVITE', 20_000);
    await trunk.hangUp();
  },
  'a silent agent': async (parties) => {
    const trunk = await called(parties);
    await invited(parties.stage.agent, parties.who);
    await pause(randomInt(silence));
    await trunk.cancel();
    await refused(trunk);
  },
  'garbage and long names': async (parties) => {
    const { trunk, who } = parties;
    // The engine closes a stream on which it cannot tell messages apart.
    await trunk.send('SIP/2.0 200OK\r\n\r\n', await trunk.connect());
    const call = PeerCall.to(trunk, '4999');
    const name = 'x'.repeat(6_000);
    await call.invite({
      headers: {
        From: `"${name}" <sip:${who}@127.0.0.1>;tag=${call.localTag}`,
        To: `"${name}" <sip:4999@127.0.0.1>`,
      },
    });
    await refused(call);
  },
  'an answer of another kind': async (parties) => answered(await ordered(parties), {}, 202),
  'an answer without Contact': async (parties) => {
    const { call, invite } = await ordered(parties);
    await call.respond(invite, 200, { body: trunkDescription(), headers: { Contact: null } });
  },
  'forks that all answer': async (parties) => {
    const rung = await ordered(parties);
    await rung.call.respond(rung.invite, 200, { body: trunkDescription() });
    for (let fork = 0; fork < 20; fork++) {
      await rung.call.respond(rung.invite, 200, { body: trunkDescription(), tag: newToken() });
    }
    await rung.call.send('BYE');
  },
  'a session of no time': async (parties) =>
    answered(await ordered(parties), {
      'Session-Expires': '0;refresher=uac',
      Require: 'timer',
      Allow: 'INVITE, BYE, ACK, UPDATE',
    }),
  '422 for ever': async (parties) => {
    let rung = await ordered(parties);
    for (let minimum = 2_000; minimum < 2_004; minimum++) {
      await rung.call.respond(rung.invite, 422, { headers: { 'Min-SE': String(minimum) } });
      rung = await invited(parties.trunk, parties.who);
    }
    await rung.call.respond(rung.invite, 422, { headers: { 'Min-SE': '2004' } });
  },
  'twenty other places': async (parties) => {
    const { call, invite } = await ordered(parties);
    const contacts = Array.from({ length: 20 }, (_, index) => `<sip:10.0.0.${index}>`);
    await call.respond(invite, 302, { headers: { Contact: contacts } });
  },
  'no answer but a late one': async (parties) => {
    const { call, invite } = await ordered(parties);
    await pause(4_500);
    await call.respond(invite, 200, { body: trunkDescription() });
  },
};

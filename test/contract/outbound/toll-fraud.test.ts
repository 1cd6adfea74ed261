import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isRealServer } from '../../support/engine-under-test.js';
import { configureNumber } from '../../support/number-writer.js';
import { PeerCall } from '../../support/peer-call.js';
import { SipPeer } from '../../support/sip-peer.js';
import { pause } from '../../support/waiting.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';

/** An organization that would call at another's cost: its number's agent is our own listener for agents. */
const victim = calledNumber;
const evil = '4930666666';
let bench: CallBench;
let caller: SipPeer;
beforeAll(async () => {
  bench = await CallBench.start(({ listeners }) => ({
    DEMARC_AGENT_LISTEN: `${listeners.tcp!.host}:${listeners.tcp!.port}`,
  }));
  // The agents' listener is another one than the trunks'.
  caller = await SipPeer.open({ protocol: 'udp', target: bench.engine.listeners.udp! });
  const trunk = { id: 'out', host: '127.0.0.1', port: bench.trunk.port, transport: 'tcp' };
  await bench.configure({ outbound: [trunk] });
  await bench.answerProbe();
});
afterAll(async () => {
  await caller?.close();
  await bench?.stop();
});
afterEach(() => bench.expectNothingLeft());

const noInvite = (peer: SipPeer): Promise<void> =>
  peer.expectNothing(
    (message) => message.kind === 'request' && message.method === 'INVITE',
    200,
    'No INVITE',
  );

// drachtio-server has one port for both protocols here, which makes one listener of them.
describe.skipIf(isRealServer)('a call whose agent is our own listener for agents', () => {
  it.each(['localhost', '127.0.0.1', '0.0.0.0', '[::ffff:127.0.0.1]'])(
    'as %s reaches nobody, and no trunk of the number in From',
    async (host) => {
      const { port } = bench.engine.listeners.tcp!;
      const agent_uri = `sip:+19005551234@${host}:${port};transport=tcp`;
      await configureNumber(bench.redis, evil, { organization: 'evil', inbound: [{ id: 'any', agent_uri }] });
      await pause(100);
      const call = PeerCall.to(caller, evil);
      call.localUri = `sip:+${victim}@127.0.0.1`;
      await call.invite({ body: trunkDescription() });
      const refusal = await call.response(503);
      await call.ack(refusal.message);
      await noInvite(bench.trunk);
      expect(await bench.record()).toMatchObject({
        organization: 'evil',
        direction: 'inbound',
        end_reason: 'agent_unreachable',
        detail: expect.stringMatching(/listener|agent at/),
      });
      await expect(bench.record(200)).rejects.toThrow('No call record');
    },
  );
});

describe('an INVITE of an agent', () => {
  const agentCalls = async (headers: Record<string, string>): Promise<PeerCall> => {
    const agent = PeerCall.to(bench.agent, '+14155550100');
    agent.localUri = `sip:${victim}@agent.example`;
    await agent.invite({ body: agentDescription(), headers });
    return agent;
  };
  const refused = async (headers: Record<string, string>, status: number, reason: string): Promise<void> => {
    const agent = await agentCalls(headers);
    await agent.ack((await agent.response(status)).message);
    await noInvite(bench.trunk);
    expect(await bench.record()).toMatchObject({ end_reason: reason, outcome: 'refused' });
  };

  it('that an edge has sent before goes out no more', () =>
    refused({ 'X-Demarc-Call-ID': 'b2c0' }, 482, 'refused_loop'));

  it('with nothing left of Max-Forwards goes out no more', () =>
    refused({ 'Max-Forwards': '0' }, 483, 'refused_too_many_hops'));

  it('leaves with one less of Max-Forwards', async () => {
    const agent = await agentCalls({ 'Max-Forwards': '1' });
    const invite = await bench.trunk.expectRequest('INVITE');
    expect(invite.message.headers.get('Max-Forwards')).toBe('0');
    const trunk = PeerCall.from(bench.trunk, invite.message);
    await trunk.respond(invite, 486);
    await agent.ack((await agent.response(486)).message);
    await bench.record();
  });
});

it('a call from a trunk reaches the agent with one less of Max-Forwards', async () => {
  await bench.configure({});
  await pause(100);
  const call = PeerCall.to(caller, calledNumber);
  await call.invite({ body: trunkDescription(), headers: { 'Max-Forwards': '1' } });
  const { agent, invite } = await bench.atAgent();
  expect(invite.message.headers.get('Max-Forwards')).toBe('0');
  await agent.respond(invite, 486);
  await call.ack((await call.response(486)).message);
  await bench.record();
});

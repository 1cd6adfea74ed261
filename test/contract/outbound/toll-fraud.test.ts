import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { inviteAsAgent, operatorAgentSettings } from '../../support/agent-credentials.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { configureNumber } from '../../support/number-writer.js';
import { PeerCall } from '../../support/peer-call.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';

/** An organization that would call at another's cost: its number's agent is our own listener for agents. */
const key = generateSecretKey();
const secrets = new SecretBox([key]);
const victim = calledNumber;
const evil = '4930666666';
let bench: CallBench;
let caller: SipPeer;
beforeAll(async () => {
  bench = await CallBench.start(({ listeners }) => ({
    DEMARC_AGENT_LISTEN: `${listeners.tcp!.host}:${listeners.tcp!.port}`,
    DEMARC_SECRET_KEY: key,
    ...operatorAgentSettings,
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
    'as %s reaches neither an agent nor a trunk of the number in From',
    async (host) => {
      const { port } = bench.engine.listeners.tcp!;
      const agent_uri = `sip:+19005551234@${host}:${port};transport=tcp`;
      await configureNumber(bench.redis, evil, {
        organization: 'evil',
        inbound: [{ id: 'any', agent_uri }],
      });
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
  const agentOf = (number = victim): PeerCall => {
    const agent = PeerCall.to(bench.agent, '+14155550100');
    agent.localUri = `sip:${number}@agent.example`;
    return agent;
  };
  const refused = async (agent: PeerCall, status: number, reason: string): Promise<void> => {
    await agent.ack((await agent.response(status)).message);
    await noInvite(bench.trunk);
    expect(await bench.record(9_000)).toMatchObject({ end_reason: reason, outcome: 'refused' });
  };
  /** It reaches the trunk, which is busy. */
  const goesOut = async (agent: PeerCall) => {
    const { trunk, invite } = await bench.atTrunk();
    await trunk.respond(invite, 486);
    await agent.ack((await agent.response(486)).message);
    expect(await bench.record()).toMatchObject({ direction: 'outbound', organization: 'acme' });
    return invite;
  };

  it('is not sent again when an edge has sent it', async () => {
    const agent = agentOf();
    await agent.invite({ body: agentDescription(), headers: { 'X-Demarc-Call-ID': 'b2c0' } });
    await refused(agent, 482, 'refused_loop');
  });

  it('with Max-Forwards 0 is not sent', async () => {
    const agent = agentOf();
    await agent.invite({ body: agentDescription(), headers: { 'Max-Forwards': '0' } });
    await refused(agent, 483, 'refused_too_many_hops');
  });

  it('is sent with Max-Forwards decremented, and without the credentials', async () => {
    const agent = agentOf();
    await inviteAsAgent(agent, { body: agentDescription(), headers: { 'Max-Forwards': '1' } });
    const invite = await goesOut(agent);
    expect(invite.message.headers.get('Max-Forwards')).toBe('0');
    expect(invite.text).not.toMatch(/^Authorization/im);
  });

  const credentialsOf = (organization: string) => ({
    username: `agt_${organization}`,
    password: `of ${organization}`,
  });
  const sealedOf = (organization: string) => {
    const { username, password } = credentialsOf(organization);
    return { username, password: secrets.seal(password) };
  };
  const attachBoth = async (): Promise<void> => {
    const outbound = [{ id: 'out', host: '127.0.0.1', port: bench.trunk.port, transport: 'tcp' }];
    await bench.configure({ outbound, agent_credentials: [sealedOf('acme')] });
    await configureNumber(bench.redis, evil, {
      organization: 'evil',
      outbound,
      agent_credentials: [sealedOf('evil')],
    });
  };

  it('from our own machine, with another’s number in From, places no call without credentials', async () => {
    await attachBoth();
    const agent = agentOf();
    await agent.invite({ body: agentDescription() });
    await refused(agent, 401, 'refused_credentials');
  });

  it('with credentials of one organization places none from a number of another', async () => {
    await attachBoth();
    const agent = agentOf();
    await inviteAsAgent(agent, { body: agentDescription() }, credentialsOf('evil'));
    await refused(agent, 401, 'refused_credentials');
  });

  it('with credentials of the number’s organization is sent, until they are revoked', async () => {
    await attachBoth();
    const agent = agentOf();
    await inviteAsAgent(agent, { body: agentDescription() }, credentialsOf('acme'));
    await goesOut(agent);
    await bench.configure({
      outbound: [{ id: 'out', host: '127.0.0.1', port: bench.trunk.port, transport: 'tcp' }],
    });
    const revoked = agentOf();
    await inviteAsAgent(revoked, { body: agentDescription() }, credentialsOf('acme'));
    await refused(revoked, 401, 'refused_credentials');
  });

  it('from an unknown number is challenged like any other', async () => {
    const agent = agentOf('4930777777');
    await agent.invite({ body: agentDescription() });
    await agent.ack((await agent.response(401)).message);
    await noInvite(bench.trunk);
  });
});

it('a call from a trunk reaches the agent with one less of Max-Forwards', async () => {
  await bench.configure({});
  const call = PeerCall.to(caller, calledNumber);
  await call.invite({ body: trunkDescription(), headers: { 'Max-Forwards': '1' } });
  const { agent, invite } = await bench.atAgent();
  expect(invite.message.headers.get('Max-Forwards')).toBe('0');
  await agent.respond(invite, 486);
  await call.ack((await call.response(486)).message);
  await bench.record();
});

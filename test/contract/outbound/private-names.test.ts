import { afterAll, beforeAll, expect, it } from 'vitest';
import { HostsFile } from '../../../src/base/hosts-file.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { isRealServer } from '../../support/engine-under-test.js';
import { PeerCall } from '../../support/peer-call.js';
import { CallBench } from '../call/bench.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';

/** An edge whose customers do not trust each other: none may call into its own network by a name. */
const knownNetwork = '127.0.0.2/32';
let bench: CallBench;
/** The edge finds a public address for it, the engine loopback (RFC 6761 §6.3). */
const reboundName = 'rebound.localhost';
let reboundLookups = 0;
beforeAll(async () => {
  const hosts = new HostsFile('/etc/hosts', () => performance.now());
  const find = (name: string): readonly string[] | undefined => {
    if (name !== reboundName) return hosts.find(name);
    reboundLookups += 1;
    return ['9.9.9.9'];
  };
  bench = await CallBench.start(
    { DEMARC_PRIVATE_ENDPOINTS: 'refuse', DEMARC_PRIVATE_NETWORKS: knownNetwork },
    undefined,
    { hosts: { find } },
  );
});
afterAll(() => bench?.stop());

const agentOffers = async () => {
  const { agent, invite } = await bench.atAgent();
  await agent.respond(invite, 200, { body: agentDescription() });
  return agent;
};

/** The record of a call whose agent is released, since its one server is not called. */
const recordOfCallTo = async (host: string) => {
  await bench.configure({
    outbound: [{ id: 'out', host, port: bench.trunk.port, transport: 'tcp' }],
  });
  await bench.order();
  const agent = await agentOffers();
  await bench.agent.expectRequest('ACK', { callId: agent.callId });
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
  return bench.record();
};

it('a name that leads to a private address is not called, and the next server, of a listed network, is', async () => {
  const target = bench.engine.listeners.tcp!;
  const listed = await SipPeer.open({ protocol: 'tcp', target, host: '127.0.0.2' });
  const { port } = listed;
  await bench.configure({
    outbound: [{ id: 'out', host: 'localhost', port, transport: 'tcp' }],
    outbound_policy: {
      failover: {
        endpoints: [{ host: '127.0.0.2', port, transport: 'tcp' }],
        triggers: ['unreachable'],
        failback: 'auto',
      },
    },
  });
  await bench.order();
  const agent = await agentOffers();
  const invite = await listed.expectRequest('INVITE');
  expect(invite.message.uri).toContain('@127.0.0.2:');
  const trunk = PeerCall.from(listed, invite.message);
  await trunk.respond(invite, 200, { body: trunkDescription() });
  await listed.expectRequest('ACK', { callId: trunk.callId });
  await bench.agent.expectRequest('ACK', { callId: agent.callId });
  await trunk.send('BYE');
  await trunk.response(200, 'BYE');
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
  const record = await bench.record();
  expect(record.attempts).toMatchObject([
    { sip_status: 503, is_local: true, sip_reason: expect.stringContaining('private address') },
    { sip_status: 200 },
  ]);
  await listed.close();
  await bench.expectNothingLeft();
});

it('a name that leads only there ends the call with the reason', async () => {
  expect(await recordOfCallTo('localhost')).toMatchObject({
    end_reason: 'trunk_unreachable',
    detail: expect.stringContaining('private address'),
  });
  await expect(bench.trunk.expectRequest('INVITE', { milliseconds: 100 })).rejects.toThrow();
  await bench.expectNothingLeft();
});

it.skipIf(isRealServer)(
  'a name that leads to a private address after the edge resolved it is not called (a drachtio-server does its own lookup)',
  async () => {
    const record = await recordOfCallTo(reboundName);
    expect(record).toMatchObject({
      end_reason: 'trunk_unreachable',
      detail: expect.stringContaining('private address'),
      attempts: [{ sip_status: 503, is_local: true }],
    });
    // The edge saw a public address, so it was the engine that refused.
    expect(reboundLookups).toBeGreaterThan(0);
    expect(record.trace.filter(({ leg }) => leg === 'trunk')).toEqual([]);
    await expect(bench.trunk.expectRequest('INVITE', { milliseconds: 100 })).rejects.toThrow();
    await bench.expectNothingLeft();
  },
);

it('a customer’s agent is not reached by a name that leads to a private address; the operator’s own is', async () => {
  await bench.configure({
    inbound: [{ id: 'any', agent_uri: `sip:a@localhost:${bench.agent.port};transport=tcp` }],
  });
  const refused = await bench.call({ body: trunkDescription({ host: '127.0.0.2' }) });
  await refused.ack((await refused.response(503)).message);
  await bench.agent.expectNothing(({ kind }) => kind === 'request', 100, 'No connection to the agent');
  expect(await bench.record()).toMatchObject({
    end_reason: 'agent_unreachable',
    detail: expect.stringContaining('private address'),
  });
  await bench.configure({});
  const { trunk, agent } = await bench.establish({ offer: trunkDescription({ host: '127.0.0.2' }) });
  await trunk.send('BYE');
  await trunk.response(200, 'BYE');
  await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
  await bench.record();
  await bench.expectNothingLeft();
});

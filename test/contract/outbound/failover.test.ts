import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { failoverKey, outageField, readOutages } from '../../../src/contract/failover.js';
import { endpointName } from '../../../src/contract/health.js';
import { readSession } from '../../../src/sdp/sdp.js';
import type { SipMessage } from '../../../src/sip/message.js';
import { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { freePort } from '../../support/free-ports.js';
import { PeerCall } from '../../support/peer-call.js';
import { sideBySide } from '../../support/side-by-side.js';
import { Stopwatch } from '../../support/stopwatch.js';
import { CallBench, calledNumber } from '../call/bench.js';
import { OptionsAnswerer } from '../health/answering.js';
import { agentDescription, trunkDescription } from '../media/descriptions.js';

sideBySide(2, () => {
  /** Which server a number's calls go to first, as all edges know it. */
  let bench: CallBench;
  let primary: SipPeer;
  let backup: SipPeer;
  const answerers: OptionsAnswerer[] = [];

  beforeAll(async () => {
    bench = await CallBench.start({
      DEMARC_PROBE_INTERVAL_SECONDS: '1',
      DEMARC_FAILBACK_PROBES: '5',
      // The servers are in this process, which may be stalled for longer than a shorter one.
      DEMARC_TRUNK_RESPONSE_MS: '4000',
    });
    primary = bench.trunk;
    backup = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
    answerers.push(new OptionsAnswerer(primary, 200), new OptionsAnswerer(backup, 200));
  });
  afterAll(async () => {
    for (const answerer of answerers) await answerer.stop();
    await backup?.close();
    await bench?.stop();
  });
  afterEach(async () => {
    await bench.redis.del(failoverKey(calledNumber));
    await bench.expectNothingLeft(15_000);
  });

  const endpoint = (port: number) => ({ host: '127.0.0.1', port, transport: 'tcp' as const });
  const nameOf = (port: number): string => endpointName(endpoint(port));

  const configure = (failback: 'auto' | 'manual', first = primary.port, ...backups: number[]) =>
    bench.configure({
      outbound: [{ id: 'out', ...endpoint(first) }],
      outbound_policy: {
        failover: {
          endpoints: (backups.length === 0 ? [backup.port] : backups).map(endpoint),
          triggers: ['unreachable', 'timeout'],
          failback,
        },
      },
    });

  const outages = async () => readOutages(await bench.redis.hgetall(failoverKey(calledNumber)));

  async function order() {
    await bench.order();
    const { agent, invite } = await bench.atAgent();
    await agent.respond(invite, 200, { body: agentDescription() });
    return agent;
  }

  async function refuseAt(peer: SipPeer, status: number) {
    const invite = await peer.expectRequest('INVITE');
    const call = PeerCall.from(peer, invite.message);
    await call.respond(invite, status);
    await peer.expectRequest('ACK', { callId: call.callId });
    return { call, invite };
  }

  async function released(agent: PeerCall) {
    await bench.agent.expectRequest('ACK', { callId: agent.callId });
    await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
    return bench.record();
  }

  /** One call, refused with these statuses by these servers in this order. */
  async function refusedBy(...answers: readonly (readonly [SipPeer, number])[]) {
    const agent = await order();
    for (const [peer, status] of answers) await refuseAt(peer, status);
    return released(agent);
  }

  describe('after a failure of the primary', () => {
    it('calls go to the backup first, until the primary has answered enough probes', async () => {
      await configure('auto');
      const record = await refusedBy([primary, 503], [backup, 486]);
      expect(record.attempts).toMatchObject([
        {
          server: nameOf(primary.port),
          sip_status: 503,
          sip_reason: 'Service Unavailable',
          is_local: false,
          trigger: 'unreachable',
        },
        { server: nameOf(backup.port), sip_status: 486, is_local: false, trigger: null },
      ]);
      expect(record.attempts[1]!.sip_call_id).toBe(record.sip_call_ids.trunk);
      expect(record.attempts[0]!.sip_call_id).not.toBe(record.sip_call_ids.trunk);
      expect(await outages()).toEqual(
        new Map([[nameOf(primary.port), expect.objectContaining({ trigger: 'unreachable' })]]),
      );
      expect((await refusedBy([backup, 486])).attempts).toHaveLength(1);
      await until(async () => (await outages()).size === 0, 12_000, 'five good probes');
      expect((await refusedBy([primary, 486])).attempts).toMatchObject([{ server: nameOf(primary.port) }]);
    });

    it('with manual failback calls stay there regardless of probes', async () => {
      await configure('manual');
      await refusedBy([primary, 500], [backup, 486]);
      const { asked } = answerers[0]!;
      await until(() => answerers[0]!.asked >= asked + 6, 12_000, 'more good probes than failback takes');
      expect((await outages()).has(nameOf(primary.port))).toBe(true);
      await refusedBy([backup, 486]);
      // What POST /v1/sip/failback does.
      await bench.redis.del(failoverKey(calledNumber));
      await refusedBy([primary, 486]);
    });

    it('the primary is the last resort, and in use again when it takes the call', async () => {
      await configure('manual');
      await refusedBy([primary, 503], [backup, 486]);
      const agent = await order();
      await refuseAt(backup, 503);
      const invite = await primary.expectRequest('INVITE');
      const call = PeerCall.from(primary, invite.message);
      await call.respond(invite, 200, { body: trunkDescription() });
      await primary.expectRequest('ACK', { callId: call.callId });
      await bench.agent.expectRequest('ACK', { callId: agent.callId });
      await call.send('BYE');
      await call.response(200, 'BYE');
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect((await bench.record()).attempts).toMatchObject([{ sip_status: 503 }, { sip_status: 200 }]);
      await until(async () => [...(await outages()).keys()].join() === nameOf(backup.port), 1_000, 'told');
    });

    it('a person who is busy, or a trigger that is not listed, changes nothing', async () => {
      await configure('auto');
      await refusedBy([primary, 486]);
      await refusedBy([primary, 403]);
      expect((await outages()).size).toBe(0);
    });

    it('shares what one edge found out with the other edges, and skips garbage in the state', async () => {
      await configure('manual');
      const outage = {
        since: new Date().toISOString(),
        trigger: 'timeout',
        detail: 'Found by another edge.',
      };
      await bench.redis.hset(failoverKey(calledNumber), {
        [outageField(nameOf(primary.port))]: JSON.stringify(outage),
        [outageField(nameOf(backup.port))]: '{"since":1}',
      });
      await refusedBy([backup, 486]);
    });

    it('two dead servers, refusing and silent, leave the third its call in time', async () => {
      const silent = await SipPeer.open({ protocol: 'tcp', target: bench.trunk.target });
      await configure('auto', await freePort(), silent.port, backup.port);
      const watch = Stopwatch.start();
      const agent = await order();
      const invite = await backup.expectRequest('INVITE', { milliseconds: 10_000 });
      expect(watch.milliseconds).toBeLessThan(watch.bound(12_000));
      await PeerCall.from(backup, invite.message).respond(invite, 486);
      const record = await released(agent);
      expect(record.attempts).toMatchObject([
        { sip_status: 503, is_local: true, trigger: 'unreachable' },
        { sip_status: 408, is_local: true, trigger: 'timeout' },
        { sip_status: 486, is_local: false },
      ]);
      expect(record.attempts[0]!.duration_milliseconds).toBeLessThan(watch.bound(3_000));
      await refusedBy([backup, 486]);
      await silent.close();
    });
  });

  describe('a server that says 100 and rings late', () => {
    /** Longer than a server without a 100 has. */
    const lateMilliseconds = 4_500;
    const isCancel = (message: SipMessage): boolean =>
      message.kind === 'request' && message.method === 'CANCEL';

    it('keeps the call, and is not taken for dead', async () => {
      await configure('manual');
      const agent = await order();
      const invite = await primary.expectRequest('INVITE');
      const call = PeerCall.from(primary, invite.message);
      await call.respond(invite, 100);
      await primary.expectNothing(isCancel, lateMilliseconds, 'no CANCEL');
      await call.respond(invite, 180);
      await call.respond(invite, 486);
      await primary.expectRequest('ACK', { callId: call.callId });
      const record = await released(agent);
      expect(record.attempts).toMatchObject([
        { server: nameOf(primary.port), sip_status: 486, is_local: false, trigger: null },
      ]);
      expect((await outages()).size).toBe(0);
    });
  });

  describe('several outbound configurations', () => {
    it('are tried in order, each with separate media and headers', async () => {
      await bench.configure({
        outbound: [
          { id: 'one', ...endpoint(primary.port) },
          {
            id: 'two',
            ...endpoint(backup.port),
            secure_media: false,
            headers: [{ type: 'custom', key: 'X-Route', value: 'second', passthrough: true }],
          },
        ],
      });
      const agent = await order();
      const first = await refuseAt(primary, 503);
      expect(readSession(first.invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/SAVP' });
      const invite = await backup.expectRequest('INVITE');
      expect(invite.message.headers.get('X-Route')).toBe('second');
      expect(readSession(invite.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
      expect(invite.message.body).not.toContain('crypto');
      const call = PeerCall.from(backup, invite.message);
      await call.respond(invite, 200, { body: agentDescription({ port: 44_000 }) });
      await backup.expectRequest('ACK', { callId: call.callId });
      const ack = await bench.agent.expectRequest('ACK', { callId: agent.callId });
      expect(readSession(ack.message.body)!.media[0]).toMatchObject({ protocol: 'RTP/AVP' });
      await call.send('BYE');
      await call.response(200, 'BYE');
      await agent.respond(await bench.agent.expectRequest('BYE', { callId: agent.callId }), 200);
      expect(await bench.record()).toMatchObject({
        outcome: 'completed',
        media: { srtp_suite: null },
        attempts: [{ trigger: 'unreachable' }, { sip_status: 200 }],
      });
    });
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import { noFaults } from '../../support/faulty-relay.js';
import { trunkDescription } from '../media/descriptions.js';
import type { Stage } from './stage.js';
import { usualStage } from './usual-stage.js';

let stage: Stage;
let trunk: SipPeer;
beforeAll(async () => {
  // With time for 25 datagrams of a command: it is certain that one of them comes through and is answered.
  stage = await usualStage.take();
  trunk = await stage.peer('tcp');
});

describe('a path to the only rtpengine that loses a quarter of the datagrams each way', () => {
  it('fails no call and takes no node out of use', async () => {
    stage.relay.faults = { loss: 0.25, duplication: 0.1, delay: [0, 20] };
    const before = stage.relay.lost;
    const calls = 12;
    for (let count = 0; count < calls; count++) {
      const legs = await stage.establish(trunk);
      expect(await stage.health()).toBe(200);
      await stage.hangUp(legs);
      const record = await stage.record(legs.trunk.callId);
      expect(record).toMatchObject({ outcome: 'completed', end_reason: 'caller_hung_up' });
      // Totals come with the answer to the deletion, so that one was answered too.
      expect(record.media?.trunk).not.toBeNull();
    }
    stage.relay.faults = noFaults;
    expect(stage.relay.lost - before).toBeGreaterThan(calls);
    expect(stage.edge.output).not.toContain('rtpengine is down');
    await stage.expectNothingLeft();
  });

  it('repeats get the reply given before: the ports of a session stay', async () => {
    const ports = (reply: unknown): string[] => JSON.stringify(reply).match(/"local port":\d+/g) ?? [];
    const parameters = {
      'call-id': 'repeated',
      'from-tag': 'one',
      'to-tag': 'two',
      sdp: trunkDescription(),
      'transport-protocol': 'RTP/AVP',
    };
    const first = await stage.rtpengine.command('offer', parameters);
    const held = ports(await stage.rtpengine.command('query', { 'call-id': 'repeated' }));
    expect(held.length).toBeGreaterThan(0);
    // With another cookie, as another process or a later repeat would send it.
    const second = await stage.rtpengine.command('offer', parameters);
    const portOf = (sdp: string | undefined): string | undefined => /^m=audio (\d+)/m.exec(sdp ?? '')?.[1];
    expect(portOf(second.sdp)).toBe(portOf(first.sdp));
    expect(ports(await stage.rtpengine.command('query', { 'call-id': 'repeated' }))).toEqual(held);
    await stage.rtpengine.command('delete', { 'call-id': 'repeated', 'delete-delay': 0 });
  });
});

describe('silence', () => {
  it('refuses the call that met it, but the node serves the next one at once', async () => {
    // Pings pass, because a node that misses them counts as down, and the time of the next ping is random.
    stage.relay.spares = (bytes) => /command4:ping|result4:pong/.test(bytes.toString('latin1'));
    stage.relay.faults = { loss: 1, duplication: 0, delay: [0, 0] };
    const refused = await stage.call(trunk);
    const final = await refused.response((status) => status >= 200);
    stage.relay.faults = noFaults;
    stage.relay.spares = () => false;
    expect(final.message.status).toBe(503);
    expect(final.message.headers.get('Retry-After')).toBeDefined();
    await refused.ack(final.message);
    expect(await stage.record(refused.callId)).toMatchObject({ end_reason: 'media_failed' });
    expect((await stage.callAndHangUp(trunk)).outcome).toBe('completed');
    await until(async () => (await stage.health()) === 200, 3_000, 'the node is in use');
    await stage.expectNothingLeft();
  });
});

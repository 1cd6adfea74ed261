import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type FlowFacts,
  Relay,
  RelayedConnection,
  type RelayMessage,
} from '../../../../src/engine/transport/relay.js';
import { until } from '../../../../src/testkit/waiting.js';
import { ok, RawPeer, request, TestLayer } from './layer.js';

const listeners = (['tcp', 'udp'] as const).map((protocol) => ({ protocol, address: '127.0.0.1', port: 0 }));

describe('flows of another engine process', () => {
  const layers: TestLayer[] = [];
  const peers: RawPeer[] = [];
  afterEach(async () => {
    for (const peer of peers.splice(0)) peer.close();
    for (const { layer } of layers.splice(0)) await layer.stop();
  });

  /** A layer with a relay to the process before or after it, and what it posted. */
  async function relaying(role: Relay['peer'] = 'predecessor') {
    const test = await TestLayer.start({ listeners });
    layers.push(test);
    const posted: RelayMessage[] = [];
    const relay = new Relay(role, (message) => posted.push(message));
    test.layer.useRelay(relay);
    return { test, layer: test.layer, relay, posted };
  }

  const facts = (test: TestLayer, more: Partial<FlowFacts> = {}): FlowFacts => ({
    id: 'tcp-7',
    protocol: 'tcp',
    listener: { address: '127.0.0.1', port: test.listener('tcp').port },
    remoteAddress: '192.0.2.7',
    remotePort: 40_000,
    localAddress: '127.0.0.1',
    localPort: 5_060,
    ...more,
  });

  it('are open here from their announcement to their end, and write there', async () => {
    const { test, layer, relay, posted } = await relaying();
    layer.relayed(relay, { type: 'open', flow: facts(test) });
    layer.relayed(relay, { type: 'open', flow: facts(test) });
    expect(layer.openConnections).toBe(1);
    const flow = layer.openFlow('tcp', '192.0.2.7', 40_000)!;
    expect(flow).toMatchObject({ id: 'predecessor-tcp-7', isOpen: true, listener: test.listener('tcp') });
    layer.send(flow, ok());
    expect(posted).toEqual([{ type: 'send', flow: 'tcp-7', bytes: ok() }]);
    layer.relayed(relay, { type: 'closed', flow: 'tcp-8' });
    expect(layer.openConnections).toBe(1);
    layer.relayed(relay, { type: 'closed', flow: 'tcp-7' });
    expect(layer.openConnections).toBe(0);
    expect(test.closedFlows).toEqual([flow]);
  });

  it('have the listener of their address, else one of their protocol, else do not exist here', async () => {
    const { test, layer, relay } = await relaying();
    layer.relayed(relay, {
      type: 'open',
      flow: facts(test, { listener: { address: '192.0.2.1', port: 1 } }),
    });
    expect(layer.openFlow('tcp', '192.0.2.7', 40_000)?.listener).toBe(test.listener('tcp'));
    layer.relayed(relay, {
      type: 'open',
      flow: facts(test, { id: 'tls-1', protocol: 'tls', remotePort: 2 }),
    });
    expect(layer.openConnections).toBe(1);
  });

  it('do not come about by a relay that has ended', async () => {
    const { test, layer, relay } = await relaying();
    layer.relayEnded(relay);
    layer.relayed(relay, { type: 'open', flow: facts(test) });
    expect(layer.openConnections).toBe(0);
    layer.useRelay(new Relay('predecessor', () => {}));
    layer.relayed(relay, { type: 'open', flow: facts(test) });
    expect(layer.openConnections).toBe(0);
  });

  it('deliver the messages of the other process, which is their source meanwhile', async () => {
    const { test, layer, relay } = await relaying();
    const bytes = request({ callId: 'relayed' });
    const wasSource = vi.fn();
    const withSource = relay.withSource.bind(relay);
    vi.spyOn(relay, 'withSource').mockImplementation((deliver) => {
      withSource(() => {
        wasSource(relay.isSource);
        deliver();
      });
    });
    layer.relayed(relay, { type: 'message', flow: facts(test), bytes, mode: 'ask' });
    const { message, flow } = await test.next();
    expect(message.headers.get('Call-ID')).toBe('relayed');
    expect(flow).toBeInstanceOf(RelayedConnection);
    expect(wasSource.mock.calls).toEqual([[true]]);
    expect(relay.isSource).toBe(false);
  });

  it('deliver nothing of what cannot be read, or of a listener that is not here', async () => {
    const { test, layer, relay } = await relaying();
    layer.relayed(relay, { type: 'message', flow: facts(test), bytes: 'no SIP', mode: 'ask' });
    const tls = facts(test, { id: 'tls-1', protocol: 'tls' });
    layer.relayed(relay, { type: 'message', flow: tls, bytes: request(), mode: 'ask' });
    layer.relayed(relay, {
      type: 'message',
      flow: facts(test),
      bytes: request({ callId: 'last' }),
      mode: 'ask',
    });
    expect((await test.next()).message.headers.get('Call-ID')).toBe('last');
    expect(test.messages.pending).toEqual([]);
  });

  it('over UDP are those of the own listener', async () => {
    const { test, layer, relay } = await relaying();
    const { port } = test.listener('udp');
    const flow = facts(test, { id: 'udp-1', protocol: 'udp', listener: { address: '127.0.0.1', port } });
    layer.relayed(relay, { type: 'message', flow, bytes: request(), mode: 'ask' });
    expect((await test.next()).flow).toMatchObject({ protocol: 'udp', remoteAddress: '192.0.2.7' });
    expect(layer.openConnections).toBe(0);
  });

  it('end with the other process, and only they', async () => {
    const { test, layer, relay } = await relaying();
    const successor = new Relay('successor', () => {});
    layer.useRelay(successor);
    layer.relayed(relay, { type: 'open', flow: facts(test) });
    layer.relayed(successor, { type: 'open', flow: facts(test, { remotePort: 41_000 }) });
    peers.push(await RawPeer.connect(test.listener('tcp').port));
    await until(() => layer.openConnections === 3, 10_000, 'connections');
    layer.relayEnded(relay);
    expect(layer.openConnections).toBe(2);
    expect(layer.openFlow('tcp', '192.0.2.7', 41_000)?.isOpen).toBe(true);
  });

  it('are announced to a successor when this process retires, except its own', async () => {
    const { test, layer, relay, posted } = await relaying('successor');
    const predecessor = new Relay('predecessor', () => {});
    layer.useRelay(predecessor);
    layer.relayed(relay, { type: 'open', flow: facts(test, { remotePort: 1 }) });
    layer.relayed(predecessor, { type: 'open', flow: facts(test, { remotePort: 2 }) });
    peers.push(await RawPeer.connect(test.listener('tcp').port));
    await until(() => layer.openConnections === 3, 10_000, 'connections');
    layer.retire();
    const own = peers[0]!.socket.localPort;
    const opened = posted.flatMap((message) => (message.type === 'open' ? message.flow.remotePort : []));
    expect(new Set(opened)).toEqual(new Set([2, own]));
  });

  it('close at the successor when they close at the predecessor', async () => {
    const { test, layer, relay, posted } = await relaying('successor');
    const predecessor = new Relay('predecessor', () => {});
    layer.useRelay(predecessor);
    layer.relayed(predecessor, { type: 'open', flow: facts(test) });
    layer.relayed(predecessor, { type: 'closed', flow: 'tcp-7' });
    expect(posted).toEqual([{ type: 'closed', flow: 'predecessor-tcp-7' }]);
    layer.relayed(relay, { type: 'open', flow: facts(test, { id: 'tcp-9' }) });
    layer.relayed(relay, { type: 'closed', flow: 'tcp-9' });
    expect(posted).toHaveLength(1);
  });

  it('carry what the other process writes when this process has them, and are recognized on return', async () => {
    const { test, layer, relay } = await relaying('successor');
    const peer = await RawPeer.connect(test.listener('tcp').port);
    peers.push(peer);
    peer.send(request({ callId: 'first' }));
    const { flow } = await test.next();
    layer.relayed(relay, { type: 'send', flow: flow.id, bytes: ok('sent') });
    await until(() => peer.received.includes('sent'), 10_000, 'message of the successor');
    const back = { ...relay.factsOf(flow), id: `relayed-${flow.id}` };
    layer.relayed(relay, { type: 'message', flow: back, bytes: request({ callId: 'back' }), mode: 'final' });
    expect((await test.next()).flow).toBe(flow);
    peer.close();
    await until(() => layer.openConnections === 0, 10_000, 'close');
  });

  it('let the layer stop', async () => {
    const { test, layer, relay } = await relaying();
    layer.relayed(relay, { type: 'open', flow: facts(test) });
    layers.splice(0);
    await layer.stop();
    expect(test.closedFlows).toHaveLength(1);
  });
});

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SystemClock } from '../../../../src/base/system-clock.js';
import { standardTimers } from '../../../../src/engine/clock.js';
import type { ClientTransactionUser } from '../../../../src/engine/transaction/transaction.js';
import { TransactionLayer } from '../../../../src/engine/transaction/transaction-layer.js';
import type { Protocol, Target } from '../../../../src/engine/transport/flow.js';
import { transportSettings } from '../../../../src/engine/transport/settings.js';
import { TransportLayer } from '../../../../src/engine/transport/transport-layer.js';
import { ourRequest, RecordingCaller, RecordingUser, respond } from './fixture.js';

/** A transaction layer on real sockets of the loopback interface. */
class Node {
  readonly user = new RecordingUser();
  readonly transport: TransportLayer;
  readonly layer: TransactionLayer;

  constructor() {
    const clock = new SystemClock();
    const listeners = (['udp', 'tcp'] as const).map((protocol) => ({
      protocol,
      address: '127.0.0.1',
      port: 0,
    }));
    this.transport = new TransportLayer(
      transportSettings({ listeners }),
      {
        message: (received) => this.layer.receive(received),
        flowClosed: (flow) => this.layer.flowClosed(flow),
      },
      clock,
    );
    const { transport, user } = this;
    this.layer = new TransactionLayer({ transport, clock, timers: standardTimers, user, newId: randomUUID });
  }

  target(protocol: Protocol): Target {
    const { address, port } = this.transport.listeners.find((listener) => listener.protocol === protocol)!;
    return { protocol, address, port, serverName: address };
  }
}

const running: Node[] = [];

async function start(): Promise<Node> {
  const node = new Node();
  await node.transport.start();
  running.push(node);
  return node;
}

afterEach(async () => {
  for (const node of running.splice(0)) {
    node.layer.stop();
    await node.transport.stop();
  }
});

class Waiting extends RecordingCaller implements ClientTransactionUser {
  private settle: () => void = () => {};
  readonly done = new Promise<void>((resolve) => {
    this.settle = resolve;
  });

  override final(...[response]: Parameters<RecordingCaller['final']>): void {
    super.final(response);
    this.settle();
  }
}

async function closedPort(): Promise<Target> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return { protocol: 'tcp', address: '127.0.0.1', port, serverName: '127.0.0.1' };
}

describe('the transaction layer over real sockets', () => {
  it.each(['udp', 'tcp'] as const)('%s: INVITE, 180, 486, ACK', async (protocol) => {
    const [near, far] = [await start(), await start()];
    far.user.onRequest = (transaction) => {
      respond(transaction, 180);
      setTimeout(() => respond(transaction, 486), 20);
    };
    const caller = new Waiting();
    const transaction = near.layer.send(ourRequest(), { targets: [far.target(protocol)] }, caller);
    expect(transaction.size > 0).toBe(protocol === 'udp');
    await caller.done;
    // Over UDP a node that hung retransmits its INVITE, and gets the 180 again.
    expect([new Set(caller.provisionals), caller.status]).toEqual([new Set([180]), 486]);
    await expect.poll(() => far.layer.counts.server).toBe(0);
    expect(near.layer.counts).toMatchObject({ client: 0, boundToFlows: 0 });
  });

  it('fails over from a refused TCP port within milliseconds', async () => {
    const [near, far] = [await start(), await start()];
    far.user.onRequest = (transaction) => respond(transaction, 200);
    const caller = new Waiting();
    const targets = [await closedPort(), far.target('udp')];
    near.layer.send(ourRequest('OPTIONS'), { targets }, caller);
    await caller.done;
    expect(caller.status).toBe(200);
  });

  it('ends a ringing INVITE with 503 when its peer dies', async () => {
    const [near, far] = [await start(), await start()];
    const caller = new Waiting();
    near.layer.send(ourRequest(), { targets: [far.target('tcp')] }, caller);
    await expect.poll(() => far.user.requests.length).toBe(1);
    respond(far.user.requests[0]!, 180);
    await expect.poll(() => caller.provisionals).toEqual([180]);
    await far.transport.stop();
    await caller.done;
    expect(caller.finals).toMatchObject([{ response: { status: 503 }, fabricated: 'transport' }]);
  });

  it('answers over a new connection when the one of the request was closed', async () => {
    const [near, far] = [await start(), await start()];
    const caller = new Waiting();
    const transaction = near.layer.send(ourRequest(), { targets: [far.target('tcp')] }, caller);
    await expect.poll(() => far.user.requests.length).toBe(1);
    respond(far.user.requests[0]!, 180);
    await expect.poll(() => caller.provisionals).toEqual([180]);
    const { flow } = transaction;
    (flow as unknown as { destroy(reason: string): void }).destroy('a cable was pulled');
    await expect.poll(() => far.user.requests[0]!.received.flow.isOpen).toBe(false);
    respond(far.user.requests[0]!, 486);
    await caller.done;
    expect(caller.finals).toMatchObject([{ response: { status: 486 } }]);
    await expect.poll(() => far.layer.counts.server).toBe(0);
  });
});

import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { DatagramSink, StreamSink } from '../../../../src/engine/transport/hep-sink.js';
import { until } from '../../../../src/testkit/waiting.js';

/** A collector on a port that the system chooses, which may be closed and opened again. */
class Collector {
  received = '';
  connections = 0;
  port = 0;
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  async open(): Promise<void> {
    const server = createServer((socket) => {
      this.connections++;
      this.sockets.add(socket);
      socket.on('data', (chunk) => {
        this.received += chunk.toString();
      });
      socket.on('error', () => {});
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('end', () => socket.end());
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as { port: number }).port;
    this.server = server;
  }

  async close(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }

  get isConnected(): boolean {
    return this.sockets.size > 0;
  }
}

describe('a trace over TCP', () => {
  const collector = new Collector();
  const sinks: StreamSink[] = [];
  let failures = 0;
  const start = async (): Promise<StreamSink> => {
    const sink = new StreamSink({ host: '127.0.0.1', port: collector.port }, () => {
      failures++;
    });
    sinks.push(sink);
    await sink.start();
    return sink;
  };
  afterEach(async () => {
    for (const sink of sinks.splice(0)) await sink.stop();
    await collector.close();
    collector.received = '';
    collector.connections = 0;
    failures = 0;
  });

  test('is sent in order, and completely before the sink stops', async () => {
    await collector.open();
    const sink = await start();
    await until(() => collector.isConnected, 10_000, 'the connection');
    for (const packet of ['one ', 'two ', 'three']) expect(sink.write(Buffer.from(packet))).toBe(true);
    await until(() => collector.received === 'one two three', 10_000, 'the packets');
    sink.write(Buffer.from(' last'));
    await sink.stop();
    await until(() => collector.received === 'one two three last', 10_000, 'the last packet');
    expect(sink.write(Buffer.from('too late'))).toBe(false);
    expect([collector.connections, failures]).toEqual([1, 0]);
  });

  test('waits for a collector that is down, and continues over its next connection', async () => {
    await collector.open();
    await collector.close();
    const sink = await start();
    expect(sink.write(Buffer.from('early '))).toBe(true);
    await until(() => failures > 0, 10_000, 'the failed connection');
    await collector.open();
    await until(() => collector.received === 'early ', 10_000, 'the packet');
    await collector.close();
    await collector.open();
    await until(() => collector.isConnected, 10_000, 'the next connection');
    sink.write(Buffer.from('late'));
    await until(() => collector.received === 'early late', 10_000, 'the next packet');
  });

  test('is dropped beyond 4 MiB that wait', async () => {
    await collector.open();
    await collector.close();
    const sink = await start();
    const megabyte = Buffer.alloc(1024 * 1024);
    const taken = [1, 2, 3, 4].map(() => sink.write(megabyte));
    expect([...taken, sink.write(Buffer.alloc(1))]).toEqual([true, true, true, true, false]);
  });

  test('ends without a connection, and connects no more', async () => {
    await collector.open();
    await collector.close();
    const sink = await start();
    await until(() => failures > 0, 10_000, 'the failed connection');
    await sink.stop();
    await collector.open();
    expect([collector.connections, collector.isConnected]).toEqual([0, false]);
  });
});

describe('a trace over UDP', () => {
  test('has no packet that is longer than a datagram, and none before the start or after the stop', async () => {
    const sink = new DatagramSink({ host: '127.0.0.1', port: 9 }, () => {});
    expect(sink.write(Buffer.alloc(1))).toBe(false);
    await sink.start();
    expect([sink.write(Buffer.alloc(1_000)), sink.write(Buffer.alloc(65_508))]).toEqual([true, false]);
    await sink.stop();
    expect(sink.write(Buffer.alloc(1))).toBe(false);
  });

  test('does not start where the host cannot be resolved', async () => {
    await expect(
      new DatagramSink({ host: 'no-such-host.invalid', port: 9 }, () => {}).start(),
    ).rejects.toThrow();
  });
});

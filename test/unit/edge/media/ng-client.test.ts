import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NgClient, NgTimeout } from '../../../../src/edge/media/ng-client.js';
import { NgDouble } from '../../../support/ng-double.js';

/** The event loop stands still. */
function stall(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('commands to an rtpengine', () => {
  let node: NgDouble;
  let client: NgClient;
  beforeEach(async () => {
    node = await NgDouble.start();
    client = await NgClient.open(node.host, node.port);
  });
  afterEach(async () => {
    client.close();
    await node.close();
  });

  test('are answered, and leave nothing', async () => {
    expect(await client.command('ping', {}, 10_000)).toMatchObject({ result: 'pong' });
    expect([client.pending, client.localAddress]).toEqual([0, '127.0.0.1']);
  });

  test('are repeated when a datagram is lost on either way, and carried out once', async () => {
    node.lostRequests = 1;
    expect(await client.command('ping', {}, 10_000)).toMatchObject({ result: 'pong' });
    node.lostReplies = 1;
    expect(await client.command('ping', {}, 10_000)).toMatchObject({ result: 'pong' });
    expect([node.received.length, node.commands()]).toEqual([4, ['ping', 'ping']]);
  });

  test('fail at their limit when the node is silent, and a late reply is ignored', async () => {
    node.delayMilliseconds = 600;
    const failed = await client.command('ping', {}, 300).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(NgTimeout);
    expect(failed).toMatchObject({ isRefused: false });
    expect(client.pending).toBe(0);
    expect(await client.command('ping', {}, 10_000)).toMatchObject({ result: 'pong' });
  });

  test('are neither repeated nor failed when the reply came while this process stalled', async () => {
    // Longer than the first repeat is due; the limit below passes meanwhile too.
    node.replied = () => stall(130);
    expect(await client.command('ping', {}, 10_000)).toMatchObject({ result: 'pong' });
    expect(await client.command('ping', {}, 100)).toMatchObject({ result: 'pong' });
    expect(node.received.map(({ command }) => command)).toEqual(['ping', 'ping']);
  });

  test('fail also while replies to others come all the time', async () => {
    node.unanswered = new Set(['delete']);
    let isOver = false;
    const pinging = (async () => {
      while (!isOver) await client.command('ping', {}, 10_000);
    })();
    const begun = performance.now();
    await expect(client.command('delete', {}, 300)).rejects.toMatchObject({ isRefused: false });
    expect(client.heardAt).toBeGreaterThan(begun);
    isOver = true;
    await pinging;
  });

  test('fail before their limit when the port is closed, or the client', async () => {
    await node.close();
    const refused = client.command('ping', {}, 60_000);
    await expect(refused).rejects.toMatchObject({ isRefused: true });
    node.isSilent = true;
    await node.open();
    const pending = [1, 2].map(() => client.command('ping', {}, 60_000).catch((error: unknown) => error));
    expect(client.pending).toBe(2);
    client.close();
    for (const failure of await Promise.all(pending)) expect(failure).toMatchObject({ isRefused: true });
    const late = client.command('ping', {}, 60_000);
    await expect(late).rejects.toMatchObject({ isRefused: true });
    expect(client.pending).toBe(0);
    client = await NgClient.open(node.host, node.port);
  });

  test('have no client where the name of the node does not resolve', async () => {
    await expect(NgClient.open('no-such-host.invalid', 2223)).rejects.toThrow();
  });
});

import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { liveChannel } from '../../../src/contract/live.js';
import { EventHub, type EventHubDeps } from '../../../src/control/noc/event-hub.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const audience = { organizationId: 'org_1', isOperator: false, scope: 'organization' } as const;

/** A hub whose fleet has no edge alive, with one watcher that notes the names of events. */
async function watched() {
  const subscriber = Object.assign(new EventEmitter(), {
    subscribe: async () => {},
    disconnect: () => {},
  });
  const summaries = {
    of: async () => ({ at: '' }),
    liveCalls: async () => ({ calls: [] }),
    trunksOf: async () => undefined,
  };
  const hub = new EventHub({
    redis: { duplicate: () => subscriber },
    fleet: { edges: async () => [] },
    summaries,
    visibility: {},
    log: pino({ level: 'silent' }),
  } as unknown as EventHubDeps);
  await hub.start();
  const snapshots: string[] = [];
  hub.topicOf(audience).listeners.add(({ text }) => {
    if (text.includes('event: snapshot')) snapshots.push(text);
  });
  const publish = (edge_id: string): void => {
    subscriber.emit('message', liveChannel, JSON.stringify({ edge_id, events: [], lost: false }));
  };
  return { hub, snapshots, publish };
}

describe('live events', () => {
  it('begin again after an edge that lived between two looks', async () => {
    const { hub, snapshots, publish } = await watched();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(snapshots).toHaveLength(0);
    publish('brief');
    // The looks that hear of it and miss it, each with the time in which losses are gathered.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(snapshots).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(snapshots).toHaveLength(2);
    await hub.stop();
  });
});

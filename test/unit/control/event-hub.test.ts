import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { liveChannel } from '../../../src/contract/live.js';
import { EventHub, type EventHubDeps } from '../../../src/control/noc/event-hub.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const audience = { organizationId: 'org_1', isOperator: false, scope: 'organization' } as const;

/** A hub whose fleet has no edge alive, with one watcher that notes the names of events. @param summaryMilliseconds that a summary takes */
async function watched(summaryMilliseconds = 0) {
  const subscriber = Object.assign(new EventEmitter(), {
    subscribe: async () => {},
    disconnect: () => {},
  });
  const summaries = {
    of: async () => {
      if (summaryMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, summaryMilliseconds));
      return { at: '', parts: { redis: 'down' } };
    },
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

  it('tell all organizations at once while a component hangs', async () => {
    const { hub } = await watched(2_000);
    const notified = new Set<string>();
    for (let index = 0; index < 12; index++) {
      const organizationId = `org_watched_${index}`;
      hub.topicOf({ ...audience, organizationId }).listeners.add(({ text }) => {
        if (text.includes('event: summary')) notified.add(organizationId);
      });
    }
    // One interval, and the time of one summary.
    await vi.advanceTimersByTimeAsync(4_100);
    expect(notified.size).toBe(12);
    await hub.stop();
  });
});

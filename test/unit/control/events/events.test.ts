import { describe, expect, it } from 'vitest';
import { actorOf } from '../../../../src/control/audit/audit-log.js';
import { eventId } from '../../../../src/control/events/event.js';
import {
  type EventFilter,
  type EventType,
  eventFilters,
  eventTypes,
  isWanted,
} from '../../../../src/control/events/event-types.js';
import { compareEntryIds } from '../../../../src/control/streams/stream-position.js';

describe('the filters of an endpoint', () => {
  it.each<[EventFilter[], EventType, boolean]>([
    [['*'], 'call.answered', true],
    [['call.*'], 'call.answered', true],
    [['call.*'], 'trunk.unreachable', false],
    [['call.answered'], 'call.answered', true],
    [['call.answered'], 'call.completed', false],
    [['trunk.*', 'call.failed'], 'call.failed', true],
    [['agent_test.*'], 'agent_test.monitor_failed', true],
    [[], 'call.answered', false],
    [[], 'webhook.test', true],
    [['call.*'], 'webhook.test', true],
    [['call.*'], 'webhook.paused', false],
  ])('%j want %s: %s', (filters, type, isAsked) => expect(isWanted(filters, type)).toBe(isAsked));

  it('have one for each area, and none for tests, which need no subscription', () => {
    expect(eventFilters).not.toContain('webhook.test');
    for (const type of eventTypes) expect(eventFilters).toContain(`${type.split('.')[0]}.*`);
  });
});

describe('the id of an event', () => {
  it('is the same for the same facts', () => {
    expect(eventId('call.answered', 'call_1')).toMatch(/^evt_[0-9a-f]{24}$/);
    expect(eventId('a', 1)).toBe(eventId('a', 1));
    expect(
      new Set([eventId('a', 1), eventId('a', '1'), eventId('a1'), eventId('a', 1, ''), eventId(1, 'a')]).size,
    ).toBe(5);
  });
});

describe('ids of entries in a stream', () => {
  it.each<[string, string, number]>([
    ['1-0', '1-0', 0],
    ['2-0', '1-9', 1],
    ['1-9', '2-0', -1],
    ['1-10', '1-9', 1],
    ['1-9', '1-10', -1],
    ['1700000000001-0', '1700000000000-999', 1],
    ['0-0', '1-0', -1],
  ])('%s compared with %s', (left, right, sign) =>
    expect(Math.sign(compareEntryIds(left, right))).toBe(sign),
  );
});

describe('who made a change', () => {
  it('is a key or a member', () => {
    expect(actorOf({ keyId: 'key_1', name: 'billing' })).toEqual({
      kind: 'key',
      id: 'key_1',
      name: 'billing',
    });
    expect(actorOf({ keyId: 'mem_1', name: 'Ada', member: {} })).toMatchObject({ kind: 'member' });
  });
});

import { describe, expect, it } from 'vitest';
import { orderSeconds } from '../../../../src/contract/commands.js';
import type { BatchRow } from '../../../../src/control/calls/batches/batch-storage.js';
import {
  type BatchCounts,
  batchPeriod,
  completed,
} from '../../../../src/control/calls/batches/batch-storage.js';
import { batchView } from '../../../../src/control/calls/batches/batch-view.js';
import { lateEnd, stoppedEnd } from '../../../../src/control/calls/orders/call-feeder.js';
import { activePage } from '../../../../src/control/calls/orders/list.js';
import {
  agentNamedBy,
  type Order,
  orderSchema,
  pendingColumns,
  prepareOrder,
  requireAhead,
  timedCommand,
} from '../../../../src/control/calls/orders/order.js';
import { orderVariables } from '../../../../src/control/calls/orders/order-variables.js';
import { roomIn } from '../../../../src/control/calls/orders/read.js';
import { requireTransfer } from '../../../../src/control/calls/orders/transfer.js';
import type { CallState } from '../../../../src/control/calls/orders/view.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import { DemarcError } from '../../../../src/errors.js';

const now = new Date('2026-11-27T09:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const day = 86_400;

const faultOf = (act: () => unknown): InvalidRequest['faults'][number] | undefined => {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidRequest) return error.faults[0];
    throw error;
  }
  return undefined;
};

const order = (fields: Partial<Order> = {}): Order => ({
  from: '+13125550161',
  phone_number: '+1 415 555 0100',
  task: 'Confirm the appointment.',
  max_duration: 30,
  ...fields,
});
const prepared = (fields: Partial<Order> = {}, more: Partial<Parameters<typeof prepareOrder>[0]> = {}) =>
  prepareOrder({
    callId: 'c1',
    organizationId: 'acme',
    number: '13125550161',
    variableNames: [],
    order: order(fields),
    ...more,
  });

describe('an order', () => {
  it('becomes a command and a row, with what it says alone', () => {
    const { command, row } = prepared();
    expect(command).toEqual({
      version: 1,
      call_id: 'c1',
      organization: 'acme',
      number: '13125550161',
      phone_number: '14155550100',
      max_duration_seconds: 1_800,
    });
    const { created_at: createdAt, ...stored } = row;
    expect(createdAt).toBeInstanceOf(Date);
    expect(stored).toEqual({
      call_id: 'c1',
      organization_id: 'acme',
      number: '13125550161',
      phone_number: '14155550100',
      task: 'Confirm the appointment.',
      tools: null,
      persona_id: null,
      pathway_id: null,
      pathway_version: null,
      voice: null,
      request_data: null,
      metadata: null,
      max_duration_minutes: 30,
      webhook: null,
    });
  });

  it('has everything that it names', () => {
    const { command, row } = prepared(
      {
        precall_dtmf_sequence: '1w2',
        persona_id: 'P1',
        pathway_id: 'W1-ABC',
        pathway_version: 3,
        voice: 'alto',
        tools: ['TL-1'],
        request_data: { order: 7, secret: 'x' },
        metadata: { crm: 9 },
        webhook: 'https://hooks.example/in',
      },
      { knowledgeIds: ['k1'], variableNames: ['order', 'absent'], agent: { agent_uri: 'sip:a.example' } },
    );
    expect(command).toMatchObject({
      precall_dtmf_sequence: '1w2',
      persona_id: 'P1',
      pathway_id: 'w1-abc',
      pathway_version: 3,
      voice: 'alto',
      tools: ['TL-1'],
      knowledge_ids: ['k1'],
      agent_uri: 'sip:a.example',
      variables: { order: '7' },
    });
    expect(row).toMatchObject({
      tools: '["TL-1"]',
      persona_id: 'P1',
      pathway_id: 'W1-ABC',
      pathway_version: 3,
      voice: 'alto',
      request_data: '{"order":7,"secret":"x"}',
      metadata: '{"crm":9}',
      webhook: 'https://hooks.example/in',
    });
  });

  it.each([
    [0.001, 1],
    [0.5, 30],
    [1.51, 91],
    [1_440, 86_400],
  ])('of at most %d minutes lasts %d s', (minutes, seconds) => {
    expect(prepared({ max_duration: minutes }).command.max_duration_seconds).toBe(seconds);
  });

  it('names the field of the number that is none', () => {
    expect(faultOf(() => prepared({ phone_number: 'reception' }))?.path).toBe('phone_number');
    expect(faultOf(() => prepared({ phone_number: 'reception' }, { path: 'calls.7.' }))?.path).toBe(
      'calls.7.phone_number',
    );
  });

  it('says what it names of its agent', () => {
    const named = { persona_id: 'p1', pathway_id: 'w1', pathway_version: 2, tools: ['TL-1'] };
    expect(agentNamedBy(named, 'calls.0.')).toEqual({
      personaId: 'p1',
      pathwayId: 'w1',
      pathwayVersion: 2,
      tools: ['TL-1'],
      path: 'calls.0.',
    });
  });

  it('expires when no edge took it, and waits for its turn as long as it may', () => {
    const { command } = prepared();
    expect(timedCommand(command, now, 300)).toEqual({
      ...command,
      expires_at: later(orderSeconds).toISOString(),
      wait_until: '2026-11-27T09:05:00.000Z',
    });
  });

  it('is left to the feeder with its times', () => {
    const { command } = prepared();
    expect(pendingColumns(command, now, later(60))).toEqual({
      pending: JSON.stringify(command),
      take_at: now,
      pending_until: later(60),
    });
  });

  it.each([
    [-1, false],
    [0, false],
    [0.001, true],
    [30 * day, true],
    [30 * day + 0.001, false],
  ])('may be dialled %d s from now: %s', (seconds, isAllowed) => {
    const fault = faultOf(() => requireAhead(later(seconds), 'scheduled_at', now.getTime()));
    expect(fault?.message).toBe(
      isAllowed ? undefined : 'scheduled_at must be in the future, at most 30 days ahead.',
    );
  });

  it.each<[string, object, string | undefined]>([
    ['an empty task', { task: '' }, 'task'],
    ['no duration', { max_duration: 0 }, 'max_duration'],
    ['the longest duration', { max_duration: 1_440 }, undefined],
    ['more than a day', { max_duration: 1_440.1 }, 'max_duration'],
    ['digits that no keypad has', { precall_dtmf_sequence: '1A' }, 'precall_dtmf_sequence'],
    ['a webhook that is no URL', { webhook: 'hooks.example' }, 'webhook'],
    ['a moment without a zone', { scheduled_at: '2026-11-28T09:00:00' }, 'scheduled_at'],
    ['a moment with a zone', { scheduled_at: '2026-11-28T09:00:00+01:00' }, undefined],
    ['an unknown field', { priority: 1 }, ''],
  ])('with %s', (_, fields, path) => {
    const body = { from: '+13125550161', phone_number: '+14155550100', task: 'Call.', ...fields };
    expect(orderSchema.safeParse(body).error?.issues[0]?.path.join('.')).toBe(path);
  });
});

describe('the variables of an order', () => {
  it('are those that header mappings read, as text', () => {
    expect(orderVariables(['a', 'b', 'c', 'd'], { a: 'x', b: 7, c: true, e: 'unused' }, '')).toEqual({
      a: 'x',
      b: '7',
      c: 'true',
    });
    expect(orderVariables(['a'], { a: null }, '')).toEqual({});
    expect(orderVariables(['toString'], {}, '')).toEqual({});
  });

  it.each([[{ b: 1 }], [['x']], ['two\nlines'], ['x'.repeat(10_000)]])('are not %j', (value) => {
    expect(faultOf(() => orderVariables(['a'], { a: value }, 'calls.2.'))).toMatchObject({
      path: 'calls.2.request_data.a',
    });
  });
});

describe('a page of orders', () => {
  const megabyte = 1024 * 1024;

  it.each([
    [[], 10, 10],
    [[1, 2, 3], 10, 10],
    [[2 * megabyte, 2 * megabyte], 10, 10],
    [[2 * megabyte, 2 * megabyte, 1], 10, 2],
    [[5 * megabyte, 1], 10, 1],
    [[1, 5 * megabyte, 1], 10, 1],
  ])('of %j octets has room for %d of %d', (sizes, limit, room) => {
    expect(roomIn(sizes, limit)).toBe(room);
  });

  const calls = (...states: CallState[]) =>
    states.map((state, index) => ({ call_id: `c${index}`, state, completed: state === 'completed' }));
  const pageOf = (
    found: ReturnType<typeof calls>,
    state: Parameters<typeof activePage>[1],
    limit: number,
    hasMore = false,
  ) => {
    const { calls: shown, total, next } = activePage(found, state, { limit, hasMore });
    return [shown.map(({ call_id }) => call_id).join(' '), total, next];
  };

  it('has the calls of a state, and counts all of them', () => {
    const found = calls('queued', 'ringing', 'completed', 'queued', 'in_progress');
    expect(pageOf(found, 'active', 10)).toEqual(['c0 c1 c3 c4', 4, null]);
    expect(pageOf(found, 'queued', 10)).toEqual(['c0 c3', 2, null]);
    expect(pageOf(found, 'ending', 10)).toEqual(['', 0, null]);
  });

  it('continues after its last call', () => {
    const found = calls('queued', 'queued', 'queued');
    expect(pageOf(found, 'queued', 2)).toEqual(['c0 c1', 3, 'c1']);
    expect(pageOf(found, 'queued', 3)).toEqual(['c0 c1 c2', 3, null]);
  });

  it('continues after the last one that was read when there are more', () => {
    expect(pageOf(calls('queued', 'ringing'), 'queued', 5, true)).toEqual(['c0', 1, 'c1']);
    expect(pageOf(calls('queued', 'queued', 'ringing'), 'queued', 1, true)).toEqual(['c0', 2, 'c0']);
  });
});

describe('an upcoming call that ends', () => {
  it('was stopped before an edge had it', () => {
    expect(stoppedEnd).toMatchObject({
      status: 'canceled',
      reason: 'stopped',
      by: 'api',
      mayBeReported: false,
    });
  });

  it('was taken by no edge in time', () => {
    expect(lateEnd(later(60))).toMatchObject({
      status: 'failed',
      queue_status: 'queue_error',
      reason: 'order_expired',
      endedAt: later(60).getTime(),
      mayBeReported: false,
    });
  });
});

describe('a transfer that an edge was asked for', () => {
  const codeOf = (reply: Parameters<typeof requireTransfer>[0]): string | undefined => {
    try {
      requireTransfer(reply);
    } catch (error) {
      if (error instanceof DemarcError) return error.code;
      if (error instanceof InvalidRequest) return `${error.faults[0]!.path}: ${error.faults[0]!.message}`;
      throw error;
    }
    return undefined;
  };

  it.each([
    ['invalid', 'target: no such target'],
    ['forbidden', 'TRANSFER_FORBIDDEN'],
    ['conflict', 'TRANSFER_NOT_POSSIBLE'],
    ['accepted', undefined],
  ] as const)('and that is %s: %s', (result, code) => {
    expect(codeOf({ result, detail: 'no such target' } as Parameters<typeof requireTransfer>[0])).toBe(code);
  });

  it('is of a call that no edge has', () => {
    expect(codeOf(undefined)).toBe('NOT_FOUND');
  });
});

describe('the period of a batch', () => {
  it('begins at once or when it is scheduled, and lasts a day by default', () => {
    expect(batchPeriod(now, undefined, undefined)).toEqual({ start: now, until: later(day) });
    expect(batchPeriod(now, later(60), undefined)).toEqual({ start: later(60), until: later(60 + day) });
    expect(batchPeriod(now, later(60), later(61))).toEqual({ start: later(60), until: later(61) });
  });

  it.each([
    [60, 60, false],
    [60, 59, false],
    [60, 60.001, true],
    [0, 7 * day, true],
    [0, 7 * day + 0.001, false],
    [60, 60 + 7 * day, true],
  ])('from %d s to %d s is allowed: %s', (start, until, isAllowed) => {
    expect(faultOf(() => batchPeriod(now, later(start), later(until)))?.path).toBe(
      isAllowed ? undefined : 'until',
    );
  });
});

describe('a call of a batch', () => {
  const shared = { task: 'Ask.', voice: 'alto', pathway_id: 'w1', pathway_version: 2 };

  it('has the defaults of the batch', () => {
    expect(completed(shared, {})).toEqual(shared);
    expect(completed(shared, { voice: undefined } as object)).toEqual(shared);
  });

  it('has its own fields over them', () => {
    expect(completed(shared, { voice: 'bass' } as object)).toEqual({ ...shared, voice: 'bass' });
    expect(completed(shared, { pathway_version: 3 })).toEqual({ ...shared, pathway_version: 3 });
  });

  it('has no version of another pathway', () => {
    expect(completed(shared, { pathway_id: 'w2' })).toEqual({
      task: 'Ask.',
      voice: 'alto',
      pathway_id: 'w2',
    });
    expect(completed(shared, { pathway_id: 'w2', pathway_version: 1 })).toMatchObject({ pathway_version: 1 });
  });
});

describe('a batch in the API', () => {
  const batch = (fields: Partial<BatchRow> = {}): BatchRow => ({
    id: 'bat_1',
    organization_id: 'acme',
    number: '13125550161',
    name: 'Reminders',
    total: 6,
    scheduled_at: null,
    until: later(day),
    stopped_at: null,
    created_at: now,
    ...fields,
  });
  const counts = (waiting: number, active: number): BatchCounts => ({
    waiting,
    active,
    completed: 3,
    cancelled: 1,
    failed: 2,
  });

  it('has its counts and times', () => {
    expect(
      batchView({ batch: batch({ scheduled_at: later(60), stopped_at: later(90) }), counts: counts(0, 0) }),
    ).toEqual({
      batch_id: 'bat_1',
      name: 'Reminders',
      from: '+13125550161',
      status: 'stopped',
      total: 6,
      progress: counts(0, 0),
      created_at: '2026-11-27T09:00:00.000Z',
      scheduled_at: '2026-11-27T09:01:00.000Z',
      until: '2026-11-28T09:00:00.000Z',
      stopped_at: '2026-11-27T09:01:30.000Z',
    });
  });

  it.each<[Partial<BatchRow>, number, number, string]>([
    [{}, 1, 0, 'running'],
    [{}, 0, 1, 'running'],
    [{}, 0, 0, 'completed'],
    [{ scheduled_at: later(1) }, 6, 0, 'scheduled'],
    [{ scheduled_at: now }, 6, 0, 'running'],
    [{ scheduled_at: later(-1) }, 6, 0, 'running'],
    [{ scheduled_at: later(1) }, 0, 0, 'completed'],
    [{ stopped_at: now }, 0, 2, 'stopping'],
    [{ stopped_at: now }, 1, 0, 'stopping'],
    [{ stopped_at: now }, 0, 0, 'stopped'],
  ])('%j with %d waiting and %d active is %s', (fields, waiting, active, status) => {
    expect(batchView({ batch: batch(fields), counts: counts(waiting, active) }, now.getTime()).status).toBe(
      status,
    );
  });
});

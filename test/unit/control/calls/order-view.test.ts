import { describe, expect, it } from 'vitest';
import { orderSeconds } from '../../../../src/contract/commands.js';
import type { TransferRecord } from '../../../../src/contract/transfer.js';
import { lostEnd } from '../../../../src/control/calls/lost/lost-end.js';
import type { LiveState } from '../../../../src/control/calls/orders/live-state.js';
import type { OrderRow } from '../../../../src/control/calls/orders/read.js';
import { transferView, viewOf } from '../../../../src/control/calls/orders/view.js';

const created = new Date('2026-11-22T10:00:00.000Z');
const now = created.getTime() + 5_000;

const row = (fields: Partial<OrderRow> = {}): OrderRow =>
  ({
    call_id: 'c1',
    phone_number: '14155550100',
    number: '13125550161',
    batch_id: null,
    scheduled_at: null,
    created_at: created,
    max_duration_minutes: 1.5,
    lost: null,
    started_at: null,
    answered_at: null,
    ended_at: null,
    duration_milliseconds: null,
    outcome: null,
    sip_status: null,
    sip_reason: null,
    ended_by: null,
    end_reason: null,
    request_data: null,
    metadata: null,
    ...fields,
  }) as unknown as OrderRow;

const waiting = (call: object = {}): LiveState =>
  ({ kind: 'waiting', call: { until: '1', ...call } }) as LiveState;
const claimed = (call: object, isEdgeAlive = true): LiveState =>
  ({ kind: 'claimed', call, isEdgeAlive }) as LiveState;
const progress = (fields: object = {}): string =>
  JSON.stringify({
    started_at: '2026-11-22T10:00:01.000Z',
    ringing_at: null,
    answered_at: null,
    on_hold: false,
    attempts: [],
    ...fields,
  });

const view = (fields: Partial<OrderRow>, live: LiveState = waiting(), detail: string | null = null) =>
  viewOf(row(fields), live, detail, now);

describe('an ordered call that is active', () => {
  it.each<[string, LiveState, string, string]>([
    ['Redis is down', { kind: 'unknown' }, 'unknown', 'new'],
    ['no edge has read it', waiting(), 'queued', 'new'],
    ['it waits for its turn', waiting({ command: '{}', until: String(now + 60_000) }), 'queued', 'queued'],
    ['an edge has it', claimed({}), 'dialing', 'allocated'],
    ['an edge has claimed it', claimed({ phase: 'claimed' }), 'dialing', 'allocated'],
    ['the agent is called', claimed({ phase: 'dialing' }), 'dialing', 'started'],
    ['it rings', claimed({ phase: 'ringing' }), 'ringing', 'started'],
    ['it is answered', claimed({ phase: 'answered' }), 'in_progress', 'started'],
    ['its record is not there yet', claimed({ phase: 'ended' }), 'ending', 'started'],
  ])('when %s is shown by its state', (_, live, state, queue_status) => {
    expect(view({}, live)).toMatchObject({
      state,
      queue_status,
      completed: false,
      status: null,
      error_message: null,
    });
  });

  it('is in progress when the callee has answered, though digits are still sent', () => {
    const live = claimed({
      phase: 'ringing',
      progress: progress({ answered_at: '2026-11-22T10:00:04.000Z' }),
    });
    expect(view({}, live)).toMatchObject({
      state: 'in_progress',
      started_at: '2026-11-22T10:00:01.000Z',
      answered_by: null,
    });
  });

  it('has no end, and its limits in both units', () => {
    expect(view({})).toMatchObject({
      to: '+14155550100',
      from: '+13125550161',
      ended_at: null,
      duration_seconds: null,
      call_length: null,
      corrected_duration: null,
      max_duration_seconds: 90,
      max_duration: 1.5,
      sip: null,
      cause: null,
      call_ended_by: null,
    });
  });
});

describe('an ordered call that has ended', () => {
  const ended = (fields: Partial<OrderRow>, detail: string | null = null) =>
    view({ outcome: 'failed', ended_at: created, ...fields } as Partial<OrderRow>, waiting(), detail);

  it.each<[Partial<OrderRow>, string, string]>([
    [{ outcome: 'completed', end_reason: 'callee_hung_up', sip_status: 200 }, 'completed', 'completed'],
    [{ outcome: 'cancelled', end_reason: 'stopped' }, 'canceled', 'cancelled'],
    [{ end_reason: 'trunk_no_answer', sip_status: 408 }, 'no-answer', 'no_answer'],
    [{ end_reason: 'trunk_refused', sip_status: 486 }, 'busy', 'busy'],
    [{ end_reason: 'trunk_refused', sip_status: 600 }, 'busy', 'busy'],
    [{ end_reason: 'trunk_refused', sip_status: 480 }, 'no-answer', 'no_answer'],
    [{ end_reason: 'trunk_refused', sip_status: 408 }, 'no-answer', 'no_answer'],
    [{ end_reason: 'trunk_refused', sip_status: 404 }, 'failed', 'failed'],
    [{ end_reason: 'trunk_unreachable', sip_status: 486 }, 'failed', 'failed'],
  ])('with %j has the status %s', (fields, status, state) => {
    expect(ended(fields)).toMatchObject({ status, state, completed: true, queue_status: 'complete' });
  });

  it('names an error unless it ended as usual', () => {
    expect(
      ended({ outcome: 'completed', end_reason: 'agent_hung_up' } as Partial<OrderRow>).error_message,
    ).toBeNull();
    expect(
      ended({ outcome: 'completed', end_reason: 'media_timeout' } as Partial<OrderRow>).error_message,
    ).toEqual(expect.any(String));
    expect(ended({ end_reason: 'trunk_unreachable' }, 'ECONNREFUSED').error_message).toBe('ECONNREFUSED');
    // A failed call names its reason even where a completed one would not.
    expect(ended({ end_reason: 'stopped' }).error_message).toEqual(expect.any(String));
  });

  it('has its duration in seconds, minutes and text', () => {
    expect(
      ended({
        outcome: 'completed',
        end_reason: 'callee_hung_up',
        duration_milliseconds: 90_600,
      } as Partial<OrderRow>),
    ).toMatchObject({ duration_seconds: 90.6, call_length: 1.51, corrected_duration: '91' });
  });

  it.each([
    ['agent', 'ASSISTANT'],
    ['callee', 'USER'],
    ['target', 'USER'],
    ['edge', null],
    ['api', null],
  ])('by the %s has the side %s', (ended_by, expected) => {
    const shown = ended({
      ended_by,
      end_reason: 'stopped',
      sip_status: 200,
      sip_reason: 'OK',
    } as Partial<OrderRow>);
    expect(shown.call_ended_by).toBe(expected);
    expect(shown.sip).toEqual({ code: 200, reason: 'OK', side: ended_by, end_reason: 'stopped' });
  });

  it('tells an answered call from an unanswered one', () => {
    expect(ended({ answered_at: created, end_reason: 'callee_hung_up' }).answered_by).toBe('unknown');
    expect(ended({ end_reason: 'trunk_no_answer' }).answered_by).toBe('no-answer');
    expect(ended({ end_reason: 'trunk_unreachable' }).answered_by).toBeNull();
  });
});

describe('a call that no edge reports', () => {
  const end = (live: LiveState, seconds: number) =>
    lostEnd(created, live, created.getTime() + seconds * 1_000);

  it('is unknown while Redis is down', () => {
    expect(end({ kind: 'unknown' }, 10_000)).toBeUndefined();
  });

  it('was forgotten by Redis after ten seconds without a trace', () => {
    const live: LiveState = { kind: 'waiting', call: {} };
    expect(end(live, 10)).toBeUndefined();
    expect(end(live, 10.001)).toMatchObject({
      status: 'unknown',
      queue_status: 'call_error',
      reason: 'edge_lost',
    });
  });

  it('was not taken when its order is too old', () => {
    const live = waiting({ command: undefined });
    expect(end(live, orderSeconds + 10)).toBeUndefined();
    expect(end(live, orderSeconds + 10.001)).toMatchObject({
      reason: 'order_not_taken',
      queue_status: 'queue_error',
      endedAt: created.getTime() + orderSeconds * 1_000,
    });
    expect(end(waiting({ phase: 'expired' }), 0)).toMatchObject({ reason: 'order_not_taken' });
  });

  it('waited too long for its turn', () => {
    const until = created.getTime() + 60_000;
    const live = waiting({ command: '{}', until: String(until) });
    expect(end(live, 70)).toBeUndefined();
    expect(end(live, 70.001)).toMatchObject({
      reason: 'order_expired',
      endedAt: until,
      mayBeReported: false,
    });
  });

  it('was stopped before an edge took it', () => {
    expect(end(waiting({ stop: '1' }), 0)).toMatchObject({
      status: 'canceled',
      reason: 'stopped',
      by: 'api',
    });
  });

  it('is lost with its edge, which is no failure once it was answered', () => {
    expect(end(claimed({ phase: 'answered' }), 0)).toBeUndefined();
    expect(end(claimed({ phase: 'answered' }, false), 0)).toMatchObject({
      status: 'unknown',
      queue_status: 'call_error',
    });
    expect(end(claimed({ phase: 'ended' }, false), 0)).toMatchObject({
      status: 'unknown',
      queue_status: 'complete_error',
    });
    expect(end(claimed({ phase: 'ringing' }, false), 0)).toMatchObject({
      status: 'failed',
      error_message: expect.stringMatching(/^The call was not answered yet\./),
    });
  });
});

describe('the transfers of a call', () => {
  const transfer = (fields: Partial<TransferRecord>): TransferRecord =>
    ({ status: 'failed', target: 'a', completed_at: null, ...fields }) as TransferRecord;

  it('come to the last one, and the last that was completed', () => {
    const done = transfer({ status: 'completed', target: 'b', completed_at: '2026-11-22T10:00:09.000Z' });
    const last = transfer({ target: 'c' });
    expect(transferView([transfer({}), done, last])).toEqual({
      transferred_to: 'b',
      transferred_at: '2026-11-22T10:00:09.000Z',
      transfer: last,
    });
    expect(transferView([])).toEqual({ transferred_to: null, transferred_at: null, transfer: null });
  });
});

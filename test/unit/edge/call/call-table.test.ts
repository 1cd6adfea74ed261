import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../../../src/edge/call/call.js';
import { CallTable } from '../../../../src/edge/call/call-table.js';
import { InboundCall } from '../../../../src/edge/inbound/inbound-call.js';
import type { OfferedDialog } from '../../../../src/edge/sip/messages.js';
import { CallDoubles, invitation } from '../../../support/call-doubles.js';

/** Longer than a challenged caller has to come back. */
const challengeMilliseconds = 6_000;

let doubles: CallDoubles;
let table: CallTable;
beforeEach(() => {
  vi.useFakeTimers();
  doubles = new CallDoubles();
  table = new CallTable();
});
afterEach(() => {
  vi.useRealTimers();
});

/** @param organization of its number; absent: admission has not decided */
function added(organization?: string): InboundCall {
  const { request, response } = invitation();
  const call = new InboundCall(doubles.deps, request, response);
  table.add(call);
  if (organization !== undefined) call.admit({ number: '12025550100', organization, release: () => {} });
  return call;
}

const refused = { reason: 'refused_source', by: 'edge' } as const;
const hungUp = { reason: 'caller_hung_up', by: 'caller' } as const;
const settle = () => vi.advanceTimersByTimeAsync(0);

/** Whether the table is empty, records included. */
async function isDrained(): Promise<boolean> {
  let drained = false;
  void table.drained().then(() => {
    drained = true;
  });
  await settle();
  return drained;
}

describe('a call that ends', () => {
  it('is found until its record is written, which is the end of it', async () => {
    const [call, second] = [added('acme'), added('acme')];
    const { id } = call.state;
    call.end(hungUp);
    expect(table.find(id)).toBeUndefined();
    expect(table.findUnrecorded(id)).toBe(call);
    expect(table.findUnrecorded(second.state.id)).toBe(second);
    expect([table.size, table.ending]).toEqual([1, 1]);
    expect(table.isJustRecorded(id, 'acme')).toBe(false);
    await settle();
    expect(doubles.records).toMatchObject([{ call_id: id, edge_id: 'e1', end_reason: 'caller_hung_up' }]);
    expect(table.findUnrecorded(id)).toBeUndefined();
    expect([table.size, table.ending]).toEqual([1, 0]);
    expect(call.state.phase).toBe('ended');
  });

  it('is known as recorded to its own organization alone', async () => {
    const call = added('acme');
    call.end(hungUp);
    await settle();
    expect(table.isJustRecorded(call.state.id, 'acme')).toBe(true);
    expect(table.isJustRecorded(call.state.id, 'other')).toBe(false);
  });

  it('frees the name of its dialog and leaves every view', () => {
    const [call, second] = [added('acme'), added('acme')];
    const view = table.newcomers();
    const newer = added('acme');
    expect([...view]).toEqual([call, second, newer]);
    expect(table.hasDialogName(call.dialogName)).toBe(true);
    const ended: Call[] = [];
    table.onEnd = (each) => ended.push(each);
    call.end(hungUp);
    expect(table.hasDialogName(call.dialogName)).toBe(false);
    expect([...view]).toEqual([second, newer]);
    expect(ended).toEqual([call]);
    const visited: Call[] = [];
    table.forEach((each) => {
      visited.push(each);
    });
    expect(visited).toEqual([second, newer]);
  });

  it('is over although its record cannot be written', async () => {
    const call = added('acme');
    vi.spyOn(doubles.deps.stream, 'publish').mockImplementation(() => {
      throw new Error('The spill file is full.');
    });
    call.end(hungUp);
    expect(await isDrained()).toBe(true);
    expect(table.ending).toBe(0);
    expect(call.state.phase).toBe('ended');
    expect(table.isJustRecorded(call.state.id, 'acme')).toBe(false);
  });
});

describe('a call without a record', () => {
  it('is reported only where it was admitted, and its messages are forgotten', async () => {
    const unrecorded: Call[] = [];
    table.onUnrecorded = (call) => unrecorded.push(call);
    const [unknown, admitted] = [added(), added('acme')];
    for (const call of [unknown, admitted]) {
      call.noteRefusal({ isUnrecorded: true });
      call.end(refused);
      expect(call.state.phase).toBe('ended');
    }
    expect(unrecorded).toEqual([admitted]);
    expect(doubles.forgotten).toEqual(['sip-1', 'sip-1']);
    expect(await isDrained()).toBe(true);
    expect(doubles.records).toEqual([]);
  });
});

describe('a challenged call', () => {
  function challenged(): InboundCall {
    const call = added();
    call.noteRefusal({ isChallenged: true });
    call.end(refused);
    return call;
  }

  it('has one record, that of the INVITE with the credentials', async () => {
    const call = challenged();
    const again = added('acme');
    await settle();
    expect(call.state.phase).toBe('ended');
    expect(doubles.forgotten).toEqual(['sip-1']);
    again.end(hungUp);
    await vi.advanceTimersByTimeAsync(challengeMilliseconds);
    expect(doubles.records.map(({ call_id }) => call_id)).toEqual([again.state.id]);
  });

  it('has its own record where the caller does not come back', async () => {
    const call = challenged();
    await settle();
    expect(doubles.records).toEqual([]);
    await vi.advanceTimersByTimeAsync(challengeMilliseconds);
    expect(doubles.records.map(({ call_id }) => call_id)).toEqual([call.state.id]);
    expect(doubles.forgotten).toEqual([]);
  });

  it('is recorded at once when the process drains', async () => {
    const call = challenged();
    expect(await isDrained()).toBe(true);
    expect(doubles.records.map(({ call_id }) => call_id)).toEqual([call.state.id]);
  });
});

describe('a call that another edge has now', () => {
  it('leaves without a record, and its messages with it', async () => {
    const call = added('acme');
    call.identifyAgent({ agentSipCallId: 'agent-1', otherAgentSipCallIds: ['agent-2'] });
    const view = table.newcomers();
    const left: Call[] = [];
    table.onLeft = (each) => left.push(each);
    expect(await isDrained()).toBe(false);
    call.leave();
    expect(left).toEqual([call]);
    expect(view.size).toBe(0);
    expect(doubles.forgotten).toEqual(['sip-1', 'agent-1', 'agent-2']);
    expect(await isDrained()).toBe(true);
    expect(doubles.records).toEqual([]);
  });
});

it('is drained only when the last record is written', async () => {
  const [first, second] = [added('acme'), added('acme')];
  let written = (): void => {};
  vi.spyOn(doubles.deps.traces, 'take').mockImplementation(
    () =>
      new Promise((resolve) => {
        written = () => resolve({ entries: [], truncated: false });
      }),
  );
  first.end(hungUp);
  await settle();
  const finishFirst = written;
  second.end(hungUp);
  await settle();
  finishFirst();
  expect(await isDrained()).toBe(false);
  written();
  expect(await isDrained()).toBe(true);
  expect(doubles.records).toHaveLength(2);
});

it('reports admissions and changes of its calls', () => {
  const [admitted, changed]: [Call[], [Call, boolean][]] = [[], []];
  table.onAdmitted = (call) => admitted.push(call);
  table.onChanged = (call, isUrgent) => changed.push([call, isUrgent]);
  const call = added('acme');
  expect(admitted).toEqual([call]);
  call.observer.changed(call, true);
  expect(changed).toEqual([[call, true]]);
});

it('finds the side whose 200 waits for our ACK by its Call-ID', () => {
  const call = added('acme');
  call.identifyAgent({ agentSipCallId: 'agent-1' });
  expect(table.unacknowledged('agent-1')).toBeUndefined();
  call.legs.setOffered('agent', {} as OfferedDialog);
  expect(table.unacknowledged('agent-1')).toEqual({ call, side: 'agent' });
  expect(table.unacknowledged('sip-1')).toBeUndefined();
  call.legs.setOffered('trunk', {} as OfferedDialog);
  expect(table.unacknowledged('sip-1')).toEqual({ call, side: 'trunk' });
  expect(table.unacknowledged('agent-2')).toBeUndefined();
});

it('ends calls at their deadline, and looks no more once there are none', async () => {
  const call = added('acme');
  call.setDeadline('maximum_duration', 3, () => call.end({ reason: 'max_duration', by: 'edge' }));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(call.hasEnded).toBe(false);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(call.state.ending?.reason).toBe('max_duration');
  await vi.advanceTimersByTimeAsync(challengeMilliseconds);
  expect(vi.getTimerCount()).toBe(0);
  const later = added('acme');
  later.setDeadline('maximum_duration', 1, () => later.end({ reason: 'max_duration', by: 'edge' }));
  await vi.advanceTimersByTimeAsync(2_500);
  expect(later.hasEnded).toBe(true);
});

it('ends a call whose deadline throws, and still looks at the others', async () => {
  const [broken, sound] = [added('acme'), added('acme')];
  broken.setDeadline('maximum_duration', 1, () => {
    throw new Error('a defect');
  });
  sound.setDeadline('maximum_duration', 1, () => sound.end({ reason: 'max_duration', by: 'edge' }));
  await vi.advanceTimersByTimeAsync(2_500);
  expect(broken.state.ending?.reason).toBe('internal_error');
  expect(sound.state.ending?.reason).toBe('max_duration');
});

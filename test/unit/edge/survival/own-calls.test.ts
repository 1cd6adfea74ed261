import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { heldCallVersion } from '../../../../src/contract/held-call.js';
import { generateSecretKey } from '../../../../src/contract/secret.js';
import { Adoption } from '../../../../src/edge/survival/adoption.js';
import { HeldCalls } from '../../../../src/edge/survival/held-calls.js';
import type { OtherHolder } from '../../../../src/edge/survival/other-holders.js';
import { until } from '../../../../src/testkit/waiting.js';
import { UnitCallBench } from '../whole/call-bench.js';

let bench: UnitCallBench;
let held: HeldCalls;
beforeAll(async () => {
  bench = await UnitCallBench.start({ DEMARC_SECRET_KEY: generateSecretKey() });
  held = new HeldCalls(bench.parts);
});
afterAll(() => bench?.stop());
beforeEach(() => {
  restored.length = 0;
  dropped.length = 0;
});
afterEach(() => bench.expectNothingLeft());

const restored: string[] = [];
const dropped: string[] = [];

/**
 * The edge takes these calls of an edge that stalled while they were taken from it, and that wrote them again when it continued: Redis
 * had lost the mark of the takeover.
 */
async function takeOnceMore(documents: ReadonlyMap<string, Buffer>, unanswered: readonly string[] = []) {
  const { parts } = bench;
  const { fields } = await parts.engine.command('owned|stalled');
  const stalled = {
    holder: 'stalled',
    edge_id: 'stalled',
    owners: ['stalled'],
    engine: fields[0],
    left_for: null,
    hasEngine: true,
    hasLease: true,
    isFree: false,
    isElsewhere: false,
    isReserved: false,
    document_version: heldCallVersion,
    hasEnded: () => false,
  } as unknown as OtherHolder;
  let taken = 0;
  const adoption = new Adoption({
    ...parts,
    held: Object.assign(held, { restore: ({ state }: { state: { id: string } }) => restored.push(state.id) }),
    lease: {
      engine: fields[0],
      readOtherHolders: async () => (taken > 0 ? [] : [stalled]),
      isHolder: async () => true,
      take: async () => (taken++ === 0 ? { documents, left: 0, unanswered } : undefined),
      adopted: () => {},
      giveBack: async () => {},
      dropDocuments: async (ids: readonly string[]) => void dropped.push(...ids),
    },
    machines: { watch: () => {}, stateOf: async () => 'unknown', edgeState: () => 'unknown' },
    hasEngine: () => true,
    endLost: () => {},
    lookMilliseconds: 60_000,
  } as never);
  await adoption.takeLost();
  expect(taken).toBe(1);
}

function onlyCall() {
  const calls: ReturnType<typeof bench.parts.table.find>[] = [];
  bench.parts.table.forEach((call) => void calls.push(call));
  expect(calls).toHaveLength(1);
  return calls[0]!;
}

test('a call that this edge has is not continued twice: its record has all messages, and nothing is left of it', async () => {
  const { trunk, agent } = await bench.establish();
  const call = onlyCall();
  await until(() => call.state.phase === 'confirmed', 5_000, 'the call is confirmed');
  const sessions = await bench.rtpengine.sessions();
  const { id } = call.state;
  await takeOnceMore(new Map([[id, held.documentOf(call)!]]), [id]);
  expect(onlyCall()).toBe(call);
  expect([restored, dropped]).toEqual([[id], []]);
  expect(await bench.rtpengine.sessions()).toEqual(sessions);
  await bench.hangUp(trunk, agent);
  const record = await bench.record();
  const messages = record.trace.map(({ leg, direction, summary }) => `${leg} ${direction} ${summary}`);
  expect(messages).toEqual(
    expect.arrayContaining(['trunk received INVITE', 'agent sent INVITE', 'trunk received BYE']),
  );
  expect(record).toMatchObject({ end_reason: 'caller_hung_up', trace_truncated: false });
  expect(record.adoptions).toBeUndefined();
});

test('a call that has ended here a moment ago gets no second record', async () => {
  const { trunk, agent } = await bench.establish();
  const call = onlyCall();
  await until(() => call.state.phase === 'confirmed', 5_000, 'the call is confirmed');
  const document = held.documentOf(call)!;
  await bench.hangUp(trunk, agent);
  await bench.record();
  await takeOnceMore(new Map([[call.state.id, document]]));
  expect(bench.parts.table.size).toBe(0);
  expect([restored, dropped]).toEqual([[], [call.state.id]]);
  expect(bench.records).toEqual([]);
});

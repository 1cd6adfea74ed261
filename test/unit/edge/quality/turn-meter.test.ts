import { describe, expect, it } from 'vitest';
import { turnsSchema } from '../../../../src/contract/turns.js';
import { TurnMeter } from '../../../../src/edge/quality/turn-meter.js';
import { encode } from '../../../../src/rtp/g711.js';

type Stretch = readonly [from: number, to: number];

const amplitude = 8_000;
/** 20 ms of a tone, or silence. */
const frame = (isLoud: boolean): Buffer =>
  encode(
    'PCMU',
    Int16Array.from({ length: 160 }, (_, index) => (isLoud ? Math.sin(index / 3) * amplitude : 0)),
  );
const frames = { loud: frame(true), quiet: frame(false) };

/** Both sides speak in these stretches, milliseconds; packets arrive `jitter` late at random, of which the seed decides. */
function talked(
  caller: readonly Stretch[],
  agent: readonly Stretch[],
  { until = 12_000, jitter = 0, hangsUp = false } = {},
) {
  const meter = new TurnMeter(0, 30);
  meter.listen({ trunk: 'PCMU', agent: 'PCMU' }, 0);
  let seed = 1;
  const random = (): number => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const arrivals = (['trunk', 'agent'] as const).flatMap((side) =>
    Array.from({ length: until / 20 }, (_, index) => {
      const sent = index * 20;
      const isLoud = (side === 'trunk' ? caller : agent).some(([from, to]) => sent >= from && sent < to);
      return { side, index, isLoud, at: sent + random() * jitter };
    }),
  );
  let advanced = 0;
  for (const { side, index, isLoud, at } of arrivals.sort((left, right) => left.at - right.at)) {
    for (; advanced + 100 <= at; advanced += 100) meter.advance(advanced + 100);
    const payload = isLoud ? frames.loud : frames.quiet;
    const numbers = { sequence: index, timestamp: index * 160, source: side === 'trunk' ? 1 : 2 };
    meter.packet(side, { payloadType: 0, isMarked: false, ...numbers, payload }, at);
  }
  if (!hangsUp) meter.advance(until + 2_000);
  return { meter, turns: meter.summary(until / 1_000) };
}

describe('the turns of a call', () => {
  it('have the time from the end of the caller’s speech to the agent’s first audio', () => {
    const { turns } = talked(
      [
        [1_000, 2_000],
        [4_000, 5_000],
        [8_000, 9_000],
      ],
      [
        [2_400, 3_400],
        [5_700, 6_500],
        [10_200, 11_000],
      ],
    );
    expect(turns).toMatchObject({ count: 3, interruptions: 0, measured_seconds: 12 });
    expect(turns).toMatchObject({
      p50_milliseconds: 700,
      p95_milliseconds: 1_200,
      worst_milliseconds: 1_200,
    });
    expect(turnsSchema.parse(turns).replies).toEqual([
      [32, 400],
      [36, 700],
      [40, 1_200],
    ]);
  });

  it('are not moved by jitter', () => {
    const { turns } = talked([[1_000, 2_000]], [[2_400, 3_400]], { jitter: 50 });
    expect(turns?.count).toBe(1);
    expect(Math.abs(turns!.worst_milliseconds - 400)).toBeLessThanOrEqual(40);
  });

  it('begin after the caller’s last words: a pause within them is none', () => {
    const { turns } = talked(
      [
        [1_000, 2_000],
        [2_600, 3_600],
      ],
      [[4_100, 5_000]],
    );
    expect(turns).toMatchObject({ count: 1, worst_milliseconds: 500 });
  });

  it('have no delay where the agent interrupts, speaks unasked, or still speaks when the caller stops', () => {
    const { turns, meter } = talked(
      [
        [1_000, 3_000],
        [6_000, 6_600],
      ],
      [
        [200, 700],
        [2_000, 3_400],
        [4_500, 5_000],
        [5_800, 7_000],
        [8_000, 8_400],
      ],
    );
    expect(turns).toBeUndefined();
    expect(meter.summary(1)).toBeUndefined();
    const { turns: two } = talked(
      [
        [1_000, 3_000],
        [6_000, 6_600],
      ],
      [
        [2_000, 3_400],
        [7_000, 7_600],
      ],
    );
    expect(two).toMatchObject({ count: 1, interruptions: 1, worst_milliseconds: 400 });
  });

  it('list a bounded number of replies, the slow ones among them', () => {
    const caller: Stretch[] = [];
    const agent: Stretch[] = [];
    for (let turn = 0; turn < 100; turn++) {
      caller.push([turn * 2_000 + 200, turn * 2_000 + 600]);
      const delay = turn === 37 ? 800 : 300;
      agent.push([turn * 2_000 + 600 + delay, turn * 2_000 + 1_000 + delay]);
    }
    const { turns } = talked(caller, agent, { until: 201_000 });
    expect(turns).toMatchObject({ count: 100, p50_milliseconds: 300, p95_milliseconds: 300 });
    expect(turns!.replies.length).toBeLessThanOrEqual(40);
    expect(turns!.replies.filter(([, delay]) => delay === 800)).toHaveLength(1);
    expect(JSON.stringify(turns).length).toBeLessThan(700);
  });

  it('have the last reply, though the agent hangs up at its end', () => {
    const { meter } = talked([[1_000, 2_000]], [[2_400, 2_700]], { until: 2_700, hangsUp: true });
    meter.finish(2_720);
    expect(meter.summary(3)).toMatchObject({ count: 1, worst_milliseconds: 400 });
  });

  it('do not span a hold', () => {
    const meter = new TurnMeter(0, 0);
    meter.listen({ trunk: 'PCMU', agent: 'PCMU' }, 0);
    const addSpeech = (side: 'trunk' | 'agent', from: number, to: number): void => {
      for (let at = from; at < to; at += 20) {
        const index = at / 20;
        const numbers = { sequence: index, timestamp: index * 160, source: side === 'trunk' ? 1 : 2 };
        meter.packet(side, { payloadType: 0, isMarked: false, ...numbers, payload: frames.loud }, at);
        meter.advance(at);
      }
    };
    addSpeech('trunk', 1_000, 2_000);
    meter.advance(3_000);
    meter.interrupt();
    addSpeech('agent', 5_000, 6_000);
    meter.advance(8_000);
    expect(meter.summary(8)).toBeUndefined();
  });
});

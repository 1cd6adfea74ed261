import { describe, expect, it } from 'vitest';
import { mostSampleOctets, qualitySamplesSchema, type SampleRow } from '../../../../src/contract/quality.js';
import { BoundedSamples } from '../../../../src/edge/quality/bounded-samples.js';

const good = (at: number): SampleRow => [at, 50, 0.1, 3.2, 21.4, 4.4];
const bad = (at: number): SampleRow => [at, 12.5, 33.3, 88.8, 421.7, 1.6];

function sampled(seconds: number, rowAt: (at: number) => SampleRow = good): BoundedSamples {
  const samples = new BoundedSamples();
  for (let at = 5; at <= seconds; at += 5) samples.add({ trunk: rowAt(at), agent: good(at) });
  return samples;
}

describe('the samples of a call', () => {
  it('are all there while they fit', () => {
    const all = sampled(60).all!;
    expect(all.every_seconds).toBe(5);
    expect(all.trunk).toEqual(Array.from({ length: 12 }, (_, index) => good((index + 1) * 5)));
  });

  it.each([300, 3_600, 24 * 3_600])('of %i s stay within 2 KB, spread over the whole call', (seconds) => {
    const samples = new BoundedSamples();
    for (let at = 5; at <= seconds; at += 5) {
      samples.add({ trunk: bad(at), agent: bad(at) });
      if (at % 200 === 0) expect(JSON.stringify(samples.all).length).toBeLessThanOrEqual(mostSampleOctets);
    }
    const all = qualitySamplesSchema.parse(samples.all);
    expect(all.trunk.length).toBeGreaterThan(10);
    expect(all.trunk[0]![0]).toBeLessThanOrEqual(all.every_seconds);
    expect(all.trunk.at(-1)![0]).toBe(seconds);
  });

  it('keep the worst five seconds, however long the call', () => {
    const all = sampled(3_600, (at) => (at === 1_000 ? bad(at) : good(at))).all!;
    const worst = all.trunk.filter((row) => row[5] === 1.6);
    expect(worst).toHaveLength(1);
    expect(worst[0]!.slice(1)).toEqual(bad(0).slice(1));
    expect(Math.abs(worst[0]![0] - 1_000)).toBeLessThanOrEqual(all.every_seconds);
  });

  it('name the least exact source of joined intervals', () => {
    const samples = new BoundedSamples();
    for (let at = 5; at <= 3_600; at += 5) {
      const source = at < 600 ? 'rtcp' : at < 1_800 ? 'sequence' : 'estimate';
      samples.add({ trunk: [at, 50, 0.1, 3.2, 21.4, 4.4, source], agent: good(at) });
    }
    const sources = new Set(samples.all!.trunk.map((row) => row[6]));
    expect([...sources]).toEqual(['rtcp', 'sequence', 'estimate']);
    expect(samples.all!.agent.every((row) => row.length === 6)).toBe(true);
  });

  it('leave out stretches that were not sampled', () => {
    const samples = sampled(30);
    samples.add({ trunk: good(3_000), agent: good(3_000) });
    expect(samples.all!.trunk.map(([at]) => at)).toEqual([5, 10, 15, 20, 25, 30, 3_000]);
  });

  it('continue in another process where they ended', () => {
    const before = sampled(3_600).all!;
    const after = BoundedSamples.restored(qualitySamplesSchema.parse(JSON.parse(JSON.stringify(before))));
    expect(after.all).toEqual(before);
    after.add({ trunk: good(3_605), agent: good(3_605) });
    expect(after.all!.every_seconds).toBe(before.every_seconds);
  });

  it('take a figure that one interval lacks from the other', () => {
    const samples = new BoundedSamples();
    const silent = (at: number): SampleRow => [at, 50, null, null, null, null];
    for (let at = 5; at <= 3_600; at += 5) {
      const row = at % 10 === 0 ? silent(at) : good(at);
      samples.add({ trunk: row, agent: silent(at) });
    }
    const all = samples.all!;
    expect(all.every_seconds).toBeGreaterThan(5);
    expect(new Set(all.trunk.map((row) => row[5]))).toEqual(new Set([4.4]));
    expect(new Set(all.agent.map((row) => row[5]))).toEqual(new Set([null]));
  });
});

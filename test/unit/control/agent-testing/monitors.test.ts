import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../src/base/seeded-random.js';
import { isSampled, runIdOf } from '../../../../src/control/agent-testing/monitors/sampled.js';
import {
  type Judged,
  nextState,
  standingOf,
} from '../../../../src/control/agent-testing/monitors/standing.js';
import { isUuid } from '../../../../src/control/database/uuid.js';

const monitor = '4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d';
const calls = (passed: number, failed: number): Judged[] => [
  ...Array<Judged>(passed).fill('PASSED'),
  ...Array<Judged>(failed).fill('FAILED'),
];

describe('the sample of a monitor', () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `call-${index}`);

  it.each([0.01, 0.1, 0.5])('is about the share %d of the calls, each the same at every attempt', (share) => {
    const sampled = ids.filter((id) => isSampled(monitor, id, share));
    expect(sampled.length / ids.length).toBeCloseTo(share, 1);
    expect(ids.filter((id) => isSampled(monitor, id, share))).toEqual(sampled);
  });

  it('is every call at a share of 1', () => {
    expect(ids.every((id) => isSampled(monitor, id, 1))).toBe(true);
  });

  it('gives each call of each monitor one run', () => {
    const runs = new Set([
      ...ids.map((id) => runIdOf(monitor, id)),
      ...ids.map((id) => runIdOf('other', id)),
    ]);
    expect(runs.size).toBe(10_000);
    expect([...runs].slice(0, 100).every(isUuid)).toBe(true);
    expect(runIdOf(monitor, 'call-1')).toBe(runIdOf(monitor, 'call-1'));
  });
});

describe('a monitor', () => {
  const state = (
    statuses: readonly Judged[],
    before: 'passing' | 'failing' | null = 'passing',
    required = 0.8,
  ) => nextState(before, standingOf(statuses), required);

  it.each<[string, readonly Judged[], string | null]>([
    ['four failed calls show nothing', calls(0, 4), null],
    ['few calls that all fail show it', calls(0, 5), '0 of the latest 5 calls passed (0 %), 80 % required'],
    ['a rate just below the required one may be chance', calls(38, 12), null],
    ['many failures show it', calls(30, 20), '30 of the latest 50 calls passed (60 %), 80 % required'],
    [
      'latest calls that are worse than those before show it',
      [...calls(37, 13), ...calls(195, 5)],
      '37 of the latest 50 calls passed (74 %), 97.5 % of the 200 before',
    ],
    ['latest calls that are better do not', [...calls(50, 0), ...calls(140, 60)], null],
  ])('fails by evidence: %s', (_what, statuses, problem) => {
    expect(state(statuses)).toEqual({ state: problem === null ? 'passing' : 'failing', problem });
  });

  it('passes again when the latest calls reach the required rate', () => {
    expect(state(calls(38, 12), 'failing')).toMatchObject({ state: 'failing' });
    expect(state(calls(40, 10), 'failing')).toEqual({ state: 'passing', problem: null });
  });

  /** Calls until it fails; undefined: it does not. */
  const callsUntilAlert = (
    seed: number,
    count: number,
    rate: (call: number) => number,
  ): number | undefined => {
    const random = seededRandom(seed);
    const statuses: Judged[] = [];
    for (let call = 0; call < count; call++) {
      statuses.unshift(random() < rate(call) ? 'PASSED' : 'FAILED');
      if (state(statuses).state === 'failing') return call;
    }
    return undefined;
  };
  const seeds = Array.from({ length: 60 }, (_, seed) => seed + 1);

  it('alerts for an agent that stays good in at most 3 of 60 series of 500 calls', () => {
    const alerts = seeds.filter((seed) => callsUntilAlert(seed, 500, () => 0.95) !== undefined);
    expect(alerts.length).toBeLessThanOrEqual(3);
  });

  it('alerts within 60 calls after an agent becomes bad, in at least 57 of 60 series', () => {
    const found = seeds.filter((seed) => {
      const at = callsUntilAlert(seed, 360, (call) => (call < 300 ? 0.95 : 0.5));
      return at !== undefined && at >= 300;
    });
    expect(found.length).toBeGreaterThanOrEqual(57);
  });
});

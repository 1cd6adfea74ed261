import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { QualityPanel } from '../../../../../src/dashboard/pages/call/quality-panel.js';
import { zone } from '../../../../../src/dashboard/parts/format.js';
import { type Rendered, rendered } from '../../rendered.js';

beforeEach(() => {
  zone.value = 'utc';
});
afterEach(() => {
  zone.value = 'local';
});

const sample = (second: number, mos: number) => ({
  at: `2026-11-20T10:00:${second}Z`,
  mos,
  packets_per_second: 50,
  loss_percent: 0,
  jitter_milliseconds: 1,
  round_trip_milliseconds: null,
});

const panel = (trunk: readonly object[], agent: readonly object[]): Rendered =>
  rendered(
    <QualityPanel
      call={
        {
          state: 'ended',
          started_at: '2026-11-20T10:00:00Z',
          ended_at: '2026-11-20T10:00:30Z',
          media: { quality: { every_seconds: 5, trunk, agent }, turns: null },
        } as never
      }
      ladder={{ steps: [] } as never}
    />,
  );

describe('the audio over a call', () => {
  it('names the worst ten seconds of a direction that was bad', () => {
    const { all } = panel([sample(10, 4.4), sample(15, 1.5)], [sample(10, 4.4)]);
    const of = (side: string) => all('section').find((text) => text.startsWith(side));
    expect(of('From the trunk')).toMatch(/Shaded: the worst ten seconds, until 10:00:15, mean MOS \d\.\d\./);
    expect(of('From the agent')).not.toContain('Shaded');
  });
});

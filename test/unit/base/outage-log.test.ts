import { describe, expect, it } from 'vitest';
import { OutageLog } from '../../../src/base/outage-log.js';

describe('the collector of DEMARC_HEP_FORWARD', () => {
  const watched = () => {
    const lines: string[] = [];
    const clock = { now: 0 };
    const log = {
      warn: (_fields: unknown, text: string) => lines.push(text),
      info: (text: string) => lines.push(text),
    };
    return {
      lines,
      clock,
      state: new OutageLog(log as never, { down: downMessage, up: back }, 10_000, () => clock.now),
    };
  };
  const refused = new Error('connect ECONNREFUSED');
  const downMessage = 'The HEP collector is not reachable.';
  const back = 'The HEP collector is reachable again.';

  it('has one line when it goes down and one when it recovers, however often it fails', () => {
    const { lines, clock, state } = watched();
    state.passed();
    for (clock.now = 1_000; clock.now <= 60_000; clock.now += 1_000) {
      state.failed(refused);
      state.passed();
    }
    expect(lines).toEqual([downMessage]);
    clock.now = 75_000;
    state.passed();
    state.passed();
    expect(lines).toEqual([downMessage, back]);
    state.failed(refused);
    expect(lines).toEqual([downMessage, back, downMessage]);
  });

  it('is down when it accepts every other packet', () => {
    const { lines, clock, state } = watched();
    for (clock.now = 0; clock.now < 600_000; clock.now += 5_000) {
      state.failed(refused);
      clock.now += 4_000;
      state.passed();
    }
    expect(lines).toEqual([downMessage]);
  });
});

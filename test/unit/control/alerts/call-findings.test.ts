import { describe, expect, it } from 'vitest';
import type { EndReason } from '../../../../src/contract/call-record.js';
import { failureFinding, tallyFrom } from '../../../../src/control/alerts/call-findings.js';
import type { Watched } from '../../../../src/control/alerts/watched.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 9, minute));
const ended = (count: number, reason: EndReason, minute = 0, status: number | null = null) => ({
  count,
  reason,
  status,
  first: at(minute),
});
const watched = { threshold: 20, windowMinutes: 15 } as Watched;

describe('the tally of ended calls', () => {
  it('counts what failed, since when, and why for the most part', () => {
    const tally = tallyFrom([
      ended(10, 'caller_hung_up'),
      ended(2, 'trunk_unreachable', 7),
      ended(3, 'agent_unreachable', 9),
    ]);
    expect(tally).toMatchObject({ counted: 15, failed: 5, firstFailure: at(7) });
    expect(tally.why).toEqual(tallyFrom([ended(1, 'agent_unreachable')]).why);
    expect(tallyFrom([ended(2, 'trunk_unreachable', 9), ended(2, 'agent_unreachable', 7)])).toMatchObject({
      firstFailure: at(7),
      why: tallyFrom([ended(1, 'trunk_unreachable')]).why,
    });
  });

  it('leaves out calls that say nothing of the trunk', () => {
    expect(tallyFrom([ended(10, 'refused_unknown_number')])).toEqual({
      counted: 0,
      failed: 0,
      firstFailure: undefined,
      why: undefined,
    });
  });
});

describe('the finding about a failure rate', () => {
  const finding = (succeeded: number, failed: number) =>
    failureFinding(
      watched,
      tallyFrom([
        ended(succeeded, 'caller_hung_up'),
        ...(failed === 0 ? [] : [ended(failed, 'agent_unreachable', 3)]),
      ]),
    );

  it('is bad from the threshold on', () => {
    expect(finding(8, 2)).toMatchObject({
      condition: 'bad',
      since: at(3),
      measured: 20,
      summary: '2 of 10 calls (20 %) in the last 15 minutes failed; the threshold is 20 %.',
    });
    expect(finding(81, 19)).toEqual({ condition: 'between' });
    expect(finding(4, 2)).toMatchObject({ condition: 'bad', measured: 33.3 });
  });

  it('is good again a fifth below it', () => {
    expect(finding(84, 16)).toEqual({ condition: 'good', since: undefined });
    expect(finding(83, 17)).toEqual({ condition: 'between' });
  });

  it('needs five calls, of which two failed', () => {
    expect(finding(2, 2)).toEqual({ condition: 'between' });
    expect(finding(3, 2)).toMatchObject({ condition: 'bad' });
    expect(finding(1, 1)).toEqual({ condition: 'good', since: undefined });
    expect(finding(0, 0)).toEqual({ condition: 'good', since: undefined });
  });

  it('says the cause as such', () => {
    const bad = finding(0, 9);
    expect(bad.condition === 'bad' && bad.why.cause).toMatch(/^Most frequent cause: /);
  });
});

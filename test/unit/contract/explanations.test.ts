import { describe, expect, it } from 'vitest';
import { endReasons } from '../../../src/contract/call-record.js';
import {
  endReasonExplanations,
  explainEndReason,
  explainSipStatus,
  sipStatusExplanations,
  unreachableExplanations,
} from '../../../src/contract/explanations.js';
import { unreachableReasons } from '../../../src/contract/health.js';

describe('explanations', () => {
  it('are sentences, for every reason and status', () => {
    expect(Object.keys(endReasonExplanations).sort()).toEqual([...endReasons].sort());
    expect(Object.keys(unreachableExplanations).sort()).toEqual([...unreachableReasons].sort());
    const all = [endReasonExplanations, unreachableExplanations, sipStatusExplanations];
    for (const { cause, advice } of all.flatMap((group) => Object.values(group))) {
      for (const text of [cause, advice]) expect(text).toMatch(/^[A-Z0-9].*[.?]$/);
    }
  });

  it('cover every non-2xx final status', () => {
    for (let status = 100; status < 300; status++) expect(explainSipStatus(status)).toBeUndefined();
    for (let status = 300; status < 700; status++) expect(explainSipStatus(status)).toBeDefined();
  });

  it('name the status where the other side refused', () => {
    expect(explainEndReason('trunk_refused', 486)).toEqual({
      cause: "The trunk's server refused the call (486). The called line is busy.",
      advice: 'Try again later.',
    });
    expect(explainEndReason('media_timeout', 200)).toBe(endReasonExplanations.media_timeout);
    expect(explainEndReason('trunk_refused')).toBe(endReasonExplanations.trunk_refused);
  });
});

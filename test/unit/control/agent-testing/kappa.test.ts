import { describe, expect, it } from 'vitest';
import { agreementOf } from '../../../../src/control/agent-testing/calibration/calibrate.js';
import { cohensKappa } from '../../../../src/control/agent-testing/statistics/kappa.js';

describe('the agreement of a judge with people', () => {
  it('is that of the textbook: 20 and 15 of 50 alike give 0.4', () => {
    const found = cohensKappa({ bothPassed: 20, bothFailed: 15, onlyJudgePassed: 5, onlyPersonPassed: 10 });
    expect(found!.kappa).toBeCloseTo(0.4, 10);
    // Standard error sqrt(0.7 × 0.3 ÷ 50) ÷ 0.5.
    expect(found!.interval.lower).toBeCloseTo(0.4 - 1.96 * 0.1296, 3);
    expect(found!.interval.upper).toBeCloseTo(0.4 + 1.96 * 0.1296, 3);
  });

  it('is complete, chance, or worse', () => {
    const kappa = (
      bothPassed: number,
      bothFailed: number,
      onlyJudgePassed: number,
      onlyPersonPassed: number,
    ) => cohensKappa({ bothPassed, bothFailed, onlyJudgePassed, onlyPersonPassed })?.kappa;
    expect(kappa(3, 4, 0, 0)).toBe(1);
    expect(kappa(5, 5, 5, 5)).toBe(0);
    expect(kappa(0, 0, 5, 5)).toBe(-1);
    // A judge that passes everything agrees by chance alone.
    expect(kappa(9, 0, 1, 0)).toBeCloseTo(0, 10);
  });

  it('is undefined where both know one verdict alone, and without runs', () => {
    expect(
      cohensKappa({ bothPassed: 7, bothFailed: 0, onlyJudgePassed: 0, onlyPersonPassed: 0 }),
    ).toBeUndefined();
    expect(
      cohensKappa({ bothPassed: 0, bothFailed: 0, onlyJudgePassed: 0, onlyPersonPassed: 0 }),
    ).toBeUndefined();
  });

  it('compares no errors and nothing that was not judged', () => {
    expect(
      agreementOf([
        [true, 'PASSED'],
        [true, 'FAILED'],
        [false, 'PASSED'],
        [false, 'FAILED'],
        [false, 'ERROR'],
        [true, null],
      ]),
    ).toMatchObject({
      compared: 4,
      errors: 1,
      both_passed: 1,
      both_failed: 1,
      only_judge_passed: 1,
      only_person_passed: 1,
      agreement: 0.5,
      kappa: 0,
    });
  });
});

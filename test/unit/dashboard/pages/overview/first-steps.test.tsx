import { describe, expect, it } from 'vitest';
import {
  type FirstHour,
  StepList,
  stepsOf,
} from '../../../../../src/dashboard/pages/overview/first-steps.js';
import { rendered } from '../../rendered.js';

const nothing: FirstHour = { number: undefined, isHeard: false, hasAlert: false, hasMember: false };
const all: FirstHour = { number: '+14155550100', isHeard: true, hasAlert: true, hasMember: true };
const list = (hour: FirstHour) => rendered(<StepList hour={hour} onHide={() => undefined} />);

describe('the first steps', () => {
  it('begin with the number, and have one button that stands out', () => {
    const shown = list(nothing);
    expect(shown.text).toContain('0 of 4 done');
    expect(shown.all('.primary')).toEqual(['Add number']);
    expect(shown.all('a')).toEqual(['Add number', 'Test call', 'Set an alert', 'Invite']);
  });

  it('lead to the number once there is one', () => {
    expect(stepsOf({ ...nothing, number: '+14155550100' }).map(({ href }) => href)).toEqual([
      '/trunks/add',
      '/trunks/add?step=test&number=14155550100',
      '/trunks/14155550100',
      '/members',
    ]);
    expect(list({ ...all, isHeard: false }).all('.primary')).toEqual(['Test call']);
    expect(list({ ...all, isHeard: false }).text).toContain('3 of 4 done');
  });

  it('are gone when all is done', () => {
    expect(list(all).html).toBe('');
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { session } from '../../../../../../src/dashboard/api/session.js';
import type { NumberCheck } from '../../../../../../src/dashboard/api/trunks.js';
import { Checked, NumberStep, Proof } from '../../../../../../src/dashboard/pages/trunks/add/number-step.js';
import { rendered } from '../../../rendered.js';
import { at, signInAs } from '../../../visitor.js';

afterEach(() => {
  session.value = undefined;
});

const check = (state: NumberCheck['state'], country: string | null = 'US'): NumberCheck =>
  ({ phone_number: '+14155550100', country, state }) as NumberCheck;

describe('the check of a number', () => {
  it.each<[NumberCheck['state'], string, string]>([
    ['available', 'good', 'Can be added +14155550100, United States'],
    ['attached', 'good', 'Already yours +14155550100, United States: continue its set-up here'],
    ['taken', 'bad', 'Taken +14155550100, United States belongs to another organization of this service.'],
    ['proof_required', 'warn', 'Ownership not confirmed +14155550100, United States'],
  ])('says, when it is %s, so in its colour %s', (state, tone, words) => {
    const { html, text } = rendered(<Checked check={check(state)} />);
    expect(html).toContain(`class="state ${tone}"`);
    expect(text).toContain(words);
  });

  it('names no country for a number of none', () => {
    expect(rendered(<Checked check={check('available', null)} />).text).toBe('Can be added +14155550100');
  });

  it('leads to the page of an attached number', () => {
    expect(rendered(<Checked check={check('attached')} />).elements('a')[0]!.href).toBe(
      '/trunks/14155550100',
    );
  });
});

describe('the proof of a number', () => {
  const proof = () => rendered(<Proof phoneNumber="+14155550100" onConfirmed={() => undefined} />);

  it('names the organization that the operator has to confirm', () => {
    signInAs();
    expect(proof().text).toContain('Organization o1');
    expect(
      proof()
        .all('button')
        .filter((text) => /Confirm|Check/.test(text)),
    ).toEqual(['Check again']);
  });

  it('is given by operators here', () => {
    signInAs({ operator: true });
    expect(
      proof()
        .all('button')
        .filter((text) => /Confirm|Check/.test(text)),
    ).toEqual(['Confirm ownership as operator', 'Check again']);
  });
});

it('an unchecked number does not lead on', () => {
  const { elements } = rendered(at({ path: '/trunks/add' }, <NumberStep phoneNumber="+14155550100" />));
  expect(elements('input')[0]!.value).toBe('+14155550100');
  expect(elements('button').find(({ type }) => type === 'submit')!.disabled).toBe(true);
});

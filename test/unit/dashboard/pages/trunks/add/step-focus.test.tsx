import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '../../../../../../src/dashboard/api/session.js';
import { AddNumberPage } from '../../../../../../src/dashboard/pages/trunks/add/add-page.js';
import { leadTo } from '../../../../../../src/dashboard/pages/trunks/add/step-focus.js';
import { type StepName, stepNames } from '../../../../../../src/dashboard/pages/trunks/add/steps.js';
import { rendered } from '../../../rendered.js';
import { at, signInAs } from '../../../visitor.js';

let news: string[];
beforeEach(() => {
  news = [];
  signInAs();
  vi.stubGlobal('scrollTo', (x: number, y: number) => news.push(`scroll to ${x} ${y}`));
  vi.stubGlobal('document', {
    querySelector: (selector: string) => ({
      focus: ({ preventScroll }: FocusOptions) =>
        news.push(`focus ${selector}${preventScroll === true ? ', not scrolling' : ''}`),
    }),
  });
});
afterEach(() => {
  session.value = undefined;
  vi.unstubAllGlobals();
});

describe('a step of "Add number"', () => {
  it('begins at the top of the page with the focus on its name, once', () => {
    const shown: { current: StepName } = { current: 'number' };
    leadTo('number', shown);
    expect(news).toEqual([]);
    leadTo('pbx', shown);
    leadTo('pbx', shown);
    const begun = ['scroll to 0 0', 'focus .steps [aria-current=step], not scrolling'];
    expect(news).toEqual(begun);
    leadTo('number', shown);
    expect(news).toEqual([...begun, ...begun]);
  });

  it.each<StepName>(['number', 'pbx', 'callers', 'test'])(
    '%s is the one link that the focus finds',
    (step) => {
      const page = rendered(
        at({ path: '/trunks/add', query: { step, number: '14155550100' } }, <AddNumberPage />),
      );
      const [list] = page.elements('nav').filter(({ class: name }) => name === 'steps');
      expect(list).toBeDefined();
      const current = page.elements('a').filter((link) => link['aria-current'] === 'step');
      expect(current.map(({ href }) => href)).toEqual([`/trunks/add?step=${step}&number=14155550100`]);
      expect(page.all('.steps')[0]).toContain(stepNames[step]);
    },
  );
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  addAddress,
  rememberedStep,
  rememberStep,
  stepAfter,
  stepBefore,
  stepOf,
  steps,
} from '../../../../../../src/dashboard/pages/trunks/add/steps.js';

const items = new Map<string, string>();
beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
    removeItem: (name: string) => items.delete(name),
  });
});
afterEach(() => {
  items.clear();
  vi.unstubAllGlobals();
});

describe('the steps of "Add number"', () => {
  it('lead from one to the next and back, and stay at both ends', () => {
    expect(steps.map(stepAfter)).toEqual(['pbx', 'callers', 'test', 'test']);
    expect(steps.map(stepBefore)).toEqual(['number', 'number', 'pbx', 'callers']);
  });

  it.each<[string | undefined, string | undefined, string]>([
    ['callers', '+14155550100', 'callers'],
    ['callers', undefined, 'number'],
    ['nonsense', '+14155550100', 'number'],
    [undefined, '+14155550100', 'number'],
  ])('%s of the number %s is %s', (text, number, step) => expect(stepOf(text, number)).toBe(step));

  it('have an address with the digits of the number', () => {
    expect(addAddress('pbx', '+14155550100')).toBe('/trunks/add?step=pbx&number=14155550100');
    expect(addAddress('number')).toBe('/trunks/add?step=number');
  });

  it('are remembered by number, until the set-up is done', () => {
    rememberStep('+1', 'callers');
    rememberStep('+2', 'pbx');
    expect([rememberedStep('+1'), rememberedStep('+2'), rememberedStep('+3')]).toEqual([
      'callers',
      'pbx',
      undefined,
    ]);
    rememberStep('+1', undefined);
    expect([rememberedStep('+1'), rememberedStep('+2')]).toEqual([undefined, 'pbx']);
  });

  it('are forgotten where the browser holds an unknown one, or blocks storage', () => {
    items.set('demarc-setup:+1', 'payment');
    expect(rememberedStep('+1')).toBeUndefined();
    const refuse = (): never => {
      throw new Error('SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    rememberStep('+1', 'pbx');
    rememberStep('+1', undefined);
    expect(rememberedStep('+1')).toBeUndefined();
  });
});

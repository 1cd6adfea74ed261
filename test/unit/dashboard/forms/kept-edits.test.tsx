import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetEdits, keepEdits, keptEdits } from '../../../../src/dashboard/forms/kept-edits.js';

/** The storage of a tab, as the Web Storage specification defines it. */
class TabStorage {
  readonly items = new Map<string, string>();
  getItem = (name: string): string | null => this.items.get(name) ?? null;
  setItem = (name: string, value: string): void => void this.items.set(name, value);
  removeItem = (name: string): void => void this.items.delete(name);
}

let storage: TabStorage;
beforeEach(() => {
  storage = new TabStorage();
  vi.stubGlobal('sessionStorage', storage);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('what was typed', () => {
  it('is kept by form until it is forgotten', () => {
    keepEdits('a', { 'options.port': 5_061, hosts: ['x'] });
    keepEdits('b', { name: 'other' });
    expect(keptEdits('a')).toEqual({ 'options.port': 5_061, hosts: ['x'] });
    forgetEdits('a');
    expect(keptEdits('a')).toEqual({});
    expect(keptEdits('b')).toEqual({ name: 'other' });
  });

  it('is kept without secrets', () => {
    keepEdits('a', {
      password: 's3cret',
      secret: 's3cret',
      'inbound.options.sip_password': 's3cret',
      'register_auth.password': 's3cret',
      password_hint: 'kept',
      secretary: 'kept',
    });
    expect(keptEdits('a')).toEqual({ password_hint: 'kept', secretary: 'kept' });
    expect(JSON.stringify([...storage.items])).not.toContain('s3cret');
  });

  it('leaves nothing in the tab when only secrets were typed, or nothing is left', () => {
    keepEdits('a', { name: 'x' });
    keepEdits('a', { password: 's3cret' });
    expect(storage.items.size).toBe(0);
  });

  it.each(['', '{', 'undefined'])('is nothing where the tab holds %j', (text) => {
    storage.items.set('demarc-form:a', text);
    expect(keptEdits('a')).toEqual({});
  });

  it('is not kept where storage is forbidden or full, and the page still works', () => {
    const refuse = (): never => {
      throw new Error('QuotaExceededError');
    };
    vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    keepEdits('a', { name: 'x' });
    forgetEdits('a');
    expect(keptEdits('a')).toEqual({});
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure } from '../../../../src/dashboard/api/client.js';
import { farewell } from '../../../../src/dashboard/api/session.js';
import { explainSignIn, rememberWay, SignIn } from '../../../../src/dashboard/frame/sign-in.js';
import { rendered } from '../rendered.js';

const items = new Map<string, string>();
const storage = {
  getItem: (name: string) => items.get(name) ?? null,
  setItem: (name: string, value: string) => items.set(name, value),
};

afterEach(() => {
  items.clear();
  farewell.value = undefined;
  vi.unstubAllGlobals();
});

describe('a failed sign-in', () => {
  const failure = (status: number, code: string, retryAfterSeconds?: number): ApiFailure =>
    new ApiFailure('Text of the API.', { status, code, retryAfterSeconds });

  it.each<[unknown, string]>([
    [failure(429, 'RATE_LIMITED', 17), 'Too many attempts. Try again in 17 seconds.'],
    [failure(429, 'RATE_LIMITED'), 'Too many attempts. Try again in 60 seconds.'],
    // Too many wrong passwords are too many attempts first.
    [failure(429, 'WRONG_PASSWORD', 5), 'Too many attempts. Try again in 5 seconds.'],
    [failure(401, 'WRONG_PASSWORD'), 'The email address or the password is wrong.'],
    [failure(401, 'UNAUTHORIZED'), 'This key is unknown or revoked. Keys begin with sk-demarc-.'],
    [failure(403, 'FORBIDDEN'), 'Text of the API.'],
    [failure(0, 'NO_ANSWER'), 'Text of the API.'],
    [new TypeError('broken'), 'TypeError: broken'],
  ])('%s is explained as: %s', (reason, text) => expect(explainSignIn(reason)).toBe(text));
});

describe('the sign-in page', () => {
  const fields = (): unknown[] =>
    rendered(<SignIn />)
      .elements('input')
      .map(({ name }) => name);

  it('asks for a key at first, and then for what was used last', () => {
    vi.stubGlobal('localStorage', storage);
    expect(fields()).toContain('key');
    rememberWay('password');
    expect(fields()).toEqual(expect.arrayContaining(['email', 'password']));
    expect(fields()).not.toContain('key');
    rememberWay('key');
    expect(fields()).not.toContain('email');
    expect([...items.values()]).toEqual(['key']);
  });

  it('works where storage is blocked', () => {
    const refuse = (): never => {
      throw new Error('SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
    rememberWay('password');
    expect(fields()).toContain('key');
  });

  it('never lets the browser show or store the key', () => {
    vi.stubGlobal('localStorage', storage);
    const key = rendered(<SignIn />)
      .elements('input')
      .find(({ name }) => name === 'key')!;
    expect(key).toMatchObject({ type: 'password', autocomplete: 'off', 'aria-invalid': false });
  });

  it('says why the last session ended', () => {
    vi.stubGlobal('localStorage', storage);
    expect(rendered(<SignIn />).text).not.toContain('session has ended');
    farewell.value = 'Your session has ended.';
    expect(rendered(<SignIn />).text).toContain('Your session has ended.');
  });
});

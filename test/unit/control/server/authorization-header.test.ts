import { describe, expect, it } from 'vitest';
import { keyOf, passwordOf } from '../../../../src/control/server/authorization-header.js';

describe('the key in an Authorization header', () => {
  it.each<[string | undefined, string | undefined]>([
    ['Bearer sk-demarc-1', 'sk-demarc-1'],
    ['bearer   sk-demarc-1', 'sk-demarc-1'],
    ['BEARER sk-demarc-1 ', 'sk-demarc-1'],
    ['sk-demarc-1', 'sk-demarc-1'],
    ['  sk-demarc-1  ', 'sk-demarc-1'],
    ['Bearer a b', 'Bearer a b'],
    ['Bearer', 'Bearer'],
    ['Basic abc', 'Basic abc'],
    ['', undefined],
    ['   ', undefined],
    [undefined, undefined],
  ])('of %j is %j', (header, key) => expect(keyOf(header)).toBe(key));
});

describe('the password of Basic authentication', () => {
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

  it.each<[string | undefined, string | undefined]>([
    [basic('user:sk-demarc-1'), 'sk-demarc-1'],
    [basic(':sk-demarc-1'), 'sk-demarc-1'],
    [basic('user:with:colons'), 'with:colons'],
    [basic('user:Zoë'), 'Zoë'],
    [basic('user:'), ''],
    [basic('no colon'), ''],
    [basic('user:x').replace('Basic', 'basic  '), 'x'],
    [`${basic('user:x')}  `, 'x'],
    ['Basic !!!', undefined],
    ['Basic', undefined],
    ['Bearer abc', undefined],
    [undefined, undefined],
  ])('of %j is %j', (header, password) => expect(passwordOf(header)).toBe(password));
});

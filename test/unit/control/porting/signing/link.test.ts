import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ControlSettings } from '../../../../../src/config/control-settings.js';
import {
  hashOf,
  isToken,
  newToken,
  signatureUrl,
  tokenWith,
} from '../../../../../src/control/porting/signing/link.js';

const [current, earlier, foreign] = ['current key', 'earlier key', 'foreign key'];

describe('the token of a link', () => {
  const token = newToken({ secretKeys: [current!] }, 'port_1', 1);

  it('is made of the key, the request and the number of the link', () => {
    expect(newToken({ secretKeys: [current!] }, 'port_1', 1)).toBe(token);
    const altered = [
      newToken({ secretKeys: [current!] }, 'port_1', 2),
      newToken({ secretKeys: [current!] }, 'port_2', 1),
      newToken({ secretKeys: [foreign!] }, 'port_1', 1),
      // Not the same request and link with the space elsewhere.
      newToken({ secretKeys: [current!] }, 'port_1 1', 1),
    ];
    expect(new Set([token, ...altered]).size).toBe(5);
  });

  it('is made with the first key', () =>
    expect(newToken({ secretKeys: [current!, earlier!] }, 'port_1', 1)).toBe(token));

  it('has 256 bits in a form for an address', () => {
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(isToken(token)).toBe(true);
  });

  it.each([
    '',
    'x',
    'a'.repeat(42),
    'a'.repeat(44),
    `${'a'.repeat(42)}.`,
    `${'a'.repeat(43)}\n`,
    `${'a'.repeat(42)}/`,
  ])('is not "%s"', (text) => expect(isToken(text)).toBe(false));

  it('is stored as its SHA-256', () => {
    expect(hashOf('abc').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(hashOf(token).equals(createHash('sha256').update(token).digest())).toBe(true);
  });

  it('is found again by its hash with the key that made it, also after a change of keys', () => {
    const settings = { secretKeys: [current!, earlier!] };
    const old = newToken({ secretKeys: [earlier!] }, 'port_1', 1);
    expect(tokenWith(settings, 'port_1', 1, hashOf(token))).toBe(token);
    expect(tokenWith(settings, 'port_1', 1, hashOf(old))).toBe(old);
  });

  it('is not found for another link, another request or a key that was given up', () => {
    const settings = { secretKeys: [current!] };
    expect(tokenWith(settings, 'port_1', 2, hashOf(token))).toBeUndefined();
    expect(tokenWith(settings, 'port_2', 1, hashOf(token))).toBeUndefined();
    expect(tokenWith({ secretKeys: [foreign!] }, 'port_1', 1, hashOf(token))).toBeUndefined();
    expect(tokenWith({ secretKeys: [] }, 'port_1', 1, hashOf(token))).toBeUndefined();
  });

  it('stands at the end of the address of the page', () => {
    const settings = { notices: { publicUrl: 'https://control.example.com' } } as ControlSettings;
    expect(signatureUrl(settings, token)).toBe(`https://control.example.com/sign/${token}`);
  });
});

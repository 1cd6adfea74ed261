import { describe, expect, it } from 'vitest';
import { sealedSecretSchema } from '../../../src/contract/number.js';
import { generateSecretKey, SecretBox, SecretError } from '../../../src/contract/secret.js';

describe('sealed secrets', () => {
  const key = generateSecretKey();
  const box = new SecretBox([key]);

  it.each(['hunter2', '', 'grün 🔑', 'x'.repeat(1000)])('come back as they were: %j', (secret) => {
    const sealed = box.seal(secret);
    expect(sealedSecretSchema.safeParse(sealed).success).toBe(true);
    expect(box.open(sealed)).toBe(secret);
  });

  it('never look the same twice', () => {
    expect(box.seal('a')).not.toBe(box.seal('a'));
  });

  it('cannot be changed in any octet', () => {
    const sealed = box.seal('hunter2');
    const [version, id, encoded] = sealed.split(':');
    const bytes = Buffer.from(encoded!, 'base64url');
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i]! ^= 1;
      expect(() => box.open(`${version}:${id}:${changed.toString('base64url')}`)).toThrow(SecretError);
    }
  });

  it('come back as octets, and cannot be changed or read with another key then', () => {
    const sealed = box.sealOctets('grün\n', Buffer.from([0, 255, 10]));
    expect(box.openOctets(sealed)).toEqual(Buffer.from([...Buffer.from('grün\n'), 0, 255, 10]));
    expect(() => new SecretBox([generateSecretKey()]).openOctets(sealed)).toThrow(SecretError);
    for (const [octet] of [...sealed].entries()) {
      const changed = Buffer.from(sealed);
      changed[octet]! ^= 1;
      expect(() => box.openOctets(changed)).toThrow(SecretError);
      expect(() => box.openOctets(sealed.subarray(0, octet))).toThrow(SecretError);
    }
  });

  it.each(['', 'v1', 'v1:x', 'v2:a:b', 'v1:a:b:c', 'plain', 'v1::'])('are not made of %j', (text) => {
    expect(() => box.open(text)).toThrow(SecretError);
  });

  it('are not opened when cut short', () => {
    const [version, id, encoded] = box.seal('hunter2').split(':');
    const bytes = Buffer.from(encoded!, 'base64url');
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length).toString('base64url');
      expect(() => box.open(`${version}:${id}:${cut}`)).toThrow(SecretError);
    }
  });

  describe('bound to a place', () => {
    const place = { kind: 'trunk', organization: 'org_1', id: 'trk_1' } as const;

    it.each([
      ['row', { ...place, id: 'trk_2' }],
      ['organization', { ...place, organization: 'org_2' }],
      ['kind', { ...place, kind: 'agent key' as const }],
      ['place of the same letters', { ...place, organization: 'org_1","trk', id: '_1' }],
      ['document of a number, which has no place', undefined],
    ])('open in no other %s', (_, elsewhere) => {
      const sealed = box.seal('hunter2', place);
      expect(box.open(sealed, place)).toBe('hunter2');
      expect(() => box.open(sealed, elsewhere)).toThrow(SecretError);
      expect(() => box.open(sealed.replace(/^v2/, 'v1'), elsewhere)).toThrow(SecretError);
      expect(() => box.open(sealed.replace(/^v2/, 'v1'), place)).toThrow(SecretError);
    });

    it('replace those of earlier releases, which open until the operator refuses them', () => {
      const unbound = box.seal('hunter2');
      expect(box.open(unbound, place)).toBe('hunter2');
      expect(box.isOutdated(unbound, place)).toBe(true);
      expect(box.isOutdated(unbound)).toBe(false);
      const bound = box.reseal(unbound, place);
      expect(box.isOutdated(bound, place)).toBe(false);
      const strict = new SecretBox([key], 'refuse');
      expect(strict.open(bound, place)).toBe('hunter2');
      expect(strict.open(unbound)).toBe('hunter2');
      expect(() => strict.open(unbound, place)).toThrow('not bound');
      expect(() => strict.reseal(unbound, place)).toThrow(SecretError);
      expect(() => box.open(unbound.replace(/^v1/, 'v2'), place)).toThrow(SecretError);
    });
  });

  it('are opened with an earlier key, and known to be outdated', () => {
    const rotated = new SecretBox([generateSecretKey(), key]);
    const sealed = box.seal('hunter2');
    expect(rotated.open(sealed)).toBe('hunter2');
    expect(rotated.isOutdated(sealed)).toBe(true);
    expect(rotated.isOutdated(rotated.seal('x'))).toBe(false);
    expect(() => box.open(rotated.seal('x'))).toThrow('another key');
  });

  it('take the key in hex, base64 and base64url', () => {
    const bytes = Buffer.from(key, 'base64url');
    for (const text of [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64url')]) {
      expect(new SecretBox([text]).open(box.seal('s'))).toBe('s');
    }
  });

  it.each(['', 'password', 'a'.repeat(63), 'a'.repeat(44)])('take no weak key: %j', (text) => {
    expect(() => new SecretBox([text])).toThrow(SecretError);
  });

  it('need a key', () => {
    const empty = new SecretBox([]);
    expect(empty.hasKey).toBe(false);
    expect(() => empty.seal('x')).toThrow(SecretError);
    expect(() => empty.open(box.seal('x'))).toThrow(SecretError);
  });

  it('are not in the error', () => {
    try {
      new SecretBox([generateSecretKey()]).open(box.seal('hunter2'));
    } catch (error) {
      expect(String(error)).not.toContain('hunter2');
    }
  });
});

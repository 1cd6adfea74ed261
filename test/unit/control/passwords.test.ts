import { describe, expect, it } from 'vitest';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { derivePbxPassword, generatePassword } from '../../../src/control/trunks/passwords.js';

describe('passwords', () => {
  it('are random and without look-alikes', () => {
    const passwords = Array.from({ length: 200 }, () => generatePassword(16));
    expect(new Set(passwords).size).toBe(200);
    const used = new Set(passwords.join(''));
    expect(used.size).toBeGreaterThan(50);
    for (const character of '0Oo1lI"\'\\@:;<>% ') expect(used.has(character)).toBe(false);
  });

  it('for a PBX depend on the key, the organization and both credentials, and on nothing else', () => {
    const key = generateSecretKey();
    const credentials = { username: 'acme', password: 'correct horse' };
    const derived = derivePbxPassword(key, 'org_1', credentials);
    expect(derived).toMatch(/^[A-HJ-NP-Za-kmnp-z2-9]{32}$/);
    expect(derivePbxPassword(key, 'org_1', { ...credentials })).toBe(derived);
    const altered = [
      derivePbxPassword(generateSecretKey(), 'org_1', credentials),
      derivePbxPassword(key, 'org_2', credentials),
      derivePbxPassword(key, 'org_1', { ...credentials, username: 'acm' }),
      derivePbxPassword(key, 'org_1', { username: 'acm', password: 'ecorrect horse' }),
      derivePbxPassword(key, 'org_1', { ...credentials, password: 'correct horsf' }),
    ];
    expect(new Set([derived, ...altered]).size).toBe(6);
  });

  it('for a PBX need a key', () => {
    expect(() => derivePbxPassword(undefined, 'org_1', { username: 'a', password: '12345678' })).toThrow(
      expect.objectContaining({ code: 'SECRET_KEY_MISSING' }),
    );
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CallGrant, readCallToken, signCallToken } from '../../../src/contract/call-token.js';
import { maximumKnowledgeBases } from '../../../src/contract/number.js';
import { generateSecretKey, SecretBox, SecretError } from '../../../src/contract/secret.js';

const key = generateSecretKey();
const secrets = new SecretBox([key]);
const now = Date.parse('2026-11-22T12:00:00Z');
const inAnHour = now / 1_000 + 3_600;

const least: CallGrant = {
  organization: 'org_1',
  callId: randomUUID(),
  knowledgeIds: [],
  expiresAt: inAnHour,
};
const whole: CallGrant = {
  ...least,
  persona: { id: randomUUID(), version: 7 },
  pathway: { id: randomUUID(), version: 12 },
  contactId: randomUUID(),
  knowledgeIds: [randomUUID(), randomUUID()],
};

describe('the token of a call', () => {
  it.each([
    ['a call alone', least],
    ['a persona', { ...least, persona: whole.persona! }],
    ['a pathway', { ...least, pathway: whole.pathway! }],
    ['a contact', { ...least, contactId: whole.contactId! }],
    ['knowledge', { ...least, knowledgeIds: whole.knowledgeIds }],
    ['all of them', whole],
  ])('grants what was signed: %s', (_, grant) => {
    expect(readCallToken(secrets, signCallToken(secrets, grant), now)).toEqual(grant);
  });

  it('fits a header with the most knowledge bases, and needs no quotes there', () => {
    const knowledgeIds = Array.from({ length: maximumKnowledgeBases }, () => randomUUID());
    const token = signCallToken(secrets, { ...whole, organization: 'o'.repeat(64), knowledgeIds });
    expect(token.length).toBeLessThan(1_700);
    expect(token).toMatch(/^[A-Za-z0-9._-]+$/);
    expect(readCallToken(secrets, token, now)).toMatchObject({ knowledgeIds });
  });

  it('is refused when any character of it was changed', () => {
    const token = signCallToken(secrets, whole);
    for (let index = 0; index < token.length; index++) {
      const replacement = token[index] === 'A' ? 'B' : 'A';
      const forged = `${token.slice(0, index)}${replacement}${token.slice(index + 1)}`;
      const read = readCallToken(secrets, forged, now);
      // The last characters of a base64url text may hold bits that stand for nothing.
      if (read !== 'invalid') expect(Buffer.from(forged.split('.')[3]!, 'base64url')).toEqual(mac(token));
    }
  });

  it('is refused with the signature of another call', () => {
    const [claims, ids] = signCallToken(secrets, whole).split('.');
    const [, , keyId, signature] = signCallToken(secrets, least).split('.');
    expect(readCallToken(secrets, [claims, ids, keyId, signature].join('.'), now)).toBe('invalid');
  });

  it('is refused from its expiry on', () => {
    const token = signCallToken(secrets, whole);
    expect(readCallToken(secrets, token, inAnHour * 1_000 - 1)).toEqual(whole);
    expect(readCallToken(secrets, token, inAnHour * 1_000)).toBe('expired');
  });

  it('is refused with another key, and accepted while its key is the previous one', () => {
    const token = signCallToken(secrets, whole);
    expect(readCallToken(new SecretBox([generateSecretKey()]), token, now)).toBe('invalid');
    expect(readCallToken(new SecretBox([generateSecretKey(), key]), token, now)).toEqual(whole);
    expect(readCallToken(new SecretBox([]), token, now)).toBe('invalid');
  });

  it('is not what the same key signed for another purpose', () => {
    const [claims, ids] = signCallToken(secrets, whole).split('.');
    const forged = secrets.sign('another purpose', `${claims}.${ids}`);
    expect(readCallToken(secrets, `${claims}.${ids}.${forged}`, now)).toBe('invalid');
  });

  it.each(['', '.', 'a.b.c.d', `${'a'.repeat(9_000)}`, '\r\n'])('is not %j', (text) => {
    expect(readCallToken(secrets, text, now)).toBe('invalid');
  });

  it('is not signed without a key, with more knowledge than allowed, or with an id that is no UUID', () => {
    const ids = Array.from({ length: maximumKnowledgeBases + 1 }, () => randomUUID());
    expect(() => signCallToken(new SecretBox([]), least)).toThrow(SecretError);
    expect(() => signCallToken(secrets, { ...least, knowledgeIds: ids })).toThrow(SecretError);
    expect(() => signCallToken(secrets, { ...least, knowledgeIds: ['KB-1'] })).toThrow(SecretError);
  });

  it.each<[string, Partial<CallGrant>]>([
    ['no organization', { organization: '' }],
    ['a long organization', { organization: 'o'.repeat(65) }],
    ['a call that is no UUID', { callId: 'c1' }],
    ['a persona that is no UUID', { persona: { id: 'p1', version: 1 } }],
    ['a persona without version', { persona: { id: randomUUID(), version: 0 } }],
    ['a version too large for the database', { persona: { id: randomUUID(), version: 2_147_483_648 } }],
    ['a version with a fraction', { persona: { id: randomUUID(), version: 1.5 } }],
    ['a contact that is no UUID', { contactId: 'k1' }],
    ['no expiry', { expiresAt: 0 }],
    ['an expiry with a fraction', { expiresAt: inAnHour + 0.5 }],
  ])('is not signed for %s', (_, fields) => {
    expect(() => signCallToken(secrets, { ...whole, ...fields })).toThrow(SecretError);
  });

  it('is signed up to the bounds', () => {
    const grant = {
      ...whole,
      organization: 'o'.repeat(64),
      persona: { id: randomUUID(), version: 2_147_483_647 },
    };
    expect(readCallToken(secrets, signCallToken(secrets, grant), now)).toEqual(grant);
  });
});

const mac = (token: string): Buffer => Buffer.from(token.split('.')[3]!, 'base64url');

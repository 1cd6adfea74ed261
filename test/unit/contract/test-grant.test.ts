import { describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../src/contract/secret.js';
import {
  readTestGrant,
  signTestGrant,
  type TestGrant,
  testCallee,
} from '../../../src/contract/test-grant.js';

const secrets = new SecretBox([generateSecretKey()]);
const grant: TestGrant = {
  organization: 'acme',
  run_id: 'run-1',
  sip_call_id: 'call-1',
  number: '14155550100',
  agent_uri: null,
  persona: null,
  expires_at: 1_000,
};
const inTime = 999_999;

describe('the grant of a test call', () => {
  it('is read until it expires', () => {
    const token = signTestGrant(secrets, grant);
    expect(readTestGrant(secrets, token, inTime)).toMatchObject(grant);
    expect(readTestGrant(secrets, token, 1_000_000)).toBe('expired');
  });

  it.each([
    ['another key', () => signTestGrant(new SecretBox([generateSecretKey()]), grant)],
    ['a changed text', () => `A${signTestGrant(secrets, grant)}`],
    ['no signature', () => signTestGrant(secrets, grant).split('.')[0]!],
    ['no text', () => `.${signTestGrant(secrets, grant).split('.').slice(1).join('.')}`],
    ['nothing', () => ''],
    ['a text for another purpose', () => signed('call token', JSON.stringify(grant))],
    ['what is no JSON', () => signed('agent test', 'nonsense')],
    ['what is no grant', () => signed('agent test', '{}')],
  ])('is invalid with %s', (_what, token) => {
    expect(readTestGrant(secrets, token(), inTime)).toBe('invalid');
  });

  it('names the number, or the organization of an agent without one', () => {
    expect(testCallee(grant)).toEqual({ number: '14155550100', uriParameters: '' });
    expect(testCallee({ number: null, organization: 'a;b' })).toEqual({
      number: '000',
      uriParameters: ';organization=a%3Bb',
    });
  });
});

function signed(purpose: string, json: string): string {
  const text = Buffer.from(json).toString('base64url');
  return `${text}.${secrets.sign(purpose, text)}`;
}

import { describe, expect, it } from 'vitest';
import { callTokenHeader, maximumGraceSeconds, readCallToken } from '../../../../src/contract/call-token.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { tokenHeader } from '../../../../src/edge/call/agent-token.js';

const secrets = new SecretBox([generateSecretKey()]);
const callId = '5d7ff3c2-0d1a-4d2c-9c1f-2c2d8a1f8f10';
const maximumSeconds = 7_200;
const settings = { call: { agentAnswerSeconds: 30, ringSeconds: 60 } };

const headerOf = (organization: string | null, box = secrets): Record<string, string> =>
  tokenHeader(
    {
      state: { id: callId, organization, maximumSeconds },
      deps: { secrets: box, settings },
      log: { warn: () => {} },
    } as never,
    {},
    undefined,
  );

describe('the token that an agent gets', () => {
  it('is valid for the longest call and the longest time after it, and then expires', () => {
    const before = Math.ceil(Date.now() / 1_000);
    const token = headerOf('org')[callTokenHeader]!;
    const longest = 30 + 60 + maximumSeconds + maximumGraceSeconds;
    expect(readCallToken(secrets, token, (before + longest - 1) * 1_000)).toMatchObject({ callId });
    expect(readCallToken(secrets, token, (before + longest + 10) * 1_000)).toBe('expired');
  });

  it('is absent for a call of no organization, and without a key to sign it', () => {
    expect(headerOf(null)).toEqual({});
    expect(headerOf('org', new SecretBox([]))).toEqual({});
  });
});

import { describe, expect, it, vi } from 'vitest';
import { callTokenHeader, maximumGraceSeconds, readCallToken } from '../../../../src/contract/call-token.js';
import { maximumKnowledgeBases } from '../../../../src/contract/number.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { type AgentKnowledge, knowledgeOf, tokenHeader } from '../../../../src/edge/call/agent-token.js';

const secrets = new SecretBox([generateSecretKey()]);
const callId = '5d7ff3c2-0d1a-4d2c-9c1f-2c2d8a1f8f10';
const maximumSeconds = 7_200;
const settings = { call: { agentAnswerSeconds: 30, ringSeconds: 60 } };

const personaId = '0b0e8f0a-52a5-4c3f-8b1b-6a4f6a0c1d11';
const pathwayId = '1b0e8f0a-52a5-4c3f-8b1b-6a4f6a0c1d12';
const contactId = '2b0e8f0a-52a5-4c3f-8b1b-6a4f6a0c1d13';
const knowledgeId = '3b0e8f0a-52a5-4c3f-8b1b-6a4f6a0c1d14';

const headerOf = (
  organization: string | null,
  box: Pick<SecretBox, 'hasKey' | 'sign'> = secrets,
  knowledge: AgentKnowledge = {},
  contact?: string,
  warn: () => void = () => {},
): Record<string, string> =>
  tokenHeader(
    {
      state: { id: callId, organization, maximumSeconds },
      deps: { secrets: box, settings },
      log: { warn },
    } as never,
    knowledge,
    contact,
  );

const grantOf = (knowledge: AgentKnowledge, contact?: string) =>
  readCallToken(secrets, headerOf('org', secrets, knowledge, contact)[callTokenHeader]!, Date.now());

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

  it('names the persona and the pathway with their versions, the contact and the knowledge bases', () => {
    const persona = { id: personaId, version: 3 };
    const pathway = { id: pathwayId, version: 4 };
    expect(grantOf({ persona, pathway, knowledgeIds: [knowledgeId] }, contactId)).toMatchObject({
      persona,
      pathway,
      contactId,
      knowledgeIds: [knowledgeId],
    });
  });

  it('names no subject without an id or a version, and no contact when there is none', () => {
    const grant = grantOf({
      persona: { id: personaId, version: undefined },
      pathway: { id: undefined, version: 1 },
    });
    expect(grant).toMatchObject({ organization: 'org', knowledgeIds: [] });
    for (const field of ['persona', 'pathway', 'contactId']) expect(grant).not.toHaveProperty(field);
  });

  it('is absent, with a warning, for an id that no token can hold', () => {
    const warn = vi.fn();
    const persona = { id: 'receptionist', version: 1 };
    expect(headerOf('org', secrets, { persona }, undefined, warn)).toEqual({});
    expect(warn).toHaveBeenCalledOnce();
  });

  it('throws what is no fault of the token', () => {
    const box = {
      hasKey: true,
      sign: () => {
        throw new RangeError('broken');
      },
    };
    expect(() => headerOf('org', box)).toThrow(RangeError);
  });
});

describe('what the agent of an inbound call knows', () => {
  const document = { voice: 'alloy', pathway_knowledge_ids: ['b', 'c'] };

  it('has each knowledge base of the persona and of the pathway once, the persona’s first', () => {
    const persona = { id: personaId, version: 1, knowledge_ids: ['a', 'b'] };
    expect(knowledgeOf({ ...document, persona } as never)).toMatchObject({
      persona,
      voice: 'alloy',
      knowledgeIds: ['a', 'b', 'c'],
    });
    expect(knowledgeOf({ voice: undefined } as never).knowledgeIds).toEqual([]);
  });

  it('has as many knowledge bases as a token can hold', () => {
    const ids = Array.from({ length: maximumKnowledgeBases + 5 }, (_, index) => `${index}`);
    const { knowledgeIds } = knowledgeOf({ pathway_knowledge_ids: ids } as never);
    expect(knowledgeIds).toEqual(ids.slice(0, maximumKnowledgeBases));
  });
});

import { describe, expect, it } from 'vitest';
import type { CallCommand } from '../../../../src/contract/commands.js';
import { maximumKnowledgeBases } from '../../../../src/contract/number.js';
import { generateSecretKey, SecretBox, streamPlace } from '../../../../src/contract/secret.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import {
  type LivePersona,
  numberAgent,
  pathwayOf,
  requireFewBases,
  requireLive,
  withVersions,
} from '../../../../src/control/personas/call-agent.js';

const persona = (fields: Partial<LivePersona> = {}): LivePersona => ({
  id: 'p1',
  version: 3,
  kbIds: [],
  pathway: undefined,
  voice: undefined,
  agent: null,
  ...fields,
});
const pathway = (...knowledgeIds: string[]) => ({ id: 'w1', version: 7, knowledgeIds });
const bases = (count: number, prefix = 'kb') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
type Command = Omit<CallCommand, 'expires_at'>;
const command = (fields: Partial<Command> = {}): Command =>
  ({ id: 'c1', organization: 'acme', ...fields }) as Command;

const faultOf = (act: () => void) => {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidRequest) return error.faults[0];
    throw error;
  }
  return undefined;
};

describe('the persona of an order', () => {
  it('may be missing', () => {
    expect(faultOf(() => requireLive({ personaId: undefined, path: '' }, undefined))).toBeUndefined();
  });

  it('must exist', () => {
    expect(faultOf(() => requireLive({ personaId: 'P9', path: 'calls.3.' }, undefined))).toEqual({
      error: 'VALIDATION_ERROR',
      path: 'calls.3.persona_id',
      message: 'P9 is not one of your personas, or is deleted.',
    });
  });

  it('must have been promoted', () => {
    expect(
      faultOf(() => requireLive({ personaId: 'p1', path: '' }, persona({ version: null }))),
    ).toMatchObject({
      path: 'persona_id',
      message:
        'The persona p1 has no live version: promote its draft first (POST /v1/personas/p1/versions/promote).',
    });
    expect(faultOf(() => requireLive({ personaId: 'p1', path: '' }, persona()))).toBeUndefined();
  });
});

describe('the knowledge of an order', () => {
  it('may come from persona, pathway and tools, each base once', () => {
    const most = bases(maximumKnowledgeBases);
    expect(faultOf(() => requireFewBases('', most, most, most))).toBeUndefined();
    expect(faultOf(() => requireFewBases('', [], [], []))).toBeUndefined();
  });

  it('is limited together', () => {
    const most = bases(maximumKnowledgeBases);
    expect(faultOf(() => requireFewBases('calls.0.', most, ['one more'], []))).toMatchObject({
      path: 'calls.0.tools',
      message: `The persona, the pathway and tools name ${maximumKnowledgeBases + 1} knowledge bases together; a call can have at most ${maximumKnowledgeBases}.`,
    });
  });
});

describe('the pathway of a call', () => {
  it.each<[string, Partial<Command>, LivePersona | undefined, object | undefined]>([
    ['none', {}, undefined, undefined],
    ['none, of a persona without one', {}, persona(), undefined],
    [
      'that of the persona',
      {},
      persona({ pathway: { id: 'w2', version: 4 } }),
      { organizationId: 'acme', id: 'w2', version: 4 },
    ],
    [
      'the order’s own',
      { pathway_id: 'w1', pathway_version: 2 },
      persona({ pathway: { id: 'w2', version: 4 } }),
      { organizationId: 'acme', id: 'w1', version: 2 },
    ],
    [
      'the live version of the order’s own',
      { pathway_id: 'w1' },
      undefined,
      { organizationId: 'acme', id: 'w1', version: null },
    ],
  ])('is %s', (_, fields, of, expected) => {
    expect(pathwayOf(command(fields), of)).toEqual(expected);
  });
});

describe('a command with what is live', () => {
  it('stays as it is without persona and pathway', () => {
    expect(withVersions(command(), undefined, undefined, [])).toEqual(command());
  });

  it('names the versions, the voice and the knowledge, each base once', () => {
    const given = command({ knowledge_ids: ['k3', 'k1'] });
    const live = persona({ kbIds: ['k1', 'k2'], voice: 'alto' });
    expect(withVersions(given, live, pathway('k2', 'k4'), [])).toEqual({
      ...given,
      persona_id: 'p1',
      persona_version: 3,
      pathway_id: 'w1',
      pathway_version: 7,
      voice: 'alto',
      knowledge_ids: ['k1', 'k2', 'k4', 'k3'],
    });
  });

  it('has as much knowledge as a call can have, the persona’s first', () => {
    const live = persona({ kbIds: bases(maximumKnowledgeBases - 1, 'p') });
    const made = withVersions(command({ knowledge_ids: ['own'] }), live, pathway('w-0', 'w-1'), []);
    expect(made.knowledge_ids).toHaveLength(maximumKnowledgeBases);
    expect(made.knowledge_ids?.at(-1)).toBe('w-0');
  });

  it('keeps its own voice and agent', () => {
    const live = persona({ voice: 'alto', agent: { endpoint: 'sip:persona.example' } });
    const given = command({ voice: 'bass', agent_uri: 'sip:own.example' });
    expect(withVersions(given, live, undefined, [])).toMatchObject({
      voice: 'bass',
      agent_uri: 'sip:own.example',
    });
  });

  it('gets the agent of the persona', () => {
    const live = persona({ agent: { endpoint: 'sip:persona.example' } });
    expect(withVersions(command(), live, undefined, [])).toMatchObject({
      agent_uri: 'sip:persona.example;transport=tcp',
    });
    const sealed = new SecretBox([generateSecretKey()]).seal('secret', streamPlace('acme'));
    const streamed = persona({ agent: { endpoint: 'wss://bot.example/stream' } });
    expect(withVersions(command(), streamed, undefined, [sealed])).toMatchObject({
      agent_uri: 'wss://bot.example/stream',
      stream: { url: 'wss://bot.example/stream', signing_secrets: [sealed] },
    });
  });

  it('gets nothing from a persona that was never promoted', () => {
    const draft = persona({
      version: null,
      kbIds: ['k1'],
      voice: 'alto',
      agent: { endpoint: 'sip:a.example' },
    });
    expect(withVersions(command(), draft, undefined, [])).toEqual(command());
  });
});

describe('the agent of a number', () => {
  const answering = {
    id: 'p1',
    version: 3,
    knowledge: ['k1'],
    voice: 'alto',
    agent: { endpoint: 'sip:a.example' },
  };

  it('has the live persona and the pathway', () => {
    expect(numberAgent(answering, pathway('k2'))).toEqual({
      persona: { id: 'p1', version: 3, knowledge_ids: ['k1'] },
      voice: 'alto',
      pathway: { id: 'w1', version: 7 },
      pathway_knowledge_ids: ['k2'],
      agent: { endpoint: 'sip:a.example' },
    });
  });

  it('leaves out what is not set', () => {
    expect(numberAgent({ ...answering, knowledge: [], voice: null, agent: null }, pathway())).toEqual({
      persona: { id: 'p1', version: 3 },
      pathway: { id: 'w1', version: 7 },
      agent: null,
    });
    expect(numberAgent(undefined, undefined)).toEqual({ agent: null });
  });

  it('has as much knowledge of the pathway as a call can have', () => {
    const made = numberAgent(undefined, pathway(...bases(maximumKnowledgeBases + 1)));
    expect(made.pathway_knowledge_ids).toEqual(bases(maximumKnowledgeBases));
  });
});

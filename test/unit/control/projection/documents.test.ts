import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { NumberDocument } from '../../../../src/contract/number.js';
import { SecretBox } from '../../../../src/contract/secret.js';
import { storedStream } from '../../../../src/control/numbers/agent-streams.js';
import { answeredBy, problemsOf, projectedOf } from '../../../../src/control/projection/documents.js';

const document = { number: '1', organization: 'org_1' } as NumberDocument;

describe('what is written to Redis', () => {
  it('is the document of each number, with its revision', () => {
    const written = projectedOf(
      [
        { number: '1', revision: '7' },
        { number: '2', revision: '3' },
        { number: '3', revision: '9' },
      ],
      {
        documents: new Map([
          ['1', document],
          ['2', undefined],
        ]),
        unusable: [],
      },
    );
    expect(written).toEqual([
      { number: '1', revision: 7, document },
      { number: '2', revision: 3, document: undefined },
      { number: '3', revision: 9, document: 'keep' },
    ]);
  });
});

describe('why a document cannot be used', () => {
  it('names the fields, and not their values', () => {
    const { error } = z
      .object({ inbound: z.array(z.object({ id: z.string() })), limits: z.object({}) })
      .safeParse({ inbound: [{ id: 4711 }] });
    const text = problemsOf(error!);
    expect(text).toMatch(/^inbound\.0\.id: .*; limits: /);
    expect(text).not.toContain('4711');
  });
});

describe('calls to a persona', () => {
  const inbound = [
    {
      id: 'cfg_1',
      allowed_sources: ['203.0.113.7'],
      credentials: [],
      headers: [],
      agent_uri: 'sip:old.example.com',
      agents: { strategy: 'ring_all', uris: ['sip:a', 'sip:b'] },
      streams: [{ url: 'wss://old.example.com' }],
    },
  ] as unknown as NumberDocument['inbound'];
  const answered = (agent: Parameters<typeof answeredBy>[1], signing: [string, string[]][] = []) =>
    answeredBy({ inbound, organization: 'org_1' }, agent, new Map(signing));

  it('are answered by its agent in place of those of the direction', () => {
    expect(answered({ endpoint: 'agent.example.com' })).toEqual([
      {
        id: 'cfg_1',
        allowed_sources: ['203.0.113.7'],
        credentials: [],
        headers: [],
        agent_uri: 'sip:agent.example.com;transport=tcp',
      },
    ]);
  });

  it('are signed for its WebSocket agent with the secrets of the organization', () => {
    const stream = storedStream(
      { type: 'websocket', url: 'wss://bot.example.com' },
      new SecretBox([]),
      'org_1',
    );
    const [configuration] = answered({ endpoint: 'wss://bot.example.com', stream }, [
      ['org_1', ['v1:key:new']],
      ['org_2', ['v1:key:other']],
    ]);
    expect(configuration).toMatchObject({
      agent_uri: 'wss://bot.example.com',
      streams: [{ url: 'wss://bot.example.com', signing_secrets: ['v1:key:new'] }],
    });
    expect('agents' in configuration!).toBe(false);
  });
});

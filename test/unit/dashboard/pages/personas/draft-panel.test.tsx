import { describe, expect, it } from 'vitest';
import type { Persona } from '../../../../../src/dashboard/api/personas.js';
import { written } from '../../../../../src/dashboard/api/request.js';
import {
  type DraftFields,
  DraftPanel,
  draftFields,
  draftRequests,
} from '../../../../../src/dashboard/pages/personas/draft-panel.js';
import { rendered } from '../../rendered.js';

const bot = {
  type: 'websocket',
  url: 'wss://bot.example.com/stream',
  format: 'pcm',
  sample_rate: 24_000,
  preamble: 'demarc',
  parameters: { tenant: 'blue' },
  headers: { Authorization: '[redacted]' },
  answer_on: 'start',
  comfort_tone: false,
  fallback: null,
} as const;

const personaWith = (agent: unknown): Persona =>
  ({
    id: 'p1',
    current_draft_version: null,
    current_production_version: {
      kb_ids: ['k1'],
      orchestration_prompt: 'Help.',
      personality_prompt: null,
      agent,
    },
  }) as unknown as Persona;

function bodyOf(before: DraftFields, draft: DraftFields): unknown {
  const [request] = draftRequests('p1', before, draft);
  if (request === undefined) return undefined;
  const { method, path, body } = written(request.request);
  expect([method, path]).toEqual(['PATCH', '/v1/personas/p1']);
  return JSON.parse(body!);
}

describe('the draft of a persona', () => {
  it('shows every setting of its WebSocket server', () => {
    const { html, text } = rendered(
      <DraftPanel persona={personaWith(bot)} bases={[]} onChanged={() => {}} />,
    );
    for (const value of [bot.url, 'tenant: blue', 'Authorization: [redacted]']) expect(html).toContain(value);
    for (const label of ['URL', 'Messages', 'Sample rate', 'First message', 'Fallback', 'signing secret'])
      expect(text).toContain(label);
  });

  it('sends only what differs, and the agent as a whole', () => {
    const before = draftFields(personaWith(bot));
    expect(bodyOf(before, before)).toBeUndefined();
    expect(bodyOf(before, { ...before, personality_prompt: 'Calm.' })).toEqual({
      personality_prompt: 'Calm.',
    });
    const agent = { ...(before.agent as object), parameters: { tenant: 'red' } };
    const { fallback: _, ...sent } = bot;
    expect(bodyOf(before, { ...before, agent })).toEqual({
      agent: { ...sent, parameters: { tenant: 'red' } },
    });
  });

  it('sends a pathway together with its version, and the voice', () => {
    const before = draftFields(personaWith(null));
    const named = { ...before, pathway_id: 'p', pathway_version: 2 };
    expect(bodyOf(before, named)).toEqual({ pathway_id: 'p', pathway_version: 2 });
    expect(bodyOf(named, { ...named, pathway_id: 'q', pathway_version: undefined })).toEqual({
      pathway_id: 'q',
      pathway_version: null,
    });
    expect(bodyOf(named, { ...named, pathway_id: undefined })).toEqual({
      pathway_id: null,
      pathway_version: null,
    });
    expect(bodyOf(before, { ...before, voice: ' alto ' })).toEqual({ voice: 'alto' });
  });

  it('removes headers that are emptied, and the agent', () => {
    const before = draftFields(personaWith(bot));
    const bare = { ...(before.agent as object), headers: undefined };
    expect(bodyOf(before, { ...before, agent: bare })).toMatchObject({ agent: { headers: {} } });
    expect(bodyOf(before, { ...before, agent: undefined })).toEqual({ agent: null });
  });

  it('takes a URL alone for a WebSocket server, and a SIP URI as it is', () => {
    expect(draftFields(personaWith(bot.url)).agent).toEqual({ type: 'websocket', url: bot.url });
    expect(draftFields(personaWith('sip:agent.example.com')).agent).toBe('sip:agent.example.com');
  });
});

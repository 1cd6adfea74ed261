import { expect, it } from 'vitest';
import { factsOf } from '../../../../../src/dashboard/pages/personas/version-facts.js';
import { rendered } from '../../rendered.js';

const factOf = (name: string, fields: object) => {
  const version = {
    kb_ids: [],
    agent: null,
    promoted_at: null,
    orchestration_prompt: null,
    personality_prompt: null,
    pathway_id: null,
    pathway_version: null,
    voice: null,
    ...fields,
  };
  const fact = factsOf(version as never, new Map()).find(([title]) => title === name)!;
  return rendered(<p>{fact[1]}</p>);
};

it.each([
  ['Promoted', 'Unknown'],
  ['What the agent does', 'Not set'],
  ['How the agent speaks', 'Not set'],
  ['Pathway', 'That of the number, or none'],
  ['Voice', 'Not set'],
])('says what is not set: %s', (name, text) => expect(factOf(name, {}).text).toBe(text));

it('leads to the pathway, in its live or a named version', () => {
  const live = factOf('Pathway', { pathway_id: 'w1' });
  expect([live.text, live.elements('a')[0]!.href]).toEqual(['Live version', '/pathways/w1']);
  expect(factOf('Pathway', { pathway_id: 'w1', pathway_version: 3 }).text).toBe('Version 3');
});

it('shows what is set', () => {
  expect(factOf('Voice', { voice: 'alloy' }).text).toBe('alloy');
  expect(factOf('What the agent does', { orchestration_prompt: 'Books.' }).text).toBe('Books.');
  expect(factOf('Promoted', { promoted_at: '2026-11-20T10:00:00Z' }).text).toContain('20 Nov');
});

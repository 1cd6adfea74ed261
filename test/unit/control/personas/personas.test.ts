import { describe, expect, it } from 'vitest';
import type { Persona, VersionRow, WholeContent } from '../../../../src/control/personas/persona-storage.js';
import { changedContent, descriptionColumns } from '../../../../src/control/personas/persona-storage.js';
import { personaView, versionView } from '../../../../src/control/personas/persona-view.js';
import { promotedEvent } from '../../../../src/control/personas/promotion.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 9, minute));

const content: WholeContent = {
  orchestration_prompt: 'Book appointments.',
  personality_prompt: 'Be brief.',
  agent: { endpoint: 'sip:a.example' },
  pathway_id: 'w1',
  pathway_version: 4,
  voice: 'alto',
  kb_ids: ['k1'],
};

describe('a change of what calls get', () => {
  it('keeps what is left out', () => {
    expect(changedContent(content, {})).toEqual(content);
    expect(changedContent(content, { voice: undefined, kb_ids: undefined, agent: undefined })).toEqual(
      content,
    );
  });

  it('sets and clears what is named', () => {
    expect(changedContent(content, { voice: null, kb_ids: [], personality_prompt: 'Be kind.' })).toEqual({
      ...content,
      voice: null,
      kb_ids: [],
      personality_prompt: 'Be kind.',
    });
  });

  it.each([
    [{ pathway_id: 'w2' }, 'w2', null],
    [{ pathway_id: 'w2', pathway_version: 1 }, 'w2', 1],
    [{ pathway_id: null }, null, null],
    [{ pathway_version: 5 }, 'w1', 5],
    [{ pathway_version: null }, 'w1', null],
  ])('%j follows %s in version %s', (change, id, version) => {
    expect(changedContent(content, change)).toMatchObject({ pathway_id: id, pathway_version: version });
  });

  it('seals an agent beside the present one, or clears it', () => {
    const seal = (present: WholeContent['agent']) => ({ endpoint: `beside ${present?.endpoint}` });
    expect(changedContent(content, { agent: seal }).agent).toEqual({ endpoint: 'beside sip:a.example' });
    expect(changedContent(content, { agent: null }).agent).toBeNull();
  });
});

describe('the description of a persona', () => {
  it('is stored with lists and objects as JSON', () => {
    expect(descriptionColumns({ name: 'Ada', tags: ['a', 'b'], metadata: { site: 1 } })).toEqual({
      name: 'Ada',
      tags: '["a","b"]',
      metadata: '{"site":1}',
    });
    expect(descriptionColumns({ metadata: null, role: null })).toEqual({ metadata: null, role: null });
    expect(descriptionColumns({})).toEqual({});
  });
});

const version = (fields: Partial<VersionRow> = {}): VersionRow => ({
  ...content,
  kb_ids: ['k1'],
  id: 'v1',
  organization_id: 'acme',
  persona_id: 'p1',
  version_number: 2,
  state: 'production',
  revision: 3,
  created_at: at(0),
  updated_at: at(1),
  promoted_at: at(2),
  promoted_by: 'key_1',
  ...fields,
});

describe('a persona in the API', () => {
  const persona = (fields: Partial<Persona> = {}): Persona =>
    ({
      subject: {
        id: 'p1',
        name: 'Ada',
        role: 'Reception',
        description: null,
        tags: ['front'],
        metadata: { site: 1 },
        created_at: at(0),
        updated_at: at(5),
      },
      numbers: ['14155550100', '442079460958'],
      production: version(),
      draft: version({ id: 'v2', state: 'draft', version_number: 3, promoted_at: null, promoted_by: null }),
      promotion: undefined,
      ...fields,
    }) as Persona;

  it('names its numbers and both versions', () => {
    expect(personaView(persona())).toMatchObject({
      id: 'p1',
      name: 'Ada',
      role: 'Reception',
      description: null,
      tags: ['front'],
      metadata: { site: 1 },
      inbound_numbers: ['+14155550100', '+442079460958'],
      current_production_version_id: 'v1',
      current_draft_version_id: 'v2',
      current_production_version: { id: 'v1', version_type: 'production', version_number: 2 },
      current_draft_version: { id: 'v2', version_type: 'draft', version_number: 3 },
      promotion: null,
      created_at: '2026-11-27T09:00:00.000Z',
      updated_at: '2026-11-27T09:05:00.000Z',
    });
  });

  it('has null for a version that it does not have', () => {
    expect(personaView(persona({ production: undefined, draft: undefined }))).toMatchObject({
      current_production_version_id: null,
      current_draft_version_id: null,
      current_production_version: null,
      current_draft_version: null,
    });
  });

  it('has everything of a version that calls get', () => {
    expect(versionView(version())).toEqual({
      id: 'v1',
      persona_id: 'p1',
      version_type: 'production',
      version_number: 2,
      orchestration_prompt: 'Book appointments.',
      personality_prompt: 'Be brief.',
      kb_ids: ['k1'],
      agent: 'sip:a.example',
      pathway_id: 'w1',
      pathway_version: 4,
      voice: 'alto',
      created_at: '2026-11-27T09:00:00.000Z',
      updated_at: '2026-11-27T09:01:00.000Z',
      promoted_at: '2026-11-27T09:02:00.000Z',
      promoted_by: 'key_1',
    });
    expect(versionView(version({ agent: null })).agent).toBeNull();
  });

  it('has an event for each version that becomes live', () => {
    const event = promotedEvent(version());
    expect(event).toMatchObject({
      organizationId: 'acme',
      subject: 'p1',
      event: 'persona.promoted',
      occurred_at: '2026-11-27T09:02:00.000Z',
      sequence: 2,
      data: { id: 'v1' },
    });
    expect(promotedEvent(version({ promoted_at: at(9) })).event_id).toBe(event.event_id);
    expect(promotedEvent(version({ id: 'v2' })).event_id).not.toBe(event.event_id);
  });
});

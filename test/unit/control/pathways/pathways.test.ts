import { describe, expect, it } from 'vitest';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import { pathwayDocumentSchema } from '../../../../src/control/pathways/document.js';
import { refuseInvalidNodes } from '../../../../src/control/pathways/document-input.js';
import { knowledgeOf } from '../../../../src/control/pathways/followed-pathways.js';
import { usersOf } from '../../../../src/control/pathways/followers.js';
import {
  type Pathway,
  type PathwayVersionRow,
  requireRevision,
} from '../../../../src/control/pathways/pathway-storage.js';
import { pathwayVersionView, pathwayView } from '../../../../src/control/pathways/pathway-view.js';
import { promotedEvent } from '../../../../src/control/pathways/promotion.js';
import { DemarcError } from '../../../../src/errors.js';
import { written } from './sample-document.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 9, minute));

const faultsOf = async (act: () => unknown): Promise<InvalidRequest['faults']> => {
  try {
    await act();
  } catch (error) {
    if (error instanceof InvalidRequest) return error.faults;
    throw error;
  }
  return [];
};

describe('the pathway of an order', () => {
  const asked = { id: 'W1', version: undefined, path: 'calls.2.' };

  it('gives the knowledge of its nodes', () => {
    const followed = { id: 'w1', version: 3, knowledgeIds: ['k1'] };
    expect(knowledgeOf(asked, true, followed)).toEqual(['k1']);
    expect(knowledgeOf({ ...asked, version: 3 }, true, followed)).toEqual(['k1']);
  });

  it.each<[string, boolean, number | undefined, string, string]>([
    [
      'does not exist',
      false,
      undefined,
      'calls.2.pathway_id',
      'W1 is not one of your pathways, or is deleted.',
    ],
    [
      'does not exist in any version',
      false,
      3,
      'calls.2.pathway_id',
      'W1 is not one of your pathways, or is deleted.',
    ],
    ['has no such version', true, 3, 'calls.2.pathway_version', 'The pathway W1 has no version 3.'],
    [
      'was never promoted',
      true,
      undefined,
      'calls.2.pathway_id',
      'The pathway W1 has no live version: promote one first (POST /v1/pathways/W1/versions/promote), or name a version.',
    ],
  ])('is refused when it %s', async (_, exists, version, path, message) => {
    expect(await faultsOf(() => knowledgeOf({ ...asked, version }, exists, undefined))).toEqual([
      { error: 'VALIDATION_ERROR', path, message },
    ]);
  });
});

describe('what names a pathway', () => {
  const numbers = [
    { number: '14155550100', version: null },
    { number: '14155550101', version: 2 },
  ];
  const personas = [
    { id: 'p1', version: 2 },
    { id: 'p2', version: null },
  ];

  it.each([
    [undefined, ['+14155550100', '+14155550101', 'persona p1', 'persona p2']],
    [2, ['+14155550101', 'persona p1']],
    [3, []],
  ])('in version %s is %j', (version, users) => {
    expect(usersOf(numbers, personas, version)).toEqual(users);
  });
});

describe('the revision of a change', () => {
  const current = { revision: 4, version_number: 2 };

  it.each([
    [current, undefined],
    [current, 4],
    [undefined, 4],
  ])('of %j may be %s', (version, revision) => {
    expect(() => requireRevision(version, revision)).not.toThrow();
  });

  it.each([3, 5, 0])('is not %d when the draft is at 4', (revision) => {
    expect(() => requireRevision(current, revision)).toThrow(DemarcError);
    expect(() => requireRevision(current, revision)).toThrow(`version 2 is at revision 4, not ${revision}`);
  });
});

describe('a document that is refused', () => {
  const refused = (document: unknown) => faultsOf(() => refuseInvalidNodes({ body: { document } }));

  it('is none without a document, or with a valid one', async () => {
    expect(await faultsOf(() => refuseInvalidNodes({ body: {} }))).toEqual([]);
    expect(await faultsOf(() => refuseInvalidNodes({ body: null }))).toEqual([]);
    expect(await faultsOf(() => refuseInvalidNodes({ body: undefined }))).toEqual([]);
    expect(await refused(written)).toEqual([]);
  });

  it('names the node by its id', async () => {
    const nodes = written.nodes.map((node, index) => (index === 1 ? { ...node, name: 7 } : node));
    const [fault] = await refused({ ...written, nodes });
    expect(fault!.path).toBe('document.nodes.1.name');
    expect(fault!.message).toMatch(/^Node lookup: /);
  });

  it('names the edge by its id', async () => {
    const edges = written.edges!.map((edge, index) => (index === 0 ? { ...edge, label: 7 } : edge));
    const [fault] = await refused({ ...written, edges });
    expect(fault!.path).toBe('document.edges.0.label');
    expect(fault!.message).toMatch(/^Edge named: /);
  });

  it('names a long id by its first 64 characters', async () => {
    const [fault] = await refused({
      ...written,
      nodes: [{ ...written.nodes[0], id: 'x'.repeat(100), name: 7 }],
    });
    expect(fault!.message).toMatch(/^Node x{64}: /);
  });

  it('names no node that has no id, and none for other fields', async () => {
    const [ofNode] = await refused({ ...written, nodes: [{ ...written.nodes[0], id: 7 }] });
    expect(ofNode!.message).not.toMatch(/^Node/);
    const [ofStart] = await refused({ ...written, start_node_id: 7 });
    expect(ofStart).toMatchObject({ path: 'document.start_node_id' });
    expect(ofStart!.message).not.toMatch(/^(Node|Edge)/);
    expect((await refused('a text'))[0]!.path).toBe('document');
  });
});

describe('a pathway in the API', () => {
  const version = (fields: Partial<PathwayVersionRow> = {}): PathwayVersionRow => ({
    id: 'v1',
    organization_id: 'acme',
    pathway_id: 'w1',
    version_number: 2,
    state: 'production',
    document: pathwayDocumentSchema.parse(written),
    forked_from: null,
    note: null,
    revision: 5,
    created_at: at(0),
    updated_at: at(1),
    promoted_at: at(2),
    promoted_by: 'key_1',
    ...fields,
  });

  it('has a version with its document and warnings', () => {
    expect(pathwayVersionView(version({ forked_from: 1, note: 'Try' }))).toEqual({
      id: 'v1',
      pathway_id: 'w1',
      version_type: 'production',
      version_number: 2,
      forked_from: 1,
      note: 'Try',
      revision: 5,
      created_at: '2026-11-27T09:00:00.000Z',
      updated_at: '2026-11-27T09:01:00.000Z',
      promoted_at: '2026-11-27T09:02:00.000Z',
      promoted_by: 'key_1',
      document: version().document,
      warnings: [],
    });
  });

  it('names the numbers that follow it, each with its version', () => {
    const pathway = {
      subject: { id: 'w1', name: 'Booking', description: null, created_at: at(0), updated_at: at(3) },
      production: version(),
      draft: undefined,
      promotion: undefined,
    } as unknown as Pathway;
    const numbers = [
      { number: '14155550100', version: null },
      { number: '14155550101', version: 2 },
    ];
    expect(pathwayView(pathway, numbers)).toMatchObject({
      id: 'w1',
      name: 'Booking',
      description: null,
      numbers: [
        { phone_number: '+14155550100', version_number: null },
        { phone_number: '+14155550101', version_number: 2 },
      ],
      current_production_version: { id: 'v1', revision: 5 },
      current_draft_version: null,
    });
    expect(pathwayView(pathway, numbers).current_production_version).not.toHaveProperty('document');
  });

  it('has an event each time a version becomes live, also again', () => {
    const [first, again] = [promotedEvent(version()), promotedEvent(version({ promoted_at: at(9) }))];
    expect(first).toMatchObject({
      organizationId: 'acme',
      subject: 'w1',
      event: 'pathway.promoted',
      occurred_at: '2026-11-27T09:02:00.000Z',
      sequence: at(2).getTime(),
      data: { id: 'v1', version_number: 2 },
    });
    expect(again.event_id).not.toBe(first.event_id);
    expect(again.sequence).toBeGreaterThan(first.sequence);
  });
});

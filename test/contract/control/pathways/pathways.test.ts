import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { forkVersion, pathways } from '../../../../src/control/pathways/index.js';
import { promotePathwayVersion } from '../../../../src/control/pathways/promotion.js';
import { documentedExamples, runCommands } from '../../../support/documented-examples.js';
import { documentWith, written } from '../../../unit/control/pathways/sample-document.js';
import { type Answer, type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';

let bench: ControlBench;
let api: ApiUnderTest;
let key: string;
let otherKey: string;

beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench, { DEMARC_WEBHOOK_ALLOW_PRIVATE: 'true' });
  const { id: strangerId } = await createOrganization(bench.database, { name: 'other', sipEnabled: true });
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ key: otherKey } = await createKey(bench.database, strangerId, 'test'));
});
afterAll(async () => {
  await api?.stop();
  await bench?.stop();
});

const dataOf = (answer: Answer) => {
  expect(answer.text).toContain('"errors":null');
  return answer.body.data;
};
const refusal = ({ status, body }: Answer) => ({ status, ...body.errors[0] });
const create = async (document: unknown = written): Promise<string> =>
  dataOf(await api.post('/v1/pathways', key, { name: 'Appointments', document })).id;
const show = async (id: string) => dataOf(await api.get(`/v1/pathways/${id}`, key));
const promote = (id: string, body: object = {}, by = key): Promise<Answer> =>
  api.post(`/v1/pathways/${id}/versions/promote`, by, body);
const greeting = (prompt: string) =>
  documentWith((d) => {
    (d.nodes[0] as { prompt?: string }).prompt = prompt;
  });
const change = (id: string, prompt: string, more: object = {}): Promise<Answer> =>
  api.patch(`/v1/pathways/${id}`, key, { document: greeting(prompt), ...more });

describe('a pathway', () => {
  it('takes changes on its draft, and goes live by promotion alone', async () => {
    const id = await create();
    expect(await show(id)).toMatchObject({
      current_production_version: null,
      current_draft_version: { version_type: 'draft', version_number: 1, revision: 1 },
    });
    expect(dataOf(await promote(id))).toMatchObject({
      current_production_version: { version_type: 'production', version_number: 1 },
      current_draft_version: null,
    });
    expect(dataOf(await change(id, 'Ask for a date.'))).toMatchObject({
      current_production_version: { version_number: 1 },
      current_draft_version: { version_number: 2 },
    });
    expect(dataOf(await change(id, 'Ask for a day and an hour.')).current_draft_version.revision).toBe(2);
    dataOf(await promote(id));
    const { versions } = dataOf(await api.get(`/v1/pathways/${id}/versions`, key));
    expect(versions.map((version: { version_type: string }) => version.version_type)).toEqual([
      'production',
      'archived',
    ]);
    expect(versions[0]).not.toHaveProperty('document');
    const live = dataOf(await api.get(`/v1/pathways/${id}/versions/2`, key));
    expect(live).toMatchObject({ document: greeting('Ask for a day and an hour.'), warnings: [] });
    expect(refusal(await promote(id))).toMatchObject({ status: 409, error: 'NO_DRAFT_VERSION' });
  });

  it('returns a document with its fields in the order in which they were stored', async () => {
    const id = await create();
    const { document } = dataOf(await api.get(`/v1/pathways/${id}/versions/1`, key));
    expect(JSON.stringify(document)).toBe(JSON.stringify(documentWith()));
  });

  it('becomes the earlier version again when that is promoted', async () => {
    const id = await create();
    await promote(id);
    await change(id, 'Worse.');
    await promote(id);
    expect(dataOf(await promote(id, { version_number: 1 }))).toMatchObject({
      current_production_version: { version_number: 1 },
      current_draft_version: null,
    });
    expect(refusal(await promote(id, { version_number: 1 }))).toMatchObject({ error: 'NO_DRAFT_VERSION' });
  });

  it('is forked, changed beside the draft, compared, promoted and deleted', async () => {
    const id = await create();
    await promote(id);
    const path = `/v1/pathways/${id}/versions`;
    const fork = dataOf(await api.post(`${path}/1/fork`, key, { note: 'Shorter' }));
    expect(fork).toMatchObject({ version_type: 'fork', version_number: 2, forked_from: 1, note: 'Shorter' });
    const put = (number: number, body: object): Promise<Answer> => send('PUT', `${path}/${number}`, body);
    const changed = dataOf(await put(2, { document: greeting('Which day?'), revision: 1 }));
    expect(changed.revision).toBe(2);
    expect(refusal(await put(2, { document: greeting('Lost.'), revision: 1 }))).toMatchObject({
      status: 409,
      error: 'PATHWAY_CHANGED',
      message: expect.stringContaining('version 2 is at revision 2, not 1'),
    });
    expect(refusal(await put(1, { document: greeting('Live!') }))).toMatchObject({
      status: 409,
      error: 'VERSION_NOT_CHANGEABLE',
    });
    const diff = dataOf(await api.get(`${path}/2/diff?from=1`, key));
    expect(diff.changes).toEqual([
      {
        kind: 'changed',
        affects: 'conversation',
        element: 'node',
        id: 'greeting',
        name: 'Greeting',
        field: 'prompt',
        before: 'Ask {{caller}} for a day.',
        after: 'Which day?',
      },
    ]);
    expect(refusal(await api.delete(`${path}/1`, key))).toMatchObject({ error: 'VERSION_NOT_CHANGEABLE' });
    expect(dataOf(await promote(id, { version_number: 2 }))).toMatchObject({
      current_production_version: { version_number: 2, version_type: 'production' },
    });
    const second = dataOf(await api.post(`${path}/2/fork`, key, {}));
    dataOf(await api.delete(`${path}/${second.version_number}`, key));
    expect(refusal(await api.get(`${path}/${second.version_number}`, key))).toMatchObject({ status: 404 });
  });

  it('is promoted once, however many ask at the same time, and keeps one live version', async () => {
    const id = await create();
    const answers = await Promise.all(Array.from({ length: 8 }, () => promote(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    await forkVersion(bench.database, bench.organization, id, { versionNumber: 1 });
    await change(id, 'Draft.');
    await Promise.all([promote(id, { version_number: 2 }), promote(id, { version_number: 3 })]);
    const { versions } = dataOf(await api.get(`/v1/pathways/${id}/versions`, key));
    const live = versions.filter(
      (version: { version_type: string }) => version.version_type === 'production',
    );
    expect(live).toHaveLength(1);
  });

  it('is not promoted with a version that changed while its gates were asked, nor against a gate', async () => {
    const id = await create();
    const by = { organizationId: bench.organization, keyId: 'key_test' };
    const changing = async () => {
      await change(id, 'Meanwhile.');
      return [];
    };
    const promoteBy = (gate: () => Promise<string[]>) =>
      promotePathwayVersion({ database: bench.database, gates: [gate] }, by, id, undefined);
    await expect(promoteBy(changing)).rejects.toMatchObject({ code: 'PATHWAY_CHANGED' });
    await expect(promoteBy(async () => ['Refund did not pass'])).rejects.toMatchObject({
      code: 'PROMOTION_REFUSED',
      message: expect.stringContaining('Refund did not pass'),
    });
    expect((await show(id)).current_production_version).toBeNull();
  });

  it('is announced to webhook endpoints each time a version becomes live', async () => {
    dataOf(await api.post('/v1/webhooks', key, { url: 'http://127.0.0.1:9/hook', events: ['pathway.*'] }));
    const id = await create();
    await promote(id);
    await change(id, 'Two.');
    await promote(id);
    await promote(id, { version_number: 1 });
    const found = await bench.database
      .selectFrom('deliveries')
      .select(['event', 'content'])
      .where('subject', '=', id)
      .orderBy('created_at')
      .execute();
    const numbers = found.map(
      ({ content }) => (content as { body: { data: { version_number: number } } }).body.data.version_number,
    );
    expect(numbers).toEqual([1, 2, 1]);
  });

  it('is refused with a document that no conversation can follow; the message names the node', async () => {
    const refused = async (change: (d: typeof written) => void) => {
      const document = structuredClone(written);
      change(document);
      return refusal(await api.post('/v1/pathways', key, { name: 'x', document }));
    };
    type Loose = Record<string, unknown>;
    expect(
      await refused((d) => {
        d.edges![0]!.target = 'nowhere';
      }),
    ).toEqual({
      status: 400,
      error: 'VALIDATION_ERROR',
      path: 'document.edges.0.target',
      message: 'Edge named: there is no node nowhere.',
    });
    expect(
      await refused((d) => {
        (d.nodes[2] as Loose).promt = 'Hi';
      }),
    ).toMatchObject({
      path: 'document.nodes.2.promt',
      message: 'Node goodbye: promt is not a known field.',
    });
    expect(
      await refused((d) => {
        (d.nodes[0] as Loose).type = 'Default';
      }),
    ).toMatchObject({
      path: 'document.nodes.0.type',
      message: 'Node greeting: type must be one of default, webhook, transfer, end.',
    });
    const unknown = randomUUID();
    expect(
      await refused((d) => {
        (d.nodes[0] as Loose).kb_ids = [unknown];
      }),
    ).toMatchObject({
      path: 'document.nodes.0.kb_ids.0',
      message: `Node greeting: ${unknown} is not one of your knowledge bases, or is deleted.`,
    });
    const large = await refused((d) => {
      (d.nodes[0] as Loose).prompt = 'x'.repeat(20_001);
    });
    expect(large.message).toBe('Node greeting: prompt must have at most 20000 characters.');
  });

  it('holds knowledge bases of its nodes by their UUIDs', async () => {
    const base = dataOf(
      await api.post('/v1/knowledge/learn', key, { type: 'text', name: 'Hours', text: 'Nine to five.' }),
    );
    const id = await create(
      documentWith((d) => {
        (d.nodes[0] as { kb_ids?: string[] }).kb_ids = [base.id.toUpperCase()];
      }),
    );
    const { document } = await pathways.versionForTest(bench.database, bench.organization, id);
    expect(document.nodes[0]).toMatchObject({ kb_ids: [base.id] });
  });

  it('is listed a page at a time, and gone once deleted', async () => {
    const ids = [await create(), await create(), await create()].reverse();
    const first = await api.get('/v1/pathways?limit=2', key);
    expect(first.body.data.pathways.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const second = await api.get(`/v1/pathways?limit=1&after=${first.body.next}`, key);
    expect(second.body.data.pathways[0].id).toBe(ids[2]);
    dataOf(await api.delete(`/v1/pathways/${ids[0]}`, key));
    expect(refusal(await api.get(`/v1/pathways/${ids[0]}`, key))).toMatchObject({ status: 404 });
    await expect(pathways.versionForTest(bench.database, bench.organization, ids[0]!)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('belongs to its organization alone', async () => {
    const id = await create();
    for (const answer of [
      await api.get(`/v1/pathways/${id}`, otherKey),
      await api.patch(`/v1/pathways/${id}`, otherKey, { name: 'mine' }),
      await promote(id, {}, otherKey),
      await api.get(`/v1/pathways/${id}/versions`, otherKey),
      await api.get(`/v1/pathways/${id}/versions/1`, otherKey),
      await api.get(`/v1/pathways/${id}/versions/1/diff?from=1`, otherKey),
      await api.post(`/v1/pathways/${id}/versions/1/fork`, otherKey, {}),
      await api.delete(`/v1/pathways/${id}`, otherKey),
    ]) {
      expect(refusal(answer)).toMatchObject({ status: 404, error: 'NOT_FOUND' });
    }
    expect((await api.get('/v1/pathways', otherKey)).body.data.pathways).toEqual([]);
  });
});

async function send(method: string, path: string, body: object): Promise<Answer> {
  const answer = await fetch(api.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(text),
    text,
    body: JSON.parse(text),
  };
}

describe('the examples of docs/pathways.md', () => {
  it('work as a reader copies them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demarc-test-'));
    const shell = runCommands(await documentedExamples('docs/pathways.md'), { url: api.url, key, folder });
    expect(await shell.exit(30_000), shell.output).toBe(0);
    const [promoted, live] = shell.output
      .trim()
      .split(/(?<=\})(?=\{"data")/)
      .map((answer) => JSON.parse(answer).data);
    expect(promoted).toMatchObject({
      name: 'Appointments',
      current_production_version: { version_number: 1 },
    });
    expect(live).toMatchObject({ version_type: 'production', warnings: [], document: { nodes: [{}, {}] } });
    await rm(folder, { recursive: true });
  });
});

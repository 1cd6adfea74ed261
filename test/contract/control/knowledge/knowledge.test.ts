import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signCallToken } from '../../../../src/contract/call-token.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { knowledgeBaseIds } from '../../../../src/control/knowledge/index.js';
import { createKey } from '../../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { RuleModel } from '../../../../src/rule-model/rule-model.js';
import { until } from '../../../../src/testkit/waiting.js';
import { startControlProcess } from '../../../support/control-process.js';
import { type ApiUnderTest, startApi } from '../api-under-test.js';
import { ControlBench } from '../control-bench.js';

let bench: ControlBench;
let model: RuleModel;
let api: ApiUnderTest;
let key: string;
let stranger: string;
let strangerKey: string;
const secretKey = generateSecretKey();
let environment: Record<string, string>;

beforeAll(async () => {
  [bench, model] = await Promise.all([ControlBench.start(), RuleModel.start({ rules: [] })]);
  environment = {
    DEMARC_SECRET_KEY: secretKey,
    DEMARC_LLM_URL: model.url,
    DEMARC_LLM_MODEL: 'rules',
    DEMARC_EMBEDDINGS_URL: model.url,
    DEMARC_EMBEDDINGS_MODEL: 'hashes',
    DEMARC_EMBEDDINGS_KEY: 'sk-embeddings-secret',
    DEMARC_MODEL_RETRY_MS: '10',
    DEMARC_MODEL_RETRIES: '1',
    // A process that is stalled for longer is taken for dead.
    DEMARC_KNOWLEDGE_LEASE_SECONDS: '4',
    DEMARC_KNOWLEDGE_LEARNS_PER_MINUTE: '1000',
  };
  api = await startApi(bench, environment);
  ({ key } = await createKey(bench.database, bench.organization, 'test'));
  ({ id: stranger } = await createOrganization(bench.database, { name: 'stranger', sipEnabled: false }));
  ({ key: strangerKey } = await createKey(bench.database, stranger, 'test'));
});
afterAll(async () => {
  await api?.stop();
  await model?.stop();
  await bench?.stop();
});

const shop = `# Shop

## Opening hours

We are open Monday to Friday from 9 to 18, and on Saturdays from 10 to 14. On public holidays the shop is closed.

## Returns

Goods can be returned within thirty days. The refund reaches your bank account five working days after the parcel arrives.

## Delivery

Parcels leave our warehouse on the day of the order and take two days. Express delivery costs twelve dollars.
`;

async function learn(name: string, text: string, by = key): Promise<string> {
  const { status, body } = await api.post('/v1/knowledge/learn', by, { type: 'text', name, text });
  expect([status, body.errors]).toEqual([200, null]);
  expect(body.data).toMatchObject({ name, status: 'PROCESSING', type: 'TEXT' });
  return body.data.id;
}

const read = async (id: string, by = key) => (await api.get(`/v1/knowledge/${id}`, by)).body.data;

async function untilStatus(id: string, status: string, by = key, milliseconds = 10_000) {
  await until(async () => (await read(id, by)).status === status, milliseconds, `${id} is ${status}`);
  return read(id, by);
}

const learned = async (name: string, text: string, by = key): Promise<string> => {
  const id = await learn(name, text, by);
  await untilStatus(id, 'COMPLETED', by);
  return id;
};

/** Of passages with a word of the question: the nearest by meaning are always some. */
const foundByWords = async (query: string, by = key): Promise<string[]> =>
  (await search({ query }, by)).body.data.results
    .filter(({ metadata }: { metadata: { word_rank: number | null } }) => metadata.word_rank !== null)
    .map(({ content }: { content: string }) => content);

const search = async (body: object, by = key, headers: Record<string, string> = {}) =>
  api.post('/v1/knowledge/search', by, body, headers);

describe('a text that is learned', () => {
  it('is PROCESSING at once, then COMPLETED, and is found by words and by meaning', async () => {
    const id = await learned('Shop', shop);
    expect(await read(id)).toMatchObject({
      id,
      name: 'Shop',
      status: 'COMPLETED',
      type: 'TEXT',
      language: 'en',
      text_size: Buffer.byteLength(shop),
      embedding_model: 'hashes',
    });
    const { body } = await search({
      query: 'When do I get my money back?',
      knowledge_base_ids: [id],
      limit: 2,
    });
    expect(body.data.note).toBeNull();
    const { body: refund } = await search({ query: 'refunds for returned goods', knowledge_base_ids: [id] });
    expect(refund.data.results[0]).toMatchObject({
      content: expect.stringContaining('The refund reaches your bank account'),
      metadata: { knowledge_base_id: id, name: 'Shop', word_rank: 1, vector_rank: 1, score: 1 },
    });
    expect(refund.data.results[0].id).toBe(`${id}:${refund.data.results[0].metadata.position}`);
  });

  it('is refused when it is no text, larger than 1 MB in UTF-8, or has unknown fields', async () => {
    const attempt = (body: object) => api.post('/v1/knowledge/learn', key, { name: 'x', ...body });
    // Two octets each: characters are not what counts.
    const most = `${'é'.repeat(512 * 1024 - 1)} x`;
    const cases: [object, string, RegExp][] = [
      [{ text: `${most}.` }, 'INVALID_INPUT', /1048577 octets in UTF-8 and the limit is 1048576/],
      [{ text: ' \n ' }, 'INVALID_INPUT', /has no words/],
      [{ type: 'web', urls: ['https://example.com'] }, 'VALIDATION_ERROR', /type must be text/],
      [{ text: 'a', colour: 'red' }, 'VALIDATION_ERROR', /colour/],
      [{ text: 'a', name: '' }, 'VALIDATION_ERROR', /name must not be empty/],
      [{}, 'VALIDATION_ERROR', /text is required/],
      [{ text: 'x'.repeat(7 * 1024 * 1024) }, 'VALIDATION_ERROR', /6208 KB are allowed/],
    ];
    for (const [body, code, message] of cases) {
      const { status, body: answer } = await attempt(body);
      expect([status, answer.data]).toEqual([400, null]);
      const said = answer.errors.find(({ error }: { error: string }) => error === code);
      expect(JSON.stringify(answer.errors)).toMatch(message);
      expect(said).toBeDefined();
    }
    const { status, body } = await attempt({ text: most });
    expect(status).toBe(200);
    await untilStatus(body.data.id, 'COMPLETED', key, 30_000);
    await api.delete(`/v1/knowledge/${body.data.id}`, key);
  });

  it('exists once when the request is repeated with its Idempotency-Key', async () => {
    const body = { name: 'Once', text: 'Only one of it.' };
    const send = () => api.post('/v1/knowledge/learn', key, body, { 'idempotency-key': 'learn-once' });
    const [first, second] = [await send(), await send()];
    expect(second.body.data.id).toBe(first.body.data.id);
  });

  it('is stemmed as German when it is German', async () => {
    const id = await learned(
      'Bestellungen',
      'Bestellungen können binnen 30 Tagen zurückgegeben werden. Die Erstattung dauert fünf Werktage, nachdem das Paket in unserem Lager eingetroffen ist.',
    );
    expect((await read(id)).language).toBe('de');
    const { body } = await search({ query: 'Lange Erstattungen?', knowledge_base_ids: [id] });
    expect(body.data.results[0].metadata.word_rank).toBe(1);
  });

  it('can be listed page by page, renamed, and deleted with all its rows', async () => {
    const ids = [await learned('First', 'The first text.'), await learned('Second', 'The zebra text.')];
    const { body: page } = await api.get('/v1/knowledge?limit=1', key);
    expect(page.data.kbs).toMatchObject([{ id: ids[1], name: 'Second' }]);
    expect(page).toMatchObject({ has_more: true, next: ids[1] });
    const { body: second } = await api.get(`/v1/knowledge?limit=1&after=${page.next}`, key);
    expect(second.data.kbs).toMatchObject([{ id: ids[0] }]);
    expect((await api.get('/v1/knowledge?limit=1&page=2', key)).body.data).toEqual(second.data);

    const put = (body: object) =>
      fetch(`${api.url}/v1/knowledge/${ids[1]}`, {
        method: 'PUT',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((answer) => answer.json() as Promise<{ data: { name: string; description?: string } }>);
    expect((await put({ description: 'Animals' })).data).toMatchObject({
      name: 'Second',
      description: 'Animals',
    });
    expect((await put({ name: 'Zebras', description: null })).data).not.toHaveProperty('description');

    const { body: deleted } = await api.delete(`/v1/knowledge/${ids[1]}`, key);
    expect(deleted.data).toEqual({
      success: true,
      message: 'Knowledge base Zebras deleted.',
      knowledge_base_id: ids[1],
    });
    expect((await read(ids[1]!)).status).toBe('DELETED');
    expect((await api.delete(`/v1/knowledge/${ids[1]}`, key)).status).toBe(200);
    expect(await foundByWords('zebra')).toEqual([]);
    expect(JSON.stringify((await api.get('/v1/knowledge', key)).body)).not.toContain(ids[1]);
    expect((await search({ query: 'zebra', knowledge_base_ids: [ids[1]] })).body.errors[0].error).toBe(
      'KB_ERROR',
    );
    const { base_key: baseKey } = await bench.database
      .selectFrom('knowledge_bases')
      .select('base_key')
      .where('id', '=', ids[1]!)
      .executeTakeFirstOrThrow();
    for (const table of ['texts', 'passages', 'postings', 'vectors']) {
      const rows = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(`knowledge_${table}`)}
        where base_key = ${baseKey}`.execute(bench.database);
      expect([table, rows.rows[0]!.n]).toEqual([table, 0]);
    }
  });

  it('resolves by a KB- id of an imported table, within its organization', async () => {
    const id = await learned('Imported', 'The ostrich runs fast.');
    await bench.database
      .insertInto('knowledge_former_ids')
      .values({ organization_id: bench.organization, former_id: 'KB-0042', id })
      .execute();
    expect((await read('KB-0042')).id).toBe(id);
    const { body } = await search({ query: 'ostrich', knowledge_base_ids: ['KB-0042'] });
    expect(body.data.results[0].metadata.knowledge_base_id).toBe(id);
    const ids = ['KB-0042', 'KB-0043', id.toUpperCase(), randomUUID(), 'nonsense'];
    expect(await knowledgeBaseIds(bench.database, bench.organization, ids)).toEqual([
      ...[id, undefined, id, undefined, undefined],
    ]);
    expect((await api.get('/v1/knowledge/KB-0042', strangerKey)).status).toBe(404);
  });
});

describe('another organization', () => {
  it('neither finds, reads, changes, deletes nor attaches a base, and needs no SIP entitlement for its own', async () => {
    const id = await learned('Private', 'The platypus lays eggs.');
    const own = await learned('Own', 'The wombat digs.', strangerKey);
    for (const query of ['platypus', 'wombat']) {
      const { body } = await search({ query }, strangerKey);
      const found = body.data.results.map(({ metadata }: { metadata: object }) => metadata);
      expect(found).toMatchObject(query === 'wombat' ? [{ knowledge_base_id: own }] : found);
      expect(JSON.stringify(found)).not.toContain(id);
    }
    const refused = [
      await api.get(`/v1/knowledge/${id}`, strangerKey),
      await api.delete(`/v1/knowledge/${id}`, strangerKey),
      await search({ query: 'platypus', knowledge_base_ids: [id] }, strangerKey),
      await api.post('/v1/knowledge/chat', strangerKey, {
        knowledge_base_id: id,
        messages: [{ role: 'user', content: 'platypus' }],
      }),
    ];
    expect(refused.map(({ status, body }) => [status, body.errors[0].error])).toEqual(
      refused.map(() => [404, 'KB_ERROR']),
    );
    expect(await knowledgeBaseIds(bench.database, stranger, [id])).toEqual([undefined]);
  });
});

describe('the token of a call', () => {
  it('searches the knowledge of its call alone', async () => {
    const granted = await learned('Granted', 'The flamingo is pink.');
    const otherBase = await learned('Other', 'The flamingo eats shrimp.');
    const token = (knowledgeIds: string[]) =>
      signCallToken(new SecretBox([secretKey]), {
        organization: bench.organization,
        callId: randomUUID(),
        knowledgeIds,
        expiresAt: Math.floor(Date.now() / 1_000) + 60,
      });
    const ask = (body: object, ids = [granted]) => search(body, '', { 'x-demarc-token': token(ids) });
    const { body } = await ask({ query: 'flamingo' });
    expect(body.data.results.map(({ content }: { content: string }) => content)).toEqual([
      'The flamingo is pink.',
    ]);
    const refused = await ask({ query: 'flamingo', knowledge_base_ids: [otherBase] });
    expect([refused.status, refused.body.errors[0].error]).toEqual([404, 'KB_ERROR']);
    const none = await ask({ query: 'flamingo' }, []);
    expect(none.body.data).toEqual({ results: [], note: 'The call has no knowledge bases.' });
    expect((await api.get('/v1/knowledge', '')).status).toBe(401);
    const headers = { 'x-demarc-token': token([granted]) };
    expect((await fetch(`${api.url}/v1/knowledge`, { headers })).status).toBe(403);
    await api.delete(`/v1/knowledge/${granted}`, key);
    expect((await ask({ query: 'flamingo' })).body.data.results).toEqual([]);
  });
});

describe('POST /v1/knowledge/chat', () => {
  const chat = (id: string, ...said: string[]) =>
    api.post('/v1/knowledge/chat', key, {
      knowledge_base_id: id,
      messages: said.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
    });

  it('answers from the passages, with its sources', async () => {
    const id = await learned('Shop hours', shop);
    model.setRules({
      rules: [
        { when: { last: 'saturday', system: 'Saturdays from (\\d+) to (\\d+)' }, answer: 'Yes, see [1].' },
      ],
    });
    const { body } = await chat(id, 'Are you open on Saturday?');
    expect(body.data).toMatchObject({ response: 'Yes, see [1].', note: null });
    expect(body.data.context).toContain('[1] Shop hours › Shop');
    expect(body.data.sources[0].content).toContain('Saturdays from 10 to 14');
    expect((await chat(id, 'a', 'b')).status).toBe(400);
  });

  it('gives the passages alone and the reason when the model fails', async () => {
    const id = await learned('Shop again', shop);
    model.setRules({ rules: [{ status: 500 }] });
    const { status, body } = await chat(id, 'When are you open?');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      response: null,
      note: 'These are the passages alone. The language model failed (500).',
    });
    expect(body.data.sources.length).toBeGreaterThan(0);
  });
});

describe('the embeddings endpoint', () => {
  it('fails the text when it refuses the key, says what to do, and keeps nothing of it', async () => {
    model.setRules({ rules: [], embedding_failures: [401] });
    const id = await learn('Refused', 'The narwhal has a tusk.');
    const record = await untilStatus(id, 'FAILED');
    expect(record.error_message).toBe(
      'The embeddings endpoint refused the key of this service (401). Ask the operator of this service to correct it, then learn the text again.',
    );
    expect(await foundByWords('narwhal')).toEqual([]);
    const asked = await search({ query: 'narwhal', knowledge_base_ids: [id, id] });
    expect(asked.body.data.note).toBe('Refused is not searched: it could not be learned.');
  });

  it('is named by a search when it has another model than before, with what to do', async () => {
    const [id, current] = [await learned('Old', 'The okapi hides.'), await learned('New', 'The okapi eats.')];
    await sql`update knowledge_bases set embedding_model = 'earlier' where id = ${id}`.execute(
      bench.database,
    );
    const { body } = await search({ query: 'okapi', knowledge_base_ids: [id, current] });
    expect(body.data.note).toBe(
      'Searched by words alone: Old. Learn these texts again to search them by meaning.',
    );
    expect(body.data.results).toHaveLength(2);
  });

  it('leaves the search by words when it fails during a search, with a note', async () => {
    const id = await learned('Words', 'The axolotl smiles.');
    model.setRules({ rules: [], embedding_failures: [503] });
    const { body } = await search({ query: 'axolotl smiling', knowledge_base_ids: [id] });
    expect(body.data.note).toBe('Searched by words alone. The embeddings endpoint failed (503).');
    expect(body.data.results[0].metadata).toMatchObject({ word_rank: 1, vector_rank: null });
  });
});

describe('control killed while it learns', () => {
  it('leaves nothing in PROCESSING: another process learns the text', async () => {
    // Long enough to be killed in the middle.
    model.setRules({ rules: [], embedding_latency_ms: 600_000 });
    // Only the child learns.
    await api.stop();
    const { child, url } = await startControlProcess(bench, environment);
    try {
      const answer = await fetch(`${url}/v1/knowledge/learn`, {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Killed', text: 'The quokka smiles.' }),
      });
      const { data } = (await answer.json()) as { data: { id: string } };
      const row = () =>
        bench.database
          .selectFrom('knowledge_bases')
          .select(['status', 'attempts', 'passage_count'])
          .where('id', '=', data.id)
          .executeTakeFirstOrThrow();
      await until(async () => (await row()).passage_count !== null, 10_000, 'the words are indexed');
      child.signal('SIGKILL');
      await child.exit(5_000);
      expect((await row()).status).toBe('PROCESSING');
      model.setRules({ rules: [] });
      api = await startApi(bench, environment);
      await untilStatus(data.id, 'COMPLETED', key, 20_000);
      expect((await row()).attempts).toBeGreaterThanOrEqual(2);
      expect(await foundByWords('quokka')).toEqual(['The quokka smiles.']);
    } finally {
      await child.stop();
    }
  });

  it('five times fails the text instead of trying for ever', async () => {
    const id = randomUUID();
    await bench.database
      .insertInto('knowledge_bases')
      .values({
        organization_id: bench.organization,
        id,
        name: 'Poison',
        type: 'TEXT',
        status: 'PROCESSING',
        text_octets: 1,
        attempts: 5,
        due_at: new Date(),
      })
      .execute();
    const record = await untilStatus(id, 'FAILED');
    expect(record.error_message).toContain('interrupted 5 times');
  });
});

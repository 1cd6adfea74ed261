import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readControlSettings } from '../../../../src/config/control-settings.js';
import type { Database } from '../../../../src/control/database/tables.js';
import { createBase } from '../../../../src/control/knowledge/bases.js';
import { LearnWork } from '../../../../src/control/knowledge/learn-work.js';
import { readText } from '../../../../src/control/knowledge/read-text.js';
import { readScope } from '../../../../src/control/knowledge/scope.js';
import { KnowledgeSearch } from '../../../../src/control/knowledge/search.js';
import { nearestQuery, searchVectors } from '../../../../src/control/knowledge/vector-search.js';
import { hasPgvector } from '../../../../src/control/knowledge/vectors.js';
import { modelsOf } from '../../../../src/control/models/models.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { RuleModel } from '../../../../src/rule-model/rule-model.js';
import { pgliteDatabase } from './pglite.js';

const animals = ['flamingo', 'wombat', 'narwhal', 'axolotl', 'platypus', 'quokka', 'ostrich', 'zebra'];
const text = animals
  .map((animal) => `# About the ${animal}\n\n${`The ${animal} eats and sleeps and runs. `.repeat(10)}`)
  .join('\n\n');

let database: Kysely<Database>;
let model: RuleModel;
let organization: string;
let stranger: string;
let base: string;
const settings = () =>
  readControlSettings({
    DATABASE_URL: 'postgres://unused',
    DEMARC_EMBEDDINGS_URL: model.url,
    DEMARC_EMBEDDINGS_MODEL: 'hashes',
    DEMARC_EMBEDDINGS_BATCH: '3',
  });
const log = pino({ level: 'silent' });

async function learn(organizationId: string): Promise<string> {
  const id = randomUUID();
  await createBase(database, organizationId, { id, name: 'Animals', description: null, text }, 10);
  const { embeddings } = modelsOf(settings(), log);
  const work = new LearnWork({
    database,
    settings: settings(),
    embeddings,
    readText: async (_organization, text) => readText(text),
    log,
  });
  await work.run({ organizationId, id }, new AbortController().signal);
  return id;
}

beforeAll(async () => {
  [database, model] = await Promise.all([pgliteDatabase(), RuleModel.start({ rules: [], dimensions: 64 })]);
  ({ id: organization } = await createOrganization(database, { name: 'one', sipEnabled: true }));
  ({ id: stranger } = await createOrganization(database, { name: 'other', sipEnabled: true }));
  base = await learn(organization);
  await learn(stranger);
}, 60_000);
afterAll(async () => {
  await database?.destroy();
  await model?.stop();
});

describe('on a server with pgvector', () => {
  it('control installs the extension and finds the same passages with it as in SQL', async () => {
    expect(await hasPgvector(database)).toBe(true);
    const { embeddings } = modelsOf(settings(), log);
    const scope = await readScope(database, organization, undefined);
    for (const animal of animals) {
      const [vector] = await embeddings!.embed([`what does the ${animal} do`], new AbortController().signal);
      const question = { vector: vector!, model: 'hashes' };
      const [precise, plain] = [
        await searchVectors(database, scope, question, 5, true),
        await searchVectors(database, scope, question, 5, false),
      ];
      expect(precise).toHaveLength(5);
      expect(precise.map(({ position }) => position)).toEqual(plain.map(({ position }) => position));
      precise.forEach(({ score }, at) => {
        expect(score).toBeCloseTo(plain[at]!.score, 5);
      });
    }
    const [vector] = await embeddings!.embed(['x'], new AbortController().signal);
    // It is pgvector that computes: the plan names its operator.
    const { rows } = await sql<Record<string, string>>`explain (verbose)
      ${nearestQuery(scope, scope.bases, vector!, 5, true)}`.execute(database);
    expect(JSON.stringify(rows)).toContain('<=>');
  });

  it('fuses words and vectors in a search, within the organization', async () => {
    const { embeddings } = modelsOf(settings(), log);
    const search = new KnowledgeSearch({ database, settings: settings(), embeddings });
    const { passages } = await search.search(organization, undefined, 'narwhals', 3);
    expect(passages[0]).toMatchObject({ baseId: base, wordRank: 1, vectorRank: 1, score: 1 });
    expect(passages.every(({ baseId }) => baseId === base)).toBe(true);
  });

  it('the nearest by their signatures are those that are compared when there are many', async () => {
    const { embeddings } = modelsOf(settings(), log);
    const scope = await readScope(database, organization, [base]);
    // As if the base were too large to compare all of it.
    const large = scope.bases.map((base) => ({ ...base, passages: 1_000_000 }));
    const [vector] = await embeddings!.embed(['the zebra runs'], new AbortController().signal);
    for (const isPrecise of [true, false]) {
      const { rows } = await nearestQuery(scope, large, vector!, 1, isPrecise).execute(database);
      const [exact] = await searchVectors(
        database,
        scope,
        { vector: vector!, model: 'hashes' },
        1,
        isPrecise,
      );
      expect(rows[0]).toEqual(exact);
    }
  });
});

import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readControlSettings } from '../../../../src/config/control-settings.js';
import { createBase } from '../../../../src/control/knowledge/bases.js';
import { LearnWork } from '../../../../src/control/knowledge/learn-work.js';
import { readText } from '../../../../src/control/knowledge/read-text.js';
import { readScope, scopeQuery } from '../../../../src/control/knowledge/scope.js';
import { contentsQuery } from '../../../../src/control/knowledge/search.js';
import { postingsQuery } from '../../../../src/control/knowledge/text-search.js';
import { nearestQuery } from '../../../../src/control/knowledge/vector-search.js';
import { modelsOf } from '../../../../src/control/models/models.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { RuleModel } from '../../../../src/rule-model/rule-model.js';
import { ControlBench, log } from '../control-bench.js';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

const organizations = 5;
const topics = ['refunds', 'deliveries', 'invoices', 'openings'];
let bench: ControlBench;
let model: RuleModel;
const ids: { readonly organization: string; readonly bases: string[] }[] = [];

/** Every organization has the same texts, so that each row of one has a twin in the others. */
beforeAll(async () => {
  [bench, model] = await Promise.all([ControlBench.start(), RuleModel.start({ rules: [], dimensions: 16 })]);
  const settings = readControlSettings({
    DATABASE_URL: bench.databaseUrl,
    DEMARC_EMBEDDINGS_URL: model.url,
    DEMARC_EMBEDDINGS_MODEL: 'hashes',
  });
  const { embeddings } = modelsOf(settings, log);
  const { database } = bench;
  const work = new LearnWork({
    database,
    settings,
    embeddings,
    readText: async (_organization, text) => readText(text),
    log,
  });
  for (let at = 0; at < organizations; at++) {
    const { id: organization } = await createOrganization(database, { name: `o${at}`, sipEnabled: true });
    const bases: string[] = [];
    for (const topic of topics) {
      const id = randomUUID();
      const text = `# About ${topic}\n\n${`Our ${topic} are explained here, with all that a caller asks. `.repeat(60)}`;
      await createBase(database, organization, { id, name: topic, description: null, text }, 10);
      await work.run({ organizationId: organization, id }, new AbortController().signal);
      bases.push(id);
    }
    ids.push({ organization, bases });
  }
});
afterAll(async () => {
  await model?.stop();
  await bench?.stop();
});

/** The nodes of the plan that read a table of control, as a search runs the query. */
async function readsOf(
  query: RawBuilder<unknown>,
): Promise<{ relation: string; condition: string; node: PlanNode }[]> {
  const { rows } = await bench.database.transaction().execute(async (transaction) => {
    await sql`select set_config('enable_seqscan', 'off', true)`.execute(transaction);
    return sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>`explain (analyze, format json) ${query}`.execute(
      transaction,
    );
  });
  const reads: { relation: string; condition: string; node: PlanNode }[] = [];
  const visit = (node: PlanNode): void => {
    const relation = node['Relation Name'];
    if (relation !== undefined) {
      // A bitmap has its condition in the node below.
      const condition = node['Index Cond'] ?? node.Plans?.map((plan) => plan['Index Cond']).join(' ') ?? '';
      reads.push({ relation, condition, node });
    }
    node.Plans?.forEach(visit);
  };
  visit(rows[0]!['QUERY PLAN'][0]!.Plan);
  return reads;
}

describe('a search', () => {
  const queries = async (isWhole: boolean) => {
    const { organization, bases } = ids[2]!;
    const chosen = isWhole ? undefined : bases.slice(0, 2);
    const scope = await readScope(bench.database, organization, chosen);
    const hits = scope.bases.map(({ baseKey }) => ({ baseKey, position: 0, score: 1 }));
    const vector = Float32Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? 0.25 : -0.25));
    const many = scope.bases.map((base) => ({ ...base, passages: 1_000_000 }));
    // Above fifty bases, the words of the whole organization are read.
    const large = { ...scope, bases: Array.from({ length: 60 }, () => scope.bases[0]!) };
    return {
      scope: scopeQuery(organization, chosen),
      words: postingsQuery(scope, ['en'], 'how do refunds and deliveries work'),
      wordsOfMany: postingsQuery(large, ['en'], 'how do refunds and deliveries work'),
      vectors: nearestQuery(scope, scope.bases, vector, 5, false),
      vectorsOfMany: nearestQuery(scope, many, vector, 5, false),
      contents: contentsQuery(scope.organizationKey, hits),
    };
  };

  it.each([true, false])(
    'reads rows of its organization alone, by index (all bases: %s)',
    async (isWhole) => {
      const { bases } = await readScope(bench.database, ids[2]!.organization, undefined);
      const own = bases.reduce((sum, { passages }) => sum + passages, 0);
      for (const analyzed of [false, true]) {
        if (analyzed) await sql`analyze`.execute(bench.database);
        for (const [name, query] of Object.entries(await queries(isWhole))) {
          const reads = await readsOf(query);
          expect(reads.length, name).toBeGreaterThan(0);
          for (const { relation, condition, node } of reads) {
            expect([name, relation, condition]).toEqual([
              name,
              expect.stringMatching(/^knowledge_/),
              expect.stringMatching(/organization_(key|id) = /),
            ]);
            // Passages of the organization's bases that were not chosen, at most.
            expect(node['Rows Removed by Filter'] ?? 0, name).toBeLessThan(own);
            expect(node['Rows Removed by Index Recheck'] ?? 0, name).toBe(0);
          }
        }
      }
    },
  );

  it('would be caught reading the rows of others', async () => {
    const reads = await readsOf(sql`select content from knowledge_passages where content like '%refunds%'`);
    expect(reads[0]!.condition).not.toMatch(/organization/);
    expect(reads[0]!.node['Rows Removed by Filter']).toBeGreaterThan(0);
  });
});

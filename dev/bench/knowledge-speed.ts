/**
 * `node --import tsx dev/bench/knowledge-speed.ts [--bases 1000] [--organizations 100] [--others 10] [--octets 100000]
 * [--searches 500] [--vectors 256]`: learns texts through the API of a control process on a private PostgreSQL and Redis, then
 * searches them. `--vectors`: with the stand-in's vectors of so many components.
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { generateSecretKey } from '../../src/contract/secret.js';
import { createKey } from '../../src/control/organizations/keys.js';
import { createOrganization } from '../../src/control/organizations/organizations.js';
import { RuleModel } from '../../src/rule-model/rule-model.js';
import { seededRandom } from '../../src/testkit/index.js';
import { until } from '../../src/testkit/waiting.js';
import { ControlBench } from '../../test/contract/control/control-bench.js';
import { demarcCommand } from '../../test/support/engine-under-test.js';
import { freePort } from '../../test/support/free-ports.js';
import { TestProcess } from '../../test/support/processes.js';

const { values } = parseArgs({
  options: {
    bases: { type: 'string', default: '1000' },
    organizations: { type: 'string', default: '100' },
    others: { type: 'string', default: '10' },
    octets: { type: 'string', default: '100000' },
    searches: { type: 'string', default: '500' },
    vectors: { type: 'string' },
  },
});
const [bases, organizations, basesOfOrganization, octets, searches] = [
  values.bases,
  values.organizations,
  values.others,
  values.octets,
  values.searches,
].map(Number) as [number, number, number, number, number];

const random = seededRandom(4711);
const syllables =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu'.split(
    ' ',
  );
const functionWords =
  'the of and to a in is that it for was on are with as be at this have from or by not but what all were when we there can an your which their if will each about how up out them then she many some so these would other into has more two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know'.split(
    ' ',
  );
/** Frequent words first, by Zipf’s law about as in English. */
const vocabulary = [
  ...functionWords,
  ...Array.from({ length: 20_000 }, (_, at) => {
    let word = '';
    for (let rest = at + 45; rest > 0; rest = Math.floor(rest / syllables.length))
      word += syllables[rest % syllables.length];
    return word;
  }),
];
const common = 300;
/** Of 3,000 in all, so that 100 KB have about 2,000 different words, as the pages in docs do; rare ones differ from text to text. */
const wordsOfText = 3_000;

/** @param topic which rare words a text has */
function word(topic: number): string {
  const rank = Math.floor(wordsOfText ** random()) - 1;
  return vocabulary[rank < common ? rank : common + ((topic + rank) % (vocabulary.length - common))] ?? 'the';
}

const anyTopic = (): number => Math.floor(random() * vocabulary.length);

function textOf(length: number): string {
  const topic = anyTopic();
  const parts: string[] = [];
  for (let size = 0, sentence = 0; size < length; sentence++) {
    const words = Array.from({ length: 8 + Math.floor(random() * 14) }, () => word(topic));
    const line = `${words[0]!.replace(/^./, (letter) => letter.toUpperCase())} ${words.slice(1).join(' ')}.`;
    const part =
      sentence % 40 === 0
        ? `\n\n## ${word(topic)} ${word(topic)} ${word(topic)}\n\n${line}`
        : sentence % 6 === 0
          ? `\n\n${line}`
          : ` ${line}`;
    parts.push(part);
    size += part.length;
  }
  return parts.join('').slice(0, length);
}

const question = (): string => {
  const topic = anyTopic();
  return Array.from({ length: 9 }, () => word(topic)).join(' ');
};
const percentile = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);

const bench = await ControlBench.start();
const model =
  values.vectors === undefined
    ? undefined
    : await RuleModel.start({ rules: [], dimensions: Number(values.vectors) });
const port = await freePort();
const [command, argv] = demarcCommand('control', []);
const control = new TestProcess(command, argv, {
  stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  env: {
    ...process.env,
    DATABASE_URL: bench.databaseUrl,
    DEMARC_REDIS_URL: bench.redis.url,
    DEMARC_HTTP_PORT: String(port),
    DEMARC_SECRET_KEY: generateSecretKey(),
    DEMARC_API_REQUESTS_PER_SECOND: '10000',
    DEMARC_KNOWLEDGE_LEARNS_PER_MINUTE: '100000',
    DEMARC_DATABASE_TIMEOUT_MS: '60000',
    ...(model === undefined ? {} : { DEMARC_EMBEDDINGS_URL: model.url, DEMARC_EMBEDDINGS_MODEL: 'hashes' }),
  },
});
const lines: string[] = [];
try {
  await control.message(
    (message) => (message as { type?: string }).type === 'ready' || undefined,
    60_000,
    'control',
  );
  const ask = async (path: string, key: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/knowledge${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data, errors } = (await answer.json()) as { data: Record<string, unknown>; errors: unknown };
    if (errors !== null) throw new Error(JSON.stringify(errors));
    return data;
  };
  const keyOf = async (organization: string): Promise<string> =>
    (await createKey(bench.database, organization, 'bench')).key;
  const large = await keyOf(bench.organization);

  const learnTimes: number[] = [];
  for (let round = 0; round < 5; round++) {
    const { id: organization } = await createOrganization(bench.database, {
      name: `one${round}`,
      sipEnabled: false,
    });
    const key = await keyOf(organization);
    const text = textOf(1_048_576);
    const begun = performance.now();
    const { id } = await ask('/learn', key, { name: '1 MB', text });
    await until(async () => (await ask(`/${id}`, key)).status === 'COMPLETED', 300_000, 'learned');
    learnTimes.push(performance.now() - begun);
  }
  learnTimes.sort((left, right) => left - right);
  lines.push(
    `| learn 1 MB, from the request to COMPLETED | median ${percentile(learnTimes, 0.5)} ms, slowest ${percentile(learnTimes, 1)} ms of 5 |`,
  );

  const learnAll = async (key: string, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 20) {
      const batch = Array.from({ length: Math.min(20, count - at) }, (_, index) =>
        ask('/learn', key, { name: `Base ${at + index}`, text: textOf(octets) }),
      );
      ids.push(...(await Promise.all(batch)).map(({ id }) => id as string));
    }
    return ids;
  };
  const unfinished = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from knowledge_bases
      where due_at is not null`.execute(bench.database);
    return rows[0]!.n;
  };
  const begun = performance.now();
  const ids = await learnAll(large, bases);
  const otherKeys: string[] = [];
  for (let at = 0; at < organizations; at++) {
    const { id: organization } = await createOrganization(bench.database, {
      name: `other${at}`,
      sipEnabled: false,
    });
    const key = await keyOf(organization);
    otherKeys.push(key);
    await learnAll(key, basesOfOrganization);
  }
  await until(async () => (await unfinished()) === 0, 3_600_000, 'all is learned');
  const seconds = (performance.now() - begun) / 1_000;
  const count = bases + organizations * basesOfOrganization;
  lines.push(
    `| learn ${count} texts of ${octets / 1_000} KB with one process | ${seconds.toFixed(0)} s, ${((1_000 * seconds) / count).toFixed(0)} ms a text |`,
  );
  await sql`vacuum analyze`.execute(bench.database);
  process.stderr.write('Searching.\n');

  const measure = async (name: string, send: () => Promise<unknown>): Promise<void> => {
    for (let round = 0; round < 20; round++) await send();
    const times: number[] = [];
    for (let round = 0; round < searches; round++) {
      const start = performance.now();
      await send();
      times.push(performance.now() - start);
    }
    times.sort((left, right) => left - right);
    lines.push(`| search ${name} | p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms |`);
  };
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  await measure('one base of the large organization', () =>
    ask('/search', large, { query: question(), knowledge_base_ids: [pick(ids)] }),
  );
  await measure('ten of its bases', () =>
    ask('/search', large, {
      query: question(),
      knowledge_base_ids: Array.from({ length: 10 }, () => pick(ids)),
    }),
  );
  await measure(`all of its ${bases} bases (${(bases * octets) / 1e6} MB)`, () =>
    ask('/search', large, { query: question() }),
  );
  await measure(`all bases of one of ${organizations} organizations with ${basesOfOrganization} each`, () =>
    ask('/search', pick(otherKeys), { query: question() }),
  );
  const { rows } = await sql<{ name: string; octets: string }>`
    select relname as name, pg_total_relation_size(oid)::text as octets from pg_class
    where relkind = 'r' and relname like 'knowledge\\_%' order by pg_total_relation_size(oid) desc`.execute(
    bench.database,
  );
  const megabytes = (text: string): string => `${(Number(text) / 1e6).toFixed(0)} MB`;
  const texts = (count * octets + 5 * 1_048_576) / 1e6;
  const sizes = rows
    .filter(({ octets: size }) => Number(size) > 1e6)
    .map(({ name, octets: size }) => `${name} ${megabytes(size)}`);
  lines.push(`| size in PostgreSQL, with keys, of ${texts.toFixed(0)} MB of text | ${sizes.join(', ')} |`);
} finally {
  await control.stop();
  await model?.stop();
  await bench.stop();
}
process.stdout.write(`${['| what | result |', '|---|---|', ...lines].join('\n')}\n`);

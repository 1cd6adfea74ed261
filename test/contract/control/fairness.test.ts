import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSecretKey } from '../../../src/contract/secret.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { until } from '../../../src/testkit/waiting.js';
import { type ControlProcess, startControlProcess } from '../../support/control-process.js';
import { ControlBench } from './control-bench.js';
import { EventReader } from './event-reader.js';
import { fillCalls } from './history/many-calls.js';
import { SecondOrganization } from './second-organization.js';

let bench: ControlBench;
/** A separate process: the event loop of the tests must not be measured. */
let control: ControlProcess;
let key: string;
let second: SecondOrganization;
/** Of an API call before the attacks, in milliseconds. */
let quiet: number;
/** Accepts connections and never greets. */
let mailServer: Server;
const mailSockets = new Set<Socket>();

beforeAll(async () => {
  bench = await ControlBench.start();
  mailServer = createServer((socket) => void mailSockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  control = await startControlProcess(bench, {
    DEMARC_SECRET_KEY: generateSecretKey(),
    DEMARC_LLM_STAND_IN: 'true',
    // So few reach it on a busy machine as well.
    DEMARC_API_SEARCHES_PER_SECOND: '5',
    DEMARC_SMTP_URL: `smtp://127.0.0.1:${(mailServer.address() as AddressInfo).port}`,
    DEMARC_SMTP_FROM: 'demarc@example.com',
  });
  key = (await createKey(bench.database, bench.organization, 'attacker')).key;
  second = await SecondOrganization.create(bench, control);
  // The first ones take several times as long.
  for (let request = 0; request < 30; request++) await second.call();
  quiet = await second.slowest();
});
afterAll(async () => {
  await control?.child.stop();
  for (const socket of mailSockets) socket.destroy();
  mailServer?.close();
  await bench?.stop();
});

async function ask(method: string, path: string, body?: unknown) {
  const answer = await fetch(control.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: Tests say themselves what they expect of an answer.
  return { status: answer.status, body: (await answer.json()) as any };
}

const scenarioOf = (name: string, pattern: string) => ({
  name,
  scenario_type: 'HISTORICAL',
  tester_persona_prompt: '',
  agent: { url: 'https://agent.example.com/v1' },
  input_messages: [{ role: 'assistant', content: 'x'.repeat(20_000) }],
  assertions: Array.from({ length: 50 }, () => ({ type: 'REGEX_MATCH', config: { pattern } })),
});

describe('while one organization attacks, an API call of another', () => {
  it('is answered in time during fifty patterns whose matching takes half a minute', async () => {
    // The hostile program has 1,864 instructions.
    const created = await ask(
      'POST',
      '/v1/agent-testing/scenarios',
      scenarioOf('matching', '(?:.{0,30}[x-z]?){30}[0-9]$'),
    );
    expect(created.status).toBe(200);
    const run = await ask('POST', `/v1/agent-testing/scenarios/${created.body.data.id}/run`, {});
    expect(run.status).toBe(200);
    const path = `/v1/agent-testing/runs/${run.body.data.run_id ?? run.body.data.id}`;
    const status = async () => (await ask('GET', path)).body.data.status as string;
    await until(async () => (await status()) === 'RUNNING', 20_000, 'the run has begun');
    await second.expectServed(quiet);
    expect(await status()).toBe('RUNNING');
    await ask('POST', `${path}/cancel`, {});
  });

  it('is answered in time during fifty patterns whose compilation takes half a minute', async () => {
    const pattern = Array.from({ length: 120 }, () => '.{0,999}').join('');
    const scenario = scenarioOf('compiling', pattern);
    let isOver = false;
    const attack = (async () => {
      for (;;) {
        const answer = await ask('POST', '/v1/agent-testing/scenarios', scenario);
        if (isOver) return answer;
      }
    })();
    await second.expectServed(quiet);
    isOver = true;
    const { status, body } = await attack;
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe('assertions.0.config.pattern');
    expect(body.errors[0].message).toMatch(/^The pattern is too large/);
  });

  it('is answered in time while a megabyte with 100,000 different words is learned', async () => {
    const text = Array.from({ length: 100_000 }, (_, index) => `w${index.toString(36)}x`).join(' ');
    const learned = await ask('POST', '/v1/knowledge/learn', {
      name: 'words',
      type: 'text',
      text: text.padEnd(1_000_000, ' and so on').slice(0, 1_000_000),
    });
    expect(learned.status).toBe(200);
    await second.expectServed(quiet);
    const path = `/v1/knowledge/${learned.body.data.id}`;
    await until(
      async () => (await ask('GET', path)).body.data.status === 'COMPLETED',
      60_000,
      'it is learned',
    );
  });

  it('is answered in time during searches by twelve keys, within the limits of their organization', async () => {
    await fillCalls(bench.database, bench.organization, 20_000);
    const keys = await Promise.all(
      Array.from({ length: 12 }, () => createKey(bench.database, bench.organization, 'attacker')),
    );
    let isOver = false;
    const refusals = new Map<string, string>();
    let answered = 0;
    const connection = async (authorization: string): Promise<void> => {
      while (!isOver) {
        const answer = await fetch(`${control.url}/v1/sip/calls?q=5555&limit=100`, {
          headers: { authorization },
        });
        const { errors } = (await answer.json()) as { errors: { message: string }[] | null };
        if (answer.status === 200) answered += 1;
        else refusals.set(errors![0]!.message, String(answer.headers.get('retry-after')));
      }
    };
    const attack = Promise.all([...keys, ...keys].map((attacker) => connection(attacker.key)));
    await second.expectServed(quiet).finally(() => {
      isOver = true;
    });
    await attack;
    expect(answered).toBeGreaterThan(0);
    const searches = 'Too many requests: the limit of searches of this organization is 5 requests a second';
    expect(refusals.get(searches)).toBe('1');
  });

  it('is answered in time while many invitations wait for a mail server that does not respond', async () => {
    const { id } = await createOrganization(bench.database, { name: 'mails', sipEnabled: true });
    const authorization = (await createKey(bench.database, id, 'attacker')).key;
    const over = new AbortController();
    let sent = 0;
    const connection = async (): Promise<void> => {
      while (!over.signal.aborted) {
        sent += 1;
        const answer = await fetch(`${control.url}/v1/invitations`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ email: `person-${sent}@example.com`, role: 'viewer' }),
          signal: over.signal,
        });
        await answer.arrayBuffer();
      }
    };
    const attack = Promise.allSettled(Array.from({ length: 24 }, connection));
    try {
      await until(() => mailSockets.size >= 3, 10_000, 'invitations wait for the mail server');
      await second.expectServed(quiet);
    } finally {
      over.abort();
      await attack;
    }
  });
});

describe('event streams of one organization', () => {
  it('are a twentieth of those of a process, so that another organization gets its events', async () => {
    // A new organization: requests of earlier tests count towards the limit of theirs.
    const { id } = await createOrganization(bench.database, { name: 'streams', sipEnabled: true });
    const owners = await Promise.all(
      Array.from({ length: 4 }, () => createKey(bench.database, id, 'attacker')),
    );
    const open: EventReader[] = [];
    try {
      const keys = owners.flatMap(({ key: own }, index) =>
        new Array<string>(index === 3 ? 10 : 30).fill(own),
      );
      const opening = keys.map((authorization) =>
        EventReader.open(`${control.url}/v1/noc/events`, { authorization }),
      );
      open.push(...(await Promise.all(opening)));
      const refused = await fetch(`${control.url}/v1/noc/events`, {
        headers: { authorization: owners[3]!.key },
      });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
      expect(await refused.text()).toContain('100 event streams of this organization are open');
      const beside = await EventReader.open(`${control.url}/v1/noc/events`, { authorization: second.key });
      open.push(beside);
      await beside.next('snapshot');
    } finally {
      for (const reader of open) reader.close();
    }
  });
});

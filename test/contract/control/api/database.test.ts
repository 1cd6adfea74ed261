import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, migrateWhenReachable, openDatabase } from '../../../../src/control/database/database.js';
import { migrations } from '../../../../src/control/database/migrations.js';
import { runKeyCommand } from '../../../../src/control/organizations/key-command.js';
import { runOrganizationCommand } from '../../../../src/control/organizations/organization-command.js';
import { acceptInvitation } from '../../../../src/control/people/invitations.js';
import { runMemberCommand } from '../../../../src/control/people/member-command.js';
import { createPerson } from '../../../../src/control/people/people.js';
import { until } from '../../../../src/testkit/waiting.js';
import { demarcCommand } from '../../../support/engine-under-test.js';
import type { PrivatePostgres } from '../../../support/postgres.js';
import { privateDatabase, sharedDatabase, sharedEmptyDatabase } from '../../../support/shared-postgres.js';
import { Stopwatch } from '../../../support/stopwatch.js';
import { ApiUnderTest, attachBody, freshNumber, inbound } from './fixture.js';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** It has no default and takes no null. */
  readonly isRequired: boolean;
}

/** The tables of each release, by the query of `columnsOf`, with the commit that had them. */
const releases = [
  ['0.1', '04a221bf'],
  ['0.2', '06b67585~1'],
] as const;

async function columnsOf(url: string): Promise<Column[]> {
  const database = openDatabase({ url, maximumConnections: 1, timeoutMilliseconds: 5_000 }, () => {});
  try {
    const { rows } = await sql<Column>`
      select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
        a.attnotnull and not a.atthasdef and a.attidentity = '' as "isRequired"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
        and not a.attisdropped
      order by c.relname, a.attname`.execute(database);
    return rows;
  } finally {
    await database.destroy();
  }
}

describe('the database', () => {
  it('is brought up to date by one of several processes that start at once', async () => {
    const url = await sharedEmptyDatabase();
    const done = await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
    expect(done.flat().sort()).toEqual(Object.keys(migrations));
    expect(await migrate(url)).toEqual([]);
  });

  it('serves the release before while a later one has only expanded it', async () => {
    const url = await sharedDatabase();
    const database = openDatabase({ url, maximumConnections: 1, timeoutMilliseconds: 5_000 }, () => {});
    const apply = (name: string) =>
      sql`insert into kysely_migration (name, timestamp) values (${name}, now()::text)`.execute(database);
    try {
      await apply('9998-later-table');
      expect(await migrate(url)).toEqual([]);
      // A step of this release that is still missing is made.
      await sql`drop table contact_counts, new_callers`.execute(database);
      await sql`delete from kysely_migration where name = '0224-contact-bounds'`.execute(database);
      expect(await migrate(url)).toEqual(['0224-contact-bounds']);
      await apply('9999-contract-later-table');
      await expect(migrate(url)).rejects.toThrow(
        /contracted by a later release \(9999-contract-later-table\)/,
      );
    } finally {
      await database.destroy();
    }
  });

  it.each(releases)('has all that release %s (%s) reads and writes', async (release) => {
    const url = await sharedDatabase();
    const columns = new Map(
      (await columnsOf(url)).map((column) => [`${column.table}.${column.name}`, column]),
    );
    const before = readFileSync(new URL(`./schema-${release}.txt`, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): Column => {
        const [table = '', name = '', type = '', need] = line.split('\t');
        return { table, name, type, isRequired: need === 'required' };
      });
    expect(before.length).toBeGreaterThan(500);
    for (const column of before) {
      const place = `${column.table}.${column.name}`;
      const current = columns.get(place);
      expect(current?.type, place).toBe(column.type);
      // What it may leave out, it may still leave out.
      expect(current!.isRequired && !column.isRequired, place).toBe(false);
    }
    const tables = new Set(before.map(({ table }) => table));
    const earlier = new Set(before.map(({ table, name }) => `${table}.${name}`));
    for (const [place, { table, isRequired }] of columns)
      if (tables.has(table) && !earlier.has(place)) expect(isRequired, place).toBe(false);
  });

  it('is waited for, but not for ever', async () => {
    const nowhere = 'postgresql:///x?host=/nonexistent';
    let waiting = 0;
    const started = performance.now();
    await expect(migrateWhenReachable(nowhere, 600, () => waiting++)).rejects.toThrow();
    expect(performance.now() - started).toBeGreaterThan(600);
    expect(waiting).toBe(1);
  });

  const command = async (
    run: typeof runKeyCommand,
    argv: readonly string[],
    environment: Record<string, string>,
  ): Promise<{ status: number; out: string; error: string }> => {
    let out = '';
    let error = '';
    const status = await run(argv, {
      environment,
      out: (text) => {
        out += text;
      },
      error: (text) => {
        error += text;
      },
    });
    return { status, out, error };
  };

  it('is filled by demarc org and demarc key', async () => {
    const environment = { DATABASE_URL: await sharedEmptyDatabase() };
    const org = (...argv: string[]) => command(runOrganizationCommand, argv, environment);
    const key = (...argv: string[]) => command(runKeyCommand, argv, environment);
    const created = await org('create', 'acme');
    const id = created.out.trim();
    expect(created).toMatchObject({ status: 0, out: expect.stringMatching(/^org_[0-9a-f]{24}\n$/) });
    expect(await org('create', 'acme')).toMatchObject({ status: 2, error: expect.stringContaining('acme') });
    expect((await org('create', `org_${'0'.repeat(24)}`)).status).toBe(2);
    expect(await org('create', 'far', '--region', 'mars1')).toMatchObject({
      status: 2,
      error: expect.stringContaining('unknown region mars1; DEMARC_REGIONS has local'),
    });
    expect((await org('list')).out).toBe(`${id}\tacme\tno sip\tdefault region\tdefault retention\n`);
    expect((await org('entitle', 'acme')).out).toContain('\tsip\t');
    expect((await org('entitle', id, '--revoke')).out).toContain('\tno sip\t');
    expect((await org('entitle', 'nobody')).status).toBe(1);
    expect((await org('retention', 'acme', '30')).out).toContain('\t30 days\n');
    expect((await org('retention', id, 'default')).out).toContain('\tdefault retention\n');
    expect(await org('retention', 'acme', '0')).toMatchObject({
      status: 2,
      error: expect.stringContaining('1 to 36500'),
    });
    expect((await org('nonsense')).status).toBe(2);

    const made = await key('create', 'acme', '--name', 'ci');
    const text = made.out.trim();
    expect(text).toMatch(/^sk-demarc-[A-Za-z0-9_-]{43}$/);
    const list = (await key('list', '--org', 'acme')).out;
    expect(list).toContain(`${id}\tci\t${text.slice(0, 16)}…\tactive`);
    expect(list).not.toContain(text);
    const keyId = list.split('\t')[0]!;
    expect((await key('revoke', keyId)).status).toBe(0);
    expect((await key('revoke', keyId)).status).toBe(0);
    expect((await key('list')).out).toContain('\trevoked ');
    expect((await key('revoke', 'key_0')).status).toBe(1);
    expect((await key('create', 'nobody')).status).toBe(1);
  });

  it('has its members managed by demarc member, with links to the public URL', async () => {
    const url = await sharedDatabase();
    const environment = { DATABASE_URL: url, DEMARC_PUBLIC_URL: 'https://demarc.example.com' };
    await command(runOrganizationCommand, ['create', 'acme'], environment);
    const member = (...argv: string[]) => command(runMemberCommand, argv, environment);
    const invited = await member('invite', 'acme', 'Ada@example.com');
    expect(invited).toMatchObject({ status: 0, error: '' });
    const token = /^https:\/\/demarc\.example\.com\/join#([\w-]{43})\n$/.exec(invited.out)![1]!;
    const database = openDatabase({ url, maximumConnections: 1, timeoutMilliseconds: 5_000 }, () => {});
    await acceptInvitation(database, token, (transaction, email) =>
      createPerson(transaction, { email, name: 'Ada', password: 'no hash' }),
    );
    await database.destroy();
    expect((await member('list', 'acme')).out).toMatch(
      /^mem_\w+\tada@example\.com\tAda\towner\t\tnever signed in\n$/,
    );
    expect(await member('role', 'acme', 'ada@example.com', 'viewer')).toMatchObject({
      status: 1,
      error: expect.stringContaining('last owner'),
    });
    expect((await member('role', 'acme', 'ada@example.com', 'king')).status).toBe(2);
    expect((await member('operator', 'acme', 'ada@example.com')).status).toBe(0);
    expect((await member('list', 'acme')).out).toContain('\towner\toperator\t');
    expect((await member('operator', 'acme', 'ada@example.com', '--revoke')).status).toBe(0);
    expect((await member('reset', 'ada@example.com')).out).toMatch(
      /^https:\/\/demarc\.example\.com\/reset#[\w-]{43}\n$/,
    );
    expect((await member('reset', 'grace@example.com')).status).toBe(1);
    expect((await member('invite', 'acme', 'nonsense')).status).toBe(2);
    expect(await member('remove', 'acme', 'ada@example.com')).toMatchObject({
      status: 1,
      error: expect.stringContaining('last owner'),
    });
    expect((await member('remove', 'nobody', 'ada@example.com')).status).toBe(1);
  });

  it('makes a command fail while it is down, with a reason and without its address', async () => {
    const environment = { DATABASE_URL: 'postgresql://user:s3cret@127.0.0.1:1/x' };
    const result = await command(runKeyCommand, ['list'], environment);
    expect(result).toMatchObject({ status: 1, error: expect.stringContaining('not reachable') });
    expect(result.error).not.toContain('s3cret');
  });

  it('is required by commands without an address', async () => {
    expect(await command(runKeyCommand, ['list'], {})).toMatchObject({
      status: 2,
      error: expect.stringContaining('DATABASE_URL'),
    });
  });
});

describe('an API whose database goes down', () => {
  let postgres: PrivatePostgres;
  let api: ApiUnderTest;
  beforeAll(async () => {
    let url: string;
    ({ postgres, url } = await privateDatabase());
    api = await ApiUnderTest.start({ DATABASE_URL: url });
  });
  afterAll(async () => {
    await api?.stop();
    await postgres?.stop();
  });

  it('answers 503 while it is down and recovers when it is back', async () => {
    const tenant = await api.tenant();
    const number = freshNumber();
    const attach = () => api.call(tenant, 'POST', '/v1/sip/attach', attachBody([number], inbound()));
    expect((await attach()).status).toBe(200);
    await postgres.kill();
    const unavailable = await attach();
    expect(unavailable).toMatchObject({
      status: 503,
      data: null,
      errors: [{ error: 'SERVICE_UNAVAILABLE' }],
    });
    expect(unavailable.headers['retry-after']).toBe('1');
    await postgres.up();
    await until(async () => (await attach()).status === 200, 10_000, 'the API works again');
  });
});

describe('an API whose database is too slow', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await ApiUnderTest.start({ DEMARC_DATABASE_TIMEOUT_MS: '3000' });
  });
  afterAll(() => api?.stop());

  it('gives up after its time limit and reports it', async () => {
    const tenant = await api.tenant();
    const attach = () =>
      api.call<{ configured: string[] }>(
        tenant,
        'POST',
        '/v1/sip/attach',
        attachBody([freshNumber()], inbound()),
      );
    const { url } = api.parts.settings.database;
    const holder = openDatabase({ url, maximumConnections: 1, timeoutMilliseconds: 20_000 }, () => {});
    await holder.transaction().execute(async (transaction) => {
      await sql`lock table numbers in access exclusive mode`.execute(transaction);
      const watch = Stopwatch.start();
      const answer = await attach();
      expect(answer).toMatchObject({ status: 503, errors: [{ error: 'SERVICE_UNAVAILABLE' }] });
      expect(watch.milliseconds).toBeLessThan(watch.bound(15_000));
    });
    await holder.destroy();
    expect((await attach()).data.configured).toHaveLength(1);
  });
});

describe('demarc control', () => {
  const start = (environment: Record<string, string>) => {
    const child = spawn(...demarcCommand('control', []), {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk));
    return { child, output: () => text };
  };

  it('refuses to start without required settings, and lists them all', async () => {
    const { child, output } = start({ NODE_ENV: 'production', DEMARC_HTTP_PORT: 'x' });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(2);
    expect(output()).toContain('DATABASE_URL');
    expect(output()).toContain('DEMARC_HTTP_PORT');
  });

  it('refuses to start in production without a key for secrets', async () => {
    const { child, output } = start({
      NODE_ENV: 'production',
      DATABASE_URL: 'postgresql:///x?host=/nonexistent',
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(2);
    expect(output()).toContain('DEMARC_SECRET_KEY');
  });
});

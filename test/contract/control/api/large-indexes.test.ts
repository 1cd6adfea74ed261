import pg from 'pg';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IndexBuilds } from '../../../../src/control/database/index-builds.js';
import { largeIndexes } from '../../../../src/control/database/large-indexes.js';
import { until } from '../../../../src/testkit/waiting.js';
import { sharedDatabase } from '../../../support/shared-postgres.js';

const quiet = pino({ level: 'silent' });
const names = largeIndexes.map(({ name }) => name);

/** Large indexes are built while the release before writes to the tables. */
let url: string;
let writer: pg.Client;
let older: pg.Client;
const builds: IndexBuilds[] = [];
beforeEach(async () => {
  url = await sharedDatabase();
  writer = new pg.Client({ connectionString: url, statement_timeout: 5_000 });
  older = new pg.Client({ connectionString: url });
  await Promise.all([writer.connect(), older.connect()]);
});
afterEach(async () => {
  await Promise.all([writer.end(), older.end()]);
  await Promise.all(builds.splice(0).map((each) => each.stop()));
});

const build = async (): Promise<IndexBuilds> => {
  const started = new IndexBuilds(url, quiet);
  builds.push(started);
  await started.start();
  return started;
};

/** By name: whether queries can use it. */
async function indexes(): Promise<Record<string, boolean>> {
  const { rows } = await writer.query<{ name: string; valid: boolean }>(
    `select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
      where relname = any($1)`,
    [[...names, 'calls_bad_audio_page']],
  );
  return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]));
}
const all = Object.fromEntries(names.map((name) => [name, true]));

/** The database of release 0.1. */
async function goBack(): Promise<void> {
  for (const name of names) await writer.query(`drop index ${name}`);
  await writer.query('create index calls_bad_audio_page on calls (organization_id, started_at desc)');
}

/** A transaction that began earlier and does not end: a build waits for it. */
async function keepTransaction(): Promise<void> {
  await older.query('begin');
  await older.query("insert into organizations (id, name) values ('o-older', 'older')");
  await older.query('update calls set outcome = outcome');
}

const isWaiting = async (): Promise<boolean> => {
  const { rows } = await writer.query(
    `select 1 from pg_stat_activity where application_name = 'demarc-indexes' and wait_event_type = 'Lock'
      and query like 'create index concurrently%' and datname = current_database()`,
  );
  return rows.length > 0;
};

describe('a large index', () => {
  it('is there in a new database at once', async () => {
    expect(await indexes()).toEqual(all);
  });

  it('is built beside writers, and then takes the place of its predecessor', async () => {
    await goBack();
    await keepTransaction();
    const started = await build();
    await until(isWaiting, 10_000, 'a build that waits');
    expect(started.state()).toEqual({ ready: true, detail: `building ${names[0]}` });
    // Queries still have the predecessor.
    expect(await indexes()).toMatchObject({ calls_bad_audio_page: true });
    await writer.query("insert into organizations (id, name) values ('o-writer', 'writer')");
    await writer.query('update calls set outcome = outcome');
    await writer.query('update deliveries set status = status');
    await older.query('commit');
    await until(() => started.state().detail === 'all built', 20_000, 'the end of the build');
    expect(await indexes()).toEqual(all);
  });

  it('is built again after a build that was interrupted', async () => {
    await goBack();
    await keepTransaction();
    await build();
    await until(isWaiting, 10_000, 'a build that waits');
    await writer.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'demarc-indexes' and datname = current_database()",
    );
    await until(async () => (await indexes())[names[0]!] === false, 10_000, 'an invalid index');
    await builds.pop()!.stop();
    await older.query('rollback');
    const started = await build();
    await until(() => started.state().detail === 'all built', 20_000, 'the end of the build');
    expect(await indexes()).toEqual(all);
  });

  it('is built by one of two processes', async () => {
    await goBack();
    await keepTransaction();
    const first = await build();
    await until(isWaiting, 10_000, 'a build that waits');
    const second = await build();
    const isSecond = (): boolean => second.state().detail === 'another process is building';
    await until(isSecond, 10_000, 'the second process leaves it to the first');
    await older.query('commit');
    await until(() => first.state().detail === 'all built', 20_000, 'the end of the build');
    expect(await indexes()).toEqual(all);
  });
});

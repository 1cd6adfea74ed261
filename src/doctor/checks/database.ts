import pg from 'pg';
import { databaseHosts } from '../../config/store-settings.js';
import type { Check } from '../context.js';
import { type Finding, ok, problem, skipped, warning } from '../finding.js';
import { messageOf } from '../system.js';
import { judgeClockOf } from './clock.js';
import { judgeDelay } from './redis.js';

const boundMilliseconds = 3_000;
const questions = 20;
const slowMilliseconds = 50;
const leastVersion = 130_000;
/** 90 days of 30,000 calls, from where partitions are the better shape (docs/records.md). */
const manyCalls = 2_700_000;

export interface DatabaseFacts {
  /** As `server_version_num`. */
  readonly version: number;
  readonly isStandby: boolean;
  readonly maximumConnections: number;
  readonly synchronousCommit: string;
  readonly fsync: string;
  readonly standbys: number;
  readonly hasVector: boolean;
  /** Undefined: control has never migrated it. */
  readonly steps: number | undefined;
  readonly octets: number;
  /** Rows of `calls` by the planner's estimate; 0 where it has partitions, or is not there. */
  readonly callsInOneTable: number;
}

/** @param connections of one control process */
export function judgeDatabase(facts: DatabaseFacts, connections: number): Finding[] {
  const { version, isStandby, maximumConnections, synchronousCommit, fsync, standbys, hasVector, steps } =
    facts;
  const findings: Finding[] = [];
  const name = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  if (version < leastVersion)
    findings.push(problem(`${name} is too old.`, 'Install PostgreSQL 13 or later.'));
  else findings.push(ok(`${name}, ${(facts.octets / 2 ** 20).toFixed(0)} MiB`));
  if (isStandby)
    findings.push(problem('It is a standby, which accepts no writes.', 'Name the primary in DATABASE_URL.'));
  if (maximumConnections < 2 * connections + 10)
    findings.push(
      warning(
        `max_connections is ${maximumConnections}; two control processes use up to ${2 * connections}.`,
        'Raise max_connections, or lower DEMARC_DATABASE_CONNECTIONS.',
      ),
    );
  if (fsync === 'off' || synchronousCommit === 'off')
    findings.push(
      problem(
        `${fsync === 'off' ? 'fsync' : 'synchronous_commit'} is off: a crash loses records that were confirmed.`,
        'Switch it on.',
      ),
    );
  if (standbys === 0 && !isStandby)
    findings.push(
      warning(
        'No standby is connected.',
        'Run one, or take backups that you have restored (docs/production.md).',
      ),
    );
  if (!hasVector)
    findings.push(
      warning(
        'The extension vector is not available.',
        'Install pgvector: knowledge cannot be searched by meaning without it.',
      ),
    );
  if (facts.callsInOneTable > manyCalls)
    findings.push(
      warning(
        `About ${(facts.callsInOneTable / 1e6).toFixed(1)} million calls are in one table.`,
        'Turn it into partitions by day with demarc control --partition-calls (docs/records.md), or keep calls for fewer days (DEMARC_CALL_RETENTION_DAYS).',
      ),
    );
  if (steps === undefined) findings.push(ok('The schema is empty; control creates it at its start.'));
  return findings;
}

export const database: Check = {
  name: 'database',
  title: 'PostgreSQL',
  async run({ control, now }) {
    if (control === undefined)
      return [
        skipped('This machine runs no control (DATABASE_URL is not set), or its settings are invalid.'),
      ];
    const { url, maximumConnections } = control.database;
    const hosts = databaseHosts(url);
    const findings = await Promise.all(hosts.map((host) => lookAt(host, maximumConnections, now)));
    return hosts.length === 1 ? findings.flat() : judgeHosts(findings);
  },
};

/** Of several hosts, one must be the primary, and any other may be a standby or down. @param hosts findings of each */
export function judgeHosts(hosts: readonly (readonly Finding[])[]): Finding[] {
  const isUsable = (findings: readonly Finding[]): boolean =>
    findings.every(
      ({ text }) => !text.startsWith('It is a standby') && !text.startsWith('It cannot be used'),
    );
  const primaries = hosts.filter(isUsable).length;
  const first = primaries === 1 ? [] : [judgePrimaries(primaries)];
  return hosts
    .flatMap((findings, index) => {
      const isOther = primaries > 0 && !isUsable(findings);
      return findings.map(({ verdict, text, ...rest }) => ({
        verdict:
          isOther && verdict === 'problem'
            ? text.startsWith('It is a standby')
              ? 'ok'
              : 'warning'
            : verdict,
        text: `Host ${index + 1}: ${text}`,
        ...rest,
      }));
    })
    .concat(first);
}

const judgePrimaries = (primaries: number): Finding =>
  primaries === 0
    ? problem('None of the hosts accepts writes.', 'Promote a standby, or start the primary.')
    : problem(
        `${primaries} hosts accept writes.`,
        'Stop the one that was the primary before: records may be in either.',
      );

async function lookAt(url: string, connections: number, now: () => number): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: boundMilliseconds,
    query_timeout: boundMilliseconds,
    application_name: 'demarc-doctor',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await look(client, connections, now);
  } catch (error) {
    return [
      problem(
        `It cannot be used: ${messageOf(error)}.`,
        'Check DATABASE_URL, the network and the password. Calls continue meanwhile; their records wait in Redis.',
      ),
    ];
  } finally {
    await client.end().catch(() => {});
  }
}

async function look(client: pg.Client, connections: number, now: () => number): Promise<Finding[]> {
  const delays: number[] = [];
  for (let at = 0; at < questions; at++) {
    const began = performance.now();
    await client.query('select 1');
    delays.push(performance.now() - began);
  }
  const asked = now();
  const { rows } = await client.query(`select
    current_setting('server_version_num')::int as version, pg_is_in_recovery() as "isStandby",
    current_setting('max_connections')::int as "maximumConnections",
    current_setting('synchronous_commit') as "synchronousCommit", current_setting('fsync') as fsync,
    (select count(*)::int from pg_stat_replication) as standbys,
    exists (select from pg_available_extensions where name = 'vector') as "hasVector",
    pg_database_size(current_database())::float8 as octets,
    coalesce((select greatest(reltuples, 0)::float8 from pg_class where oid = to_regclass('calls') and relkind = 'r'), 0)
      as "callsInOneTable",
    to_regclass('kysely_migration') is not null as "hasSchema",
    extract(epoch from clock_timestamp()) * 1000 as clock`);
  const answered = now();
  const [row] = rows as [DatabaseFacts & { readonly clock: string; readonly hasSchema: boolean }];
  const steps = row.hasSchema ? await countSteps(client) : undefined;
  const skew = judgeClockOf('PostgreSQL', Number(row.clock) - (asked + answered) / 2, (answered - asked) / 2);
  return [
    ...judgeDatabase({ ...row, steps }, connections),
    judgeDelay('PostgreSQL', delays, slowMilliseconds),
    ...(skew ? [skew] : []),
  ];
}

async function countSteps(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select count(*)::int as steps from kysely_migration');
  return (rows as [{ readonly steps: number }])[0].steps;
}

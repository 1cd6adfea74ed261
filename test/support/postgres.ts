import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { migrate } from '../../src/control/database/database.js';
import { type PostgresCluster, preparePostgres } from '../../src/launcher/postgres-cluster.js';
import { until } from '../../src/testkit/waiting.js';
import { undoAfterTest } from './after-test.js';
import { TestProcess } from './processes.js';
import { noteUse, removeUnusedTemplates } from './unused-templates.js';

const run = promisify(execFile);

/** Names the versions that initdb may come from. */
const installed = '/usr/lib/postgresql';
const schema = join(import.meta.dirname, '..', '..', 'src', 'control', 'database');
const template = join(
  tmpdir(),
  `demarc-postgres-template-${process.getuid?.() ?? 'user'}-${existsSync(installed) ? readdirSync(installed).sort().join('-') : 'path'}`,
);

/**
 * Puts an initialized data folder where `preparePostgres` would make one: initdb takes half a second of CPU, a copy a tenth of it.
 * The first test of a machine makes the template.
 */
export async function copyTemplate(folder: string): Promise<void> {
  await copyOf(template, folder, async (made) => {
    await preparePostgres(made, { durable: false });
  });
}

/**
 * As after an earlier start of the same release: initdb and migrations take two of the six seconds of CPU that the start of a whole system
 * takes, a copy a fifth of that. The first test of a machine makes the template of each schema.
 */
export async function copyMigratedTemplate(folder: string): Promise<void> {
  await copyOf(`${template}-${await schemaDigest()}`, folder, async (made) => {
    await copyTemplate(made);
    await PrivatePostgres.migrate(made);
  });
}

/** Names what migrations make of an empty database. */
async function schemaDigest(): Promise<string> {
  const hash = createHash('sha256');
  const files = readdirSync(schema, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  for (const name of files.sort()) hash.update(name).update(await readFile(join(schema, name)));
  return hash.digest('hex').slice(0, 16);
}

async function copyOf(
  original: string,
  folder: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const owner = await stat(original).then(
    ({ uid }) => uid,
    () => undefined,
  );
  if (owner !== undefined && owner !== process.getuid?.()) {
    throw new Error(`${original} belongs to another user (${owner}).`);
  }
  if (owner === undefined) {
    const made = await mkdtemp(`${original}.`);
    await chmod(made, 0o711);
    await make(join(made, 'cluster'));
    // Another worker may have been quicker.
    await rename(made, original).catch(() => rm(made, { recursive: true, force: true }));
    await removeUnusedTemplates(template);
  }
  await noteUse(original);
  await copyCluster(join(original, 'cluster'), folder);
}

/** Keeps owner and mode, which PostgreSQL insists on. */
async function copyCluster(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]);
}

/** A PostgreSQL of the test's own on a Unix socket, which can be killed and started again. */
export class PrivatePostgres {
  private process: TestProcess | undefined;
  private databases = 0;
  private isOver = false;

  private constructor(
    private readonly directory: string,
    private readonly cluster: PostgresCluster,
  ) {}

  /**
   * @param settings of the server, `name=value`
   * @param from a copy that `copy` made, with whose databases it begins; default: with none
   */
  static async start(settings: readonly string[] = [], from?: string): Promise<PrivatePostgres> {
    const directory = await mkdtemp(join(tmpdir(), 'demarc-postgres-'));
    // The server may run as another user, who must reach its folder below.
    await chmod(directory, 0o711);
    const folder = join(directory, 'cluster');
    await (from === undefined ? copyTemplate(folder) : copyCluster(from, folder));
    const cluster = await preparePostgres(join(directory, 'cluster'), { durable: false, settings });
    const postgres = new PrivatePostgres(directory, cluster);
    await postgres.up();
    return postgres;
  }

  /** Brings our schema into the first database of that data folder. */
  static async migrate(folder: string): Promise<void> {
    const postgres = new PrivatePostgres(folder, await preparePostgres(folder, { durable: false }));
    try {
      await postgres.up();
      await migrate(postgres.url);
    } finally {
      await postgres.down();
    }
  }

  /** Address of the database that every cluster has. */
  get url(): string {
    return this.cluster.url('postgres');
  }

  /** Address of one of its databases. */
  urlOf(database: string): string {
    return this.cluster.url(database);
  }

  /** Makes an empty database; returns its address. */
  async database(name = `test_${this.databases + 1}`): Promise<string> {
    this.databases += 1;
    await this.execute(`CREATE DATABASE ${name}`);
    return this.cluster.url(name);
  }

  /** Starts the server, also again after its end. */
  async up(): Promise<void> {
    const { file, args, user } = this.cluster;
    const start = (): void => {
      this.process = new TestProcess(file, args, { stdio: ['ignore', 'pipe', 'pipe'], ...user });
    };
    start();
    await until(
      async () => {
        if (this.process?.isRunning !== true) {
          // The other processes of a server that was killed may still be about to follow it.
          if (!/still in use|lock file/.test(this.process?.output ?? '')) {
            throw new Error(`PostgreSQL ended:\n${this.process?.output}`);
          }
          start();
        }
        return this.execute('SELECT 1').then(
          () => true,
          () => false,
        );
      },
      20_000,
      () => `PostgreSQL: ${this.process?.output}`,
    );
  }

  /** kill -9 of the server's first process; its children follow. After the test it is up again at the latest. */
  async kill(): Promise<void> {
    undoAfterTest(() => (this.isOver || this.process?.isRunning === true ? undefined : this.up()));
    this.process?.signal('SIGKILL');
    await this.process?.exit(5_000);
  }

  /** Stops the server meanwhile; returns the folder with a copy of its files, which goes with the server's. */
  async copy(): Promise<string> {
    const folder = join(this.directory, 'copy');
    await this.down();
    await copyCluster(join(this.directory, 'cluster'), folder);
    await this.up();
    return folder;
  }

  /** Ends every connection and every process, then the files. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.down();
    await rm(this.directory, { recursive: true, force: true });
  }

  private async down(): Promise<void> {
    // SIGINT: "fast"; SIGTERM would wait for clients to leave.
    if (this.process?.isRunning === true) this.process.signal('SIGINT');
    await this.process?.exit(10_000);
  }

  private async execute(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(sql);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

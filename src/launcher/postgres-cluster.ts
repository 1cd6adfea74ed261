import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isZombie, startOf } from '../base/process-identity.js';

const run = promisify(execFile);

/** The user that the server runs as: PostgreSQL refuses to run as root. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL cannot be prepared; the message says why. */
export class PostgresUnusable extends Error {}

/** A prepared data folder, and how to run a server on it. */
export interface PostgresCluster {
  readonly file: string;
  readonly args: readonly string[];
  readonly user: SystemUser | undefined;
  /** Folder of the Unix socket, the only listener: TCP is disabled. */
  readonly socketFolder: string;
  /** URL of a database on it. */
  url(database: string): string;
  /** Resolves when nothing is left of a server that was killed, in 5 s at most: while there is, a new one refuses to start. */
  formerIsGone(): Promise<void>;
}

/** Determines the socket file name `.s.PGSQL.5432`; nothing listens on TCP. */
const socketNumber = 5432;
const superuser = 'demarc';
const formerBoundMilliseconds = 5_000;
/** `sun_path` holds 108 octets including the final zero (unix(7)). */
const longestSocketFolder = 107 - `/.s.PGSQL.${socketNumber}.lock`.length;

/**
 * Creates a data folder in `folder` unless there is one. Only this user and root can connect: the socket's folder is closed
 * to others. When run as root, the server gets an ordinary user, and where that user cannot reach the folder, as below
 * /root, a folder below `/var/lib/demarc` is used instead.
 * @throws PostgresUnusable
 */
export async function preparePostgres(
  folder: string,
  options: { readonly durable: boolean; readonly settings?: readonly string[] },
): Promise<PostgresCluster> {
  const binaries = findBinaries();
  const user = process.getuid?.() === 0 ? await ordinaryUser() : undefined;
  const home = await reachableFolder(folder, user);
  own(home, user);
  const data = join(home, 'data');
  if (!existsSync(join(data, 'PG_VERSION'))) await initialize(join(binaries, 'initdb'), home, data, user);
  const socketFolder =
    home.length <= longestSocketFolder ? home : join(tmpdir(), `demarc-postgres-${shortHash(home)}`);
  own(socketFolder, user);
  const settings = [
    'listen_addresses=',
    `port=${socketNumber}`,
    `unix_socket_directories=${socketFolder}`,
    'unix_socket_permissions=0700',
    'max_connections=60',
    // Enough for a demo and for tests; administrators configure a real server themselves.
    'shared_buffers=32MB',
    `fsync=${options.durable ? 'on' : 'off'}`,
    ...(options.settings ?? []),
  ];
  return {
    file: join(binaries, 'postgres'),
    args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    user,
    socketFolder,
    url: (database) =>
      `postgresql:///${database}?host=${encodeURIComponent(socketFolder)}&port=${socketNumber}&user=${superuser}`,
    formerIsGone: () => formerIsGone(data),
  };
}

/**
 * `postmaster.pid` names the server's process id and, in its seventh line, its shared memory: a killed server is there until its
 * parent has noticed its end, and its memory until its last process has noticed it.
 */
async function formerIsGone(data: string): Promise<void> {
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const memory = lines[6]?.trim().split(/\s+/)[1];
  const until = performance.now() + formerBoundMilliseconds;
  // A server that runs is adopted, or reports that it runs.
  while (pid > 0 && startOf(pid) === undefined && performance.now() < until) {
    if (!isZombie(pid) && !(await isAttached(memory))) return;
    await sleep(20);
  }
}

/** Whether a process uses the shared memory of this id; false where Linux's list of them cannot be read. */
async function isAttached(id: string | undefined): Promise<boolean> {
  const segments = await readFile('/proc/sysvipc/shm', 'utf8').catch(() => '');
  const fields = segments.split('\n').map((line) => line.trim().split(/\s+/));
  const processes = fields[0]?.indexOf('nattch') ?? -1;
  return fields.some((segment) => segment[1] === id && Number(segment[processes]) > 0);
}

/** Debian keeps the server's programs out of PATH, one folder per version; the newest wins. */
function findBinaries(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newestFirst = versions.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...newestFirst.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/local/pgsql/bin',
  ];
  const found = folders.find((name) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(name, program))),
  );
  if (found === undefined) {
    throw new PostgresUnusable('initdb and postgres were not found (Debian: apt-get install postgresql)');
  }
  return found;
}

/** The user `postgres` if the package created it, else the system user `nobody`. */
async function ordinaryUser(): Promise<SystemUser> {
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((option) => run('id', [option, name]))).catch(
      () => undefined,
    );
    if (ids !== undefined) return { uid: Number(ids[0]!.stdout), gid: Number(ids[1]!.stdout) };
  }
  throw new PostgresUnusable(
    'it refuses to run as root, and this system has neither a postgres nor a nobody user',
  );
}

/** The folder itself, or the target of its link `elsewhere`, which the first start creates. */
async function reachableFolder(folder: string, user: SystemUser | undefined): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user === undefined) return folder;
  own(folder, user);
  const isReachable = await run('test', ['-w', folder], user).then(
    () => true,
    () => false,
  );
  if (isReachable) return folder;
  const link = join(folder, 'elsewhere');
  try {
    return readlinkSync(link);
  } catch {
    // A unique name: data of an earlier folder with the same path must not be reused.
    const elsewhere = join('/var/lib/demarc', `postgres-${randomBytes(6).toString('hex')}`);
    symlinkSync(elsewhere, link);
    return elsewhere;
  }
}

function own(folder: string, user: SystemUser | undefined): void {
  mkdirSync(folder, { recursive: true });
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Created next to its final place and then renamed: an interrupted start leaves nothing that looks complete. */
async function initialize(
  program: string,
  home: string,
  data: string,
  user: SystemUser | undefined,
): Promise<void> {
  const fresh = join(home, 'data.new');
  rmSync(fresh, { recursive: true, force: true });
  const argv = [
    '-D',
    fresh,
    '-U',
    superuser,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  try {
    await run(program, argv, { cwd: home, ...user });
  } catch (failure) {
    throw new PostgresUnusable(`initdb failed: ${(failure as { stderr?: string }).stderr ?? failure}`, {
      cause: failure,
    });
  }
  rmSync(data, { recursive: true, force: true });
  renameSync(fresh, data);
}

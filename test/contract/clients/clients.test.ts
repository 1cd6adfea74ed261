import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/control/organizations/keys.js';
import { type ApiUnderTest, startApi } from '../control/api-under-test.js';
import { ControlBench } from '../control/control-bench.js';

const run = promisify(execFile);
/** Debian's own, for which its packages are. */
const python = '/usr/bin/python3';

let bench: ControlBench;
let api: ApiUnderTest;
let environment: NodeJS.ProcessEnv;
let folder: string;
beforeAll(async () => {
  bench = await ControlBench.start();
  api = await startApi(bench);
  await bench.pretendEdge();
  const { key } = await createKey(bench.database, bench.organization, 'test');
  environment = { ...process.env, DEMARC_URL: api.url, DEMARC_API_KEY: key };
  folder = mkdtempSync(join(tmpdir(), 'demarc-clients-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await api?.stop();
  await bench?.stop();
});

/** What the program prints, from an empty folder. */
async function printed(
  file: string,
  argv: readonly string[],
  extra: NodeJS.ProcessEnv = {},
): Promise<unknown> {
  const { stdout } = await run(file, [...argv], {
    cwd: folder,
    env: { ...environment, ...extra },
    timeout: 60_000,
  });
  return JSON.parse(stdout);
}

const script = (name: string): string => join(import.meta.dirname, name);

describe('the clients against a running control', () => {
  it('Python: calls, pages, errors, retries, time limits, live events and webhooks work, plain and asynchronous', async () => {
    expect(existsSync(python), `${python} is installed`).toBe(true);
    const found = await printed(python, [script('use-client.py'), '+14155550171'], {
      PYTHONPATH: join(process.cwd(), 'clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
    });
    const personas = [0, 1, 2, 3, 4].map((index) => `Persona ${index}`);
    expect(found).toEqual({
      configured: ['+14155550171'],
      repeated: 'Persona 0',
      personas,
      invalid: [400, 'VALIDATION_ERROR', true, true],
      missing: 'NOT_FOUND',
      refused: 401,
      csv: 'call_id',
      from: [],
      event: 'snapshot',
      asynchronous: personas.length,
      asynchronous_event: 'snapshot',
      silent: 'TIMEOUT',
      retried: 'one',
      webhook: 'call.completed',
      forged: 'refused',
      agent: 'demarc-python/0.2.0',
    });
  });

  it('TypeScript: what is packed works from an empty folder, and holds nothing else', async () => {
    const source = join(process.cwd(), 'clients/typescript');
    const copy = join(folder, 'source');
    cpSync(source, copy, { recursive: true, filter: (path) => !/\/(dist|node_modules)$/.test(path) });
    mkdirSync(join(copy, 'node_modules'));
    symlinkSync(join(process.cwd(), 'node_modules/typescript'), join(copy, 'node_modules/typescript'));
    mkdirSync(join(copy, 'node_modules/.bin'));
    symlinkSync('../typescript/bin/tsc', join(copy, 'node_modules/.bin/tsc'));
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: copy });
    const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
      { filename: string; files: { path: string }[] },
    ];
    const names = files.map(({ path }) => path).toSorted();
    expect(names.filter((path) => !path.startsWith('dist/'))).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    expect(names).toContain('dist/index.d.ts');
    const installed = join(folder, 'node_modules/@demarc/client');
    mkdirSync(installed, { recursive: true });
    await run('tar', [
      '--extract',
      '--strip-components=1',
      '--directory',
      installed,
      '--file',
      join(folder, filename),
    ]);
    cpSync(script('use-client.mjs'), join(folder, 'use-client.mjs'));
    expect(await printed(process.execPath, ['use-client.mjs', '+14155550172'])).toEqual({
      configured: ['+14155550172'],
      names: [0, 1, 2, 3, 4].map((index) => `Persona ${index}`),
      isInvalid: true,
      at: true,
      event: 'snapshot',
    });
  });

  it('are of one version', () => {
    const version = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8')).version;
    expect(readFileSync('clients/python/pyproject.toml', 'utf8')).toContain(`version = "${version}"`);
    expect(readFileSync('clients/python/src/demarc/_version.py', 'utf8')).toContain(`"${version}"`);
    expect(readFileSync('clients/python/CHANGELOG.md', 'utf8')).toContain(`## ${version}`);
  });
});

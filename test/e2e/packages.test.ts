import { type ExecFileOptions, execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { satisfies } from 'semver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureLtsNode, ensureOldestNode } from '../../dev/gate/lts-node.mjs';
import { lowPriority } from '../../dev/gate/room.mjs';
import { isRunning } from '../../src/base/process-identity.js';
import { until } from '../../src/testkit/waiting.js';
import { TestProcess } from '../support/processes.js';
import { parts, UserOfStart } from './user-of-start.js';

/**
 * The tarballs that users get, installed into an empty folder. `npm run packages -- --contents` writes the lists of what they contain.
 */
const root = join(import.meta.dirname, '..', '..');
const { contentsOf } = (await import(new URL('../../dev/pack/assemble.mjs', import.meta.url).href)) as {
  contentsOf: (name: string, files: readonly string[]) => string;
};
const run = promisify(execFile);
const quiet = {
  env: {
    ...process.env,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
    // More threads take a tenth more processor time to write the 15,000 files.
    UV_THREADPOOL_SIZE: '1',
  },
};
/** Tests that measure time run meanwhile. */
const runPatiently = (file: string, args: readonly string[], options: ExecFileOptions = {}) =>
  run('nice', ['-n', lowPriority(), file, ...args], { ...options, encoding: 'utf8' });

/** Inside of an `npm run` it is known; a further npm takes half a second to name it. */
async function npmProgram(): Promise<string> {
  const { npm_execpath: running } = process.env;
  if (running?.endsWith('npm-cli.js') === true) return running;
  const { stdout: modules } = await run('npm', ['root', '--global']);
  return join(modules.trim(), 'npm', 'bin', 'npm-cli.js');
}

const names = ['demarc', '@demarc/engine', '@demarc/client'] as const;
type Name = (typeof names)[number];
const fileNames = {
  demarc: 'demarc',
  '@demarc/engine': 'demarc-engine',
  '@demarc/client': 'demarc-client',
} as const satisfies Record<Name, string>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;

/** The folder of a dependency, as Node finds it from that package. */
function resolveFrom(path: string, dependency: string): string {
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', dependency);
    if (existsSync(candidate)) return candidate;
  }
  throw new Error(`${dependency} is not installed for ${path}`);
}

/** Folders of everything that npm installed for a package, itself included. */
function installedFor(name: string): string[] {
  const found = new Set([join(folder, 'node_modules', ...name.split('/'))]);
  for (const path of found) {
    const { dependencies = {} } = manifestOf(path);
    for (const dependency of Object.keys(dependencies)) found.add(resolveFrom(path, dependency));
  }
  return [...found];
}

const work = mkdtempSync(join(tmpdir(), 'demarc-packages-'));
const folder = join(work, 'empty');
let tarballs: Record<Name, string>;
let user: UserOfStart;
/** The oldest Node that the packages promise; undefined: not available, and the current one takes its place. */
let oldest: string | undefined;
let whyNotOldest: string | undefined;
/** Of the LTS line, which runs the product; undefined: not available, and the current one does. */
let lts: string | undefined;
let whyNotLts = process.env.DEMARC_TEST_NO_LTS_NODE;
beforeAll(async () => {
  const release = await ensureOldestNode();
  if ('node' in release) oldest = release.node;
  else whyNotOldest = release.reason;
  if (whyNotLts === undefined) {
    const found = await ensureLtsNode();
    if ('node' in found) lts = found.node;
    else whyNotLts = found.reason;
  }
  const { stdout } = await runPatiently(process.execPath, [join(root, 'dev', 'pack', 'main.mjs'), work]);
  const paths = stdout.trim().split('\n');
  tarballs = Object.fromEntries(
    names.map((name) => [name, paths.find((path) => new RegExp(`/${fileNames[name]}-\\d`).test(path))!]),
  ) as Record<Name, string>;
  await run('mkdir', [folder]);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const npm = await npmProgram();
  const packages = [...Object.values(tarballs), 'drachtio-srf'];
  await runPatiently(oldest ?? process.execPath, [npm, 'install', '--ignore-scripts', ...packages], {
    ...quiet,
    cwd: folder,
  });
  const path = lts === undefined ? {} : { PATH: `${dirname(lts)}:${process.env.PATH}` };
  user = await UserOfStart.prepare({ ...path, DEMARC_EDGES: '1', DEMARC_DRAIN_SECONDS: '10' });
}, 600_000);
afterAll(async () => {
  await user?.stop();
  rmSync(work, { recursive: true, force: true });
});

/** Runs a module in the folder, on the oldest Node; its output. */
async function evaluate(code: string): Promise<string> {
  const { stdout, stderr } = await run(oldest ?? process.execPath, ['--input-type=module', '--eval', code], {
    cwd: folder,
    timeout: 30_000,
  });
  return stdout + stderr;
}

describe.each(names)('the package %s', (name) => {
  it('contains what its list says, and has the size recorded there', async () => {
    const { stdout } = await run('tar', ['tzf', tarballs[name]]);
    const files = stdout
      .trim()
      .split('\n')
      .map((path) => path.replace(/^package\//, ''));
    const recorded = readFileSync(join(root, 'dev', 'pack', 'contents', `${fileNames[name]}.txt`), 'utf8');
    const [, octets, list] = /^(\d+) octets\n([\s\S]*)$/.exec(recorded)!;
    expect(contentsOf(name, files)).toBe(list);
    const ratio = statSync(tarballs[name]).size / Number(octets);
    expect(ratio, 'size compared with the recorded one').toBeGreaterThan(0.9);
    expect(ratio, 'size compared with the recorded one').toBeLessThan(1.1);
  });

  it('has few dependencies that its code needs, and no file of the repository’s tests', () => {
    const manifest = manifestOf(join(folder, 'node_modules', ...name.split('/')));
    if (name === '@demarc/engine')
      expect(Object.keys(manifest.dependencies ?? {}).length).toBeLessThanOrEqual(4);
    if (name === '@demarc/client') expect(manifest.dependencies).toBeUndefined();
    expect(manifest.engines?.node).toMatch(/^>=20/);
  });
});

describe('@demarc/engine', () => {
  it('runs the example of its page: an application answers a call, and refuses another', async () => {
    const [, example = ''] = /```js\n([\s\S]*?)```/.exec(
      readFileSync(join(folder, 'node_modules', '@demarc', 'engine', 'README.md'), 'utf8'),
    )!;
    const free = example.replaceAll(/port: (?:9022|5060)/g, 'port: 0');
    const caller = `
      import { SipPeer } from '@demarc/engine/testkit';
      const [target] = engine.listeners;
      const peer = await SipPeer.open({ protocol: 'udp', target });
      const request = (method, user, branch, to = '<sip:a@127.0.0.1>', number = 1) => [
        method + ' sip:a@127.0.0.1:' + target.port + ' SIP/2.0', 'Via: ' + peer.via(branch), 'Max-Forwards: 70',
        'From: <sip:' + user + '@127.0.0.1>;tag=' + user, 'To: ' + to, 'Call-ID: call-of-' + user, 'CSeq: ' + number + ' ' + method,
        'Contact: <' + peer.uri(user) + '>', 'Content-Length: 0', '', ''].join('\\r\\n');
      await peer.send(request('INVITE', 'anonymous', 'z9hG4bK1'));
      await peer.expectResponse(433);
      await peer.send(request('INVITE', 'me', 'z9hG4bK2'));
      const answered = await peer.expectResponse(200, { method: 'INVITE' });
      const to = answered.message.headers.get('To');
      await peer.send(request('ACK', 'me', 'z9hG4bK3', to));
      await peer.send(request('BYE', 'me', 'z9hG4bK4', to, 2));
      await peer.expectResponse(200, { method: 'BYE' });
      console.log(answered.message.body.includes('m=audio 40000'));
      process.exit(0);`;
    expect(await evaluate(free + caller)).toBe('The caller has hung up.\ntrue\n');
  });

  it('runs on the oldest Node it promises: the tests of this package do', ({ skip }) => {
    skip(oldest === undefined, whyNotOldest);
    expect(execFileSync(oldest!, ['--version'], { encoding: 'utf8' })).toMatch(/^v20\.19\./);
  });

  it('installs nothing that refuses the oldest Node it promises', () => {
    const unsuitable = installedFor('@demarc/engine')
      .map(manifestOf)
      // Its first release, where the one that is installed here is a later one.
      .filter(({ engines }) => !satisfies('20.19.0', engines?.node ?? '*'))
      .map(({ name, version, engines }) => `${name} ${version} requires Node ${engines?.node}`);
    expect(unsuitable).toEqual([]);
  });

  it('refuses settings that an engine must not run with', async () => {
    const code = `
      import { Engine } from '@demarc/engine';
      const udp = { protocol: 'udp', host: '127.0.0.1', port: 0 };
      const local = { host: '127.0.0.1', port: 0 };
      for (const options of [
        { admin: local, listeners: [] },
        { admin: { host: '0.0.0.0', port: 0 }, listeners: [udp] },
        { admin: local, listeners: [{ ...udp, protocol: 'tls' }] },
      ]) try { new Engine(options); } catch (error) { console.log(error.name, error.message.split(':')[0]); }`;
    expect(await evaluate(code)).toBe('TypeError listeners\nTypeError secret\nTypeError tls\n');
  });

  it('is typed, also its messages and its test kit', async () => {
    writeFileSync(
      join(folder, 'typed.ts'),
      `import { Engine, type EngineOptions } from '@demarc/engine';
       import { parseMessage, type SipRequest } from '@demarc/engine/sip';
       import { ManualClock } from '@demarc/engine/testkit';
       const options: EngineOptions = { admin: { host: '127.0.0.1', port: 0 }, listeners: [] };
       // @ts-expect-error: no such protocol
       options.listeners[0]!.protocol = 'sctp';
       export const parts: [typeof Engine, typeof ManualClock, SipRequest | undefined] = [Engine, ManualClock, undefined];
       export const read = parseMessage(new Uint8Array() as never);`,
    );
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--noEmit', '--skipLibCheck'];
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
    await runPatiently(process.execPath, [compiler, ...options, ...types, 'typed.ts'], { cwd: folder });
  });
});

describe('demarc', () => {
  /** What npx runs; without npx in between, which does not pass signals on. */
  const demarc = (...args: string[]): TestProcess =>
    new TestProcess(join(folder, 'node_modules', '.bin', 'demarc'), args, {
      env: user.environment,
      cwd: folder,
    });

  it('starts with `npx demarc up`', async () => {
    user.running = demarc('up');
    await user.running.line(/Demarc is up/, 170_000);
    expect(user.running.output).toContain('npx demarc call');
    expect([...user.partIdentities().keys()].sort()).toEqual(parts.filter((name) => name !== 'edge-2'));
  }, 240_000);

  it('runs on the LTS line of Node.js', ({ skip }) => {
    skip(lts === undefined, whyNotLts);
    for (const name of ['edge-1', 'engine', 'media-stream', 'control', 'agent']) {
      const { pid } = user.partIdentities().get(name)!;
      expect(readlinkSync(`/proc/${pid}/exe`), name).toBe(realpathSync(lts!));
    }
  });

  it('keeps the call of `npx demarc call` when the only edge is killed, and both sides are heard', async () => {
    const caller = demarc('call', '--seconds', '8');
    const answered = async (): Promise<number> => {
      const { body } = await user.ask('GET', '/v1/noc/calls/live');
      const calls: { state: string }[] = body.data?.calls ?? [];
      // Those that ring end with their edge.
      return calls.filter(({ state }) => state === 'answered').length;
    };
    await until(async () => (await answered()) === 1, 20_000, 'the call is answered');
    process.kill(user.partIdentities().get('edge-1')!.pid, 'SIGKILL');
    await user.running.line(/edge-1 is ready again/, 20_000);
    expect(await caller.exit(60_000), caller.output).toBe(0);
    expect(caller.output).toMatch(/Echo heard +yes/);
  });

  it.each(['engine', 'edge@', 'control', 'media-stream'])(
    'has the program that its systemd unit demarc-%s.service starts, and Node.js its options',
    async (unit) => {
      const installed = join(folder, 'node_modules', 'demarc');
      const text = readFileSync(join(installed, 'deploy', 'systemd', `demarc-${unit}.service`), 'utf8');
      // The unit expects `npm install --prefix /opt/demarc`. Its first line has the options of Node.js, the program and the role.
      const [, line = ''] = /^ExecStart=node (.*?)( \\)?$/m.exec(text)!;
      const words = line.split(' ');
      expect(words.splice(-2)).toEqual([
        '/opt/demarc/node_modules/demarc/dist/cli.js',
        unit.replace('@', ''),
      ]);
      expect(existsSync(join(installed, 'dist', 'cli.js'))).toBe(true);
      // It refuses options that it does not know; the roles run above.
      await run(oldest ?? process.execPath, [...words, '--version']);
    },
  );

  it('is read by @demarc/client', async () => {
    const { http } = user.ready();
    const output = await evaluate(`
      import { Demarc } from '@demarc/client';
      const client = new Demarc({ baseUrl: ${JSON.stringify(http.url)}, apiKey: ${JSON.stringify(http.apiKey)} });
      let records = [];
      for (let attempts = 0; records.length === 0 && attempts < 200; attempts++) {
        const { data } = await client.callRecords.list({ direction: 'inbound' });
        records = data.calls;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      console.log(records.length, records[0]?.status);`);
    expect(output).toBe('1 200 OK\n');
  });

  it('ends with `npx demarc down` what a killed launcher has left', async () => {
    process.kill(user.supervisor().pid, 'SIGKILL');
    await user.running.exit(20_000);
    const left = [...user.partIdentities().values()];
    expect(left.filter(isRunning)).toHaveLength(parts.length - 1);
    const first = demarc('down');
    expect(await first.exit(40_000), first.output).toBe(0);
    expect(left.filter(isRunning)).toEqual([]);
    const second = demarc('down');
    expect(await second.exit(20_000)).toBe(1);
    expect(second.output).toContain('does not run');
  });
});

describe('the bill of materials', () => {
  it('names every dependency of the product with its version, as CycloneDX', async () => {
    const { stdout } = await runPatiently('npm', ['run', '--silent', 'sbom'], {
      cwd: root,
      maxBuffer: 16 * 1_024 * 1_024,
    });
    const { bomFormat, components } = JSON.parse(stdout) as {
      bomFormat: string;
      components: { version: string; purl: string }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const named = components.map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\/|@[^@]*$/g, '')));
    expect(named).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    for (const { version } of components) expect(version).toMatch(/^\d/);
  });
});

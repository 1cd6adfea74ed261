import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretSettings } from '../../../src/config/secret-files.js';

const root = join(import.meta.dirname, '..', '..', '..');
const units = join(root, 'deploy', 'systemd');
const services = [
  'demarc-engine.service',
  'demarc-edge@1.service',
  'demarc-media-stream.service',
  'demarc-control.service',
];
const read = (name: string): string => readFileSync(join(units, name.replace('@1', '@')), 'utf8');
/** All values of a key, with continued lines joined. */
const valuesOf = (name: string, key: string): string[] =>
  [
    ...read(name)
      .replaceAll('\\\n', ' ')
      .matchAll(new RegExp(`^${key}=(.*)$`, 'gm')),
  ].map(([, value]) => value!);
const variablesOf = (name: string): string[] =>
  valuesOf(name, 'Environment').flatMap((line) => line.split(' ').map((entry) => entry.split('=')[0]!));
const declaredIn = (file: string): string[] =>
  [...read(file).matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!);

/** systemd's own rating, 0 (confined) to 10; what remains is mostly the network that the processes exist for. */
const highestExposure = 1.3;

describe('deploy/systemd', () => {
  let folder: string;
  const version = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' }).stdout ?? '';
  const release = Number(/^systemd (\d+)/.exec(version)?.[1] ?? 0);
  const reason = 'systemd-analyze 250 or later is not installed';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'demarc-units-'));
    for (const name of readdirSync(units)) copyFileSync(join(units, name), join(folder, name));
    for (const name of services) {
      // Node.js of this machine may be outside of the folders that systemd searches.
      const text = read(name).replace(/^ExecStart=node /m, `ExecStart=${process.execPath} `);
      writeFileSync(join(folder, name), text);
    }
    rmSync(join(folder, 'demarc-edge@.service'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is accepted by systemd without a warning', ({ skip }) => {
    skip(release < 250, reason);
    const paths = [...services, 'demarc.target'].map((name) => join(folder, name));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
      encoding: 'utf8',
    });
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
  });

  it('prefers Redis, by a drop-in that systemd accepts', ({ skip }) => {
    expect(valuesOf('redis-priority.conf', 'Nice')).toEqual(['-5']);
    expect(Number(valuesOf('redis-priority.conf', 'CPUWeight')[0])).toBeGreaterThan(100);
    for (const name of services) {
      expect(valuesOf(name, 'Nice')).toEqual([]);
      expect(valuesOf(name, 'CPUWeight')).toEqual([]);
    }
    skip(release < 250, reason);
    const unit = join(folder, 'redis-server.service');
    writeFileSync(unit, '[Service]\nExecStart=/bin/true\n');
    mkdirSync(`${unit}.d`);
    copyFileSync(join(units, 'redis-priority.conf'), join(`${unit}.d`, 'demarc.conf'));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], {
      encoding: 'utf8',
    });
    expect(`${stdout}${stderr}`).toBe('');
    expect(status).toBe(0);
  });

  it.for(services)('confines %s', (name, { skip }) => {
    skip(release < 250, reason);
    const threshold = `--threshold=${highestExposure * 10}`;
    const args = ['security', '--offline=yes', '--no-pager', threshold, join(folder, name)];
    const output = execFileSync('systemd-analyze', args, { encoding: 'utf8' });
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(output)?.[1]);
    expect(exposure).toBeLessThanOrEqual(highestExposure);
  });

  it('names only settings that exist', () => {
    const settings = readFileSync(join(root, 'docs', 'settings.md'), 'utf8');
    const documented = new Set([...settings.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name!));
    const named = [
      ...['demarc-edge@1.service', 'demarc-media-stream.service', 'demarc-control.service'].flatMap(
        variablesOf,
      ),
      ...['edge.env', 'media-stream.env', 'control.env'].flatMap(declaredIn),
    ];
    const undocumented = ['NODE_ENV', 'MALLOC_ARENA_MAX', 'GLIBC_TUNABLES'];
    const unknown = named.filter((name) => {
      const setting = name.replace(/_FILE$/, '');
      if (setting !== name) return !secretSettings.some((secret) => secret === setting);
      return !undocumented.includes(name) && !documented.has(name);
    });
    expect(unknown).toEqual([]);
  });

  it('gives the engine every variable of its command line', () => {
    const [command = ''] = valuesOf('demarc-engine.service', 'ExecStart');
    const used = [...command.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name!);
    const given = [...variablesOf('demarc-engine.service'), ...declaredIn('engine.env')];
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !given.includes(name))).toEqual([]);
  });

  it.each(services)('reads each secret of %s from a credential, and has none in its environment', (name) => {
    const credentials = valuesOf(name, 'LoadCredential').map((entry) => entry.split(':')[0]!);
    const files = valuesOf(name, 'Environment')
      .flatMap((line) => line.split(' '))
      .filter((entry) => entry.includes('_FILE='))
      .map((entry) => entry.split('=%d/')[1]!);
    expect(files).toEqual(credentials);
    const role = name.includes('engine') ? 'engine' : name.includes('edge') ? 'edge' : 'control';
    const open = [...variablesOf(name), ...declaredIn(`${role}.env`)];
    expect(open.filter((variable) => secretSettings.some((secret) => secret === variable))).toEqual([]);
  });

  it('gives edges longer to stop than their calls have to finish', () => {
    const drain = /DEMARC_DRAIN_SECONDS=(\d+)/.exec(read('demarc-edge@1.service'))![1]!;
    expect(Number(valuesOf('demarc-edge@1.service', 'TimeoutStopSec')[0])).toBeGreaterThan(Number(drain));
  });
});

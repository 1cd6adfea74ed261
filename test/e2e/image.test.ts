import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinary } from '../../dev/setup/system-packages.mjs';
import { until } from '../../src/testkit/waiting.js';
import { builtImages, Containers } from '../support/containers.js';
import { Deployment, type Profile } from './deployment.js';

const root = join(import.meta.dirname, '..', '..');
/** The base is Debian's, and the stand-in for it larger than the real one (75 MB). */
const largestOwnMegabytes = 250 - 75;
const octetsPerMegabyte = 1_000_000;
/** Of a call whose edges are killed: rtpengine continues without them. */
const longestSilence = 5_000;

let reason: string | undefined;
let containers: Containers;
let directory: string;

beforeAll(async () => {
  const built = await builtImages();
  if ('reason' in built) {
    ({ reason } = built);
    return;
  }
  directory = mkdtempSync(join(tmpdir(), 'demarc-image-'));
  containers = new Containers(built.storage, built.images, directory);
}, 1_800_000);

afterAll(async () => {
  await containers?.remove();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}, 120_000);

/** Starts the services, as docker-compose.yml says, before the tests of a group. */
function deployed(layout: readonly (readonly Profile[])[]): () => Deployment {
  let deployment: Deployment | undefined;
  beforeAll(async () => {
    if (reason === undefined) deployment = await Deployment.start(containers, layout);
  }, 600_000);
  afterAll(() => deployment?.stop(), 120_000);
  return () => deployment!;
}

/** Kills both edges under a call, and starts them again. */
async function expectCallToOutliveEdges(deployment: Deployment): Promise<void> {
  const [first, second] = [deployment.container('edge-1'), deployment.container('edge-2')];
  const phone = await deployment.call();
  const killedAt = performance.now();
  await Promise.all([first, second].map((container) => containers.kill(container, 'KILL')));
  await Promise.all([first, second].map((container) => containers.ended(container)));
  await deployment.heard(phone);
  await containers.restart(first);
  await deployment.ready('edge', 8081);
  expect(await phone.turn('sendonly')).toBe(200);
  expect(await phone.turn('sendrecv')).toBe(200);
  await deployment.heard(phone);
  expect(phone.stream.longestGap(killedAt, performance.now())).toBeLessThan(longestSilence);
  expect(await phone.hangUp()).toBe(200);
  phone.close();
  await containers.restart(second);
  await deployment.ready('edge', 8082);
  await expectOneRecord(deployment);
}

async function expectOneRecord(deployment: Deployment): Promise<void> {
  const calls = () => deployment.api<{ calls: { outcome: string }[] }>('/v1/sip/calls');
  await until(async () => (await calls()).calls.length === 1, 30_000, 'one record of the call');
  expect((await calls()).calls[0]).toMatchObject({ outcome: 'completed' });
}

async function expectConfined(deployment: Deployment): Promise<void> {
  const names = ['rtpengine', 'engine', 'edge-1', 'edge-2', 'media-stream', 'control'];
  await Promise.all(
    names.map(async (name) => {
      const script = 'cat /proc/1/status && ! touch /opt/written';
      const { code, output: status } = await deployment.exec(name, 'sh', '-c', script);
      expect(status, name).toMatch(/^CapEff:\s+0+$/m);
      expect(status, name).toMatch(/^NoNewPrivs:\s+1$/m);
      expect(status, name).not.toMatch(/^Uid:\s+0\b/m);
      expect(code, status).toBe(0);
    }),
  );
}

/** Ends one edge under a call, then everything. */
async function expectToDrain(deployment: Deployment): Promise<void> {
  const first = deployment.container('edge-1');
  const phone = await deployment.call();
  await containers.kill(first, 'TERM');
  expect(await containers.ended(first)).toBe(0);
  await deployment.heard(phone);
  expect(await phone.hangUp()).toBe(200);
  phone.close();
  for (const name of ['control', 'media-stream', 'edge-2', 'engine', 'rtpengine']) {
    const container = deployment.container(name);
    await containers.kill(container, 'TERM');
    expect(await containers.ended(container), await containers.logs(container)).toBe(0);
  }
}

describe('the images on one machine', () => {
  const deployment = deployed([['edge', 'media', 'data', 'control']]);

  it('contain what the build of the tests creates, in at most 250 MB', async ({ skip }) => {
    skip(reason !== undefined, reason);
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.lua') || path.endsWith('-worker.ts'))
      .map((path) => path.replace(/\.ts$/, '.js'));
    expect(sources.length).toBeGreaterThan(20);
    const listed = await deployment().exec('control', 'find', '/opt/demarc/dist', '-type', 'f');
    const present = new Set(listed.output.split('\n').map((path) => path.replace('/opt/demarc/dist/', '')));
    expect(sources.filter((path) => !present.has(path))).toEqual([]);
    expect([...present].filter((path) => /\.(ts|map)$/.test(path))).toEqual([]);
    // Pruning has left what each dependency imports; one of them needs the metadata of another.
    const script = `import { createRequire } from 'node:module';
      await import('reflect-metadata');
      const { dependencies, optionalDependencies } = createRequire('/opt/demarc/dist/cli.js')('/opt/demarc/package.json');
      for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) await import(name);`;
    const imported = await deployment().exec('control', 'node', '--input-type=module', '-e', script);
    expect(imported.code, imported.output).toBe(0);
    const base = await containers.sizeOf('docker.io/library/debian:bookworm-slim');
    const own = ((await containers.sizeOf(containers.edgeImage)) - base) / octetsPerMegabyte;
    expect(own).toBeLessThan(largestOwnMegabytes);
  });

  it('run without root, capabilities and a writable root directory', async ({ skip }) => {
    skip(reason !== undefined, reason);
    await expectConfined(deployment());
    const written = await deployment().exec('control', 'touch', '/var/lib/demarc/documents/written');
    expect(written.code, written.output).toBe(0);
  });

  it('have all their processes in Prometheus, as the profile monitoring runs it', async ({ skip }) => {
    skip(reason !== undefined, reason);
    const prometheus = findBinary('prometheus');
    skip(prometheus === undefined, 'prometheus is not installed (Debian package prometheus)');
    expect(await deployment().scrapedJobs(prometheus!)).toEqual([
      'control up',
      'edge up',
      'edge up',
      'engine up',
      'media-stream up',
    ]);
  });

  it('keep a call while both edges are killed and started again', async ({ skip }) => {
    skip(reason !== undefined, reason);
    await expectCallToOutliveEdges(deployment());
  });

  it('drain on SIGTERM: calls continue on the other edge, and processes exit with 0', async ({ skip }) => {
    skip(reason !== undefined, reason);
    await expectToDrain(deployment());
  });
});

describe('the images on four machines, with the secret key in a file', () => {
  const deployment = deployed([['data'], ['media'], ['edge'], ['control']]);

  it('take a call that reaches the history', async ({ skip }) => {
    skip(reason !== undefined, reason);
    const phone = await deployment().call();
    expect(await phone.hangUp()).toBe(200);
    phone.close();
    await expectOneRecord(deployment());
  });
});

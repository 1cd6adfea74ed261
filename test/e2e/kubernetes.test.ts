import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Manifest, readManifests, secretKeys } from '../support/kubernetes-manifests.js';

const { ensureKubernetesModels } = (await import(
  new URL('../../dev/gate/kubernetes-models.mjs', import.meta.url).href
)) as { ensureKubernetesModels: () => Promise<{ folder: string } | { reason: string }> };

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'demarc-kubernetes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The installer takes packages of the machine's own suite alone. */
const advice =
  "version 1.21 or later is needed (package kubernetes-client of Debian's unstable suite; Debian 12 has 1.20)";

/** The overlay with secrets, as kubectl renders it, or why it does not. */
async function render(): Promise<{ manifests: Manifest[] } | { reason: string }> {
  cpSync(join(root, 'deploy', 'kubernetes'), folder, { recursive: true });
  const secrets = join(folder, 'example', 'secrets');
  mkdirSync(secrets, { recursive: true });
  for (const key of [...secretKeys, 'tls.crt', 'tls.key']) writeFileSync(join(secrets, key), 'example');
  const version = await run('kubectl', ['version', '--client', '--output=json']).then(
    ({ stdout }) => JSON.parse(stdout) as { clientVersion: { minor: string } },
    () => undefined,
  );
  if (version === undefined) return { reason: `kubectl is not installed: ${advice}` };
  // Earlier ones contain a kustomize that knows neither `replicas` nor bases among `resources`.
  const minor = Number.parseInt(version.clientVersion.minor, 10);
  if (minor < 21) return { reason: `kubectl 1.${minor} is too old: ${advice}` };
  const { stdout } = await run('kubectl', ['kustomize', join(folder, 'example')]);
  return { manifests: readManifests(stdout) };
}

describe('deploy/kubernetes', () => {
  let rendered: Awaited<ReturnType<typeof render>>;
  let models: Awaited<ReturnType<typeof ensureKubernetesModels>>;
  beforeAll(async () => {
    [rendered, models] = await Promise.all([render(), ensureKubernetesModels()]);
  }, 120_000);

  it('renders the example with its images, replicas, settings and secrets', ({ skip }) => {
    if ('reason' in rendered) return skip(rendered.reason);
    const { manifests } = rendered;
    const find = (kind: string, name: string): Manifest =>
      manifests.find((entry) => entry.kind === kind && entry.metadata.name === name)!;
    const edge = find('StatefulSet', 'edge');
    expect(edge.spec!.replicas).toBe(3);
    expect(find('StatefulSet', 'media-stream').spec!.replicas).toBe(2);
    const images = edge.spec!.template!.spec.containers.map(({ image }) => image);
    expect(new Set(images)).toEqual(new Set(['registry.example.com/demarc:0.2.0']));
    expect(Object.keys(find('Secret', 'demarc').data!).sort()).toEqual([...secretKeys].sort());
    expect(find('ConfigMap', 'demarc-settings').data).toMatchObject({
      DEMARC_SECRET_KEY_FILE: '/run/secrets/secret-key',
      DEMARC_AGENT_URI: 'sip:agent@agents.example.com;transport=tcp',
    });
  });

  it('has manifests that Kubernetes accepts, without an unknown field', async ({ skip }) => {
    if ('reason' in models) return skip(models.reason);
    const manifests = 'reason' in rendered ? readManifests() : rendered.manifests;
    expect(manifests.length).toBeGreaterThan(10);
    symlinkSync(join(models.folder, 'node_modules'), join(folder, 'node_modules'));
    const load = createRequire(join(folder, 'load.js'));
    const lines = manifests.map((manifest, index) => {
      const module = `kubernetes-models/${manifest.apiVersion}`;
      const { [manifest.kind]: Model } = load(module) as Record<
        string,
        new (
          data: Manifest,
        ) => { validate: () => void }
      >;
      new Model!(manifest).validate();
      // The validators let unknown fields pass; the compiler does not.
      const literal = JSON.stringify(manifest, undefined, 2);
      return `import type { I${manifest.kind} as Type${index} } from '${module}';\nexport const manifest${index}: Type${index} = ${literal};`;
    });
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
    const compile = (): Promise<unknown> =>
      run(
        process.execPath,
        [
          join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
          ...['--strict', '--noEmit', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'],
          ...['--ignoreConfig', '--types', '', 'manifests.ts'],
        ],
        { cwd: folder },
      );
    await compile();
    // It would also say so.
    writeFileSync(join(folder, 'manifests.ts'), lines.join('\n').replace('"hostNetwork"', '"hostNetworks"'));
    await expect(compile()).rejects.toMatchObject({ stdout: expect.stringContaining('hostNetworks') });
  }, 180_000);
});

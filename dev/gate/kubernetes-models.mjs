import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../setup/run-command.mjs';
import { cacheFolder } from './cache-folder.mjs';

/** Types and validators that are generated from the API of Kubernetes 1.27. */
const name = 'kubernetes-models';
const version = '4.5.1';

/**
 * The package, installed once per machine: only one test needs it, and it is as large as a tenth of all others. Never rejects.
 * @returns {Promise<{ folder: string } | { reason: string }>} the folder that has it in node_modules, or in one line why there is none
 */
export async function ensureKubernetesModels() {
  const folder = join(cacheFolder(), `${name}-${version}`);
  const isInstalled = () => existsSync(join(folder, 'node_modules', name));
  if (isInstalled()) return { folder };
  const partial = join(cacheFolder(), `.${name}-${version}.${process.pid}`);
  try {
    await mkdir(partial, { recursive: true });
    const { code, output } = await runCommand('npm', [
      ...['install', '--prefix', partial, '--no-save', '--no-package-lock', '--ignore-scripts'],
      ...['--no-audit', '--no-fund', `${name}@${version}`],
    ]);
    if (code !== 0) {
      const why = output.split('\n').find((line) => line.startsWith('npm error')) ?? `npm ended with ${code}`;
      return { reason: `${name} could not be installed: ${why}` };
    }
    // The final name marks a complete install. Another clone may have created it first.
    await rename(partial, folder).catch(() => undefined);
    return isInstalled() ? { folder } : { reason: `${name}@${version} is empty` };
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

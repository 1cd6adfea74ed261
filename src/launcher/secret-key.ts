import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSecretKey } from '../contract/secret.js';
import { StateDirectoryUnusable } from './state-directory.js';

/**
 * The key that encrypts trunk passwords in Redis, created at the first start.
 * It must survive a restart: without it the stored passwords cannot be decrypted.
 * @returns 32 bytes in base64url
 * @throws StateDirectoryUnusable when the file exists but holds no valid key: a new key would lose those passwords permanently
 */
export function ensureSecretKey(folder: string): string {
  const path = join(folder, 'secret.key');
  const stored = readKey(path);
  if (stored !== undefined) return stored;
  const key = generateSecretKey();
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return key;
}

function readKey(path: string): string | undefined {
  let key: string;
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new StateDirectoryUnusable(
      `the key of the trunk passwords is not readable: ${(failure as Error).message}`,
      { cause: failure },
    );
  }
  if (Buffer.from(key, 'base64url').length === 32) return key;
  throw new StateDirectoryUnusable(
    `${path} is not a 32-byte key. Without the right key the stored trunk passwords cannot be decrypted.\n` +
      'Restore the file, or delete the state directory to start over.',
  );
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateSecretKey } from '../contract/secret.js';

/**
 * The key that seals trunk passwords in Redis, made at the first start.
 * It must outlive a restart: without it the passwords already stored cannot be read.
 * @returns 32 bytes in base64url
 */
export function ensureSecretKey(folder: string): string {
  const path = join(folder, 'secret.key');
  try {
    const key = readFileSync(path, 'utf8').trim();
    if (Buffer.from(key, 'base64url').length === 32) return key;
  } catch {
    // The first start.
  }
  const key = generateSecretKey();
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return key;
}

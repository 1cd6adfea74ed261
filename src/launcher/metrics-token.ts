import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMetricsToken } from '../config/metrics-token.js';

/** The token for `/metrics` and the details of `/readyz` where the network can reach them; created at the first start and kept. */
export function ensureMetricsToken(folder: string): { readonly token: string; readonly file: string } {
  const file = join(folder, 'metrics.token');
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (isMetricsToken(token)) return { token, file };
  } catch {
    // No token yet: created below.
  }
  const token = randomBytes(24).toString('base64url');
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return { token, file };
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readSecretFiles, secretSettings } from '../../../src/config/secret-files.js';

const folder = mkdtempSync(join(tmpdir(), 'demarc-secret-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

describe('secrets in files', () => {
  it('replace settings, without the line break at the end', () => {
    const environment: Record<string, string | undefined> = {
      DEMARC_SECRET_KEY: 'from the environment',
      DEMARC_SECRET_KEY_FILE: file('key', 'from the file\n'),
      DATABASE_URL_FILE: file('database', 'postgres://demarc:password@127.0.0.1/demarc'),
      DEMARC_LLM_KEY_FILE: '',
      DEMARC_HTTP_PORT: '8080',
    };
    readSecretFiles(environment);
    expect(environment).toEqual({
      DEMARC_SECRET_KEY: 'from the file',
      DATABASE_URL: 'postgres://demarc:password@127.0.0.1/demarc',
      DEMARC_HTTP_PORT: '8080',
    });
  });

  it('stop the start when a file is missing or empty, with every variable concerned', () => {
    const environment = {
      DRACHTIO_SECRET_FILE: join(folder, 'missing'),
      DEMARC_METRICS_TOKEN_FILE: file('empty', '\n'),
    };
    expect(() => readSecretFiles(environment)).toThrow(
      /METRICS_TOKEN_FILE.*empty[\s\S]*DRACHTIO_SECRET_FILE.*ENOENT/,
    );
  });

  it('exist for every setting that is a secret, in the code and in the documentation', () => {
    const settings = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'settings.md'), 'utf8');
    const rows = [...settings.matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(
      ([, names]) => names!.match(/[A-Z0-9_]{5,}/g) ?? [],
    );
    // Paths of files, identifiers that are no secrets, and limits.
    const open = /_TLS_KEY$|KEY_ID$|TOKENS|_UNBOUND_|_BIND_|_KEYS_|_TOKEN_GRACE_|_FORWARD_ID$/;
    const secret = [...new Set(rows)].filter(
      (name) => /SECRET|PASSWORD|TOKEN|KEY/.test(name) && !open.test(name),
    );
    expect(secret.length).toBeGreaterThan(10);
    expect(secret.filter((name) => !(secretSettings as readonly string[]).includes(name))).toEqual([]);
  });

  it('have a row each in the guide to rotation, with how and what happens in between', () => {
    const guide = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'production.md'), 'utf8');
    const [, section = ''] = /^## Rotation\n([\s\S]*?)^## /m.exec(guide)!;
    const rows = [...section.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm)].map(([, what]) => what!);
    const named = rows.flatMap((what) => [...what.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name!));
    expect(secretSettings.filter((name) => !named.includes(name))).toEqual([]);
    // Secrets that are no settings.
    for (const kind of ['webhook', 'WebSocket bots', 'API keys', 'certificate of SIP'])
      expect(rows.join('\n')).toContain(kind);
  });
});

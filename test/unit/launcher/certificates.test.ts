import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureCertificates } from '../../../src/launcher/certificates.js';

const names = { dns: ['demarc.test', 'localhost'], addresses: ['127.0.0.1', '::1'] };
const day = 86_400_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'demarc-tls-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (file: string): X509Certificate => new X509Certificate(readFileSync(file));

/** @returns the error with which a strict client refuses, or 'ok' */
async function handshake(
  files: { caFile: string; certificateFile: string; keyFile: string },
  servername: string,
): Promise<string> {
  const server = createServer({
    cert: readFileSync(files.certificateFile),
    key: readFileSync(files.keyFile),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const outcome = await new Promise<string>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, servername, ca: readFileSync(files.caFile) }, () => {
      socket.destroy();
      resolve('ok');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
  await new Promise((resolve) => server.close(resolve));
  return outcome;
}

describe('certificates', () => {
  it('stand for the names asked for, to a client that verifies chain and name', async () => {
    const files = await ensureCertificates(folder, names);
    expect(files.renewed).toBe(true);
    const server = read(files.certificateFile);
    expect(server.verify(read(files.caFile).publicKey)).toBe(true);
    expect(server.checkHost('demarc.test')).toBe('demarc.test');
    expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(server.checkIP('::1')).toBeDefined();
    expect(server.ca).toBe(false);
    expect(read(files.caFile).ca).toBe(true);
    expect(await handshake(files, 'demarc.test')).toBe('ok');
    expect(await handshake(files, 'other.test')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('have keys that only the owner can read, also when a file was there before', async () => {
    writeFileSync(join(folder, 'server.key.new'), 'left over');
    chmodSync(join(folder, 'server.key.new'), 0o644);
    const files = await ensureCertificates(folder, names);
    for (const name of ['ca.key', 'server.key'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(createPrivateKey(readFileSync(files.keyFile)).asymmetricKeyType).toBe('ec');
  });

  it('are kept while they are good', async () => {
    const files = await ensureCertificates(folder, names);
    const before = readFileSync(files.certificateFile, 'utf8');
    expect((await ensureCertificates(folder, names)).renewed).toBe(false);
    expect(readFileSync(files.certificateFile, 'utf8')).toBe(before);
  });

  it.each([
    ['near their end', (): Date => new Date(Date.now() + 370 * day), names],
    ['for another name', (): Date => new Date(), { ...names, dns: ['new.test'] }],
    ['for another address', (): Date => new Date(), { ...names, addresses: ['10.0.0.5'] }],
  ])('are renewed by the same CA when %s', async (_case, now, expected) => {
    const files = await ensureCertificates(folder, names);
    const authority = readFileSync(files.caFile, 'utf8');
    expect((await ensureCertificates(folder, expected, now())).renewed).toBe(true);
    expect(readFileSync(files.caFile, 'utf8')).toBe(authority);
    expect(read(files.certificateFile).verify(read(files.caFile).publicKey)).toBe(true);
  });

  it.each(['ca.crt', 'ca.key', 'server.crt', 'server.key'])(
    'are created again when %s is gone or broken',
    async (name) => {
      const files = await ensureCertificates(folder, names);
      rmSync(join(folder, name));
      expect((await ensureCertificates(folder, names)).renewed).toBe(true);
      if (name.endsWith('.crt')) {
        writeFileSync(join(folder, name), 'half a file');
        expect((await ensureCertificates(folder, names)).renewed).toBe(true);
      }
      expect(await handshake(files, 'localhost')).toBe('ok');
    },
  );
});

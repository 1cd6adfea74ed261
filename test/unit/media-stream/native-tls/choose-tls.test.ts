import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { chooseTls } from '../../../../src/media-stream/native-tls/choose-tls.js';
import { loadOpenSsl, type OpenSsl } from '../../../../src/media-stream/native-tls/open-ssl.js';

describe('TLS towards bots', () => {
  const warnings: unknown[] = [];
  const notes: unknown[] = [];
  const log = {
    info: (...words: unknown[]) => void notes.push(words),
    warn: (...words: unknown[]) => void warnings.push(words),
  };

  it.runIf(process.platform === 'linux')('is that of OpenSSL where its functions can be called', async () => {
    warnings.length = 0;
    expect(await chooseTls(rootCertificates, log)).toBeDefined();
    expect(warnings).toEqual([]);
  });

  it('is that of Node.js, with one warning, where a function is missing', async () => {
    warnings.length = 0;
    const missing = (): OpenSsl => {
      throw new Error('no SSL_read\nin this program');
    };
    expect(await chooseTls(rootCertificates, log, missing)).toBeUndefined();
    expect(warnings).toEqual([[{ error: 'no SSL_read' }, expect.any(String)]]);
  });

  it('is that of Node.js, without a warning, where Node.js does not say what it trusts', async () => {
    warnings.length = 0;
    expect(await chooseTls(undefined, log)).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(notes).toEqual([
      [{ docs: expect.stringContaining('docs/') }, expect.stringContaining('requires Node.js 22.15')],
    ]);
  });

  it.runIf(process.platform === 'linux')('is that of Node.js where no certificate can be read', async () => {
    warnings.length = 0;
    expect(await chooseTls(['no certificate'], log, loadOpenSsl)).toBeUndefined();
    expect(warnings).toEqual([
      [{ error: 'OpenSSL has read no certificate of an authority' }, expect.any(String)],
    ]);
  });
});

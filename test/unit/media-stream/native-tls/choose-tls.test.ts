import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { chooseTls } from '../../../../src/media-stream/native-tls/choose-tls.js';
import { loadOpenSsl, type OpenSsl } from '../../../../src/media-stream/native-tls/open-ssl.js';

describe('TLS towards bots', () => {
  const warnings: unknown[] = [];
  const log = { warn: (...words: unknown[]) => void warnings.push(words) };

  it.runIf(process.platform === 'linux')('is that of OpenSSL where its functions can be called', async () => {
    warnings.length = 0;
    expect(await chooseTls(rootCertificates, log)).toBeDefined();
    expect(warnings).toEqual([]);
  });

  it.each([
    ['a function is missing', rootCertificates, 'no SSL_read'],
    ['Node.js does not say what it trusts', undefined, 'without DEMARC_STREAM_CA it requires Node.js 22.15'],
  ])('is that of Node.js, with one warning, where %s', async (_name, certificates, error) => {
    warnings.length = 0;
    const missing = (): OpenSsl => {
      throw new Error('no SSL_read\nin this program');
    };
    expect(await chooseTls(certificates, log, missing)).toBeUndefined();
    expect(warnings).toEqual([[{ error: expect.stringContaining(error) }, expect.any(String)]]);
  });

  it.runIf(process.platform === 'linux')('is that of Node.js where no certificate can be read', async () => {
    warnings.length = 0;
    expect(await chooseTls(['no certificate'], log, loadOpenSsl)).toBeUndefined();
    expect(warnings).toEqual([
      [{ error: 'OpenSSL has read no certificate of an authority' }, expect.any(String)],
    ]);
  });
});

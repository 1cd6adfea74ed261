import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { whenFilesChange } from '../../base/certificate-files.js';
import type { Logger } from '../../base/log.js';
import { SettingsError } from '../../config/environment.js';

export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

interface Pair {
  readonly cert: string;
  readonly key: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** The certificate of the API and the dashboard; reloaded without a restart. */
export class HttpCertificate {
  private pair: Pair;

  /** Throws `SettingsError` when the files cannot be used. */
  constructor(private readonly files: CertificateFiles) {
    this.pair = read(files);
  }

  /** What Node's TLS server takes. */
  get options() {
    const { cert, key } = this.pair;
    return { cert, key, minVersion: 'TLSv1.2' as const };
  }

  /** Unix milliseconds. */
  get expiresAt(): number {
    return this.pair.expiresAt;
  }

  /** Loads renewed files as soon as they appear; invalid files leave the current certificate in use. */
  follow(server: Server, log: Logger): void {
    whenFilesChange([this.files.certificateFile, this.files.keyFile], () => {
      try {
        const pair = read(this.files);
        if (pair.expiresAt < Date.now())
          throw new Error(`expired on ${new Date(pair.expiresAt).toISOString()}`);
        this.pair = pair;
        server.setSecureContext(this.options);
        log.info('HTTP certificate reloaded.');
      } catch (error) {
        log.error(
          { error: (error as Error).message },
          'HTTP certificate not reloaded; the previous one stays in use.',
        );
      }
    });
  }
}

function read({ certificateFile, keyFile }: CertificateFiles): Pair {
  try {
    const cert = readFileSync(certificateFile, 'utf8');
    const key = readFileSync(keyFile, 'utf8');
    const certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error('they do not belong together');
    return { cert, key, expiresAt: Date.parse(certificate.validTo) };
  } catch (error) {
    throw new SettingsError(
      [
        `DEMARC_HTTP_TLS_CERT, DEMARC_HTTP_TLS_KEY: ${(error as Error).message} (${certificateFile}, ${keyFile})`,
      ],
      { cause: error },
    );
  }
}

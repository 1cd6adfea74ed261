import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestProcess } from './processes.js';

/** The drachtio-server that end-to-end tests run on with DEMARC_TEST_ENGINE=drachtio; undefined: on the embedded engine. */
export const drachtioBinary = ((): string | undefined => {
  const { DEMARC_TEST_ENGINE: engine, DRACHTIO_BINARY: binary } = process.env;
  if (engine === undefined || engine === 'embedded') return undefined;
  if (engine !== 'drachtio') throw new Error(`DEMARC_TEST_ENGINE is embedded or drachtio, not ${engine}.`);
  if (!binary) throw new Error('DEMARC_TEST_ENGINE=drachtio needs DRACHTIO_BINARY=/path/to/drachtio.');
  return binary;
})();

/** True on a drachtio-server, which there does what the sentence says; the output of the tests has it. */
export function drachtioDiffers(difference: string): boolean {
  if (drachtioBinary !== undefined) console.log(`drachtio-server differs: ${difference}`);
  return drachtioBinary !== undefined;
}

export interface DrachtioSettings {
  readonly binary: string;
  /** For its configuration, which has the secret. */
  readonly directory: string;
  readonly secret: string;
  readonly ports: { readonly admin: number; readonly hep: number; readonly metrics: number };
  /** SIP URIs to listen at: `sips:127.0.0.1:5061;transport=tls`. */
  readonly contacts: readonly string[];
  readonly certificate: { readonly certFile: string; readonly keyFile: string };
  /** Milliseconds. */
  readonly timers: { readonly t1: number; readonly t2: number; readonly t4: number };
}

/** Starts drachtio-server on loopback as docker/drachtio.sh does, with more listeners and shorter timers; resolves when it listens. */
export async function startDrachtio(settings: DrachtioSettings): Promise<TestProcess> {
  const file = join(settings.directory, 'drachtio.conf.xml');
  writeFileSync(file, configuration(settings), { mode: 0o600 });
  const server = new TestProcess(settings.binary, ['-f', file]);
  await server.line(/Starting sofia event loop/, 10_000);
  return server;
}

function configuration({ secret, ports, contacts, certificate, timers }: DrachtioSettings): string {
  const { t1, t2, t4 } = timers;
  return `<drachtio>
  <admin port="${ports.admin}" secret="${secret}">127.0.0.1</admin>
  <sip>
    <contacts>
${contacts.map((contact) => `      <contact>${contact}</contact>`).join('\n')}
    </contacts>
    <timers><t1>${t1}</t1><t1x64>${64 * t1}</t1x64><t2>${t2}</t2><t4>${t4}</t4></timers>
    <tls>
      <key-file>${certificate.keyFile}</key-file>
      <cert-file>${certificate.certFile}</cert-file>
      <chain-file>${certificate.certFile}</chain-file>
      <min-tls-version>1.2</min-tls-version>
    </tls>
    <capture-server port="${ports.hep}" hep-version="3" id="1">127.0.0.1</capture-server>
  </sip>
  <cdrs>false</cdrs>
  <monitoring><prometheus port="${ports.metrics}">127.0.0.1</prometheus></monitoring>
  <logging><console/><sofia-loglevel>3</sofia-loglevel><loglevel>notice</loglevel></logging>
</drachtio>
`;
}

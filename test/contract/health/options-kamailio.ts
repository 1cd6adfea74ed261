import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssuedCertificate } from '../../support/certificates.js';
import { saysItListens, startKamailio } from '../../support/kamailio-process.js';
import type { TestProcess } from '../../support/processes.js';

export interface OptionsKamailioSettings {
  /** The same for UDP and TCP. */
  readonly port: number;
  readonly tlsPort: number;
  readonly certificate: IssuedCertificate;
  /** Issues the client certificates that it demands; absent: it demands none. */
  readonly clientCaFile?: string;
  /** As Kamailio writes it: `TLSv1.2` for that version alone, `TLSv1.2+` for 1.3 as well. */
  readonly tlsMethod?: string;
}

/** A real SIP server that answers OPTIONS over UDP, TCP and TLS. */
export class OptionsKamailio {
  private constructor(
    private readonly process: TestProcess,
    private readonly directory: string,
  ) {}

  static async start(settings: OptionsKamailioSettings): Promise<OptionsKamailio> {
    const directory = mkdtempSync(join(tmpdir(), 'demarc-kamailio-'));
    const { certificate, clientCaFile, tlsMethod = 'TLSv1.2+' } = settings;
    const verify = clientCaFile === undefined ? 'no' : 'yes';
    writeFileSync(
      join(directory, 'tls.cfg'),
      [
        '[server:default]',
        `method = ${tlsMethod}`,
        `verify_certificate = ${verify}`,
        `require_certificate = ${verify}`,
        `certificate = ${certificate.certFile}`,
        `private_key = ${certificate.keyFile}`,
        ...(clientCaFile === undefined ? [] : [`ca_list = ${clientCaFile}`]),
        '',
      ].join('\n'),
    );
    const process = await startKamailio(directory, configuration(directory, settings));
    return new OptionsKamailio(process, directory);
  }

  get output(): string {
    return this.process.output;
  }

  async stop(): Promise<void> {
    await this.process.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const configuration = (directory: string, { port, tlsPort }: OptionsKamailioSettings): string => `#!KAMAILIO
debug=2
log_stderror=yes
children=1
tcp_children=1
enable_tls=yes
auto_aliases=no
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
listen=tls:127.0.0.1:${tlsPort}
loadmodule "tls.so"
loadmodule "sl.so"
loadmodule "pv.so"
loadmodule "xlog.so"
modparam("tls", "config", "${join(directory, 'tls.cfg')}")
request_route {
  if (method == "OPTIONS") { sl_send_reply("200", "Keepalive"); exit; }
  sl_send_reply("403", "Only OPTIONS");
}
${saysItListens}
`;

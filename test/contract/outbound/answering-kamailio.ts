import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssuedCertificate } from '../../support/certificates.js';
import { saysItListens, startKamailio } from '../../support/kamailio-process.js';
import type { TestProcess } from '../../support/processes.js';

export interface AnsweringKamailioSettings {
  readonly udpPort: number;
  readonly tlsPort: number;
  readonly certificate: IssuedCertificate;
  /** To every INVITE: `486 Busy Here`; `challenge`: 407 with any credentials. OPTIONS are answered 200. */
  readonly answer: string;
}

/** A server of a customer's that answers calls in one way. */
export class AnsweringKamailio {
  private constructor(
    readonly settings: AnsweringKamailioSettings,
    private readonly process: TestProcess,
    private readonly directory: string,
  ) {}

  static async start(settings: AnsweringKamailioSettings): Promise<AnsweringKamailio> {
    const directory = mkdtempSync(join(tmpdir(), 'demarc-kamailio-'));
    const { certFile, keyFile } = settings.certificate;
    writeFileSync(
      join(directory, 'tls.cfg'),
      `[server:default]\nmethod = TLSv1.2+\nverify_certificate = no\nrequire_certificate = no\ncertificate = ${certFile}\nprivate_key = ${keyFile}\n`,
    );
    const process = await startKamailio(directory, configuration(directory, settings));
    return new AnsweringKamailio(settings, process, directory);
  }

  async stop(): Promise<void> {
    await this.process.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const configuration = (
  directory: string,
  { udpPort, tlsPort, answer }: AnsweringKamailioSettings,
): string => `#!KAMAILIO
debug=2
log_stderror=yes
children=1
tcp_children=1
enable_tls=yes
auto_aliases=no
listen=udp:127.0.0.1:${udpPort}
listen=tls:127.0.0.1:${tlsPort}
loadmodule "tls.so"
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "pv.so"
loadmodule "auth.so"
loadmodule "xlog.so"
modparam("tls", "config", "${join(directory, 'tls.cfg')}")
request_route {
  if (method == "OPTIONS") { sl_send_reply("200", "Keepalive"); exit; }
  if (method == "ACK") { t_check_trans(); exit; }
  if (method == "CANCEL") { if (t_check_trans()) t_relay_cancel(); exit; }
  t_newtran();
${answer === 'challenge' ? '  proxy_challenge("pbx.test", "1");' : `  t_reply("${answer.slice(0, 3)}", "${answer.slice(4)}");`}
}
${saysItListens}
`;

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssuedCertificate } from './certificates.js';
import { saysItListens, startKamailio } from './kamailio-process.js';
import type { TestProcess } from './processes.js';

export interface RegistrarSettings {
  /** The same for UDP and TCP. */
  readonly port: number;
  readonly tlsPort: number;
  readonly certificate: IssuedCertificate;
  readonly caFile: string;
  readonly algorithm: 'MD5' | 'SHA-256';
  readonly user: string;
  readonly password: string;
  /** Longest binding in seconds. */
  readonly maximumExpires?: number;
  /** Nonces are stale after this many seconds. */
  readonly nonceSeconds?: number;
  /** Calls bindings over the connection, or at the address, that the REGISTER came from. */
  readonly callsBack?: boolean;
  /** Answered to every REGISTER: `403 Forbidden`. */
  readonly refusal?: string;
}

/** A customer's PBX that wants to be registered at: Kamailio with digest over UDP, TCP and TLS, which calls its bindings. */
export class RegistrarKamailio {
  private constructor(
    private readonly process: TestProcess,
    private readonly directory: string,
  ) {}

  static async start(settings: RegistrarSettings): Promise<RegistrarKamailio> {
    const directory = mkdtempSync(join(tmpdir(), 'demarc-registrar-'));
    const { certFile, keyFile } = settings.certificate;
    const own = `certificate = ${certFile}\nprivate_key = ${keyFile}\nca_list = ${settings.caFile}\n`;
    writeFileSync(
      join(directory, 'tls.cfg'),
      `[server:default]\nmethod = TLSv1.2+\nverify_certificate = no\n${own}\n` +
        `[client:default]\nmethod = TLSv1.2+\nverify_certificate = yes\n${own}`,
    );
    const process = await startKamailio(directory, configuration(directory, settings));
    const kamailio = new RegistrarKamailio(process, directory);
    return kamailio;
  }

  get output(): string {
    return this.process.output;
  }

  /** What REGISTER requests came to, in order, each with Call-ID and CSeq: `200 …`, `401 …`. Retransmissions do not count. */
  get registers(): string[] {
    const lines = [...this.output.matchAll(/register: (.*)$/gm)].map(([, line]) => line!.trim());
    return [...new Set(lines)];
  }

  async stop(): Promise<void> {
    await this.process.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function configuration(directory: string, settings: RegistrarSettings): string {
  const { port, tlsPort, algorithm, user, password, refusal } = settings;
  const { maximumExpires = 3_600, nonceSeconds = 300, callsBack = false } = settings;
  const modules = [
    'tls',
    'tm',
    'sl',
    'rr',
    'pv',
    'maxfwd',
    'usrloc',
    'registrar',
    'textops',
    'siputils',
    'nathelper',
  ];
  const [code, ...reason] = (refusal ?? '').split(' ');
  const refuse =
    refusal === undefined
      ? ''
      : `xlog("L_WARN", "register: ${code} $ci $cs\\n"); sl_send_reply("${code}", "${reason.join(' ')}"); exit;`;
  return `#!KAMAILIO
debug=2
log_stderror=yes
children=2
tcp_children=2
enable_tls=yes
auto_aliases=no
alias="pbx.test"
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
listen=tls:127.0.0.1:${tlsPort}
${[...modules, 'auth', 'xlog'].map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("tls", "config", "${join(directory, 'tls.cfg')}")
modparam("usrloc", "db_mode", 0)
modparam("registrar", "received_avp", "$avp(received)")
modparam("nathelper", "received_avp", "$avp(received)")
modparam("registrar", "min_expires", 1)
modparam("registrar", "max_expires", ${maximumExpires})
modparam("auth", "qop", "auth")
modparam("auth", "algorithm", "${algorithm}")
modparam("auth", "nonce_expire", ${nonceSeconds})

request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (is_method("ACK") && !has_totag()) { if (t_check_trans()) t_relay(); exit; }
  if (is_method("OPTIONS") && !has_totag()) { sl_send_reply("200", "OK"); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here");
    exit;
  }
  if (is_method("REGISTER")) {
    ${refuse}
    if ($tU != "${user}" || !pv_www_authenticate("pbx.test", "${password}", "0") || $au != "${user}") {
      xlog("L_WARN", "register: 401 $ci $cs $hdr(Authorization)\\n");
      www_challenge("pbx.test", "1");
      exit;
    }
    ${callsBack ? 'fix_nated_register();' : ''}
    if (!save("location")) { xlog("L_WARN", "register: refused $ct\\n"); sl_reply_error(); exit; }
    xlog("L_WARN", "register: 200 $ci $cs $pr $ct\\n");
    exit;
  }
  record_route();
  if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
  t_relay();
}

${saysItListens}
`;
}

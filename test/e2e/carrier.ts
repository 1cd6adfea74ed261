import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saysItListens, startKamailio } from '../support/kamailio-process.js';
import type { TestProcess } from '../support/processes.js';

export interface CarrierSettings {
  /** Its own folder. */
  readonly directory: string;
  readonly tlsPort: number;
  readonly certificate: { readonly certFile: string; readonly keyFile: string };
  readonly caFile: string;
  readonly algorithm: 'MD5' | 'SHA-256';
  readonly realm: string;
  readonly user: string;
  readonly password: string;
  /** Where calls go: `sip:127.0.0.1:5071;transport=tls`. */
  readonly callee: string;
}

/** A carrier that takes calls, and requests inside them, for digest credentials only: Kamailio over TLS, which passes them to one phone. */
export class Carrier {
  private constructor(private readonly process: TestProcess) {}

  static async start(settings: CarrierSettings): Promise<Carrier> {
    const { directory, certificate, caFile } = settings;
    mkdirSync(directory, { recursive: true });
    const own = `certificate = ${certificate.certFile}\nprivate_key = ${certificate.keyFile}\nca_list = ${caFile}\n`;
    writeFileSync(
      join(directory, 'tls.cfg'),
      `[server:default]\nmethod = TLSv1.2+\nverify_certificate = no\n${own}\n` +
        `[client:default]\nmethod = TLSv1.2+\nverify_certificate = yes\n${own}`,
    );
    const process = await startKamailio(directory, configuration(settings));
    return new Carrier(process);
  }

  get output(): string {
    return this.process.output;
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

function configuration({
  directory,
  tlsPort,
  algorithm,
  realm,
  user,
  password,
  callee,
}: CarrierSettings): string {
  const modules = ['tls', 'tm', 'sl', 'rr', 'pv', 'maxfwd', 'textops', 'siputils', 'auth', 'xlog'];
  return `#!KAMAILIO
debug=2
log_stderror=yes
children=2
tcp_children=2
enable_tls=yes
auto_aliases=no
listen=tls:127.0.0.1:${tlsPort}
${modules.map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("tls", "config", "${join(directory, 'tls.cfg')}")
modparam("auth", "qop", "auth")
modparam("auth", "algorithm", "${algorithm}")

request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (is_method("ACK") && !has_totag()) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) {
      # From the trunk's user alone: the callee has no credentials.
      if (!is_method("ACK") && is_direction("downstream") && !pv_proxy_authenticate("${realm}", "${password}", "0")) {
        proxy_challenge("${realm}", "1");
        exit;
      }
      if (is_direction("downstream")) xlog("L_WARN", "authenticated $au with $adu for $rm\\n");
      consume_credentials();
      t_relay();
      exit;
    }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here");
    exit;
  }
  if (!pv_proxy_authenticate("${realm}", "${password}", "0") || $au != "${user}") {
    proxy_challenge("${realm}", "1");
    exit;
  }
  xlog("L_WARN", "authenticated $au with $adu\\n");
  consume_credentials();
  record_route();
  $du = "${callee}";
  t_relay();
}

${saysItListens}
`;
}

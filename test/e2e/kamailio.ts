import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { saysItListens, startKamailio } from '../support/kamailio-process.js';
import type { TestProcess } from '../support/processes.js';

export interface KamailioSettings {
  /** Its own folder. */
  readonly directory: string;
  readonly tlsPort: number;
  readonly certificate: { readonly certFile: string; readonly keyFile: string };
  readonly caFile: string;
  /** Passwords by user; all users are of the domain. */
  readonly users: Readonly<Record<string, string>>;
  readonly domain: string;
  /** Where calls to numbers go: `sip:127.0.0.1:5061;transport=tls`. */
  readonly trunk: string;
}

/** A customer's PBX: Kamailio as registrar with digest, and as proxy between its phones and a trunk, all over TLS. */
export class Kamailio {
  private constructor(
    private readonly process: TestProcess,
    readonly settings: KamailioSettings,
  ) {}

  static async start(settings: KamailioSettings): Promise<Kamailio> {
    const { directory } = settings;
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'tls.cfg'), tlsConfiguration(settings));
    const process = await startKamailio(directory, configuration(settings));
    const kamailio = new Kamailio(process, settings);
    return kamailio;
  }

  get uri(): string {
    return `sip:127.0.0.1:${this.settings.tlsPort};transport=tls`;
  }

  get output(): string {
    return this.process.output;
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

function tlsConfiguration({ certificate, caFile }: KamailioSettings): string {
  const own = `certificate = ${certificate.certFile}\nprivate_key = ${certificate.keyFile}\nca_list = ${caFile}\n`;
  return (
    `[server:default]\nmethod = TLSv1.2+\nverify_certificate = no\nrequire_certificate = no\n${own}\n` +
    `[client:default]\nmethod = TLSv1.2+\nverify_certificate = yes\nrequire_certificate = yes\n${own}`
  );
}

function configuration({ directory, tlsPort, users, domain, trunk }: KamailioSettings): string {
  const modules = ['tls', 'tm', 'sl', 'rr', 'pv', 'maxfwd', 'usrloc', 'registrar', 'textops', 'siputils'];
  const passwords = Object.entries(users).map(
    ([user, password]) => `  $sht(users=>${user}) = "${password}";`,
  );
  return `#!KAMAILIO
debug=2
log_stderror=yes
children=2
tcp_children=2
enable_tls=yes
auto_aliases=no
alias="${domain}"
listen=tls:127.0.0.1:${tlsPort}
${[...modules, 'auth', 'htable', 'xlog'].map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("tls", "config", "${join(directory, 'tls.cfg')}")
modparam("usrloc", "db_mode", 0)
modparam("registrar", "min_expires", 5)
modparam("auth", "qop", "auth")
modparam("htable", "htable", "users=>size=8;")

request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here");
    exit;
  }
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("$td", "$sht(users=>$tU)", "0")) { www_challenge("$td", "1"); exit; }
    if ($au != $tU) { sl_send_reply("403", "Auth user mismatch"); exit; }
    if (!save("location")) sl_reply_error();
    exit;
  }
  if (is_method("INVITE") && $rU =~ "^[0-9]+$") {
    if (!pv_proxy_authenticate("$fd", "$sht(users=>$fU)", "0")) { proxy_challenge("$fd", "1"); exit; }
    consume_credentials();
    record_route();
    $du = "${trunk}";
    t_relay();
    exit;
  }
  record_route();
  if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
  t_relay();
}

event_route[htable:mod-init] {
${passwords.join('\n')}
}

${saysItListens}
`;
}

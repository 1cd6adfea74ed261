export interface AsteriskSettings {
  readonly certificate: { readonly cert: string; readonly key: string };
  /** PEM of the authorities that it trusts for the certificate of Demarc. */
  readonly trusted: string;
  /** Where Demarc takes calls of trunks over TLS, on loopback. */
  readonly demarcPort: number;
  /** Where Demarc takes calls of agents over TCP. */
  readonly demarcAgentSide: { readonly host: string; readonly port: number };
  /** What a trunk and a registration must present. */
  readonly user: string;
  readonly password: string;
}

/** Addresses of its two sides: Demarc is a trunk to one, and has its voice agents on the other. */
const asteriskAddress = '127.0.0.1';
export const agentSideAddress = '127.0.0.4';

export interface AsteriskFolders extends AsteriskSettings {
  readonly ports: { readonly tls: number; readonly agent: number; readonly phones: number };
  /** Its own folder, as it sees it itself. */
  readonly folder: string;
  readonly modules: string;
  readonly rtpPorts: readonly [number, number];
  readonly audioSocketPort: number;
}

/** Pitch of the music on hold. */
export const musicHertz = 700;
/** What extension 3xxx sends. */
export const sentDigits = '1234567890*';

/** Loaded one by one: what listens elsewhere, or takes seconds to start, stays out. */
const modules = [
  ...['res_timing_timerfd', 'res_sorcery_config', 'res_sorcery_memory', 'res_sorcery_astdb', 'res_pjproject'],
  ...['res_musiconhold', 'res_rtp_asterisk', 'res_srtp', 'res_audiosocket', 'res_clioriginate'],
  ...['res_pjsip', 'res_pjsip_session', 'res_pjsip_pubsub', 'res_pjsip_sdp_rtp', 'res_pjsip_caller_id'],
  ...['res_pjsip_authenticator_digest', 'res_pjsip_outbound_authenticator_digest', 'res_pjsip_registrar'],
  ...['res_pjsip_endpoint_identifier_ip', 'res_pjsip_endpoint_identifier_user', 'res_pjsip_refer'],
  ...['res_pjsip_dtmf_info', 'res_pjsip_empty_info', 'res_pjsip_dlg_options', 'res_pjsip_rfc3326'],
  ...['res_pjsip_nat', 'res_format_attr_opus', 'chan_pjsip', 'pbx_config', 'chan_bridge_media'],
  ...['bridge_simple', 'bridge_native_rtp', 'bridge_holding', 'bridge_builtin_features'],
  ...['codec_ulaw', 'codec_alaw', 'codec_g722', 'codec_opus_open_source', 'codec_resample', 'format_sln'],
  ...[
    'app_audiosocket',
    'app_dial',
    'app_senddtmf',
    'app_transfer',
    'app_verbose',
    'func_sprintf',
    'func_channel',
  ],
];

/** Text of each file by its name. */
export function asteriskConfiguration(settings: AsteriskFolders): Record<string, string | Buffer> {
  const { folder, rtpPorts } = settings;
  const own = ['astetcdir', 'astvarlibdir', 'astdbdir', 'astkeydir', 'astagidir', 'astspooldir', 'astrundir'];
  return {
    'asterisk.conf':
      `[directories]\nastmoddir=${settings.modules}\nastdatadir=/usr/share/asterisk\n` +
      `${[...own, 'astlogdir'].map((name) => `${name}=${folder}\n`).join('')}\n[options]\nverbose=3\n`,
    'modules.conf': `[modules]\nautoload=no\n${modules.map((name) => `load=${name}.so\n`).join('')}`,
    'logger.conf': '[logfiles]\nmessages=notice,warning,error,verbose(3)\n',
    'rtp.conf': `[general]\nrtpstart=${rtpPorts[0]}\nrtpend=${rtpPorts[1]}\nicesupport=no\n`,
    'musiconhold.conf': `[default]\nmode=files\ndirectory=${folder}\n`,
    'music.sln': music(),
    'certificate.pem': settings.certificate.cert,
    'key.pem': settings.certificate.key,
    'trusted.pem': settings.trusted,
    'pjsip.conf': sip(settings),
    'extensions.conf': extensions(settings),
    // Without them it warns that they are missing.
    ...Object.fromEntries(
      ['cdr', 'cel', 'manager', 'http', 'features', 'udptl', 'ccss', 'indications', 'acl'].map((name) => [
        `${name}.conf`,
        '[general]\nenabled=no\n',
      ]),
    ),
  };
}

/** Two seconds of a sine, whole periods, as signed 16-bit samples at 8 kHz. */
function music(): Buffer {
  const samples = 16_000;
  const file = Buffer.alloc(2 * samples);
  for (let at = 0; at < samples; at += 1) {
    file.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * musicHertz * at) / 8_000)), 2 * at);
  }
  return file;
}

function sip({ ports, folder, demarcPort, demarcAgentSide, user, password }: AsteriskFolders): string {
  const trunk = (name: string, codecs: string, more = ''): string => `
[${name}]
type=endpoint
context=calls
transport=tls
aors=demarc
from_user=caller-by-${name}
disallow=all
allow=${codecs}
media_encryption=sdes
media_address=${asteriskAddress}
bind_rtp_to_media_address=yes
direct_media=no
rtp_symmetric=yes
${more}`;
  return `
[global]
type=global
endpoint_identifier_order=username,ip

[system]
type=system

[tls]
type=transport
protocol=tls
bind=${asteriskAddress}:${ports.tls}
cert_file=${folder}/certificate.pem
priv_key_file=${folder}/key.pem
ca_list_file=${folder}/trusted.pem
verify_server=yes
method=tlsv1_2

[agents]
type=transport
protocol=tcp
bind=${agentSideAddress}:${ports.agent}

[phones]
type=transport
protocol=udp
bind=${asteriskAddress}:${ports.phones}

[demarc]
type=aor
contact=sip:${asteriskAddress}:${demarcPort}\\;transport=tls
${trunk('trunk', 'ulaw,alaw')}
${trunk('trunk-g722', 'g722')}
${trunk('trunk-opus', 'opus')}
${trunk('trunk-optimistic', 'ulaw,alaw', 'media_encryption_optimistic=yes\n')}
${trunk('trunk-short-tag', 'ulaw,alaw', 'srtp_tag_32=yes\n')}
${trunk('trunk-digest', 'ulaw,alaw', 'outbound_auth=own\n')}
${trunk('trunk-wrong', 'ulaw,alaw', 'outbound_auth=wrong\n')}
${trunk('from-demarc', 'ulaw,alaw,g722,opus', 'auth=own\n')}
[from-demarc]
type=identify
endpoint=from-demarc
match=${asteriskAddress}

[own]
type=auth
auth_type=digest
username=${user}
password=${password}
supported_algorithms_uas=SHA-256,MD5
supported_algorithms_uac=SHA-256,MD5

[wrong]
type=auth
auth_type=digest
username=${user}
password=not-${password}
${trunk(user, 'ulaw,alaw', 'auth=own\n').replace('aors=demarc', `aors=${user}`)}
[${user}]
type=aor
max_contacts=1
remove_existing=yes
minimum_expiration=5

[agents]
type=endpoint
context=calls
transport=agents
aors=agents
disallow=all
allow=ulaw,g722,opus
media_address=${agentSideAddress}
bind_rtp_to_media_address=yes
direct_media=no
[agents]
type=aor
contact=sip:${demarcAgentSide.host}:${demarcAgentSide.port}\\;transport=tcp
[agents]
type=identify
endpoint=agents
match=${demarcAgentSide.host}

[phone]
type=endpoint
context=calls
transport=phones
aors=phone
disallow=all
allow=ulaw
media_address=${asteriskAddress}
bind_rtp_to_media_address=yes
direct_media=no
[phone]
type=aor
max_contacts=1
`;
}

function extensions({ audioSocketPort }: AsteriskFolders): string {
  // The UUID of the line says which extension it is.
  const line = `AudioSocket(00000000-0000-0000-0000-\${SPRINTF(%012d,\${EXTEN})},127.0.0.1:${audioSocketPort})`;
  return `
[general]
static=yes

[calls]
exten => _1XXX,1,Answer()
 same => n,${line}
 same => n,Hangup()

exten => _2XXX,1,Wait(4.5)
 same => n,Ringing()
 same => n,Wait(0.3)
 same => n,Answer()
 same => n,${line}
 same => n,Hangup()

exten => _3XXX,1,Answer()
 same => n,Wait(0.5)
 same => n,SendDTMF(${sentDigits},80,120)
 same => n,${line}
 same => n,Hangup()

; Its phones reach the numbers of Demarc.
exten => _4930.,1,Dial(PJSIP/\${EXTEN}@trunk)
 same => n,Hangup()

; Sends REFER.
exten => _5XXX,1,Transfer(PJSIP/sip:1\${EXTEN:1}@${asteriskAddress})
 same => n,Hangup()

; The same to an outside number; talks where that is refused.
exten => _6XXX,1,Transfer(PJSIP/sip:+14155551\${EXTEN:1}@${asteriskAddress})
 same => n,${line}
 same => n,Hangup()

; An outside number leads to the extension of its last four digits.
exten => _+X.,1,Goto(calls,\${EXTEN:-4},1)
`;
}

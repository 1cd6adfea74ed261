import type { OutboundSetup } from '../api/setup.js';

/** How to connect each kind of PBX to Demarc, with the real values to enter. */

export const systems = ['FreePBX', '3CX', 'Asterisk', 'Cisco CUBE'] as const;
export type System = (typeof systems)[number];

export interface Values extends Pick<OutboundSetup, 'sip_server' | 'port'> {
  /** Undefined: the PBX is identified by its address. */
  readonly username: string | undefined;
  /** Source addresses of Demarc's calls to the PBX. */
  readonly addresses: readonly string[];
}

export type GuidePart =
  | {
      readonly kind: 'fields';
      readonly title: string;
      readonly rows: readonly (readonly [name: string, value: string])[];
    }
  | { readonly kind: 'file'; readonly title: string; readonly text: string }
  | { readonly kind: 'note'; readonly text: string };

export const password = 'the password that was returned when the number was attached';
const suite = 'AES_CM_128_HMAC_SHA1_80';

const isAddress = (host: string): boolean => /^[\d.]+$|:/.test(host);
const forUri = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export const guideOf = (system: System, values: Values): readonly GuidePart[] => guides[system](values);

const trust: GuidePart = {
  kind: 'note',
  text: 'The PBX must trust the server’s certificate: install its CA on the PBX and keep verification on.',
};

const guides: Readonly<Record<System, (values: Values) => readonly GuidePart[]>> = {
  FreePBX: ({ sip_server, port, username, addresses }) => [
    trust,
    {
      kind: 'note',
      text: 'Settings → Asterisk SIP Settings → SIP Settings (chan_pjsip): enable the tls transport with TLS 1.2, and Verify Server. Then Connectivity → Trunks → Add SIP (chan_pjsip) Trunk:',
    },
    {
      kind: 'fields',
      title: 'pjsip Settings, General',
      rows: [
        ['Authentication', username === undefined ? 'None' : 'Outbound'],
        ...(username === undefined
          ? []
          : ([
              ['Username', username],
              ['Auth username', username],
              ['Secret', password],
            ] as const)),
        ['Registration', 'None'],
        ['SIP Server', sip_server],
        ['SIP Server Port', String(port)],
        ['Transport', '0.0.0.0-tls'],
      ],
    },
    {
      kind: 'fields',
      title: 'pjsip Settings, Advanced and Codecs',
      rows: [
        ['Media Encryption', 'SRTP via in-SDP'],
        ['DTMF Mode', 'RFC 4733'],
        ['Qualify Frequency', '60'],
        ...(addresses.length === 0 ? [] : ([['Match (Permit)', addresses.join(',')]] as const)),
        ['Codecs', 'ulaw, alaw'],
      ],
    },
    {
      kind: 'note',
      text: 'Connectivity → Outbound Routes: send the numbers in E.164, with or without +, to this trunk.',
    },
  ],
  '3CX': ({ sip_server, port, username }) => [
    trust,
    ...(isAddress(sip_server)
      ? [
          {
            kind: 'note',
            text: `3CX supports TLS only to servers whose host name matches the certificate exactly; ${sip_server} is an address. Ask the operator to set a host name (DEMARC_ADVERTISED_HOST).`,
          } as const,
        ]
      : []),
    { kind: 'note', text: 'Voice & Chat → Add Trunk → Generic:' },
    {
      kind: 'fields',
      title: 'General',
      rows: [
        ['Registrar/Server/Gateway Hostname or IP', sip_server],
        ['Auto Discovery', 'off'],
        ['Port', String(port)],
        ['Type of Authentication', 'Do not require – IP Based'],
        ...(username === undefined
          ? []
          : ([
              ['Authentication ID', username],
              ['Authentication Password', password],
            ] as const)),
      ],
    },
    {
      kind: 'fields',
      title: 'Options',
      rows: [
        ['Transport Protocol', 'TLS, with the root certificate uploaded'],
        ['SRTP', 'Enabled'],
        ['Re-Invite, Replaces', 'supported'],
        ['Codec priority', 'G.711 U-law, G.711 A-law'],
      ],
    },
    {
      kind: 'note',
      text: '3CX documents TLS only for trunks that register, and Demarc is not a registrar. If your version does not offer TLS with this type of authentication, attach the number with auth_mode register, so that Demarc registers with the 3CX, or use an SBC in between.',
    },
  ],
  Asterisk: ({ sip_server, port, username, addresses }) => [
    trust,
    {
      kind: 'file',
      title: 'pjsip.conf',
      text: [
        '[transport-tls]',
        'type=transport',
        'protocol=tls',
        'bind=0.0.0.0:5061',
        'method=tlsv1_2',
        'ca_list_file=/etc/asterisk/keys/demarc-ca.crt',
        'verify_server=yes',
        '',
        '[demarc]',
        'type=endpoint',
        'transport=transport-tls',
        'context=from-demarc',
        'disallow=all',
        'allow=ulaw,alaw',
        'media_encryption=sdes',
        'dtmf_mode=rfc4733',
        'direct_media=no',
        'aors=demarc',
        ...(username === undefined ? [] : ['outbound_auth=demarc']),
        '',
        '[demarc]',
        'type=aor',
        `contact=sip:${forUri(sip_server)}:${port}\\;transport=tls`,
        'qualify_frequency=60',
        ...(username === undefined
          ? []
          : [
              '',
              '[demarc]',
              'type=auth',
              'auth_type=userpass',
              `username=${username}`,
              `password=; ${password}`,
            ]),
        ...(addresses.length === 0
          ? []
          : [
              '',
              '[demarc]',
              'type=identify',
              'endpoint=demarc',
              ...addresses.map((address) => `match=${address}`),
            ]),
      ].join('\n'),
    },
    {
      kind: 'file',
      title: 'extensions.conf',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Asterisk replaces it.
      text: ['[to-demarc]', 'exten => _[+0-9].,1,Dial(PJSIP/${EXTEN}@demarc,60)', ' same => n,Hangup()'].join(
        '\n',
      ),
    },
  ],
  'Cisco CUBE': ({ sip_server, port, username, addresses }) => [
    trust,
    {
      kind: 'file',
      title: 'IOS XE configuration',
      text: [
        'crypto pki trustpoint DEMARC-CA',
        ' enrollment terminal',
        ' revocation-check none',
        'crypto pki authenticate DEMARC-CA',
        '! paste the CA certificate here',
        '!',
        ...(addresses.length === 0
          ? []
          : [
              'voice service voip',
              ' ip address trusted list',
              ...addresses.map((address) => `  ${address.includes(':') ? 'ipv6' : 'ipv4'} ${address}`),
              ' sip',
              '!',
            ]),
        'voice class srtp-crypto 100',
        ` crypto 1 ${suite}`,
        'voice class codec 100',
        ' codec preference 1 g711ulaw',
        ' codec preference 2 g711alaw',
        '!',
        'sip-ua',
        ' transport tcp tls v1.2',
        ' crypto signaling default trustpoint DEMARC-CA',
        ...(username === undefined
          ? []
          : [` ! password: ${password}`, ` authentication username ${username} password 0 PASSWORD`]),
        '!',
        'dial-peer voice 100 voip',
        ' description Demarc',
        ' destination-pattern .T',
        ' session protocol sipv2',
        ` session target ${isAddress(sip_server) ? `${sip_server.includes(':') ? 'ipv6' : 'ipv4'}:${forUri(sip_server)}` : `dns:${sip_server}`}:${port}`,
        ' session transport tcp tls',
        ' voice-class codec 100',
        ' voice-class sip srtp-crypto 100',
        ' voice-class sip options-keepalive',
        ' dtmf-relay rtp-nte',
        ' srtp',
        ' no vad',
      ].join('\n'),
    },
  ],
};

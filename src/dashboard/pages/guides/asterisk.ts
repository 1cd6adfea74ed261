import type { Codec, Guide, GuidePart, GuideValues } from './guide.js';
import { passwordPlaceholder } from './guide.js';
import { asteriskName, asteriskValue, e164, inUri, isAddress } from './written.js';

/** Names of Asterisk's codecs. */
export const asteriskCodecs: Readonly<Record<Codec, string>> = {
  PCMU: 'ulaw',
  PCMA: 'alaw',
  G722: 'g722',
  G729: 'g729',
  opus: 'opus',
};

const lines = (...all: readonly (string | readonly string[])[]): string => `${all.flat().join('\n')}\n`;

/** Shell commands that store the CA's certificate on the PBX. */
export const storeAuthority = (authority: string, path: string): string =>
  lines(
    `cat > ${path} <<'END'`,
    authority.trim(),
    'END',
    `openssl x509 -in ${path} -noout -fingerprint -sha256`,
  );

/** Asterisk without a front end: complete files, and the commands around them. */
export function asteriskGuide(values: GuideValues): Guide {
  const { authority, pbx, recognition } = values;
  const authorityFile = `${pbx.keys}/demarc-ca.crt`;
  return {
    isTested: true,
    steps: [
      {
        title: 'Trust Demarc’s certificate',
        parts:
          authority === undefined
            ? [
                {
                  kind: 'note',
                  text: 'Demarc’s certificate is from a well-known authority: nothing to install.',
                },
              ]
            : [
                { kind: 'authority' },
                {
                  kind: 'file',
                  title: `Commands: ${authorityFile}`,
                  text: storeAuthority(authority, authorityFile),
                },
                { kind: 'note', text: 'The last line must print the fingerprint above.' },
              ],
      },
      {
        title: 'Give the PBX a certificate',
        parts: [
          {
            kind: 'file',
            title: 'Commands: certificate for calls from Demarc',
            text: certificateCommands(values),
          },
          {
            kind: 'note',
            text: 'Skip the first command if the PBX has a certificate for its public name. Demarc verifies it: paste the printed certificate into “Trusted certificates” of the number’s outbound direction, unless it is from a well-known authority.',
          },
        ],
      },
      {
        title: 'Add the trunk: pjsip.conf',
        parts: [
          {
            kind: 'note',
            text: 'Append it to /etc/asterisk/pjsip.conf. If that file has a TLS transport already, leave out [transport-tls], use the name of yours in [demarc], and set its ca_list_file and verify_server.',
          },
          { kind: 'file', title: 'pjsip.conf', text: pjsip(values) },
          ...passwordNote(values),
        ],
      },
      {
        title: 'Route calls: extensions.conf',
        parts: [
          { kind: 'file', title: 'extensions.conf', text: extensions(values) },
          {
            kind: 'note',
            text: `Inbound route: calls from Demarc arrive in [from-demarc] and ring the dialled extension${pbx.carrier === undefined ? '; those to outside numbers are refused until you enter your carrier’s endpoint above' : ', or go to your carrier'}. Outbound route: phones reach Demarc when their context includes to-demarc.`,
          },
          ...(pbx.carrier === undefined
            ? []
            : ([
                {
                  kind: 'warning',
                  text: 'Outside numbers cost money: [from-demarc] accepts only calls that pjsip.conf attributes to Demarc. Never include it in another context.',
                },
              ] as const)),
        ],
      },
      {
        title: 'Reload',
        parts: [
          {
            kind: 'file',
            title: 'Commands: restart and check',
            text: lines(
              'asterisk -rx "core restart gracefully"   # a new transport needs a restart',
              `asterisk -rx "pjsip qualify ${endpointName(values)}"     # sends OPTIONS now`,
              'asterisk -rx "pjsip show contacts"       # Avail: Demarc answers OPTIONS',
            ),
          },
          ...(recognition.by === 'registration'
            ? ([
                { kind: 'note', text: 'The contact appears when Demarc has registered.' },
              ] satisfies readonly GuidePart[])
            : []),
        ],
      },
    ],
  };
}

/** Self-signed, for the name or address by which Demarc calls the PBX. */
function certificateCommands({ pbx }: GuideValues): string {
  const host = pbx.host ?? 'pbx.example.com';
  const name = `${isAddress(host) ? 'IP' : 'DNS'}:${host}`;
  return lines(
    `openssl req -x509 -newkey rsa:2048 -nodes -days 825 -subj "/CN=${host}" -addext "subjectAltName=${name}" \\`,
    `  -keyout ${pbx.keys}/pbx.key -out ${pbx.keys}/pbx.crt`,
    `chown asterisk ${pbx.keys}/pbx.key && chmod 600 ${pbx.keys}/pbx.key`,
    `cat ${pbx.keys}/pbx.crt`,
  );
}

/** For Asterisk an endpoint that registers must have the user's name. */
const endpointName = ({ recognition }: GuideValues): string =>
  recognition.by === 'registration' ? asteriskName(recognition.username, 'The user name') : 'demarc';

export function passwordNote({ recognition }: GuideValues): readonly GuidePart[] {
  if (recognition.by === 'address') return [];
  if (recognition.by === 'digest' && recognition.password !== undefined) return [];
  return [
    {
      kind: 'note',
      text: `Replace ${passwordPlaceholder} by ${
        recognition.by === 'registration'
          ? 'register_password_for_pbx, which was shown when the number was attached'
          : 'the password that you gave the number'
      }. Demarc does not show it again.`,
    },
  ];
}

function pjsip(values: GuideValues): string {
  const { pbx, authority, recognition, codecs, addresses, server } = values;
  const name = endpointName(values);
  const host = pbx.host;
  return lines(
    [
      '[transport-tls]',
      'type=transport',
      'protocol=tls',
      `bind=${inUri(pbx.bind)}:${pbx.port}`,
      'method=tlsv1_2',
      `cert_file=${pbx.keys}/pbx.crt`,
      `priv_key_file=${pbx.keys}/pbx.key`,
      `ca_list_file=${authority === undefined ? pbx.trusted : `${pbx.keys}/demarc-ca.crt`}`,
      'verify_server=yes',
      ...(host === undefined || !isAddress(host)
        ? []
        : [
            '; What the PBX sends to Demarc from behind NAT',
            `external_signaling_address=${host}`,
            `external_media_address=${host}`,
            ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map((network) => `local_net=${network}`),
          ]),
      '',
      `[${name}]`,
      'type=endpoint',
      'transport=transport-tls',
      'context=from-demarc',
      'disallow=all',
      `allow=${codecs.map((codec) => asteriskCodecs[codec]).join(',')}`,
      'media_encryption=sdes',
      'media_encryption_optimistic=no',
      'dtmf_mode=rfc4733',
      'direct_media=no',
      'rtp_symmetric=yes',
      `aors=${name}`,
      ...(recognition.by === 'digest' ? [`outbound_auth=${name}`] : []),
      ...(recognition.by === 'registration' ? [`auth=${name}`] : []),
      '',
      `[${name}]`,
      'type=aor',
    ],
    recognition.by === 'registration'
      ? ['max_contacts=1', 'remove_existing=yes', 'qualify_frequency=60']
      : [`contact=${contact(values)}`, 'qualify_frequency=60'],
    recognition.by === 'address'
      ? []
      : [
          '',
          `[${name}]`,
          'type=auth',
          'auth_type=userpass',
          `username=${asteriskValue(recognition.username, 'The user name')}`,
          `password=${
            recognition.by === 'digest' && recognition.password !== undefined
              ? asteriskValue(recognition.password, 'The password')
              : passwordPlaceholder
          }`,
        ],
    recognition.by === 'registration'
      ? []
      : [
          '',
          `[${name}]`,
          'type=identify',
          `endpoint=${name}`,
          ...(addresses.length === 0 ? [server] : addresses).map((address) => `match=${address}`),
        ],
  );
}

/** Static contact of Demarc; its user lets Demarc attribute OPTIONS to the number. `;` begins a comment in these files. */
export const contact = ({ server, port, number }: GuideValues): string =>
  `sip:${number === undefined ? '' : `${e164(number).slice(1)}@`}${inUri(server)}:${port}\\;transport=tls`;

function extensions(values: GuideValues): string {
  const { number, pbx, recognition } = values;
  const name = endpointName(values);
  const dialled = number === undefined ? ['_+X.', '_X.'] : [e164(number), e164(number).slice(1)];
  // A registered contact is the whole address: Demarc knows the number of the registration.
  const target = recognition.by === 'registration' ? `PJSIP/${name}` : `PJSIP/\${EXTEN}@${name}`;
  return lines(
    [
      '; Calls from Demarc. Only extensions of this PBX, whose endpoints have the extension as name.',
      '[from-demarc]',
      ...['_XX', '_XXX', '_XXXX', '_XXXXX'].flatMap((pattern) => [
        `exten => ${pattern},1,Dial(PJSIP/\${EXTEN},60)`,
        ' same => n,Hangup()',
      ]),
    ],
    pbx.carrier === undefined
      ? ['; Outside numbers are refused as unassigned (404).', 'exten => _+X.,1,Hangup(1)']
      : [
          '; Outside numbers, through your carrier',
          `exten => _+X.,1,Dial(PJSIP/\${EXTEN}@${asteriskName(pbx.carrier, 'The carrier’s endpoint')},60)`,
          ' same => n,Hangup()',
        ],
    [
      '',
      '; Calls to Demarc: include => to-demarc in the context of your phones.',
      '[to-demarc]',
      ...dialled.flatMap((pattern) => [`exten => ${pattern},1,Dial(${target},60)`, ' same => n,Hangup()']),
    ],
  );
}

import type { Codec, Guide, GuideValues } from './guide.js';
import { passwordPlaceholder } from './guide.js';
import { e164, inUri, iosWord, isAddress } from './written.js';

const suite = 'AES_CM_128_HMAC_SHA1_80';

/** Opus has no name in the codec classes of all releases, so it is left out. */
const names: Readonly<Partial<Record<Codec, string>>> = {
  PCMU: 'g711ulaw',
  PCMA: 'g711alaw',
  G722: 'g722-64',
  G729: 'g729r8',
};

/** Cisco CUBE (IOS XE): configuration to paste. */
export function cubeGuide(values: GuideValues): Guide {
  const { authority, recognition } = values;
  return {
    isTested: false,
    steps: [
      {
        title: 'Trust Demarc’s certificate',
        parts: [
          ...(authority === undefined
            ? ([
                {
                  kind: 'note',
                  text: 'Demarc’s certificate is from a well-known authority: authenticate the trustpoint with the root of that authority.',
                },
              ] as const)
            : ([{ kind: 'authority' }] as const)),
          { kind: 'file', title: 'Trustpoint', text: trustpoint(authority) },
        ],
      },
      {
        title: 'Give the CUBE a certificate',
        parts: [
          {
            kind: 'note',
            text: 'Calls from Demarc come over TLS to the CUBE’s own certificate. If it is not from a well-known authority, paste its CA into “Trusted certificates” of the number’s outbound direction. Name its trustpoint instead of CUBE-IDENTITY in the next step.',
          },
        ],
      },
      {
        title: 'TLS, SRTP and codecs',
        parts: [
          { kind: 'file', title: 'Global configuration', text: global(values) },
          ...(recognition.by === 'digest' && recognition.password === undefined
            ? ([
                {
                  kind: 'note',
                  text: `Replace ${passwordPlaceholder} by the password that you gave the number. Demarc does not show it again.`,
                },
              ] as const)
            : []),
          ...(recognition.by === 'registration'
            ? ([
                {
                  kind: 'warning',
                  text: 'This number is attached with auth_mode register: CUBE is no registrar of such users. Attach the number by address instead.',
                },
              ] as const)
            : []),
        ],
      },
      {
        title: 'Outbound route: calls to Demarc',
        parts: [{ kind: 'file', title: 'Dial-peer to Demarc', text: toDemarc(values) }],
      },
      {
        title: 'Inbound route: calls from Demarc',
        parts: [
          { kind: 'file', title: 'Dial-peer from Demarc', text: fromDemarc(values) },
          {
            kind: 'note',
            text: 'Calls then take your existing outgoing dial-peers. Allow only the prefixes that Demarc needs: outside numbers cost money.',
          },
        ],
      },
    ],
  };
}

const text = (...lines: readonly (string | readonly string[])[]): string => `${lines.flat().join('\n')}\n`;

const trustpoint = (authority: string | undefined): string =>
  text(
    'crypto pki trustpoint DEMARC-CA',
    ' enrollment terminal pem',
    ' revocation-check none',
    'crypto pki authenticate DEMARC-CA',
    authority === undefined ? '! paste the root certificate here' : authority.trim(),
    'quit',
  );

/** `203.0.113.0/30` as address and mask. */
function addressAndMask(range: string): string {
  const [address = '', prefix] = range.split('/');
  if (prefix === undefined) return `ipv4 ${address}`;
  const bits = Number(prefix);
  const mask = [0, 8, 16, 24].map((shift) => {
    const ones = Math.min(8, Math.max(0, bits - shift));
    return 256 - 2 ** (8 - ones);
  });
  return `ipv4 ${address} ${mask.join('.')}`;
}

function global({ addresses, codecs, recognition }: GuideValues): string {
  const ipv4 = addresses.filter((address) => !address.includes(':'));
  const ipv6 = addresses.filter((address) => address.includes(':') && !address.includes('/'));
  const preferred = codecs.flatMap((codec) => names[codec] ?? []);
  return text(
    'voice service voip',
    addresses.length === 0
      ? []
      : [
          ' ip address trusted list',
          ...ipv4.map((range) => `  ${addressAndMask(range)}`),
          ...ipv6.map((address) => `  ipv6 ${address}`),
        ],
    ' allow-connections sip to sip',
    ' sip',
    'voice class srtp-crypto 100',
    ` crypto 1 ${suite}`,
    'voice class codec 100',
    preferred.map((name, index) => ` codec preference ${index + 1} ${name}`),
    'sip-ua',
    ' transport tcp tls v1.2',
    ' crypto signaling default trustpoint CUBE-IDENTITY',
    recognition.by === 'digest'
      ? [
          ` authentication username ${iosWord(recognition.username, 'The user name')} password 0 ${
            recognition.password === undefined
              ? passwordPlaceholder
              : iosWord(recognition.password, 'The password')
          }`,
        ]
      : [],
  );
}

function toDemarc({ server, port, number }: GuideValues): string {
  const target = isAddress(server)
    ? `${server.includes(':') ? 'ipv6' : 'ipv4'}:${inUri(server)}`
    : `dns:${server}`;
  return text(
    'voice class e164-pattern-map 100',
    number === undefined ? [' e164 +T'] : [` e164 ${e164(number)}`, ` e164 ${e164(number).slice(1)}`],
    'dial-peer voice 100 voip',
    ' description To Demarc',
    ' destination e164-pattern-map 100',
    ' session protocol sipv2',
    ` session target ${target}:${port}`,
    ' session transport tcp tls',
    legOptions,
    ' voice-class sip options-keepalive',
  );
}

const legOptions = [
  ' voice-class codec 100',
  ' voice-class sip srtp-crypto 100',
  ' dtmf-relay rtp-nte',
  ' srtp',
  ' no vad',
];

function fromDemarc({ addresses, server }: GuideValues): string {
  const single = addresses.filter((address) => !address.includes('/'));
  const hosts = single.length === 0 ? [server] : single;
  return text(
    'voice class uri 100 sip',
    hosts.map((host) =>
      isAddress(host) ? ` host ${host.includes(':') ? 'ipv6' : 'ipv4'}:${host}` : ` host dns:${host}`,
    ),
    'dial-peer voice 101 voip',
    ' description From Demarc',
    ' session protocol sipv2',
    ' incoming uri via 100',
    ' session transport tcp tls',
    legOptions,
  );
}

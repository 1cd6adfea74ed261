import type { Carrier, Guide, GuidePart, GuideValues, Step } from './guide.js';
import { inUri, isAddress } from './written.js';

/** What a carrier's documentation says, as of 2026-11; the page links to it. */
interface Facts {
  /** Where its console has the settings for calls to Demarc. */
  readonly inbound: readonly (readonly [name: string, value: string])[];
  readonly inboundPath: string;
  /** What must be enabled for TLS and SRTP. */
  readonly secure: string;
  /** Its signaling addresses; empty: not published, or per account. */
  readonly addresses: readonly string[];
  /** Host for calls from Demarc. */
  readonly termination: string;
  readonly authentication: string;
  readonly warnings: readonly string[];
  readonly sources: readonly (readonly [text: string, href: string])[];
}

const uriOf = ({ server, port }: GuideValues): string => `sip:${inUri(server)}:${port};transport=tls`;

const factsOf: Readonly<Record<Carrier, (values: GuideValues) => Facts>> = {
  Twilio: (values) => ({
    inboundPath: 'Console → Elastic SIP Trunking → Manage → Trunks → your trunk → Origination:',
    inbound: [
      ['Origination SIP URI', uriOf(values)],
      ['Priority, Weight', '10, 10'],
    ],
    secure: 'In General, enable Secure Trunking: TLS and SRTP are then required in both directions.',
    addresses: [
      '54.172.60.0/30',
      '54.244.51.0/30',
      '54.171.127.192/30',
      '35.156.191.128/30',
      '54.65.63.192/30',
      '54.169.127.128/30',
      '54.252.254.64/30',
      '177.71.206.192/30',
    ],
    termination: 'YOUR_TRUNK.pstn.twilio.com',
    authentication:
      'Termination → Authentication: an IP Access Control List with Demarc’s addresses, or a Credential List whose user and password you enter as sip_username and sip_password.',
    warnings: [],
    sources: [
      ['Twilio: Elastic SIP Trunking', 'https://www.twilio.com/docs/sip-trunking'],
      ['Twilio: IP addresses', 'https://www.twilio.com/docs/sip-trunking/ip-addresses'],
    ],
  }),
  Telnyx: (values) => ({
    inboundPath: 'Mission Control → SIP Connections → your connection (FQDN or IP authentication) → Inbound:',
    inbound: [
      ['FQDN or IP address', values.server],
      ['Port', String(values.port)],
      ['SIP transport protocol', 'TLS'],
      ['Destination number format', '+E.164'],
    ],
    secure: 'In the connection’s settings, enable encrypted media (SRTP): it is off by default.',
    addresses: [
      '192.76.120.10',
      '64.16.250.10',
      '185.246.41.140',
      '185.246.41.141',
      '192.76.120.31',
      '64.16.250.13',
      '103.115.244.145',
      '103.115.244.146',
    ],
    termination: 'sip.telnyx.com',
    authentication:
      'Credentials of the connection as sip_username and sip_password, or IP authentication with Demarc’s addresses. Assign an Outbound Voice Profile to the connection.',
    warnings: [],
    sources: [
      ['Telnyx: SIP signaling addresses', 'https://sip.telnyx.com'],
      ['Telnyx: TLS and SRTP', 'https://support.telnyx.com/en/articles/4404575-tls-srtp-zrtp'],
    ],
  }),
  Bandwidth: (values) => ({
    inboundPath: 'Dashboard → your location (SIP peer) → Origination:',
    inbound: [
      ['Host', values.server],
      ['Port', String(values.port)],
      ['Transport', 'TLS'],
    ],
    secure: 'TLS and SRTP are enabled for the whole account: ask Bandwidth’s support.',
    addresses: [],
    termination: 'YOUR_TERMINATION_HOST',
    authentication: 'Register Demarc’s addresses as termination hosts of the location.',
    warnings: [
      'Bandwidth takes RSA certificates only. The certificate that npm start makes is ECDSA: use one of a well-known authority with an RSA key (DEMARC_TLS_CERT, DEMARC_TLS_KEY).',
    ],
    sources: [
      [
        'Bandwidth: TLS/SRTP',
        'https://support.bandwidth.com/hc/en-us/articles/360053095573-Bandwidth-s-TLS-SRTP',
      ],
    ],
  }),
  'Another carrier': (values) => ({
    inboundPath:
      'In the carrier’s portal, for calls to your number (often “origination”, “inbound” or “DID routing”):',
    inbound: [
      ['SIP URI', uriOf(values)],
      ['Host', values.server],
      ['Port', String(values.port)],
      ['Transport', 'TLS 1.2 or later'],
      ['Number format', 'E.164, with or without +'],
    ],
    secure:
      'Enable TLS for signaling, and SRTP (SDES, AES_CM_128_HMAC_SHA1_80) as mandatory, not optional: Demarc answers offers without it with 488.',
    addresses: [],
    termination: 'CARRIER_HOST',
    authentication:
      'By Demarc’s addresses, or by user and password, which you enter as sip_username and sip_password.',
    warnings: [],
    sources: [],
  }),
};

/** A carrier's trunk in place of a PBX. */
export function carrierGuide(values: GuideValues, carrier: Carrier): Guide {
  const facts = factsOf[carrier](values);
  return {
    isTested: false,
    steps: [
      certificateStep(values),
      { title: 'Encrypt signaling and media', parts: [{ kind: 'note', text: facts.secure }] },
      {
        title: 'Inbound route: the carrier’s calls to Demarc',
        parts: [
          { kind: 'note', text: facts.inboundPath },
          {
            kind: 'fields',
            title: `At ${carrier === 'Another carrier' ? 'the carrier' : carrier}`,
            rows: facts.inbound,
          },
          ...warningsOf(facts),
        ],
      },
      callersStep(facts),
      {
        title: 'Outbound route: Demarc’s calls through the carrier',
        parts: [
          {
            kind: 'fields',
            title: 'The number’s outbound direction in Demarc',
            rows: [['sip_endpoint', `sip:${facts.termination}:5061;transport=tls`]],
          },
          { kind: 'note', text: facts.authentication },
          ...(values.addresses.length === 0
            ? []
            : ([
                {
                  kind: 'fields',
                  title: 'Demarc’s addresses',
                  rows: values.addresses.map((address) => ['Address', address] as const),
                },
              ] as const)),
        ],
      },
      ...(facts.sources.length === 0
        ? []
        : [
            {
              title: 'Check the values',
              parts: [
                {
                  kind: 'note',
                  text: 'Addresses and names are from the carrier’s documentation, as of November 2026.',
                } as const,
                ...facts.sources.map(([text, href]) => ({ kind: 'source', text, href }) as const),
              ],
            },
          ]),
    ],
  };
}

const warningsOf = ({ warnings }: Facts): readonly GuidePart[] =>
  warnings.map((text) => ({ kind: 'warning', text }));

function certificateStep({ authority, server }: GuideValues): Step {
  if (authority === undefined && !isAddress(server)) {
    return {
      title: 'Certificate',
      parts: [{ kind: 'note', text: 'Demarc’s certificate is from a well-known authority: nothing to do.' }],
    };
  }
  const problems = [
    ...(authority === undefined
      ? []
      : ['Demarc’s certificate is from its private CA, which a carrier cannot install.']),
    ...(isAddress(server) ? [`${server} is an address; carriers verify the name in the certificate.`] : []),
  ];
  return {
    title: 'Certificate',
    parts: [
      {
        kind: 'warning',
        text: `${problems.join(' ')} Ask the operator for a host name (DEMARC_ADVERTISED_HOST) with a certificate of a well-known authority (DEMARC_TLS_CERT, DEMARC_TLS_KEY).`,
      },
    ],
  };
}

const callersStep = ({ addresses }: Facts): Step => ({
  title: 'Allow the carrier’s addresses',
  parts:
    addresses.length === 0
      ? [
          {
            kind: 'note',
            text: 'Enter the carrier’s signaling addresses in the field at the top of this page, or in allowed_ips of the number. Until then Demarc refuses its calls with 403, and the last step shows from which address they came.',
          },
        ]
      : [{ kind: 'callers', addresses }],
});

import type { Codec, Guide, GuidePart, GuideValues } from './guide.js';
import { passwordPlaceholder } from './guide.js';
import { isAddress } from './written.js';

/** 3CX documents TLS only where one side registers, so Demarc registers with it as an extension. */
export function threeCxGuide(values: GuideValues): Guide {
  const { recognition } = values;
  const user = recognition.by === 'registration' ? recognition.username : '700';
  return {
    isTested: false,
    steps: [
      {
        title: 'Register with the 3CX',
        parts: [
          {
            kind: 'note',
            text: '3CX supports TLS only for trunks that register, and Demarc is no registrar. So Demarc registers with the 3CX, as an extension does.',
          },
          ...(recognition.by === 'registration'
            ? []
            : ([
                {
                  kind: 'warning',
                  text: 'This number is not attached with auth_mode register. Attach it so, with the 3CX as registrar and a user of your choice, before you continue.',
                },
              ] satisfies readonly GuidePart[])),
          {
            kind: 'fields',
            title: 'The number’s inbound direction in Demarc',
            rows: [
              ['auth_mode', 'register'],
              ['registrar', `sip:${values.pbx.host ?? 'YOUR_3CX_NAME'}:${values.pbx.port};transport=tls`],
              ['register_auth.username', user],
            ],
          },
          ...(values.pbx.host !== undefined && isAddress(values.pbx.host)
            ? ([
                {
                  kind: 'warning',
                  text: 'The certificate of a 3CX has its name, not its address: enter the FQDN as the PBX’s address.',
                },
              ] satisfies readonly GuidePart[])
            : []),
          ...passwordPart(recognition.by === 'registration'),
        ],
      },
      {
        title: 'Add the extension',
        parts: [
          { kind: 'note', text: 'Admin console → Users → Add User:' },
          {
            kind: 'fields',
            title: 'User',
            rows: [
              ['Extension', user],
              ['Name', 'Demarc'],
              ['Authentication ID', user],
              ['Authentication Password', passwordPlaceholder],
              ['Disallow use of extension outside the LAN', 'off'],
              ['SRTP', 'enabled'],
              ['Codecs', values.codecs.map((codec) => names[codec]).join(', ')],
            ],
          },
          {
            kind: 'note',
            text: 'Names of these options differ between versions of 3CX.',
          },
        ],
      },
      {
        title: 'Trust the 3CX’s certificate',
        parts: [
          {
            kind: 'note',
            text: 'A 3CX with an FQDN of 3CX has a certificate of a well-known authority: nothing to do. With another certificate, paste its CA into “Trusted certificates” of the inbound direction.',
          },
        ],
      },
      {
        title: 'Inbound route: outside calls to Demarc',
        parts: [
          { kind: 'note', text: 'Inbound Rules → Add DID rule, or a queue or digital receptionist:' },
          { kind: 'fields', title: 'DID rule', rows: [['Send calls to', `Extension ${user}`]] },
        ],
      },
      {
        title: 'Outbound route: calls from Demarc',
        parts: [
          {
            kind: 'note',
            text: 'For calls that Demarc places through the 3CX, add an outbound direction to the number with the same user and password. In Outbound Rules, allow the extension to call the prefixes that it needs, and no others.',
          },
          {
            kind: 'fields',
            title: 'The number’s outbound direction in Demarc',
            rows: [
              ['sip_endpoint', `sip:${values.pbx.host ?? 'YOUR_3CX_NAME'}:${values.pbx.port};transport=tls`],
              ['options.sip_username', user],
              ['options.sip_password', passwordPlaceholder],
            ],
          },
        ],
      },
      {
        title: 'Allow Demarc in the firewall',
        parts: [
          {
            kind: 'fields',
            title: 'Firewall',
            rows: [
              ['From and to', values.addresses.length === 0 ? values.server : values.addresses.join(', ')],
              ['SIP', `TCP ${values.pbx.port}`],
              ['Media', `UDP, Demarc’s ports ${values.rtpPorts}`],
            ],
          },
        ],
      },
    ],
  };
}

const passwordPart = (isAttached: boolean): readonly GuidePart[] => [
  {
    kind: 'note',
    text: isAttached
      ? `${passwordPlaceholder} is register_password_for_pbx, which was shown when the number was attached. Demarc does not show it again.`
      : `${passwordPlaceholder} is register_password_for_pbx, which Demarc shows once when you attach the number so.`,
  },
];

const names: Readonly<Record<Codec, string>> = {
  PCMU: 'G.711 U-law',
  PCMA: 'G.711 A-law',
  G722: 'G.722',
  G729: 'G.729',
  opus: 'Opus',
};

import { asteriskCodecs, contact, passwordNote, storeAuthority } from './asterisk.js';
import type { Guide, GuideValues } from './guide.js';
import { passwordPlaceholder } from './guide.js';
import { e164 } from './written.js';

const trunkName = 'demarc';

/** FreePBX 16 and 17 with chan_pjsip: what to enter in its forms, and the two files that its forms do not write. */
export function freepbxGuide(values: GuideValues): Guide {
  const { recognition, number, authority } = values;
  const isRegistered = recognition.by === 'registration';
  return {
    isTested: false,
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
                  kind: 'note',
                  text: 'On the PBX (FreePBX 17 is Debian; on an older CentOS, store the file in /etc/pki/ca-trust/source/anchors and run update-ca-trust):',
                },
                {
                  kind: 'file',
                  title: 'Commands: system trust',
                  text: `${storeAuthority(authority, '/usr/local/share/ca-certificates/demarc-ca.crt')}update-ca-certificates\n`,
                },
              ],
      },
      {
        title: 'Enable TLS',
        parts: [
          {
            kind: 'note',
            text: 'Admin → Certificate Management: have a certificate for the PBX’s public name (Let’s Encrypt, or upload one). Then Settings → Asterisk SIP Settings:',
          },
          {
            kind: 'fields',
            title: 'SIP Settings [chan_pjsip]',
            rows: [
              ['Certificate Manager', 'the certificate of the PBX'],
              ['SSL Method', 'tlsv1_2'],
              ['Verify Client', 'No'],
              ['Verify Server', 'Yes'],
              ['tls - 0.0.0.0 - All', 'Yes'],
              ['Port to Listen On (TLS)', String(values.pbx.port)],
              ...(values.pbx.host === undefined
                ? []
                : ([['External Address (General SIP Settings)', values.pbx.host]] as const)),
            ],
          },
          {
            kind: 'file',
            title: '/etc/asterisk/pjsip.transports_custom_post.conf',
            text: transportFile(values),
          },
        ],
      },
      isRegistered ? extensionStep(values, recognition.username) : trunkStep(values),
      {
        title: 'Inbound route: calls from Demarc',
        parts: [
          {
            kind: 'note',
            text: isRegistered
              ? 'Demarc’s calls arrive as those of the extension: nothing to add. To send outside calls to Demarc, make the extension the destination of an inbound route of your carrier.'
              : 'Connectivity → Inbound Routes → Add Inbound Route. One route for each number that Demarc dials, or one with an empty DID for all:',
          },
          ...(isRegistered
            ? []
            : ([
                {
                  kind: 'fields',
                  title: 'Inbound route',
                  rows: [
                    ['Description', 'From Demarc'],
                    ['DID Number', 'the number that Demarc dials, as it dials it'],
                    ['Set Destination', 'the extension, ring group or queue that answers'],
                  ],
                },
              ] as const)),
        ],
      },
      {
        title: 'Outbound route: calls to Demarc',
        parts: isRegistered
          ? [{ kind: 'note', text: `Dial ${recognition.username}, or transfer to it: Demarc answers.` }]
          : [
              { kind: 'note', text: 'Connectivity → Outbound Routes → Add Outbound Route:' },
              {
                kind: 'fields',
                title: 'Outbound route',
                rows: [
                  ['Route Name', trunkName],
                  ['Trunk Sequence for Matched Routes', trunkName],
                  ['Dial Patterns, prepend', ''],
                  ['Dial Patterns, match pattern', number === undefined ? '+X.' : e164(number)],
                ].filter(([, value]) => value !== '') as [string, string][],
              },
              {
                kind: 'note',
                text: 'To send outside calls to Demarc, make a Misc Destination that dials the number the destination of an inbound route of your carrier.',
              },
            ],
      },
      {
        title: 'Apply',
        parts: [
          {
            kind: 'file',
            title: 'Commands: restart and check',
            text: 'fwconsole reload\nfwconsole restart   # a changed transport needs it\nasterisk -rx "pjsip qualify demarc"   # sends OPTIONS now\nasterisk -rx "pjsip show contacts"\n',
          },
        ],
      },
    ],
  };
}

/** After the sections that FreePBX writes, in the order of its pjsip.conf. */
const transportFile = ({ pbx }: GuideValues): string =>
  `[0.0.0.0-tls](+)\nca_list_file=${pbx.trusted}\nverify_server=yes\n`;

function trunkStep(values: GuideValues): Guide['steps'][number] {
  const { recognition, server, port, addresses, codecs } = values;
  return {
    title: 'Add the trunk',
    parts: [
      { kind: 'note', text: 'Connectivity → Trunks → Add Trunk → Add SIP (chan_pjsip) Trunk:' },
      {
        kind: 'fields',
        title: 'General',
        rows: [['Trunk Name', trunkName]],
      },
      {
        kind: 'fields',
        title: 'pjsip Settings → General',
        rows: [
          ...(recognition.by === 'digest'
            ? ([
                ['Username', recognition.username],
                ['Auth username', recognition.username],
                ['Secret', recognition.password ?? passwordPlaceholder],
              ] as const)
            : []),
          ['Authentication', recognition.by === 'digest' ? 'Outbound' : 'None'],
          ['Registration', 'None'],
          ['SIP Server', server],
          ['SIP Server Port', String(port)],
          ['Context', 'from-pstn'],
          ['Transport', '0.0.0.0-tls'],
        ],
      },
      {
        kind: 'fields',
        title: 'pjsip Settings → Advanced',
        rows: [
          ['AOR Contact', contact(values)],
          ['DTMF Mode', 'RFC 4733'],
          ['Qualify Frequency', '60'],
          ['Match (Permit)', addresses.length === 0 ? server : addresses.join(',')],
          ['Media Encryption', 'SRTP via in-SDP'],
          ['RTP Symmetric', 'Yes'],
          ['Direct Media', 'No'],
        ],
      },
      {
        kind: 'fields',
        title: 'pjsip Settings → Codecs',
        rows: [['Codecs, in this order', codecs.map((codec) => asteriskCodecs[codec]).join(', ')]],
      },
      ...passwordNote(values),
      {
        kind: 'note',
        text: 'This file keeps calls from going out without encryption, whatever the form says:',
      },
      {
        kind: 'file',
        title: '/etc/asterisk/pjsip.endpoint_custom_post.conf',
        text: `[${trunkName}](+)\nmedia_encryption=sdes\nmedia_encryption_optimistic=no\ndirect_media=no\n`,
      },
    ],
  };
}

function extensionStep(values: GuideValues, username: string): Guide['steps'][number] {
  return {
    title: 'Add the extension that Demarc registers as',
    parts: [
      {
        kind: 'note',
        text: 'Connectivity → Extensions → Add Extension → Add New SIP [chan_pjsip] Extension:',
      },
      {
        kind: 'fields',
        title: 'Extension',
        rows: [
          ['User Extension', username],
          ['Display Name', 'Demarc'],
          ['Secret', passwordPlaceholder],
          ['Advanced → Transport', '0.0.0.0-tls'],
          ['Advanced → Media Encryption', 'SRTP via in-SDP'],
          ['Advanced → Max Contacts', '1'],
          ['Advanced → Allowed Codecs', values.codecs.map((codec) => asteriskCodecs[codec]).join(', ')],
        ],
      },
      ...passwordNote(values),
    ],
  };
}

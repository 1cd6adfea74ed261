import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GuidePart, GuideValues } from '../../src/dashboard/pages/guides/guide.js';
import { guideOf } from '../../src/dashboard/pages/guides/guides.js';
import { type AsteriskFolders, agentSideAddress, asteriskConfiguration } from './asterisk-configuration.js';

/** Configurations of Asterisk that consist of what a guide of the dashboard tells its reader to enter, and of test lines. */

type Values = Omit<GuideValues, 'pbx'>;
type System = 'Asterisk' | 'FreePBX';

/** What the reader has beside it: lines whose sound a test hears, and a "carrier" that leads to them. */
const testLines = (ports: AsteriskFolders['ports']): string => `
[lines]
type=transport
protocol=tcp
bind=${agentSideAddress}:${ports.agent}

[carrier]
type=endpoint
transport=lines
context=calls
aors=carrier
disallow=all
allow=ulaw
media_address=${agentSideAddress}
bind_rtp_to_media_address=yes
direct_media=no
[carrier]
type=aor
contact=sip:${agentSideAddress}:${ports.agent}\\;transport=tcp
[carrier]
type=identify
endpoint=carrier
match=${agentSideAddress}
`;

/** The PBX's certificate, made by the commands of Asterisk's guide. */
export class PbxCertificate {
  readonly certificate: string;
  readonly key: string;

  constructor(values: Values) {
    const keys = mkdtempSync(join(tmpdir(), 'demarc-pbx-'));
    try {
      const pbx = { ...pbxOf('127.0.0.1', 5061, keys), host: '127.0.0.1' };
      const commands = fileOf(partsOf('Asterisk', { ...values, pbx }), 'Commands: certificate');
      // Without chown: no such user is here.
      const script = commands.replace(/^chown .*$/m, '');
      execFileSync('sh', ['-e', '-c', script], { stdio: 'pipe' });
      this.certificate = readFileSync(join(keys, 'pbx.crt'), 'utf8');
      this.key = readFileSync(join(keys, 'pbx.key'), 'utf8');
    } finally {
      rmSync(keys, { recursive: true });
    }
  }
}

/** What the guide's commands print of the CA: the fingerprint that the page shows. */
export function printedFingerprint(values: Values): string {
  const keys = mkdtempSync(join(tmpdir(), 'demarc-pbx-'));
  try {
    const parts = partsOf('Asterisk', { ...values, pbx: pbxOf('127.0.0.1', 5061, keys) });
    const printed = execFileSync('sh', ['-e', '-c', fileOf(parts, 'demarc-ca.crt')], { encoding: 'utf8' });
    return printed.trim().replace(/^.*=/, '');
  } finally {
    rmSync(keys, { recursive: true });
  }
}

/** Files of an Asterisk that was set up by that guide. */
export function configurationBy(
  system: System,
  values: Values,
  { certificate, key }: PbxCertificate,
): (folders: AsteriskFolders) => Record<string, string | Buffer> {
  return (folders) => {
    const { folder, ports } = folders;
    const pbx = { ...pbxOf('127.0.0.1', ports.tls, folder), trusted: `${folder}/demarc-ca.crt` };
    const parts = partsOf(system, { ...values, pbx: { ...pbx, carrier: 'carrier' } });
    const base = asteriskConfiguration(folders);
    const lines = String(base['extensions.conf']);
    return {
      ...base,
      'pbx.crt': certificate,
      'pbx.key': key,
      'demarc-ca.crt': values.authority ?? '',
      ...(system === 'Asterisk'
        ? writtenByReader(parts, lines, ports)
        : writtenByFreepbx(parts, lines, folders)),
    };
  };
}

function writtenByReader(
  parts: readonly GuidePart[],
  lines: string,
  ports: AsteriskFolders['ports'],
): Record<string, string> {
  return {
    'pjsip.conf': `${testLines(ports)}\n${fileOf(parts, 'pjsip.conf')}`,
    'extensions.conf': `${lines}\n${fileOf(parts, 'extensions.conf')}`,
  };
}

/** What FreePBX writes of its forms, after its source (core, functions.inc/drivers/PJSip.class.php), and the reader's two files. */
function writtenByFreepbx(
  parts: readonly GuidePart[],
  lines: string,
  { folder, ports }: AsteriskFolders,
): Record<string, string> {
  const field = (title: string, name: string): string => {
    for (const part of parts) {
      if (part.kind !== 'fields' || part.title !== title) continue;
      const row = part.rows.find(([each]) => each === name);
      if (row !== undefined) return row[1];
    }
    throw new Error(`FreePBX’s guide has no field ${name} in ${title}.`);
  };
  const advanced = (name: string): string => field('pjsip Settings → Advanced', name);
  const general = (name: string): string => field('pjsip Settings → General', name);
  const name = field('General', 'Trunk Name');
  const isDigest = general('Authentication') === 'Outbound';
  const section = (...settings: readonly string[]): string => `[${name}]\n${settings.join('\n')}\n`;
  const yes = (text: string): string => text.toLowerCase();
  const transport = `[${general('Transport')}]
type=transport
protocol=tls
bind=127.0.0.1:${ports.tls}
cert_file=${folder}/pbx.crt
priv_key_file=${folder}/pbx.key
method=${field('SIP Settings [chan_pjsip]', 'SSL Method')}
verify_client=${yes(field('SIP Settings [chan_pjsip]', 'Verify Client'))}
verify_server=${yes(field('SIP Settings [chan_pjsip]', 'Verify Server'))}
`;
  const endpoint = section(
    'type=endpoint',
    `transport=${general('Transport')}`,
    `context=${general('Context')}`,
    'disallow=all',
    `allow=${field('pjsip Settings → Codecs', 'Codecs, in this order').replaceAll(', ', ',')}`,
    `aors=${name}`,
    ...(isDigest ? [`outbound_auth=${name}`] : []),
    `media_encryption=${advanced('Media Encryption') === 'SRTP via in-SDP' ? 'sdes' : 'no'}`,
    `rtp_symmetric=${yes(advanced('RTP Symmetric'))}`,
    `direct_media=${yes(advanced('Direct Media'))}`,
    `dtmf_mode=${advanced('DTMF Mode').toLowerCase().replace(' ', '')}`,
  );
  const aor = section(
    'type=aor',
    `qualify_frequency=${advanced('Qualify Frequency')}`,
    `contact=${advanced('AOR Contact')}`,
  );
  const identify = section('type=identify', `endpoint=${name}`, `match=${advanced('Match (Permit)')}`);
  const auth = isDigest
    ? section(
        ...['type=auth', 'auth_type=userpass', `password=${general('Secret')}`],
        `username=${general('Username')}`,
      )
    : '';
  const pattern = field('Outbound route', 'Dial Patterns, match pattern');
  return {
    'pjsip.conf': [
      testLines(ports),
      transport,
      fileOf(parts, 'pjsip.transports_custom_post.conf'),
      endpoint,
      fileOf(parts, 'pjsip.endpoint_custom_post.conf'),
      ...[aor, auth, identify],
    ].join('\n'),
    // Inbound route with any DID, to the test lines; outbound route with the guide's pattern.
    'extensions.conf': `${lines}
[${general('Context')}]
exten => _+X.,1,Goto(calls,\${EXTEN:-4},1)
[to-demarc]
exten => ${pattern},1,Dial(PJSIP/\${EXTEN}@${name},60)
`,
  };
}

const pbxOf = (bind: string, port: number, keys: string): GuideValues['pbx'] => ({
  host: '127.0.0.1',
  bind,
  port,
  keys,
  trusted: `${keys}/demarc-ca.crt`,
  carrier: undefined,
});

const partsOf = (system: System, values: GuideValues): readonly GuidePart[] =>
  guideOf(system, 'Another carrier', values).steps.flatMap(({ parts }) => parts);

function fileOf(parts: readonly GuidePart[], title: string): string {
  const found = parts.find((part) => part.kind === 'file' && part.title.includes(title));
  if (found?.kind !== 'file') throw new Error(`The guide has no file ${title}.`);
  return found.text;
}

/** What an SDP says, in a line a person reads at a glance (RFC 8866, RFC 4568). */

export interface MediaLine {
  readonly kind: string;
  /** 0: refused. */
  readonly port: number;
  readonly address: string;
  readonly codecs: readonly string[];
  readonly isEncrypted: boolean;
  readonly suites: readonly string[];
  readonly direction: 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';
}

/** RFC 3551 §6. */
const staticCodecs: Readonly<Record<string, string>> = {
  '0': 'PCMU',
  '3': 'GSM',
  '8': 'PCMA',
  '9': 'G722',
  '13': 'comfort noise',
  '18': 'G729',
};

const directions = ['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const;

export function readMediaLines(sdp: string): readonly MediaLine[] {
  const lines = sdp.split(/\r?\n/);
  const sections: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith('m=')) sections.push([]);
    sections.at(-1)!.push(line);
  }
  const [session = [], ...media] = sections;
  const sessionAddress = addressIn(session) ?? '';
  return media.map((section) => {
    const [kind = '', port = '0', protocol = '', ...payloads] = section[0]!.slice(2).trim().split(/\s+/);
    const names = new Map(
      section.flatMap((line) => {
        const [, payload, name] = /^a=rtpmap:(\d+) ([^/\s]+)/.exec(line) ?? [];
        return payload === undefined || name === undefined ? [] : [[payload, name] as const];
      }),
    );
    return {
      kind,
      port: Number.parseInt(port, 10) || 0,
      address: addressIn(section) ?? sessionAddress,
      codecs: payloads.map((payload) => nameOf(names.get(payload) ?? staticCodecs[payload] ?? payload)),
      isEncrypted: protocol.includes('SAVP'),
      suites: section.flatMap((line) => /^a=crypto:\d+ (\S+)/.exec(line)?.[1] ?? []),
      direction:
        directions.find((name) => section.includes(`a=${name}`)) ??
        directions.find((name) => session.includes(`a=${name}`)) ??
        'sendrecv',
    };
  });
}

const nameOf = (codec: string): string => (codec.toLowerCase() === 'telephone-event' ? 'DTMF' : codec);

function addressIn(section: readonly string[]): string | undefined {
  for (const line of section) {
    const found = /^c=IN IP[46] (\S+)/.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

const directionWords: Readonly<Record<MediaLine['direction'], string>> = {
  sendrecv: '',
  sendonly: ', on hold (sends only)',
  recvonly: ', receives only',
  inactive: ', on hold (silent both ways)',
};

export function describeMediaLine(line: MediaLine): string {
  if (line.port === 0) return `${line.kind}: refused`;
  const security = line.isEncrypted
    ? line.suites.length > 0
      ? `SRTP ${line.suites.join(', ')}`
      : 'SRTP without a key'
    : 'not encrypted (RTP)';
  return `${line.kind} at ${line.address} port ${line.port}: ${line.codecs.join(', ')}; ${security}${directionWords[line.direction]}`;
}

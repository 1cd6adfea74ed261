/** Session descriptions for tests, as a trunk and an agent write them. */

import { cryptoLinesOf, readSession } from '../../../src/sdp/sdp.js';

export const trunkKey = Buffer.alloc(30, 7).toString('base64');

export interface DescriptionOptions {
  readonly port?: number;
  readonly formats?: string;
  readonly attributes?: readonly string[];
  readonly protocol?: string;
  readonly crypto?: readonly string[];
  readonly host?: string;
  readonly version?: number;
}

const rtpmaps: Readonly<Record<string, string>> = {
  '0': 'a=rtpmap:0 PCMU/8000',
  '8': 'a=rtpmap:8 PCMA/8000',
  '9': 'a=rtpmap:9 G722/8000',
  '18': 'a=rtpmap:18 G729/8000',
  '96': 'a=rtpmap:96 opus/48000/2',
  '101': 'a=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-16',
};

function description(options: DescriptionOptions & { protocol: string; crypto: readonly string[] }): string {
  const host = options.host ?? '127.0.0.1';
  const formats = options.formats ?? '0 101';
  const lines = [
    'v=0',
    `o=somebody 4711 ${options.version ?? 1} IN IP4 ${host}`,
    's=A private name',
    `c=IN IP4 ${host}`,
    't=0 0',
    `m=audio ${options.port ?? 40_000} ${options.protocol} ${formats}`,
    ...formats.split(' ').flatMap((format) => rtpmaps[format] ?? []),
    ...options.crypto,
    ...(options.attributes ?? []),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

export const trunkDescription = (options: DescriptionOptions = {}): string =>
  description({
    protocol: 'RTP/SAVP',
    crypto: [`a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${trunkKey}`],
    ...options,
  });

/** The key line of a trunk's answer: suite and tag of the first one offered, with another key. */
export function keyLine(offered: string, key = trunkKey): string {
  const [crypto] = cryptoLinesOf(readSession(offered)!.media[0]!);
  return `a=crypto:${crypto!.tag} ${crypto!.suite} inline:${key}`;
}

export const agentDescription = (options: DescriptionOptions = {}): string =>
  description({ protocol: 'RTP/AVP', crypto: [], port: 42_000, ...options });

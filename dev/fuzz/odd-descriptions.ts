import { agentDescription, trunkDescription } from '../../test/contract/media/descriptions.js';
import type { Chance } from './chance.js';

export type Side = 'trunk' | 'agent';

type Oddity = (description: string, chance: Chance) => string;

const afterMedia = (description: string, line: string): string => `${description}${line}\r\n`;

/** Changes that some accept and others refuse; none of them puts a call on hold. */
const oddities: readonly Oddity[] = [
  (text, chance) =>
    text.replace(/^o=.*/m, `o=- ${chance.between(0, 2 ** 31)} ${chance.between(0, 99)} IN IP4 127.0.0.1`),
  (text, chance) => text.replace(/m=audio \d+/, `m=audio ${chance.pick([1, 9, 1_024, 39_999, 65_534])}`),
  (text, chance) =>
    text.replace(/^(m=.*)$/m, `$1 ${chance.pick(['8', '9', '18', '96', '0', '127', '101 101'])}`),
  (text) => text.replace(/^a=rtpmap:0.*\r\n/m, ''),
  (text) => afterMedia(text, 'a=rtpmap:96 opus/48000/2\r\na=fmtp:96 useinbandfec=1'),
  (text, chance) => afterMedia(text, `a=ptime:${chance.pick(['10', '20', '60', '0', '-1', '1000000'])}`),
  (text) => afterMedia(text, 'm=video 40002 RTP/AVP 99\r\na=rtpmap:99 H264/90000'),
  (text) => afterMedia(text, 'm=audio 40004 RTP/AVP 8'),
  (text) => afterMedia(text, 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel'),
  (text) => afterMedia(text, 'a=rtcp-mux\r\na=rtcp:40005 IN IP4 127.0.0.1\r\na=ssrc:1 cname:x'),
  (text) =>
    afterMedia(text, 'a=fingerprint:sha-256 AA:BB\r\na=setup:actpass\r\na=ice-ufrag:u\r\na=ice-pwd:p'),
  (text) => text.replaceAll('\r\n', '\n'),
  (text) => text.replace(/^c=.*\r\n/m, ''),
  (text) => text.replace(/^c=.*/m, 'c=IN IP6 ::1'),
  (text) => text.replace(/^s=.*/m, `s=${'x'.repeat(3_000)}`),
  (text, chance) => text.slice(0, chance.between(0, text.length)),
  (text) => text.replace(/m=audio (\d+) \S+ .*/, 'm=audio $1 RTP/AVP 111 112\r\na=rtpmap:111 speex/16000'),
  (text) => text.replace('a=crypto:1', 'a=crypto:7'),
  (text) => text.replace(/^a=crypto.*\r\n/m, ''),
  (text) => text.replace(/^(a=crypto.*)$/m, '$1|2^20|1:4\r\n$1'),
  (text) => text.replace('t=0 0', 't=0 0\r\na=sendrecv\r\nb=AS:64'),
  (text) => `${text}${text}`,
  () => 'v=0\r\n',
  () => 'not a description',
];

/** Only where the party that holds the call also ends it: a held call may be silent for as long as it likes. */
const holds: readonly Oddity[] = [
  (text, chance) => afterMedia(text, `a=${chance.pick(['sendonly', 'inactive', 'recvonly'])}`),
  (text) => text.replace(/^c=.*/m, 'c=IN IP4 0.0.0.0'),
  (text) => text.replace(/m=audio \d+/, 'm=audio 0'),
];

/** An offer or answer of that side, mostly an ordinary one. */
export function someDescription(chance: Chance, side: Side, mayHold: boolean): string {
  const version = chance.between(1, 9);
  const port = 40_000 + 2 * chance.between(0, 500);
  let text = side === 'trunk' ? trunkDescription({ version, port }) : agentDescription({ version, port });
  if (mayHold && chance.happens(0.12)) text = chance.pick(holds)(text, chance);
  if (chance.happens(0.2)) text = chance.pick(oddities)(text, chance);
  return text;
}

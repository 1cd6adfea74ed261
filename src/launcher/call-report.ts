import type { PacketCounts } from './softphone/baresip.js';
import { ladder, type TracedMessage } from './softphone/sip-trace.js';
import type { Heard } from './softphone/tone.js';

/** What a call showed, from the caller's side. */
export interface CallResult {
  readonly uri: string;
  readonly messages: readonly TracedMessage[];
  readonly ownAddresses: ReadonlySet<string>;
  /** As SDP names it. */
  readonly codec: string | undefined;
  readonly srtpSuite: string | undefined;
  readonly packets: PacketCounts;
  readonly agentTone: Heard;
  readonly echo: Heard;
  /** Why the call did not come up or broke; undefined when it went as wanted. */
  readonly failure: string | undefined;
}

/** The least that counts as heard: more than a click, less than what the agent plays. */
const heardSeconds = 0.5;

export const isHeard = ({ seconds }: Heard): boolean => seconds >= heardSeconds;

/** True when audio went both ways: the agent's tone came here, and our own came back from there. */
export function isGood(result: CallResult): boolean {
  return result.failure === undefined && isHeard(result.agentTone) && isHeard(result.echo);
}

/** The codec of the first audio stream in the last SDP answer, as `PCMU/8000`. */
export function answeredCodec(messages: readonly TracedMessage[]): string | undefined {
  const answer = messages.findLast(({ status, text }) => status === 200 && text.includes('\nm=audio '))?.text;
  const payloadType = /^m=audio \d+ \S+ (\d+)/m.exec(answer ?? '')?.[1];
  if (answer === undefined || payloadType === undefined) return undefined;
  const named = new RegExp(`^a=rtpmap:${payloadType} (\\S+)`, 'm').exec(answer)?.[1];
  return named ?? staticPayloadTypes[payloadType] ?? `payload type ${payloadType}`;
}

/** RFC 3551 §6: may stand in SDP without a name. */
const staticPayloadTypes: Readonly<Record<string, string>> = {
  '0': 'PCMU/8000',
  '8': 'PCMA/8000',
  '9': 'G722/8000',
  '18': 'G729/8000',
};

/** The text for the terminal. */
export function describeCall(
  result: CallResult,
  tones: { readonly agent: number; readonly own: number },
): string {
  const mark = (good: boolean): string => (good ? 'yes' : 'NO');
  const rows: [string, string][] = [
    ['Codec', result.codec ?? 'none agreed'],
    ['SRTP suite', result.srtpSuite ?? 'none'],
    ['RTP packets', `${result.packets.sent} sent, ${result.packets.received} received`],
    [
      `Agent heard`,
      `${mark(isHeard(result.agentTone))} (${tones.agent} Hz for ${duration(result.agentTone)})`,
    ],
    [
      `Echo heard`,
      `${mark(isHeard(result.echo))} (our ${tones.own} Hz came back for ${duration(result.echo)})`,
    ],
  ];
  const messages =
    result.messages.length === 0
      ? '    no SIP message was sent'
      : ladder(result.messages, result.ownAddresses, { left: 'baresip', right: 'Demarc' });
  return [
    `\nCall to ${result.uri}\n`,
    messages,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(13)} ${value}`),
    '',
  ].join('\n');
}

const duration = ({ seconds }: Heard): string => `${seconds.toFixed(1)} s`;

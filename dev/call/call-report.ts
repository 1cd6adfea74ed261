import { encodingIn, readSession } from '../../src/sdp/sdp.js';
import type { PacketCounts } from '../softphone/baresip.js';
import { ladder, type TracedMessage } from '../softphone/sip-trace.js';
import type { Heard } from '../softphone/tone.js';

/** The result of a call, from the caller's side. */
export interface CallResult {
  readonly uri: string;
  readonly messages: readonly TracedMessage[];
  readonly ownAddresses: ReadonlySet<string>;
  /** As named in SDP. */
  readonly codec: string | undefined;
  readonly srtpSuite: string | undefined;
  readonly packets: PacketCounts;
  readonly agentTone: Heard;
  readonly echo: Heard;
  /** The agent's answers to digits; undefined: none was pressed. */
  readonly answers: { readonly digits: number; readonly found: Heard; readonly nothing: Heard } | undefined;
  /** Why the call failed or broke; undefined when it succeeded. */
  readonly failure: string | undefined;
}

/** Minimum duration that counts as heard: longer than a click, shorter than what the agent plays. */
const heardSeconds = 0.5;

export const isHeard = ({ seconds }: Heard): boolean => seconds >= heardSeconds;

/** Share of the expected packets that may be lost; more is audible with every codec. */
const toleratedShare = 0.05;
/** A tenth of a second at the ends of the call, where one side sends before the other is ready. */
const toleratedPackets = 5;

/** Packets of one digit: the agent sends none of them back while it answers. */
const packetsOfDigit = 25;

/** The agent sends as many packets as the phone, first its tone and then the echo, so missing packets are lost ones. */
export const missingPackets = ({ sent, received }: PacketCounts): number => Math.max(0, sent - received);

const arePacketsMissing = ({ packets, answers }: Pick<CallResult, 'packets' | 'answers'>): boolean =>
  missingPackets(packets) >
  Math.max(toleratedPackets, toleratedShare * packets.sent) + packetsOfDigit * (answers?.digits ?? 0);

/** The problem of a call; undefined when audio went both ways. */
export function defectOf(result: CallResult): string | undefined {
  const { failure, agentTone, echo, packets } = result;
  if (failure !== undefined) return failure;
  if (!isHeard(agentTone) || !isHeard(echo)) {
    return 'the call was answered, but audio did not go both ways.';
  }
  if (!arePacketsMissing(result)) return undefined;
  const percent = ((missingPackets(packets) / packets.sent) * 100).toFixed(0);
  return `${percent} % of the audio packets were lost: received ${packets.received} of ${packets.sent}.`;
}

/** The codec of the first audio stream in the last SDP answer, as `PCMU/8000`. */
export function answeredCodec(messages: readonly TracedMessage[]): string | undefined {
  const answer = messages.findLast(({ status, text }) => status === 200 && text.includes('\nm=audio '))?.text;
  const session = answer === undefined ? undefined : readSession(answer.slice(answer.indexOf('\nv=0') + 1));
  const audio = session?.media.find(({ kind }) => kind === 'audio');
  const payloadType = audio?.formats[0];
  if (audio === undefined || payloadType === undefined) return undefined;
  return encodingIn(audio, payloadType) ?? `payload type ${payloadType}`;
}

/** The text for the terminal. */
export function describeCall(
  result: CallResult,
  tones: { readonly agent: number; readonly own: number },
): string {
  const mark = (good: boolean): string => (good ? 'yes' : 'NO');
  const rows: [string, string][] = [
    ['Codec', result.codec ?? 'none negotiated'],
    ['SRTP suite', result.srtpSuite ?? 'none'],
    [
      'RTP packets',
      `${result.packets.sent} sent, ${result.packets.received} received${arePacketsMissing(result) ? ': TOO FEW' : ''}`,
    ],
    [
      `Agent heard`,
      `${mark(isHeard(result.agentTone))} (${tones.agent} Hz for ${duration(result.agentTone)})`,
    ],
    [`Echo heard`, `${mark(isHeard(result.echo))} (echo of ${tones.own} Hz for ${duration(result.echo)})`],
    ...(result.answers === undefined
      ? []
      : [['Answer', describeAnswers(result.answers)] as [string, string]]),
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

/** What the demo agent plays when a digit asked its knowledge a question. */
export const answerHertz = { found: 880, nothing: 220 } as const;

function describeAnswers({ found, nothing }: NonNullable<CallResult['answers']>): string {
  const heard = [
    ...(isHeard(found) ? [`a passage was found (${answerHertz.found} Hz for ${duration(found)})`] : []),
    ...(isHeard(nothing)
      ? [`no passage was found (${answerHertz.nothing} Hz for ${duration(nothing)})`]
      : []),
  ];
  return heard.length === 0 ? 'none heard' : heard.join(', ');
}

const duration = ({ seconds }: Heard): string => `${seconds.toFixed(1)} s`;

import type { CodecPolicy } from '../../contract/number.js';
import { established } from '../call/established.js';
import { MediaRefused } from '../media/media-refused.js';
import { packetsFrom } from '../media/rtp-statistics.js';
import { MediaUnavailable } from '../media/rtpengine-pool.js';
import type { AgentSide } from '../outbound/agent-side.js';
import type { OutboundCall } from '../outbound/outbound-call.js';
import type { ReceivedResponse } from '../sip/messages.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import { announcement, announcementMilliseconds, announcementTimes } from './announcement.js';
import type { TestCallReport } from './test-call-report.js';

/** Payload types of RFC 3551, and usual dynamic ones for the rest. */
const formats = {
  PCMU: { type: 0, map: 'PCMU/8000' },
  PCMA: { type: 8, map: 'PCMA/8000' },
  G722: { type: 9, map: 'G722/8000' },
  G729: { type: 18, map: 'G729/8000' },
  opus: { type: 96, map: 'opus/48000/2' },
} as const;
const telephoneEvent = { type: 101, map: 'telephone-event/8000' } as const;

/** The last packets are on their way, and phones play them late. */
const tailMilliseconds = 500;

/** Stands in for an agent: it discards the callee's audio, and rtpengine plays an announcement. */
export class AnnouncingAgent implements AgentSide {
  readonly offer: string;

  constructor(
    private readonly call: OutboundCall,
    private readonly report: TestCallReport,
    codecs: CodecPolicy,
  ) {
    this.offer = offerOf(codecs);
  }

  header(): undefined {
    return undefined;
  }

  provisional({ status, reason }: ReceivedResponse): void {
    const detail = `${status} ${cleanPhrase(reason) ?? ''}`.trim();
    if (status === 180) this.report.note('ringing', detail, { status: 'ringing' });
    else this.report.note('progress', detail);
  }

  answered(): void {}

  async join(sdp: string | undefined): Promise<void> {
    const { call, report } = this;
    const sipCallId = call.state.trunkSipCallId;
    report.note('answered', '200 OK', { status: 'in-progress', sip_call_id: sipCallId });
    if (sdp === undefined)
      throw new MediaRefused('305 demarc "No answer"', 'The trunk answered 200 without SDP.');
    await call.media!.answer(sdp);
    if (call.hasEnded) return;
    call.describeSide('trunk', { remote: sdp });
    established(call);
    await this.play();
  }

  private async play(): Promise<void> {
    const { call, report } = this;
    const { trunkCodec, suite } = call.media!.summary ?? {};
    try {
      await call.media!.audio.announce(announcement(), announcementTimes);
    } catch (error) {
      if (!(error instanceof MediaUnavailable)) throw error;
      report.note('announcement_failed', error.message);
      throw error;
    }
    const seconds = announcementMilliseconds / 1_000;
    report.note(
      'announcement',
      `A chime is played for ${seconds} s: ${trunkCodec ?? 'unknown codec'}, ${suite === null ? 'RTP without encryption' : `SRTP ${suite}`}`,
    );
    setTimeout(() => void this.finish(), announcementMilliseconds + tailMilliseconds).unref();
  }

  private async finish(): Promise<void> {
    const { call } = this;
    const reply = await call.media?.query().catch(() => undefined);
    if (call.hasEnded) return;
    const packets = reply === undefined ? undefined : packetsFrom(reply, 'trunk');
    this.report.note('media', heardText(packets));
    call.end({ reason: 'test_completed', by: 'edge' }, { reason: sipReason(200, 'Test call completed') });
  }
}

function heardText(packets: number | undefined): string {
  if (packets === undefined) return 'The media node did not report whether the trunk sent audio';
  if (packets === 0) {
    return 'The trunk sent no audio: open the RTP ports in the firewall and check NAT, unless the phone sends nothing while listening';
  }
  return `The trunk sent ${packets} packets of audio`;
}

/** The offer of an agent with every enabled codec; the address is unassigned, since nothing is sent there. */
function offerOf({ order }: CodecPolicy): string {
  const all = [...order.map((codec) => formats[codec]), telephoneEvent];
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio 9 RTP/AVP ${all.map(({ type }) => type).join(' ')}`,
    ...all.map(({ type, map }) => `a=rtpmap:${type} ${map}`),
    `a=fmtp:${telephoneEvent.type} 0-15`,
    'a=sendrecv',
  ];
  return `${lines.join('\r\n')}\r\n`;
}

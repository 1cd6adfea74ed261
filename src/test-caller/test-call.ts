import {
  type FromTestCaller,
  noPackets,
  type ToTestCaller,
  type VoiceCallEnd,
  type VoiceCallReport,
} from '../contract/voice-call.js';
import { openSocketPair, type SocketPair } from '../rtp/socket-pair.js';
import { formatHostPort } from '../sip/uri.js';
import { CallerAudio } from './caller-audio.js';
import { type AgreedAudio, answerTo, offer, readAnswer } from './description.js';
import { InviteDialog } from './invite-dialog.js';
import { CallerLine } from './line-conditions.js';

export type CallOrder = Extract<ToTestCaller, { type: 'call' }>;
export type SayOrder = Extract<ToTestCaller, { type: 'say' }>;

export interface TestCallDeps {
  readonly report: (message: FromTestCaller) => void;
  /** Called once the call has ended and its report is out. */
  readonly ended: () => void;
}

/** One call of the tester: INVITE to the edge, audio both ways, BYE. */
export class TestCall {
  private audio: CallerAudio | undefined;
  private dialog: InviteDialog | undefined;
  private answeredAt: string | null = null;
  private agreed: AgreedAudio | undefined;
  private version = 1;
  private status: Pick<VoiceCallReport, 'sip_status' | 'sip_reason' | 'edge_refusal'> = {
    sip_status: null,
    sip_reason: null,
    edge_refusal: null,
  };
  private deadline: NodeJS.Timeout | undefined;
  private isOver = false;
  /** Lines that came before the sockets were open. */
  private readonly early: SayOrder[] = [];

  constructor(
    private readonly order: CallOrder,
    private readonly deps: TestCallDeps,
  ) {}

  async begin(): Promise<void> {
    const { order } = this;
    this.deadline = setTimeout(() => this.giveUp(), order.answerMilliseconds);
    try {
      const dialog = await this.connect();
      const sockets = await openSocketPair(dialog.localAddress);
      this.dialog = dialog;
      this.audio = this.audioOn(sockets);
      for (const line of this.early.splice(0)) this.say(line);
      if (this.isOver) this.audio.close();
      else dialog.invite(offer(this.local));
    } catch (error) {
      const { host, port, protocol } = order.target;
      const edge = `${protocol} ${formatHostPort(host, port)}`;
      this.finish('failed', `The edge cannot be reached at ${edge}: ${(error as Error).message}.`);
    }
  }

  private connect(): Promise<InviteDialog> {
    const { target, number, uriParameters, callerNumber, sipCallId, headers } = this.order;
    return InviteDialog.open(
      {
        target,
        number,
        uriParameters,
        headers,
        callId: sipCallId,
        from: (address) =>
          callerNumber === null
            ? 'sip:anonymous@anonymous.invalid'
            : `sip:+${callerNumber}@${formatHostPort(address)}`,
      },
      {
        answered: (sdp) => this.answered(sdp),
        refused: (status, reason, { text, byEdge = null }) => {
          this.status = { sip_status: status, sip_reason: reason, edge_refusal: byEdge };
          this.finish('refused', `${status} ${reason}${text === undefined ? '' : ` (${text})`}`);
        },
        ended: (reason) => this.finish(isFault(reason) ? 'failed' : 'agent', reason ?? null),
        modify: (sdp) => this.modify(sdp),
        failed: (why) => this.finish('failed', `The connection to the edge was lost: ${why}.`),
      },
    );
  }

  private audioOn(sockets: SocketPair): CallerAudio {
    const { id, endOfTurnMilliseconds, isRecorded, conditions } = this.order;
    const { report } = this.deps;
    return new CallerAudio(
      sockets,
      endOfTurnMilliseconds,
      {
        began: (at) => report({ type: 'began', id, at }),
        turn: ({ from, to, samples }) =>
          report({ type: 'turn', id, stretch: { from, to }, audio: octetsOf(samples) }),
        said: (line) => report({ type: 'said', id, line }),
        recorded: isRecorded ? (octets) => report({ type: 'recorded', id, octets }) : undefined,
      },
      conditions && new CallerLine(conditions),
    );
  }

  say(order: SayOrder): void {
    const { line, audio, bargeInMilliseconds } = order;
    if (this.isOver) return;
    if (this.audio === undefined) {
      this.early.push(order);
      return;
    }
    if (this.audio.say(line, samplesOf(audio), bargeInMilliseconds)) return;
    // A silent line is said at once.
    const at = Math.round(this.audio.now);
    this.deps.report({ type: 'said', id: this.order.id, line: { line, from: at, to: at, isCut: false } });
  }

  press(line: number, digits: string): void {
    if (this.isOver || this.audio?.press(line, digits) === true) return;
    this.hangUp(
      'failed',
      'The edge answered without telephone-event (RFC 4733), so that no key can be pressed.',
    );
  }

  /** Holds the call as a telephone does (RFC 3264 §8.4), or resumes it. */
  async hold(isHeld: boolean): Promise<void> {
    const { dialog } = this;
    if (this.isOver || dialog === undefined) return;
    this.version++;
    const answer = await dialog.reinvite(offer(this.local, isHeld ? 'sendonly' : 'sendrecv'));
    if (this.isOver) return;
    const agreed = typeof answer === 'string' ? readAnswer(answer) : undefined;
    if (agreed === undefined) {
      const why =
        typeof answer === 'string' ? 'with a description that is not usable' : String(answer.status);
      this.hangUp(
        'failed',
        `The edge answered ${why} when the caller ${isHeld ? 'held' : 'resumed'} the call.`,
      );
      return;
    }
    this.agreed = agreed;
    this.audio?.agree(agreed);
    this.deps.report({ type: 'held', id: this.order.id, isHeld });
  }

  hangUp(by: VoiceCallEnd = 'caller', detail: string | null = null): void {
    if (this.isOver) return;
    this.finish(by, detail);
    this.dialog?.hangUp();
  }

  private answered(sdp: string): void {
    this.status = { sip_status: 200, sip_reason: 'OK', edge_refusal: null };
    this.agreed = readAnswer(sdp);
    if (this.agreed === undefined || this.audio === undefined) {
      this.hangUp('failed', 'The edge answered with a description that is not G.711 over SRTP.');
      return;
    }
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => this.hangUp('limit'), this.order.maximumMilliseconds);
    this.answeredAt = new Date().toISOString();
    this.audio.agree(this.agreed);
    this.deps.report({ type: 'answered', id: this.order.id });
    this.audio.answered();
  }

  private giveUp(): void {
    const seconds = this.order.answerMilliseconds / 1_000;
    this.hangUp('no_answer', `The agent did not answer within ${seconds} s.`);
  }

  /** Another address, or hold; without a description, the peer asks for our offer. */
  private modify(sdp: string | undefined): string | undefined {
    if (sdp === undefined) return offer(this.local);
    const agreed = readAnswer(sdp);
    if (agreed === undefined || agreed.codec !== this.agreed?.codec) return undefined;
    this.agreed = agreed;
    this.audio?.agree(agreed);
    this.version++;
    return answerTo(this.local, agreed);
  }

  private get local() {
    const { audio, dialog, version } = this;
    return { address: dialog!.localAddress, port: audio!.port, master: audio!.master, version };
  }

  private finish(by: VoiceCallEnd, detail: string | null): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.deadline);
    const { audio, order, deps } = this;
    const duration = Math.round(audio?.now ?? 0);
    audio?.close();
    const report: VoiceCallReport = {
      ended_by: by,
      detail,
      sip_call_id: order.sipCallId,
      ...this.status,
      answered_at: this.answeredAt,
      duration_ms: duration,
      codec: this.agreed?.codec ?? null,
      caller: audio?.lines ?? [],
      agent: audio?.speech ?? [],
      turns: audio?.turns ?? [],
      recording_delays: audio?.delays ?? [],
      packets: audio?.packets ?? noPackets,
    };
    deps.report({ type: 'ended', id: order.id, report });
    deps.ended();
  }
}

/** The edge itself ends a call when it loses the agent, media or its engine, and says so. */
const isFault = (reason: string | undefined): boolean =>
  /^SIP\s*;\s*cause=(40[38]|410|48[018]|5\d\d)\b/i.test(reason ?? '');

const octetsOf = (samples: Int16Array): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);

/** Copies: the octets may begin at an odd address. */
function samplesOf(octets: Uint8Array): Int16Array {
  const copy = Uint8Array.from(octets.subarray(0, octets.length & ~1));
  return new Int16Array(copy.buffer);
}

import { EventEmitter } from 'node:events';
import {
  type FromTestCaller,
  noPackets,
  type SpeechStretch,
  type SpokenLine,
  type ToTestCaller,
  type VoiceCallReport,
} from '../../../contract/voice-call.js';
import { timedRecording } from './timed-recording.js';

export type VoiceCallOrder = Omit<Extract<ToTestCaller, { type: 'call' }>, 'type'>;

interface VoiceCallEvents {
  answered: [];
  /** The agent begins to speak. */
  began: [at: number];
  /** The agent's turn is over; 16-bit samples at 8000 Hz. The report has its final stretch by its number. */
  turn: [stretch: SpeechStretch, samples: Int16Array, number: number];
  said: [line: SpokenLine];
  held: [isHeld: boolean];
  /** Once, and last. */
  ended: [report: VoiceCallReport];
}

/** One call of the test caller, as control sees it. Times are milliseconds since the answer. */
export class VoiceCall extends EventEmitter<VoiceCallEvents> {
  private lines = 0;
  private turns = 0;
  private finalReport: VoiceCallReport | undefined;
  private isAnswered = false;
  private readonly recorded: Uint8Array[] = [];

  constructor(
    private readonly order: VoiceCallOrder,
    private readonly send: (message: ToTestCaller) => void,
  ) {
    super();
  }

  /** Undefined: the call has not ended. */
  get report(): VoiceCallReport | undefined {
    return this.finalReport;
  }

  /** After the end: both sides since the answer, interleaved G.711 μ-law; empty: not recorded. */
  get recording(): Buffer {
    return timedRecording(Buffer.concat(this.recorded), this.finalReport?.recording_delays ?? []);
  }

  get hasBeenAnswered(): boolean {
    return this.isAnswered;
  }

  /**
   * Queues speech after the speech queued before.
   * @param bargeInMilliseconds interrupts the agent's next speech so long after its beginning; null: at once
   * @returns number of the line
   */
  say(samples: Int16Array, bargeInMilliseconds: number | null = null): number {
    const line = this.lines++;
    const audio = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    this.send({ type: 'say', id: this.order.id, line, audio, bargeInMilliseconds });
    return line;
  }

  /** Presses keys. @returns number of the line */
  press(digits: string): number {
    const line = this.lines++;
    this.send({ type: 'press', id: this.order.id, line, digits });
    return line;
  }

  /** Holds the call or resumes it; `held` follows. */
  hold(isHeld: boolean): void {
    this.send({ type: 'hold', id: this.order.id, isHeld });
  }

  hangUp(): void {
    this.send({ type: 'hangUp', id: this.order.id });
  }

  received(message: Exclude<FromTestCaller, { type: 'ready' }>): void {
    if (this.finalReport !== undefined) return;
    if (message.type === 'answered') {
      this.isAnswered = true;
      this.emit('answered');
    } else if (message.type === 'began') this.emit('began', message.at);
    else if (message.type === 'said') this.emit('said', message.line);
    else if (message.type === 'held') this.emit('held', message.isHeld);
    else if (message.type === 'recorded') this.recorded.push(message.octets);
    else if (message.type === 'turn')
      this.emit('turn', message.stretch, samplesOf(message.audio), this.turns++);
    else this.end(message.report);
  }

  /** The process that had it is gone. */
  lost(detail: string): void {
    if (this.finalReport !== undefined) return;
    this.end({
      ended_by: 'failed',
      detail,
      sip_call_id: this.order.sipCallId,
      sip_status: null,
      sip_reason: null,
      edge_refusal: null,
      answered_at: null,
      duration_ms: 0,
      codec: null,
      caller: [],
      agent: [],
      turns: [],
      recording_delays: [],
      packets: noPackets,
    });
  }

  private end(report: VoiceCallReport): void {
    this.finalReport = report;
    this.emit('ended', report);
  }
}

/** Copies: the octets may begin at an odd address. */
function samplesOf(octets: Uint8Array): Int16Array {
  const copy = Uint8Array.from(octets.subarray(0, octets.length & ~1));
  return new Int16Array(copy.buffer);
}

import { mostListedReplies, type Turns } from '../../contract/turns.js';
import type { G711 } from '../../rtp/g711.js';
import { HeardAudio } from '../../rtp/heard-audio.js';
import type { RtpPacket } from '../../rtp/packet.js';
import type { MediaSide } from '../media/rtp-statistics.js';

/** Speech of one side begins or ends. Milliseconds on the clock of the packets' arrivals. */
interface SpeechEdge {
  readonly side: MediaSide;
  readonly kind: 'began' | 'ended';
  readonly at: number;
}

/** The end of speech is certain this long after it: 200 ms of silence, 60 ms for late packets, and the rounds of the meter. */
const certainMilliseconds = 700;
/** A later sound of the agent answers nothing any more. */
const longestDelayMilliseconds = 60_000;
/** Delays that the percentiles are made of. */
const mostDelays = 1_000;

/**
 * Measures how soon the agent replies to the caller, from the audio of both sides: speech is energy over an adapting noise floor, in
 * frames of 20 ms. A reply is the agent's first audio after the caller has stopped and before the caller speaks again. No
 * audio is kept.
 */
export class TurnMeter {
  private heard: Readonly<Record<MediaSide, HeardAudio>> | undefined;
  /** Not judged yet. */
  private edges: SpeechEdge[] = [];
  private speaks: Record<MediaSide, boolean> = { trunk: false, agent: false };
  /** When the caller stopped, until either side speaks. */
  private stoppedAt: number | undefined;
  private readonly delays: number[] = [];
  private replies: (readonly [at: number, delay: number])[] = [];
  private count = 0;
  private worst = 0;
  private interruptions = 0;

  /**
   * @param beganAt monotonic milliseconds, which times here are relative to
   * @param offsetSeconds from the call's begin to `beganAt`
   */
  constructor(
    private readonly beganAt: number,
    private readonly offsetSeconds: number,
  ) {}

  /** Audio arrives from now on. @param now monotonic milliseconds */
  listen(codecs: Readonly<Record<MediaSide, G711>>, now: number): void {
    const hearing = (side: MediaSide): HeardAudio =>
      new HeardAudio(
        codecs[side],
        now - this.beganAt,
        { endOfTurnMilliseconds: 0, isRecorded: false },
        {
          began: (at) => this.edges.push({ side, kind: 'began', at }),
          turn: ({ to }) => this.edges.push({ side, kind: 'ended', at: to }),
        },
      );
    this.heard = { trunk: hearing('trunk'), agent: hearing('agent') };
    this.speaks = { trunk: false, agent: false };
    this.interrupt();
  }

  /** @param at monotonic milliseconds of the arrival */
  packet(side: MediaSide, packet: RtpPacket, at: number): void {
    this.heard?.[side].packet(packet, at - this.beganAt);
  }

  /** Judges what is certain by now. @param now monotonic milliseconds */
  advance(now: number): void {
    const at = now - this.beganAt;
    this.heard?.trunk.advance(at);
    this.heard?.agent.advance(at);
    this.judge(at - certainMilliseconds);
  }

  /** Nothing more arrives: judges all that was heard. */
  finish(now: number): void {
    const at = now - this.beganAt;
    this.heard?.trunk.finish(at);
    this.heard?.agent.finish(at);
    this.judge(Number.POSITIVE_INFINITY);
    this.heard = undefined;
  }

  /** What happens next follows from nothing heard before: the parties were separated, or packets were missed. */
  interrupt(): void {
    this.edges = [];
    this.stoppedAt = undefined;
  }

  /** Undefined: no reply was heard. @param measuredSeconds in all */
  summary(measuredSeconds: number): Turns | undefined {
    if (this.count === 0) return undefined;
    const sorted = this.delays.toSorted((first, second) => first - second);
    return {
      count: this.count,
      p50_milliseconds: percentile(sorted, 0.5),
      p95_milliseconds: percentile(sorted, 0.95),
      worst_milliseconds: this.worst,
      interruptions: this.interruptions,
      measured_seconds: Math.round(measuredSeconds),
      replies: this.replies.map(([at, delay]) => [at, delay]),
    };
  }

  private judge(until: number): void {
    const due = this.edges.filter(({ at }) => at <= until).sort((first, second) => first.at - second.at);
    if (due.length === 0) return;
    this.edges = this.edges.filter(({ at }) => at > until);
    for (const edge of due) this.happened(edge);
  }

  private happened({ side, kind, at }: SpeechEdge): void {
    this.speaks[side] = kind === 'began';
    if (side === 'trunk') this.stoppedAt = kind === 'ended' && !this.speaks.agent ? at : undefined;
    else if (kind === 'began') {
      if (this.speaks.trunk) this.interruptions++;
      else if (this.stoppedAt !== undefined) this.replied(at, at - this.stoppedAt);
      this.stoppedAt = undefined;
    }
  }

  private replied(at: number, milliseconds: number): void {
    const delay = Math.max(0, Math.round(milliseconds));
    if (delay > longestDelayMilliseconds) return;
    this.count++;
    this.worst = Math.max(this.worst, delay);
    this.delays.push(delay);
    if (this.delays.length > mostDelays) this.delays.shift();
    this.replies.push([Math.round(this.offsetSeconds + at / 1_000), delay]);
    if (this.replies.length > mostListedReplies) this.replies = slowerOfTwo(this.replies);
  }
}

function slowerOfTwo(replies: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const kept: (readonly [number, number])[] = [];
  for (let index = 0; index < replies.length; index += 2) {
    const [current, next] = [replies[index]!, replies[index + 1]];
    kept.push(next === undefined || current[1] >= next[1] ? current : next);
  }
  return kept;
}

/** The nearest rank. */
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;

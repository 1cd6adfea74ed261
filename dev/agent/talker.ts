import type { G711 } from '../../src/rtp/g711.js';
import { HeardAudio, stallMilliseconds } from '../../src/rtp/heard-audio.js';
import type { RtpPacket } from '../../src/rtp/packet.js';
import { decodeTones, encodeTones } from '../../src/rtp/tone-code.js';
import { SpokenAudio } from '../../src/test-caller/spoken-audio.js';

/** How an agent that talks behaves. */
export interface Talk {
  /** From the end of the caller's words to the answer, and from the caller's first packet to the greeting. */
  readonly replyMilliseconds: number;
  /** `yields`: silent soon after the caller begins; `insists`: talks on; `interrupts`: begins while the caller speaks. */
  readonly manners: 'yields' | 'insists' | 'interrupts';
}

/** What it says when the call is answered; long enough to be interrupted. */
const greeting = 'HELLO THERE';
/** Without a packet of the caller it does not wait longer with that: on a busy machine the answer takes this long to the caller. */
const longestWayMilliseconds = 3_000;
const yieldMilliseconds = 200;
const interruptMilliseconds = 400;
/** The caller's turn is over after this silence at least; a reply can't be sooner. */
const leastEndOfTurnMilliseconds = 200;
/** Until the end of a turn is known, beyond its silence. */
const judgementMilliseconds = 100;

/** The reply to what the caller said. */
export interface Reply {
  readonly words: string;
  /** The agent hangs up when it has said it. */
  readonly isLast: boolean;
}

function replyTo(words: string | undefined): Reply {
  if (words === undefined) return { words: 'PARDON', isLast: false };
  if (/\bBYE\b/i.test(words)) return { words: 'BYE', isLast: true };
  return { words: /HOURS/i.test(words) ? 'NINE TO FIVE' : 'OK', isLast: false };
}

/** An agent that speaks and understands the tone code: it greets, and answers each turn of the caller. */
export class Talker {
  private readonly heard: HeardAudio;
  private readonly spoken: SpokenAudio;
  private lines = 0;
  private lastLine: number | undefined;
  private isCallerSpeaking = false;
  private isCallerHeard = false;
  /** By frame and not by timer, so that a busy machine delays no reply. */
  private due: { readonly at: number; readonly act: () => unknown }[] = [];

  constructor(
    codec: G711,
    private readonly talk: Talk,
    /** Of the first frame, monotonic milliseconds. */
    private readonly begin: number,
    private readonly hangUp: () => void,
  ) {
    this.spoken = new SpokenAudio(({ line }) => {
      // The session closes its sockets, which the present packet still needs.
      if (line === this.lastLine) setImmediate(this.hangUp);
    });
    this.heard = new HeardAudio(
      codec,
      0,
      {
        // As long as the reply allows: a stall of the caller or of the network within a line must not end it.
        endOfTurnMilliseconds: Math.max(
          leastEndOfTurnMilliseconds,
          talk.replyMilliseconds - judgementMilliseconds,
        ),
        stallMilliseconds,
      },
      {
        began: (at) => this.callerBegan(at),
        turn: ({ to, samples }) => this.callerSaid(to, samples),
      },
    );
    this.greetAfter(longestWayMilliseconds);
  }

  packet(packet: RtpPacket): void {
    const { now } = this;
    // The caller has the answer, and with it the key of what we say.
    if (!this.isCallerHeard) this.greetAfter(now);
    this.isCallerHeard = true;
    this.heard.packet(packet, now);
  }

  /** @param at milliseconds since the first frame */
  private greetAfter(at: number): void {
    this.at(at + this.talk.replyMilliseconds, () => {
      if (this.lines === 0) this.say(greeting);
    });
  }

  /** Judges what was heard. @param readUntil monotonic milliseconds: packets that arrived before are read */
  advance(readUntil: number): void {
    this.heard.advance(readUntil - this.begin);
  }

  /** @param at milliseconds since the first frame */
  frame(at: number): Int16Array {
    const due = this.due.filter((speech) => speech.at <= at);
    this.due = this.due.filter((speech) => speech.at > at);
    for (const { act } of due) act();
    return this.spoken.frame(at);
  }

  private get now(): number {
    return performance.now() - this.begin;
  }

  private callerBegan(at: number): void {
    this.isCallerSpeaking = true;
    const { manners } = this.talk;
    if (manners === 'yields') this.at(at + yieldMilliseconds, () => this.spoken.stop(this.now));
    else if (manners === 'interrupts') {
      this.at(at + interruptMilliseconds, () => {
        if (this.isCallerSpeaking) this.say('WAIT');
      });
    }
  }

  private callerSaid(to: number, samples: Int16Array): void {
    this.isCallerSpeaking = false;
    const { words, isLast } = replyTo(decodeTones(samples));
    this.at(to + this.talk.replyMilliseconds, () => {
      const line = this.say(words);
      if (isLast) this.lastLine = line;
    });
  }

  private say(words: string): number {
    this.spoken.say(++this.lines, encodeTones(words), null);
    return this.lines;
  }

  private at(moment: number, act: () => unknown): void {
    this.due.push({ at: moment, act });
  }
}

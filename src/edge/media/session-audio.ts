import type { Anchor } from './anchor.js';
import { holdMusic } from './hold-music.js';
import { type MediaSide, otherSide } from './rtp-statistics.js';
import { MediaUnavailable } from './rtpengine-pool.js';
import { SessionStateError } from './session-phase.js';
import { waveFile } from './wave-file.js';

/**
 * Whether the two parties hear each other.
 * - `none`: they do
 * - `music`: the trunk hears music on hold, the agent silence
 * - `silence`: both hear silence
 */
export type HoldState = 'none' | 'music' | 'silence';

/** From which states a session may enter each: one hold ends before another begins, since each has its own commands to undo. */
export const holdPredecessors: Readonly<Record<HoldState, readonly HoldState[]>> = {
  none: ['music', 'silence'],
  music: ['none'],
  silence: ['none'],
};

/** Who gets the copy of a call's audio: the same for every call and process, so that a successor of this process takes it over. */
export const copyTag = 'turns';
/** Digits that follow each other within this time are one sequence. */
const betweenDigitsMilliseconds = 5_000;
/** Five packets of most codecs. */
const momentOfSilence = waveFile([], 0.1);
/** Longer than any call lasts. */
const holdRepetitions = 100_000;

/** What the parties of a session hear of each other: hold, announcements, and digits. */
export class SessionAudio {
  /** When the last digit was played, in monotonic milliseconds. */
  private digitAt = Number.NEGATIVE_INFINITY;
  private isAgentSilent = false;
  private announcement: { readonly wav: Buffer; readonly times: number } | undefined;

  /**
   * @param allowInjection lets rtpengine insert digits into the streams; throws `MediaUnavailable` when nothing was agreed
   * @param held of another process's session
   */
  constructor(
    private readonly anchor: Pick<Anchor, 'command' | 'demand'>,
    private readonly allowInjection: () => Promise<void>,
    private held: HoldState = 'none',
  ) {}

  get holdState(): HoldState {
    return this.held;
  }

  /** True while the two parties do not hear each other. */
  get isOnHold(): boolean {
    return this.held !== 'none';
  }

  /** A digit was played a short time ago, so others may follow. */
  get hasRecentDigits(): boolean {
    return performance.now() - this.digitAt < betweenDigitsMilliseconds;
  }

  /** Restores hold music, mute and announcement (from its beginning) of the session before. */
  async continueFrom(before: SessionAudio): Promise<void> {
    if (before.isAgentSilent) await this.silenceAgent(true);
    if (before.announcement !== undefined)
      await this.announce(before.announcement.wav, before.announcement.times);
    if (before.isOnHold) await this.hold(before.held === 'music' ? holdMusic() : undefined);
  }

  // Hold

  /**
   * Separates the two parties: the agent hears silence, the trunk the music in a loop, or silence as well. RTP keeps flowing
   * to both, so that neither considers the call dead. Throws `MediaUnavailable` when rtpengine cannot.
   */
  async hold(music: Buffer | undefined): Promise<void> {
    this.become(music === undefined ? 'silence' : 'music');
    await this.demand('silence media', 'trunk');
    if (music === undefined) await this.demand('silence media', 'agent');
    else {
      await this.demand('block media', 'agent');
      await this.anchor.demand('play media', { 'from-tag': 'trunk', 'repeat-times': holdRepetitions }, music);
    }
  }

  /** Ends `hold`. Throws `MediaUnavailable` when rtpengine cannot; the session is still on hold then. */
  async resume(): Promise<void> {
    if (this.held === 'music') {
      await this.demand('stop media', 'trunk');
      await this.demand('unblock media', 'agent');
    } else await this.demand('unsilence media', 'agent');
    await this.demand('unsilence media', 'trunk');
    this.become('none');
  }

  /** Whether what the agent says is kept from the trunk, beside hold. Throws `MediaUnavailable` when rtpengine cannot. */
  async blockAgent(isBlocked: boolean): Promise<void> {
    // `resume` ends that of the music.
    if (this.held === 'music' && !isBlocked) return;
    await this.demand(isBlocked ? 'block media' : 'unblock media', 'agent');
  }

  /**
   * Whether the agent gets no packets at all of this session, because it has another one's address: on hold it would get silence.
   * Throws `MediaUnavailable` when rtpengine cannot.
   */
  async blockTrunk(isBlocked: boolean): Promise<void> {
    await this.demand(isBlocked ? 'block media' : 'unblock media', 'trunk');
  }

  // Silence and announcements

  /** Whether the trunk hears silence instead of the agent; digits stay audible. */
  async silenceAgent(isSilent: boolean): Promise<void> {
    this.isAgentSilent = isSilent;
    await this.anchor.command(isSilent ? 'silence media' : 'unsilence media', { 'from-tag': 'agent' });
  }

  /**
   * Plays a WAV file to the trunk; audio from the trunk is discarded from now on. Throws `MediaUnavailable` when rtpengine
   * cannot: it is down, or has no encoder for the codec.
   * @returns duration in milliseconds
   */
  async announce(wav: Buffer, times: number): Promise<number> {
    this.announcement = { wav, times };
    await this.anchor.command('block media', { 'from-tag': 'trunk' });
    const reply = await this.anchor.demand('play media', { 'from-tag': 'trunk', 'repeat-times': times }, wav);
    return (reply.duration ?? 0) * times;
  }

  /**
   * A moment of silence for one side, so that it learns the source of its media. Throws `MediaUnavailable` when rtpengine
   * cannot.
   */
  async playSilence(to: MediaSide): Promise<void> {
    await this.anchor.demand('play media', { 'from-tag': to }, momentOfSilence);
  }

  // Digits

  /**
   * A digit for one side as if the other had pressed it: as telephone events where they were agreed, as tones otherwise.
   * False: the other side has no stream yet to insert it into.
   */
  async playDigit(to: MediaSide, digit: string, milliseconds: number, pause = 0): Promise<boolean> {
    const isFirst = !this.hasRecentDigits;
    this.digitAt = performance.now();
    // rtpengine 10.5 plays no digit into a stream that it also copies; an edge that was killed may have left a copy.
    if (isFirst) await this.endCopies();
    await this.allowInjection();
    const parameters = { code: digit, duration: milliseconds, pause };
    const reply = await this.anchor.command('play DTMF', { 'from-tag': otherSide(to), ...parameters });
    if (reply.result === 'ok') return true;
    if (/no ssrc|rtp stream/i.test(reply['error-reason'] ?? '')) return false;
    throw new MediaUnavailable(`rtpengine plays no digits: ${reply['error-reason'] ?? reply.result}`);
  }

  /** Ends the copy of the audio. Never rejects: the session may be over, its node down, or nothing copied. */
  async endCopies(): Promise<void> {
    await this.anchor.command('unsubscribe', { 'to-tag': copyTag }).catch(() => undefined);
  }

  private async demand(
    command: 'silence media' | 'unsilence media' | 'block media' | 'unblock media' | 'stop media',
    side: MediaSide,
  ): Promise<void> {
    await this.anchor.demand(command, { 'from-tag': side });
  }

  private become(state: HoldState): void {
    if (!holdPredecessors[state].includes(this.held)) throw new SessionStateError('audio', this.held, state);
    this.held = state;
  }
}

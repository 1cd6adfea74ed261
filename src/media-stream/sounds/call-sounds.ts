import type { G711 } from '../../rtp/g711.js';
import type { PlayedMark } from '../audio/playout-queue.js';
import { decodeSound } from './decode-sound.js';
import { type FetchSound, SoundFailure, type SoundFile } from './fetch-sound.js';

/** What a call does with sounds. */
export interface SoundOutput {
  readonly codec: G711;
  readonly maximumMilliseconds: number;
  /** Queues it; the number comes back with the mark when it was played or discarded. False: it does not fit. */
  queue(octets: Uint8Array, sound: number): boolean;
  notice(event: string, fields: Readonly<Record<string, string | number | boolean>>): void;
}

/** A bot that orders more at a time waits for none of them. */
const maximumPending = 4;

interface Ordered {
  readonly url: string;
  /** The bot's own; undefined: it gave none. */
  readonly id: string | undefined;
}

/** The files that a bot has its caller hear. Each order is answered once: `played`, or `play_failed` with the reason. */
export class CallSounds {
  private loading = 0;
  private last = 0;
  private readonly queued = new Map<number, Ordered>();

  constructor(
    private readonly fetchSound: FetchSound,
    private readonly output: () => SoundOutput | undefined,
  ) {}

  /** As a bot orders it. Never rejects. */
  async play(ordered: Ordered): Promise<void> {
    try {
      this.queue(await this.fetch(ordered.url), ordered);
    } catch (error) {
      const reason = error instanceof SoundFailure ? error.message : 'the file could not be decoded';
      this.output()?.notice('play_failed', { ...namesOf(ordered), reason });
    }
  }

  /** G.711 of a URL, for a bot or the API. Rejects with `SoundFailure`. */
  async fetch(url: string): Promise<Buffer> {
    if (this.loading + this.queued.size >= maximumPending)
      throw new SoundFailure(`${maximumPending} files are being loaded or played`);
    this.loading++;
    try {
      return await this.load(await this.fetchSound(url));
    } finally {
      this.loading--;
    }
  }

  /** G.711 of a file. Rejects with `SoundFailure`. */
  async load(file: SoundFile): Promise<Buffer> {
    const output = this.output();
    if (output === undefined) throw new SoundFailure('the call is not answered');
    return decodeSound(file, output.codec, output.maximumMilliseconds);
  }

  /** @param ordered undefined: its end is of no interest. Throws `SoundFailure`. */
  queue(octets: Buffer, ordered?: Ordered): void {
    const output = this.output();
    if (output === undefined) throw new SoundFailure('the call is not answered');
    if (octets.length === 0) throw new SoundFailure('the file has no audio');
    const sound = ++this.last;
    if (ordered !== undefined) this.queued.set(sound, ordered);
    if (output.queue(octets, sound)) return;
    this.queued.delete(sound);
    throw new SoundFailure('too much audio is queued');
  }

  /** The caller has heard a sound to its end, or never will. */
  reached(sound: number, { isPlayed, playedMilliseconds }: PlayedMark): void {
    const ordered = this.queued.get(sound);
    if (ordered === undefined) return;
    this.queued.delete(sound);
    const fields = { ...namesOf(ordered), played: isPlayed, played_ms: Math.round(playedMilliseconds) };
    this.output()?.notice('played', fields);
  }
}

const namesOf = ({ id, url }: Ordered): Record<string, string> => ({
  ...(id === undefined ? {} : { id }),
  url,
});

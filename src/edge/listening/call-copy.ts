import type { Logger } from '../../base/log.js';
import type { MediaSession } from '../media/media-session.js';
import { MediaTap, streamsOf } from '../media/media-tap.js';
import { failureText } from '../sip/messages.js';
import { framesAtOnce, StereoFrames, silentFrames } from './stereo-frames.js';

/** A call that people can listen to. */
export interface ListenedCall {
  readonly hasEnded: boolean;
  readonly media: MediaSession | undefined;
}

/** So often a copy that failed is asked for again. */
const retryMilliseconds = 1_000;

/**
 * The audio of one call for those who listen. rtpengine copies it, so the call itself does not change. While it can give no copy, as
 * during digits and after a move of the media, there is silence.
 */
export class CallCopy {
  private tap:
    | { readonly streams: string; readonly copy: MediaTap; readonly frames: StereoFrames }
    | undefined;
  private changing: Promise<void> | undefined;
  private triedAt = Number.NEGATIVE_INFINITY;
  private isClosed = false;
  private silent = 0;

  constructor(
    private readonly call: ListenedCall,
    private readonly log: Logger,
  ) {}

  /** Resolves when the copy is open, or cannot be had for the moment. Rejects where rtpengine refuses it. */
  async open(): Promise<void> {
    const media = tappableMedia(this.call);
    if (media !== undefined) await this.openFrom(media);
  }

  /** 20 ms later. Returns the audio of the last frames when it is due. @param now monotonic milliseconds */
  take(now: number): Buffer | undefined {
    this.follow(now);
    if (this.tap !== undefined) {
      this.silent = 0;
      return this.tap.frames.take(now);
    }
    this.silent = (this.silent + 1) % framesAtOnce;
    return this.silent === 0 ? silentFrames() : undefined;
  }

  /** Resolves when rtpengine copies nothing to here any more. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.changing;
    await this.leave();
  }

  /** Opens and closes the copy as the call demands. */
  private follow(now: number): void {
    if (this.changing !== undefined || this.isClosed) return;
    const media = tappableMedia(this.call);
    const change =
      this.tap !== undefined && (media === undefined || streamsOf(media) !== this.tap.streams)
        ? this.leave()
        : this.tap === undefined && media !== undefined && now - this.triedAt >= retryMilliseconds
          ? this.openFrom(media)
          : undefined;
    if (change === undefined) return;
    this.changing = change
      .catch((error: unknown) => {
        this.log.debug({ error: failureText(error) }, 'rtpengine gives no copy of the audio.');
      })
      .finally(() => {
        this.changing = undefined;
      });
  }

  private async openFrom(media: MediaSession): Promise<void> {
    this.triedAt = performance.now();
    const address = media.localAddress;
    if (address === undefined) throw new Error('The node of the call is not reachable.');
    const streams = streamsOf(media);
    let frames: StereoFrames | undefined;
    const copy = await MediaTap.open(media, address, {
      packet: (side, packet, at) => frames?.put(side, packet, at),
    });
    frames = new StereoFrames(copy.codecs);
    this.tap = { streams, copy, frames };
  }

  private async leave(): Promise<void> {
    const { tap } = this;
    this.tap = undefined;
    await tap?.copy.close();
  }
}

/** Undefined: nothing of the call can be copied now. rtpengine 10.5 plays no digits into streams that it copies. */
function tappableMedia({ hasEnded, media }: ListenedCall): MediaSession | undefined {
  if (hasEnded || media?.isFlowing !== true || media.audio.hasRecentDigits) return undefined;
  return media;
}

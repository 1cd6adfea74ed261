import { setTimeout as sleep } from 'node:timers/promises';
import type { NgReply } from './ng-client.js';
import { type MediaSide, readStatistics } from './rtp-statistics.js';
import type { SessionAudio } from './session-audio.js';

export interface MovedMedia {
  /** Both sides may send. */
  readonly isFlowing: boolean;
  /** Undefined: the session is over. */
  query(): Promise<NgReply | undefined>;
  readonly audio: Pick<SessionAudio, 'isOnHold' | 'playSilence'>;
}

/** Long enough for ten packets of most codecs. */
const intervalMilliseconds = 200;
/** A party that has sent nothing after this many is silent, or sends only while it speaks. */
const rounds = 8;
const sides = ['trunk', 'agent'] as const;

/**
 * Call this when parties have been moved to another session, which has other ports. A party with symmetric RTP (RFC 4961)
 * sends to the source of the last packet, so a late packet of the previous session draws it back to the old ports. Two such
 * parties would wait for each other, because rtpengine sends only what it receives. A party that sends nothing therefore
 * gets a moment of silence from the new port, a few times at most. Never rejects.
 */
export async function callMovedParties(media: MovedMedia): Promise<void> {
  const waiting = new Set<MediaSide>(sides);
  const packets: Partial<Record<MediaSide, number>> = {};
  for (let round = 0; round < rounds && waiting.size > 0; round++) {
    await sleep(intervalMilliseconds, undefined, { ref: false });
    try {
      const reply = await media.query();
      if (reply === undefined) return;
      const statistics = readStatistics(reply);
      const stuck: MediaSide[] = [];
      for (const side of waiting) {
        // A few may have come before the party was drawn back, so only those of the last interval count.
        const [before, now] = [packets[side], statistics[side]?.packets_received ?? 0];
        packets[side] = now;
        if (before === undefined) continue;
        if (now > before) waiting.delete(side);
        else stuck.push(side);
      }
      // One at a time: the packets of the first move the other, which then needs no silence. Debian's Asterisk, where it converts
      // the codec, drops a stream for as long as its numbers are below those of the source before, such as the silence.
      const called = stuck[round % stuck.length];
      // The music on hold would end.
      if (called !== undefined && media.isFlowing && !media.audio.isOnHold)
        await media.audio.playSilence(called);
    } catch {
      // The node is down; the media watch handles that.
    }
  }
}

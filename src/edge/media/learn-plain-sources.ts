import { setTimeout as sleep } from 'node:timers/promises';
import type { NgReply } from './ng-client.js';
import type { PlainSource } from './plain-source.js';
import type { MediaSide } from './rtp-statistics.js';

/** The parties hear nothing meanwhile: most send from the first moment. */
const askMilliseconds = 100;
/** rtpengine keeps a source after three seconds; a side that is silent so long is taken to send from where it said. */
const boundMilliseconds = 3_000;

/** Addresses of packets that were not allowed, by side. */
export type RefusedSources = Partial<Readonly<Record<MediaSide, string>>>;

interface Learning {
  /** False: the call has ended, or has other descriptions. */
  isWanted(): boolean;
  query(): Promise<NgReply | undefined>;
  /** Gives rtpengine the descriptions again, with the sources that are known and in the sides' own directions. */
  describe(): Promise<void>;
}

/** Waits for the first packets of the sides whose source is being learned. Never rejects. */
export async function learnPlainSources(
  sources: readonly PlainSource[],
  learning: Learning,
): Promise<RefusedSources> {
  const end = performance.now() + boundMilliseconds;
  const refused: { -readonly [Side in MediaSide]?: string } = {};
  const isOpen = ({ isOpen: open }: PlainSource): boolean => open;
  while (sources.some(isOpen)) {
    await sleep(askMilliseconds, undefined, { ref: false });
    if (!learning.isWanted()) break;
    const reply = await learning.query().catch(() => undefined);
    if (!learning.isWanted()) break;
    const isOver = performance.now() >= end;
    const settled = sources.filter(isOpen).filter((source) => {
      const taken = reply?.result === 'ok' ? source.take(reply) : 'silent';
      if (typeof taken === 'object') refused[source.side] = taken.refused;
      else if (taken === 'learned') delete refused[source.side];
      if (isOver && taken !== 'learned') source.giveUp();
      return isOver || taken === 'learned';
    });
    if (settled.length === 0) continue;
    try {
      for (const source of settled) await source.parked(() => learning.describe());
      await learning.describe();
    } catch {
      // The node is down: the media moves, and the next session learns again.
      break;
    }
  }
  return refused;
}

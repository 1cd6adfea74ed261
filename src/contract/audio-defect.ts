import type { EndReason } from './call-record.js';

/** Ends of answered calls in which a side was never heard, or no longer. */
export const badAudioReasons = [
  'one_way_audio',
  'dead_air',
  'media_timeout',
  'agent_lost',
] as const satisfies readonly EndReason[];

const reasons: ReadonlySet<string> = new Set(badAudioReasons);

/** Whether a side of the call was not heard, by its end reason. */
export const hasBadAudio = (reason: string): boolean => reasons.has(reason);

/** The lowest MOS that most users accept (ITU-T G.107 Annex B: R factor 70). */
export const leastMos = 3.6;

/** From here on users notice lost packets (percent) and jitter (milliseconds). */
export const noticedLossPercent = 3;
export const noticedJitterMilliseconds = 30;

import type { EndReason } from './call-record.js';

/** Ends of answered calls in which a side was never heard, or no longer; `media_failed` is one if the call was answered. */
export const badAudioReasons = [
  'one_way_audio',
  'dead_air',
  'media_timeout',
  'agent_lost',
] as const satisfies readonly EndReason[];

/**
 * What an answered call lacked: `one_way`: one side was never heard; `none`: neither was; `lost`: the audio of a side, or the
 * media of both, ended before the call.
 */
export const audioProblems = ['one_way', 'none', 'lost'] as const;
export type AudioProblem = (typeof audioProblems)[number];

const problems: Readonly<Record<(typeof badAudioReasons)[number], AudioProblem>> = {
  one_way_audio: 'one_way',
  dead_air: 'none',
  media_timeout: 'lost',
  agent_lost: 'lost',
};

/** What is known of an ended call. */
interface Ended {
  readonly outcome: string | null;
  readonly end_reason: string | null;
}

/** Null: none is known, or the call was not answered. */
export function audioProblemOf({ outcome, end_reason: reason }: Ended): AudioProblem | null {
  if (reason === 'media_failed') return outcome === 'completed' ? 'lost' : null;
  return (problems as Readonly<Record<string, AudioProblem | undefined>>)[reason ?? ''] ?? null;
}

/** Whether a side of the call was not heard, or not to its end. */
export const hasBadAudio = (call: Ended): boolean => audioProblemOf(call) !== null;

/** The lowest MOS that most users accept (ITU-T G.107 Annex B: R factor 70). */
export const leastMos = 3.6;

/** From here on users notice lost packets (percent) and jitter (milliseconds). */
export const noticedLossPercent = 3;
export const noticedJitterMilliseconds = 30;

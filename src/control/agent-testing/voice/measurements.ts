import type { SpeechStretch, SpokenLine, VoicePackets } from '../../../contract/voice-call.js';
import { percentile } from '../statistics/percentile.js';

/** The two sides of an answered call, each in the order of time. */
export interface Timeline {
  readonly durationMilliseconds: number;
  readonly caller: readonly SpokenLine[];
  readonly agent: readonly SpeechStretch[];
}

export interface BargeIn {
  /** When the caller began to speak while the agent spoke, in milliseconds since the answer. */
  readonly at_ms: number;
  /** Until the agent was silent; null: it did not stop while the caller spoke. */
  readonly stopped_after_ms: number | null;
}

/** Times in milliseconds, shares from 0 to 1. */
export interface VoiceMeasurements {
  /** From the answer to the agent's first audio; null: the agent said nothing. */
  readonly first_audio_ms: number | null;
  /** From the end of the caller's line to the agent's first audio after it. */
  readonly response_ms: {
    readonly count: number;
    readonly p50: number | null;
    readonly max: number | null;
    readonly values: readonly number[];
  };
  /** Lines after which the agent said nothing, and how long the caller waited for it at most. */
  readonly unanswered: { readonly count: number; readonly longest_wait_ms: number };
  /** The agent began to speak while the caller spoke. */
  readonly interruptions: number;
  readonly barge_ins: readonly BargeIn[];
  /** Both spoke. */
  readonly talk_over: { readonly total_ms: number; readonly share: number };
  /** The call waited for the agent: until its first audio, after a line of the caller, and between its words. */
  readonly silence: { readonly longest_ms: number; readonly total_ms: number; readonly share: number };
  readonly packets: VoicePackets;
}

/** A shorter overlap is a coincidence at the border of two turns. */
const leastOverlap = 100;
/** A longer gap between two stretches of the agent is silence and no pause for breath. */
const breath = 1_000;

const overlap = (a: SpeechStretch, b: SpeechStretch): number =>
  Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const shareOf = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;

interface Reply {
  readonly line: SpokenLine;
  /** Undefined: the agent said nothing until the caller's next line or the end of the call. */
  readonly at: number | undefined;
  readonly waitedUntil: number;
}

/** What followed each line of the caller; lines that end while the agent speaks wait for nothing. */
function repliesTo({ caller, agent, durationMilliseconds }: Timeline): Reply[] {
  return caller.flatMap((line, index): Reply[] => {
    const isAgentSpeaking = agent.some(({ from, to }) => from < line.to && to > line.to);
    if (line.isCut || isAgentSpeaking) return [];
    const until = caller[index + 1]?.from ?? durationMilliseconds;
    const reply = agent.find(({ from }) => from >= line.to && from <= until);
    return [{ line, at: reply?.from, waitedUntil: reply?.from ?? until }];
  });
}

/** Stretches in which the agent was due to speak and did not. */
function silences({ caller, agent, durationMilliseconds }: Timeline, replies: readonly Reply[]): number[] {
  const firstSound = Math.min(
    agent[0]?.from ?? durationMilliseconds,
    caller[0]?.from ?? durationMilliseconds,
  );
  const within = agent.slice(1).flatMap(({ from }, index) => {
    const gap: SpeechStretch = { from: agent[index]!.to, to: from };
    const isCallers = caller.some((line) => line.to > gap.from && line.from < gap.to);
    return !isCallers && gap.to - gap.from > breath ? [gap.to - gap.from] : [];
  });
  return [
    Math.max(0, firstSound),
    ...replies.map(({ line, waitedUntil }) => Math.max(0, waitedUntil - line.to)),
    ...within,
  ];
}

function bargeInsOf({ caller, agent }: Timeline): BargeIn[] {
  return caller.flatMap((line): BargeIn[] => {
    const interrupted = agent.find(({ from, to }) => from < line.from && to > line.from);
    if (interrupted === undefined || overlap(interrupted, line) < leastOverlap) return [];
    // An agent that pauses for breath and talks on has not stopped.
    const talksOn = agent.some(({ from }) => from >= interrupted.to && from < line.to);
    const hasStopped = interrupted.to <= line.to && !talksOn;
    return [{ at_ms: line.from, stopped_after_ms: hasStopped ? interrupted.to - line.from : null }];
  });
}

/** Measures an answered call. Pure: the same timeline gives the same figures. */
export function measure(timeline: Timeline, packets: VoicePackets): VoiceMeasurements {
  const { caller, agent, durationMilliseconds } = timeline;
  const replies = repliesTo(timeline);
  const values = replies.flatMap(({ line, at }) => (at === undefined ? [] : [at - line.to]));
  const waits = replies.flatMap(({ line, at, waitedUntil }) =>
    at === undefined ? [waitedUntil - line.to] : [],
  );
  const quiet = silences(timeline, replies);
  const talkOver = sum(agent.map((stretch) => sum(caller.map((line) => overlap(stretch, line)))));
  return {
    first_audio_ms: agent[0] === undefined ? null : Math.max(0, agent[0].from),
    response_ms: {
      count: values.length,
      p50: percentile(values, 0.5),
      max: values.length === 0 ? null : Math.max(...values),
      values,
    },
    unanswered: { count: waits.length, longest_wait_ms: Math.max(0, ...waits) },
    interruptions: agent.filter((stretch) =>
      caller.some(
        (line) =>
          stretch.from > line.from && stretch.from < line.to && overlap(stretch, line) >= leastOverlap,
      ),
    ).length,
    barge_ins: bargeInsOf(timeline),
    talk_over: { total_ms: talkOver, share: shareOf(talkOver, durationMilliseconds) },
    silence: {
      longest_ms: Math.max(0, ...quiet),
      total_ms: sum(quiet),
      share: shareOf(sum(quiet), durationMilliseconds),
    },
    packets,
  };
}

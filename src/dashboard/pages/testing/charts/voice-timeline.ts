/** The speech of both sides of a call over time: who spoke when, at once, or not at all. Pure; all times in milliseconds. */

export type Speaker = 'tester' | 'agent';

export interface Speech {
  readonly speaker: Speaker;
  readonly start_ms: number;
  readonly end_ms: number;
  readonly text?: string | undefined;
}

export interface Stretch {
  readonly start_ms: number;
  readonly end_ms: number;
}

export interface Latency extends Stretch {
  /** From the end of the tester's speech to the first audio of the agent. */
  readonly latency_ms: number;
}

export interface VoiceTimeline {
  readonly duration_ms: number;
  readonly lanes: Readonly<Record<Speaker, readonly Speech[]>>;
  /** Both spoke. */
  readonly overlaps: readonly Stretch[];
  /** The call waited for the agent for at least the given time. */
  readonly silences: readonly Stretch[];
  /** How long the agent took to answer each line of the tester. */
  readonly latencies: readonly Latency[];
  /** Moments for the axis. */
  readonly ticks: readonly number[];
}

const longestSilence = 2_000;
const mostTicks = 12;

export function timelineOf(
  speeches: readonly Speech[],
  { duration_ms = 0, silence_ms = longestSilence }: { duration_ms?: number; silence_ms?: number } = {},
): VoiceTimeline {
  const valid = speeches
    .filter(({ start_ms, end_ms }) => end_ms >= start_ms && start_ms >= 0)
    .sort((left, right) => left.start_ms - right.start_ms || left.end_ms - right.end_ms);
  const lanes = {
    tester: valid.filter(({ speaker }) => speaker === 'tester'),
    agent: valid.filter(({ speaker }) => speaker === 'agent'),
  };
  const last = valid.reduce((latest, { end_ms }) => Math.max(latest, end_ms), 0);
  const whole = Math.max(duration_ms, last);
  return {
    duration_ms: whole,
    lanes,
    overlaps: overlapsOf(lanes.tester, lanes.agent),
    silences: silencesOf(valid, whole, silence_ms),
    latencies: latenciesOf(lanes),
    ticks: ticksOf(whole),
  };
}

function overlapsOf(left: readonly Stretch[], right: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const a of left) {
    for (const b of right) {
      const start_ms = Math.max(a.start_ms, b.start_ms);
      const end_ms = Math.min(a.end_ms, b.end_ms);
      if (end_ms > start_ms) found.push({ start_ms, end_ms });
    }
  }
  return found.sort((a, b) => a.start_ms - b.start_ms);
}

/** As the measurements count it: a pause of the caller between the agent's words and its next line is none. */
function silencesOf(sorted: readonly Speech[], duration: number, least: number): readonly Stretch[] {
  const found: Stretch[] = [];
  let heardUntil = 0;
  let last: Speaker | undefined;
  for (const next of [...sorted, undefined]) {
    const until = next?.start_ms ?? duration;
    const isAgents = last !== 'agent' || next?.speaker === 'agent';
    if (isAgents && until - heardUntil >= least) found.push({ start_ms: heardUntil, end_ms: until });
    if (next === undefined || next.end_ms < heardUntil) continue;
    heardUntil = next.end_ms;
    last = next.speaker;
  }
  return found;
}

/** A line of the tester counts when the agent speaks next; an interruption has no latency. */
function latenciesOf({ tester, agent }: VoiceTimeline['lanes']): readonly Latency[] {
  return tester.flatMap((line, index) => {
    const next = tester[index + 1]?.start_ms ?? Number.POSITIVE_INFINITY;
    const answer = agent.find(({ start_ms }) => start_ms >= line.end_ms && start_ms < next);
    if (answer === undefined) return [];
    const isInterrupted = agent.some(
      ({ start_ms, end_ms }) => start_ms < line.end_ms && end_ms > line.end_ms,
    );
    if (isInterrupted) return [];
    return [{ start_ms: line.end_ms, end_ms: answer.start_ms, latency_ms: answer.start_ms - line.end_ms }];
  });
}

function ticksOf(duration: number): readonly number[] {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].map((seconds) => seconds * 1_000);
  const step = steps.find((candidate) => duration / candidate <= mostTicks) ?? duration;
  const ticks: number[] = [];
  if (duration <= 0) return ticks;
  for (let at = 0; at <= duration; at += step) ticks.push(at);
  return ticks;
}

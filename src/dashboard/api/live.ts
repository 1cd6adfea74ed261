import { batch, computed, signal } from '@preact/signals';
import {
  type CallEvent,
  type LiveCall,
  type LiveCalls,
  readSummary,
  type Scope,
  type Summary,
} from './noc.js';
import { endSession, resumeSession, session } from './session.js';

/** The stream of events, and what is known from it right now. */

export type Connection =
  /** No snapshot has come yet. */
  | 'connecting'
  | 'live'
  /** What is shown is as old as the last event. */
  | 'reconnecting';

export const connection = signal<Connection>('connecting');
/** Milliseconds since the epoch. */
export const heardAt = signal<number | undefined>(undefined);
export const summary = signal<Summary | undefined>(undefined);
export const scope = signal<Scope>('organization');
/** Why nothing is known. */
export const problem = signal<string | undefined>(undefined);

const calls = signal<ReadonlyMap<string, LiveCall>>(new Map());
export const isTruncated = signal(false);
/** Newest first. */
export const liveCalls = computed(() =>
  [...calls.value.values()].sort((one, other) => (one.started_at < other.started_at ? 1 : -1)),
);
/** The calls that ended while this page was open, the last one first; a few. */
export const justEnded = signal<readonly CallEvent[]>([]);
const keptEnded = 20;

type Listener = (data: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

/** Calls `listener` with each event of that kind until the returned function is called. */
export function onEvent(
  kind: 'alert' | 'test_call' | 'registration' | 'trunk' | 'call',
  listener: Listener,
): () => void {
  const set = listeners.get(kind) ?? new Set();
  listeners.set(kind, set.add(listener));
  return () => set.delete(listener);
}

const retryMilliseconds = 3_000;

let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;

export function startListening(): void {
  stopListening();
  connection.value = summary.value === undefined ? 'connecting' : 'reconnecting';
  const opened = new EventSource(`/v1/noc/events?scope=${scope.value}`);
  source = opened;
  const on = (kind: string, act: (data: unknown) => void): void =>
    opened.addEventListener(kind, (event) => {
      if (opened !== source) return;
      heardAt.value = Date.now();
      const data = readJson((event as MessageEvent<string>).data);
      if (data === undefined) return;
      act(data);
      for (const listener of listeners.get(kind) ?? []) listener(data);
    });
  on('snapshot', takeSnapshot);
  on('summary', takeSummary);
  on('call', takeCall);
  for (const kind of ['trunk', 'alert', 'test_call', 'registration']) on(kind, () => undefined);
  on('end', (data) => {
    if ((data as { reason: string }).reason === 'session') {
      stopListening();
      endSession('Your session has ended. Sign in again to continue.');
    }
  });
  // After an interruption the server says at once what was missed, or nothing was.
  opened.addEventListener('open', () => {
    if (opened === source && summary.value !== undefined) connection.value = 'live';
  });
  opened.addEventListener('error', () => {
    if (opened !== source) return;
    connection.value = summary.value === undefined ? 'connecting' : 'reconnecting';
    // The browser tries again by itself unless the answer was a refusal.
    if (opened.readyState === EventSource.CLOSED) retryLater();
  });
}

export function stopListening(): void {
  clearTimeout(retry);
  source?.close();
  source = undefined;
}

/** When somebody signs out, nothing of the one organization may be seen by the next. */
export function forgetEverything(): void {
  stopListening();
  dropWaiting();
  batch(() => {
    connection.value = 'connecting';
    summary.value = undefined;
    calls.value = new Map();
    justEnded.value = [];
    heardAt.value = undefined;
    problem.value = undefined;
    scope.value = 'organization';
  });
}

export function changeScope(wanted: Scope): void {
  if (wanted === scope.value) return;
  stopListening();
  dropWaiting();
  batch(() => {
    scope.value = wanted;
    summary.value = undefined;
    calls.value = new Map();
    justEnded.value = [];
  });
  startListening();
}

/** Where the stream is refused or kept away, the figures are asked for instead. */
function retryLater(): void {
  clearTimeout(retry);
  retry = setTimeout(async () => {
    try {
      await resumeSession();
      summary.value = await readSummary();
      problem.value = undefined;
      startListening();
    } catch (failure) {
      problem.value = (failure as Error).message;
      if (session.value !== null) retryLater();
    }
  }, retryMilliseconds);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function takeSnapshot(data: unknown): void {
  const snapshot = data as { summary: Summary; live: LiveCalls };
  // A snapshot has all of it already.
  dropWaiting();
  batch(() => {
    connection.value = 'live';
    summary.value = snapshot.summary;
    calls.value = new Map(snapshot.live.calls.map((call) => [call.call_id, call]));
    isTruncated.value = snapshot.live.truncated;
  });
}

function takeSummary(data: unknown): void {
  connection.value = 'live';
  if (summary.value !== undefined) summary.value = { ...summary.value, ...(data as Partial<Summary>) };
}

/** On a busy service calls change faster than anybody can read: what came meanwhile is shown together. */
const togetherMilliseconds = 150;
let waiting: CallEvent[] = [];
let flush: ReturnType<typeof setTimeout> | undefined;

function takeCall(data: unknown): void {
  connection.value = 'live';
  waiting.push(data as CallEvent);
  flush ??= setTimeout(showWaiting, togetherMilliseconds);
}

function showWaiting(): void {
  const events = waiting;
  dropWaiting();
  const changed = new Map(calls.value);
  for (const { change, call } of events) {
    if (change === 'ended') changed.delete(call.call_id);
    else changed.set(call.call_id, call);
  }
  const ended = events.filter(({ change }) => change === 'ended').reverse();
  batch(() => {
    calls.value = changed;
    if (ended.length > 0) justEnded.value = [...ended, ...justEnded.value].slice(0, keptEnded);
  });
}

function dropWaiting(): void {
  clearTimeout(flush);
  flush = undefined;
  waiting = [];
}

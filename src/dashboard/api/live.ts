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

/** The event stream, and the live state derived from it. */

export type Connection =
  /** No snapshot received yet. */
  | 'connecting'
  | 'live'
  /** The data is as old as the last event. */
  | 'reconnecting';

export const connection = signal<Connection>('connecting');
/** Milliseconds since the epoch. */
export const heardAt = signal<number | undefined>(undefined);
export const summary = signal<Summary | undefined>(undefined);
export const scope = signal<Scope>('organization');
/** Why live state is unavailable. */
export const problem = signal<string | undefined>(undefined);

const calls = signal<ReadonlyMap<string, LiveCall>>(new Map());
export const isTruncated = signal(false);
/** Newest first. */
export const liveCalls = computed(() =>
  [...calls.value.values()].sort((left, right) => (left.started_at < right.started_at ? 1 : -1)),
);
/** The last few calls that ended while this page was open, latest first. */
export const justEnded = signal<readonly CallEvent[]>([]);
const keptEnded = 20;

type Listener = (data: unknown) => void;
const listeners = new Map<string, Set<Listener>>();

/** Calls `listener` with each event of that kind until the returned function is called. */
export function onEvent(
  kind: 'alert' | 'test_call' | 'registration' | 'trunk' | 'call' | 'sighting',
  listener: Listener,
): () => void {
  const set = listeners.get(kind) ?? new Set();
  listeners.set(kind, set.add(listener));
  return () => set.delete(listener);
}

const retryMilliseconds = 3_000;
/** Control sends a beat every five seconds: without two of them the stream is dead, although its connection may look open. */
const silentMilliseconds = 12_000;
const watchMilliseconds = 1_000;

let watch: ReturnType<typeof setInterval> | undefined;
let openedAt = 0;
let source: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;

export function startListening(): void {
  stopListening();
  connection.value = summary.value === undefined ? 'connecting' : 'reconnecting';
  const opened = new EventSource(`/v1/noc/events?scope=${scope.value}`);
  source = opened;
  openedAt = Date.now();
  watch = setInterval(reopenIfSilent, watchMilliseconds);
  const on = (kind: string, act: (data: unknown) => void): void =>
    opened.addEventListener(kind, (event) => {
      if (opened !== source) return;
      heardAt.value = Date.now();
      const data = readJson((event as Event & { readonly data: string }).data);
      if (data === undefined) return;
      act(data);
      for (const listener of listeners.get(kind) ?? []) listener(data);
    });
  on('snapshot', takeSnapshot);
  on('summary', takeSummary);
  on('call', takeCall);
  on('beat', () => {
    if (summary.value !== undefined) connection.value = 'live';
  });
  for (const kind of ['trunk', 'alert', 'test_call', 'registration', 'sighting']) on(kind, () => undefined);
  on('end', (data) => {
    if ((data as { reason: string }).reason === 'session') {
      stopListening();
      endSession('Your session has ended. Sign in again to continue.');
    }
  });
  // After a reconnect the server sends missed events at once; without any, the data is current.
  opened.addEventListener('open', () => {
    if (opened === source && summary.value !== undefined) connection.value = 'live';
  });
  opened.addEventListener('error', () => {
    if (opened !== source) return;
    connection.value = summary.value === undefined ? 'connecting' : 'reconnecting';
    // The browser reconnects automatically unless the server refused the request.
    if (opened.readyState === EventSource.CLOSED) retryLater();
  });
}

/** A stopped process, a sleeping computer or a lost NAT entry leaves a connection that looks open and stays silent. */
function reopenIfSilent(): void {
  if (Date.now() - Math.max(openedAt, heardAt.value ?? 0) < silentMilliseconds) return;
  startListening();
}

export function stopListening(): void {
  clearTimeout(retry);
  clearInterval(watch);
  source?.close();
  source = undefined;
}

/** After sign-out the next user must not see data of the previous organization. */
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

export function changeScope(next: Scope): void {
  if (next === scope.value) return;
  stopListening();
  dropWaiting();
  batch(() => {
    scope.value = next;
    summary.value = undefined;
    calls.value = new Map();
    justEnded.value = [];
  });
  startListening();
}

/** Where the stream is refused or blocked, reads the summary periodically and tries the stream again. */
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
  // The snapshot already contains these changes.
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

/** Batches updates: on a busy service calls change faster than a person can read. */
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

import { batch, computed, signal } from '@preact/signals';
import {
  type CallEvent,
  type CallGroup,
  type LiveCall,
  type LiveCalls,
  readSummary,
  type Scope,
  type Summary,
} from './noc.js';
import { resumeSession, session } from './session.js';
import { SharedStream } from './shared-stream.js';

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
/** Counts of the calls beyond those that are listed, where there are more than the server lists. */
const unlisted = signal<readonly CallGroup[]>([]);
/** Whether `liveCalls` are the newest ones alone. */
export const isTruncated = computed(() => unlisted.value.length > 0);
/** Newest first. */
export const liveCalls = computed(() =>
  [...calls.value.values()].sort((left, right) => (left.started_at < right.started_at ? 1 : -1)),
);
/** What listed calls and groups of unlisted ones have in common. */
type Counted = Pick<LiveCall, 'organization_id' | 'phone_number' | 'edge_id'>;

/**
 * Counts of active calls: the source of each one on a page, so that no two of them differ. Undefined while the list is unknown; then
 * the overview's counts are left, which are a moment older.
 * @param isCounted undefined: all calls
 */
export function countActive(
  isCounted: (call: Counted) => boolean = () => true,
): { readonly active: number; readonly ringing: number } | undefined {
  if (connection.value === 'connecting') return undefined;
  let active = 0;
  let ringing = 0;
  for (const call of calls.value.values()) {
    if (!isCounted(call)) continue;
    if (call.state === 'answered') active += 1;
    else ringing += 1;
  }
  for (const group of unlisted.value) {
    if (!isCounted(group)) continue;
    active += group.active;
    ringing += group.ringing;
  }
  return { active, ringing };
}

/** Active calls of each number that has any, ringing ones included; undefined while they are unknown. */
export const activeByNumber = computed(() => {
  if (connection.value === 'connecting') return undefined;
  const sums = new Map<string, number>();
  const add = (number: string | null, more: number): void => {
    if (number !== null) sums.set(number, (sums.get(number) ?? 0) + more);
  };
  for (const { phone_number } of calls.value.values()) add(phone_number, 1);
  for (const { phone_number, active, ringing } of unlisted.value) add(phone_number, active + ringing);
  return sums;
});

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
const kinds = ['trunk', 'alert', 'test_call', 'registration', 'sighting'] as const;

let stream: SharedStream | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
/** Of this tab, among those of the browser. */
const tab = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;

export function startListening(): void {
  stopListening();
  connection.value = summary.value === undefined ? 'connecting' : 'reconnecting';
  const user = session.value;
  const opened = new SharedStream(
    {
      url: `/v1/noc/events?scope=${scope.value}`,
      name: `demarc ${user?.key?.id ?? user?.member?.id} ${user?.organization.id} ${scope.value}`,
      kinds: ['snapshot', 'summary', 'call', 'beat', 'end', ...kinds],
      id: tab,
    },
    {
      event: (kind, data) => {
        heardAt.value = Date.now();
        take(kind, data);
        for (const listener of listeners.get(kind) ?? []) listener(data);
      },
      // After a reconnect the server sends missed events at once; without any, the data is current.
      opened: () => {
        if (summary.value !== undefined) connection.value = 'live';
      },
      lost: (isRefused) => {
        connection.value = summary.value === undefined ? 'connecting' : 'reconnecting';
        if (isRefused) retryLater();
      },
      snapshot: knownNow,
    },
  );
  stream = opened;
  opened.start();
}

function take(kind: string, data: unknown): void {
  if (kind === 'snapshot') takeSnapshot(data);
  else if (kind === 'summary') takeSummary(data);
  else if (kind === 'call') takeCall(data);
  else if (kind === 'beat' && summary.value !== undefined) connection.value = 'live';
  else if (kind === 'end' && (data as { reason: string }).reason === 'session') {
    stopListening();
    // It may have been replaced, as by a change of the password.
    void listenAgain();
  }
}

/** As the server's snapshot; undefined before the first one. */
function knownNow(): unknown {
  showWaiting();
  if (summary.value === undefined) return undefined;
  return { summary: summary.value, live: { calls: [...calls.value.values()], unlisted: unlisted.value } };
}

export function stopListening(): void {
  clearTimeout(retry);
  stream?.stop();
  stream = undefined;
}

/** After sign-out the next user must not see data of the previous organization. */
export function forgetEverything(): void {
  stopListening();
  dropWaiting();
  batch(() => {
    connection.value = 'connecting';
    summary.value = undefined;
    calls.value = new Map();
    unlisted.value = [];
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
    unlisted.value = [];
    justEnded.value = [];
  });
  startListening();
}

/** Where the stream is refused or blocked, reads the summary periodically and tries the stream again. */
function retryLater(): void {
  clearTimeout(retry);
  retry = setTimeout(() => void listenAgain(), retryMilliseconds);
}

async function listenAgain(): Promise<void> {
  try {
    await resumeSession();
    if (session.value === null) return;
    summary.value = await readSummary();
    problem.value = undefined;
    startListening();
  } catch (failure) {
    problem.value = (failure as Error).message;
    if (session.value !== null) retryLater();
  }
}

/** Shows the figures before the stream's first snapshot is there. Control preloads them with the overview. */
export async function readAhead(): Promise<void> {
  const begun = stream;
  // The stream brings them as well.
  const read = await readSummary().catch(() => undefined);
  if (read !== undefined && stream === begun && scope.value === 'organization') summary.value ??= read;
}

function takeSnapshot(data: unknown): void {
  const snapshot = data as { summary: Summary; live: Pick<LiveCalls, 'calls'> & Partial<LiveCalls> };
  // The snapshot already contains these changes.
  dropWaiting();
  batch(() => {
    connection.value = 'live';
    summary.value = snapshot.summary;
    calls.value = new Map(snapshot.live.calls.map((call) => [call.call_id, call]));
    // A tab that an earlier release opened passes none on.
    unlisted.value = snapshot.live.unlisted ?? [];
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
  let uncounted = unlisted.value;
  for (const { change, call } of events) {
    if (change !== 'began' && !changed.has(call.call_id)) uncounted = without(uncounted, call, change);
    if (change === 'ended') changed.delete(call.call_id);
    else changed.set(call.call_id, call);
  }
  const ended = events.filter(({ change }) => change === 'ended').reverse();
  batch(() => {
    calls.value = changed;
    unlisted.value = uncounted;
    if (ended.length > 0) justEnded.value = [...ended, ...justEnded.value].slice(0, keptEnded);
  });
}

/** The groups after a call of them was listed, or ended. */
function without(
  groups: readonly CallGroup[],
  call: LiveCall,
  change: CallEvent['change'],
): readonly CallGroup[] {
  const was = change === 'ended' && call.answered_at !== null ? 'active' : 'ringing';
  const isIts = (group: CallGroup): boolean =>
    group.organization_id === call.organization_id &&
    group.phone_number === call.phone_number &&
    group.edge_id === call.edge_id &&
    group[was] > 0;
  const left = groups.map((group) => (isIts(group) ? { ...group, [was]: group[was] - 1 } : group));
  return left.filter(({ active, ringing }) => active + ringing > 0);
}

function dropWaiting(): void {
  clearTimeout(flush);
  flush = undefined;
  waiting = [];
}

import { hasDescription, type ReadMessage, readMessage } from '../sip/read.js';
import type { TraceEntry } from './call-record.js';

/** The ladder of a trace, for the dashboard, the text of `?format=text` and softphone reports: lanes, and arrows between them. */

/** A message of a trace. */
export type LadderEntry = Omit<TraceEntry, 'protocol'> & { readonly protocol: string };

export interface Lane {
  readonly key: string;
  readonly name: string;
  /** `address:port` of the first message; empty for Demarc, which has one on each side. */
  readonly address: string;
}

export type StepKind = 'request' | 'provisional' | 'success' | 'redirect' | 'refusal';

export interface Step {
  /** Doesn't change when more messages arrive, also earlier ones. */
  readonly key: string;
  /** From 1. */
  readonly ordinal: number;
  readonly kind: StepKind;
  /** `INVITE`, `200 OK`. */
  readonly label: string;
  /** What a response answers. */
  readonly method: string;
  readonly hasDescription: boolean;
  readonly isRepeated: boolean;
  /** Indices of lanes. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds. */
  readonly sinceStart: number;
  readonly sincePrevious: number;
  /** The same for a request and all its responses. */
  readonly transaction: string;
  readonly trace: LadderEntry;
  readonly message: ReadMessage;
}

export interface Ladder {
  readonly lanes: readonly Lane[];
  readonly steps: readonly Step[];
}

const demarc = 'demarc';

/** Demarc is in the middle, the caller's side on the left, the callee's on the right. */
export function ladderOf(trace: readonly LadderEntry[], direction: string): Ladder {
  const read = trace.map((entry) => ({ entry, message: readMessage(entry.message) }));
  const trunks: Lane[] = [];
  const agents: Lane[] = [];
  const laneKeys: string[] = [];
  for (const { entry, message } of read) {
    const isAgent = entry.leg === 'agent';
    const side = isAgent ? agents : trunks;
    // Each attempt at a server is a separate dialog, so a backup server gets its own lane.
    const key = `${isAgent ? 'agent' : 'trunk'} ${message.headers.get('Call-ID') ?? ''}`;
    laneKeys.push(key);
    if (side.some((lane) => lane.key === key)) continue;
    const address = entry.direction === 'received' ? entry.source : entry.destination;
    side.push({ key, address, name: nameOf(isAgent, direction, side.length) });
  }
  const middle: Lane = { key: demarc, name: 'Demarc', address: '' };
  const lanes = direction === 'outbound' ? [...agents, middle, ...trunks] : [...trunks, middle, ...agents];
  const place = new Map(lanes.map(({ key }, index) => [key, index]));
  const middleIndex = place.get(demarc)!;
  const start = read[0] === undefined ? 0 : momentOf(read[0].entry.at);
  const seen = new Set<string>();
  const keys = new Map<string, number>();
  let previous = start;
  const steps = read.map(({ entry, message }, index): Step => {
    const at = momentOf(entry.at);
    const far = place.get(laneKeys[index]!)!;
    const cseq = message.headers.get('CSeq')?.split(/\s+/)[0] ?? '';
    const isCopy = `${laneKeys[index]} ${entry.direction} ${message.startLine} ${cseq} ${branchOf(message)}`;
    const name = `${entry.at} ${entry.source} ${entry.destination} ${entry.summary}`;
    const alike = keys.get(name) ?? 0;
    keys.set(name, alike + 1);
    const step: Step = {
      key: `${name} ${alike}`,
      ordinal: index + 1,
      kind: kindOf(message.status),
      label: entry.summary,
      method: message.method,
      hasDescription: hasDescription(message),
      isRepeated: seen.has(isCopy),
      from: entry.direction === 'received' ? far : middleIndex,
      to: entry.direction === 'received' ? middleIndex : far,
      sinceStart: at - start,
      sincePrevious: at - previous,
      // The ACK to a refusal and a CANCEL belong to the transaction of their INVITE.
      transaction: `${laneKeys[index]} ${cseq} ${['ACK', 'CANCEL'].includes(message.method) ? 'INVITE' : message.method}`,
      trace: entry,
      message,
    };
    seen.add(isCopy);
    previous = at;
    return step;
  });
  return { lanes, steps };
}

/** `INVITE (SDP)`, `200 OK (INVITE, SDP)`. */
export function labelOf({ label, kind, method, hasDescription }: Step): string {
  const notes = [
    ...(kind === 'request' || method === '' ? [] : [method]),
    ...(hasDescription ? ['SDP'] : []),
  ];
  return notes.length === 0 ? label : `${label} (${notes.join(', ')})`;
}

const branchOf = (message: ReadMessage): string =>
  /branch=([^;,\s]+)/i.exec(message.headers.get('Via') ?? '')?.[1] ?? '';

function nameOf(isAgent: boolean, direction: string, before: number): string {
  if (isAgent) return before === 0 ? 'Agent' : `Agent ${before + 1}`;
  if (direction !== 'outbound') return before === 0 ? 'Caller' : `Caller ${before + 1}`;
  return before === 0 ? 'Trunk' : `Trunk ${before + 1}`;
}

function kindOf(status: number | undefined): StepKind {
  if (status === undefined) return 'request';
  if (status < 200) return 'provisional';
  if (status < 300) return 'success';
  return status < 400 ? 'redirect' : 'refusal';
}

/** Milliseconds with a fraction: traces have microseconds, which `Date` drops. */
export function momentOf(at: string): number {
  const [, seconds, fraction = ''] = /^(.{19})(?:\.(\d+))?/.exec(at) ?? [];
  return seconds === undefined
    ? Number.NaN
    : Date.parse(`${seconds}Z`) + Number(`0.${fraction || '0'}`) * 1_000;
}

import { within } from '../../base/within.js';
import { type CallSnapshot, maximumLookOctets } from '../../contract/call-look.js';
import type { TraceEntry } from '../../contract/call-record.js';
import type { Call } from '../call/call.js';
import { callFacts, outcomeOf } from '../call/call-record.js';
import { peekTrace } from '../call/call-trace.js';
import { type MediaStatistics, sumOfStatistics } from '../media/rtp-statistics.js';
import type { Trace } from '../trace/trace-collector.js';
import { stateOf } from './live-view.js';

/** The request waits for it; without an answer of rtpengine the counters are left out. */
const mediaMilliseconds = 500;

/** What is known of a call that has no record yet. */
export function snapshotOf(call: Call, statistics: MediaStatistics | undefined): CallSnapshot {
  const { state, deps, transfer } = call;
  const { ending } = state;
  const media = call.media?.summary ?? null;
  return {
    ...callFacts(
      deps.settings.edgeId,
      state,
      media,
      statistics,
      boundedTrace(peekTrace(call), maximumLookOctets),
      call.measurements,
    ),
    state: ending === null ? stateOf(call) : 'ending',
    at: new Date().toISOString(),
    ended_at: state.endedAt === null ? null : new Date(state.endedAt).toISOString(),
    outcome: ending === null ? null : outcomeOf(state, ending.reason),
    ended_by: ending?.by ?? null,
    end_reason: ending?.reason ?? null,
    open_transfer: transfer?.description ?? null,
    consultation: transfer?.stage ?? null,
    on_hold: call.media?.audio.isOnHold === true,
    listeners: deps.listenings.listenersOf(call),
  };
}

/** Media counters of this moment; undefined where rtpengine does not report them. Never rejects. */
export async function statisticsSoFar({ media, earlierMedia }: Call): Promise<MediaStatistics | undefined> {
  const now = async (): Promise<MediaStatistics | undefined> => {
    const reply = await media?.query();
    return reply?.result === 'ok' ? media?.statisticsOf(reply) : undefined;
  };
  const totals = await Promise.all([...earlierMedia, now()].map((each) => within(mediaMilliseconds, each)));
  return sumOfStatistics(totals);
}

/** The first messages, as in the record: a flood of later ones must not hide how the call began. */
export function boundedTrace({ entries, truncated }: Trace, maximumOctets: number): Trace {
  const kept: TraceEntry[] = [];
  let octets = 0;
  for (const entry of entries) {
    octets += Buffer.byteLength(entry.message);
    if (octets > maximumOctets) return { entries: kept, truncated: true };
    kept.push(entry);
  }
  return { entries, truncated };
}

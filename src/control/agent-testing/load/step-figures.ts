import type { Percentiles, StepFigures, StepReason } from '../schemas/load-test.js';
import type { RunStatus } from '../schemas/run.js';
import { percentile } from '../statistics/percentile.js';
import { wilsonInterval } from '../statistics/wilson-interval.js';

/** What a step reads of the run of one of its callers. */
export interface CallerRun {
  readonly status: RunStatus;
  readonly error_message: string | null;
  readonly failed_by: 'agent' | 'limit' | null;
  readonly sip_status: number | null;
  /** Names of the required assertions that did not pass. */
  readonly failures: readonly string[];
  readonly answer_ms: number | null;
  readonly latencies: readonly number[];
  readonly is_stand_in: boolean;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
}

const maximumReasons = 10;

/** Of the callers that ended. A caller who was cancelled says nothing. */
export function figuresOf(runs: readonly CallerRun[]): StepFigures {
  const ended = runs.filter(({ status }) => status !== 'CANCELLED' && !isOpen(status));
  const passed = ended.filter(({ status }) => status === 'PASSED').length;
  const failed = ended.filter(({ status }) => status === 'FAILED').length;
  const by = (kind: StepReason['kind']): number => ended.filter((run) => kindOf(run) === kind).length;
  const agentErrors = by('agent');
  const counted = passed + failed + agentErrors;
  return {
    callers: ended.length,
    peak_callers: peakOf(runs),
    passed,
    failed,
    agent_errors: agentErrors,
    limit_refusals: by('limit'),
    test_errors: by('test'),
    success_rate: counted === 0 ? null : passed / counted,
    success_rate_interval: wilsonInterval(passed, counted) ?? null,
    answer_ms: percentilesOf(runs.flatMap(({ answer_ms: answer }) => answer ?? [])),
    latency_ms: percentilesOf(runs.flatMap(({ latencies }) => latencies)),
    reasons: reasonsOf(ended),
    is_stand_in: runs.some(({ is_stand_in: isStandIn }) => isStandIn),
  };
}

const isOpen = (status: RunStatus): boolean => status === 'PENDING' || status === 'RUNNING';

function kindOf({ status, failed_by: by }: CallerRun): StepReason['kind'] | undefined {
  if (status === 'FAILED') return 'assertion';
  return status === 'ERROR' ? (by ?? 'test') : undefined;
}

export const percentilesOf = (values: readonly number[]): Percentiles => ({
  count: values.length,
  p50: percentile(values, 0.5),
  p95: percentile(values, 0.95),
  p99: percentile(values, 0.99),
});

/** Most conversations that overlapped; one that ends in the moment in which another begins does not overlap it. */
function peakOf(runs: readonly CallerRun[]): number {
  const changes = runs
    .flatMap(({ started_at: from, completed_at: to }) =>
      from === null
        ? []
        : [
            { at: from.getTime(), change: 1 },
            { at: to?.getTime() ?? Number.POSITIVE_INFINITY, change: -1 },
          ],
    )
    .sort((left, right) => left.at - right.at || left.change - right.change);
  let present = 0;
  let peak = 0;
  for (const { change } of changes) {
    present += change;
    peak = Math.max(peak, present);
  }
  return peak;
}

function reasonsOf(runs: readonly CallerRun[]): StepReason[] {
  const found = new Map<string, StepReason>();
  for (const run of runs) {
    const kind = kindOf(run);
    if (kind === undefined) continue;
    const texts = kind === 'assertion' ? new Set(run.failures) : [run.error_message ?? 'Unknown error'];
    for (const reason of texts) {
      const key = `${kind} ${run.sip_status} ${reason}`;
      const callers = (found.get(key)?.callers ?? 0) + 1;
      found.set(key, { reason, kind, sip_status: run.sip_status, callers });
    }
  }
  return [...found.values()]
    .sort((left, right) => right.callers - left.callers || (left.reason < right.reason ? -1 : 1))
    .slice(0, maximumReasons);
}

import type { AlertRow } from './alert-view.js';
import { type CallTally, failureFinding } from './call-findings.js';
import { type ActiveAlert, decide, type Finding } from './decision.js';
import { type RegistrationTrend, registrationFinding } from './registration-findings.js';
import { responseFinding, type TrunkTrend, unreachableFinding } from './trunk-findings.js';
import type { Watched } from './watched.js';

/** The finding for one threshold, and the alert that was active then. */
export interface Judged {
  readonly watched: Watched;
  readonly finding: Finding;
  readonly row: AlertRow | undefined;
  readonly active: ActiveAlert | undefined;
}

/** The current findings about a number. */
export interface Known {
  readonly trunk: TrunkTrend | undefined;
  readonly registration: RegistrationTrend | undefined;
  readonly tally: CallTally;
}

/** What is known of one threshold. */
export function findingOf(subject: Watched, { trunk, registration, tally }: Known, now: Date): Finding {
  if (subject.kind === 'failure_rate') return failureFinding(subject, tally);
  if (subject.direction === 'outbound')
    return subject.kind === 'unreachable'
      ? unreachableFinding(subject, trunk, now)
      : responseFinding(subject, trunk, now);
  // Inbound callers are not probed; the registration is the only known state.
  return subject.kind === 'unreachable'
    ? registrationFinding(subject, registration, now)
    : { condition: 'unknown' };
}

/** What one evaluation does about one threshold. */
export type Step =
  | { readonly action: 'fire'; readonly finding: Extract<Finding, { condition: 'bad' }> }
  | { readonly action: 'recover'; readonly row: AlertRow }
  | {
      readonly action: 'keep';
      readonly row: AlertRow;
      readonly clearSince: Date | null;
      /** `clearSince` is not what the row has. */
      readonly isChanged: boolean;
      /** The maintenance window is over and the problem persists: the alert is announced now. */
      readonly isReleased: boolean;
    }
  | { readonly action: 'none' };

/** @param isCovered an open maintenance window covers the threshold */
export function stepOf({ finding, row, active }: Judged, isCovered: boolean, now: Date): Step {
  const decision = decide(active, finding, now);
  if (decision.action === 'fire')
    return finding.condition === 'bad' ? { action: 'fire', finding } : { action: 'none' };
  if (row === undefined) return { action: 'none' };
  if (decision.action === 'recover') return { action: 'recover', row };
  const { clearSince } = decision;
  return {
    action: 'keep',
    row,
    clearSince,
    isChanged: row.clear_since?.getTime() !== clearSince?.getTime(),
    isReleased: row.is_withheld && !isCovered && finding.condition === 'bad',
  };
}

import {
  type ComponentName,
  componentNames,
  type FailedCalls,
  type RedReason,
  redCalls,
  redComponents,
  redOrganization,
  windowWords,
} from '../../../contract/red-reasons.js';
import type { FailureCount, NocSummary, TrunkSummary } from '../view.js';
import type { StoredReason } from './tables.js';

/** What makes a verdict red, as an incident keeps it. */
export type Reason = Omit<StoredReason, 'first_seen_at' | 'last_seen_at'>;

/** More numbers than this are one reason. */
const namedNumbers = 5;

const nothing = { cause: null, advice: null, phone_number: null, end_reason: null, sip_status: null };

export const componentDown = (name: ComponentName): Reason => ({
  ...nothing,
  key: `component ${name}`,
  kind: 'component',
  text: `${componentNames[name]}: down`,
});

/** Red reasons that concern every organization. */
export const serviceReasons = ({ parts, calls }: Pick<NocSummary, 'parts' | 'calls'>): Reason[] =>
  [...redComponents(parts), ...redCalls(calls)].flatMap((red) => reasonsOf(red, 'of the service'));

/** Red reasons of one organization, without those of the service. */
export const organizationReasons = (summary: NocSummary): Reason[] =>
  redOrganization(summary, summary.calls).flatMap((red) => reasonsOf(red, 'of the organization'));

/** @param whose the calls are that are counted as a whole */
function reasonsOf(red: RedReason<FailureCount, TrunkSummary>, whose: string): Reason[] {
  switch (red.kind) {
    case 'component':
      return [componentDown(red.component)];
    case 'trunk':
      return byNumber(red, 'trunk', 'Trunks unreachable', unreachableReason);
    case 'numbers':
      return byNumber(red, 'calls', 'Numbers whose calls fail', failingReason);
    case 'calls':
      return [callsReason(red.failed, whose, null)];
    case 'registration':
      return [
        {
          ...nothing,
          key: 'registration',
          kind: 'registration',
          text: `Registrations failed: ${red.count}`,
        },
      ];
    case 'alert':
      return [
        {
          ...nothing,
          key: 'alert',
          kind: 'alert',
          text: `Active alerts that reached no recipient: ${red.count}`,
        },
      ];
  }
}

function byNumber(
  { count, known }: { readonly count: number; readonly known: readonly TrunkSummary[] },
  kind: 'trunk' | 'calls',
  many: string,
  reasonOf: (trunk: TrunkSummary) => Reason,
): Reason[] {
  if (count <= namedNumbers && known.length === count) return known.map(reasonOf);
  return [{ ...nothing, key: `${kind} many`, kind, text: `${many}: ${count}` }];
}

const unreachableReason = ({ phone_number, cause, advice, reason }: TrunkSummary): Reason => ({
  ...nothing,
  key: `trunk ${phone_number} ${reason}`,
  kind: 'trunk',
  text: `Trunk of ${phone_number} unreachable`,
  cause,
  advice,
  phone_number,
});

const failingReason = ({ phone_number, calls }: TrunkSummary): Reason =>
  callsReason(calls, `of ${phone_number}`, phone_number);

function callsReason(
  { calls, failed, window, worst }: FailedCalls<FailureCount>,
  whose: string,
  number: string | null,
): Reason {
  const status = worst?.sip_status ?? null;
  const shownStatus = status === null || status < 300 ? '' : `${status} `;
  const because = worst === null ? '' : `: ${shownStatus}${worst.cause.replace(/\.$/, '')}`;
  return {
    key: `calls ${number ?? ''} ${worst?.end_reason ?? ''} ${status ?? ''}`,
    kind: 'calls',
    text: `${failed} of ${calls} calls ${whose} failed in the last ${windowWords[window]}${because}`,
    cause: worst?.cause ?? null,
    advice: worst?.advice ?? null,
    phone_number: number,
    end_reason: worst?.end_reason ?? null,
    sip_status: status,
  };
}

import { stateOfCalls } from '../../../contract/failing-calls.js';
import type { CallFigures, FailureCount, NocSummary, TrunkSummary } from '../view.js';
import type { StoredReason } from './tables.js';

/** What makes a verdict red, as the overview of the dashboard shows it. */
export type Reason = Omit<StoredReason, 'first_seen_at' | 'last_seen_at'>;

/** More numbers than this are one reason. */
const namedNumbers = 5;

const nothing = { cause: null, advice: null, phone_number: null, end_reason: null, sip_status: null };

const partNames = {
  edges: 'edges',
  media: 'media (rtpengine)',
  redis: 'Redis',
  database: 'PostgreSQL',
} as const;
type PartName = keyof typeof partNames;

export const componentDown = (name: PartName): Reason => ({
  ...nothing,
  key: `component ${name}`,
  kind: 'component',
  text: `${partNames[name]}: down`,
});

/** Red reasons that concern every organization. */
export function serviceReasons({ parts, calls }: Pick<NocSummary, 'parts' | 'calls'>): Reason[] {
  const down = (Object.keys(partNames) as PartName[]).filter((name) => parts[name] === 'down');
  return [...down.map(componentDown), ...callsReasons(calls, 'of the service')];
}

/** Red reasons of one organization, without those of the service. */
export function organizationReasons(summary: NocSummary): Reason[] {
  const { trunks, registrations, alerts } = summary;
  const unreachable = trunks.filter(({ status }) => status === 'unreachable');
  const failing = trunks.filter(({ calls }) => calls.state === 'failing');
  const lost = registrations?.failed ?? 0;
  const unnoticed = alerts?.unnoticed ?? 0;
  return [
    ...byNumber(unreachable, 'trunk', 'Trunks unreachable', unreachableReason),
    ...(lost === 0
      ? []
      : [
          {
            ...nothing,
            key: 'registration',
            kind: 'registration' as const,
            text: `Registrations failed: ${lost}`,
          },
        ]),
    // A number whose calls fail says the same of the same calls, with its name.
    ...(failing.length > 0
      ? byNumber(failing, 'calls', 'Numbers whose calls fail', failingReason)
      : callsReasons(summary.calls, 'of the organization')),
    ...(unnoticed === 0
      ? []
      : [
          {
            ...nothing,
            key: 'alert',
            kind: 'alert' as const,
            text: `Active alerts that reached no recipient: ${unnoticed}`,
          },
        ]),
  ];
}

function byNumber(
  trunks: readonly TrunkSummary[],
  kind: 'trunk' | 'calls',
  many: string,
  reasonOf: (trunk: TrunkSummary) => Reason,
): Reason[] {
  if (trunks.length <= namedNumbers) return trunks.map(reasonOf);
  return [{ ...nothing, key: `${kind} many`, kind, text: `${many}: ${trunks.length}` }];
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

const windowNames = { '5m': '5 minutes', '1h': 'hour', '24h': '24 hours' } as const;
const judgedWindows = ['5m', '1h'] as const;

function callsReasons({ windows }: CallFigures, whose: string): Reason[] {
  if (windows === null) return [];
  const { state, span } = stateOfCalls(
    judgedWindows.map((name) => windows[name].judged),
    windows['24h'].judged,
  );
  const window = judgedWindows[span];
  if (state !== 'failing' || window === undefined) return [];
  return [callsReason({ ...windows[window].judged, window }, whose, null)];
}

interface Failing {
  readonly calls: number;
  readonly failed: number;
  readonly window: keyof typeof windowNames;
  readonly worst: FailureCount | null;
}

function callsReason(
  { calls, failed, window, worst }: Failing,
  whose: string,
  number: string | null,
): Reason {
  const status = worst?.sip_status ?? null;
  const shownStatus = status === null || status < 300 ? '' : `${status} `;
  const because = worst === null ? '' : `: ${shownStatus}${worst.cause.replace(/\.$/, '')}`;
  return {
    key: `calls ${number ?? ''} ${worst?.end_reason ?? ''} ${status ?? ''}`,
    kind: 'calls',
    text: `${failed} of ${calls} calls ${whose} failed in the last ${windowNames[window]}${because}`,
    cause: worst?.cause ?? null,
    advice: worst?.advice ?? null,
    phone_number: number,
    end_reason: worst?.end_reason ?? null,
    sip_status: status,
  };
}

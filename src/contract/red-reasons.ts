import { type CallShare, type CallState, stateOfCalls } from './failing-calls.js';

/** Components whose loss turns every verdict red, by the name that people read. */
export const componentNames = {
  edges: 'edges',
  media: 'media (rtpengine)',
  redis: 'Redis',
  database: 'PostgreSQL',
} as const;
export type ComponentName = keyof typeof componentNames;

/** Windows that judge calls, the shortest first; the day is what they are compared with. */
const judgedWindows = ['5m', '1h'] as const;
type JudgedWindow = (typeof judgedWindows)[number];

/** The words of a window after "in the last". */
export const windowWords = { '5m': '5 minutes', '1h': 'hour', '24h': '24 hours' } as const;

/** Failed calls of a window. `Failure` is how most of them ended; null: not known. */
export interface FailedCalls<Failure> extends CallShare {
  readonly window: JudgedWindow;
  readonly worst: Failure | null;
}

interface JudgedTrunk<Failure> {
  readonly status: string;
  readonly calls: FailedCalls<Failure> & { readonly state: CallState };
}

interface JudgedFigures<Failure> {
  readonly windows: Readonly<
    Record<keyof typeof windowWords, { readonly judged: CallShare & { readonly worst: Failure | null } }>
  > | null;
}

/** What an organization's verdict is made of, in control's answer and on the page. */
interface JudgedSummary<Failure, Trunk extends JudgedTrunk<Failure>> {
  readonly trunk_counts: { readonly unreachable: number; readonly failing: number };
  /** Those with problems first; with very many trunks not all. */
  readonly trunks: readonly Trunk[];
  readonly registrations: { readonly failed: number } | null;
  readonly alerts: Alerts;
}

/** Why a verdict is red. The list is closed: the dashboard and incidents each have words for every kind. */
export type RedReason<Failure, Trunk> =
  | { readonly kind: 'component'; readonly component: ComponentName }
  /** `known` are listed with their causes; there may be more. */
  | { readonly kind: 'trunk'; readonly count: number; readonly known: readonly Trunk[] }
  | { readonly kind: 'registration'; readonly count: number }
  | { readonly kind: 'numbers'; readonly count: number; readonly known: readonly Trunk[] }
  | { readonly kind: 'calls'; readonly failed: FailedCalls<Failure> }
  | { readonly kind: 'alert'; readonly count: number };

type Component = Extract<RedReason<never, never>, { readonly kind: 'component' }>;

/** Red for every organization. */
export const redComponents = (parts: Readonly<Record<ComponentName, string>>): Component[] =>
  (Object.keys(componentNames) as ComponentName[])
    .filter((name) => parts[name] === 'down')
    .map((component) => ({ kind: 'component', component }));

/** Red because of calls as a whole: those of an organization, or of the service. */
export function redCalls<Failure>({
  windows,
}: JudgedFigures<Failure>): Extract<RedReason<Failure, never>, { readonly kind: 'calls' }>[] {
  if (windows === null) return [];
  const { state, span } = stateOfCalls(
    judgedWindows.map((name) => windows[name].judged),
    windows['24h'].judged,
  );
  const window = judgedWindows[span];
  if (state !== 'failing' || window === undefined) return [];
  return [{ kind: 'calls', failed: { ...windows[window].judged, window } }];
}

type Alerts = { readonly unnoticed: number } | null;

/** Active alerts that reached no recipient. */
export const redAlerts = (alerts: Alerts): Extract<RedReason<never, never>, { readonly kind: 'alert' }>[] =>
  alerts === null || alerts.unnoticed === 0 ? [] : [{ kind: 'alert', count: alerts.unnoticed }];

/** Red for one organization, without components. */
export function redOrganization<Failure, Trunk extends JudgedTrunk<Failure>>(
  { trunk_counts: counts, trunks, registrations, alerts }: JudgedSummary<Failure, Trunk>,
  calls: JudgedFigures<Failure>,
): RedReason<Failure, Trunk>[] {
  const lost = registrations?.failed ?? 0;
  const unreachable = trunks.filter(({ status }) => status === 'unreachable');
  const failing = trunks.filter((trunk) => trunk.calls.state === 'failing');
  const of = <Kind extends 'trunk' | 'numbers'>(kind: Kind, count: number, known: readonly Trunk[]) =>
    count === 0 ? [] : [{ kind, count, known }];
  // A number whose calls fail says the same of the same calls, with its name.
  const numbers = of('numbers', Math.max(counts.failing, failing.length), failing);
  return [
    ...of('trunk', Math.max(counts.unreachable, unreachable.length), unreachable),
    ...(lost === 0 ? [] : [{ kind: 'registration' as const, count: lost }]),
    ...(numbers.length > 0 ? numbers : redCalls(calls)),
    ...redAlerts(alerts),
  ];
}

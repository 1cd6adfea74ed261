import { stateOfCalls } from '../../../contract/failing-calls.js';
import {
  componentNames,
  type RedReason,
  redAlerts,
  redCalls,
  redComponents,
  redOrganization,
  windowWords,
} from '../../../contract/red-reasons.js';
import { query } from '../../api/client.js';
import type { CallFigures, Fleet, Summary, TrunkSummary, WindowFigures, WindowName } from '../../api/noc.js';
import { clockTime, count, decapitalized, whole } from '../../parts/format.js';
import { numberText } from '../../parts/number-text.js';
import { trunkAddress } from '../../parts/trunk-address.js';
import { failureWords } from '../call/end-reasons.js';

/** A condition that needs attention, and the page that shows exactly what it is about. */
export interface Concern {
  readonly tone: 'bad' | 'warn';
  readonly text: string;
  readonly href?: string;
}

/** More numbers or organizations than this are one sentence. */
const namedTrunks = 2;
const windows = ['5m', '1h', '24h'] as const satisfies readonly WindowName[];
/** Fewer calls than this are no sample, as for the state of calls. */
const leastCalls = 5;
const callersShare = 0.5;

type Scope = 'organization' | 'fleet';

/** What needs attention, worst first; empty when nothing does. Red is what `RedReason` lists, amber is the page's own. */
export function concernsOf(summary: Summary, calls: CallFigures, scope: Scope): Concern[] {
  const found = [
    ...redComponents(summary.parts).flatMap((red) => redConcerns(red, scope)),
    ...partsConcerns(summary),
    ...(scope === 'fleet' ? fleetConcerns(summary, calls) : organizationConcerns(summary, calls)),
    ...callersConcerns(calls, scope),
    ...figuresConcerns(summary),
    ...activeAlertsConcerns(summary),
  ];
  const shown = found.length > 0 ? found : unansweredConcerns(calls, scope);
  return shown.sort((left, right) => Number(right.tone === 'bad') - Number(left.tone === 'bad'));
}

function organizationConcerns(summary: Summary, calls: CallFigures): Concern[] {
  const reds = redOrganization(summary, calls);
  const areCallsRed = reds.some(({ kind }) => kind === 'numbers' || kind === 'calls');
  return [
    ...reds.flatMap((red) => redConcerns(red, 'organization')),
    ...degradedConcerns(summary),
    ...(areCallsRed ? [] : amberCallsConcerns(calls, 'organization')),
  ];
}

function fleetConcerns({ fleet, alerts }: Summary, calls: CallFigures): Concern[] {
  const named = organizationsConcerns(fleet);
  const reds = redCalls(calls);
  const ofCalls = [
    ...reds.flatMap((red) => redConcerns(red, 'fleet')),
    ...(reds.length > 0 ? [] : amberCallsConcerns(calls, 'fleet')),
  ];
  return [
    ...fleetTrunksConcerns(fleet),
    // An organization whose calls fail says the same of the same calls, with its name.
    ...(named.length > 0 ? named : ofCalls),
    ...redAlerts(alerts).flatMap((red) => redConcerns(red, 'fleet')),
  ];
}

function redConcerns(red: RedReason<Failure, TrunkSummary>, scope: Scope): Concern[] {
  switch (red.kind) {
    case 'component':
      return [{ tone: 'bad', text: `${componentNames[red.component]}: down` }];
    case 'trunk':
      return unreachableConcerns(red.count, red.known);
    case 'numbers':
      return numbersConcerns(red.count, red.known);
    case 'calls':
      return [callsConcern('bad', red.failed, scope)];
    case 'registration':
      return [
        {
          tone: 'bad',
          text: `${count(red.count, 'registration')} failed`,
          href: '/trunks?state=unregistered',
        },
      ];
    case 'alert':
      return [
        {
          tone: 'bad',
          text: `${count(red.count, 'active alert')} reached no recipient`,
          href: '/alerts?state=active',
        },
      ];
  }
}

export interface Judged {
  readonly tone: Concern['tone'] | 'good' | 'idle';
  /** The whole page in one line. */
  readonly words: string;
  /** Worst first. */
  readonly concerns: readonly Concern[];
}

/** The verdict over everything that the overview shows. */
export function verdictOf(summary: Summary, calls: CallFigures, scope: Scope): Judged {
  const concerns = concernsOf(summary, calls, scope);
  const tone = concerns[0]?.tone ?? (isJudged(summary, calls) ? 'good' : 'idle');
  return { tone, words: verdictWords[tone], concerns };
}

const verdictWords: Readonly<Record<Judged['tone'], string>> = {
  bad: 'Needs attention',
  warn: 'Minor problems',
  good: 'All systems normal',
  idle: 'Nothing to judge yet',
};

/** Whether there is anything by which the service could be called well. */
export function isJudged({ trunk_counts: trunks, registrations }: Summary, calls: CallFigures): boolean {
  const attempts = calls.windows?.['24h'].attempts ?? 0;
  return (
    attempts > 0 || (calls.active ?? 0) > 0 || trunks.healthy > 0 || (registrations?.registered ?? 0) > 0
  );
}

function partsConcerns({ parts }: Summary): Concern[] {
  return Object.entries(componentNames).flatMap(([name, shown]) => {
    const state = parts[name as keyof typeof componentNames];
    return state === 'degraded' || state === 'unknown' ? [{ tone: 'warn', text: `${shown}: ${state}` }] : [];
  });
}

const degradedConcerns = ({ trunk_counts: counts }: Summary): Concern[] =>
  counts.degraded === 0
    ? []
    : [{ tone: 'warn', text: `${count(counts.degraded, 'trunk')} degraded`, href: '/trunks?state=degraded' }];

/** Unreachable trunks, by name and cause unless there are many. */
function unreachableConcerns(unreachable: number, known: readonly TrunkSummary[]): Concern[] {
  if (unreachable > namedTrunks || known.length < unreachable) {
    const text = `${count(unreachable, 'trunk')} unreachable`;
    return [{ tone: 'bad', text, href: '/trunks?state=unreachable' }];
  }
  return known.map(({ phone_number, cause }) => {
    const why = cause === null ? '' : `: ${decapitalized(cause).replace(/\.$/, '')}`;
    const text = `Trunk of ${numberText(phone_number)} unreachable${why}`;
    return { tone: 'bad', text, href: trunkAddress(phone_number) };
  });
}

/** Trunks of all organizations; the panel of the fleet lists them. */
function fleetTrunksConcerns(fleet: Fleet | null): Concern[] {
  const counts = fleet?.trunk_counts ?? null;
  if (counts === null) return [];
  const of = (found: number, what: string, tone: Concern['tone']): Concern[] =>
    found === 0
      ? []
      : [{ tone, text: `${count(found, 'trunk')} of all organizations ${what}`, href: '#fleet-trunks' }];
  return [
    ...of(counts.unreachable, 'unreachable', 'bad'),
    ...of(counts.unregistered, 'not registered', 'warn'),
    ...of(counts.degraded, 'degraded', 'warn'),
  ];
}

/** Numbers whose calls fail, by name unless there are many. */
function numbersConcerns(failing: number, known: readonly TrunkSummary[]): Concern[] {
  if (failing > namedTrunks || known.length < failing) {
    const text = `Calls fail on ${count(failing, 'number')}`;
    return [{ tone: 'bad', text, href: '/trunks?state=failing' }];
  }
  return known.map(({ phone_number, calls }) => ({
    tone: 'bad',
    text: failedWords(calls, numberText(phone_number)),
    href:
      calls.worst === null
        ? trunkAddress(phone_number)
        : `/calls${query({ number: phone_number, ...causeOf(calls.worst), span: calls.window })}`,
  }));
}

function organizationsConcerns(fleet: Fleet | null): Concern[] {
  const troubled = (fleet?.organizations ?? []).filter(
    ({ judged }) => judged.state === 'failing' || judged.state === 'degraded',
  );
  const failing = troubled.filter(({ judged }) => judged.state === 'failing');
  const concerns = troubled.slice(0, namedTrunks).map(({ id, name, judged }) => ({
    tone: judged.state === 'failing' ? ('bad' as const) : ('warn' as const),
    text: failedWords(judged, name),
    href: `/calls${query({
      scope: 'fleet',
      organization: id,
      ...(judged.worst === null ? { outcome: 'unsuccessful' } : causeOf(judged.worst)),
      span: judged.window,
    })}`,
  }));
  const unnamed = troubled.length - concerns.length;
  if (unnamed === 0) return concerns;
  const tone = failing.length > namedTrunks ? 'bad' : 'warn';
  return [
    ...concerns,
    { tone, text: `Calls fail for ${count(unnamed, 'more organization')}`, href: '#organizations' },
  ];
}

type Failure = WindowFigures['failures'][number];
type JudgedCalls = Pick<TrunkSummary['calls'], 'calls' | 'failed' | 'window' | 'worst'>;

const because = (worst: Failure | null | undefined): string => (worst ? `: ${failureWords(worst)}` : '');

const causeOf = ({ end_reason, sip_status }: Failure) => ({ end_reason, code: sip_status ?? undefined });

const failedWords = ({ calls, failed, window, worst }: JudgedCalls, whose: string): string =>
  `${whole(failed)} of ${count(calls, 'call')} of ${whose} failed in the last ${windowWords[window]}${because(worst)}`;

const addressOf = (scope: Scope, filters: Parameters<typeof query>[0]): string =>
  `/calls${query({ ...filters, scope: scope === 'fleet' ? 'fleet' : undefined })}`;

/** The shortest window that `has` what is asked for; undefined: none, or the windows are unknown. */
function shortest(
  { windows: figures }: CallFigures,
  has: (figures: WindowFigures) => boolean,
): { readonly window: WindowName; readonly figures: WindowFigures } | undefined {
  const window = figures === null ? undefined : windows.find((name) => has(figures[name]));
  return window === undefined ? undefined : { window, figures: figures![window] };
}

const callsConcern = (
  tone: Concern['tone'],
  { calls, failed, window, worst }: Omit<JudgedCalls, 'window'> & { readonly window: WindowName },
  scope: Scope,
): Concern => ({
  tone,
  text: `${whole(failed)} of ${count(calls, 'call')} failed in the last ${windowWords[window]}${because(worst)}`,
  href: addressOf(scope, { outcome: 'unsuccessful', span: window }),
});

/** Of calls that are not red. */
function amberCallsConcerns(calls: CallFigures, scope: Scope): Concern[] {
  const { windows: figures } = calls;
  if (figures === null) return [];
  const of = (window: WindowName): Concern[] => [
    callsConcern('warn', { ...figures[window].judged, window }, scope),
  ];
  const { state, span } = stateOfCalls([figures['5m'].judged, figures['1h'].judged], figures['24h'].judged);
  if (state === 'degraded') return of(windows[span]!);
  // Too few for a state, but not one that worked.
  const few = shortest(calls, ({ judged }) => judged.calls > 0);
  if (few === undefined || few.figures.judged.failed < few.figures.judged.calls) return [];
  return of(few.window);
}

/** Mistakes of callers: nothing here is broken, but their calls do not arrive. */
function callersConcerns(calls: CallFigures, scope: Scope): Concern[] {
  const sample = shortest(calls, ({ attempts }) => attempts >= leastCalls);
  if (sample === undefined) return [];
  const { attempts, judged, failures } = sample.figures;
  if (judged.caller_errors < attempts * callersShare) return [];
  const worst = failures.find(({ concerns }) => concerns === 'caller');
  return [
    {
      tone: 'warn',
      text: `${whole(judged.caller_errors)} of ${count(attempts, 'call')} in the last ${windowWords[sample.window]} were refused for a mistake of the caller${because(worst)}`,
      href: addressOf(scope, {
        ...(worst === undefined ? { outcome: 'unsuccessful' } : causeOf(worst)),
        span: sample.window,
      }),
    },
  ];
}

/** Whatever the cause: a service that answers no call is not called well. */
function unansweredConcerns(calls: CallFigures, scope: Scope): Concern[] {
  const sample = shortest(calls, ({ attempts }) => attempts >= leastCalls);
  if (sample === undefined || sample.figures.answered > 0) return [];
  return [
    {
      tone: 'warn',
      text: `None of ${count(sample.figures.attempts, 'call')} was answered in the last ${windowWords[sample.window]}`,
      href: addressOf(scope, { span: sample.window }),
    },
  ];
}

/** Old figures say nothing of now, and missing ones are not 0. */
function figuresConcerns({ figures, parts, alerts }: Summary): Concern[] {
  if (parts.database === 'down') return [];
  const says = 'PostgreSQL answers slowly or not at all';
  const concerns = Object.entries({ Calls: figures.calls, Trunks: figures.trunks }).flatMap(
    ([what, { state, as_of }]): Concern[] => {
      if (state === 'unknown') return [{ tone: 'warn', text: `${what} unknown: ${says}` }];
      if (as_of === null) return [];
      return [{ tone: 'warn', text: `${what} as of ${clockTime(as_of)}: ${says}` }];
    },
  );
  if (concerns.length > 0 || alerts !== null) return concerns;
  return [{ tone: 'warn', text: `Alerts unknown: ${says}` }];
}

const activeAlertsConcerns = ({ alerts }: Summary): Concern[] =>
  alerts === null || alerts.active === 0 || alerts.unnoticed > 0
    ? []
    : [{ tone: 'warn', text: count(alerts.active, 'active alert'), href: '/alerts?state=active' }];

import { stateOfCalls } from '../../../contract/failing-calls.js';
import { query } from '../../api/client.js';
import type { CallFigures, Summary, TrunkSummary, WindowFigures, WindowName } from '../../api/noc.js';
import { count } from '../../parts/format.js';
import { numberText } from '../../parts/number-text.js';
import { trunkAddress } from '../../parts/trunk-address.js';
import { failureWords } from '../call/end-reasons.js';

/** A condition that needs attention, and the page that shows exactly what it is about. */
export interface Concern {
  readonly tone: 'bad' | 'warn';
  readonly text: string;
  readonly href?: string;
}

const partNames = {
  edges: 'edges',
  media: 'media (rtpengine)',
  redis: 'Redis',
  database: 'PostgreSQL',
} as const;
const partConcerns: Readonly<Record<string, readonly [tone: Concern['tone'], says: string]>> = {
  down: ['bad', 'down'],
  degraded: ['warn', 'degraded'],
  unknown: ['warn', 'unknown'],
};

/** More failing trunks than this are one sentence. */
const namedTrunks = 2;
const windows: readonly WindowName[] = ['5m', '1h'];
const windowWords: Readonly<Record<string, string>> = { '5m': '5 minutes', '1h': 'hour' };

/** What needs attention, worst first; empty when nothing does. */
export function concernsOf(summary: Summary, calls: CallFigures, scope: 'organization' | 'fleet'): Concern[] {
  const found = [
    ...partsConcerns(summary),
    ...trunksConcerns(summary),
    // A trunk whose calls fail says the same of the same calls, with its name.
    ...(scope === 'organization' && summary.trunk_counts.failing > 0 ? [] : callsConcerns(calls, scope)),
    ...alertsConcerns(summary),
  ];
  return found.sort((left, right) => Number(right.tone === 'bad') - Number(left.tone === 'bad'));
}

/** Whether there is anything by which the service could be called well. */
export function isJudged({ trunk_counts: trunks, registrations }: Summary, calls: CallFigures): boolean {
  const attempts = calls.windows?.['24h'].attempts ?? 0;
  return (
    attempts > 0 || (calls.active ?? 0) > 0 || trunks.healthy > 0 || (registrations?.registered ?? 0) > 0
  );
}

function partsConcerns({ parts }: Summary): Concern[] {
  return Object.entries(partNames).flatMap(([name, shown]) => {
    const concern = partConcerns[parts[name as keyof typeof partNames]];
    return concern === undefined ? [] : [{ tone: concern[0], text: `${shown}: ${concern[1]}` }];
  });
}

function trunksConcerns({ trunk_counts: counts, trunks, registrations }: Summary): Concern[] {
  const concerns: Concern[] = [];
  if (counts.unreachable > 0) {
    concerns.push({
      tone: 'bad',
      text: `${count(counts.unreachable, 'trunk')} unreachable`,
      href: '/trunks?state=unreachable',
    });
  }
  const failing = trunks.filter(({ calls }) => calls.state === 'failing');
  if (counts.failing > namedTrunks) {
    concerns.push({
      tone: 'bad',
      text: `Calls fail on ${count(counts.failing, 'number')}`,
      href: '/trunks?state=failing',
    });
  } else concerns.push(...failing.map(failingTrunk));
  if (registrations !== null && registrations.failed > 0) {
    concerns.push({
      tone: 'bad',
      text: `${count(registrations.failed, 'registration')} failed`,
      href: '/trunks?state=unregistered',
    });
  }
  if (counts.degraded > 0) {
    concerns.push({
      tone: 'warn',
      text: `${count(counts.degraded, 'trunk')} degraded`,
      href: '/trunks?state=degraded',
    });
  }
  return concerns;
}

function failingTrunk({ phone_number, calls }: TrunkSummary): Concern {
  const { worst } = calls;
  return {
    tone: 'bad',
    text: `${calls.failed} of ${count(calls.calls, 'call')} of ${numberText(phone_number)} failed in the last ${windowWords[calls.window]}${because(worst)}`,
    href:
      worst === null
        ? trunkAddress(phone_number)
        : `/calls${query({ number: phone_number, end_reason: worst.end_reason, code: worst.sip_status ?? undefined, span: calls.window })}`,
  };
}

type Failure = WindowFigures['failures'][number];

const because = (worst: Failure | null | undefined): string => (worst ? `: ${failureWords(worst)}` : '');

function callsConcerns({ windows: figures }: CallFigures, scope: 'organization' | 'fleet'): Concern[] {
  if (figures === null) return [];
  const { state, span } = stateOfCalls(
    windows.map((name) => figures[name].judged),
    figures['24h'].judged,
  );
  if (state !== 'failing' && state !== 'degraded') return [];
  const window = windows[span]!;
  const { judged, failures } = figures[window];
  const [worst] = failures;
  return [
    {
      tone: state === 'failing' ? 'bad' : 'warn',
      text: `${judged.failed} of ${count(judged.calls, 'call')} failed in the last ${windowWords[window]}${because(worst)}`,
      href: `/calls${query({
        outcome: 'unsuccessful',
        span: window,
        scope: scope === 'fleet' ? 'fleet' : undefined,
      })}`,
    },
  ];
}

function alertsConcerns({ alerts }: Summary): Concern[] {
  if (alerts === null || alerts.active === 0) return [];
  if (alerts.unnoticed > 0) {
    return [
      {
        tone: 'bad',
        text: `${count(alerts.unnoticed, 'active alert')} reached no recipient`,
        href: '/alerts?state=active',
      },
    ];
  }
  return [{ tone: 'warn', text: count(alerts.active, 'active alert'), href: '/alerts?state=active' }];
}

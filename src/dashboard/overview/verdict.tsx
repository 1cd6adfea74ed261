import type { JSX } from 'preact';
import { activeAlerts } from '../api/alerts.js';
import type { Summary } from '../api/noc.js';
import { count } from '../parts/format.js';
import { State, type Tone } from '../parts/state.js';

interface Concern {
  readonly tone: Tone;
  readonly text: string;
  readonly href?: string;
}

const partNames = {
  edges: 'edges',
  media: 'media (rtpengine)',
  redis: 'Redis',
  database: 'PostgreSQL',
} as const;
const partConcerns: Readonly<Record<string, readonly [tone: Tone, says: string]>> = {
  down: ['bad', 'down'],
  degraded: ['warn', 'degraded'],
  unknown: ['warn', 'unknown'],
};

/** Conditions that need attention, worst first; empty when there are none. */
function concernsOf(
  { parts, trunk_counts, trunks, registrations }: Summary,
  alerts: number | undefined,
): readonly Concern[] {
  const concerns: Concern[] = [];
  for (const [name, shown] of Object.entries(partNames)) {
    const concern = partConcerns[parts[name as keyof typeof partNames]];
    if (concern !== undefined) concerns.push({ tone: concern[0], text: `${shown}: ${concern[1]}` });
  }
  if (trunk_counts.unreachable > 0) {
    concerns.push({
      tone: 'bad',
      text: `${count(trunk_counts.unreachable, 'trunk')} unreachable`,
      href: '/trunks',
    });
  }
  if (registrations !== null && registrations.failed > 0) {
    concerns.push({
      tone: 'bad',
      text: `${count(registrations.failed, 'registration')} failed`,
      href: '/trunks',
    });
  }
  const reduced = trunks.filter(
    ({ status, servers }) => status === 'healthy' && servers.unreachable > 0,
  ).length;
  if (reduced > 0) {
    concerns.push({
      tone: 'warn',
      text: `${count(reduced, 'trunk')} with a server unreachable`,
      href: '/trunks',
    });
  }
  if (alerts !== undefined && alerts > 0) {
    concerns.push({ tone: 'warn', text: `${count(alerts, 'active alert')}`, href: '/alerts' });
  }
  return concerns.sort((one, other) => Number(other.tone === 'bad') - Number(one.tone === 'bad'));
}

/** The summary of the whole page in one line. */
export function Verdict({ summary }: { summary: Summary }): JSX.Element {
  const concerns = concernsOf(summary, activeAlerts.value);
  const [worst] = concerns;
  return (
    <section class={`verdict ${worst?.tone ?? 'good'}`} aria-label="Verdict" aria-live="polite">
      {worst === undefined ? (
        <p class="verdict-line">
          <State tone="good">All systems normal</State>
        </p>
      ) : (
        <p class="verdict-line">
          <State tone={worst.tone}>{worst.tone === 'bad' ? 'Needs attention' : 'Minor problems'}</State>
        </p>
      )}
      <ul>
        {concerns.map(({ text, href }) => (
          <li key={text}>{href === undefined ? text : <a href={href}>{text}</a>}</li>
        ))}
      </ul>
    </section>
  );
}

import type { JSX } from 'preact';
import { connection, heardAt, scope } from '../../api/live.js';
import type { CallFigures, Summary } from '../../api/noc.js';
import { ago, count } from '../../parts/format.js';
import { State } from '../../parts/state.js';
import { now } from '../../parts/time.js';
import { verdictOf } from './concerns.js';

const shown = 3;

interface VerdictProps {
  readonly summary: Summary;
  readonly calls: CallFigures;
  /** False: for a screen on the wall, whose key opens no other page. */
  readonly isLinked?: boolean;
}

/** The summary of the whole page in one line, and its worst reasons. */
export function Verdict({ summary, calls, isLinked = true }: VerdictProps): JSX.Element {
  const { tone, words, concerns } = verdictOf(summary, calls, scope.value);
  // What was well a while ago may not be well now.
  const isStale = connection.value !== 'live';
  return (
    <section class={`verdict ${isStale ? 'idle' : tone}`} aria-label="Verdict" aria-live="polite">
      <p class="verdict-line">
        {isStale ? (
          <State tone="idle">{`Unknown: last update ${ago(heardAt.value ?? 0, now.value)}`}</State>
        ) : (
          <State tone={tone}>{words}</State>
        )}
      </p>
      <ul>
        {concerns.slice(0, shown).map(({ text, href }) => (
          <li key={text}>{href === undefined || !isLinked ? text : <a href={href}>{text}</a>}</li>
        ))}
        {concerns.length > shown && <li>{count(concerns.length - shown, 'other concern')}</li>}
        {tone === 'bad' && isLinked && (
          <li>
            <a href="/alerts/incidents?state=open">The story: first call, changes before, who was notified</a>
          </li>
        )}
        {tone === 'idle' && !isStale && <li>No call and no checked trunk in the last 24 hours.</li>}
      </ul>
    </section>
  );
}

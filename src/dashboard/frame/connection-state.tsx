import type { JSX } from 'preact';
import { lateRequests } from '../api/client.js';
import { connection, heardAt, problem } from '../api/live.js';
import { ago } from '../parts/format.js';
import { State } from '../parts/state.js';
import { now } from '../parts/time.js';

/** Shows whether the figures on the page are current; always visible. */
export function ConnectionState(): JSX.Element {
  const state = connection.value;
  return (
    <output class="connection" data-state={state}>
      {state === 'live' &&
        (lateRequests.value === 0 ? (
          <State tone="good">Live</State>
        ) : (
          <State tone="warn">
            Waiting for {lateRequests.value === 1 ? 'an answer' : `${lateRequests.value} answers`}
          </State>
        ))}
      {state === 'connecting' &&
        (problem.value === undefined ? (
          <State tone="busy">Connecting</State>
        ) : (
          <State tone="idle">No live data</State>
        ))}
      {state === 'reconnecting' && <State tone="warn">Reconnecting</State>}
    </output>
  );
}

/** Notice above the figures while they are stale. */
export function StaleNotice(): JSX.Element | null {
  if (connection.value !== 'reconnecting' || heardAt.value === undefined) return null;
  return (
    <div class="problem mild">
      <p>
        <strong>Connection lost.</strong> Last update {ago(heardAt.value, now.value)}. Updates resume when
        Demarc responds again.
      </p>
    </div>
  );
}

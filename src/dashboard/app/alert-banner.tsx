import type { JSX } from 'preact';
import { summary } from '../api/live.js';
import { count } from '../parts/format.js';

/** On every page: an alert that reached no recipient is known to the dashboard alone. */
export function AlertBanner(): JSX.Element | null {
  const unnoticed = summary.value?.alerts?.unnoticed ?? 0;
  if (unnoticed === 0) return null;
  return (
    <div class="problem alert-banner" role="alert">
      <p>
        <strong>{count(unnoticed, 'active alert')} reached no recipient.</strong> Every notice failed, or the
        trunk has no channel. <a href="/alerts?state=active">Show alerts</a>
      </p>
    </div>
  );
}

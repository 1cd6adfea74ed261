import type { JSX } from 'preact';
import { zone, zoneName } from '../parts/format.js';
import { now } from '../parts/time.js';

/** Names the time zone of all times, and changes between the browser's and UTC. */
export function ZoneSwitch({ isAlone = false }: { isAlone?: boolean }): JSX.Element {
  const isLocal = zone.value === 'local';
  return (
    <button
      type="button"
      class={`bare zone ${isAlone ? '' : 'wide-only'}`}
      title={isLocal ? 'Show times in UTC' : 'Show times in this browser’s zone'}
      onClick={() => {
        zone.value = isLocal ? 'utc' : 'local';
      }}
    >
      Times in {zoneName(now.value)}
    </button>
  );
}

import type { ComponentChildren, JSX } from 'preact';
import type { CallFigures, WindowName } from '../api/noc.js';
import { milliseconds, percent, rate, whole } from '../parts/format.js';

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly children?: ComponentChildren;
}

function Figure({ name, value, children }: FigureProps): JSX.Element {
  return (
    <div class="panel tile">
      <dt>{name}</dt>
      <dd>
        <span class="tile-value figure">{value}</span>
        <span class="tile-note figure">{children}</span>
      </dd>
    </div>
  );
}

export const windowWords: Readonly<Record<WindowName, string>> = {
  '5m': 'last 5 minutes',
  '1h': 'last hour',
  '24h': 'last 24 hours',
};

export function Figures({ calls, window }: { calls: CallFigures; window: WindowName }): JSX.Element {
  const ended = calls.windows?.[window];
  return (
    <dl class="tiles">
      <Figure name="Active calls" value={whole(calls.active)}>
        {calls.ringing === null ? 'unknown: Redis is down' : `and ${whole(calls.ringing)} being set up`}
      </Figure>
      <Figure name="Calls per second" value={rate(calls.calls_per_second)}>
        mean of 10 seconds
      </Figure>
      <Figure name="Answer rate" value={percent(ended?.answer_rate_percent)}>
        {ended === undefined
          ? 'PostgreSQL is down'
          : `${whole(ended.answered)} of ${whole(ended.attempts)}, ${windowWords[window]}`}
      </Figure>
      <Figure name="Failed or refused" value={whole(ended?.failed)}>
        {windowWords[window]}
      </Figure>
      <Figure name="Mean time to ringing" value={milliseconds(ended?.average_post_dial_delay_ms)}>
        to answer {milliseconds(ended?.average_setup_ms)}, {windowWords[window]}
      </Figure>
    </dl>
  );
}

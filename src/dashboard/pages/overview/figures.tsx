import type { ComponentChildren, JSX } from 'preact';
import { countActive, scope } from '../../api/live.js';
import { type CallFigures, type CallSeries, readCallSeries, type WindowName } from '../../api/noc.js';
import { useResource } from '../../api/resource.js';
import { milliseconds, percent, rate, whole } from '../../parts/format.js';
import { Trend } from '../../parts/sparkline.js';
import { type FigureTone, figureTones } from './figure-tones.js';

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly tone?: FigureTone;
  /** Of the last day, oldest first. */
  readonly trend: JSX.Element | null;
  readonly children?: ComponentChildren;
}

function Figure({ name, value, tone, trend, children }: FigureProps): JSX.Element {
  return (
    <div class="panel tile">
      <dt>{name}</dt>
      <dd>
        <span class={`tile-value figure ${tone === undefined ? '' : `${tone}-text`}`}>{value}</span>
        {trend}
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

const everyMilliseconds = 60_000;
/** Quarters of an hour are too short for rates of a quiet service. */
const quartersTogether = 4;

type Hour = { readonly attempts: number; readonly answered: number; readonly failed: number };

/** Sums of an hour each; the last one may be shorter. */
export function hoursOf({ buckets }: CallSeries): readonly Hour[] {
  const hours: Hour[] = [];
  for (let at = 0; at < buckets.length; at += quartersTogether) {
    const group = buckets.slice(at, at + quartersTogether);
    const sum = (of: (bucket: CallSeries['buckets'][number]) => number): number =>
      group.reduce((total, bucket) => total + of(bucket), 0);
    hours.push({
      attempts: sum(({ attempts }) => attempts),
      answered: sum(({ answered }) => answered),
      failed: sum((bucket) => bucket.failed + bucket.bad_audio),
    });
  }
  return hours;
}

/** `92 % yesterday`: the same window a day earlier. */
const yesterday = (shown: string, attempts: number | undefined): string =>
  (attempts ?? 0) === 0 ? 'no calls at this time yesterday' : `${shown} at this time yesterday`;

export function Figures({ calls, window }: { calls: CallFigures; window: WindowName }): JSX.Element {
  const ended = calls.windows?.[window];
  const before = ended?.day_before;
  const tones = ended === undefined ? undefined : figureTones(ended);
  const series = useResource(
    `trends ${scope.value}`,
    (signal) => readCallSeries('24h', scope.value, signal),
    { everyMilliseconds },
  );
  const hours = series.data === undefined ? [] : hoursOf(series.data);
  const { active, ringing } = calls.active === null ? calls : (countActive() ?? calls);
  return (
    <dl class="tiles">
      <Figure
        name="Active calls"
        value={whole(active)}
        trend={
          <Trend
            label="Calls of the last 24 hours"
            values={hours.map(({ attempts }) => attempts)}
            least={0}
          />
        }
      >
        {ringing === null
          ? 'unknown: Redis is down'
          : `${whole(ringing)} being set up, ${rate(calls.calls_per_second)} new per second`}
      </Figure>
      <Figure
        name="Answer rate"
        value={percent(ended?.answer_rate_percent, 0)}
        tone={tones?.answerRate}
        trend={
          <Trend
            label="Answer rate of the last 24 hours"
            values={hours.map(({ attempts, answered }) => (attempts === 0 ? null : answered / attempts))}
            colour="good"
            least={0}
            most={1}
          />
        }
      >
        {ended === undefined ? (
          'PostgreSQL is down'
        ) : (
          <>
            {whole(ended.answered)} of {whole(ended.attempts)}, {windowWords[window]}
            <br />
            {yesterday(percent(before?.answer_rate_percent, 0), before?.attempts)}
          </>
        )}
      </Figure>
      <Figure
        name="Failed or refused"
        value={whole(ended?.failed)}
        tone={tones?.failed}
        trend={
          <Trend
            label="Failures of the last 24 hours"
            values={hours.map(({ failed }) => failed)}
            colour="bad"
            least={0}
          />
        }
      >
        {ended !== undefined && (
          <>
            {ended.bad_audio > 0 && <b class="warn-text">and {whole(ended.bad_audio)} with bad audio, </b>}
            {windowWords[window]}
            <br />
            {yesterday(whole(before?.failed), before?.attempts)}
          </>
        )}
      </Figure>
      <Figure
        name="Mean time to ringing"
        value={milliseconds(ended?.average_post_dial_delay_ms)}
        trend={
          <Trend
            label="Mean time to ringing, last 24 hours"
            values={(series.data?.buckets ?? []).map(({ average_post_dial_delay_ms: delay }) => delay)}
          />
        }
      >
        to answer {milliseconds(ended?.average_setup_ms)}
        <br />
        {yesterday(milliseconds(before?.average_post_dial_delay_ms), before?.attempts)}
      </Figure>
    </dl>
  );
}

import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { query } from '../../api/client.js';
import { scope } from '../../api/live.js';
import { type CallSeries, readCallSeries, type SeriesWindow, seriesWindows } from '../../api/noc.js';
import { useResource } from '../../api/resource.js';
import { Choice } from '../../parts/choice.js';
import { whole } from '../../parts/format.js';
import { Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { Plot } from '../../parts/plot.js';

const everyMilliseconds = 30_000;
const names: Readonly<Record<SeriesWindow, string>> = {
  '1h': '1 h',
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
};

interface CallSeriesPanelProps {
  readonly window: SeriesWindow;
  /** Absent: nothing can be chosen, and no bar leads to its calls. */
  readonly onWindow?: (window: SeriesWindow) => void;
}

export function CallSeriesPanel({ window, onWindow }: CallSeriesPanelProps): JSX.Element {
  const series = useResource(
    `${window} ${scope.value}`,
    (signal) => readCallSeries(window, scope.value, signal),
    { everyMilliseconds },
  );
  return (
    <Panel
      title="Calls over time"
      aside={
        onWindow && (
          <Choice
            label="Time shown"
            value={window}
            options={seriesWindows.map((width) => [width, names[width]] as const)}
            onChange={onWindow}
          />
        )
      }
    >
      <Loaded what="calls over time" from={series}>
        {(data) => <SeriesPlot data={data} window={names[window]} isLinked={onWindow !== undefined} />}
      </Loaded>
    </Panel>
  );
}

interface SeriesPlotProps {
  readonly data: CallSeries;
  readonly window: string;
  readonly isLinked: boolean;
}

function SeriesPlot({ data, window, isLinked }: SeriesPlotProps): JSX.Element {
  const { buckets, bucket_seconds: seconds } = data;
  const times = useMemo(() => buckets.map(({ at }) => at), [buckets]);
  const bars = useMemo(
    () =>
      [
        {
          name: 'Failed or refused',
          values: buckets.map(({ failed }) => failed),
          colour: 'bad',
          kind: 'bars',
        },
        {
          name: 'Bad audio',
          values: buckets.map(({ bad_audio }) => bad_audio),
          colour: 'warn',
          kind: 'bars',
        },
        {
          name: 'Answered',
          values: buckets.map(({ answered, bad_audio }) => Math.max(0, answered - bad_audio)),
          colour: 'accent',
          kind: 'bars',
        },
        {
          name: 'Not answered',
          values: buckets.map(({ attempts, answered, failed }) => Math.max(0, attempts - answered - failed)),
          colour: 'strong-line',
          kind: 'bars',
        },
      ] as const,
    [buckets],
  );
  const sum = (of: (bucket: CallSeries['buckets'][number]) => number): number =>
    buckets.reduce((total, bucket) => total + of(bucket), 0);
  const total = sum(({ attempts }) => attempts);
  const hrefOf = (index: number): string | undefined => {
    const bucket = buckets[index];
    if (bucket === undefined || bucket.attempts === 0) return undefined;
    return `/calls${query({
      scope: scope.value === 'fleet' ? 'fleet' : undefined,
      ended_after: bucket.at,
      ended_before: new Date(Date.parse(bucket.at) + seconds * 1_000).toISOString(),
    })}`;
  };
  return (
    <Plot
      label={`Calls over ${window}: ${total} in all, ${sum(({ failed }) => failed)} failed or refused, ${sum(({ bad_audio }) => bad_audio)} with bad audio`}
      times={times}
      series={bars}
      format={whole}
      axis="Calls"
      atLeast={4}
      bucketSeconds={seconds}
      isStacked
      {...(isLinked ? { hrefOf } : {})}
    />
  );
}

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { scope } from '../api/live.js';
import { type CallSeries, readCallSeries, type SeriesWindow, seriesWindows } from '../api/noc.js';
import { useResource } from '../api/resource.js';
import { Choice } from '../parts/choice.js';
import { whole } from '../parts/format.js';
import { Loaded } from '../parts/notice.js';
import { Panel } from '../parts/panel.js';
import { Plot } from '../parts/plot.js';

const everyMilliseconds = 30_000;
const names: Readonly<Record<SeriesWindow, string>> = {
  '1h': '1 h',
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
};

export function CallSeriesPanel(): JSX.Element {
  const [window, setWindow] = useState<SeriesWindow>('1h');
  const series = useResource(
    `${window} ${scope.value}`,
    (signal) => readCallSeries(window, scope.value, signal),
    { everyMilliseconds },
  );
  return (
    <Panel
      title="Calls over time"
      aside={
        <Choice
          label="Time shown"
          value={window}
          options={seriesWindows.map((one) => [one, names[one]] as const)}
          onChange={setWindow}
        />
      }
    >
      <Loaded what="calls over time" from={series}>
        {(data) => <SeriesPlot data={data} window={names[window]} />}
      </Loaded>
    </Panel>
  );
}

function SeriesPlot({ data, window }: { data: CallSeries; window: string }): JSX.Element {
  const { buckets } = data;
  const times = useMemo(() => buckets.map(({ at }) => at), [buckets]);
  const lines = useMemo(
    () =>
      [
        { name: 'Calls', values: buckets.map(({ attempts }) => attempts), colour: 'accent', kind: 'bars' },
        {
          name: 'Failed or refused',
          values: buckets.map(({ failed }) => failed),
          colour: 'bad',
          kind: 'bars',
        },
      ] as const,
    [buckets],
  );
  const total = buckets.reduce((sum, { attempts }) => sum + attempts, 0);
  const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
  return (
    <Plot
      label={`Calls over ${window}: ${total} in all, ${failed} failed or refused`}
      times={times}
      series={lines}
      format={whole}
      atLeast={4}
      bucketSeconds={data.bucket_seconds}
    />
  );
}

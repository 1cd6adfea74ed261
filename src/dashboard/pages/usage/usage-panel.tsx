import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.js';
import type { Usage, UsageQuery } from '../../api/usage.js';
import { Choice } from '../../parts/choice.js';
import { whole } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Facts, Panel, TableHead, WideTable } from '../../parts/panel.js';
import { Plot } from '../../parts/plot.js';
import { firstDayOf, minutesText, type Span, spans } from './usage-days.js';

interface UsagePanelProps {
  /** Whose usage it is, to tell one answer from another. */
  readonly name: string;
  readonly read: (period: UsageQuery, signal?: AbortSignal) => Promise<Usage>;
}

/** Calls, minutes and peaks by day. */
export function UsagePanel({ name, read }: UsagePanelProps): JSX.Element {
  const [span, setSpan] = useState<Span>('30');
  const usage = useResource(`usage ${name} ${span}`, (signal) =>
    read({ from: firstDayOf(span, Date.now()) }, signal),
  );
  return (
    <Panel
      title="Usage by day"
      note="A call counts once it has ended, on the day on which it started (UTC)."
      aside={<Choice label="Days" value={span} options={spans} onChange={setSpan} />}
    >
      <Loaded what="usage" from={usage}>
        {(data) => <UsageDays usage={data} />}
      </Loaded>
    </Panel>
  );
}

export function UsageDays({ usage }: { usage: Usage }): JSX.Element {
  const { total, days } = usage;
  if (total.calls === 0) return <Empty title="No calls in these days" />;
  const peak = Math.max(...days.map(({ peak_concurrent_calls }) => peak_concurrent_calls ?? 0));
  return (
    <>
      <Facts
        rows={[
          ['Calls', whole(total.calls)],
          ['Answered', whole(total.answered_calls)],
          ['Minutes', minutesText(total.minutes)],
          ['Highest peak', whole(peak)],
        ]}
      />
      <Plot
        label={`Calls by day: ${total.calls} in all, ${total.answered_calls} answered`}
        times={days.map(({ date }) => `${date}T00:00:00Z`)}
        series={[
          {
            name: 'Inbound',
            values: days.map(({ inbound }) => inbound.calls),
            colour: 'accent',
            kind: 'bars',
          },
          {
            name: 'Outbound',
            values: days.map(({ outbound }) => outbound.calls),
            colour: 'strong-line',
            kind: 'bars',
          },
        ]}
        format={whole}
        axis="Calls"
        bucketSeconds={86_400}
        isStacked
      />
      <WideTable label="Usage by day, newest first">
        <TableHead
          columns={{
            Day: '',
            Calls: 'number',
            Answered: 'number',
            Minutes: 'number',
            Peak: 'number',
            'Minutes in': 'number wide-only',
            'Minutes out': 'number wide-only',
          }}
        />
        <tbody>
          {days
            .filter(({ calls }) => calls > 0)
            .toReversed()
            .map((day) => (
              <tr key={day.date}>
                <th scope="row" class="figure">
                  {day.date}
                </th>
                <td class="number figure">{whole(day.calls)}</td>
                <td class="number figure">{whole(day.answered_calls)}</td>
                <td class="number figure">{minutesText(day.minutes)}</td>
                <td class="number figure">
                  {day.peak_concurrent_calls === null ? '–' : whole(day.peak_concurrent_calls)}
                </td>
                <td class="number figure wide-only">{minutesText(day.inbound.minutes)}</td>
                <td class="number figure wide-only">{minutesText(day.outbound.minutes)}</td>
              </tr>
            ))}
        </tbody>
      </WideTable>
    </>
  );
}

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.js';
import type { BreakdownQuery, Usage, UsageGroups, UsageSource } from '../../api/usage.js';
import { Choice } from '../../parts/choice.js';
import { whole } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Facts, Panel, TableHead, WideTable } from '../../parts/panel.js';
import { PhoneNumber } from '../../parts/phone-number.js';
import { Plot } from '../../parts/plot.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { Untrusted } from '../../parts/untrusted.js';
import { firstDayOf, minutesText, type Span, spans, toneOf } from './usage-days.js';

interface UsagePanelProps {
  /** Whose usage it is, to tell one answer from another. */
  readonly name: string;
  readonly source: UsageSource;
}

/** Calls, minutes and peaks by day, how much of its limits the organization uses, and the same calls by number and agent. */
export function UsagePanels({ name, source }: UsagePanelProps): JSX.Element {
  const [span, setSpan] = useState<Span>('30');
  const [by, setBy] = useState<BreakdownQuery['by']>('number');
  const from = firstDayOf(span, Date.now());
  const usage = useResource(`usage ${name} ${from}`, (signal) => source.read({ from }, signal));
  const groups = useResource(`usage ${name} ${from} ${by}`, (signal) =>
    source.readGroups({ by, from }, signal),
  );
  return (
    <>
      <Panel
        title="Usage by day"
        note="A call counts once it has ended, on the day on which it started (UTC)."
        aside={<Choice label="Days" value={span} options={spans} onChange={setSpan} />}
      >
        <Loaded what="usage" from={usage}>
          {(data) => (
            <>
              <UsedLimits limits={data.limits} />
              <NumberLimits limits={data.number_limits} />
              <UsageDays usage={data} />
            </>
          )}
        </Loaded>
      </Panel>
      <Panel
        title="Usage by number and agent"
        aside={<Choice label="Group calls" value={by} options={groupings} onChange={setBy} />}
      >
        <Loaded what="usage" from={groups}>
          {(list) => <Groups groups={list} by={by} />}
        </Loaded>
      </Panel>
    </>
  );
}

const groupings = [
  ['number', 'By number'],
  ['agent', 'By agent'],
] as const;

const limitNames: Readonly<Record<Usage['limits'][number]['kind'], readonly [name: string, unit: string]>> = {
  concurrent_calls: ['Concurrent calls', 'at once'],
  minutes_per_month: ['Minutes this month', 'minutes'],
};

/** What is used of each limit, and whether its contacts were notified. */
export function UsedLimits({ limits }: Pick<Usage, 'limits'>): JSX.Element | null {
  if (limits.length === 0) return null;
  return (
    <ul class="used-limits" aria-label="Limits">
      {limits.map(({ kind, measured, limit, percent, notified_at }) => {
        const [name, unit] = limitNames[kind];
        return (
          <li key={kind}>
            <p>
              <b>{name}</b>: <span class="figure">{minutesText(measured)}</span> of{' '}
              <span class="figure">{whole(limit)}</span> {unit}{' '}
              <State tone={toneOf(percent)}>{percent} %</State>
            </p>
            <meter
              min={0}
              max={limit}
              value={Math.min(measured, limit)}
              aria-label={`${name}: ${percent} %`}
            />
            {notified_at !== null && (
              <p class="note">
                80 % reached; alert contacts notified <When at={notified_at} />
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Numbers, and trunks that numbers share, that came near their limits today. */
export function NumberLimits({ limits }: { limits: Usage['number_limits'] }): JSX.Element | null {
  if (limits.length === 0) return null;
  return (
    <WideTable label="Numbers near their limit today, the fullest first">
      <TableHead
        columns={{
          'Near its limit today': '',
          Direction: '',
          'Active calls': 'number',
          Limit: 'number',
          Used: 'number',
          Notified: 'wide-only',
        }}
      />
      <tbody>
        {limits.map(({ phone_number, trunk_id, direction, measured, limit, percent, notified_at }) => (
          <tr key={`${phone_number} ${trunk_id} ${direction}`}>
            <th scope="row" class="breakable">
              {phone_number === null ? (
                <a href={`/trunks/shared/${trunk_id}`}>Shared trunk {trunk_id}</a>
              ) : (
                <a href={`/trunks/${phone_number.slice(1)}`}>
                  <PhoneNumber text={phone_number} />
                </a>
              )}
            </th>
            <td>{direction}</td>
            <td class="number figure">{whole(measured)}</td>
            <td class="number figure">{whole(limit)}</td>
            <td class="number">
              <State tone={toneOf(percent)}>{percent} %</State>
            </td>
            <td class="wide-only">{notified_at === null ? 'Not yet' : <When at={notified_at} />}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

export function Groups({ groups, by }: { groups: UsageGroups; by: BreakdownQuery['by'] }): JSX.Element {
  if (groups.length === 0) return <Empty title="No calls in these days" />;
  return (
    <WideTable label={`Usage by ${by}, the most minutes first`}>
      <TableHead
        columns={{
          [by === 'number' ? 'Number' : 'Agent']: '',
          Calls: 'number',
          Answered: 'number',
          Minutes: 'number',
          Inbound: 'number wide-only',
          Outbound: 'number wide-only',
        }}
      />
      <tbody>
        {groups.map((group) => (
          <tr key={`${group.phone_number} ${group.agent}`}>
            <th scope="row" class="breakable">
              {group.phone_number !== null ? (
                <a href={`/trunks/${group.phone_number.slice(1)}`}>
                  <PhoneNumber text={group.phone_number} />
                </a>
              ) : group.agent !== null ? (
                <Untrusted text={group.agent} />
              ) : (
                <span class="muted">{by === 'number' ? 'No number' : 'No agent, or unknown'}</span>
              )}
            </th>
            <td class="number figure">{whole(group.calls)}</td>
            <td class="number figure">{whole(group.answered_calls)}</td>
            <td class="number figure">{minutesText(group.minutes)}</td>
            <td class="number figure wide-only">{whole(group.inbound.calls)}</td>
            <td class="number figure wide-only">{whole(group.outbound.calls)}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
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

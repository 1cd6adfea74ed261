import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { summary } from '../../api/live.js';
import { type HealthHistory, type HealthWindow, healthWindows, readHealthHistory } from '../../api/noc.js';
import type { Resource } from '../../api/resource.js';
import { useResource } from '../../api/resource.js';
import type { TrunkStatus } from '../../api/trunks.js';
import { Choice } from '../../parts/choice.js';
import { bucketTime, count, milliseconds, percent } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { Plot } from '../../parts/plot.js';
import { NamedState } from '../../parts/state.js';
import { Ago, now, When } from '../../parts/time.js';
import { isWholeWindow } from './checked-windows.js';
import { HourOfCalls, TrunkCallState } from './trunk-calls.js';
import { reachability } from './trunk-note.js';

const windowNames: Readonly<Record<HealthWindow, string>> = { '24h': '24 h', '7d': '7 d', '30d': '30 d' };
const everyMilliseconds = 60_000;

/** Reachability of the customer's servers, now and over time. */
export function HealthPanel({
  phoneNumber,
  status,
}: {
  phoneNumber: string;
  status: Resource<TrunkStatus>;
}): JSX.Element {
  const [window, setWindow] = useState<HealthWindow>('24h');
  const history = useResource(
    `${phoneNumber} ${window}`,
    (signal) => readHealthHistory(phoneNumber, window, signal),
    { everyMilliseconds },
  );
  // The summary lists the worst trunks first: one that is missing has nothing to say of its calls.
  const recent = summary.value?.trunks.find((trunk) => trunk.phone_number === phoneNumber);
  return (
    <Panel
      title="Health"
      aside={
        <Choice
          label="Time shown"
          value={window}
          options={healthWindows.map((name) => [name, windowNames[name]] as const)}
          onChange={setWindow}
        />
      }
    >
      {recent !== undefined && (
        <div class="trunk-hour">
          <TrunkCallState {...recent} />
          <HourOfCalls {...recent} />
        </div>
      )}
      <Loaded what="health" from={status}>
        {(data) => <Now status={data} />}
      </Loaded>
      <Loaded what="health over time" from={history}>
        {({ endpoints, bucket_seconds }) => (
          <>
            {endpoints.map((endpoint) => (
              <EndpointHistory
                endpoint={endpoint}
                bucketSeconds={bucket_seconds}
                window={window}
                key={endpoint.endpoint}
              />
            ))}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

export function Now({ status }: { status: TrunkStatus }): JSX.Element {
  if (status.endpoints.length === 0) {
    return <Empty title="Nothing to check">The number is inbound only: it has no server to probe.</Empty>;
  }
  return (
    <div class="health-now">
      <p>
        <NamedState name={reachability(status)} />{' '}
        <span class="muted">
          {status.response_time_ms !== null && `responds in ${milliseconds(status.response_time_ms)}`}
          {status.checked_at !== null && (
            <>
              {status.response_time_ms !== null && ', '}checked <Ago at={status.checked_at} />
            </>
          )}
        </span>
      </p>
      {status.status === 'unreachable' && (
        <Advice cause={status.cause} advice={status.advice} detail={status.detail} />
      )}
      <table class="plain">
        <caption class="unseen">Uptime and mean response time</caption>
        <thead>
          <tr>
            <td />
            {healthWindows.map((name) => (
              <th scope="col" class="number" key={name}>
                {windowNames[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {status.endpoints.map((endpoint) => (
            <tr key={endpoint.endpoint}>
              <th scope="row" class="breakable">
                {status.endpoints.length > 1 && <span class="mono">{endpoint.endpoint}</span>}
                <small class="under">Uptime, mean OPTIONS response time</small>
                {endpoint.checked_since !== null && (
                  <small class="under">
                    Checked since <When at={endpoint.checked_since} />
                  </small>
                )}
              </th>
              {healthWindows.map((name) => (
                <td class="number figure" key={name}>
                  {isWholeWindow(name, endpoint.checked_since, now.value) ? (
                    <>
                      {percent(endpoint.uptime_percent[name], 2)}
                      <small class="under">{milliseconds(endpoint.average_response_time_ms[name])}</small>
                    </>
                  ) : (
                    <span title="Not checked for so long yet">{percent(null, 2)}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface AdviceProps {
  readonly cause?: string | null | undefined;
  readonly advice?: string | null | undefined;
  readonly detail?: string | null | undefined;
}

/** The cause of the failure and what to do about it. */
export function Advice({ cause, advice, detail }: AdviceProps): JSX.Element | null {
  if (!cause && !detail) return null;
  return (
    <div class="explanation refusal">
      {cause && (
        <p>
          <b>{cause}</b>
        </p>
      )}
      {advice && <p>{advice}</p>}
      {detail && <p class="muted">{detail}</p>}
    </div>
  );
}

type Endpoint = HealthHistory['endpoints'][number];

interface EndpointHistoryProps {
  readonly endpoint: Endpoint;
  readonly bucketSeconds: number;
  readonly window: HealthWindow;
}

export function EndpointHistory({ endpoint, bucketSeconds, window }: EndpointHistoryProps): JSX.Element {
  const { buckets } = endpoint;
  const times = useMemo(() => buckets.map(({ at }) => at), [buckets]);
  const series = useMemo(
    () =>
      [
        {
          name: 'Response time',
          values: buckets.map(({ response_time_ms }) => response_time_ms),
          colour: 'accent',
          kind: 'line',
        },
      ] as const,
    [buckets],
  );
  return (
    <section class="endpoint-history" aria-label={endpoint.endpoint}>
      <h3>
        <span class="mono breakable">{endpoint.endpoint}</span>{' '}
        <span class="muted figure">{uptimeWords(endpoint, window)}</span>
      </h3>
      <UptimeStrip buckets={buckets} bucketSeconds={bucketSeconds} unit={units[window]} />
      {series[0].values.some((value) => value !== null) ? (
        <Plot
          label={`Response time of ${endpoint.endpoint} over ${windowNames[window]}`}
          times={times}
          series={series}
          format={milliseconds}
          axis="Response time"
          bucketSeconds={bucketSeconds}
          height={150}
        />
      ) : (
        <p class="note">No response time: no response yet.</p>
      )}
    </section>
  );
}

/** A share of a day says little after a quarter of an hour of checks: then it is the checks that are counted. */
function uptimeWords({ buckets, uptime_percent: up, checked_since }: Endpoint, window: HealthWindow): string {
  const all = buckets.reduce((sum, { checks }) => sum + checks, 0);
  if (up === null || all === 0) return 'not checked yet';
  if (checked_since === null || isWholeWindow(window, checked_since, now.value)) {
    return `${percent(up, 2)} up over ${windowNames[window]}`;
  }
  return `reachable in ${Math.round((up / 100) * all)} of ${count(all, 'check')} since ${bucketTime(checked_since, 0)}`;
}

const units: Readonly<Record<HealthWindow, string>> = {
  '24h': 'hour',
  '7d': 'six-hour interval',
  '30d': 'day',
};
/** One failed check in a day must stay visible. */
const mostPartly = 88;

/** One bar per interval: its height is the uptime, the remainder is red. */
interface UptimeStripProps {
  readonly buckets: Endpoint['buckets'];
  readonly bucketSeconds: number;
  readonly unit: string;
}

function UptimeStrip({ buckets, bucketSeconds, unit }: UptimeStripProps): JSX.Element {
  const measured = buckets.filter(({ uptime_percent }) => uptime_percent !== null);
  const bad = measured.filter(({ uptime_percent }) => uptime_percent! < 100);
  const label =
    measured.length === 0
      ? 'Uptime: not checked yet'
      : bad.length === 0
        ? 'Uptime: no failed check'
        : `Uptime: failed checks in ${bad.length} of ${count(measured.length, unit)}, most recently ${bucketTime(bad.at(-1)!.at, bucketSeconds)}`;
  return (
    <>
      <div class="uptime" role="img" aria-label={label}>
        {buckets.map(({ at, uptime_percent: up, checks }) => (
          <span
            key={at}
            class={up === null ? 'unknown' : up >= 100 ? 'up' : 'partly'}
            title={`${bucketTime(at, bucketSeconds)}: ${up === null ? 'not checked' : `${percent(up, 1)} up, ${checks} checks`}`}
          >
            <i style={{ height: up === null ? '0' : `${up >= 100 ? 100 : Math.min(up, mostPartly)}%` }} />
          </span>
        ))}
      </div>
      <p class="note">{label}.</p>
    </>
  );
}

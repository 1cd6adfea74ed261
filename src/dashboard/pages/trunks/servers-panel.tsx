import type { JSX } from 'preact';
import { useAction } from '../../api/action.js';
import { type EndpointStatus, failBack, type TrunkStatus } from '../../api/trunks.js';
import { milliseconds, percent, spoken } from '../../parts/format.js';
import { Panel } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';
import { Ago, When } from '../../parts/time.js';
import { Advice } from './health-panel.js';
import { reachability } from './trunk-note.js';

interface ServersPanelProps {
  readonly phoneNumber: string;
  readonly status: TrunkStatus;
  readonly onChanged: () => void;
}

/** The servers for outbound calls from the number, in order of preference, and the one in use. */
export function ServersPanel({ phoneNumber, status, onChanged }: ServersPanelProps): JSX.Element | null {
  if (status.endpoints.length === 0) return null;
  const { failover } = status;
  return (
    <Panel title={status.endpoints.length === 1 ? 'Server' : 'Servers and failover'}>
      {failover?.failed_over && (
        <div class="problem mild">
          <p>
            <strong>Calls go to a backup</strong> since{' '}
            {failover.since !== null && <Ago at={failover.since} />}: the first server failed (
            {spoken(failover.reason ?? 'unknown')}).{' '}
            {failover.failback === 'auto'
              ? 'They return automatically after several successful probes in a row.'
              : 'They stay there until you fail back.'}
          </p>
          <FailBack phoneNumber={phoneNumber} onChanged={onChanged} />
        </div>
      )}
      <ol class="servers">
        {status.endpoints.map((endpoint, index) => (
          <Server
            key={endpoint.endpoint}
            endpoint={endpoint}
            place={index}
            isNamedAbove={status.status === 'unreachable' && status.detail === endpoint.detail}
            isActive={failover != null && failover.active === endpoint.endpoint}
            out={failover?.out.find((outage) => outage.endpoint === endpoint.endpoint)}
          />
        ))}
      </ol>
    </Panel>
  );
}

interface ServerProps {
  readonly endpoint: EndpointStatus;
  readonly place: number;
  readonly isActive: boolean;
  /** The health panel above already explains this failure. */
  readonly isNamedAbove: boolean;
  readonly out: NonNullable<TrunkStatus['failover']>['out'][number] | undefined;
}

const places = ['Primary', 'Secondary', 'Tertiary'];

function Server({ endpoint, place, isActive, isNamedAbove, out }: ServerProps): JSX.Element {
  return (
    <li class="server">
      <div class="server-head">
        <span>
          <span class="muted">{places[place] ?? `Server ${place + 1}`}</span>{' '}
          <b class="mono breakable">{endpoint.endpoint}</b>
        </span>
        {isActive && <span class="chip">in use</span>}
        <NamedState name={reachability(endpoint)} />
      </div>
      <p class="note figure">
        {percent(endpoint.uptime_percent['24h'], 2)} up in 24 h
        {endpoint.response_time_ms !== null && `, responds in ${milliseconds(endpoint.response_time_ms)}`}
        {endpoint.sip_code !== null && ` with ${endpoint.sip_code}`}
        {endpoint.evidence === 'call' && ', ignores OPTIONS but recently took a call'}
        {endpoint.checked_at !== null && (
          <>
            , checked <Ago at={endpoint.checked_at} />
          </>
        )}
      </p>
      {out !== undefined && (
        <p class="note">
          Bypassed since <When at={out.since} />: {spoken(out.reason)}, {out.detail}. Successful probes since:{' '}
          <span class="figure">{out.healthy_probes}</span>.
        </p>
      )}
      {endpoint.status === 'unreachable' && <Reason endpoint={endpoint} isNamedAbove={isNamedAbove} />}
      {endpoint.targets.length > 0 && (
        <ul class="targets">
          {endpoint.targets.map((target) => (
            <li key={target.address}>
              <span class="figure">{target.address}</span> <NamedState name={target.status} />{' '}
              <span class="muted figure">
                {target.response_time_ms === null ? '' : milliseconds(target.response_time_ms)}
                {target.sip_code === null ? '' : `, ${target.sip_code}`}
              </span>
              {target.retry_at !== null && (
                <span class="muted">
                  {' '}
                  no probe before <When at={target.retry_at} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Reason({ endpoint, isNamedAbove }: Pick<ServerProps, 'endpoint' | 'isNamedAbove'>): JSX.Element {
  const { cause, advice, detail } = endpoint;
  return isNamedAbove ? <p>{cause}</p> : <Advice cause={cause} advice={advice} detail={detail} />;
}

function FailBack({ phoneNumber, onChanged }: { phoneNumber: string; onChanged: () => void }): JSX.Element {
  const { isBusy, problem, follow } = useAction();
  const act = (): void => follow(failBack(phoneNumber), onChanged);
  return (
    <>
      <button type="button" class="small" onClick={act} disabled={isBusy}>
        Fail back to the first server
      </button>
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem.message}
        </p>
      )}
    </>
  );
}

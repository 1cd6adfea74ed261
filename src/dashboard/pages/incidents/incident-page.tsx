import type { JSX, TargetedSubmitEvent } from 'preact';
import { useRoute } from 'preact-iso';
import { useAction } from '../../api/action.js';
import { query } from '../../api/client.js';
import { handleIncident, type IncidentStory, readIncident } from '../../api/incidents.js';
import { may, whyNot } from '../../api/members.js';
import { useResource } from '../../api/resource.js';
import { isOperator, session } from '../../api/session.js';
import { Page } from '../../frame/page.js';
import { Back } from '../../parts/back.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { trunkAddress } from '../../parts/trunk-address.js';
import { Untrusted } from '../../parts/untrusted.js';
import { endReasonWords } from '../call/end-reasons.js';
import { IncidentState, IncidentTimes } from './incident-words.js';

const everyMilliseconds = 10_000;
/** The calls that turned the verdict red ended within the hour before. */
const judgedMilliseconds = 3_600_000;

/** One incident from its first call to its recovery. */
export function IncidentPage(): JSX.Element {
  const { params } = useRoute();
  const id = params.id ?? '';
  const story = useResource(id, (signal) => readIncident(id, signal), { everyMilliseconds });
  return (
    <Page title={story.data?.title ?? 'Incident'} above={<Back href="/alerts/incidents" text="Incidents" />}>
      <Loaded what="the incident" from={story}>
        {(incident) => (
          <>
            <p class="failed-call-head">
              <IncidentState incident={incident} />
            </p>
            <IncidentTimes incident={incident} />
            <FirstCall incident={incident} />
            <Acknowledgement incident={incident} onChanged={story.reload} />
            <div class="overview-columns">
              <div>
                <Reasons incident={incident} />
                <Alerts incident={incident} />
              </div>
              <Changes incident={incident} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function FirstCall({
  incident: { first_call, organization },
}: {
  incident: IncidentStory;
}): JSX.Element | null {
  if (first_call === null) return null;
  const isOwn = organization?.id === session.value?.organization.id;
  return (
    <p>
      First failed call:{' '}
      {isOwn ? (
        <a href={`/calls/${encodeURIComponent(first_call.call_id)}`}>
          <When at={first_call.started_at} />
        </a>
      ) : (
        <When at={first_call.started_at} />
      )}
    </p>
  );
}

function Reasons({ incident: { reasons, recovered_at } }: { incident: IncidentStory }): JSX.Element {
  return (
    <Panel title="Why the verdict was red">
      <ul class="alerts">
        {reasons.map((reason) => (
          <li key={`${reason.text} ${reason.first_seen_at}`}>
            <p>
              <b>
                <Untrusted text={reason.text} />
              </b>
            </p>
            {reason.cause !== null && (
              <p class="note">
                <Untrusted text={reason.cause} />{' '}
                {reason.advice !== null && <Untrusted text={reason.advice} />}
              </p>
            )}
            <p class="note">
              <When at={reason.first_seen_at} /> to <When at={reason.last_seen_at} />{' '}
              {reason.phone_number !== null && (
                <a href={trunkAddress(reason.phone_number)} class="figure">
                  {reason.phone_number}
                </a>
              )}{' '}
              {reason.end_reason !== null && (
                <a
                  href={`/calls${query({
                    number: reason.phone_number ?? undefined,
                    end_reason: reason.end_reason,
                    code: reason.sip_status ?? undefined,
                    ended_after: new Date(
                      Date.parse(reason.first_seen_at) - judgedMilliseconds,
                    ).toISOString(),
                    ended_before: recovered_at ?? undefined,
                  })}`}
                >
                  Calls: {endReasonWords(reason.end_reason)}
                </a>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Alerts({ incident: { alerts } }: { incident: IncidentStory }): JSX.Element {
  return (
    <Panel title="Who was notified">
      {alerts === null && <p class="note">This session may not read alerts (alerts:read).</p>}
      {alerts?.length === 0 && (
        <Empty title="No recipient: no alert fired">
          Set alerts on the page of each number under <a href="/trunks">Trunks</a>.
        </Empty>
      )}
      <ul class="alerts">
        {alerts?.map((alert) => (
          <li key={alert.alert_id}>
            <p>
              <b>{alert.title}</b>, fired <When at={alert.fired_at} />
            </p>
            {alert.notices.length === 0 && <p class="note">No recipient is set.</p>}
            <ul class="targets">
              {alert.notices.map((notice) => (
                <li key={notice.delivery_id}>
                  {notice.channel} <NamedState name={notice.status} />{' '}
                  <span class="muted breakable">
                    to {notice.target}
                    {notice.delivered_at !== null && (
                      <>
                        , <When at={notice.delivered_at} />
                      </>
                    )}
                    {notice.last_error !== null && `, ${notice.last_error}`}
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Changes({ incident: { changes } }: { incident: IncidentStory }): JSX.Element {
  return (
    <Panel title="Changes before" note="From the audit log, of the day before the first failed call.">
      {changes === null && <p class="note">This session may not read members (members:read).</p>}
      {changes?.length === 0 && <Empty title="No changes" />}
      <ul class="alerts">
        {changes?.map((change) => (
          <li key={`${change.at} ${change.summary} ${change.subject}`}>
            <p>
              <b>{change.summary}</b> <Untrusted text={change.subject} />
            </p>
            <p class="note">
              <When at={change.at} /> by <Untrusted text={change.by} />
              {change.fields !== '' && `: ${change.fields}`}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface AcknowledgementProps {
  readonly incident: IncidentStory;
  readonly onChanged: () => void;
}

function Acknowledgement({ incident, onChanged }: AcknowledgementProps): JSX.Element {
  const { isBusy, problem, follow } = useAction();
  const isAllowed =
    (may('alerts:write') || may('noc:write')) && (incident.organization !== null || isOperator.value);
  const change = (handling: Parameters<typeof handleIncident>[1]): void =>
    follow(handleIncident(incident.incident_id, handling), onChanged);
  const acknowledge = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget).get('note') ?? '').trim();
    change({ acknowledged: true, note: note === '' ? null : note });
  };
  return (
    <div class="handling">
      {incident.acknowledged_at === null ? (
        <form class="buttons" onSubmit={acknowledge}>
          <input
            name="note"
            aria-label="Note for colleagues"
            placeholder="Note for colleagues"
            maxLength={1_000}
          />
          <button
            type="submit"
            class="small primary"
            disabled={isBusy || !isAllowed}
            title={isAllowed ? undefined : whyNot.value}
          >
            Acknowledge
          </button>
        </form>
      ) : (
        <p class="note">
          Acknowledged by <b>{incident.acknowledged_by}</b> at <When at={incident.acknowledged_at} />
          {incident.note !== null && (
            <>
              : <Untrusted text={incident.note} />
            </>
          )}{' '}
          <button
            type="button"
            class="small"
            disabled={isBusy || !isAllowed}
            title={isAllowed ? undefined : whyNot.value}
            onClick={() => change({ acknowledged: false, note: null })}
          >
            Withdraw
          </button>
        </p>
      )}
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem.message}
        </p>
      )}
    </div>
  );
}

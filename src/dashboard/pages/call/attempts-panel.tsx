import type { JSX } from 'preact';
import type { CallDetail } from '../../api/calls.js';
import { capitalized, milliseconds, spoken } from '../../parts/format.js';
import { Panel } from '../../parts/panel.js';
import { NamedState, State } from '../../parts/state.js';
import { ClockTime } from '../../parts/time.js';

/** The servers that an outbound call tried, in order; nothing when the first server accepted the call. */
export function AttemptsPanel({ attempts }: Pick<CallDetail, 'attempts'>): JSX.Element | null {
  if (attempts.length === 0 || (attempts.length === 1 && attempts[0]!.trigger === null)) return null;
  return (
    <Panel title="Servers tried">
      <ol class="servers">
        {attempts.map((attempt) => (
          <li class="server" key={attempt.sip_call_id}>
            <div class="server-head">
              <b class="mono breakable">{attempt.server}</b>
              <AttemptState attempt={attempt} />
            </div>
            <p class="note figure">
              <ClockTime at={attempt.started_at} />, took {milliseconds(attempt.duration_milliseconds)}
              {attempt.is_local &&
                attempt.sip_status !== null &&
                `; no final response, counted as ${attempt.sip_status}`}
              {!attempt.is_local && attempt.trigger !== null && `; counts as ${spoken(attempt.trigger)}`}
            </p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function AttemptState({ attempt }: { attempt: CallDetail['attempts'][number] }): JSX.Element {
  const { sip_status: status, sip_reason: reason } = attempt;
  if (status === null) return <State tone="idle">Cancelled</State>;
  if (attempt.is_local)
    return <State tone="bad">{capitalized(spoken(attempt.trigger ?? 'no answer'))}</State>;
  return (
    <State tone={status < 300 ? 'good' : attempt.trigger === null ? 'warn' : 'bad'}>
      {`${status} ${reason ?? ''}`.trim()}
    </State>
  );
}

const modes: Readonly<Record<string, string>> = {
  refer: 'passed to the trunk by REFER',
  bridge: 'bridged by a new INVITE',
  attended: 'attended: two calls joined',
  replaced: 'replaced by an INVITE with Replaces',
};

/** Transfers of the call: target, mode and result. */
export function TransfersPanel({ transfers }: Pick<CallDetail, 'transfers'>): JSX.Element | null {
  if (transfers.length === 0) return null;
  return (
    <Panel title={transfers.length === 1 ? 'Transfer' : 'Transfers'}>
      <ol class="servers">
        {transfers.map((transfer) => (
          <li class="server" key={`${transfer.requested_at} ${transfer.target}`}>
            <div class="server-head">
              <b class="breakable">{transfer.target}</b>
              <NamedState name={transfer.status} />
            </div>
            <p class="note">
              Requested by the {transfer.requested_by} at <ClockTime at={transfer.requested_at} />,{' '}
              {modes[transfer.mode] ?? transfer.mode}. {capitalized(spoken(transfer.reason))}
              {transfer.sip_status !== null && (
                <span class="figure">
                  , {transfer.sip_status} {transfer.sip_reason}
                </span>
              )}
              .
            </p>
            {transfer.detail !== null && <p class="note breakable">{transfer.detail}</p>}
            {transfer.other_call_id !== null && (
              <p>
                <a href={`/calls/${encodeURIComponent(transfer.other_call_id)}`}>Other call</a>
              </p>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { placeCall } from '../../api/call-actions.js';
import { justEnded, liveCalls } from '../../api/live.js';
import { type ApiRequest, send } from '../../api/request.js';
import type { Configuration } from '../../api/trunks.js';
import { lackOf } from '../../forms/lack.js';
import { OwnPathwayAndVoice, pathwayOf, voiceOf } from '../../forms/pathway-fields.js';
import { AsCurl } from '../../parts/as-curl.js';
import { bareNumber } from '../../parts/format.js';
import { Panel } from '../../parts/panel.js';
import { NamedState, State } from '../../parts/state.js';
import { failureWords } from '../call/end-reasons.js';
import '../../style/organization.css';

/** The agent of calls that are ordered from the number; undefined: the service's. */
export function orderedAgentOf(configurations: readonly Configuration[]): string | undefined {
  const agentOf = (wanted: Configuration['direction']): string | null | undefined =>
    configurations.find(({ direction, agent }) => direction === wanted && agent !== null)?.agent;
  return agentOf('outbound') ?? agentOf('inbound') ?? undefined;
}

/** The settings of the number's own agent apply only while no other one is typed. */
export function callRequest(
  phoneNumber: string,
  fields: FormData,
  own: string | undefined,
): ApiRequest<{ readonly call_id: string }> {
  const text = (name: string): string => String(fields.get(name) ?? '').trim();
  const agent = text('agent');
  const callee = bareNumber(text('phone_number'));
  const { id, version } = pathwayOf(fields);
  return placeCall(phoneNumber, callee, text('task'), {
    agent: agent === '' || agent === own ? undefined : agent,
    pathway_id: id ?? undefined,
    pathway_version: version ?? undefined,
    voice: voiceOf(fields) ?? undefined,
  });
}

/** Has the agent call a person from this number, or a bot under test, and follows the call. */
export function PlaceCallPanel({
  phoneNumber,
  configurations,
}: {
  phoneNumber: string;
  configurations: readonly Configuration[];
}): JSX.Element {
  const [callId, setCallId] = useState<string | undefined>();
  const { isBusy, problem, follow } = useAction();
  const lack = lackOf('calls:write');
  const own = orderedAgentOf(configurations);
  const request = (fields: FormData) => callRequest(phoneNumber, fields, own);
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setCallId(undefined);
    follow(send(request(new FormData(event.currentTarget))), ({ call_id }) => setCallId(call_id));
  };
  return (
    <Panel title="Call from this number" note="The agent calls a person, through the servers of this number.">
      <form class="plain-form" onSubmit={submit}>
        <label>
          Number to call
          <input
            name="phone_number"
            required
            inputMode="tel"
            maxLength={32}
            autocomplete="off"
            placeholder="+1 415 555 0199"
          />
        </label>
        <label>
          What the agent is to do
          <textarea name="task" required rows={2} maxLength={10_000} />
        </label>
        <OwnPathwayAndVoice />
        <details open={/^wss?:/i.test(own ?? '')}>
          <summary>Try with a WebSocket bot</summary>
          <label>
            Agent of this call
            <input
              name="agent"
              class="mono"
              maxLength={512}
              defaultValue={own}
              autocomplete="off"
              spellcheck={false}
              placeholder="wss://bot.example.com/stream"
            />
            <small class="note">
              URL of a bot, or SIP URI. Empty: the number’s agent. Without a bot: node examples/echo-bot.mjs,
              or <a href="/setup/bots">check one</a> without a phone.
            </small>
          </label>
        </details>
        {problem !== undefined && (
          <p class="field-problem" role="alert">
            {problem.refusal}
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="small" disabled={isBusy || lack !== undefined} title={lack}>
            {isBusy ? 'Placing …' : 'Place the call'}
          </button>
        </div>
        <AsCurl requests={(fields) => [request(fields)]} />
      </form>
      <div role="status">{callId !== undefined && <Placed callId={callId} />}</div>
    </Panel>
  );
}

/** The call as the event stream brings it: queued until an edge dials it. */
export function Placed({ callId }: { callId: string }): JSX.Element {
  const active = liveCalls.value.find(({ call_id }) => call_id === callId);
  const ended = justEnded.value.find(({ call }) => call.call_id === callId)?.end;
  const link = <a href={`/calls/${encodeURIComponent(callId)}`}>SIP messages</a>;
  if (active !== undefined) {
    return (
      <p>
        <NamedState name={active.state} /> {link}
      </p>
    );
  }
  if (ended === undefined || ended === null) {
    return (
      <p>
        <State tone="busy">Queued</State> An edge dials it when the limits of the number allow.
      </p>
    );
  }
  return (
    <>
      <p>
        <State tone={ended.outcome === 'completed' ? 'good' : 'bad'}>{failureWords(ended)}</State> {link}
      </p>
      {ended.outcome !== 'completed' && (
        <p class="note">
          {ended.cause} {ended.advice}
        </p>
      )}
    </>
  );
}

import type { ComponentChildren, JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import {
  hangUp,
  hold,
  play,
  resume,
  sendDigits,
  startWarmTransfer,
  type TransferMode,
  transfer,
} from '../../api/call-actions.js';
import type { UnfinishedCall } from '../../api/calls.js';
import { send } from '../../api/request.js';
import { lackOf } from '../../forms/lack.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Panel } from '../../parts/panel.js';
import { Action, type Actor, type Said } from './action.js';
import { ConsultationActions } from './consultation-actions.js';
import { Listen } from './listen.js';
import '../../style/organization.css';

/** What can be done to the call. The audit log has each action of a member. */
export function CallActions({ call }: { call: UnfinishedCall }): JSX.Element {
  const [said, setSaid] = useState<string | undefined>();
  const { isBusy, problem, follow } = useAction();
  const { call_id: id, consultation = null } = call;
  const isAnswered = call.state === 'answered';
  const isTalking = isAnswered && consultation === null;
  const act = (request: Said): void => {
    setSaid(undefined);
    follow(send(request), ({ message }) => setSaid(message));
  };
  const actor: Actor = { isBusy, lack: lackOf('calls:write'), act };
  return (
    <Panel title="Actions" class="call-actions">
      <div class="buttons">
        <HangUp id={id} isAnswered={isAnswered} {...actor} />
        {isTalking && (
          <>
            <Action request={hold(id)} {...actor}>
              Hold
            </Action>
            <Action request={resume(id)} {...actor}>
              Resume
            </Action>
          </>
        )}
      </div>
      {isAnswered && <Listen id={id} />}
      {consultation !== null && <ConsultationActions id={id} stage={consultation} {...actor} />}
      {isTalking && (
        <>
          <Digits id={id} {...actor} />
          <Transfer id={id} {...actor} />
          {call.bot && <Play id={id} {...actor} />}
        </>
      )}
      <p role="status">{said}</p>
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem.refusal}
        </p>
      )}
      {actor.lack !== undefined && <p class="note">{actor.lack}</p>}
    </Panel>
  );
}

/** A person is on the phone: a second click is asked for. */
function HangUp({ id, isAnswered, ...actor }: Actor & { id: string; isAnswered: boolean }): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <button
        type="button"
        disabled={actor.isBusy || actor.lack !== undefined}
        title={actor.lack}
        onClick={() => setAsking(true)}
      >
        {isAnswered ? 'Hang up' : 'Cancel call'}
      </button>
    );
  }
  return (
    <>
      <button type="button" class="danger" disabled={actor.isBusy} onClick={() => actor.act(hangUp(id))}>
        {isAnswered ? 'Hang up now' : 'Cancel it now'}
      </button>
      <button type="button" onClick={() => setAsking(false)}>
        Keep the call
      </button>
    </>
  );
}

const fieldOf = (fields: FormData, name: string): string => String(fields.get(name) ?? '').trim();

interface ActionFormProps extends Actor {
  readonly request: (fields: FormData) => Said;
  readonly button: string;
  readonly children: ComponentChildren;
}

/** An action with fields. The panel says how it ended. */
function ActionForm({ request, button, isBusy, lack, act, children }: ActionFormProps): JSX.Element {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    act(request(new FormData(event.currentTarget)));
  };
  return (
    <form class="plain-form" onSubmit={submit}>
      {children}
      <div class="buttons">
        <button type="submit" class="small" disabled={isBusy || lack !== undefined}>
          {button}
        </button>
      </div>
      <AsCurl requests={(fields) => [request(fields)]} />
    </form>
  );
}

function Digits({ id, ...actor }: Actor & { id: string }): JSX.Element {
  const request = (fields: FormData): Said => sendDigits(id, fieldOf(fields, 'digits'));
  return (
    <ActionForm request={request} button="Send digits" {...actor}>
      <label>
        Digits to the other party
        <input
          name="digits"
          required
          maxLength={64}
          pattern="[0-9*#wW]+"
          autocomplete="off"
          inputMode="tel"
          placeholder="1w23#"
          title="0-9, * and #; w waits half a second"
        />
      </label>
    </ActionForm>
  );
}

/** Only where the agent is a WebSocket server: its process plays the file. */
function Play({ id, ...actor }: Actor & { id: string }): JSX.Element {
  const request = (fields: FormData): Said => play(id, fieldOf(fields, 'url'));
  return (
    <ActionForm request={request} button="Play" {...actor}>
      <label>
        WAV file to play in place of the bot
        <input
          name="url"
          type="url"
          required
          autocomplete="off"
          placeholder="https://example.com/notice.wav"
        />
      </label>
    </ActionForm>
  );
}

const modes: Readonly<Record<TransferMode | 'warm' | '', string>> = {
  '': 'As the number is set',
  refer: 'Blind (REFER)',
  bridge: 'Bridged by Demarc',
  warm: 'Warm: the agent talks to the target first',
};

function Transfer({ id, ...actor }: Actor & { id: string }): JSX.Element {
  const request = (fields: FormData): Said => {
    const mode = fieldOf(fields, 'mode') as TransferMode | 'warm' | '';
    const target = fieldOf(fields, 'target');
    if (mode === 'warm') return startWarmTransfer(id, target);
    return transfer(id, target, mode === '' ? undefined : mode);
  };
  return (
    <ActionForm request={request} button="Transfer" {...actor}>
      <label>
        Transfer to
        <input name="target" required maxLength={512} autocomplete="off" placeholder="+1 number or SIP URI" />
      </label>
      <label>
        How
        <select name="mode">
          {Object.entries(modes).map(([mode, words]) => (
            <option value={mode} key={mode}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </ActionForm>
  );
}

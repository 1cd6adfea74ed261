import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { type ApiRequest, send } from '../../api/request.js';
import type { Configuration } from '../../api/trunks.js';
import { lackOf } from '../../forms/lack.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';

/** The bot that calls ordered from the number have; undefined: their agent is none by WebSocket. */
export function botOf(configurations: readonly Configuration[]): string | undefined {
  const agentOf = (wanted: Configuration['direction']): string | null | undefined =>
    configurations.find(({ direction, agent }) => direction === wanted && agent !== null)?.agent;
  const agent = agentOf('outbound') ?? agentOf('inbound');
  return /^wss?:/i.test(agent ?? '') ? (agent ?? undefined) : undefined;
}

/** A call from the number whose agent is the bot; the settings of a bot that the number has apply only without another URL. */
export const tryRequestOf =
  (
    phoneNumber: string,
    fields: FormData,
    bot: string | undefined,
  ): ApiRequest<{ readonly call_id: string }> =>
  (client) => {
    const url = String(fields.get('bot') ?? '').trim();
    return client
      .createCall({
        from: phoneNumber,
        phone_number: String(fields.get('callee') ?? '').trim(),
        task: 'Test of a bot',
        ...(url === bot ? {} : { agent: url }),
      })
      .then((data) => ({ data }));
  };

/** Calls a phone and connects it to a bot by WebSocket. */
export function TryBotPanel({
  phoneNumber,
  configurations,
}: {
  phoneNumber: string;
  configurations: readonly Configuration[];
}): JSX.Element {
  const [callId, setCallId] = useState<string | undefined>();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const bot = botOf(configurations);
  const lack = lackOf('calls:write');
  const start = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    setCallId(undefined);
    send(tryRequestOf(phoneNumber, new FormData(event.currentTarget), bot)).then(
      ({ call_id }) => setCallId(call_id),
      setProblem,
    );
  };
  return (
    <Panel
      title="Try with a WebSocket bot"
      note="Calls a phone from this number and connects it to the bot. Without a bot: node examples/echo-bot.mjs, or npx demarc bot check for one without a phone."
    >
      <form class="filters" onSubmit={start}>
        <label class="grow">
          Phone to call
          <input name="callee" required maxLength={64} placeholder="+14155550100" autocomplete="off" />
        </label>
        <label class="grow">
          URL of the bot
          <input
            name="bot"
            required
            maxLength={512}
            defaultValue={bot}
            placeholder="wss://bot.example.com/stream"
          />
        </label>
        <button type="submit" disabled={lack !== undefined} title={lack}>
          Call
        </button>
        <AsCurl requests={(fields) => [tryRequestOf(phoneNumber, fields, bot)]} />
      </form>
      {problem !== undefined && (
        <Problem title="The call could not be placed">
          <p>{problem.message}</p>
        </Problem>
      )}
      {callId !== undefined && (
        <p role="status">
          <a href={`/calls/${encodeURIComponent(callId)}`}>Follow the call</a>
        </p>
      )}
    </Panel>
  );
}

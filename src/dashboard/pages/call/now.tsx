import type { JSX } from 'preact';
import type { CallDetail, UnfinishedCall } from '../../api/calls.js';
import { duration } from '../../parts/format.js';
import { NamedState, State } from '../../parts/state.js';
import { ClockTime, When } from '../../parts/time.js';
import { Continuation } from './continuation.js';
import { Phases } from './phases.js';

/** Shows the progress of an active call in place of the outcome. */
export function Now({ call }: { call: UnfinishedCall }): JSX.Element {
  const { open_transfer: transfer, listeners = [] } = call;
  return (
    <section class="panel outcome now" aria-label="Now">
      <div class="outcome-line">
        <span role="status">
          <NamedState name={call.state} />
        </span>
        <span>
          {'for '}
          <b class="figure">{elapsed(sinceOf(call), call.at)}</b>
        </span>
        <span class="muted">
          {'began '}
          <When at={call.started_at} />
        </span>
      </div>
      {transfer !== null && (
        <p>
          Being transferred to <b class="breakable">{transfer.target}</b>: requested by the{' '}
          {transfer.requested_by} at <ClockTime at={transfer.requested_at} />.
        </p>
      )}
      {listeners.map(({ name, since }) => (
        <p key={`${name} ${since}`}>
          <b class="breakable">{name}</b> listens since <ClockTime at={since} />.
        </p>
      ))}
      <Continuation call={call} />
      {call.bot && <Bot bot={call.bot} />}
      <Phases call={{ ...call, ended_at: call.ended_at ?? call.at }} />
    </section>
  );
}

/** The connection to an agent by WebSocket. */
const Bot = ({ bot }: { bot: NonNullable<UnfinishedCall['bot']> }): JSX.Element => (
  <p>
    <State tone={bot.connected ? 'good' : 'busy'}>
      {bot.connected ? 'Bot connected' : 'Connecting to the bot'}
    </State>{' '}
    <span class="mono breakable">{bot.url}</span>{' '}
    <span class="muted figure">
      {bot.latency_ms !== null && `latency ${Math.round(bot.latency_ms)} ms, `}
      reconnects: {bot.reconnects}, audio waiting: {(bot.queued_ms / 1_000).toFixed(1)} s
    </span>
  </p>
);

/** Current time by the edge's clock; frozen while the data is stale. */
const elapsed = (from: string, to: string): string =>
  duration(Math.max(0, Date.parse(to) - Date.parse(from)) / 1_000);

/** When the call entered its state. */
function sinceOf(call: UnfinishedCall): string {
  if (call.state === 'ringing') return call.ringing_at ?? call.started_at;
  if (call.state === 'answered') return call.answered_at ?? call.started_at;
  return call.ended_at ?? call.started_at;
}

/** Milliseconds since the call was answered. */
export const talkedFor = (call: CallDetail): number =>
  call.answered_at === null
    ? 0
    : Date.parse(call.state === 'ended' ? call.ended_at : call.at) - Date.parse(call.answered_at);

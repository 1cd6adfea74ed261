import type { LiveCall, LiveEnd } from '../../contract/live.js';
import type { Call } from '../call/call.js';
import { outcomeOf } from '../call/call-record.js';
import { headerText, maximumText } from './header-text.js';

const maximumDetail = 500;

/** How far the call has come. */
export const stateOf = ({ state }: Call): LiveCall['state'] =>
  state.answeredAt !== null ? 'answered' : state.ringingAt !== null ? 'ringing' : 'setup';

const momentOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A call as people who watch see it. */
export function viewOf(call: Call): LiveCall {
  const { state } = call;
  const { address, port, protocol } = state.source;
  const media = call.media?.summary ?? null;
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    call_id: state.id,
    organization: state.organization,
    number: state.number,
    direction: state.direction,
    from: headerText(state.from),
    to: headerText(state.to),
    state: stateOf(call),
    started_at: new Date(state.startedAt).toISOString(),
    ringing_at: momentOf(state.ringingAt),
    answered_at: momentOf(state.answeredAt),
    trunk: {
      address: address === '' ? '' : `${host}:${port}`,
      protocol,
      sip_call_id: state.trunkSipCallId.slice(0, maximumText),
    },
    media: media === null ? null : { codec: media.trunkCodec, srtp_suite: media.suite },
    ...(state.testRunId === null ? {} : { test_run_id: state.testRunId }),
  };
}

/** How a call ended; undefined while it is active. */
export function endOf({ state }: Call): LiveEnd | undefined {
  const { ending } = state;
  if (ending === null) return undefined;
  return {
    at: new Date(state.endedAt ?? Date.now()).toISOString(),
    end_reason: ending.reason,
    ended_by: ending.by,
    outcome: outcomeOf(state, ending.reason),
    sip_status: state.sipStatus,
    sip_reason: state.sipReason?.slice(0, maximumText) ?? null,
    detail: ending.detail?.slice(0, maximumDetail) ?? null,
  };
}

/** Active calls by direction and whether they are answered. */
export function callSamples(calls: { forEach(visit: (call: Call) => void): void }) {
  const counts = { inbound: { ringing: 0, answered: 0 }, outbound: { ringing: 0, answered: 0 } };
  calls.forEach((call) => {
    counts[call.state.direction][stateOf(call) === 'answered' ? 'answered' : 'ringing']++;
  });
  return (['inbound', 'outbound'] as const).flatMap((direction) =>
    (['ringing', 'answered'] as const).map((state) => ({
      labels: { direction, state },
      value: counts[direction][state],
    })),
  );
}

import type { Call } from '../call/call.js';
import { endingOnThrow } from '../call/fail.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import type { OrderedCalls } from '../outbound/ordered-calls.js';

/** What the engine says of the dialogs that it gave us with `adopt`. */
export interface AdoptedDialogs {
  readonly ids: ReadonlySet<string>;
  /** Those whose BYE came while no edge had them, and follows. */
  readonly ended: ReadonlySet<string>;
}

export function readAdopted(body: string): AdoptedDialogs {
  const dialogs = JSON.parse(body) as { id: string; has_ended?: boolean }[];
  return {
    ids: new Set(dialogs.map(({ id }) => id)),
    ended: new Set(dialogs.flatMap(({ id, has_ended: hasEnded }) => (hasEnded === true ? [id] : []))),
  };
}

/** The engine does not have the dialogs of these sides, so that no BYE can leave in them. */
export function dropDialogs(call: Call, missing: readonly MediaSide[]): void {
  for (const side of missing) {
    const dialog = call.dialogs[side];
    if (dialog === undefined) continue;
    (dialog as { connected: boolean }).connected = false;
    call.deps.engine.forget(dialog);
  }
}

/** Nothing of the call stays in this process, and its peers notice nothing: another edge or a later attempt continues it. */
export function forgetCall(call: Call, orders: Pick<OrderedCalls, 'leave'>): void {
  const { trunk, agent } = call.dialogs;
  call.leave();
  for (const dialog of [trunk!, agent!]) call.deps.engine.forget(dialog);
  orders.leave(call.state.id);
}

/** It comes behind the list, and says why its peer hung up. */
const byeMilliseconds = 1_000;

/** Ends a call of which a dialog has ended, should the BYE that says so not come. */
export function endIfByeIsLost(call: Call, ended: ReadonlySet<string>): void {
  const side = (['trunk', 'agent'] as const).find((leg) => ended.has(call.dialogs[leg]?.id ?? ''));
  if (side === undefined) return;
  setTimeout(() => {
    if (call.hasEnded || !ended.has(call.dialogs[side]?.id ?? '')) return;
    const detail = 'Its dialog had ended while no edge had the call.';
    endingOnThrow(call, () => call.end({ ...call.hangUpBy(side), detail }))();
  }, byeMilliseconds).unref();
}

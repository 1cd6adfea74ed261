import { within } from '../../base/within.js';
import { type MediaStatistics, sumOfStatistics } from '../media/rtp-statistics.js';
import type { Dialog } from '../sip/messages.js';
import { isAuthenticated, requestInDialog } from '../sip/request-in-dialog.js';
import type { Call } from './call.js';
import type { EndOptions } from './call-events.js';

/** The record waits this long for the peers' last responses. */
const boundMilliseconds = 2_000;
/** Above Timer F (32 s), after which the engine answers for an unresponsive peer. */
const byeBoundMilliseconds = 34_000;

/**
 * Releases a call: CANCEL or BYE to each leg that is up, and rtpengine's session. Resolves with the RTP totals when both
 * legs are released or the time bound has passed; never rejects.
 */
export async function tearDown(call: Call, options: EndOptions): Promise<MediaStatistics | undefined> {
  const released = call.media?.release();
  // First, so that a transferor gets the outcome before its BYE.
  const transferred = call.transfer?.callEnded(options);
  const legs: (Promise<void> | void | undefined)[] =
    options.engineIsGone === true
      ? [forgetLegs(call)]
      : [endAgentLeg(call, options), endTrunkLeg(call, options)];
  legs.push(transferred, ...[...call.leaving].map((leg) => leg.end(options)));
  await within(boundMilliseconds, Promise.all(legs));
  const totals = await within(boundMilliseconds, Promise.all([...call.earlierMedia, released]));
  return sumOfStatistics(totals ?? []);
}

function forgetLegs(call: Call): void {
  const { trunk, agent } = call.dialogs;
  if (trunk !== undefined) call.deps.engine.forget(trunk);
  if (agent !== undefined) call.deps.engine.forget(agent);
}

// RFC 3261 §15: no BYE before the ACK; without one the engine ends the dialog itself.

async function endAgentLeg(call: Call, options: EndOptions): Promise<void> {
  const { agent } = call.dialogs;
  if (agent !== undefined) {
    await call.legs.agentAcknowledged;
    return bye(call, agent, { reason: options.reason });
  }
  if (call.legs.offered.agent !== undefined) return call.legs.offered.agent.destroy();
  if (!call.agentInvite.isPending) return;
  // Before the engine has sent the INVITE there is nothing to cancel; `inviteAgent` does it then.
  call.agentInvite.cancel(options.reason);
  return call.agentInvite.done;
}

async function endTrunkLeg(call: Call, { reason, trunkHeaders: headers }: EndOptions): Promise<void> {
  const { trunk } = call.dialogs;
  if (trunk === undefined) return call.withdraw(reason);
  if (!trunk.connected) return;
  await call.legs.trunkAcknowledged;
  return bye(call, trunk, { reason, headers });
}

interface ByeOptions {
  readonly reason?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Ends a leg; resolves when its peer has answered. Never rejects. */
export function bye(call: Call, dialog: Dialog, { reason, headers }: ByeOptions): Promise<void> {
  if (!dialog.connected) return Promise.resolve();
  const lines = { ...headers, ...(reason === undefined ? {} : { Reason: reason }) };
  if (isAuthenticated(dialog)) return byeWithCredentials(call, dialog, lines);
  return new Promise((resolve) => {
    try {
      dialog.destroy({ headers: lines }, (error) => {
        if (error) call.log.debug({ error: String(error) }, 'Unexpected response to BYE.');
        resolve();
      });
    } catch (error) {
      call.log.debug({ error: String(error) }, 'Sending BYE failed.');
      call.deps.engine.forget(dialog);
      resolve();
    }
  });
}

/** The library drops a dialog on the first response to its BYE, even a challenge; the engine waits for the repetition. */
async function byeWithCredentials(
  call: Call,
  dialog: Dialog,
  headers: Record<string, string>,
): Promise<void> {
  try {
    const { response } = await requestInDialog(dialog, { method: 'BYE', headers }, byeBoundMilliseconds);
    if (response.status >= 400) call.log.warn({ status: response.status }, 'BYE was refused.');
  } catch (error) {
    call.log.debug({ error: String(error) }, 'Unexpected response to BYE.');
  } finally {
    call.deps.engine.forget(dialog);
  }
}

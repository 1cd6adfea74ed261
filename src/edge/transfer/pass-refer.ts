import { within } from '../../base/within.js';
import { formatReplaces, type Replaces } from '../../sip/replaces.js';
import { failureText } from '../sip/messages.js';
import { cleanPhrase, sipReason } from '../sip/reason.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { type Destination, uriOf } from './policy.js';
import type { News, Outcome, Transfer } from './transfer.js';

/** Above Timer F (32 s), after which the engine answers for an unresponsive peer. */
const answerMilliseconds = 34_000;
/** The trunk rings the target meanwhile. */
const outcomeMilliseconds = 90_000;
/** For the last NOTIFY to the agent, before its BYE. */
const quietMilliseconds = 1_000;

export interface PassedRefer {
  readonly destination: Destination;
  /** The requested URI, and the default host for a user without one. */
  readonly text: string;
  readonly trunkHost: string;
  /** The dialog that the target is asked to replace. */
  readonly replaces: Replaces | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Asks the trunk to transfer (RFC 3515) and relays its NOTIFYs. Resolves with the trunk's refusal, by response or NOTIFY, which
 * leaves the transfer open, or with undefined once the transfer has ended. Never rejects.
 */
export async function passRefer(transfer: Transfer, passed: PassedRefer): Promise<Outcome | undefined> {
  transfer.mode = 'refer';
  const { call } = transfer;
  const trunk = call.dialogs.trunk;
  if (trunk === undefined) return undefined;
  // The first NOTIFY may come before the 202.
  const news = heardOutcome(transfer);
  try {
    const headers = { ...passed.headers, 'Refer-To': referTo(passed) };
    const { response } = await requestInDialog(trunk, { method: 'REFER', headers }, answerMilliseconds);
    if (transfer.isOver) return undefined;
    if (response.status >= 300) {
      transfer.heard = undefined;
      return {
        status: 'failed',
        reason: 'rejected',
        sipStatus: response.status,
        sipReason: cleanPhrase(response.reason),
        detail: 'The trunk rejected the REFER.',
      };
    }
  } catch (error) {
    const detail = `The REFER was not sent: ${failureText(error)}`;
    transfer.finish({ status: 'failed', reason: 'internal_error', sipStatus: 500, isOurs: true, detail });
    return undefined;
  }
  const outcome =
    (await within(outcomeMilliseconds, news)) ?? untold('The trunk did not report the outcome.');
  if (transfer.isOver) return undefined;
  transfer.heard = undefined;
  if (isRefusal(outcome)) return outcome;
  const { subscription } = transfer;
  transfer.finish(outcome);
  if (outcome.status !== 'completed' || call.hasEnded) return undefined;
  const end = (): void =>
    call.end({ reason: 'transferred', by: 'agent' }, { reason: sipReason(200, 'Transferred') });
  // A BYE that arrives before ours is due to the transfer.
  call.beginTransfer({
    description: null,
    owedNotify: null,
    mediaId: null,
    partyLeft: () => {
      end();
      return true;
    },
    callEnded: async () => {},
    connectionLost: () => {},
  });
  await within(quietMilliseconds, subscription?.quiet() ?? Promise.resolve());
  end();
  return undefined;
}

/** Provisional states go to the agent as they come; resolves with the last one. */
function heardOutcome(transfer: Transfer): Promise<Outcome> {
  return new Promise((resolve) => {
    transfer.heard = ({ fragment, isLast }: News) => {
      if (fragment !== undefined && fragment.status >= 200) resolve(toldOutcome(fragment));
      else if (isLast) resolve(untold('The trunk ended the subscription before reporting the outcome.'));
      else if (fragment !== undefined && fragment.status > 100) transfer.subscription?.tell(fragment);
    };
  });
}

/** Decisions of the target, or no answer: another call would only ring the same person again. */
const targetsOwn: ReadonlySet<number> = new Set([408, 480, 486, 487, 600, 603, 607, 608]);

/** Most PBXs say 202 to every REFER, and only then that they do not transfer (400, 403, 404, 5xx). */
const isRefusal = ({ status, sipStatus }: Outcome): boolean =>
  status === 'failed' && !targetsOwn.has(sipStatus);

function toldOutcome({ status, reason }: NonNullable<News['fragment']>): Outcome {
  const outcome = { sipStatus: status, sipReason: reason };
  if (status < 300) return { status: 'completed', reason: 'completed', ...outcome };
  const isSilence = status === 408 || status === 480 || status === 487;
  return { status: 'failed', reason: isSilence ? 'no_answer' : 'rejected', ...outcome };
}

const untold = (detail: string): Outcome => ({
  status: 'unknown',
  reason: 'subscription_terminated',
  sipStatus: 500,
  isOurs: true,
  detail,
});

function referTo({ destination, text, trunkHost, replaces }: PassedRefer): string {
  const { user, servers, isOwnTrunk } = destination;
  const [first] = servers;
  const uri = isOwnTrunk ? uriOf(user, first?.host ?? trunkHost, first?.port) : text;
  const replacing = replaces === undefined ? '' : `?Replaces=${encodeURIComponent(formatReplaces(replaces))}`;
  return `<${uri}${replacing}>`;
}

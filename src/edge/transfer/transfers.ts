import { streamFallbackHeader, streamFallbackSchema } from '../../contract/agent-stream.js';
import type { TransferOrder, TransferReply } from '../../contract/transfer.js';
import { formatAddress, parseAddress } from '../../sip/address.js';
import { parseReplaces } from '../../sip/replaces.js';
import { isSingleLine, splitList } from '../../sip/text.js';
import { formatHostPort, parseUri } from '../../sip/uri.js';
import type { Call, TransferRequests } from '../call/call.js';
import type { Replacement, Replacements } from '../inbound/inbound-deps.js';
import type { MediaSide } from '../media/rtp-statistics.js';
import { contactHeaders, unsupportedIn } from '../sip/capabilities.js';
import { failureText, type ReceivedRequest, type ResponseSender } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { requestInDialog } from '../sip/request-in-dialog.js';
import { findDialog, isSettled } from './known-dialog.js';
import { passedHeaders } from './passed-headers.js';
import { forbidden, type Headers, ownHostsOf, type Plan, planTransfer } from './plan.js';
import { targetDigits } from './policy.js';
import { ReferSubscription } from './refer-subscription.js';
import { type ReferTarget, readReferTo } from './refer-to.js';
import { refuse, replace } from './replace.js';
import { readSipfrag } from './sipfrag.js';
import { Transfer } from './transfer.js';
import type { OtherEdges, TransferDeps } from './transfer-deps.js';
import { WarmTransfer } from './warm-transfer.js';

/** Longer than any target rings. */
const subscriptionSeconds = 180;
const notifyMilliseconds = 34_000;
const maximumReferredBy = 500;
/** Each adds an entry to the call's record. */
const maximumTransfers = 30;

/** REFER and what follows it, in the dialogs of our calls (RFC 3515, RFC 4488, RFC 3892). */
export class Transfers implements TransferRequests, Replacements {
  /** Calls whose transferors have sent a REFER before, by leg: a later one's NOTIFYs carry an id. */
  private readonly referred = new WeakMap<Call, Set<MediaSide>>();

  /** Set by survival. */
  otherEdges: OtherEdges = { bring: async () => 'unknown' };

  constructor(private readonly deps: TransferDeps) {}

  readonly refer = (
    call: Call,
    side: MediaSide,
    request: ReceivedRequest,
    response: ResponseSender,
  ): void => {
    const defect = defectOf(call, request);
    const values = splitList(request.get('Refer-To') ?? request.get('r') ?? '');
    const target = values.length === 1 ? readReferTo(values[0]!) : undefined;
    if (defect !== undefined) response.send(defect.status, undefined, { headers: defect.headers });
    else if (target === undefined) {
      response.send(400, 'Bad Refer-To', {
        headers: { Reason: sipReason(400, 'Exactly one Refer-To with a SIP or tel URI is required') },
      });
    } else {
      const transfer = new Transfer({ call, side, requestedBy: side, target: target.text });
      this.begin({ transfer, target, request, response }).catch((error: unknown) => {
        this.failed(transfer, error);
        if (!response.finalResponseSent) response.send(500, undefined, {});
      });
    }
  };

  /** A NOTIFY from the trunk about a relayed REFER. We have no other subscriptions (RFC 6665 §4.1.3). */
  readonly notify = (
    call: Call,
    side: MediaSide,
    request: ReceivedRequest,
    response: ResponseSender,
  ): void => {
    const transfer = call.transfer instanceof Transfer ? call.transfer : undefined;
    const isRefer = /^refer\b/i.test(request.get('Event') ?? request.get('o') ?? '');
    if (side !== 'trunk' || transfer?.heard === undefined || !isRefer) {
      response.send(481, 'Subscription does not exist', {});
      return;
    }
    response.send(200, undefined, {});
    const isLast = /^\s*terminated/i.test(request.get('Subscription-State') ?? '');
    transfer.heard({ fragment: readSipfrag(request.body ?? ''), isLast });
  };

  /** Refreshes a transferor's subscription (RFC 3515 §2.4.4). We have no other events to offer (RFC 6665 §4.2.1.1). */
  readonly subscribe = (
    call: Call,
    side: MediaSide,
    request: ReceivedRequest,
    response: ResponseSender,
  ): void => {
    const event = request.get('Event') ?? request.get('o');
    if (!/^refer\b/i.test(event ?? '')) {
      response.send(489, undefined, { headers: { 'Allow-Events': 'refer' } });
      return;
    }
    const subscription = subscriptionOf(call, side);
    if (subscription?.isActive !== true || !subscription.matches(event)) {
      response.send(481, 'Subscription does not exist', {});
      return;
    }
    // drachtio-server would drop the call's dialog with the last NOTIFY after a SUBSCRIBE; 180 s are enough for any transfer.
    if (!this.deps.engine.isEmbedded) {
      response.send(403, 'Refresh is not needed', {});
      return;
    }
    const asked = Number.parseInt(request.get('Expires') ?? '', 10);
    const seconds = Number.isNaN(asked) ? subscriptionSeconds : asked;
    const granted = Math.min(seconds, subscriptionSeconds);
    response.send(200, undefined, { headers: { Expires: String(granted), ...contactHeaders(request) } });
    subscription.refresh(granted);
  };

  unsubscribed(call: Call, side: MediaSide): void {
    const subscription = subscriptionOf(call, side);
    if (this.deps.engine.isEmbedded) subscription?.refresh(0);
    else subscription?.drop();
  }

  /** RFC 3891 §3. A dialog that was never confirmed, or is no more, counts as unknown. */
  replacement(value: string): Replacement | { readonly status: number; readonly detail: string } {
    const replaces = parseReplaces(value);
    if (replaces === undefined) return { status: 400, detail: 'The Replaces header is malformed.' };
    const replaced = findDialog(this.deps.table, replaces);
    const number = replaced?.call.state.number ?? null;
    if (replaced === undefined || number === null) {
      return { status: 481, detail: 'Replaces matches no dialog of this edge.' };
    }
    if (replaces.earlyOnly) return { status: 486, detail: 'The dialog to be replaced is confirmed already.' };
    return {
      number,
      run: async (newcomer, sdp, { document, inbound, offer }) => {
        // RFC 3891 §8: only for known callers. DEMARC_SOURCE_POLICY=any admits unknown ones.
        const names = inbound.allowed_sources.length + inbound.credentials.length + document.outbound.length;
        if (names === 0) {
          const detail =
            'Replaces is only for callers that the number names by source, credentials or server.';
          newcomer.end({ reason: 'refused_source', by: 'edge', detail }, { answer: { status: 403 } });
        } else if (document.organization !== replaced.call.state.organization) {
          refuse(newcomer, 481, 'The dialog to be replaced belongs to another organization.');
        } else await replace(newcomer, replaced, { sdp, offer, codecs: document.codecs });
      },
    };
  }

  /** A transfer ordered by the agent's backend instead of a REFER. Resolves once it has begun or was refused. */
  async order(
    call: Call,
    { target: text, mode, consults }: Pick<TransferOrder, 'target' | 'mode' | 'consults'>,
  ): Promise<TransferReply> {
    const target = readReferTo(text.startsWith('+') ? `<tel:${text}>` : `<${text}>`);
    if (target === undefined || target.replaces !== undefined) {
      return { result: 'invalid', detail: 'Must be an E.164 number with +, or a SIP URI without headers' };
    }
    if (!isSettled(call) || call.state.transfers.length >= maximumTransfers) {
      return {
        result: 'conflict',
        detail: 'The call is not answered yet, has ended, or is being transferred',
      };
    }
    if (consults === true && call.digits.isSending)
      return { result: 'conflict', detail: 'Digits are being sent' };
    const beginning = { call, side: 'agent', requestedBy: 'api', target: text } as const;
    const transfer = consults === true ? new WarmTransfer(beginning) : new Transfer(beginning);
    try {
      const plan = await this.plan(transfer, target, { mode: consults === true ? 'bridge' : mode });
      if ('status' in plan) return { result: 'forbidden', detail: plan.detail };
      if (transfer.isOver) return { result: 'conflict', detail: 'The call is over' };
      call.log.info({ target: text }, 'API transfer started.');
      const rules = { side: 'agent', inbound: plan.inbound, outbound: call.state.trunkMappings } as const;
      const headers = {
        ...referredBy(transfer, undefined, ownHostsOf(this.deps)[0]),
        ...passedHeaders(undefined, target, rules),
      };
      plan.run(headers).catch((error: unknown) => this.failed(transfer, error));
      return { result: 'begun', detail: null };
    } catch (error) {
      this.failed(transfer, error);
      return { result: 'conflict', detail: 'The configuration of the number could not be read' };
    }
  }

  private failed(transfer: Transfer, error: unknown): void {
    transfer.call.log.error({ error: failureText(error) }, 'Handling a transfer failed.');
    transfer.finish({ status: 'failed', reason: 'internal_error', sipStatus: 500, isOurs: true });
  }

  /** Ends the transfer when it may not be. */
  private async plan(
    transfer: Transfer,
    target: ReferTarget,
    { mode, isFallback = false }: { mode?: TransferOrder['mode']; isFallback?: boolean } = {},
  ): Promise<Plan> {
    const { state } = transfer.call;
    const document = await this.deps.trunks.find(state.number!);
    const plan =
      document === undefined || document.organization !== state.organization
        ? forbidden(603, 'The number no longer has a configuration.')
        : planTransfer(this.deps, transfer, target, {
            document,
            mode,
            isFallback,
            isOwnNumber: await this.isNumberOf(document.organization, target),
            replacesOthers: await this.replacesOthers(transfer, target),
          });
    if ('status' in plan) {
      const { status: sipStatus, detail } = plan;
      transfer.finish({ status: 'failed', reason: 'forbidden', sipStatus, isOurs: true, detail });
    }
    return plan;
  }

  /** A media-stream process proves with the service's key that the number names the target. */
  private isFallback({ call, side }: Transfer, { text }: ReferTarget, request: ReceivedRequest): boolean {
    const sealed = request.get(streamFallbackHeader);
    if (side !== 'agent' || sealed === undefined) return false;
    try {
      const proof = streamFallbackSchema.parse(JSON.parse(this.deps.secrets.open(sealed)));
      return proof.call_id === call.state.id && proof.uri === text;
    } catch {
      // Not sealed with the service's key: the number's policy decides, as for any target.
      return false;
    }
  }

  /** Brings the call that the target names to this edge. True: no edge has it. */
  private async replacesOthers({ call, side }: Transfer, { replaces }: ReferTarget): Promise<boolean> {
    const { organization } = call.state;
    if (replaces === undefined || organization === null) return false;
    if (findDialog(this.deps.table, replaces) !== undefined) return false;
    const { callId, toTag, fromTag } = replaces;
    const dialog = { callId, toTag, fromTag };
    return (await this.otherEdges.bring({ dialog, side, organization })) === 'unknown';
  }

  /** A number whose lookup fails counts as not ours. */
  private async isNumberOf(organization: string, { uri }: ReferTarget): Promise<boolean> {
    const digits = targetDigits(uri);
    if (digits === undefined) return false;
    const document = await this.deps.trunks.find(digits).catch(() => undefined);
    return document?.organization === organization;
  }

  private async begin({ transfer, target, request, response }: Referred): Promise<void> {
    const { call, side } = transfer;
    const plan = await this.plan(transfer, target, {
      isFallback: this.isFallback(transfer, target, request),
    });
    if ('status' in plan) {
      response.send(plan.status, undefined, { headers: { Reason: sipReason(plan.status, plan.detail) } });
      return;
    }
    if (transfer.isOver) {
      response.send(481, undefined, {});
      return;
    }
    this.accept(transfer, request, response);
    call.log.info({ side, target: target.text }, 'Transfer started.');
    const headers = {
      ...referredBy(transfer, request.get('Referred-By') ?? request.get('b'), ownHostsOf(this.deps)[0]),
      ...passedHeaders(request, target, {
        side,
        inbound: plan.inbound,
        outbound: call.state.trunkMappings,
      }),
    };
    await plan.run(headers);
  }

  /** 202, and the first NOTIFY unless none are wanted (RFC 4488 §4). */
  private accept(transfer: Transfer, request: ReceivedRequest, response: ResponseSender): void {
    const { call, side } = transfer;
    const isSilent = /^\s*false\b/i.test(request.get('Refer-Sub') ?? '');
    response.send(202, undefined, {
      headers: { ...contactHeaders(request), ...(isSilent ? { 'Refer-Sub': 'false' } : {}) },
    });
    const before = this.referred.get(call) ?? new Set();
    const sequence = Number.parseInt(request.get('CSeq') ?? '', 10);
    const dialog = call.dialogs[side];
    if (!isSilent && dialog !== undefined) {
      transfer.subscription = new ReferSubscription({
        send: async (notify) =>
          (await requestInDialog(dialog, { method: 'NOTIFY', ...notify }, notifyMilliseconds)).response
            .status,
        ...(before.has(side) ? { id: String(sequence) } : {}),
        expiresSeconds: subscriptionSeconds,
        now: () => performance.now(),
      });
      transfer.subscription.begin();
      call.noteTransferState();
    }
    this.referred.set(call, before.add(side));
  }
}

function subscriptionOf(call: Call, side: MediaSide): ReferSubscription | undefined {
  const { transfer } = call;
  return transfer instanceof Transfer && transfer.side === side ? transfer.subscription : undefined;
}

interface Referred {
  readonly transfer: Transfer;
  readonly target: ReferTarget;
  readonly request: ReceivedRequest;
  readonly response: ResponseSender;
}

/** Refusals of a REFER that do not depend on its target. */
function defectOf(
  call: Call,
  request: ReceivedRequest,
): { status: number; headers: Record<string, string> } | undefined {
  if (call.hasEnded) return { status: 481, headers: {} };
  const unsupported = unsupportedIn(request.get('Require'));
  if (unsupported !== undefined) return { status: 420, headers: { Unsupported: unsupported } };
  if (call.state.transfers.length >= maximumTransfers) {
    return { status: 603, headers: { Reason: sipReason(603, 'Too many transfers') } };
  }
  // One transfer at a time, and none before both parties are in the call.
  return isSettled(call) && call.state.number !== null ? undefined : { status: 491, headers: {} };
}

/**
 * RFC 3892 §2.2. A caller's Referred-By is not relayed: the trunk would take it for ours. The agent's address stays private:
 * its user, or the number, appears at our host.
 */
function referredBy(
  { side, call }: Transfer,
  said: string | undefined,
  ownHost: string | undefined,
): Headers {
  if (side === 'trunk' || ownHost === undefined) return {};
  const value =
    said !== undefined && said.length <= maximumReferredBy && isSingleLine(said) ? said : undefined;
  const uri = parseUri(parseAddress(value ?? '')?.uri ?? '');
  const user = (uri?.kind === 'sip' ? uri.user : undefined) ?? `+${call.state.number}`;
  const host = formatHostPort(ownHost);
  return { 'Referred-By': formatAddress({ uri: `sip:${user}@${host}`, parameters: new Map() }) };
}

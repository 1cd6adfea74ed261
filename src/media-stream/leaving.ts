import type { Logger } from '../base/log.js';
import { agentLostType, streamFallbackHeader } from '../contract/agent-stream.js';
import { type Dialog, failureText, type ReceivedRequest } from '../edge/sip/messages.js';
import { requestInDialog } from '../edge/sip/request-in-dialog.js';
import type { BotOrder } from './formats/format.js';
import { type KnownDialog, referTo } from './refer-to.js';

export interface LeavingParts {
  /** Undefined: the call is not answered, or is over. */
  readonly dialog: () => Dialog | undefined;
  /** Of another call at a bot; undefined: there is none. Rejects when it cannot be looked up. */
  readonly findDialog: (callSid: string) => Promise<KnownDialog | undefined>;
  /** Seals the proof that the fallback agent is the number's. */
  readonly sealFallback: (uri: string) => string;
  /** From now on the bot neither hears nor is heard. */
  readonly begun: () => void;
  /** The bot stays. */
  readonly failed: (status: number, reason: string) => void;
  /** The caller is with the other party: the bot must not hear it. */
  readonly left: () => void;
  readonly log: Logger;
}

const requestMilliseconds = 10_000;
/** Longer than any target rings. */
const outcomeMilliseconds = 200_000;

/** How a bot leaves its call before the caller does: by its own transfer, or because it is lost. The edge carries both out (RFC 3515). */
export class Leaving {
  /** True: a REFER is under way. */
  isUnderWay = false;
  private isAsked = false;
  /** Of the fallback agent's REFER. */
  private outcome: ((isTaken: boolean) => void) | undefined;

  constructor(private readonly parts: LeavingParts) {}

  /** The edge decides by the number's policy, and reports the outcome by NOTIFY. */
  async transfer({ target, call }: Extract<BotOrder, { kind: 'transfer' }>): Promise<void> {
    if (this.parts.dialog() === undefined || this.isUnderWay || this.isAsked) return;
    this.isAsked = true;
    const to = call === undefined ? target : await this.otherCall(call);
    this.isAsked = false;
    const dialog = this.parts.dialog();
    // A call that is not found must not become a transfer to another target.
    if (to === undefined || dialog === undefined || this.isUnderWay) return;
    this.isUnderWay = true;
    this.parts.begun();
    try {
      const { status, reason } = await this.refer(dialog, { 'Refer-To': referTo(to, dialog.remote.uri) });
      if (status >= 300) this.failed(status, reason);
    } catch (error) {
      this.failed(500, failureText(error));
    }
  }

  /** A NOTIFY about the REFER. */
  progress({ body }: ReceivedRequest): void {
    const [, code = '', phrase = ''] = /^SIP\/2\.0 (\d{3}) ?(.*)/.exec(body ?? '') ?? [];
    const status = Number(code);
    if (this.outcome !== undefined) {
      if (status >= 200) this.outcome(status < 300);
    } else if (status >= 300) this.failed(status, phrase.trim());
    // The bot must not hear the new party: its stream ends before the caller is connected.
    else if (status >= 200) this.parts.left();
  }

  /** The bot is lost: hands the caller to this agent. False: it did not take the call. */
  async toFallback(uri: string): Promise<boolean> {
    const { log } = this.parts;
    const dialog = this.parts.dialog();
    if (dialog === undefined) return false;
    this.isUnderWay = true;
    let timer: NodeJS.Timeout | undefined;
    const outcome = new Promise<boolean>((resolve) => {
      this.outcome = resolve;
      timer = setTimeout(() => resolve(false), outcomeMilliseconds);
      timer.unref();
    });
    try {
      const headers = { 'Refer-To': `<${uri}>`, [streamFallbackHeader]: this.parts.sealFallback(uri) };
      const { status, reason } = await this.refer(dialog, headers);
      const isTaken = status < 300 && (await outcome);
      if (!isTaken) log.info({ status, reason }, 'The fallback agent did not take the call.');
      return isTaken;
    } catch (error) {
      log.info({ error: failureText(error) }, 'The fallback agent was not reached.');
      return false;
    } finally {
      clearTimeout(timer);
      this.outcome = undefined;
    }
  }

  /** The bot is lost: has the edge play its announcement, and end the call. False: it does not. */
  async report(detail: string): Promise<boolean> {
    const dialog = this.parts.dialog();
    if (dialog === undefined) return false;
    this.isUnderWay = true;
    try {
      const headers = { 'Content-Type': agentLostType };
      const { response } = await requestInDialog(
        dialog,
        { method: 'INFO', headers, body: JSON.stringify({ detail: detail.slice(0, 200) }) },
        requestMilliseconds,
      );
      return response.status < 300;
    } catch (error) {
      this.parts.log.info({ error: failureText(error) }, 'The edge was not told that the bot is lost.');
      return false;
    }
  }

  private async otherCall(callSid: string): Promise<KnownDialog | undefined> {
    const { findDialog, failed } = this.parts;
    try {
      const found = await findDialog(callSid);
      if (found === undefined) failed(404, `No answered call ${callSid} at a bot`);
      return found;
    } catch (error) {
      this.parts.log.warn({ error: failureText(error) }, 'The other call of a transfer was not looked up.');
      failed(503, `Call ${callSid} could not be looked up`);
      return undefined;
    }
  }

  private async refer(
    dialog: Dialog,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly reason: string }> {
    const { response } = await requestInDialog(
      dialog,
      { method: 'REFER', headers: { ...headers, Contact: dialog.local.contact } },
      requestMilliseconds,
    );
    return response;
  }

  private failed(status: number, reason: string): void {
    if (!this.isUnderWay) return;
    this.isUnderWay = false;
    this.parts.log.info({ status, reason }, 'The transfer asked for by the bot failed.');
    this.parts.failed(status, reason);
  }
}

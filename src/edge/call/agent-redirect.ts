import { isStreamUrl } from '../../contract/agent-stream.js';
import {
  isRedirect,
  maximumRedirects,
  type RedirectContact,
  redirectContacts,
} from '../routing/redirect-contacts.js';
import { isMadeUp, type ReceivedResponse } from '../sip/messages.js';
import type { Call } from './call.js';

interface CalledAgent {
  readonly agentUri: string;
  readonly proxy: string | undefined;
}

/** Where the redirections of a call's agent lead (RFC 3261 §8.1.3.4): to agents only, under the policy for agents. */
export class AgentRedirects {
  private count = 0;
  private readonly tried = new Set<string>();
  private readonly waiting: RedirectContact[] = [];
  /** A media-stream process is ours, but the agent that it names is the customer's. */
  private isCustomers = false;
  /** Why the last one is not followed. */
  problem: string | undefined;

  constructor(private readonly call: Call) {}

  /** The next agent after a final response; undefined: that response counts. Never rejects. */
  async next(error: unknown, agentUri: string): Promise<CalledAgent | undefined> {
    this.tried.add(agentUri);
    this.isCustomers ||= isStreamUrl(agentUri);
    const { res, status = 0 } = (error ?? {}) as { res?: ReceivedResponse; status?: number };
    const hasAnswered = res !== undefined && !isMadeUp(res);
    if (hasAnswered && isRedirect(status)) this.take(redirectContacts(res.get('Contact')));
    else if (hasAnswered && (status < 500 || status >= 600)) return undefined;
    for (let contact = this.waiting.shift(); contact !== undefined; contact = this.waiting.shift()) {
      const agent = await this.judge(contact);
      if (agent !== undefined) return agent;
    }
    return undefined;
  }

  private take(contacts: readonly RedirectContact[]): void {
    if (contacts.length === 0) this.problem = 'it names no address';
    else if (++this.count > maximumRedirects) this.problem = `more than ${maximumRedirects} redirections`;
    else this.waiting.unshift(...contacts);
  }

  private async judge({ uri, text }: RedirectContact): Promise<CalledAgent | undefined> {
    const agentUri = text.replace(/\?.*$/s, '');
    if (uri.kind !== 'sip') this.problem = `${text} is not the URI of an agent`;
    else if (this.tried.has(agentUri)) this.problem = `${text} was called before`;
    else {
      // The operator's own agent may name others of its network.
      const byOperator = !this.isCustomers && this.call.media?.isForeign('agent') === false;
      const verdict = await this.call.deps.guardTarget.agent(agentUri, byOperator);
      if (verdict.ok) {
        if (!verdict.isOperators) this.call.media?.distrust('agent');
        return { agentUri, proxy: verdict.proxy };
      }
      this.problem = verdict.problem;
    }
    return undefined;
  }
}

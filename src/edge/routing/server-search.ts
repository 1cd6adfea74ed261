import type { Logger } from '../../base/log.js';
import type { FailoverStates } from './failover-states.js';
import { type AttemptFailure, type OutboundRoute, type TrunkServer, triggerOf } from './targets.js';

export interface ServerSearch<Offer> extends Pick<OutboundRoute, 'servers' | 'triggers'> {
  /** The number that calls. */
  readonly number: string;
  readonly failover: Pick<FailoverStates, 'failed' | 'answered'>;
  readonly log: Logger;
  /** No further server is tried after this long. */
  readonly milliseconds: number;
  /** True: the search is no longer needed. */
  readonly isOver: () => boolean;
  /** The offer to a server. */
  readonly offerFor: (server: TrunkServer) => Promise<Offer>;
  /** One INVITE to one server; undefined: answered. */
  readonly attempt: (server: TrunkServer, offer: Offer) => Promise<AttemptFailure | undefined>;
}

/** No server has answered. */
export interface SearchFailure {
  readonly last: AttemptFailure;
  /** A line for each server that was tried. */
  readonly texts: readonly string[];
}

/**
 * Tries a number's servers in order until one gives a decisive answer. A server that fails with one of the triggers is
 * bypassed for other calls too. Resolves with undefined if a server answered or `isOver` came first.
 */
export async function searchServers<Offer>(search: ServerSearch<Offer>): Promise<SearchFailure | undefined> {
  const { number, servers, triggers, failover, log, isOver } = search;
  const until = performance.now() + search.milliseconds;
  const texts: string[] = [];
  for (const [index, server] of servers.entries()) {
    if (isOver()) return undefined;
    const offer = await search.offerFor(server);
    if (isOver()) return undefined;
    const failure = await search.attempt(server, offer);
    if (failure === undefined) void failover.answered(number, server);
    if (failure === undefined || isOver()) return undefined;
    const text = described(server, failure);
    texts.push(text);
    const trigger = triggerOf(failure);
    const isPassed = trigger !== undefined && triggers.has(trigger);
    if (isPassed && servers.length > 1) void failover.failed(number, server, trigger, text);
    const isLast = index === servers.length - 1 || performance.now() > until;
    if (isLast || !isPassed) return { last: failure, texts };
    log.warn({ failure: text, trigger }, 'Trying the next server.');
  }
  return undefined;
}

function described({ host, port, transport }: TrunkServer, failure: AttemptFailure): string {
  const { status, reason, isOurs, unreachable, problem } = failure;
  const more = isOurs ? (unreachable ?? 'no response') : problem;
  const server = `${host}${port === undefined ? '' : `:${port}`} ${transport}`;
  return `${server}: ${status} ${reason}${more === undefined ? '' : ` (${more})`}`;
}

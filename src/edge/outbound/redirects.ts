import type { Logger } from '../../base/log.js';
import { endpointName } from '../../contract/health.js';
import { type NumberDocument, numberDigits } from '../../contract/number.js';
import type { TransferPolicy } from '../../contract/transfer.js';
import { escapeUser, formatHostPort, type SipUri, type TelUri, userOf } from '../../sip/uri.js';
import {
  isRedirect,
  maximumRedirects,
  type RedirectContact,
  redirectContacts,
} from '../routing/redirect-contacts.js';
import { type AttemptFailure, type OutboundRoute, type TrunkServer, triggerOf } from '../routing/targets.js';
import type { TrunkStore } from '../routing/trunk-store.js';
import { judgeTarget, targetDigits } from '../transfer/policy.js';

export interface RedirectScope {
  readonly document: NumberDocument;
  readonly route: OutboundRoute;
  readonly policy: TransferPolicy;
  /** The user that is called: a number with plus, an extension or a name. */
  readonly callee: string;
  readonly trunks: Pick<TrunkStore, 'find'>;
}

/** A server to call, and the Request-URI for it. */
export interface RedirectedTo {
  readonly server: TrunkServer;
  readonly uri: string;
}

export interface Following {
  readonly attempt: (to: RedirectedTo) => Promise<AttemptFailure | undefined>;
  /** Address of the peer of the call, which stands for the trunk. */
  readonly address: () => string;
  readonly isOver: () => boolean;
  readonly log: Logger;
}

/** Calls a server, and those to which it redirects the call: until one answers or refuses it. Undefined: answered, or over. */
export async function callAndFollow(
  redirects: Redirects,
  to: RedirectedTo,
  following: Following,
): Promise<AttemptFailure | undefined> {
  const { attempt, address, isOver, log } = following;
  redirects.note(to.server, to.uri);
  let failure = await attempt(to);
  if (failure === undefined || failure.isOurs || !isRedirect(failure.status)) return failure;
  const next = await redirects.follow(failure, to.server, address());
  if (typeof next === 'string') return { ...failure, problem: `redirection not followed: ${next}` };
  for (const contact of next) {
    if (isOver()) return undefined;
    log.info({ to: contact.uri }, 'The trunk redirects the call.');
    failure = await callAndFollow(redirects, contact, following);
    if (failure === undefined) return undefined;
    if (!isRedirect(failure.status) && triggerOf(failure) === undefined) return failure;
  }
  return failure;
}

/**
 * The redirections of one outbound call, or of the call to a transfer target (RFC 3261 §8.1.3.4). A trunk may send it where it may
 * transfer a call: for the called user to the number's own servers and the hosts among its `allowed_targets`, and for another user by
 * the rules of a transfer that the trunk requests.
 */
export class Redirects {
  private count = 0;
  private readonly tried = new Set<string>();

  constructor(private readonly scope: RedirectScope) {}

  /** An INVITE goes there. */
  note(server: TrunkServer, uri: string): void {
    this.tried.add(`${server.name} ${uri}`);
  }

  /**
   * Where a server's redirection leads, in the order to try; or why it is not followed.
   * @param address of the server that redirects
   */
  async follow(
    { contact }: AttemptFailure,
    from: TrunkServer,
    address: string,
  ): Promise<readonly RedirectedTo[] | string> {
    const contacts = redirectContacts(contact);
    if (contacts.length === 0) return 'it names no address';
    if (++this.count > maximumRedirects) return `more than ${maximumRedirects} redirections`;
    const allowed: RedirectedTo[] = [];
    let problem = '';
    for (const contact of contacts) {
      const judged = await this.judge(contact, from, address);
      if (typeof judged === 'string') problem = judged;
      else if (this.tried.has(`${judged.server.name} ${judged.uri}`))
        problem = `${contact.text} was called before.`;
      else allowed.push(judged);
    }
    return allowed.length > 0 ? allowed : problem;
  }

  private async judge(
    { uri }: RedirectContact,
    from: TrunkServer,
    address: string,
  ): Promise<RedirectedTo | string> {
    const { document, route, policy, callee } = this.scope;
    const digits = targetDigits(uri);
    const isCallee = digits === undefined ? userOf(uri) === callee : digits === numberDigits(callee);
    const verdict = judgeTarget(isCallee ? withUser(uri, callee) : uri, {
      // The called user was the caller's choice, so that only the host is judged.
      policy: isCallee ? { ...policy, allowed_targets: [...(policy.allowed_targets ?? []), callee] } : policy,
      requestedBy: 'trunk',
      number: document.number,
      isOwnNumber: digits !== undefined && (await this.isOwnNumber(digits)),
      route,
      isCalledByUs: true,
      ownHosts: [],
      callHosts: [address],
    });
    if (!verdict.ok) return verdict.detail;
    const [listed] = verdict.destination.servers;
    const server = verdict.destination.isOwnTrunk ? this.ownServer(uri, from) : listed!;
    // Number portability parameters (RFC 4694) stay.
    const user = isCallee && uri.kind === 'sip' ? uri.user! : escapeUser(verdict.destination.user);
    return {
      server,
      uri: `sip:${user}@${formatHostPort(server.host, server.port)};transport=${server.transport}`,
    };
  }

  /** True: a number of the same organization. */
  private async isOwnNumber(digits: string): Promise<boolean> {
    const { document, trunks } = this.scope;
    const found = await trunks.find(digits).catch(() => undefined);
    return found?.organization === document.organization;
  }

  /** At another port than a configured server's it gets no credentials; encrypted signaling stays encrypted. */
  private ownServer(uri: SipUri | TelUri, from: TrunkServer): TrunkServer {
    if (uri.kind === 'tel') return from;
    const named =
      uri.parameters.get('transport')?.toLowerCase() ?? (uri.scheme === 'sips' ? 'tls' : undefined);
    const isKnown = named === 'udp' || named === 'tcp' || named === 'tls';
    const transport = isKnown && from.transport !== 'tls' ? named : from.transport;
    const isSameHost = uri.host.toLowerCase() === from.host.toLowerCase();
    const port = uri.port ?? (isSameHost ? from.port : undefined);
    const target = { host: uri.host, port, transport };
    const name = endpointName(target);
    const server = this.scope.route.servers.find((each) => each.name === name);
    return server ?? { ...from, ...target, name, credential: undefined };
  }
}

const withUser = (uri: SipUri | TelUri, user: string): SipUri | TelUri =>
  uri.kind === 'sip' ? { ...uri, user } : uri;

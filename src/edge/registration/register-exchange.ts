import { randomBytes, randomUUID } from 'node:crypto';
import type { Endpoint } from '../../contract/health.js';
import { type EgressPolicy, egressText } from '../../naming/egress.js';
import { parseAddress } from '../../sip/address.js';
import { fromText } from '../../sip/message.js';
import { splitList } from '../../sip/text.js';
import { escapeUser, formatHostPort, parseUri, userOf } from '../../sip/uri.js';
import {
  type EndpointNames,
  type EndpointTarget,
  hostOf,
  nextHop,
  targetName,
  targetsOf,
} from '../routing/endpoint-targets.js';
import { unreachableText } from '../routing/send-options.js';
import { allow } from '../sip/capabilities.js';
import { DigestClient, type DigestExchange } from '../sip/digest-client.js';
import type { EngineLink } from '../sip/engine-link.js';
import { failureText, isMadeUp, type ReceivedResponse } from '../sip/messages.js';
import { cleanPhrase } from '../sip/reason.js';

export interface RegisterExchangeParts {
  readonly engine: Pick<EngineLink, 'request'>;
  readonly names: EndpointNames;
  readonly egress: EgressPolicy;
  /** A server that has not answered by then counts as down. */
  readonly timeoutMilliseconds: number;
  readonly maximumTargets: number;
}

/** The user to register, and the registrar. */
export interface RegisterIdentity {
  readonly registrar: Endpoint;
  readonly username: string;
  readonly password: string;
  /** The one realm whose challenges are answered; undefined: any. */
  readonly realm?: string | undefined;
  /** User part of our Contact. */
  readonly token: string;
}

/** The outcome. `detail` is for people and contains no secret. */
export type RegisterOutcome =
  | {
      readonly kind: 'registered';
      readonly status: number;
      /** From now. */
      readonly expiresSeconds: number;
      /** Our Contact URI as the registrar received it; undefined when the engine does not report it. */
      readonly contact: string | undefined;
      /** Where the response came from. */
      readonly address: string;
    }
  | {
      /** `refused`: the server rejects the registration. `unreachable`: it cannot be reached now. */
      readonly kind: 'refused' | 'unreachable';
      readonly status: number | undefined;
      readonly detail: string;
      readonly retryAfterSeconds: number | undefined;
    };

type Failure = Exclude<RegisterOutcome, { kind: 'registered' }>;

/** Bounds challenges of several proxies, 423, and stale nonces. */
const maximumRequests = 8;
const maximumRedirects = 3;
/** We refresh after a day even if the registrar grants longer. */
const longestExpires = 86_400;

/**
 * The REGISTER requests of one registration (RFC 3261 §10.2): one Call-ID, an increasing CSeq, and credentials that are
 * reused as long as the server accepts the nonce.
 */
export class RegisterExchange {
  /** Of all its requests. */
  readonly callId: string = randomUUID();
  private readonly tag = randomBytes(8).toString('hex');
  private sequence = 0;
  private readonly digestClient: DigestClient;
  /** The last answered challenges: refreshes reuse their nonces. */
  private digest: DigestExchange | undefined;
  /** Where the binding is: refreshes go there first. */
  private lastTarget: string | undefined;
  /** Minimum that the registrar demanded by 423. */
  private minimumExpires = 0;

  constructor(
    private readonly parts: RegisterExchangeParts,
    private readonly identity: RegisterIdentity,
  ) {
    this.digestClient = new DigestClient(identity);
  }

  /**
   * Adds or refreshes our binding, or removes one with `expiresSeconds` 0. Never rejects.
   * @param contact another binding than ours, to be removed
   */
  register(expiresSeconds: number, contact?: string): Promise<RegisterOutcome> {
    return this.registerAt(this.identity.registrar, { expiresSeconds, contact, redirects: 0 });
  }

  private async registerAt(
    registrar: Endpoint,
    wish: { expiresSeconds: number; contact: string | undefined; redirects: number },
  ): Promise<RegisterOutcome> {
    let targets: readonly EndpointTarget[];
    try {
      targets = await targetsOf(registrar, this.parts.names, this.parts.maximumTargets);
    } catch (error) {
      return unreachable((error as Error).message);
    }
    const problemOf = (target: EndpointTarget) =>
      this.parts.egress.problemOf({ ...target, protocol: registrar.transport });
    const reachable = targets.filter((target) => problemOf(target) === undefined);
    const problem = targets[0] && problemOf(targets[0]);
    if (reachable.length === 0 && problem !== undefined) {
      return refused(undefined, egressText(registrar.host, problem));
    }
    const isLast = (target: EndpointTarget): number => (targetName(target) === this.lastTarget ? 0 : 1);
    let outcome: RegisterOutcome = unreachable('No address');
    for (const target of reachable.toSorted((first, second) => isLast(first) - isLast(second))) {
      outcome = await this.registerWith(registrar, target, wish);
      if (outcome.kind !== 'unreachable') return outcome;
    }
    return outcome;
  }

  private async registerWith(
    registrar: Endpoint,
    target: EndpointTarget,
    wish: { expiresSeconds: number; contact: string | undefined; redirects: number },
  ): Promise<RegisterOutcome> {
    const uri = registrarUri(registrar);
    let expires = wish.expiresSeconds === 0 ? 0 : Math.max(wish.expiresSeconds, this.minimumExpires);
    // The nonce may have expired, which says nothing about the password.
    let isDigestFresh = false;
    for (let requests = 0; requests < maximumRequests; requests++) {
      const sent = await this.send(registrar, target, { uri, expires, contact: wish.contact });
      if ('kind' in sent) return sent;
      const { response, contact } = sent;
      const { status } = response;
      if (status < 300) {
        this.lastTarget = targetName(target);
        return this.registered(response, expires, contact);
      }
      if (status === 401 || status === 407) {
        if (this.digest?.accept(response) === true) continue;
        if (this.digest !== undefined && isDigestFresh) {
          const { problem } = this.digest;
          this.digest = undefined;
          return refused(status, problem ?? 'The registrar rejected the user name and password');
        }
        this.digest = this.digestClient.begin();
        isDigestFresh = true;
        if (this.digest.accept(response)) continue;
        const { problem } = this.digest;
        this.digest = undefined;
        return refused(status, problem ?? 'The registrar requires an unsupported authentication scheme');
      }
      if (status === 423 && expires > 0) {
        const minimum = Number.parseInt(response.get('Min-Expires') ?? '', 10);
        if (minimum > expires && minimum <= longestExpires) {
          expires = minimum;
          this.minimumExpires = minimum;
          continue;
        }
      }
      if (status < 400) return this.redirected(response, wish);
      return refusalOf(response);
    }
    return refused(undefined, `The registrar gave no final result within ${maximumRequests} requests`);
  }

  private redirected(
    response: ReceivedResponse,
    wish: { expiresSeconds: number; contact: string | undefined; redirects: number },
  ): Promise<RegisterOutcome> | Failure {
    if (wish.redirects >= maximumRedirects) {
      return refused(response.status, `The registrar redirected more than ${maximumRedirects} times`);
    }
    for (const value of splitList(response.get('Contact') ?? '')) {
      const endpoint = endpointOfUri(parseAddress(value)?.uri ?? '', this.identity.registrar.transport);
      if (endpoint !== undefined)
        return this.registerAt(endpoint, { ...wish, redirects: wish.redirects + 1 });
    }
    return refused(response.status, 'The registrar redirected to an address that is not a SIP URI');
  }

  private send(
    endpoint: Endpoint,
    target: EndpointTarget,
    { uri, expires, contact }: { uri: string; expires: number; contact: string | undefined },
  ): Promise<{ response: ReceivedResponse; contact: string | undefined } | Failure> {
    const { engine, timeoutMilliseconds } = this.parts;
    const { username, token, registrar } = this.identity;
    const { transport } = endpoint;
    const parameter = transport === 'udp' ? '' : `;transport=${transport}`;
    const addressOfRecord = `<sip:${escapeUser(fromText(username))}@${formatHostPort(registrar.host, undefined)}>`;
    const binding = contact ?? `sip:${token}@localhost${parameter};line=${token}`;
    this.sequence += 1;
    return new Promise((resolve) => {
      let sentContact: string | undefined;
      const late = (): void => resolve(unreachable(`No answer within ${timeoutMilliseconds} ms`));
      // Reads a response that arrived while this process was blocked first.
      const timer = setTimeout(() => setImmediate(late), timeoutMilliseconds);
      engine.request(
        uri,
        {
          method: 'REGISTER',
          headers: {
            From: `${addressOfRecord};tag=${this.tag}`,
            To: addressOfRecord,
            'Call-ID': this.callId,
            CSeq: `${this.sequence} REGISTER`,
            Contact: `<${binding}>;expires=${expires}`,
            Expires: String(expires),
            'User-Agent': 'demarc',
            Allow: allow,
            ...this.digest?.headers({ method: 'REGISTER', uri }),
          },
          proxy: nextHop(endpoint, target),
          tlsCa: registrar.tls_ca,
        },
        (error, response) => {
          clearTimeout(timer);
          if (response === undefined) resolve(unreachable(`Not sent: ${failureText(error)}`));
          else if (isMadeUp(response)) resolve(unreachable(unreachableText(response)));
          else resolve({ response, contact: sentContact });
        },
        (request) => {
          sentContact = parseAddress(request.get('Contact') ?? '')?.uri;
        },
      );
    });
  }

  /** RFC 3261 §10.2.4: the binding's own `expires` counts, else the Expires header, else what we asked for. */
  private registered(
    response: ReceivedResponse,
    asked: number,
    contact: string | undefined,
  ): RegisterOutcome {
    const own = splitList(response.get('Contact') ?? '')
      .map(parseAddress)
      .find((address) => address !== undefined && contactUser(address.uri) === this.identity.token);
    const given = own?.parameters.get('expires') ?? response.get('Expires');
    const expires = Number.parseInt(given ?? '', 10);
    if (asked > 0 && expires <= 0) {
      return refused(response.status, `The registrar removed the binding at once (expires=${expires})`);
    }
    const expiresSeconds = Number.isNaN(expires) ? asked : Math.min(expires, longestExpires);
    return {
      kind: 'registered',
      status: response.status,
      expiresSeconds,
      contact,
      address: response.source_address,
    };
  }
}

function contactUser(uri: string): string | undefined {
  const parsed = parseUri(uri);
  return parsed === undefined ? undefined : userOf(parsed);
}

/** RFC 3261 §10.2: the registrar's domain, without a user. */
function registrarUri(registrar: Endpoint): string {
  const { port, transport } = registrar;
  const parameter = transport === 'udp' ? '' : `;transport=${transport}`;
  return `sip:${formatHostPort(hostOf(registrar), port)}${parameter}`;
}

/** Where a 3xx sends us; undefined: not to a SIP server. */
function endpointOfUri(uri: string, usual: Endpoint['transport']): Endpoint | undefined {
  const parsed = parseUri(uri);
  if (parsed?.kind !== 'sip') return undefined;
  const named =
    parsed.parameters.get('transport')?.toLowerCase() ?? (uri.startsWith('sips:') ? 'tls' : usual);
  if (named !== 'udp' && named !== 'tcp' && named !== 'tls') return undefined;
  // A redirect must not downgrade an encrypted transport.
  const transport = usual === 'tls' ? 'tls' : named;
  return { host: parsed.host.replace(/^\[(.*)\]$/, '$1'), port: parsed.port, transport };
}

/** What the final response of a registrar means for later attempts. */
function refusalOf(response: ReceivedResponse): Failure {
  const { status } = response;
  const phrase = cleanPhrase(response.reason) ?? '';
  const warning = cleanPhrase(response.get('Warning') ?? '');
  const detail = `The registrar answered ${status} ${phrase}${warning === undefined ? '' : ` (${warning})`}`;
  const isTemporary = status === 408 || status === 480 || status === 486 || Math.floor(status / 100) === 5;
  const retryAfter = Number.parseInt(response.get('Retry-After') ?? '', 10);
  const retryAfterSeconds = retryAfter > 0 ? retryAfter : undefined;
  return { kind: isTemporary ? 'unreachable' : 'refused', status, detail, retryAfterSeconds };
}

const unreachable = (detail: string): Failure => ({
  kind: 'unreachable',
  status: undefined,
  detail,
  retryAfterSeconds: undefined,
});

const refused = (status: number | undefined, detail: string): Failure => ({
  kind: 'refused',
  status,
  detail,
  retryAfterSeconds: undefined,
});

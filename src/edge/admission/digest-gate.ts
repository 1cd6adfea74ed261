import { timingSafeEqual } from 'node:crypto';
import type { DigestSettings } from '../../config/edge-settings.js';
import { numberDigits } from '../../contract/number.js';
import { type SecretBox, SecretError, type SecretPlace } from '../../contract/secret.js';
import { type Credentials, digestResponse, formatChallenge, parseCredentials } from '../../sip/digest.js';
import { fromText } from '../../sip/message.js';
import { splitList } from '../../sip/text.js';
import { equalUris, parseHostPort, parseUri, type SipUri, userOf } from '../../sip/uri.js';
import type { InboundRequest, Refusal } from './admission.js';
import { NonceKeeper } from './digest-nonce.js';
import { GuessLimits } from './guess-limits.js';
import { refuse } from './refusal.js';

/** A user who may call, and what the user stands for. */
export interface DigestAccount<Owner> {
  /** Octets, as they are on the wire. */
  readonly username: string;
  readonly password: { readonly sealed: string; readonly place: SecretPlace } | { readonly plain: string };
  readonly owner: Owner;
}

/** Who asks for what; the same for all users of an organization. */
export interface DigestQuestion<Owner> {
  readonly request: DigestRequest;
  /** The request's address in normal form. */
  readonly source: string;
  readonly accounts: readonly DigestAccount<Owner>[];
  readonly organization: string;
}

export type DigestRequest = Pick<InboundRequest, 'method' | 'uri' | 'callId' | 'header'>;

export type DigestVerdict<Owner> =
  | { readonly ok: true; readonly owner: Owner; readonly username: string }
  | { readonly ok: false; readonly refusal: Refusal };

interface Wrong {
  readonly right: false;
  /** True: the client should try again with the new nonce, without asking its user. */
  readonly stale: boolean;
  readonly detail: string;
}

type Judgement<Owner> = { readonly right: true; readonly owner: Owner; readonly username: string } | Wrong;

const wrong = (detail: string): Wrong => ({ right: false, stale: false, detail });
const stale = (detail: string): Wrong => ({ right: false, stale: true, detail });

/** Milliseconds. */
export interface DigestClocks {
  readonly wall: () => number;
  readonly monotonic: () => number;
}

/** Digest authentication of callers (RFC 3261 §22, RFC 7616, RFC 8760), UAS role: 401 and WWW-Authenticate. */
export class DigestGate {
  private readonly nonces: NonceKeeper;
  private readonly guesses: GuessLimits;
  /** Stands in for the password of a user that does not exist, so that the work is the same. */
  private readonly decoy: string | undefined;

  constructor(
    private readonly settings: DigestSettings,
    private readonly secrets: SecretBox,
    /** `host:port` of our listeners: what a digest-uri without user may name. */
    private readonly ownHostPorts: () => Iterable<string>,
    now: DigestClocks,
    /** Whose gate it is: a nonce of one does not do at the other. */
    callers: 'trunks' | 'agents',
  ) {
    const key = secrets.keyFor(`digest nonce of ${callers}`);
    this.nonces = new NonceKeeper(settings.nonceSeconds, now.wall, key);
    this.guesses = new GuessLimits(settings.failuresPerMinute, now.monotonic);
    this.decoy = secrets.hasKey ? secrets.seal('correct horse battery') : undefined;
  }

  check<Owner>({ request, source, accounts, organization }: DigestQuestion<Owner>): DigestVerdict<Owner> {
    const credentials = this.credentialsOf(request);
    if (credentials === undefined)
      return this.challenge(request, source, wrong('The caller sent no digest credentials.'));
    const guess = { source, organization, username: credentials.username, callId: request.callId };
    const unwelcome = this.guesses.refusal(guess);
    if (unwelcome !== undefined) return tooMany(unwelcome);
    const state = this.nonces.check(credentials.nonce, source);
    // An answer to a foreign nonce is not checked: that would allow undetected password guessing.
    if (state !== 'good') {
      const why = state === 'expired' ? 'has expired' : 'was not made by this edge for this source';
      return this.challenge(request, source, stale(`The nonce ${why}.`));
    }
    const judgement = this.judge(request, credentials, accounts);
    if (judgement.right) {
      this.guesses.right(guess);
      return { ok: true, owner: judgement.owner, username: judgement.username };
    }
    // Only a receiver of our nonce can get here, so that a forged source address causes no ban.
    if (!judgement.stale && this.guesses.wrong(guess)) {
      return repeatedWrong(`${judgement.detail} The caller repeated it in this call.`);
    }
    return this.challenge(request, source, judgement);
  }

  private judge<Owner>(
    request: DigestRequest,
    credentials: Credentials,
    accounts: readonly DigestAccount<Owner>[],
  ): Judgement<Owner> {
    const { algorithm, username, nonce, uri, nc, cnonce, qop } = credentials;
    if (algorithm === undefined || !this.settings.algorithms.some((offered) => offered === algorithm)) {
      return wrong('The digest algorithm was not offered.');
    }
    if (qop !== 'auth' || cnonce === undefined || nc === undefined || !/^[0-9a-fA-F]{8}$/.test(nc)) {
      return wrong('The digest response lacks qop=auth, nc or cnonce (RFC 2069 is not supported).');
    }
    const account = findAccount(username, accounts);
    const opened = this.open(account?.password);
    const expected = digestResponse({
      algorithm,
      username,
      realm: this.settings.realm,
      password: opened.password,
      method: request.method,
      uri,
      nonce,
      nc,
      cnonce,
      qop,
    });
    const isRight = equalInConstantTime(expected, credentials.response.toLowerCase());
    if (account === undefined)
      return wrong(`No configuration has the digest user ${JSON.stringify(username)}.`);
    if (opened.problem !== undefined) {
      return wrong(`The password of ${JSON.stringify(username)} cannot be used: ${opened.problem}`);
    }
    if (!isRight) return wrong(`Wrong password for ${JSON.stringify(username)}.`);
    if (!namesSameTarget(uri, fromText(request.uri), this.ownHostPorts)) {
      return wrong(
        `The digest response is correct, but for another Request-URI (uri=${JSON.stringify(uri)}).`,
      );
    }
    if (!this.nonces.use(nonce, Number.parseInt(nc, 16))) {
      return stale('The nonce count was used before (a replay).');
    }
    return { right: true, owner: account.owner, username };
  }

  private open(kept: DigestAccount<unknown>['password'] | undefined): { password: string; problem?: string } {
    if (kept !== undefined && 'plain' in kept) return { password: fromText(kept.plain) };
    const sealed = kept?.sealed ?? this.decoy;
    if (sealed === undefined) return { password: '', problem: 'DEMARC_SECRET_KEY is not set.' };
    try {
      return { password: fromText(this.secrets.open(sealed, kept?.place)) };
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      return { password: '', problem: error.message };
    }
  }

  /** A 401 with a fresh nonce. Whatever was wrong, the answer looks the same. */
  private challenge(request: DigestRequest, source: string, judgement: Wrong): DigestVerdict<never> {
    const nonce = this.nonces.make(source);
    const offered = offeredTo(request.header('User-Agent'), this.settings.algorithms);
    const values = offered.map((algorithm) =>
      formatChallenge({
        scheme: 'Digest',
        realm: this.settings.realm,
        nonce,
        algorithm,
        qop: ['auth'],
        stale: judgement.stale,
        userhash: false,
      }),
    );
    const refusal = refuse('credentials_required', 'refused_credentials', { detail: judgement.detail });
    // After a wrong answer too: a client tries once more, and both INVITEs of that Call-ID are one call.
    return {
      ok: false,
      refusal: { ...refusal, isChallenge: true, headers: { 'WWW-Authenticate': repeated(values) } },
    };
  }

  private credentialsOf(request: DigestRequest): Credentials | undefined {
    const value = request.header('Authorization');
    if (value === undefined) return undefined;
    // drachtio-srf gives Unicode text; digests are over octets.
    for (const text of splitCredentials(fromText(value))) {
      const credentials = parseCredentials(text);
      if (credentials?.realm === this.settings.realm) return credentials;
    }
    return undefined;
  }
}

/**
 * User agents that give up when any challenge names an algorithm other than MD5, although RFC 3261 §22.4 lets them answer
 * the one they support: libre's SIP stack before it learned SHA-256 (tried with baresip 1.0.0, as Debian 12 ships it).
 */
const md5Only = [/^baresip v[0-2]\./i];

/**
 * The algorithms offered to a caller: the strongest first, because a client answers the first challenge that it can (RFC
 * 8760 §2.4). A caller that fails on the others gets only MD5, if MD5 is allowed.
 */
function offeredTo(
  userAgent: string | undefined,
  allowed: DigestSettings['algorithms'],
): DigestSettings['algorithms'] {
  if (userAgent === undefined || !allowed.includes('MD5')) return allowed;
  return md5Only.some((pattern) => pattern.test(userAgent)) ? ['MD5'] : allowed;
}

/**
 * One header per challenge: RFC 3261 §20.44 forbids joining them by comma, and drachtio-srf allows one value per header
 * name; it writes values unchanged, so the line break in this one begins another header. Consists only of our own text.
 */
const repeated = (values: readonly string[]): string => values.join('\r\nWWW-Authenticate: ');

/** Several Authorization headers arrive joined by comma; each begins with its scheme. */
function splitCredentials(value: string): string[] {
  const groups: string[] = [];
  for (const element of splitList(value)) {
    if (groups.length === 0 || /^[A-Za-z0-9-]+[ \t]+[^ \t=]/.test(element)) groups.push(element);
    else groups[groups.length - 1] += `, ${element}`;
  }
  return groups;
}

/** The first account of that name; all are compared, so that the time reveals nothing. */
function findAccount<Owner>(
  username: string,
  accounts: readonly DigestAccount<Owner>[],
): DigestAccount<Owner> | undefined {
  let found: DigestAccount<Owner> | undefined;
  for (const account of accounts) {
    if (account.username === username && found === undefined) found = account;
  }
  return found;
}

/** The same 403 as for unchecked answers, so that a guesser learns nothing; the record names the cause. */
function repeatedWrong(detail: string): DigestVerdict<never> {
  return { ok: false, refusal: refuse('too_many_wrong_credentials', 'refused_credentials', { detail }) };
}

function tooMany(detail: string): DigestVerdict<never> {
  return { ok: false, refusal: refuse('too_many_wrong_credentials', 'refused_guessing', { detail }) };
}

function equalInConstantTime(expected: string, given: string): boolean {
  const a = Buffer.from(expected, 'latin1');
  const b = Buffer.from(given, 'latin1');
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Whether the digest-uri matches the Request-URI. Callers omit parameters or the port, and proxies add some, so equal user
 * and host are enough: a response for another number never matches. Some leave out the user as well (SIPp does): then the
 * host must be the Request-URI's or the edge's.
 */
function namesSameTarget(
  digestUri: string,
  requestUri: string,
  ownHostPorts: () => Iterable<string>,
): boolean {
  if (digestUri === requestUri) return true;
  const a = parseUri(digestUri);
  const b = parseUri(requestUri);
  if (a === undefined || b === undefined) return false;
  if (equalUris(a, b)) return true;
  const userA = userOf(a);
  const userB = userOf(b);
  if (userA === undefined && a.kind === 'sip') {
    return (b.kind === 'sip' && sameHost(a.host, b.host)) || isOurs(a, ownHostPorts());
  }
  if (userA === undefined || userB === undefined) return false;
  const digits = numberDigits(userA);
  if (userA !== userB && (digits === undefined || digits !== numberDigits(userB))) return false;
  if (a.kind !== 'sip' || b.kind !== 'sip') return a.kind === 'tel' || b.kind === 'tel';
  return sameHost(a.host, b.host);
}

const sameHost = (first: string, second: string): boolean => first.toLowerCase() === second.toLowerCase();

function isOurs({ host, port }: SipUri, ownHostPorts: Iterable<string>): boolean {
  for (const hostPort of ownHostPorts) {
    const own = parseHostPort(hostPort);
    if (own !== undefined && sameHost(own.host, host) && (port === undefined || port === own.port))
      return true;
  }
  return false;
}

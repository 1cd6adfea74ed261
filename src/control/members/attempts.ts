import { createHash } from 'node:crypto';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { enforce } from '../http/enforce.js';
import { isKnownBrowser } from '../people/people.js';
import { browserCookieName } from '../session/cookie.js';

const windowMilliseconds = 15 * 60_000;
/** Of one account from one address, or from a browser that has signed in to it before. */
const attemptsOfBrowser = 10;
/** Of one account from all addresses and unknown browsers together. */
const attemptsOfAccount = 100;

/** Mails to one address. */
const mailsOfAccount = 3;
const linksPerMinute = 60;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/**
 * Limits the guessing of passwords. Nothing is locked: attempts from elsewhere use up only the attempts of unknown browsers, so a
 * stranger cannot keep a person out of the account. Every address is counted, whether or not it has an account.
 */
export class PasswordAttempts {
  private readonly askers = new WeakMap<
    FastifyRequest,
    { readonly browser: string; readonly account: string }
  >();
  private readonly perMailbox: ReturnType<ApiServer['createRateLimit']>;
  private readonly perLinkHolder: ReturnType<ApiServer['createRateLimit']>;
  private readonly perAddress: ReturnType<ApiServer['createRateLimit']>;
  private readonly perBrowser: ReturnType<ApiServer['createRateLimit']>;
  private readonly perAccount: ReturnType<ApiServer['createRateLimit']>;

  constructor(
    server: ApiServer,
    private readonly deps: Pick<ControlDeps, 'database' | 'settings'>,
  ) {
    this.perAddress = server.createRateLimit({
      max: deps.settings.loginsPerMinute,
      timeWindow: 60_000,
      keyGenerator: (request) => `login ${normalizeIP(request.ip)}`,
    });
    this.perLinkHolder = server.createRateLimit({
      max: linksPerMinute,
      timeWindow: 60_000,
      keyGenerator: (request) => `link ${normalizeIP(request.ip)}`,
    });
    this.perMailbox = server.createRateLimit({
      max: mailsOfAccount,
      timeWindow: windowMilliseconds,
      keyGenerator: (request) => `mail ${this.askers.get(request)!.account}`,
    });
    this.perBrowser = server.createRateLimit({
      max: attemptsOfBrowser,
      timeWindow: windowMilliseconds,
      keyGenerator: (request) => `password ${this.askers.get(request)!.browser}`,
    });
    this.perAccount = server.createRateLimit({
      max: attemptsOfAccount,
      timeWindow: windowMilliseconds,
      keyGenerator: (request) => `account ${this.askers.get(request)!.account}`,
    });
  }

  /**
   * Counts an attempt to prove who has that email address.
   * Throws `DemarcError` `TOO_MANY_REQUESTS`.
   * @returns whether the person has signed in with this browser before
   */
  async count(request: FastifyRequest, reply: FastifyReply, email: string): Promise<boolean> {
    await enforce(this.perAddress, request, reply);
    const cookie = request.cookies[browserCookieName];
    const isKnown = await isKnownBrowser(this.deps.database, cookie, email);
    const account = digest(email);
    this.askers.set(request, {
      account,
      browser: isKnown ? `browser ${digest(cookie!)}` : `${account} ${normalizeIP(request.ip)}`,
    });
    await enforce(this.perBrowser, request, reply);
    if (!isKnown) await enforce(this.perAccount, request, reply);
    return isKnown;
  }

  /** Counts a request with a one-time link. Throws `DemarcError` `TOO_MANY_REQUESTS`. */
  countLink(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return enforce(this.perLinkHolder, request, reply);
  }

  /** Counts a request for a mail to that address. Throws `DemarcError` `TOO_MANY_REQUESTS`. */
  async countMail(request: FastifyRequest, reply: FastifyReply, email: string): Promise<void> {
    await enforce(this.perLinkHolder, request, reply);
    this.askers.set(request, { account: digest(email), browser: '' });
    await enforce(this.perMailbox, request, reply);
  }
}

import type { Logger } from '../../base/log.js';
import type { RegistrationSettings } from '../../config/edge-settings.js';
import { endpointName } from '../../contract/health.js';
import type { RegistrationState } from '../../contract/registration.js';
import { RegisterExchange, type RegisterExchangeParts, type RegisterOutcome } from './register-exchange.js';
import type { KnownRegistration } from './registration-directory.js';
import { refreshDelay, retryDelay } from './retry-delay.js';

export interface RegistrationParts {
  readonly settings: RegistrationSettings;
  readonly edgeId: string;
  readonly exchange: Omit<RegisterExchangeParts, 'timeoutMilliseconds' | 'maximumTargets'>;
  /** Called after every attempt; `isNews`: the outcome differs from the previous one. Must not throw. */
  readonly publish: (state: RegistrationState, isNews: boolean) => void;
  readonly log: Logger;
}

const reconnectMilliseconds = 500;

/** Repeated requests do not make us query a registrar more often than this. */
const shortestIntervalMilliseconds = 1_000;

/** A registration that this edge maintains: REGISTER, refresh, retry, remove. */
export class Registration {
  private exchange: RegisterExchange | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private failures = 0;
  /** Monotonic milliseconds. */
  private startedAt = Number.NEGATIVE_INFINITY;
  private state: RegistrationState;
  /** Unix milliseconds: the registrar has our binding until then, reachable or not. */
  private boundUntil = 0;
  /** The last reported change. */
  private reported: Pick<RegistrationState, 'state' | 'last_error'> = {
    state: 'registering',
    last_error: null,
  };

  constructor(
    private readonly parts: RegistrationParts,
    private known: KnownRegistration,
    /** State left by the edge that held the registration before. */
    private previous: RegistrationState | undefined,
  ) {
    this.exchange = this.newExchange();
    this.state = {
      version: 1,
      registration: known.id,
      organization: known.organization,
      registrar: endpointName(known.registrar),
      username: known.username,
      edge_id: parts.edgeId,
      state: 'registering',
      since: new Date().toISOString(),
      attempted_at: null,
      expires_at: null,
      next_attempt_at: null,
      sip_code: null,
      last_error: null,
      contact: null,
      address: null,
    };
  }

  get organization(): string {
    return this.known.organization;
  }

  get isRegistered(): boolean {
    return this.state.state === 'registered';
  }

  /** Call-ID of its REGISTERs; undefined: there is no password to register with. */
  get callId(): string | undefined {
    return this.exchange?.callId;
  }

  start(delayMilliseconds: number): void {
    this.schedule(delayMilliseconds);
    this.tell({});
  }

  /** Applies another password, realm or authority; the user and the registrar of a registration never change. */
  update(next: KnownRegistration): void {
    const before = this.known;
    this.known = next;
    const { credential, registrar } = next;
    const isSame =
      before.credential?.password === credential?.password &&
      before.credential?.realm === credential?.realm &&
      before.registrar.tls_ca === registrar.tls_ca;
    if (isSame) return;
    this.exchange = this.newExchange();
    this.failures = 0;
    this.schedule(0);
  }

  /**
   * RFC 5626 §4.4.1: the binding is lost with the connection that it was made over, because the registrar would send calls
   * there. It is registered again at once, with jitter in case the registrar closed many connections.
   */
  connectionLost(reason: string): void {
    if (this.stopped || this.state.state !== 'registered') return;
    const delay = Math.random() * reconnectMilliseconds;
    this.schedule(delay);
    this.tell({
      state: 'registering',
      expires_at: null,
      next_attempt_at: inMilliseconds(delay),
      sip_code: null,
      last_error: `The connection to the registrar was lost: ${reason}`,
    });
  }

  /** Does not wait for the next refresh or attempt. */
  registerNow(): void {
    this.schedule(Math.max(0, this.startedAt + shortestIntervalMilliseconds - performance.now()));
  }

  /** Sends nothing more; the binding stays. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** After `stop`: removes the binding, if there is one. Never rejects. */
  async unregister(): Promise<void> {
    const { registrar } = this.state;
    if (this.boundUntil < Date.now()) return;
    const outcome = await this.exchange?.register(0);
    if (outcome === undefined || outcome.kind === 'registered') return;
    const { detail } = outcome;
    this.parts.log.warn({ registrar, detail }, 'Removing a binding failed; it will expire.');
  }

  private newExchange(): RegisterExchange | undefined {
    const { registrar, username, credential } = this.known;
    if (credential === undefined) return undefined;
    const { exchange, settings } = this.parts;
    return new RegisterExchange({ ...exchange, ...settings }, { registrar, username, ...credential });
  }

  private schedule(milliseconds: number): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    this.timer = setTimeout(() => this.attempt(), milliseconds);
    this.timer.unref();
  }

  private attempt(): void {
    if (this.running !== undefined) {
      this.again = true;
      return;
    }
    this.again = false;
    this.startedAt = performance.now();
    this.running = this.register()
      .catch((error: Error) => this.parts.log.error({ err: error }, 'Skipped a registration attempt.'))
      .finally(() => {
        this.running = undefined;
        if (this.again) this.schedule(0);
      });
  }

  private async register(): Promise<void> {
    const { exchange } = this;
    if (exchange === undefined) {
      const detail = 'The password is encrypted with a key that this edge does not have (DEMARC_SECRET_KEY)';
      this.failed({ kind: 'refused', status: undefined, detail, retryAfterSeconds: undefined });
      return;
    }
    if (this.state.state !== 'registered') this.tell({ state: 'registering' });
    const outcome = await this.registerOver(exchange);
    // The password has changed meanwhile: only the attempt with the new one counts.
    if (exchange !== this.exchange) this.again = true;
    else if (outcome.kind === 'registered') this.registered(outcome, exchange);
    else this.failed(outcome);
  }

  /** A PBX that allows one binding refuses another one while the binding of a dead edge exists. */
  private async registerOver(exchange: RegisterExchange): Promise<RegisterOutcome> {
    const { expiresSeconds } = this.parts.settings;
    const outcome = await exchange.register(expiresSeconds);
    const earlier = this.earlierContact;
    if (outcome.kind !== 'refused' || outcome.status !== 403 || earlier === undefined) return outcome;
    this.previous = undefined;
    const removed = await exchange.register(0, earlier);
    return removed.kind === 'registered' ? exchange.register(expiresSeconds) : outcome;
  }

  /** The binding of the edge that held the registration before, while the registrar has it. */
  private get earlierContact(): string | undefined {
    const isThere = Date.parse(this.previous?.expires_at ?? '') > Date.now();
    return isThere ? (this.previous?.contact ?? undefined) : undefined;
  }

  private registered(
    outcome: Extract<RegisterOutcome, { kind: 'registered' }>,
    exchange: RegisterExchange,
  ): void {
    this.failures = 0;
    this.boundUntil = Date.now() + outcome.expiresSeconds * 1_000;
    const delay = refreshDelay(outcome.expiresSeconds);
    this.schedule(delay);
    this.tell({
      state: 'registered',
      attempted_at: inMilliseconds(0),
      expires_at: inMilliseconds(outcome.expiresSeconds * 1_000),
      next_attempt_at: inMilliseconds(delay),
      sip_code: outcome.status,
      last_error: null,
      contact: outcome.contact ?? null,
      address: outcome.address,
    });
    void this.removeEarlier(exchange);
  }

  /** The registrar would also call the binding of a dead edge until it expires. */
  private async removeEarlier(exchange: RegisterExchange): Promise<void> {
    const contact = this.earlierContact;
    this.previous = undefined;
    // An engine that does not report what it sent might have sent the same.
    if (contact === undefined || this.state.contact === null || contact === this.state.contact) return;
    const outcome = await exchange.register(0, contact);
    const { registrar } = this.state;
    this.parts.log.info({ registrar, outcome: outcome.kind }, 'Removed the binding of a previous owner.');
  }

  private failed(outcome: Exclude<RegisterOutcome, { kind: 'registered' }>): void {
    this.failures += 1;
    const isAnswer = outcome.status !== undefined;
    const kind = outcome.kind === 'unreachable' && isAnswer ? 'unavailable' : outcome.kind;
    const delay = retryDelay(kind, this.failures, outcome.retryAfterSeconds);
    this.schedule(delay);
    const { expires_at: expiresAt } = this.state;
    // A server that does not answer may still have the binding; one that refuses does not.
    const isBound = outcome.kind === 'unreachable' && Date.parse(expiresAt ?? '') > Date.now();
    if (outcome.kind === 'refused') this.boundUntil = 0;
    this.tell({
      state: isBound ? 'registered' : 'failed',
      attempted_at: inMilliseconds(0),
      expires_at: isBound ? expiresAt : null,
      next_attempt_at: inMilliseconds(delay),
      sip_code: outcome.status ?? null,
      last_error: outcome.detail,
    });
  }

  private tell(changes: Partial<RegistrationState>): void {
    const before = this.state;
    const isRegistered = (changes.state ?? before.state) === 'registered';
    // Several failed attempts in a row are one outage.
    const changed = isRegistered !== this.isRegistered;
    this.state = { ...before, ...changes, ...(changed ? { since: inMilliseconds(0) } : {}) };
    const { state, registrar, username, last_error: detail } = this.state;
    const isNews =
      state !== 'registering' && (state !== this.reported.state || detail !== this.reported.last_error);
    this.parts.publish(this.state, isNews);
    if (!isNews) return;
    this.reported = this.state;
    const level = detail === null ? 'info' : 'warn';
    this.parts.log[level]({ registrar, username, state, detail }, 'Registration state changed.');
  }
}

const inMilliseconds = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

import type { Redis } from '../../base/redis.js';
import type { Endpoint } from '../../contract/health.js';
import { contactToken, registrationsOf, type WantedRegistration } from '../../contract/registration.js';
import type { SecretBox } from '../../contract/secret.js';
import { readNumberDocument } from '../routing/number-document.js';
import { NumberWatch } from '../routing/number-watch.js';

/** What a number contributes to a registration. */
interface Share extends WantedRegistration {
  readonly number: string;
  readonly organization: string;
  readonly updatedAt: string;
}

/** One registration, for all numbers that share it. */
export interface KnownRegistration {
  readonly id: string;
  readonly organization: string;
  readonly registrar: Endpoint;
  readonly username: string;
  /** Undefined: this edge has no key to decrypt it. */
  readonly credential:
    | { readonly password: string; readonly realm?: string | undefined; readonly token: string }
    | undefined;
  /** Inbound configuration by number. */
  readonly numbers: ReadonlyMap<string, string>;
}

export interface RegistrationDirectoryParts {
  readonly redis: Redis;
  readonly secrets: SecretBox;
  /** Called after the registrations may have changed. */
  readonly changed: () => void;
  /** Called with the messages of further channels. */
  readonly channels: Readonly<Record<string, (message: string) => void>>;
}

/** The registrations configured for the numbers. While Redis is down the last known ones stay. */
export class RegistrationDirectory {
  private readonly byNumber = new Map<string, readonly Share[]>();
  private readonly opened = new Map<string, string>();
  private known: ReadonlyMap<string, KnownRegistration> | undefined;
  private tokens: ReadonlyMap<string, KnownRegistration> | undefined;
  private hasRead = false;
  private readonly watch: NumberWatch;

  constructor(private readonly parts: RegistrationDirectoryParts) {
    const { redis, changed, channels } = parts;
    this.watch = new NumberWatch({
      redis,
      name: 'demarc-edge-registrations',
      take: (number, raw) => this.take(number, raw),
      known: () => this.byNumber.keys(),
      changed: () => {
        this.hasRead = true;
        changed();
      },
      channels,
    });
  }

  start(): void {
    this.watch.start();
  }

  /** Loads what an earlier process kept on disk, unless Redis has already answered. */
  seed(kept: readonly (readonly [digits: string, raw: string])[]): void {
    if (this.hasRead) return;
    for (const [digits, raw] of kept) this.take(digits, raw);
  }

  stop(): void {
    this.watch.stop();
  }

  /** By id. */
  get registrations(): ReadonlyMap<string, KnownRegistration> {
    this.known ??= this.gather();
    return this.known;
  }

  byToken(token: string): KnownRegistration | undefined {
    if (this.tokens === undefined) {
      const all = [...this.registrations.values()].flatMap((one) =>
        one.credential === undefined ? [] : [[one.credential.token, one] as const],
      );
      this.tokens = new Map(all);
    }
    return this.tokens.get(token);
  }

  private take(number: string, raw: string | undefined): void {
    // Most numbers have no registration, and parsing a document is expensive.
    const shares = raw?.includes('"registration":') === true ? readShares(number, raw) : [];
    if (shares === undefined || (shares.length === 0 && !this.byNumber.has(number))) return;
    if (shares.length === 0) this.byNumber.delete(number);
    else this.byNumber.set(number, shares);
    this.known = undefined;
    this.tokens = undefined;
  }

  private gather(): ReadonlyMap<string, KnownRegistration> {
    const shares = new Map<string, Share[]>();
    for (const share of [...this.byNumber.values()].flat()) {
      const others = shares.get(share.id);
      if (others === undefined) shares.set(share.id, [share]);
      else others.push(share);
    }
    const sealed = new Set<string>();
    const known = new Map<string, KnownRegistration>();
    for (const [id, all] of shares) {
      // A PBX has one password per user: the last one configured.
      const newest = all.reduce((one, other) => (other.updatedAt > one.updatedAt ? other : one));
      sealed.add(newest.password);
      const password = this.open(newest.password);
      known.set(id, {
        id,
        organization: newest.organization,
        registrar: newest.registrar,
        username: newest.username,
        credential:
          password === undefined
            ? undefined
            : { password, realm: newest.realm, token: contactToken(password, id) },
        numbers: new Map(all.map(({ number, inboundId }) => [number, inboundId])),
      });
    }
    for (const text of this.opened.keys()) if (!sealed.has(text)) this.opened.delete(text);
    return known;
  }

  private open(sealed: string): string | undefined {
    const known = this.opened.get(sealed);
    if (known !== undefined) return known;
    try {
      const password = this.parts.secrets.open(sealed);
      this.opened.set(sealed, password);
      return password;
    } catch {
      return undefined;
    }
  }
}

/** Undefined: the document is unreadable, and the earlier one stays in force. */
function readShares(number: string, raw: string): readonly Share[] | undefined {
  const read = readNumberDocument(raw, number);
  if (!read.ok) return undefined;
  const { document } = read;
  const { organization, updated_at: updatedAt } = document;
  return registrationsOf(document).map((one) => ({ ...one, number, organization, updatedAt }));
}

import type { Logger } from '../../base/log.js';
import type { Redis } from '../../base/redis.js';
import type { Endpoint } from '../../contract/health.js';
import { numberKey } from '../../contract/keys.js';
import { indexedRegistrationsKey, registrationNumbersKey } from '../../contract/number-index.js';
import { contactToken, registrationsOf, type WantedRegistration } from '../../contract/registration.js';
import { numberPlace, type SecretBox } from '../../contract/secret.js';
import { readNumberDocument } from '../routing/number-document.js';
import { NumberIndexWatch } from '../routing/number-index-watch.js';

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
  /** The number that was configured last, with its inbound configuration. */
  readonly newest: { readonly number: string; readonly inboundId: string };
  /** True: no other number shares it. */
  readonly isSingle: boolean;
}

export interface RegistrationDirectoryDeps {
  readonly redis: Redis;
  readonly secrets: SecretBox;
  /** Called after the registrations may have changed. */
  readonly changed: () => void;
  /** Called with the messages of further channels. */
  readonly channels: Readonly<Record<string, (message: string) => void>>;
  readonly log: Logger;
}

/** Registrations of one round trip. */
const readAtOnce = 100;
const messagePrefix = 'registration ';

/**
 * The registrations configured for the numbers, read from the index of the numbers: of each one the document of a single number,
 * however many share it. While Redis is down the last known ones stay.
 */
export class RegistrationDirectory {
  private byId = new Map<string, KnownRegistration>();
  private tokens: ReadonlyMap<string, KnownRegistration> | undefined;
  private hasRead = false;
  private readonly watch: NumberIndexWatch;

  constructor(private readonly deps: RegistrationDirectoryDeps) {
    const { redis, channels, log } = deps;
    this.watch = new NumberIndexWatch({
      redis,
      name: 'demarc-edge-registrations',
      read: (wanted, isComplete) => this.read(wanted, isComplete),
      channels,
      log,
    });
  }

  start(): void {
    this.watch.start();
  }

  /** Loads what an earlier process kept on disk, unless Redis has already answered. */
  seed(kept: readonly (readonly [digits: string, raw: string])[]): void {
    if (this.hasRead) return;
    const shares = new Map<string, Share[]>();
    for (const [digits, raw] of kept) {
      for (const share of readShares(digits, raw) ?? []) {
        shares.set(share.id, [...(shares.get(share.id) ?? []), share]);
      }
    }
    for (const [id, all] of shares) {
      const newest = all.reduce((first, second) => (second.updatedAt > first.updatedAt ? second : first));
      this.byId.set(id, this.knownOf(newest, all.length === 1));
    }
    this.tokens = undefined;
  }

  stop(): void {
    this.watch.stop();
  }

  /** By id. */
  get registrations(): ReadonlyMap<string, KnownRegistration> {
    return this.byId;
  }

  byToken(token: string): KnownRegistration | undefined {
    if (this.tokens === undefined) {
      const all = [...this.byId.values()].flatMap((each) =>
        each.credential === undefined ? [] : [[each.credential.token, each] as const],
      );
      this.tokens = new Map(all);
    }
    return this.tokens.get(token);
  }

  private async read(wanted: ReadonlySet<string> | undefined, isComplete: boolean): Promise<void> {
    const ids =
      wanted === undefined
        ? await this.deps.redis.smembers(indexedRegistrationsKey)
        : [...wanted].flatMap((message) =>
            message.startsWith(messagePrefix) ? [message.slice(messagePrefix.length)] : [],
          );
    if (wanted !== undefined && ids.length === 0) return;
    const registrations = new Map(this.byId);
    if (wanted === undefined && isComplete) {
      const all = new Set(ids);
      for (const id of registrations.keys()) if (!all.has(id)) registrations.delete(id);
    }
    for (let at = 0; at < ids.length; at += readAtOnce) {
      await this.readSome(ids.slice(at, at + readAtOnce), registrations, isComplete);
    }
    this.byId = registrations;
    this.tokens = undefined;
    this.hasRead = true;
    this.deps.changed();
  }

  private async readSome(
    ids: readonly string[],
    registrations: Map<string, KnownRegistration>,
    isComplete: boolean,
  ): Promise<void> {
    const { redis } = this.deps;
    const pipeline = redis.pipeline();
    for (const id of ids) pipeline.zrevrange(registrationNumbersKey(id), 0, 1);
    const numbers = (await pipeline.exec())!.map(([error, reply]) => {
      if (error !== null) throw error;
      return reply as string[];
    });
    const documents = await redis.mget(...numbers.map(([newest]) => numberKey(newest ?? '')));
    ids.forEach((id, index) => {
      const [newest, another] = numbers[index]!;
      if (newest === undefined) {
        if (isComplete) registrations.delete(id);
        return;
      }
      // The number store reports a document that is unreadable; the earlier registration stays, like the earlier document.
      const share = readShares(newest, documents[index] ?? '')?.find((each) => each.id === id);
      if (share !== undefined) registrations.set(id, this.knownOf(share, another === undefined));
    });
  }

  private knownOf(
    { id, organization, registrar, username, ...share }: Share,
    isSingle: boolean,
  ): KnownRegistration {
    const password = this.open(share.password, organization);
    return {
      id,
      organization,
      registrar,
      username,
      isSingle,
      credential:
        password === undefined
          ? undefined
          : { password, realm: share.realm, token: contactToken(password, id) },
      newest: { number: share.number, inboundId: share.inboundId },
    };
  }

  private open(sealed: string, organization: string): string | undefined {
    try {
      return this.deps.secrets.open(sealed, numberPlace(organization));
    } catch {
      return undefined;
    }
  }
}

/** Undefined: the document is unreadable. */
function readShares(number: string, raw: string): readonly Share[] | undefined {
  const read = readNumberDocument(raw, number);
  if (!read.ok) return undefined;
  const { document } = read;
  const { organization, updated_at: updatedAt } = document;
  return registrationsOf(document).map((each) => ({ ...each, number, organization, updatedAt }));
}

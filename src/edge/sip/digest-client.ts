import { randomBytes } from 'node:crypto';
import type { ServerCredential } from '../../contract/number.js';
import { numberPlace, type SecretBox } from '../../contract/secret.js';
import {
  answerChallenge,
  type Challenge,
  formatCredentials,
  parseChallenges,
  selectChallenge,
} from '../../sip/digest.js';
import { fromText, toText } from '../../sip/message.js';
import { cleanPhrase } from './reason.js';

export interface Credential {
  readonly username: string;
  readonly password: string;
  /** The one realm whose challenges are answered; undefined: any. */
  readonly realm?: string | undefined;
}

/** Of the challenged request, which is sent again with the answer. Ordinary text. */
export interface Challenged {
  readonly method: string;
  /** The Request-URI exactly as it is sent (RFC 3261 §22.4): strict servers compare it. */
  readonly uri: string;
  readonly body?: string;
}

const schemes = {
  401: { challenge: 'WWW-Authenticate', credentials: 'Authorization' },
  407: { challenge: 'Proxy-Authenticate', credentials: 'Proxy-Authorization' },
} as const;

/** Each proxy on the path may challenge; more rounds than this are not needed. */
const maximumRounds = 5;
/** Each answered realm, and each echoed challenge parameter, makes our request longer. */
const maximumRealms = 5;
const maximumChallengeLength = 1_024;
/** Per peer; bounds a peer that invents realms. */
const maximumCountedRealms = 32;

const isBearable = ({ realm, nonce, opaque }: Challenge): boolean =>
  realm.length + nonce.length + (opaque?.length ?? 0) <= maximumChallengeLength;

/**
 * Answers the digest challenges of one peer (RFC 3261 §22, RFC 7616, RFC 8760), for the INVITE that makes a dialog and for
 * the requests inside it. Each request is sent first without credentials, and repeated with them where it is challenged.
 */
export class DigestClient {
  /** Of each realm, the nonce used last and how often; a server may give one nonce for many requests. */
  private readonly uses = new Map<string, { readonly nonce: string; count: number }>();

  constructor(
    private readonly credential: Credential,
    private readonly newCnonce: () => string = () => randomBytes(12).toString('hex'),
  ) {}

  get username(): string {
    return this.credential.username;
  }

  /** Credentials for one request and its repetitions. */
  begin(): DigestExchange {
    return new DigestExchange(this.credential, this.newCnonce, (key, nonce) => this.countUse(key, nonce));
  }

  private countUse(key: string, nonce: string): number {
    const used = this.uses.get(key);
    if (used?.nonce === nonce) return ++used.count;
    this.uses.delete(key);
    this.uses.set(key, { nonce, count: 1 });
    if (this.uses.size > maximumCountedRealms) this.uses.delete(this.uses.keys().next().value!);
    return 1;
  }
}

/** For a server of a number, whose password is sealed. Throws `SecretError` when this edge does not have the key. */
export function digestClientFor(
  secrets: Pick<SecretBox, 'open'>,
  sealed: ServerCredential | undefined,
  organization: string | null,
): DigestClient | undefined {
  if (sealed === undefined) return undefined;
  const { username, password, realm } = sealed;
  return new DigestClient({
    username,
    password: secrets.open(password, numberPlace(organization ?? '')),
    realm,
  });
}

/**
 * One request that may be challenged. Each realm is answered once, and again only when the server calls the nonce stale: a
 * second challenge otherwise means wrong credentials.
 */
export class DigestExchange {
  private readonly answered = new Map<string, Challenge>();
  private readonly nonces = new Set<string>();
  private rounds = 0;
  private foreignRealm: string | undefined;

  constructor(
    private readonly credential: Credential,
    private readonly newCnonce: () => string,
    private readonly countUse: (key: string, nonce: string) => number,
  ) {}

  /** Why the last challenge was not answered, as text; undefined if the status says enough. */
  get problem(): string | undefined {
    if (this.foreignRealm === undefined) return undefined;
    const asked = cleanPhrase(toText(this.foreignRealm)) ?? '';
    return `The challenge is for realm "${asked}", but sip_realm is "${this.credential.realm}"`;
  }

  /**
   * Takes a 401 or 407. False: no new credentials, so the response is final.
   */
  accept(response: { readonly status: number; get(name: string): string | undefined }): boolean {
    if (response.status !== 401 && response.status !== 407) return false;
    const { challenge: name, credentials } = schemes[response.status];
    // The library joins lines of one name with commas, which `parseChallenges` tells from those inside a challenge.
    const challenges = parseChallenges([fromText(response.get(name) ?? '')]).filter(isBearable);
    if (challenges.length === 0 || ++this.rounds > maximumRounds) return false;
    let isNew = false;
    const own = this.credential.realm === undefined ? undefined : fromText(this.credential.realm);
    this.foreignRealm = undefined;
    for (const realm of new Set(challenges.map((each) => each.realm))) {
      const chosen = selectChallenge(challenges.filter((each) => each.realm === realm));
      if (chosen === undefined) continue;
      if (own !== undefined && realm !== own) {
        this.foreignRealm = realm;
        continue;
      }
      const key = `${credentials}\n${realm}`;
      if (this.answered.size >= maximumRealms && !this.answered.has(key)) continue;
      const isRepeated = this.nonces.has(`${key}\n${chosen.nonce}`);
      if (isRepeated || (this.answered.has(key) && !chosen.stale)) return false;
      this.nonces.add(`${key}\n${chosen.nonce}`);
      this.answered.set(key, chosen);
      isNew = true;
    }
    return isNew;
  }

  /** Credentials for every realm that has challenged the request so far; each call counts as a use of their nonces. */
  headers({ method, uri, body }: Challenged): Record<string, string> {
    const lines: Record<string, string> = {};
    for (const [key, challenge] of this.answered) {
      const name = key.slice(0, key.indexOf('\n'));
      const credentials = answerChallenge(challenge, {
        username: fromText(this.credential.username),
        password: fromText(this.credential.password),
        method,
        uri: fromText(uri),
        cnonce: this.newCnonce(),
        nonceCount: this.countUse(key, challenge.nonce),
        body: fromText(body ?? ''),
      });
      if (credentials === undefined) continue;
      const value = toText(formatCredentials(credentials));
      const before = lines[name];
      // A line for each realm (RFC 3261 §7.3.1), where drachtio-srf allows one per name: it writes the value unchanged.
      lines[name] = before === undefined ? value : `${before}\r\n${name}: ${value}`;
    }
    return lines;
  }
}

import { randomBytes } from 'node:crypto';
import {
  answerChallenge,
  type Challenge,
  formatCredentials,
  parseChallenges,
  selectChallenge,
} from '../../sip/digest.js';
import { fromText, toText } from '../../sip/message.js';

export interface Credential {
  readonly username: string;
  readonly password: string;
}

/** Of the challenged request, which is sent again with the answer. Ordinary text. */
export interface Challenged {
  readonly method: string;
  /** The Request-URI exactly as it is sent (RFC 3261 §22.4): strict servers compare it. */
  readonly uri: string;
  readonly body?: string;
}

interface Answered {
  readonly challenge: Challenge;
  /** How often the nonce was used. */
  count: number;
}

const schemes = {
  401: { challenge: 'WWW-Authenticate', credentials: 'Authorization' },
  407: { challenge: 'Proxy-Authenticate', credentials: 'Proxy-Authorization' },
} as const;

/** Proxies on the way may challenge one after the other; nobody needs more rounds than this. */
const maximumRounds = 5;

/**
 * Answers the digest challenges of one peer (RFC 3261 §22, RFC 7616, RFC 8760) for a dialog. Each realm is answered once,
 * and again only when the server calls the nonce stale: a second challenge otherwise means wrong credentials.
 */
export class DigestClient {
  private readonly answered = new Map<string, Answered>();
  private readonly nonces = new Set<string>();
  private rounds = 0;

  constructor(
    private readonly credential: Credential,
    private readonly newCnonce: () => string = () => randomBytes(12).toString('hex'),
  ) {}

  /**
   * Takes a 401 or 407. False: there is nothing new to answer with, so that the response is final.
   */
  accept(response: { readonly status: number; get(name: string): string | undefined }): boolean {
    if (response.status !== 401 && response.status !== 407) return false;
    const { challenge: name, credentials } = schemes[response.status];
    const challenges = parseChallenges([fromText(response.get(name) ?? '')]);
    if (challenges.length === 0 || ++this.rounds > maximumRounds) return false;
    let isNew = false;
    for (const realm of new Set(challenges.map((one) => one.realm))) {
      const chosen = selectChallenge(challenges.filter((one) => one.realm === realm));
      if (chosen === undefined) continue;
      const key = `${credentials}\n${realm}`;
      const isRepeated = this.nonces.has(`${key}\n${chosen.nonce}`);
      if (isRepeated || (this.answered.has(key) && !chosen.stale)) return false;
      this.nonces.add(`${key}\n${chosen.nonce}`);
      this.answered.set(key, { challenge: chosen, count: 0 });
      isNew = true;
    }
    return isNew;
  }

  /** Credentials for every realm that has challenged so far; each call counts as a use of their nonces. */
  headers({ method, uri, body }: Challenged): Record<string, string> {
    const lines: Record<string, string> = {};
    for (const [key, answered] of this.answered) {
      const name = key.slice(0, key.indexOf('\n'));
      answered.count += 1;
      const credentials = answerChallenge(answered.challenge, {
        username: fromText(this.credential.username),
        password: fromText(this.credential.password),
        method,
        uri: fromText(uri),
        cnonce: this.newCnonce(),
        nonceCount: answered.count,
        body: fromText(body ?? ''),
      });
      if (credentials === undefined) continue;
      const value = toText(formatCredentials(credentials));
      const before = lines[name];
      // drachtio-srf has room for one line a name.
      lines[name] = before === undefined ? value : `${before}, ${value}`;
    }
    return lines;
  }
}

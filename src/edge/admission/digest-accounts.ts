import type { DigestCredential } from '../../contract/number.js';
import type { SecretPlace } from '../../contract/secret.js';
import { fromText } from '../../sip/message.js';
import type { DigestAccount } from './digest-gate.js';

/** Stored credentials as accounts of whom they stand for. */
export const accountsOf = <Owner>(
  credentials: readonly DigestCredential[],
  owner: Owner,
  place: SecretPlace,
): DigestAccount<Owner>[] =>
  credentials.map(({ username, password }) => ({
    username: fromText(username),
    password: { sealed: password, place },
    owner,
  }));

import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type Key = api.Key;
export type Scope = NonNullable<api.CreateKeyBody['scopes']>[number];
export type CreatedKey = api.CreateKeyAnswer['data'];

/** API keys of one organization: the session's, or another one that an operator manages. */
export interface KeyStore {
  /** What changes need. */
  readonly scope: Scope;
  /** Newest first. */
  readonly read: (signal?: AbortSignal) => Promise<readonly Key[]>;
  readonly keyOf: (body: api.CreateKeyBody) => ApiRequest<CreatedKey>;
  readonly revocationOf: (key_id: string) => ApiRequest<Key>;
}

/** Newest first. */
export const readKeys = async (signal?: AbortSignal): Promise<readonly Key[]> =>
  (await ask(demarc.listKeys({ limit: 100 }, { signal }))).keys;

/** Those of the session's organization. */
export const ownKeys: KeyStore = {
  scope: 'keys:write',
  read: readKeys,
  keyOf: (body) => (client) => client.createKey(body),
  revocationOf: (key_id) => (client) => client.revokeKey({ key_id }),
};

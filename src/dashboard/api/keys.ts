import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type Key = api.Key;
export type Scope = NonNullable<api.CreateKeyBody['scopes']>[number];
export type CreatedKey = api.CreateKeyAnswer['data'];

/** Newest first. */
export const readKeys = async (signal?: AbortSignal): Promise<readonly Key[]> =>
  (await ask(demarc.listKeys({ limit: 100 }, { signal }))).keys;

export const keyOf =
  (body: api.CreateKeyBody): ApiRequest<CreatedKey> =>
  (client) =>
    client.createKey(body);

export const revocationOf =
  (key_id: string): ApiRequest<Key> =>
  (client) =>
    client.revokeKey({ key_id });

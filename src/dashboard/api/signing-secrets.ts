import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

/** What handshakes with WebSocket agents are signed with. */
export type SigningSecret = api.ListAgentStreamSecretsAnswer['data']['signing_secrets'][number];
export type CreatedSigningSecret = api.CreateAgentStreamSecretAnswer['data'];

/** The current one first. */
export const readSigningSecrets = (signal?: AbortSignal): Promise<readonly SigningSecret[]> =>
  ask(demarc.listAgentStreamSecrets({ signal })).then(({ signing_secrets }) => signing_secrets);

export const createSigningSecret: ApiRequest<CreatedSigningSecret> = (client) =>
  client.createAgentStreamSecret();

export const removeSigningSecret =
  (secret_id: string): ApiRequest =>
  (client) =>
    client.removeAgentStreamSecret({ secret_id });

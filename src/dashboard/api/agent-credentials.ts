import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

/** Digest credentials of agents that place calls by INVITE. */
export type AgentCredential = api.ListAgentCredentialsAnswer['data']['agent_credentials'][number];
export type CreatedCredential = api.CreateAgentCredentialAnswer['data'];

/** Oldest first. */
export const readAgentCredentials = async (signal?: AbortSignal): Promise<readonly AgentCredential[]> =>
  (await ask(demarc.listAgentCredentials({}, { signal }))).agent_credentials;

export const credentialOf =
  (name: string): ApiRequest<CreatedCredential> =>
  (client) =>
    client.createAgentCredential({ name });

export const revocationOf =
  (credential_id: string): ApiRequest =>
  (client) =>
    client.revokeAgentCredential({ credential_id });

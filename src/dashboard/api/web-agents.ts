import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type WebAgent = api.WebAgent;

/** The newest hundred. */
export const readWebAgents = (signal?: AbortSignal): Promise<readonly WebAgent[]> =>
  ask(demarc.listAgents({ limit: 100 }, { signal })).then(({ agents }) => agents);

export const creationOf =
  (tools: string[]): ApiRequest<WebAgent> =>
  (client) =>
    client.createAgent({ tools });

export const changeOf =
  (agent_id: string, tools: string[]): ApiRequest<WebAgent> =>
  (client) =>
    client.updateAgent({ agent_id }, { tools });

export const deletionOf =
  (agent_id: string): ApiRequest =>
  (client) =>
    client.deleteAgent({ agent_id });

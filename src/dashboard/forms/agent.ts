import type * as api from '../../../clients/typescript/src/index.js';
import { withoutEmpty } from './edits.js';

/** The agent of a form: a SIP URI, or a WebSocket server with its settings; undefined: not set. */
export type AgentField = string | Partial<api.WebSocketAgent> | undefined;

/** An agent of the API as forms edit it. A URL alone is a WebSocket server with the default settings. */
export function agentField(agent: string | api.WebSocketAgentView | null): AgentField {
  if (typeof agent === 'object' && agent !== null)
    return { ...agent, fallback: agent.fallback ?? undefined } as Partial<api.WebSocketAgent>;
  return agent !== null && /^wss?:/i.test(agent) ? { type: 'websocket', url: agent } : (agent ?? undefined);
}

/** As the API takes it. Without headers it has none: an absent field would keep the stored ones. */
export const agentBody = (agent: AgentField): string | api.WebSocketAgent | undefined =>
  typeof agent === 'object'
    ? ({ headers: {}, ...withoutEmpty(agent) } as api.WebSocketAgent)
    : withoutEmpty(agent);

import type { Redis } from '../../../base/redis.js';
import { type BotState, botStateKey, botStateSchema } from '../../../contract/agent-stream.js';

/** Null: the agent of the call is no WebSocket server, or nothing is known of its connection. Never rejects. */
export async function readBotState(redis: Redis, callId: string): Promise<BotState | null> {
  const json = await redis.get(botStateKey(callId)).catch(() => null);
  return json === null ? null : (botStateSchema.safeParse(JSON.parse(json)).data ?? null);
}

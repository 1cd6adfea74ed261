import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Redis } from '../../../base/redis.js';
import { maximumListenerName, maximumListeningSeconds } from '../../../contract/listening.js';
import { DemarcError } from '../../../errors.js';
import { actorOf } from '../../audit/audit-log.js';
import type { CallControls } from '../../fleet/call-controls.js';
import type { Caller, ControlDeps, RouteGroup } from '../../http/api-server.js';
import { failureSchema } from '../../http/envelope.js';
import { hasScope } from '../../http/scopes.js';
import { callerNow } from '../../session/caller-now.js';
import { actionErrors, actOnCall, callParams } from '../orders/act-on-call.js';
import { AudioStream } from './audio-stream.js';
import { noteBeginning, noteEnd, renewListening } from './listening-log.js';

/** Each opens another connection to Redis. */
const streamsOfProcess = 100;

/** Whether the caller still has the right; if so, renews the listening. Rejects while the database is down. */
async function mayContinue(deps: ControlDeps, caller: Caller, id: string): Promise<boolean> {
  const now = await callerNow(deps, caller);
  const isAllowed =
    now?.sipEnabled === true &&
    now.organizationId === caller.organizationId &&
    hasScope(now.scopes, 'calls:listen');
  if (isAllowed) await renewListening(deps.database, id);
  return isAllowed;
}

/** `GET /calls/{call_id}/audio`: what both sides of an active call say. */
export const listeningRoutes =
  (redis: Redis, controls: Pick<CallControls, 'ask'>): RouteGroup =>
  (server, deps) => {
    const { database, secrets, log } = deps;
    const streams = new Set<AudioStream>();
    const endings = new Set<Promise<void>>();
    server.addHook('preClose', async () => {
      for (const stream of streams) stream.end('control_stopping');
      await Promise.all(endings);
    });

    /** Has the edge end it, and records it. Never rejects. */
    const conclude = async (caller: Caller, callId: string, id: string, reason: string): Promise<void> => {
      const stopped = controls
        .ask(caller.organizationId, callId, { action: 'end_listening', listening_id: id })
        // The edge ends what no process receives.
        .catch(() => {});
      await noteEnd(database, id, reason).catch((error: unknown) => {
        // The row stays: `AbandonedListenings` records it.
        log.warn({ error: String(error), call: callId }, 'The end of listening was not recorded yet.');
      });
      await stopped;
    };

    server.get(
      '/calls/:call_id/audio',
      {
        // A HEAD request would begin to listen and hear nothing.
        exposeHeadRoute: false,
        config: { access: 'listen' },
        schema: {
          operationId: 'listenToCall',
          errors: actionErrors,
          tags: ['Calls'],
          summary: 'Listen to an active call',
          description: `Works for any answered call. The response is a WAVE file that continues until the call ends: G.711 μ-law at 8000 Hz, the caller or callee on the left channel, the agent on the right. It is also complete when the right is withdrawn, and after ${maximumListeningSeconds / 60} minutes; it breaks off when the edge of the call ends. Neither side notices anything, and nothing is stored. The audit log has the beginning and the end with its duration; \`listeners\` of the active call shows who listens. Up to three listeners a call. Requires the scope \`calls:listen\`, which \`calls:write\` does not include.`,
          params: callParams,
          response: {
            200: {
              description: 'The audio',
              content: { 'audio/wav': { schema: z.string().meta({ format: 'binary' }) } },
            },
            '4xx': failureSchema,
            '5xx': failureSchema,
          },
        },
      },
      async (request, reply) => {
        const { caller, ip, params } = request;
        const { call_id: callId } = params;
        if (streams.size >= streamsOfProcess) {
          reply.header('retry-after', '30');
          throw new DemarcError('TOO_MANY_REQUESTS', `${streamsOfProcess} calls are being listened to`);
        }
        const id = randomUUID();
        const stream = new AudioStream({
          redis,
          secrets,
          listeningId: id,
          mayListen: () => mayContinue(deps, caller, id),
          ended: (reason) => {
            streams.delete(stream);
            const ending = conclude(caller, callId, id, reason).finally(() => endings.delete(ending));
            endings.add(ending);
          },
        });
        streams.add(stream);
        try {
          await stream.subscribe();
          await actOnCall(controls, caller, callId, {
            action: 'listen',
            listening_id: id,
            listener: caller.name.slice(0, maximumListenerName),
          });
          const { organizationId } = caller;
          await noteBeginning(database, { id, organizationId, callId, actor: actorOf(caller), address: ip });
        } catch (error) {
          stream.end('not_begun');
          throw error;
        }
        stream.open(reply);
        return reply as never;
      },
    );
  };

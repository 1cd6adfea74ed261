import { mediaStreamEnvironment } from '../../base/garbage-collection.js';
import { readyMessage } from '../../base/supervised-process.js';
import { livenessOf } from '../api-request.js';
import { hostPortText, ownRole, type Part, type PartContext } from '../part.js';
import type { RedisFacts } from './redis.js';

export interface MediaStreamFacts {
  /** Port of SIP from the edges. */
  readonly port: number;
}

interface Needs {
  readonly redis: RedisFacts;
  /** Opens the orders of edges. */
  readonly secretKey: string;
  /** Token for `/metrics`; undefined: no token needed. */
  readonly metricsToken: string | undefined;
  /** Bots in the same house often have certificates of it. */
  readonly caFile: string;
}

/** Calls at agents that are WebSocket servers. */
export async function mediaStreamPart(
  { settings, facts }: PartContext,
  { redis, secretKey, metricsToken, caFile }: Needs,
): Promise<Part<MediaStreamFacts>> {
  const name = 'media-stream';
  const port = await facts.port(name);
  const httpPort = await facts.port(name, 'http');
  return {
    facts: { port },
    plan: {
      name,
      ...ownRole(name),
      channel: true,
      environment: {
        ...mediaStreamEnvironment,
        DEMARC_STREAM_ID: name,
        DEMARC_REDIS_URL: redis.url,
        DEMARC_SECRET_KEY: secretKey,
        DEMARC_STREAM_LISTEN: hostPortText(settings.agentSideAddress, port),
        DEMARC_STREAM_HTTP: `127.0.0.1:${httpPort}`,
        DEMARC_METRICS_TOKEN: metricsToken,
        DEMARC_STREAM_CA: process.env.DEMARC_STREAM_CA ?? caFile,
        // A first bot runs on the same machine.
        DEMARC_STREAM_ALLOW_PRIVATE: process.env.DEMARC_STREAM_ALLOW_PRIVATE ?? 'true',
        DEMARC_DRAIN_SECONDS: String(settings.drainSeconds),
      },
      ready: async (started) => {
        await readyMessage(started);
      },
      limits: livenessOf(`http://127.0.0.1:${httpPort}/livez`, settings.unresponsiveSeconds),
      readyWithinMilliseconds: 30_000,
      graceMilliseconds: settings.drainSeconds * 1_000 + 5_000,
    },
  };
}

import { join } from 'node:path';
import { callProcessEnvironment } from '../../base/garbage-collection.js';
import { livenessOf } from '../api-request.js';
import { ownRole, type Part, type PartContext, until } from '../part.js';
import type { AgentFacts } from './agent.js';
import type { EngineFacts } from './engine.js';
import type { RedisFacts } from './redis.js';
import type { RtpengineFacts } from './rtpengine.js';

export interface EdgeFacts {
  /** Its id in records, logs and leases. */
  readonly name: string;
  /** Base URL of its private HTTP server: control forwards health and metrics. */
  readonly url: string;
  /** True: numbers without source addresses and credentials accept calls from any address. */
  readonly acceptsAnybody: boolean;
  /** Credentials of the operator's agents for outbound calls. */
  readonly agentCredentials: { readonly username: string; readonly password: string };
}

interface Needs {
  readonly redis: RedisFacts;
  readonly rtpengine: RtpengineFacts;
  readonly engine: EngineFacts;
  /** Undefined: DEMARC_AGENT_URI from the environment applies. */
  readonly agent: AgentFacts | undefined;
  /** Token for its `/metrics` and the details of its `/readyz`; undefined: no token needed. */
  readonly metricsToken: string | undefined;
  /** Decrypts the trunk passwords in Redis. */
  readonly secretKey: string;
}

/**
 * One of the edges, which handle every call.
 * @param index from 1
 */
export async function edgePart(
  { settings, directory, facts }: PartContext,
  index: number,
  needs: Needs,
): Promise<Part<EdgeFacts>> {
  const { redis, rtpengine, engine, agent, secretKey, metricsToken } = needs;
  const name = `edge-${index}`;
  const port = await facts.port(name);
  const url = `http://127.0.0.1:${port}`;
  const agentCredentials = {
    username: process.env.DEMARC_AGENT_USERNAME ?? 'agent',
    password: process.env.DEMARC_AGENT_PASSWORD ?? facts.secret('agent'),
  };
  const sourcePolicy = process.env.DEMARC_SOURCE_POLICY ?? 'any';
  return {
    facts: { name, url, acceptsAnybody: sourcePolicy === 'any', agentCredentials },
    plan: {
      name,
      ...ownRole('edge'),
      channel: true,
      environment: {
        ...callProcessEnvironment,
        DEMARC_EDGE_ID:
          process.env.DEMARC_EDGE_ID === undefined ? name : `${process.env.DEMARC_EDGE_ID}-${index}`,
        // The first one keeps the files of a single edge of earlier versions.
        DEMARC_STATE_DIR: index === 1 ? directory.path : join(directory.path, name),
        // The engine has the SIP listeners, so this binds only the private HTTP server.
        DEMARC_BIND: '127.0.0.1',
        DEMARC_HTTP_PORT: String(port),
        DEMARC_REDIS_URL: redis.url,
        DEMARC_SECRET_KEY: secretKey,
        DEMARC_RTPENGINE: rtpengine.ng,
        DRACHTIO_HOST: '127.0.0.1',
        DRACHTIO_PORT: String(engine.adminPort),
        DRACHTIO_SECRET: engine.secret,
        DEMARC_METRICS_TOKEN: metricsToken,
        DEMARC_ENGINE_METRICS_URL: engine.metricsUrl,
        ...(agent !== undefined && { DEMARC_AGENT_URI: agent.uri }),
        DEMARC_AGENT_LISTEN: engine.agentSide,
        DEMARC_AGENT_USERNAME: agentCredentials.username,
        DEMARC_AGENT_PASSWORD: agentCredentials.password,
        DEMARC_DRAIN_SECONDS: String(settings.drainSeconds),
        DEMARC_SOURCE_POLICY: sourcePolicy,
        DEMARC_DISCOVERY_ALLOW_PRIVATE: process.env.DEMARC_DISCOVERY_ALLOW_PRIVATE ?? 'true',
      },
      ready: ({ signal }) =>
        until(async () => (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) })).ok, signal),
      limits: livenessOf(`${url}/livez`, settings.unresponsiveSeconds),
      readyWithinMilliseconds: 30_000,
      // On SIGTERM it would leave answered calls to the engine, which ends as well.
      stopSignal: 'SIGINT',
      // The edge drains first; the rest is for records that still wait for Redis.
      graceMilliseconds: settings.drainSeconds * 1_000 + 5_000,
    },
  };
}

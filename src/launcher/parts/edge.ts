import { randomBytes } from 'node:crypto';
import { answersHttp } from '../api-request.js';
import { ownRole, type Part, type PartContext, until } from '../part.js';
import type { AgentFacts } from './agent.js';
import type { EngineFacts } from './engine.js';
import type { RedisFacts } from './redis.js';
import type { RtpengineFacts } from './rtpengine.js';

export interface EdgeFacts {
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

/** The edge, which handles every call. */
export async function edgePart(
  { settings, directory, ports }: PartContext,
  needs: Needs,
): Promise<Part<EdgeFacts>> {
  const { redis, rtpengine, engine, agent, secretKey, metricsToken } = needs;
  const port = await ports.take();
  const url = `http://127.0.0.1:${port}`;
  const agentCredentials = {
    username: process.env.DEMARC_AGENT_USERNAME ?? 'agent',
    password: process.env.DEMARC_AGENT_PASSWORD ?? randomBytes(24).toString('base64url'),
  };
  const sourcePolicy = process.env.DEMARC_SOURCE_POLICY ?? 'any';
  return {
    facts: { url, acceptsAnybody: sourcePolicy === 'any', agentCredentials },
    plan: {
      name: 'edge',
      ...ownRole('edge'),
      // Without it the edge would outlive a killed supervisor.
      channel: true,
      environment: {
        DEMARC_STATE_DIR: directory.path,
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
      limits: { isAlive: () => answersHttp(`${url}/livez`) },
      readyWithinMilliseconds: 30_000,
      // The edge drains first; the rest is for records that still wait for Redis.
      graceMilliseconds: settings.drainSeconds * 1_000 + 5_000,
    },
  };
}

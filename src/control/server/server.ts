import { randomUUID } from 'node:crypto';
import type { Server as HttpsServer } from 'node:https';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import { type FastifyBaseLogger, type FastifyBodyParser, type FastifyServerOptions, fastify } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Redis } from '../../base/redis.js';
import { closeUnusedConnections } from '../../base/unused-connections.js';
import type { ApiServer, ControlDeps, RouteGroup } from '../http/api-server.js';
import { answerFailure, answerUnreadablePath, answerUnreadableRequest } from '../http/failures.js';
import { requireScope } from '../http/scopes.js';
import { compileValidator, refuseUnstorableText } from '../http/validation.js';
import { acceptIdempotencyKeys } from '../idempotency/idempotency-keys.js';
import type { ControlMetrics } from '../metrics.js';
import { loginRoutes, sessionRoutes } from '../session/routes.js';
import { answerAfterChanges } from './after-changes.js';
import { authenticate, requireEntitlement } from './authentication.js';
import { registerDashboard } from './dashboard-files.js';
import { announceDeprecations } from './deprecation.js';
import type { HttpCertificate } from './http-certificate.js';
import { rateCounts } from './rate-counts.js';
import { recordChanges } from './record-changes.js';
import { registerReference } from './reference/reference.js';
import { limitRequestTime, longestRequestMilliseconds } from './request-time.js';
import { takeTurns } from './request-turns.js';

/** A hundred numbers with ten configurations of fifteen mappings each stay below a third of it. */
const maximumBodyOctets = 256 * 1024;

/** SDKs name the type of a body also where they send none: that is an object without fields. */
function readJsonBody(server: ApiServer): FastifyBodyParser<string> {
  const parse = server.getDefaultJsonParser('error', 'error');
  return (request, body, done) => {
    if (body === '') done(null, {});
    else void parse(request, body, done);
  };
}

/** What the server needs beside that which its routes get. */
export interface ServerDeps extends ControlDeps {
  /** Redis for rate limits shared by all control processes; absent: this process counts alone. */
  readonly rateLimits?: Redis;
  /** True once all edges have the committed changes, false if they do not confirm it in time; absent: responses do not wait. */
  readonly settled?: () => Promise<boolean>;
  /** Counts requests; absent: metrics are off. */
  readonly metrics?: ControlMetrics;
  /** Makes the body of `/openapi.json` in another thread; absent: the event loop makes it. */
  readonly documentText?: () => Promise<string>;
  /** Folder of the built dashboard. Default: the build's output folder. */
  readonly dashboard?: string;
}

/** Counts every request after its response was sent. */
function countRequests(server: ApiServer, metrics: ControlMetrics): void {
  server.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    const isStream = String(reply.raw.getHeader('content-type')).startsWith('text/event-stream');
    metrics.answered(request.method, route, reply.raw.statusCode, reply.elapsedTime / 1_000, isStream);
  });
}

/** The HTTP server with its endpoints, not listening yet. */
export async function buildServer(
  deps: ServerDeps,
  groups: readonly RouteGroup[],
  accountGroups: readonly RouteGroup[] = [],
  certificate?: HttpCertificate,
  publicGroups: readonly RouteGroup[] = [],
  basicGroups: readonly RouteGroup[] = [],
): Promise<ApiServer> {
  const server = fastify({
    ...(certificate === undefined ? {} : { https: certificate.options }),
    loggerInstance: deps.log.child({ part: 'http' }, { level: 'warn' }) as FastifyBaseLogger,
    bodyLimit: maximumBodyOctets,
    // One hop: earlier values of the header come from the client and cannot be trusted.
    trustProxy: deps.settings.trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    genReqId: () => randomUUID(),
    requestTimeout: longestRequestMilliseconds,
    // Idle time: bounds how long an unread answer stays in memory. Event streams send heartbeats more often.
    connectionTimeout: 60_000,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: answerUnreadablePath,
    clientErrorHandler: answerUnreadableRequest,
  } as FastifyServerOptions).withTypeProvider<ZodTypeProvider>() as unknown as ApiServer;
  if (certificate !== undefined) certificate.follow(server.server as unknown as HttpsServer, deps.log);
  closeUnusedConnections(server);
  limitRequestTime(server);
  // Without it text/plain bodies would fail with "not an object" instead of naming the media type to send.
  server.removeContentTypeParser(['text/plain', 'application/json']);
  server.addContentTypeParser('application/json', { parseAs: 'string' }, readJsonBody(server));
  server.setValidatorCompiler(compileValidator as never);
  server.setSerializerCompiler(serializerCompiler);
  server.setErrorHandler(answerFailure);
  server.addHook('onRequest', async (request, reply) => {
    reply
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff');
  });
  announceDeprecations(server);
  // Before any route, which would not be counted otherwise.
  if (deps.metrics !== undefined) countRequests(server, deps.metrics);
  await server.register(rateLimit, { global: false, store: rateCounts(deps.rateLimits) });
  // Requests are not decompressed: a small one could unpack to any size.
  await server.register(compress, { encodings: ['gzip'], globalDecompression: false });
  await server.register(cookie);
  await registerReference(server, deps.settings.notices.publicUrl, deps.documentText);
  await server.register(
    async (api) => {
      api.decorateRequest('caller', null as never);
      api.addHook('preValidation', refuseUnstorableText);
      loginRoutes(api as ApiServer, deps);
      await api.register(async (authenticated) => {
        authenticated.addHook('onRequest', authenticate(authenticated as ApiServer, deps));
        takeTurns(authenticated as ApiServer);
        acceptIdempotencyKeys(authenticated as ApiServer, deps);
        authenticated.addHook('onRequest', requireScope);
        recordChanges(authenticated as ApiServer, deps);
        if (deps.settled !== undefined) answerAfterChanges(authenticated as ApiServer, deps.settled);
        for (const group of [sessionRoutes, ...accountGroups]) group(authenticated as ApiServer, deps);
        await authenticated.register(async (entitled) => {
          entitled.addHook('onRequest', requireEntitlement);
          entitled.addHook('onRoute', (route) => {
            route.config = { ...route.config, isEntitled: true };
          });
          for (const group of groups) group(entitled as ApiServer, deps);
        });
      });
    },
    { prefix: '/v1' },
  );
  for (const group of basicGroups) {
    await server.register(async (scope) => {
      scope.decorateRequest('caller', null as never);
      scope.addHook('onRoute', (route) => {
        route.config = { ...route.config, takesBasicPassword: true };
      });
      scope.addHook('preValidation', refuseUnstorableText);
      scope.addHook('onRequest', authenticate(scope as ApiServer, deps));
      takeTurns(scope as ApiServer);
      scope.addHook('onRequest', requireScope);
      scope.addHook('onRequest', requireEntitlement);
      group(scope as ApiServer, deps);
    });
  }
  for (const group of publicGroups) {
    await server.register(async (scope) => group(scope as ApiServer, deps));
  }
  await registerDashboard(server, deps.dashboard);
  return server;
}

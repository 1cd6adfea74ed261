import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isRedisDown } from '../../base/redis.js';
import { DemarcError } from '../../errors.js';
import { isUnavailable } from '../database/database.js';
import { type Fault, failure, faultOf } from './envelope.js';
import { InvalidRequest } from './validation.js';

/** Where a refusal that passes says nothing itself: an edge is started again in about that time. */
const retryAfterSeconds = '5';

/** The body of a refusal, made after its status is set. */
type FailureBody = (faults: readonly Fault[], requestId: string) => unknown;

/** Answers whatever a request failed with, in the envelope unless `body` makes another one. Nothing of an unexpected error leaves the process. */
export function answerFailure(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  body: FailureBody = failure,
): FastifyReply {
  if (error instanceof InvalidRequest) {
    return reply.code(400).send(body(error.faults, request.id));
  }
  if (error instanceof DemarcError) {
    if (error.definition.http >= 500) logFailure(request, error);
    const message = error.definition.showsDetail ? error.message : error.definition.text;
    const status = error.definition.http;
    const isPassing = status === 429 || (status === 503 && error.code !== 'SECRET_KEY_MISSING');
    if (isPassing && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterSeconds);
    return reply.code(status).send(body([faultOf(error.code, message)], request.id));
  }
  if (isUnavailable(error) || isRedisDown(error)) {
    request.log.warn({ err: error, ...requestFields(request) }, 'PostgreSQL or Redis is down.');
    return reply
      .code(503)
      .header('retry-after', '1')
      .send(body([faultOf('SERVICE_UNAVAILABLE')], request.id));
  }
  const status = error.statusCode ?? 500;
  if (status === 415) return reply.code(415).send(body([faultOf('UNSUPPORTED_MEDIA_TYPE')], request.id));
  if (status >= 400 && status < 500 && (request.method === 'GET' || request.method === 'HEAD')) {
    // What serves files refuses paths that lead out of its folder; requests that read have no body.
    return reply.code(404).send(body([faultOf('NOT_FOUND', 'Path not found')], request.id));
  }
  if (status >= 400 && status < 500) {
    // fastify's own refusals: no JSON, empty, larger than the limit, a length that is not the body's.
    return reply
      .code(400)
      .send(
        body([{ error: 'VALIDATION_ERROR', message: describe(error, request), path: 'body' }], request.id),
      );
  }
  request.log.error({ err: error, ...requestFields(request) }, 'A request failed.');
  return reply.code(500).send(body([faultOf('INTERNAL_SERVER_ERROR')], request.id));
}

/** Logs a 5xx answer once, with the `request_id` that the client got, and with its cause. */
function logFailure(request: FastifyRequest, error: DemarcError): void {
  const fields = { err: error, code: error.code, detail: error.detail, ...requestFields(request) };
  if (error.definition.http === 500) request.log.error(fields, 'A request failed.');
  else request.log.warn(fields, 'A request was refused.');
}

const requestFields = ({ id, method, routeOptions }: FastifyRequest) => ({
  request_id: id,
  method,
  route: routeOptions.url,
});

function describe(error: FastifyError, { routeOptions }: FastifyRequest): string {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return `The body is too large: ${Math.floor((routeOptions.bodyLimit ?? 0) / 1024)} KB are allowed.`;
    default:
      return 'The body is not JSON.';
  }
}

/** A path that the router gives up on: a wrong escape, or a parameter longer than any. */
export function answerUnreadablePath(
  _error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply
    .code(400)
    .send(
      failure(
        [{ error: 'VALIDATION_ERROR', message: 'The path is wrongly escaped or too long', path: 'path' }],
        request.id,
      ),
    );
}

/** What does not even parse as HTTP, or does not arrive in time; the connection ends with the answer. */
export function answerUnreadableRequest(error: ConnectionError, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET') {
    const body = JSON.stringify(
      failure([faultOf('VALIDATION_ERROR', 'The request is not HTTP that can be read')]),
    );
    const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json; charset=utf-8'];
    socket.write([...head, `Content-Length: ${body.length}`, 'Connection: close', '', body].join('\r\n'));
  }
  socket.destroy();
}

/** 404, or 405 when the path exists with another method. */
export function answerUnknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0]!;
  const allowed = methods.filter((method) => exists(request, method, path));
  if (allowed.length > 0 && !allowed.includes(request.method)) {
    reply.header('allow', [...allowed, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    return reply.code(405).send(failure([faultOf('METHOD_NOT_ALLOWED')], request.id));
  }
  return reply.code(404).send(failure([faultOf('NOT_FOUND', 'Path not found')], request.id));
}

const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'];

function exists(request: FastifyRequest, method: string, path: string): boolean {
  return request.server.findRoute({ method: method as 'GET', url: path }) !== null;
}

import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { DemarcError, type ErrorCode } from '../../errors.js';
import { isUnavailable } from '../database/database.js';
import { failure, faultOf } from './envelope.js';
import { InvalidRequest } from './validation.js';

/** Codes whose detail is written for the caller; that of others is for operators. */
const detailed: ReadonlySet<ErrorCode> = new Set([
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'AMBIGUOUS_CONFIGURATION',
  'NUMBER_TAKEN',
  'TOO_MANY_CONFIGURATIONS',
  'LIVE_CALL_UNAVAILABLE',
  'CALL_NOT_READY',
  'CALL_ACTION_FAILED',
  'TRANSFER_NOT_POSSIBLE',
  'TRANSFER_FORBIDDEN',
  'DISCOVERY_RUNNING',
]);

/** Answers whatever a request failed with, in the envelope. Nothing of an unexpected error leaves the process. */
export function answerFailure(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof InvalidRequest) {
    return reply.code(400).send(failure(error.faults));
  }
  if (error instanceof DemarcError) {
    const message = detailed.has(error.code) ? error.message : error.definition.text;
    return reply.code(error.definition.http).send(failure([faultOf(error.code, message)]));
  }
  if (isUnavailable(error)) {
    request.log.warn({ error: error.message }, 'The database is not available.');
    return reply
      .code(503)
      .header('retry-after', '1')
      .send(failure([faultOf('SERVICE_UNAVAILABLE')]));
  }
  const status = error.statusCode ?? 500;
  if (status === 415) return reply.code(415).send(failure([faultOf('UNSUPPORTED_MEDIA_TYPE')]));
  if (status >= 400 && status < 500 && (request.method === 'GET' || request.method === 'HEAD')) {
    // What serves files refuses paths that lead out of its folder; requests that read have no body.
    return reply.code(404).send(failure([faultOf('NOT_FOUND', 'There is no such path')]));
  }
  if (status >= 400 && status < 500) {
    // fastify's own refusals: no JSON, empty, larger than the limit, a length that is not the body's.
    return reply
      .code(400)
      .send(failure([{ error: 'VALIDATION_ERROR', message: describe(error), path: 'body' }]));
  }
  request.log.error({ error: error.stack ?? String(error), request: request.id }, 'A request failed.');
  return reply.code(500).send(failure([faultOf('INTERNAL_SERVER_ERROR')]));
}

function describe(error: FastifyError): string {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'The body is too large';
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return 'The body is empty';
    default:
      return 'The body is not JSON';
  }
}

/** A path that the router gives up on: a wrong escape, or a parameter longer than any. */
export function answerUnreadablePath(_error: FastifyError, _request: unknown, reply: FastifyReply): void {
  reply
    .code(400)
    .send(
      failure([
        { error: 'VALIDATION_ERROR', message: 'The path is wrongly escaped or too long', path: 'path' },
      ]),
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
  const allowed = (['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const).filter((method) =>
    exists(request, method, path),
  );
  if (allowed.length > 0 && !allowed.includes(request.method as never)) {
    return reply
      .code(405)
      .header('allow', allowed.join(', '))
      .send(failure([faultOf('METHOD_NOT_ALLOWED')]));
  }
  return reply.code(404).send(failure([faultOf('NOT_FOUND', 'There is no such path')]));
}

function exists(request: FastifyRequest, method: string, path: string): boolean {
  return request.server.findRoute({ method: method as 'GET', url: path }) !== null;
}

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../errors.js';
import { answerFailure } from '../../http/failures.js';

/** Codes of Twilio's error dictionary that its clients tell errors apart by. */
export const twilioCodes = {
  unauthorized: 20003,
  invalidParameter: 20001,
  notFound: 20404,
  tooManyRequests: 20429,
  internalError: 20500,
  unavailable: 20503,
  notInProgress: 21220,
  documentUnreached: 11200,
  documentUnreadable: 12100,
  verbNotOffered: 12200,
  /** Media Streams: WebSocket handshake error, and other failures of a stream. */
  actionFailed: 31920,
  numberInvalid: 13224,
  numberForbidden: 13225,
} as const;

/** An error that only this part of the API has. */
export class TwilioFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'TwilioFailure';
  }
}

/** Twilio's status and code where they differ from those of the HTTP status. */
const ofCode: Partial<Record<ErrorCode, readonly [status: number, code: number]>> = {
  TRANSFER_FORBIDDEN: [403, twilioCodes.numberForbidden],
  TRANSFER_NOT_POSSIBLE: [400, twilioCodes.notInProgress],
  CALL_NOT_READY: [400, twilioCodes.notInProgress],
  CALL_ACTION_FAILED: [400, twilioCodes.actionFailed],
};

/** `answerFailure` in the shape that Twilio's clients read. */
export function answerTwilioFailure(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof TwilioFailure)
    return reply.code(error.status).send(bodyOf(error.status, error.code, error.message));
  return answerFailure(error, request, reply, ([fault]) => {
    const special = fault && ofCode[fault.error];
    if (special !== undefined) reply.code(special[0]);
    const path = fault?.path === undefined ? '' : `${fault.path}: `;
    return bodyOf(
      reply.statusCode,
      special?.[1] ?? codeOf(reply.statusCode),
      `${path}${fault?.message ?? ''}`,
    );
  });
}

const bodyOf = (status: number, code: number, message: string) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});

function codeOf(status: number): number {
  if (status === 401 || status === 403) return twilioCodes.unauthorized;
  if (status === 404 || status === 405) return twilioCodes.notFound;
  if (status === 429) return twilioCodes.tooManyRequests;
  if (status === 503) return twilioCodes.unavailable;
  return status >= 500 ? twilioCodes.internalError : twilioCodes.invalidParameter;
}

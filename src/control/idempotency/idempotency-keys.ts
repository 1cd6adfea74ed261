import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SecretError, type SecretPlace } from '../../contract/secret.js';
import { DemarcError } from '../../errors.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import type { Parameter } from '../http/open-api.js';
import { InvalidRequest } from '../http/validation.js';
import {
  type Attempt,
  type Claim,
  claimRequest,
  forgetRequest,
  type RequestName,
  releaseRequest,
  renewLease,
  type StoredAnswer,
  storeAnswer,
} from './idempotent-requests.js';

const headerName = 'idempotency-key';
/** Header of every replayed response. */
export const replayHeader = 'idempotent-replayed';

/** What of an answer is given back beside its status and body. */
const keptHeaders = ['content-type', 'location', 'retry-after'] as const;

/** Most requests take milliseconds: a repetition within this time gets the first one's answer instead of a 409. */
const patienceMilliseconds = 2_000;
const pollMilliseconds = 50;
/** No request takes longer; one that never ends must not keep its key. */
const maximumRenewals = 100;

interface Running {
  readonly attempt: Attempt;
  readonly renewal: NodeJS.Timeout;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False: the body is a stream, which has no fingerprint, and the header has no effect. */
    takesIdempotencyKey?: boolean;
  }
  interface FastifyRequest {
    /**
     * A UUID of what the request does, the same whenever it is repeated with its `Idempotency-Key`. A resource that gets its id
     * from it exists once, even when a process dies between storing it and answering.
     */
    operationId: string;
    /** Set while this process runs a request with an `Idempotency-Key`. */
    idempotent: Running | null;
    /** HMACs of query and body as they arrived. */
    fingerprints: readonly [Buffer, ...Buffer[]] | null;
  }
}

/**
 * Makes every POST of the server take `Idempotency-Key`: a repeated request gets the first one's answer, with status and
 * body, for `settings.idempotency.keptMilliseconds`; also from another process and after a crash. Only what took effect is
 * kept: after a refusal (4xx) the key is free, after a failure (5xx) the next request runs again with the same
 * `operationId`. To be called before routes are registered.
 */
export function acceptIdempotencyKeys(
  server: ApiServer,
  { settings, database, secrets, log }: ControlDeps,
): void {
  const { leaseMilliseconds } = settings.idempotency;
  const secretKeys = settings.secretKeys;

  server.decorateRequest('operationId', '');
  server.decorateRequest('idempotent', null);
  server.decorateRequest('fingerprints', null);

  // Before the body is validated, which may fill in defaults that change with a release.
  server.addHook('preValidation', async (request) => {
    request.operationId = request.id;
    if (readIdempotencyKey(request) === undefined) return;
    const [current, ...earlier] = secretKeys;
    // Answers that carry secrets could not be stored.
    if (current === undefined) throw new DemarcError('SECRET_KEY_MISSING');
    const [, query = ''] = request.url.split('?', 2);
    const content = JSON.stringify([query, request.body ?? null]);
    const fingerprint = (key: string): Buffer => createHmac('sha256', key).update(content).digest();
    request.fingerprints = [fingerprint(current), ...earlier.map(fingerprint)];
  });

  // After validation, so that an invalid request does not use up its key.
  server.addHook('preHandler', async (request, reply) => {
    const idempotencyKey = readIdempotencyKey(request);
    if (idempotencyKey === undefined) return;
    const name = { keyId: request.caller.keyId, path: request.url.split('?', 1)[0]!, idempotencyKey };
    const claim = await patiently(() =>
      claimRequest(database, name, request.fingerprints!, settings.idempotency),
    );
    if (claim.kind === 'different') throw new DemarcError('IDEMPOTENCY_KEY_REUSED');
    if (claim.kind === 'running') {
      reply.header('retry-after', String(Math.max(1, Math.ceil(claim.leaseMilliseconds / 1_000))));
      throw new DemarcError('IDEMPOTENCY_KEY_IN_USE');
    }
    if (claim.kind === 'replay')
      return replay(reply, claim.answer, placeOf(request.caller.organizationId, name));
    const { attempt } = claim;
    request.operationId = attempt.operationId;
    request.idempotent = { attempt, renewal: keepLease(attempt) };
  });

  server.addHook('onSend', async (request, reply, payload) => {
    const running = request.idempotent;
    if (running === null) return payload;
    request.idempotent = null;
    clearInterval(running.renewal);
    const { attempt } = running;
    const { statusCode: status } = reply;
    try {
      const fate = fateOf(status, typeof payload === 'string', attempt.isFirst);
      if (fate === 'store') {
        await storeAnswer(database, attempt, {
          status,
          headers: headersOf(reply),
          sealed: secrets.seal(payload as string, placeOf(request.caller.organizationId, attempt)),
        });
      } else if (fate === 'forget') await forgetRequest(database, attempt);
      else await releaseRequest(database, attempt);
    } catch (error) {
      // What was done is done: when its answer gets lost, the next attempt finds that by the operation id.
      log.warn(
        { error: String(error), path: attempt.path },
        'Storing the response of an idempotent request failed.',
      );
    }
    return payload;
  });

  function keepLease(attempt: Attempt): NodeJS.Timeout {
    let renewals = 0;
    const renewal = setInterval(() => {
      renewals += 1;
      if (renewals > maximumRenewals) clearInterval(renewal);
      else renewLease(database, attempt, leaseMilliseconds).catch(() => {});
    }, leaseMilliseconds / 3);
    return renewal.unref();
  }

  function replay(
    reply: FastifyReply,
    { status, headers, sealed }: StoredAnswer,
    place: SecretPlace,
  ): FastifyReply {
    // As octets, because text would be checked against the schema of an answer that may be an earlier release's.
    return reply
      .code(status)
      .headers(headers)
      .header(replayHeader, 'true')
      .send(Buffer.from(open(sealed, place)));
  }

  function open(sealed: string, place: SecretPlace): string {
    try {
      return secrets.open(sealed, place);
    } catch (error) {
      if (error instanceof SecretError) throw new DemarcError('IDEMPOTENCY_KEY_REUSED', { cause: error });
      throw error;
    }
  }
}

const placeOf = (organization: string, { keyId, path, idempotencyKey }: RequestName): SecretPlace => ({
  kind: 'idempotent answer',
  organization,
  id: JSON.stringify([keyId, path, idempotencyKey]),
});

/**
 * What becomes of a request once it is answered. `store`: its answer is given again. `forget`: it was refused and changed nothing, so that
 * its key is free. `release`: it may have taken effect, or an earlier attempt may: only the same request continues it.
 * @param hasText false: the answer is a stream
 */
export function fateOf(status: number, hasText: boolean, isFirst: boolean): 'store' | 'forget' | 'release' {
  if (status < 400 && hasText) return 'store';
  return status < 500 && isFirst ? 'forget' : 'release';
}

/** The key of a POST that takes one; undefined: it has none. Throws `InvalidRequest`. */
export function readIdempotencyKey({
  method,
  headers,
  routeOptions,
}: Pick<FastifyRequest, 'method' | 'headers'> & {
  readonly routeOptions: { readonly config: { readonly takesIdempotencyKey?: boolean } };
}): string | undefined {
  const takesKey = method === 'POST' && routeOptions.config.takesIdempotencyKey !== false;
  const text = takesKey ? headers[headerName] : undefined;
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw InvalidRequest.at(
    `headers.${headerName}`,
    'Idempotency-Key must be 1 to 255 visible ASCII characters',
  );
}

/** Waits for an attempt that is running to have its answer, for `patienceMilliseconds` at most. */
async function patiently(claim: () => Promise<Claim>): Promise<Claim> {
  const end = performance.now() + patienceMilliseconds;
  for (;;) {
    const outcome = await claim();
    if (outcome.kind !== 'running' || performance.now() > end) return outcome;
    await sleep(pollMilliseconds);
  }
}

function headersOf(reply: FastifyReply): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = reply.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  return headers;
}

/** `Idempotency-Key` in the API's description, for every POST that takes it. */
export const idempotencyParameter: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique value such as a UUID. Repeating the request with it returns the first response, for 24 hours.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    examples: ['7e3c1f7e-8a5e-4c3c-9f36-0f5f7f9d2a11'],
  },
};

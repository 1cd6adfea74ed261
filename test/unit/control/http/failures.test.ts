import { fastify } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../../../src/base/log.js';
import { unlessRedisDown } from '../../../../src/control/calls/index.js';
import { answerFailure } from '../../../../src/control/http/failures.js';
import { DemarcError } from '../../../../src/errors.js';

interface Line {
  readonly level: number;
  readonly request_id?: string;
  readonly route?: string;
  readonly code?: string;
  readonly err?: { readonly message: string; readonly stack: string; readonly cause?: Line['err'] };
}

const warning = 40;
const problem = 50;

let lines: Line[];
let server: ReturnType<typeof fastify>;
let work: () => Promise<unknown>;

/** What a client gets when `work` fails, with the lines of the log. */
async function answerOf(act: () => Promise<unknown>) {
  work = act;
  const answer = await server.inject('/work/1?secret=2');
  return { status: answer.statusCode, body: answer.json(), text: answer.payload };
}

/** As a client of Redis fails. */
const clientError = (name: string, message: string): Error => Object.assign(new Error(message), { name });

beforeEach(() => {
  lines = [];
  const log = createLog(
    { level: 'warn', role: 'control' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  server = fastify({ loggerInstance: log });
  server.setErrorHandler(answerFailure);
  server.get('/work/:id', () => work());
});
afterEach(() => server.close());

describe('an error of our own code behind a request that needs Redis', () => {
  const bug = async (): Promise<never> => {
    throw new TypeError('no such field');
  };

  it('is answered with 500, and not as an outage that passes', async () => {
    const { status, body } = await answerOf(() => unlessRedisDown(bug));
    expect(status).toBe(500);
    expect(body.errors[0].error).toBe('INTERNAL_SERVER_ERROR');
  });

  it('is logged once, with its stack and the request_id of the answer, and reaches no client', async () => {
    const { body, text } = await answerOf(() => unlessRedisDown(bug));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: problem, request_id: body.request_id, route: '/work/:id' });
    expect(lines[0]!.err!.stack).toContain('no such field');
    expect(text).not.toContain('no such field');
    expect(JSON.stringify(lines)).not.toContain('secret=2');
  });

  it('stays ours when a script of Redis is wrong', async () => {
    const { status } = await answerOf(() =>
      unlessRedisDown(() =>
        Promise.reject(clientError('ReplyError', 'ERR user_script:1: attempt to index nil')),
      ),
    );
    expect(status).toBe(500);
  });
});

describe('a refusal with 5xx', () => {
  it.each([
    ['MaxRetriesPerRequestError', 'Reached the max retries per request limit (which is 0).'],
    ['Error', 'Command timed out'],
    ['AbortError', 'Command aborted due to connection close'],
    ['Error', "Stream isn't writeable and enableOfflineQueue options is false"],
    ['ReplyError', "READONLY You can't write against a read only replica."],
    ['ReplyError', "OOM command not allowed when used memory > 'maxmemory'."],
    ['ReplyError', 'LOADING Redis is loading the dataset in memory'],
  ])('is 503 while Redis is down: %s, %s', async (name, message) => {
    const { status, body } = await answerOf(() =>
      unlessRedisDown(() => Promise.reject(clientError(name, message))),
    );
    expect(status).toBe(503);
    expect(body.errors[0].error).toBe('CALLS_UNAVAILABLE');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: warning,
      code: 'CALLS_UNAVAILABLE',
      request_id: body.request_id,
    });
    expect(lines[0]!.err!.cause!.message).toBe(message);
  });

  it('is logged once with its detail, which the client does not get', async () => {
    const { status, text } = await answerOf(() =>
      Promise.reject(new DemarcError('DOCUMENTS_UNAVAILABLE', { operatorDetail: 'EACCES: /srv/documents' })),
    );
    expect(status).toBe(503);
    expect(text).not.toContain('/srv');
    expect(lines).toHaveLength(1);
    expect(lines[0]!.err!.message).toContain('/srv/documents');
  });

  it('with 4xx is not logged', async () => {
    const { status } = await answerOf(() => Promise.reject(new DemarcError('NOT_FOUND')));
    expect(status).toBe(404);
    expect(lines).toEqual([]);
  });
});

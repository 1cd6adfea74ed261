import { z } from 'zod';
import type { Redis } from '../../../base/redis.js';
import { accountSidOf, idOfSid } from '../../../contract/stream-ids.js';
import { DemarcError } from '../../../errors.js';
import { EgressPolicy } from '../../../naming/egress.js';
import type { CallControls } from '../../fleet/call-controls.js';
import type { LiveCallReader } from '../../fleet/live-call-reader.js';
import type { RouteGroup } from '../../http/api-server.js';
import { JsonPoster } from '../../models/post-json.js';
import { endCall } from '../orders/end-call.js';
import { apiVersion, readCallResource } from './call-resource.js';
import { answerTwilioFailure, TwilioFailure, twilioCodes } from './failure.js';
import { DocumentRun } from './run-document.js';
import { readTwiml } from './twiml.js';

const maximumTwimlLength = 4_000;

const callPath = z.strictObject({ account: z.string(), call: z.string() });

/** Other fields, such as StatusCallback, are ignored. */
const changeSchema = z.object({
  Status: z.enum(['completed', 'canceled']).optional(),
  Twiml: z.string().max(maximumTwimlLength).optional(),
  Url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  Method: z.enum(['GET', 'POST']).default('POST'),
});
type Change = z.infer<typeof changeSchema>;

const basePath = `/${apiVersion}/Accounts/:account/Calls/:call`;
const tags = ['Calls'] as const;

interface Deps {
  readonly redis: Redis;
  readonly controls: Pick<CallControls, 'act' | 'ask'>;
  readonly live: Pick<LiveCallReader, 'look'>;
}

const notFound = (message: string): DemarcError => new DemarcError('NOT_FOUND', message);

/**
 * The call resource of Twilio's API, as bots for media streams use it: read a call, hang it up, transfer it. Clients authenticate
 * with the account id of the `start` message and an API key.
 */
export const twilioRoutes =
  ({ redis, controls, live }: Deps): RouteGroup =>
  (server, { database, secrets, settings }) => {
    const poster = new JsonPoster(new EgressPolicy(settings.notices.webhook));
    const read = (organizationId: string, callId: string) =>
      readCallResource({ database, redis, live }, organizationId, callId);
    // A call that has ended may not be stored yet: the read that follows decides whether there is such a call.
    const end = (organizationId: string, callId: string) =>
      endCall({ database, redis, controls }, organizationId, callId);
    /** Of an answered call alone. */
    const documentRun = async (organizationId: string, callId: string): Promise<DocumentRun> => {
      const { status, from, to, direction } = await read(organizationId, callId);
      if (status !== 'in-progress')
        throw new TwilioFailure(
          400,
          twilioCodes.notInProgress,
          `The call is not in progress: it is ${status}.`,
        );
      return new DocumentRun(
        { database, redis, secrets, settings, controls, poster, end },
        { organizationId, callId, from, to, direction, status },
      );
    };
    const change = async (organizationId: string, callId: string, body: Change): Promise<void> => {
      const given = [body.Status, body.Twiml, body.Url].filter((each) => each !== undefined);
      if (given.length > 1)
        throw new TwilioFailure(400, twilioCodes.invalidParameter, 'Send one of Status, Twiml and Url.');
      if (body.Twiml !== undefined) {
        const steps = readTwiml(body.Twiml);
        await (await documentRun(organizationId, callId)).run(steps);
      } else if (body.Url !== undefined) {
        await (await documentRun(organizationId, callId)).runAt(body.Url, body.Method);
      } else if (body.Status === 'completed') await end(organizationId, callId);
      else if (body.Status === 'canceled') {
        const { status } = await read(organizationId, callId);
        if (status === 'queued' || status === 'ringing') await end(organizationId, callId);
      }
    };

    server.setErrorHandler(answerTwilioFailure);
    server.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    // After the key is recognized: which account it is of is no secret to its owner.
    server.addHook<{ Params: z.infer<typeof callPath> }>('onRequest', async ({ params, caller }) => {
      if (params.account !== accountSidOf(caller.organizationId))
        throw notFound(`The API key is not one of account ${params.account}`);
    });

    const options = { schema: { hide: true, tags: [...tags], params: callPath } };
    const callOf = ({ call }: z.infer<typeof callPath>): string => {
      const id = idOfSid(call.replace(/\.json$/, ''), 'CA');
      if (id === undefined) throw notFound('Call not found');
      return id;
    };
    server.get(basePath, options, async ({ params, caller }) => read(caller.organizationId, callOf(params)));
    server.post(
      basePath,
      { schema: { ...options.schema, body: changeSchema } },
      async ({ params, body, caller }) => {
        const callId = callOf(params);
        await change(caller.organizationId, callId, body);
        return read(caller.organizationId, callId);
      },
    );
  };

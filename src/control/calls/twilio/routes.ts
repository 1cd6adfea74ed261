import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Redis } from '../../../base/redis.js';
import { accountSidOf, idOfSid } from '../../../contract/stream-ids.js';
import { DemarcError } from '../../../errors.js';
import type { CallControls } from '../../fleet/call-controls.js';
import type { LiveCallReader } from '../../fleet/live-call-reader.js';
import type { RouteGroup } from '../../http/api-server.js';
import { endCall } from '../orders/end-call.js';
import { orderTransfer } from '../orders/transfer.js';
import { apiVersion, readCallResource } from './call-resource.js';
import { answerTwilioFailure, TwilioFailure, twilioCodes } from './failure.js';
import { readTwiml, type Step } from './twiml.js';

const maximumTwimlLength = 4_000;

const callPath = z.strictObject({ account: z.string(), call: z.string() });

/** Other fields, such as StatusCallback, are ignored. */
const changeSchema = z.object({
  Status: z.enum(['completed', 'canceled']).optional(),
  Twiml: z.string().max(maximumTwimlLength).optional(),
  Url: z.string().optional(),
});
type Change = z.infer<typeof changeSchema>;

const basePath = `/${apiVersion}/Accounts/:account/Calls/:call`;
const tags = ['Calls'] as const;

interface Deps {
  readonly redis: Redis;
  readonly controls: Pick<CallControls, 'act'>;
  readonly live: Pick<LiveCallReader, 'look'>;
}

const notFound = (message: string): DemarcError => new DemarcError('NOT_FOUND', message);

/**
 * The call resource of Twilio's API, as bots for media streams use it: read a call, hang it up, transfer it. Clients authenticate
 * with the account id of the `start` message and an API key.
 */
export const twilioRoutes =
  ({ redis, controls, live }: Deps): RouteGroup =>
  (server, { database }) => {
    const read = (organizationId: string, callId: string) =>
      readCallResource({ database, redis, live }, organizationId, callId);
    // A call that has ended may not be stored yet: the read that follows decides whether there is such a call.
    const end = (organizationId: string, callId: string) =>
      endCall({ database, redis, controls }, organizationId, callId);
    const run = async (organizationId: string, callId: string, steps: readonly Step[]): Promise<void> => {
      for (const step of steps) {
        if (step.kind === 'pause') await sleep(step.seconds * 1_000);
        else if (step.kind === 'hangup') await end(organizationId, callId);
        else await orderTransfer(redis, organizationId, callId, { target: step.target });
      }
    };
    const change = async (organizationId: string, callId: string, body: Change): Promise<void> => {
      if (body.Url !== undefined)
        throw new TwilioFailure(
          501,
          twilioCodes.verbNotOffered,
          'Url is not offered: documents are not fetched. Send the document itself in Twiml.',
        );
      if (body.Status !== undefined && body.Twiml !== undefined)
        throw new TwilioFailure(400, twilioCodes.invalidParameter, 'Send either Status or Twiml.');
      if (body.Twiml !== undefined) {
        const steps = readTwiml(body.Twiml);
        const { status } = await read(organizationId, callId);
        if (status !== 'in-progress')
          throw new TwilioFailure(
            400,
            twilioCodes.notInProgress,
            `The call is not in progress: it is ${status}.`,
          );
        await run(organizationId, callId, steps);
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

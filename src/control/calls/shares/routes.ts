import { normalizeIP } from '@fastify/rate-limit';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { Database } from '../../database/tables.js';
import type { RouteGroup } from '../../http/api-server.js';
import { enforce } from '../../http/enforce.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { publicUrl } from '../../http/public-url.js';
import { InvalidRequest, refuseUnstorableText } from '../../http/validation.js';
import { readCall } from '../history/call-page.js';
import { type TraceArchive, withTrace } from '../history/trace-archive.js';
import {
  createShare,
  deleteShare,
  findShare,
  maximumShares,
  readShares,
  type ShareRow,
} from './share-storage.js';
import { type SharedCall, sharedCallOf, sharedCallSchema, ticketOf } from './shared-call.js';

const tags = ['Calls'];
const moment = z.iso.datetime();
const callPath = z.strictObject({ call_id: z.string().min(1).max(300) });
const sharePath = callPath.extend({ share_id: z.string().min(1).max(64) });

const usualHours = 168;
const mostHours = 720;
/** A person opens a link a few times. */
const readsPerMinute = 60;

const shareSchema = z
  .object({
    share_id: z.string(),
    created_at: moment,
    created_by: z.string().meta({ description: 'Name of the member or key' }),
    expires_at: moment,
  })
  .meta({ id: 'CallShare' });

const shareView = ({ id, created_at, created_by, expires_at }: ShareRow): z.infer<typeof shareSchema> => ({
  share_id: id,
  created_at: created_at.toISOString(),
  created_by,
  expires_at: expires_at.toISOString(),
});

/** Undefined: traces are in the records. */
type Traces = Pick<TraceArchive, 'read'> | undefined;

/** Throws `DemarcError` `NOT_FOUND`, also for an active call, which has no end to explain yet, and `TRACE_UNAVAILABLE`. */
async function readShared(
  { database, traces }: { readonly database: Kysely<Database>; readonly traces: Traces },
  { organization_id, call_id, expires_at }: Pick<ShareRow, 'organization_id' | 'call_id' | 'expires_at'>,
): Promise<SharedCall> {
  const found = await readCall(database, organization_id, call_id);
  if (found === undefined) throw new DemarcError('NOT_FOUND', 'No ended call with this id');
  const { record, isTraceUnavailable } = await withTrace(traces, found);
  if (isTraceUnavailable) throw new DemarcError('TRACE_UNAVAILABLE');
  return sharedCallOf(record, found.row.sip_call_id, expires_at);
}

/** Links to a call: `POST` and `GET /sip/calls/{call_id}/shares`, `DELETE /sip/calls/{call_id}/shares/{share_id}`. */
export const shareRoutes =
  (traces: Traces): RouteGroup =>
  (server, { database, settings }) => {
    server.post(
      '/sip/calls/:call_id/shares',
      {
        schema: {
          operationId: 'shareCall',
          errors: ['NOT_FOUND', 'TRACE_UNAVAILABLE'],
          tags,
          summary: 'Share a call with a carrier',
          description:
            'Creates a link that anyone can open until it expires or is revoked. It shows the SIP messages of the trunk’s leg without bodies, with numbers and names masked, and has them as pcap. `ticket` is the text for a ticket. Only of an ended call.',
          params: callPath,
          example: { expires_in_hours: 72 },
          body: z.strictObject({
            expires_in_hours: z
              .int()
              .min(1)
              .max(mostHours)
              .default(usualHours)
              .meta({
                description: `Hours until the link expires. Default ${usualHours}, range 1–${mostHours}.`,
              }),
          }),
          response: answers(
            shareSchema.extend({
              url: z.string().meta({ description: 'The link, returned only this once' }),
              ticket: z
                .string()
                .meta({ description: 'Text for a ticket, with Call-IDs, times and the link' }),
            }),
          ),
        },
      },
      async ({ params, body, caller }) => {
        const share = {
          organization_id: caller.organizationId,
          call_id: params.call_id,
          created_by: caller.name,
          expires_at: new Date(Date.now() + body.expires_in_hours * 3_600_000),
        };
        const call = await readShared({ database, traces }, share);
        const created = await createShare(database, share);
        if (created === undefined)
          throw InvalidRequest.at('body', `A call has at most ${maximumShares} links: revoke one first`);
        // Browsers send the fragment to no server, and no log has it.
        const url = `${publicUrl(settings)}/shared-call#${created.token}`;
        return success({ ...shareView(created.row), url, ticket: ticketOf(call, url) });
      },
    );

    server.get(
      '/sip/calls/:call_id/shares',
      {
        schema: {
          operationId: 'listCallShares',
          tags,
          summary: 'List the links of a call',
          description: 'Links that have not expired, newest first, without the token.',
          params: callPath,
          response: listAnswers(
            z.object({ shares: z.array(shareSchema).meta({ description: 'The links' }) }),
          ),
        },
      },
      async ({ params, caller }) => {
        const rows = await readShares(database, caller.organizationId, params.call_id);
        return listed({ shares: rows.map(shareView) }, null);
      },
    );

    server.delete(
      '/sip/calls/:call_id/shares/:share_id',
      {
        schema: {
          operationId: 'revokeCallShare',
          errors: ['NOT_FOUND'],
          tags,
          summary: 'Revoke the link of a call',
          description: 'The link is invalid at once.',
          params: sharePath,
          response: answers(
            z.object({ revoked: z.literal(true).meta({ description: 'The link is revoked' }) }),
          ),
        },
      },
      async ({ params, caller }) => {
        const { call_id: callId, share_id: id } = params;
        const isRevoked = await deleteShare(database, { organizationId: caller.organizationId, callId, id });
        if (!isRevoked) throw new DemarcError('NOT_FOUND', 'Link not found');
        return success({ revoked: true } as const);
      },
    );
  };

/** `POST /v1/shared-calls/read`: for holders of a link. */
export const sharedCallRoutes =
  (traces: Traces): RouteGroup =>
  (server, { database }) => {
    const perAddress = server.createRateLimit({
      max: readsPerMinute,
      timeWindow: 60_000,
      keyGenerator: (request) => `shared call ${normalizeIP(request.ip)}`,
    });
    server.addHook('preValidation', refuseUnstorableText);
    server.post(
      '/v1/shared-calls/read',
      {
        schema: {
          operationId: 'readSharedCall',
          errors: ['LINK_NOT_VALID', 'TRACE_UNAVAILABLE', 'TOO_MANY_REQUESTS'],
          tags,
          summary: 'Read the call of a link',
          description:
            'What the page of the link shows. The token is in the body, so that no log has it. Needs no key.',
          security: [],
          example: { token: 'qL0kX3v2m1T9s8R7q6P5o4N3m2L1k0J9i8H7g6F5e4D' },
          body: z.strictObject({
            token: z.string().min(1).max(200).meta({ description: 'The part of the link after #' }),
          }),
          response: answers(sharedCallSchema),
        },
      },
      async (request, reply) => {
        await enforce(perAddress, request, reply);
        const share = await findShare(database, request.body.token);
        if (share === undefined) throw new DemarcError('LINK_NOT_VALID');
        return success(await readShared({ database, traces }, share));
      },
    );
  };

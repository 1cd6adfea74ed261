import { z } from 'zod';
import { agentMetadataSchema, mergedMetadata, metadataLimitText } from '../../../contract/agent-metadata.js';
import { dtmfSequenceSchema } from '../../../contract/commands.js';
import type { CallControls } from '../../fleet/call-controls.js';
import type { RouteGroup } from '../../http/api-server.js';
import { InvalidRequest } from '../../http/validation.js';
import { checkUrl } from '../../numbers/private-endpoints.js';
import { acted, actionErrors, actOnCall, callParams, failures } from './act-on-call.js';

/** The media-stream process plays no more than it can queue. */
const maximumSoundMilliseconds = 600_000;

const soundSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an https:// URL' })
    .max(2_000)
    .meta({
      description:
        'WAV (16-bit linear or G.711, 8 to 192 kHz) or μ-law (`audio/basic`), at most 4 MiB, received within 5 s. `http://` and private addresses require `DEMARC_STREAM_ALLOW_PRIVATE`.',
    }),
});

const valuesSchema = agentMetadataSchema.refine(
  (values) => mergedMetadata({}, values) !== undefined,
  metadataLimitText,
);

/** What the API has active calls do, inbound or outbound: `POST /calls/{call_id}/dtmf|hold|resume|play|agent-metadata`. */
export const actionRoutes =
  (controls: Pick<CallControls, 'ask'>): RouteGroup =>
  (server, { settings }) => {
    server.post(
      '/calls/:call_id/dtmf',
      {
        schema: {
          operationId: 'sendDigits',
          errors: actionErrors,
          tags: ['Calls'],
          summary: 'Send DTMF digits to the caller or callee',
          description:
            'Works for any answered call, inbound or placed through the API: as telephone events (RFC 4733), by INFO if the trunk does not support them, or as tones. Returns when the first digit is sent; the others follow at five per second.',
          params: callParams,
          example: { digits: '1w23#' },
          body: z.strictObject({
            digits: dtmfSequenceSchema.meta({
              description: '0-9, *, #; w waits half a second. 1 to 64 characters.',
            }),
          }),
          response: { 200: acted, ...failures },
        },
      },
      async ({ params, caller, body }) => {
        await actOnCall(controls, caller, params.call_id, { action: 'send_digits', digits: body.digits });
        return { status: 'success' as const, message: 'The digits are being sent.' };
      },
    );

    server.post(
      '/calls/:call_id/hold',
      {
        schema: {
          operationId: 'holdCall',
          errors: actionErrors,
          tags: ['Calls'],
          summary: 'Put a call on hold',
          description:
            'Works for any answered call: until `resume`, the caller or callee hears music and the agent silence. No re-INVITE is sent.',
          params: callParams,
          example: { music: true },
          body: z
            .strictObject({
              music: z
                .boolean()
                .default(true)
                .meta({ description: 'False plays silence instead of music. Default true.' }),
            })
            .default({ music: true }),
          response: { 200: acted, ...failures },
        },
      },
      async ({ params, caller, body }) => {
        await actOnCall(controls, caller, params.call_id, { action: 'hold', music: body.music });
        return { status: 'success' as const, message: 'The call is on hold.' };
      },
    );

    server.post(
      '/calls/:call_id/resume',
      {
        schema: {
          operationId: 'resumeCall',
          errors: actionErrors,
          tags: ['Calls'],
          summary: 'Resume a call on hold',
          description: 'Reconnects the audio of both sides. 409 if the call is not on hold.',
          params: callParams,
          response: { 200: acted, ...failures },
        },
      },
      async ({ params, caller }) => {
        await actOnCall(controls, caller, params.call_id, { action: 'resume' });
        return { status: 'success' as const, message: 'The call has resumed.' };
      },
    );

    server.post(
      '/calls/:call_id/play',
      {
        schema: {
          operationId: 'playToCall',
          errors: actionErrors,
          tags: ['Calls'],
          summary: 'Play a file to the caller or callee',
          description:
            'Works for an answered call whose agent is a WebSocket server. The media-stream process fetches the file and plays it in place of what the agent has queued; the agent gets its pending marks back. Returns when the file has begun.',
          params: callParams,
          example: { url: 'https://example.com/hello.wav' },
          body: soundSchema,
          response: {
            200: acted.extend({
              duration_seconds: z.number().meta({ description: 'Length of the audio' }),
            }),
            ...failures,
          },
        },
      },
      async ({ params, caller, body }) => {
        checkUrl(settings, body.url, 'url');
        const { milliseconds = 0 } = await actOnCall(controls, caller, params.call_id, {
          action: 'stream',
          order: {
            version: 1,
            call_id: params.call_id,
            action: 'play',
            url: body.url,
            maximum_milliseconds: maximumSoundMilliseconds,
          },
        });
        return {
          status: 'success' as const,
          message: 'The file is being played.',
          duration_seconds: milliseconds / 1_000,
        };
      },
    );

    server.post(
      '/calls/:call_id/agent-metadata',
      {
        schema: {
          operationId: 'addAgentMetadata',
          errors: actionErrors,
          tags: ['Calls'],
          summary: 'Add values to the record of an active call',
          description:
            'Works for any active call. The values become part of `agent_metadata` of the call’s record and of `call.completed`, as if the agent had set them; a value replaces an earlier one of the same name. At most 50 names, 8,000 octets together.',
          params: callParams,
          example: { values: { intent: 'billing' } },
          body: z.strictObject({
            values: valuesSchema.meta({
              description: 'Names of up to 64 letters, digits, _ . - with texts of up to 500 characters.',
            }),
          }),
          response: {
            200: acted.extend({
              agent_metadata: z
                .record(z.string(), z.string())
                .meta({ description: 'All values that the record will have' }),
            }),
            ...failures,
          },
        },
      },
      async ({ params, caller, body }) => {
        const { result, detail, metadata } = await actOnCall(controls, caller, params.call_id, {
          action: 'note',
          values: body.values,
        });
        if (result === 'invalid') throw InvalidRequest.at('values', detail ?? metadataLimitText);
        return {
          status: 'success' as const,
          message: 'The values are in the record of the call.',
          agent_metadata: metadata ?? body.values,
        };
      },
    );
  };

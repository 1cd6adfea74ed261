import { Readable } from 'node:stream';
import { z } from 'zod';
import { DemarcError } from '../../../errors.js';
import type { ApiServer, ControlDeps } from '../../http/api-server.js';
import { answers } from '../../http/envelope.js';
import { testTags as tags } from '../scenarios/scenario-routes.js';
import { runPath } from '../schemas/run.js';
import { rangeOf } from './octet-range.js';
import { findRecording } from './recording-storage.js';

const sound = { 'audio/wav': { schema: z.string().meta({ format: 'binary' }) } };

/** `/agent-testing/runs/{id}/recording`. */
export function recordingRoutes(server: ApiServer, { database }: ControlDeps): void {
  server.get(
    '/agent-testing/runs/:id/recording',
    {
      schema: {
        operationId: 'getTestRecording',
        errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
        tags,
        summary: 'Get the recording of a test run by voice',
        description:
          'A WAVE file: G.711 μ-law at 8000 Hz, the caller on the left channel, the agent on the right. One range of octets can be requested (`Range`, RFC 9110).',
        params: runPath,
        response: {
          ...answers(z.string()),
          200: { description: 'The file', content: sound },
          206: { description: 'The requested range of the file', content: sound },
        },
      },
    },
    async ({ params, caller, headers }, reply) => {
      const recording = await findRecording(database, caller.organizationId, params.id);
      const { length } = recording;
      reply
        .type('audio/wav')
        .header('accept-ranges', 'bytes')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', `inline; filename="${recording.runId}.wav"`);
      let range: ReturnType<typeof rangeOf>;
      try {
        range = rangeOf(headers.range, length);
      } catch (error) {
        if (error instanceof DemarcError)
          reply.type('application/json').header('content-range', `bytes */${length}`);
        throw error;
      }
      const { first, last } = range ?? { first: 0, last: length - 1 };
      reply.header('content-length', String(last - first + 1));
      if (range !== undefined) reply.code(206).header('content-range', `bytes ${first}-${last}/${length}`);
      return reply.send(Readable.from(recording.read({ first, last })) as never);
    },
  );
}

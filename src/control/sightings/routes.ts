import { z } from 'zod';
import type { Redis } from '../../base/redis.js';
import { readJson } from '../../contract/read-json.js';
import { maximumSightings, sightingSchema, sightingStream } from '../../contract/sighting.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { phoneNumber, wholeNumber } from '../http/query.js';
import { trunkTags as tags } from '../http/tags.js';
import { type SightingView, sightingViewSchema, viewOf } from './view.js';
import type { Visibility } from './visibility.js';

/** `GET /v1/sip/sightings` */
export const sightingRoutes =
  (redis: Redis, visibility: Visibility): RouteGroup =>
  (server) => {
    server.get(
      '/sip/sightings',
      {
        schema: {
          operationId: 'listSightings',
          tags,
          summary: 'Get what arrived from your PBX',
          description: [
            'The latest requests and failed TLS handshakes of your PBXs, and what Demarc answered, newest first; also those that were refused before a call began.',
            'You see what names one of your numbers, and what comes from an address that only your organization has configured. Sampled and kept for minutes to hours; the event `sighting` of `/v1/noc/events` brings new ones.',
          ].join(' '),
          querystring: z.strictObject({
            phone_number: phoneNumber
              .optional()
              .meta({ description: 'Only those of this number, or of none.' }),
            limit: wholeNumber(1, 100)
              .default(20)
              .meta({ description: 'Maximum entries. Default 20, range 1–100.' }),
          }),
          response: answers(z.object({ sightings: z.array(sightingViewSchema) })),
        },
      },
      async ({ caller: { organizationId }, query: { phone_number, limit } }) => {
        const entries = await redis.xrevrange(sightingStream, '+', '-', 'COUNT', maximumSightings);
        const sightings: SightingView[] = [];
        for (const [, fields] of entries) {
          const sighting = readJson(sightingSchema, fields[1]);
          if (sighting === undefined) continue;
          const isAsked =
            phone_number === undefined || sighting.number === null || sighting.number === phone_number;
          if (!isAsked || (await visibility.matchOf(organizationId, sighting)) === undefined) continue;
          sightings.push(viewOf(sighting));
          if (sightings.length === limit) break;
        }
        return success({ sightings });
      },
    );
  };

import { z } from 'zod';
import type { ControlSettings } from '../../config/control-settings.js';
import { type Discovery, discoverySchema } from '../../contract/discovery.js';
import { DemarcError } from '../../errors.js';
import { isAddress } from '../../naming/address.js';
import { EgressPolicy } from '../../naming/egress.js';
import type { RouteGroup } from '../http/api-server.js';
import { answers, success } from '../http/envelope.js';
import { trunkTags as tags } from '../http/tags.js';
import { InvalidRequest } from '../http/validation.js';
import { parseDestination } from '../numbers/destination.js';
import { trustedCertificatesSchema } from '../trunks/index.js';
import type { Discoveries, WantedDiscovery } from './discoveries.js';

const viewSchema = discoverySchema.omit({ organization: true, tls_ca: true }).meta({ id: 'Discovery' });

export const bodySchema = z.strictObject({
  host: z.string().min(1).max(512).meta({ description: 'Host name, address or SIP URI' }),
  port: z.int().min(1).max(65_535).optional(),
  transport: z.enum(['udp', 'tcp', 'tls']).optional(),
  tls_ca: trustedCertificatesSchema.optional(),
});

/** `POST /v1/sip/discover` and `GET /v1/sip/discover/status`. */
export const discoveryRoutes =
  (discoveries: Discoveries): RouteGroup =>
  (server, { settings }) => {
    server.post(
      '/sip/discover',
      {
        schema: {
          operationId: 'startDiscovery',
          errors: ['DISCOVERY_RUNNING', 'DISCOVERY_UNAVAILABLE'],
          tags,
          summary: 'Start a discovery',
          description: [
            'Finds out how to reach a PBX: looks up A, AAAA and SRV records, then sends OPTIONS to ports 5060, 5061 and 5080 over TLS, TCP and UDP;',
            '`port` and `transport` narrow the search. Poll the status for progress. One discovery at a time (409); results are kept for ten minutes.',
          ].join(' '),
          example: { host: 'pbx.example.com' },
          body: bodySchema,
          response: answers(viewSchema),
        },
      },
      async (request) => {
        const wanted = readWanted(request.body, settings);
        return success(view(await discoveries.start(request.caller.organizationId, wanted)));
      },
    );

    server.get(
      '/sip/discover/status',
      {
        schema: {
          operationId: 'getDiscovery',
          errors: ['NOT_FOUND', 'DISCOVERY_UNAVAILABLE'],
          tags,
          summary: 'Get the progress and result of a discovery',
          description: 'Results are kept for ten minutes.',
          querystring: z.strictObject({ discovery_id: z.string().min(1).max(64) }),
          response: answers(viewSchema),
        },
      },
      async (request) => {
        const { discovery_id: id } = request.query;
        const found = await discoveries.find(request.caller.organizationId, id);
        if (found === undefined) throw new DemarcError('NOT_FOUND', 'Discovery not found');
        return success(view(found));
      },
    );
  };

/**
 * Throws `InvalidRequest` for a host that is malformed, contradicts itself, or must not be scanned. The edge resolves names,
 * and applies the same policy to their addresses.
 */
export function readWanted(
  body: z.infer<typeof bodySchema>,
  { discoverPrivate, privateNetworks }: Pick<ControlSettings, 'discoverPrivate' | 'privateNetworks'>,
): WantedDiscovery {
  const parsed = parseDestination(body.host);
  if (!parsed.ok) throw InvalidRequest.at('host', parsed.reason);
  const { host, port, transport } = parsed.destination;
  const egress = new EgressPolicy({ allowPrivate: discoverPrivate, privateNetworks });
  if (isAddress(host) && !egress.allows({ address: host })) {
    throw InvalidRequest.at('host', 'Discovery of this address is not allowed');
  }
  return { host, port: body.port ?? port, transport: body.transport ?? transport, tls_ca: body.tls_ca };
}

function view({ organization: _, tls_ca: __, ...discovery }: Discovery): z.infer<typeof viewSchema> {
  return discovery;
}

import { normalizeIP } from '@fastify/rate-limit';
import { DemarcError } from '../../errors.js';
import type { ApiServer } from '../http/api-server.js';
import { enforce } from '../http/enforce.js';
import { publicUrl } from '../http/public-url.js';
import { ForgedWebhook } from './carriers/carrier.js';
import type { PortingDeps } from './porting-deps.js';

/** A carrier reports each number of each request. */
const requestsPerMinute = 1_200;
const maximumOctets = 64 * 1024;

/**
 * `POST /carrier/port-events`: what the carrier says unasked. It is believed only as far as it names a request: the carrier is
 * asked for its state, so that a webhook that comes twice, late or out of order changes nothing.
 */
export function carrierWebhook(server: ApiServer, deps: PortingDeps): void {
  const { carrier, database, settings, log } = deps;
  const perAddress = server.createRateLimit({
    max: requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => `carrier ${normalizeIP(request.ip)}`,
  });
  server.addHook('onRequest', (request, reply) => enforce(perAddress, request, reply));
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maximumOctets }, (_request, body, done) =>
    done(null, body),
  );
  server.post('/carrier/port-events', { schema: { hide: true } }, async (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    let reference: string | undefined;
    try {
      reference = carrier.readWebhook({
        url: publicUrl(settings) + request.url,
        headers: request.headers,
        body,
      });
    } catch (error) {
      if (!(error instanceof ForgedWebhook)) throw error;
      log.warn({ address: request.ip }, 'Refused a webhook that the carrier did not sign.');
      throw new DemarcError('WEBHOOK_NOT_SIGNED', { cause: error });
    }
    if (reference !== undefined) {
      await database
        .updateTable('port_requests')
        .set({ carrier_due_at: new Date() })
        .where('carrier', '=', carrier.name)
        .where('carrier_reference', '=', reference)
        .where('status', 'in', ['submitted', 'in_progress'])
        .execute();
      deps.wake();
    }
    return reply.code(204).send();
  });
}

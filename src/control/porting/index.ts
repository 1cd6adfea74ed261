import type { Area } from '../area.js';
import { carrierQueue } from './carrier-queue.js';
import { carrierWebhook } from './carrier-webhook.js';
import { CarrierWork } from './carrier-work.js';
import type { Carrier } from './carriers/carrier.js';
import { ManualCarrier } from './carriers/manual-carrier.js';
import { TwilioCarrier } from './carriers/twilio-carrier.js';
import { documentRoutes } from './document-routes.js';
import { DocumentSweep } from './document-sweep.js';
import { DocumentStorage } from './documents/document-storage.js';
import { operatorRoutes } from './operator-routes.js';
import { resealPorting } from './reseal.js';
import { portRoutes } from './routes.js';
import { Letters } from './signing/letters.js';
import { signingRoutes } from './signing/signing-routes.js';

export { portMails } from './signing/mails.js';

/** Number porting: `/v1/sip/port`. */
export const portingArea: Area = {
  name: 'porting',
  create: ({ settings, secrets, database, workers, log }) => {
    const { twilio, countries, documents: kept } = settings.porting;
    const carrier: Carrier = twilio === undefined ? new ManualCarrier(countries) : new TwilioCarrier(twilio);
    const documents = new DocumentStorage(secrets, kept);
    const queue = carrierQueue({
      database,
      redisServers: settings.redis,
      work: new CarrierWork({ database, settings, secrets, carrier, documents, log }),
      sweep: new DocumentSweep({ database, documents, retentionDays: kept.retentionDays, log }),
      log,
    });
    const own = { carrier, documents, letters: new Letters(workers), wake: () => queue.wake() };
    return {
      routes: (server, given) => {
        const deps = { ...given, ...own };
        portRoutes(server, deps);
        operatorRoutes(server, deps);
        void server.register(async (scope) => documentRoutes(scope as typeof server, deps));
      },
      publicRoutes: (server, given) => {
        const deps = { ...given, ...own };
        void server.register(async (scope) => signingRoutes(scope as typeof server, deps));
        void server.register(async (scope) => carrierWebhook(scope as typeof server, deps));
      },
      services: [queue],
      reseal: () => resealPorting({ database, secrets, log }),
    };
  },
};

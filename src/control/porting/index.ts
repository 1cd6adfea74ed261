import type { Area } from '../area.js';
import { ManualCarrier } from './carriers/manual-carrier.js';
import { documentRoutes } from './document-routes.js';
import { DocumentStorage } from './documents/document-storage.js';
import { portRoutes } from './routes.js';

/** Number porting: `/v1/sip/port`. */
export const portingArea: Area = {
  name: 'porting',
  create: ({ settings, secrets }) => {
    const own = {
      carrier: new ManualCarrier(settings.porting.countries),
      documents: new DocumentStorage(secrets, settings.porting.documents),
      wake: () => {},
    };
    return {
      routes: (server, given) => {
        const deps = { ...given, ...own };
        portRoutes(server, deps);
        void server.register(async (scope) => documentRoutes(scope as typeof server, deps));
      },
    };
  },
};

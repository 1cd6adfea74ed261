import type { ControlParts, RouteGroup } from '../http/api-server.js';
import { ManualCarrier } from './carriers/manual-carrier.js';
import { documentRoutes } from './document-routes.js';
import { DocumentStorage } from './documents/document-storage.js';
import { portRoutes } from './routes.js';

/** Number porting, as the rest of control sees it. */
export interface Porting {
  /** `/v1/sip/port`. */
  readonly routes: RouteGroup;
}

export function createPorting(
  parts: Pick<ControlParts, 'settings' | 'log' | 'database' | 'secrets'>,
): Porting {
  const { settings, secrets } = parts;
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
}

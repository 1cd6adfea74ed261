import type { Area } from '../area.js';
import { ErasureSweep } from './erasure-sweep.js';
import { memoryRoutes } from './memory-routes.js';
import { NewCallerSweep } from './new-caller-sweep.js';
import { privacyRoutes } from './privacy-routes.js';
import { contactRoutes } from './routes.js';

export { readCallTranscript, readHeardCalls } from './call-transcript.js';

/** The people that organizations talk to, and what agents remember of them: `/v1/contacts`. */
export const contactsArea: Area = {
  name: 'contacts',
  create: ({ database, redis, log, callErasures }) => ({
    accountRoutes: (server, given) => {
      const deps = { ...given, redis, callErasures };
      contactRoutes(server, deps);
      memoryRoutes(server, deps);
      privacyRoutes(server, deps);
    },
    services: [new ErasureSweep({ database, redis, log }), new NewCallerSweep({ database, log })],
  }),
};

import type { Area } from '../area.js';
import { Visibility } from '../sightings/index.js';
import { EventHub } from './event-hub.js';
import { IncidentWatch } from './incidents/incident-watch.js';
import { incidentRoutes } from './incidents/routes.js';
import { nocRoutes } from './routes.js';
import { Summaries } from './summaries.js';

/** The overview of an organization and of the fleet, and the stream of live events. */
export const nocArea: Area = {
  name: 'noc',
  create: ({ database, redis, fleet, serviceStates, countWatchers, log }) => {
    const summaries = new Summaries({ database, redis, fleet, states: () => [...serviceStates()] });
    const hub = new EventHub({
      redis,
      fleet,
      summaries,
      visibility: new Visibility(database),
      log,
    });
    countWatchers?.(() => hub.watching);
    return {
      routes: (server, deps) => {
        nocRoutes(summaries, hub)(server, deps);
        incidentRoutes(server, deps);
      },
      services: [hub, new IncidentWatch({ database, summaries, log })],
    };
  },
};

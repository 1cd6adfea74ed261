import type { Area } from '../area.js';
import { CallControls } from '../fleet/call-controls.js';
import { LiveCallReader } from '../fleet/live-call-reader.js';
import { batchRoutes } from './batches/routes.js';
import { momentConsumer } from './events/moment-consumer.js';
import { readBotState } from './history/bot-state.js';
import { CallConsumer } from './history/call-consumer.js';
import { Retention } from './history/retention.js';
import { historyRoutes } from './history/routes.js';
import { traceArchiveOf } from './history/trace-archive.js';
import { AbandonedListenings } from './listening/listening-log.js';
import { listeningRoutes } from './listening/routes.js';
import { LostCalls } from './lost/lost-calls.js';
import { OrphanedCalls } from './lost/orphaned-calls.js';
import { actionRoutes } from './orders/action-routes.js';
import { CallFeeder } from './orders/call-feeder.js';
import { callRoutes } from './orders/routes.js';
import { warmTransferRoutes } from './orders/warm-transfer-routes.js';
import { sharedCallRoutes, shareRoutes } from './shares/routes.js';
import { twilioRoutes } from './twilio/routes.js';

export {
  type DaySum,
  dayOf,
  type GroupSum,
  readDays,
  readGroups,
  readPeak,
  type UsageGroup,
} from './history/call-days.js';
export { allOrganizations } from './history/call-minutes.js';
export { partyOf } from './history/call-row.js';
export { recognizeCallToken } from './history/call-tokens.js';
export { callDetailSchema, callSummarySchema, spelled } from './history/call-view.js';
export {
  findBySipCallId,
  readAgentMetadata,
  readAnsweredCalls,
  readCallOutcome,
  readRequestData,
  readStarts,
  readTransfers,
} from './history/stored-calls.js';
export { traceArchiveOf } from './history/trace-archive.js';
export { callResultBody } from './orders/call-results.js';
export { readLive } from './orders/live-state.js';
export { requireOutbound } from './orders/order.js';
export { giveToEdges, unlessRedisDown } from './orders/order-stream.js';
export {
  type ErasedCalls,
  erasePartyCalls,
  eraseStoredCalls,
  forgetDeliveries,
  stopUpcomingCalls,
} from './parties/erase.js';
export { activeCallParty, activePartyCalls, forgetInRedis } from './parties/live-traces.js';
export {
  exportPartyCalls,
  exportPartyOrders,
  listPartyCalls,
  storedCallParty,
} from './parties/party-calls.js';
export { partitionCalls } from './partitions/partition-calls.js';

/** Ordered calls and batches, control of active calls, records of ended calls, and call events. */
export const callsArea: Area = {
  name: 'calls',
  create: ({ database, redis, connect, fleet, wakeDeliveries, settings, telemetry, countTraces, log }) => {
    const traces = traceArchiveOf({ database, settings, log }, countTraces);
    const live = new LiveCallReader(redis, fleet);
    const controls = new CallControls(redis, fleet);
    const history = historyRoutes(live, (callId) => readBotState(redis, callId), traces);
    const orders = callRoutes(redis, controls);
    const actions = actionRoutes(controls);
    const warmTransfers = warmTransferRoutes(redis, controls);
    const listening = listeningRoutes(redis, controls);
    const batches = batchRoutes(redis);
    // Longer than a blocking read.
    const readMilliseconds = 10_000;
    return {
      routes: (server, deps) => {
        for (const routes of [
          history,
          shareRoutes(traces),
          orders,
          actions,
          warmTransfers,
          listening,
          batches,
        ])
          routes(server, deps);
      },
      publicRoutes: sharedCallRoutes(traces),
      basicRoutes: twilioRoutes({ redis, controls, live }),
      services: [
        new CallConsumer({
          database,
          redis,
          reader: connect('demarc-control-calls', readMilliseconds),
          telemetry,
          traces,
          log,
        }),
        momentConsumer({
          database,
          reader: connect('demarc-control-moments', readMilliseconds),
          queued: wakeDeliveries,
          log,
        }),
        new Retention({
          database,
          log,
          days: settings.callRetentionDays,
          traces,
          traceDays: settings.traces.retentionDays,
        }),
        new LostCalls({ database, redis, log }),
        new OrphanedCalls({ database, redis, log }),
        new CallFeeder({ database, redis, queued: wakeDeliveries, log }),
        new AbandonedListenings(database, log),
      ],
    };
  },
};

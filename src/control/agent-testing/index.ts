import type { Area } from '../area.js';
import { analysisRoutes } from './analysis/routes.js';
import { analyticsRoutes } from './analytics/analytics-routes.js';
import { budgetRoutes } from './budget/budget-routes.js';
import { budgetedModels } from './budget/budgeted-models.js';
import { PriceList } from './budget/price-list.js';
import { priceRoutes, pricesRequired } from './budget/price-routes.js';
import { TestBudget } from './budget/test-budget.js';
import { calibrationRoutes } from './calibration/routes.js';
import { resealAgentKeys } from './conversation/agent-keys.js';
import { TextChannel } from './conversation/text-channel.js';
import { promotionGate } from './gates/promotion-gate.js';
import { PromotionSweep } from './gates/promotion-sweep.js';
import { LoadTestService } from './load/load-test-service.js';
import { loadTestRoutes } from './load/routes.js';
import { judgeMonitor } from './monitors/judge-monitor.js';
import { MonitorSweep } from './monitors/monitor-sweep.js';
import { monitorRoutes } from './monitors/routes.js';
import { batchRoutes } from './runs/batch-routes.js';
import { recordingRoutes } from './runs/recording-routes.js';
import { RetentionSweep } from './runs/retention-sweep.js';
import { runQueue } from './runs/run-queue.js';
import { runRoutes } from './runs/run-routes.js';
import { eraseJudgedCalls } from './runs/run-storage.js';
import { RunWork } from './runs/run-work.js';
import { startLimit } from './runs/start-limit.js';
import { startRoutes } from './runs/start-routes.js';
import { TestRuns } from './runs/test-runs.js';
import { scenarioRoutes } from './scenarios/scenario-routes.js';
import { templateRoutes } from './scenarios/template-routes.js';
import { judgeSchedule } from './schedules/judge-schedule.js';
import { scheduleRoutes } from './schedules/routes.js';
import { ScheduleSweep } from './schedules/schedule-sweep.js';
import { endSimulationSet } from './simulation/end-simulation-set.js';
import { simulationRoutes } from './simulation/simulation-routes.js';
import { suiteRoutes } from './suites/routes.js';
import { tornadoRoutes } from './tornado/tornado-routes.js';
import { TornadoService } from './tornado/tornado-service.js';
import { VoiceChannel } from './voice/voice-channel.js';

export type { EndedRun, RunOrder, Runs } from './runs/run-order.js';

/** Agent testing: `/v1/agent-testing`. */
export const agentTestingArea: Area = {
  name: 'agent-testing',
  create: (deps) => {
    const { database, settings, log, wakeDeliveries, workers } = deps;
    const { agentTests } = settings;
    const { currency } = settings.models;
    const budget = new TestBudget(database, { maximum: agentTests.tokens, currency });
    const prices = new PriceList(database, currency);
    const models = budgetedModels(deps.models, budget, prices);
    const requirePrices = pricesRequired(models, prices);
    const voice = new VoiceChannel(deps);
    const channels = { text: new TextChannel({ ...deps, models, prices }), voice };
    const runs = new TestRuns({
      database,
      queueLength: agentTests.queueLength,
      currency,
      channels: new Set(Object.keys(channels) as (keyof typeof channels)[]),
      wake: () => queue.wake(),
      wakeDeliveries,
    });
    runs.onEnded(endSimulationSet);
    runs.onEnded(judgeSchedule(settings));
    runs.onEnded(judgeMonitor(settings));
    const hooks = () => runs.hooks;
    const work = new RunWork({
      database,
      models,
      channels,
      hooks,
      wakeDeliveries,
      workers,
      log,
      settings: agentTests,
    });
    const queue = runQueue({ database, redisServers: settings.redis, settings: agentTests, work, log });
    const promotions = new PromotionSweep({ database, runs, wakeDeliveries, log });
    const schedules = new ScheduleSweep({ database, runs, budget, settings, wakeDeliveries, log });
    const monitors = new MonitorSweep({ database, runs, budget, log });
    const loadTests = new LoadTestService({
      database,
      runs,
      work,
      budget,
      wakeDeliveries,
      log,
      leaseMilliseconds: agentTests.leaseMilliseconds,
    });
    const tornado = new TornadoService({
      database,
      models,
      runs,
      log,
      leaseMilliseconds: agentTests.leaseMilliseconds,
    });
    return {
      accountRoutes: (server, given) => {
        const limit = startLimit(server, given, budget);
        scenarioRoutes(server, given, { workers });
        templateRoutes(server, given);
        startRoutes(server, given, { runs, limit, requirePrices });
        runRoutes(server, given, { runs });
        recordingRoutes(server, given);
        batchRoutes(server, given, { runs });
        budgetRoutes(server, given, { budget, requirePrices });
        priceRoutes(server, { models, prices });
        calibrationRoutes(server, given, { models, limit, workers });
        analysisRoutes(server, given, { models, limit, workers });
        suiteRoutes(server, given, { models, limit, workers });
        analyticsRoutes(server, given);
        simulationRoutes(server, given, { runs, limit, requirePrices });
        scheduleRoutes(server, given, { runs, requirePrices });
        monitorRoutes(server, given);
        loadTestRoutes(server, given, {
          runs,
          limit,
          requirePrices,
          wakeDeliveries,
          wake: () => loadTests.wake(),
        });
        tornadoRoutes(server, given, { runs, limit, wake: () => tornado.wake() });
      },
      promotionGates: [promotionGate({ database, runs, budget })],
      callErasures: [eraseJudgedCalls(database)],
      services: [
        voice,
        queue,
        promotions,
        schedules,
        monitors,
        loadTests,
        tornado,
        new RetentionSweep(database, agentTests),
      ],
      reseal: () => resealAgentKeys(deps),
    };
  },
};

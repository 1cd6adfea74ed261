import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { CheckOrder } from '../../../../src/control/agent-testing/assertions/check-worker.js';
import { check } from '../../../../src/control/agent-testing/assertions/checks.js';
import {
  type AgentProgress,
  type AgentTurn,
  type Channel,
  type Conversation,
  noProgress,
} from '../../../../src/control/agent-testing/conversation/channel.js';
import { judgeMonitor } from '../../../../src/control/agent-testing/monitors/judge-monitor.js';
import type { EndedRun } from '../../../../src/control/agent-testing/runs/run-order.js';
import { RunWork } from '../../../../src/control/agent-testing/runs/run-work.js';
import { TestRuns } from '../../../../src/control/agent-testing/runs/test-runs.js';
import { judgeSchedule } from '../../../../src/control/agent-testing/schedules/judge-schedule.js';
import { endSimulationSet } from '../../../../src/control/agent-testing/simulation/end-simulation-set.js';
import type { Models } from '../../../../src/control/models/models.js';
import type { WorkerPool } from '../../../../src/control/workers/worker-pool.js';
import type { ApiUser, WholeApi } from './whole-api.js';

/** What the agent under test says, by what the caller said. */
export type Script = (text: string) => Partial<AgentTurn> | Promise<Partial<AgentTurn>>;

const noModels: Models = { chat: undefined, judge: undefined, isStandIn: false, embeddings: undefined };

/** Runs of agent tests in this process: their agents speak by a script, and the checks run without a thread. */
export class TestBench {
  readonly runs: TestRuns;
  readonly ended: EndedRun[] = [];
  readonly calls: string[] = [];
  wakes = 0;
  deliveries = 0;
  script: Script = (text) => ({ text: `You said: ${text}` });
  conversation: Partial<Conversation> = {};
  progress: AgentProgress = noProgress;
  private readonly stopping = new AbortController();

  constructor(
    private readonly api: WholeApi,
    private readonly models: Models = noModels,
  ) {
    this.runs = new TestRuns({
      database: api.database,
      queueLength: 20,
      currency: 'USD',
      channels: new Set(['text', 'voice']),
      wake: () => {
        this.wakes += 1;
      },
      wakeDeliveries: () => {
        this.deliveries += 1;
      },
    });
    this.runs.onEnded(endSimulationSet);
    this.runs.onEnded(judgeSchedule(api.settings));
    this.runs.onEnded(judgeMonitor(api.settings));
    this.runs.onEnded(async (run) => {
      this.ended.push(run);
    });
  }

  /** A worker as a process has it. */
  worker(settings: Partial<WholeApi['settings']['agentTests']> = {}): RunWork {
    const { database } = this.api;
    return new RunWork({
      database,
      settings: { ...this.api.settings.agentTests, ...settings },
      models: this.models,
      channels: { text: this.channel, voice: this.channel },
      workers: {
        run: async (_file: unknown, _organization: string, { type, config, evidence }: CheckOrder) =>
          check(type, config, evidence),
      } as unknown as Pick<WorkerPool, 'run'>,
      hooks: () => this.runs.hooks,
      wakeDeliveries: () => {
        this.deliveries += 1;
      },
      log: pino({ level: 'silent' }),
    });
  }

  /** Runs one to its end, as a worker that takes it from the queue. */
  async work(user: ApiUser, id: string, signal = this.stopping.signal): Promise<void> {
    await this.worker().run(user.organizationId, id, signal);
  }

  /** Runs all of an organization that wait. */
  async workAll(user: ApiUser): Promise<void> {
    const rows = await this.api.database
      .selectFrom('agent_test_runs')
      .select('id')
      .where('organization_id', '=', user.organizationId)
      .where('due_at', '<=', sql<Date>`now()`)
      .orderBy('created_at')
      .execute();
    for (const { id } of rows) await this.work(user, id);
  }

  /** A scenario that replays what a caller said. */
  async scenario(user: ApiUser, values: object = {}): Promise<string> {
    const { data, body } = await user.post('/agent-testing/scenarios', {
      name: `Scenario ${randomUUID()}`,
      agent: { url: 'https://agent.example.com/v1', sip_uri: 'sip:desk@example.com' },
      scenario_type: 'REPLAY',
      input_messages: [{ role: 'user', content: 'When are you open?' }],
      ...values,
    });
    if (data === null) throw new Error(JSON.stringify(body));
    return data.id;
  }

  private readonly channel: Channel = {
    open: async ({ runId }) => {
      this.calls.push(runId);
      const turn = async (text: string): Promise<AgentTurn> => ({
        text: '',
        hasEnded: false,
        latencyMilliseconds: null,
        nodeId: null,
        extracted: [],
        ...(await this.script(text)),
      });
      return {
        greet: async () => undefined,
        say: turn,
        progress: () => this.progress,
        end: async () => {
          this.calls.push(`end ${runId}`);
        },
        measurements: () => null,
        ...this.conversation,
      };
    },
  };
}

import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { Logger } from '../../../base/log.js';
import type { AgentTestSettings } from '../../../config/agent-test-settings.js';
import { DemarcError } from '../../../errors.js';
import { storableJson } from '../../database/storable.js';
import type { Database } from '../../database/tables.js';
import { ModelFailure } from '../../models/model-failure.js';
import type { Models } from '../../models/models.js';
import type { WorkerPool } from '../../workers/worker-pool.js';
import { evaluate } from '../assertions/evaluate.js';
import { outcomeOf } from '../assertions/outcome.js';
import {
  AgentFailure,
  type Channel,
  LimitFailure,
  noProgress,
  RunFailure,
  type TestSubject,
} from '../conversation/channel.js';
import { hidesTools } from '../conversation/evidence.js';
import {
  type ConversationState,
  type EndReason,
  holdConversation,
} from '../conversation/hold-conversation.js';
import { MeteredModel } from '../conversation/metered-model.js';
import { ModelMeter } from '../conversation/model-meter.js';
import { RunBudget } from '../conversation/run-budget.js';
import { SteppingCaller } from '../conversation/stepping-caller.js';
import { ReplayCaller, TesterCaller } from '../conversation/tester.js';
import { type Definition, definitionSchema } from '../schemas/definition.js';
import { moneyOf } from '../schemas/money.js';
import type { RunEnding } from '../schemas/run.js';
import type { RunChannel } from '../schemas/scenario.js';
import type { VoiceMeasurements } from '../schemas/voice.js';
import type { AgentTestConversationsTable, AgentTestRunsTable } from '../tables.js';
import { type End, endRun } from './end-run.js';
import { endingOf } from './ending.js';
import { heardCall } from './heard-call.js';
import { storeRecording } from './recording-storage.js';
import type { EndedHook } from './run-order.js';
import { sharedBudget } from './shared-budget.js';
import { emptyConversation } from './start-runs.js';

export interface RunWorkDeps {
  readonly database: Kysely<Database>;
  readonly settings: AgentTestSettings;
  readonly models: Models;
  readonly channels: Readonly<Partial<Record<RunChannel, Channel>>>;
  readonly workers: Pick<WorkerPool, 'run'>;
  readonly hooks: () => readonly EndedHook[];
  /** Sends the webhooks of a run that ended. */
  readonly wakeDeliveries: () => void;
  readonly log: Logger;
}

type Run = Selectable<AgentTestRunsTable>;

/** After so many attempts whose process died, the run itself is taken for the cause. */
const maximumAttempts = 2;
/** A cancellation is noticed within this time. */
const renewalMilliseconds = 750;

/** The run is no longer this attempt's: cancelled, or taken over by another process. */
class LostRun extends Error {}

/** What a conversation left behind. */
interface Held {
  readonly state: ConversationState;
  readonly reason: EndReason | 'recorded';
  readonly ending: RunEnding | null;
  readonly voice: VoiceMeasurements | null;
  readonly caller: MeteredModel | undefined;
}

/** Runs a test: the conversation, then the assertions. Its row is the truth: an attempt that died leaves nothing that counts. */
export class RunWork {
  /** Runs of this process: one that it was too busy to renew is not another process's to repeat. */
  private readonly own = new Set<string>();

  constructor(private readonly deps: RunWorkDeps) {}

  /** Rejects when PostgreSQL fails; another attempt follows. */
  async run(organizationId: string, id: string, stopping: AbortSignal): Promise<void> {
    if (this.own.has(id)) return;
    this.own.add(id);
    try {
      const run = await this.claim(organizationId, id);
      if (run !== undefined) await this.claimed(run, stopping);
    } finally {
      this.own.delete(id);
    }
  }

  private async claimed(run: Run, stopping: AbortSignal): Promise<void> {
    if (run.attempts > maximumAttempts) {
      await this.end(
        run,
        failed(`The run was interrupted ${maximumAttempts} times by a failure of this service.`),
      );
      return;
    }
    const lost = new AbortController();
    const renewal = setInterval(() => {
      this.renew(run).then(
        (isOwn) => {
          if (!isOwn) lost.abort(new LostRun());
        },
        () => {},
      );
    }, renewalMilliseconds);
    const { runMilliseconds } = this.deps.settings;
    const outOfTime = AbortSignal.timeout(runMilliseconds);
    const signal = AbortSignal.any([stopping, lost.signal, outOfTime]);
    const meter = meterOf(run);
    try {
      await this.end(run, await this.attempt(run, meter, signal), meter);
    } catch (error) {
      if (error instanceof LostRun || lost.signal.aborted) await this.keepUsage(run, meter);
      else if (stopping.aborted) await this.release(run, meter);
      else if (outOfTime.aborted)
        await this.end(run, failed(`The run took longer than ${runMilliseconds / 1_000} seconds.`), meter);
      else await this.failed(run, error as Error, meter);
    } finally {
      clearInterval(renewal);
    }
  }

  private async attempt(run: Run, meter: ModelMeter, signal: AbortSignal): Promise<End> {
    const { models, workers } = this.deps;
    const { organization_id: organizationId } = run;
    const definition = await this.definitionOf(run);
    const budget = await runBudget(this.deps.database, run);
    // Before a call is placed that could not be finished.
    await budget.admit();
    const subject: TestSubject = {
      organizationId,
      runId: run.id,
      definition,
      meter,
      budget,
      versionNumber: run.version_number,
      requestData: await this.begin(run),
      isLoad: run.load_test_id !== null,
    };
    const held = await this.held(run, subject, signal);
    if (held.reason === 'recorded') await this.store(run, held.state);
    const { chat, details, progress } = held.state;
    const judge = models.judge && new MeteredModel(models.judge, organizationId, meter, budget);
    const { results, tone, toneProblem } = await evaluate(
      definition.assertions,
      definition.service_tone_enabled,
      {
        ...progress,
        chat,
        details,
        ending: held.ending,
        voice: held.voice,
        isCalled: run.channel === 'voice',
        hidesTools: hidesTools(run.channel, definition),
      },
      { model: judge, workers, organizationId, signal },
    );
    const isJudged = tone !== null || results.some(({ judged_by: model }) => model !== null);
    // The stand-in speaks and judges where no other model is configured.
    const hasModel =
      isJudged ||
      held.caller !== undefined ||
      // By voice the agent itself was called.
      (definition.agent === null && run.channel === 'text' && definition.scenario_type !== 'HISTORICAL');
    await this.change(run, {
      tone_score: tone?.overall_tone_score ?? null,
      agent_model: progress.model,
      tester_model: held.caller?.name ?? null,
      judge_model: isJudged ? (judge?.name ?? null) : null,
      is_stand_in: models.isStandIn && hasModel,
    });
    await this.changeConversation(run, {
      service_tone: tone === null ? null : storableJson(tone),
      voice: held.voice === null ? null : storableJson(held.voice),
      end_reason: held.reason,
      ending: held.ending === null ? null : storableJson(held.ending),
    });
    const outcome = outcomeOf(results);
    const end = { ...outcome, results };
    if (toneProblem === null || outcome.status === 'ERROR') return end;
    const problem = `The tone could not be scored: ${toneProblem}`;
    return { ...end, status: 'ERROR', reasoning: problem, errorMessage: problem };
  }

  private async held(run: Run, subject: TestSubject, signal: AbortSignal): Promise<Held> {
    const { organization_id: organizationId, call_id: callId } = run;
    if (callId !== null)
      return { ...(await heardCall(this.deps.database, organizationId, callId)), ...withoutConversation };
    if (subject.definition.scenario_type !== 'HISTORICAL') return this.hold(run, subject, signal);
    return { state: recorded(subject.definition), ending: null, ...withoutConversation };
  }

  private async hold(run: Run, subject: TestSubject, signal: AbortSignal): Promise<Held> {
    const { models, channels } = this.deps;
    const { definition, organizationId, meter, budget, requestData } = subject;
    const channel = channels[run.channel];
    if (channel === undefined) throw new RunFailure(`This service has no channel ${run.channel}.`);
    const isReplay = definition.scenario_type === 'REPLAY';
    if (!isReplay && models.chat === undefined)
      throw new RunFailure('No language model is configured to speak for the caller (DEMARC_LLM_URL).');
    const tester = isReplay ? undefined : new MeteredModel(models.chat!, organizationId, meter, budget);
    const speaker =
      tester === undefined ? new ReplayCaller(definition) : new TesterCaller(tester, definition, requestData);
    const caller = new SteppingCaller(speaker, definition.voice?.steps ?? []);
    const first =
      definition.first_speaker ?? (definition.agent === null || run.channel === 'voice' ? 'agent' : 'caller');
    const conversation = await channel.open(subject, signal);
    let isOver = false;
    const over = async (): Promise<void> => {
      if (isOver) return;
      await conversation.end();
      isOver = true;
      await this.keep(run, conversation.recording?.());
    };
    try {
      if (conversation.answerMilliseconds !== undefined)
        await this.change(run, { answer_ms: Math.round(conversation.answerMilliseconds) });
      const { state, reason } = await holdConversation({
        conversation,
        caller,
        signal,
        isCallerFirst: first === 'caller',
        maximumTurns: definition.max_turns,
        changed: (progress) => this.store(run, progress),
      });
      await over();
      // Of a call, the record tells what its agent did.
      const final = { ...state, progress: conversation.progress(state.chat) };
      await this.store(run, final);
      return {
        state: final,
        reason,
        ending: endingOf(reason, final.progress, conversation.hungUpBy?.()),
        voice: conversation.measurements(),
        caller: tester,
      };
    } finally {
      await over();
    }
  }

  /** A run stands without its recording. */
  private async keep({ organization_id: organizationId, id }: Run, sound: Buffer | undefined): Promise<void> {
    const { database, settings, log } = this.deps;
    if (sound === undefined || sound.length === 0) return;
    await storeRecording(database, { organizationId, runId: id, sound }, settings.recordings.octets).catch(
      (error: unknown) => log.error({ run: id, err: error }, 'The recording of a test run was not stored.'),
    );
  }

  private async failed(run: Run, error: Error, meter: ModelMeter): Promise<void> {
    const { log } = this.deps;
    if (error instanceof RunFailure || error instanceof ModelFailure || error instanceof DemarcError) {
      await this.end(run, failed(error.message, error), meter);
      return;
    }
    log.error({ run: run.id, organization: run.organization_id, err: error }, 'A test run failed.');
    if (run.attempts < maximumAttempts) {
      await this.owned(run)
        .set({ ...usageOf(meter), lease_until: null, due_at: sql<Date>`now() + interval '2 seconds'` })
        .execute();
      return;
    }
    await this.end(run, failed('Internal error of this service.'), meter);
  }

  /** Stores the end, unless the run was cancelled or taken over meanwhile. */
  private async end(run: Run, end: End, meter?: ModelMeter): Promise<void> {
    const { database, hooks, wakeDeliveries } = this.deps;
    const isEnded = await database.transaction().execute(async (transaction) => {
      if (meter !== undefined) {
        await this.owned(run, transaction).set(usageOf(meter)).execute();
      }
      const key = { organizationId: run.organization_id, id: run.id, attempt: run.attempts };
      return endRun(transaction, hooks(), key, end);
    });
    if (isEnded) wakeDeliveries();
  }

  /** Removes what an attempt that died left behind. Resolves with the request data. */
  private async begin(run: Run): Promise<Record<string, unknown>> {
    await this.change(run, {
      turn_count: 0,
      nodes_visited: [],
      current_node_id: null,
      answer_ms: null,
      is_stand_in: this.deps.models.isStandIn,
    });
    const { request_data } = await this.conversation(run)
      .set({
        ...emptyConversation,
        service_tone: null,
        voice: null,
        reasoning: null,
        end_reason: null,
        ending: null,
      })
      .returning('request_data')
      .executeTakeFirstOrThrow();
    return request_data;
  }

  private async store(run: Run, { chat, details, turns, progress }: ConversationState): Promise<void> {
    await this.change(run, {
      turn_count: turns,
      nodes_visited: [...progress.nodesVisited],
      current_node_id: progress.currentNodeId,
      agent_model: progress.model,
    });
    await this.changeConversation(run, {
      chat_history: storableJson(chat),
      turn_details: storableJson(details),
      variables: storableJson(progress.variables),
      webhooks: storableJson(progress.webhooks),
      node_names: storableJson(progress.nodeNames),
    });
  }

  private async definitionOf(run: Run): Promise<Definition> {
    const { definition } = await this.deps.database
      .selectFrom('agent_test_definitions')
      .select('definition')
      .where('organization_id', '=', run.organization_id)
      .where('digest', '=', run.definition_digest)
      .executeTakeFirstOrThrow();
    return definitionSchema.parse(definition);
  }

  /** Takes the run for this process; undefined: another one has it, or it has ended. */
  private claim(organizationId: string, id: string): Promise<Run | undefined> {
    return this.deps.database
      .updateTable('agent_test_runs')
      .set({
        status: 'RUNNING',
        lease_until: this.leaseEnd(),
        attempts: sql<number>`attempts + 1`,
        started_at: sql<Date>`now()`,
      })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('due_at', '<=', sql<Date>`now()`)
      .where((where) =>
        where.or([where('lease_until', 'is', null), where('lease_until', '<', sql<Date>`now()`)]),
      )
      .returningAll()
      .executeTakeFirst();
  }

  /** False: it is no longer this attempt's. */
  private async renew(run: Run): Promise<boolean> {
    const { numUpdatedRows } = await this.owned(run).set({ lease_until: this.leaseEnd() }).executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** An interrupted attempt does not count; the next process begins at once. */
  private async release(run: Run, meter: ModelMeter): Promise<void> {
    await this.owned(run)
      .set({
        ...usageOf(meter),
        lease_until: null,
        attempts: run.attempts - 1,
        status: 'PENDING',
        started_at: null,
      })
      .execute();
  }

  /** What a cancelled run took counts all the same. */
  private async keepUsage({ organization_id, id, attempts }: Run, meter: ModelMeter): Promise<void> {
    await this.deps.database
      .updateTable('agent_test_runs')
      .set(usageOf(meter))
      .where('organization_id', '=', organization_id)
      .where('id', '=', id)
      .where('status', '=', 'CANCELLED')
      .where('attempts', '=', attempts)
      .execute();
  }

  /** Rejects with `LostRun`. */
  private async change(run: Run, values: Updateable<AgentTestRunsTable>): Promise<void> {
    const { numUpdatedRows } = await this.owned(run).set(values).executeTakeFirst();
    if (numUpdatedRows === 0n) throw new LostRun();
  }

  private async changeConversation(run: Run, values: Updateable<AgentTestConversationsTable>): Promise<void> {
    await this.conversation(run).set(values).execute();
  }

  private conversation(run: Run) {
    return this.deps.database
      .updateTable('agent_test_conversations')
      .where('organization_id', '=', run.organization_id)
      .where('run_id', '=', run.id);
  }

  /** The row while this attempt has it. */
  private owned(run: Run, database: Kysely<Database> = this.deps.database) {
    return database
      .updateTable('agent_test_runs')
      .where('organization_id', '=', run.organization_id)
      .where('id', '=', run.id)
      .where('status', '=', 'RUNNING')
      .where('attempts', '=', run.attempts);
  }

  private leaseEnd() {
    return sql<Date>`now() + make_interval(secs => ${this.deps.settings.leaseMilliseconds / 1_000})`;
  }
}

const failed = (message: string, error?: Error): End => ({
  status: 'ERROR',
  reasoning: message,
  errorMessage: message,
  ...causeOf(error),
});

function causeOf(error: Error | undefined): Pick<End, 'failedBy' | 'sipStatus'> {
  if (error instanceof AgentFailure) return { failedBy: 'agent', sipStatus: error.sipStatus };
  return error instanceof LimitFailure ? { failedBy: 'limit', sipStatus: error.sipStatus } : {};
}

/** A recorded conversation, which is judged without holding one. */
function recorded({ input_messages: chat }: Definition): ConversationState {
  const turns = chat.filter(({ role }) => role === 'user').length;
  return { chat, details: [], turns, progress: noProgress };
}

const withoutConversation = { reason: 'recorded', voice: null, caller: undefined } as const;

async function runBudget(database: Kysely<Database>, run: Run): Promise<RunBudget> {
  const shared = await sharedBudget(database, {
    organizationId: run.organization_id,
    batchId: run.batch_id,
    simulationSetId: run.simulation_set_id,
    loadTestId: run.load_test_id,
  });
  const limits = {
    tokens: run.token_budget === null ? null : Number(run.token_budget),
    cost: moneyOf(run.cost_budget, run.cost_currency),
  };
  return new RunBudget(limits, shared);
}

/** Counts on from attempts that were interrupted. */
function meterOf(run: Run): ModelMeter {
  const meter = new ModelMeter(run.cost_currency ?? undefined);
  meter.resume({
    requests: run.model_requests,
    promptTokens: run.prompt_tokens,
    completionTokens: run.completion_tokens,
    cost: run.cost,
    // What an attempt took whose process was killed is lost.
    isComplete: run.attempts <= 1,
  });
  return meter;
}

const usageOf = ({ requests, promptTokens, completionTokens, cost }: ModelMeter) => ({
  model_requests: requests,
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  cost,
});

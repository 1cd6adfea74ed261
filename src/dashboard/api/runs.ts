import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';

export type Run = api.TestRun;
export type RunSummary = api.TestRunSummary;
export type AssertionResult = api.TestAssertionResult;
export type Batch = api.TestBatch;
export type Review = api.TestReview;
export type Analysis = api.TestAnalysis;
export type RunFilter = api.ListTestRunsQuery;

export const readRuns = (filter: RunFilter, signal?: AbortSignal): Promise<api.ListTestRunsAnswer['data']> =>
  ask(demarc.listTestRuns(filter, { signal }));

export const readRun = (id: string, signal?: AbortSignal): Promise<Run> =>
  ask(demarc.getTestRun({ id }, { signal }));

interface RunChoice {
  /** undefined: the draft, else the live version. */
  readonly version?: number | undefined;
  readonly channel?: RunSummary['channel'];
}

export const startRun = (
  scenarioId: string,
  { version, channel }: RunChoice = {},
): Promise<api.RunTestScenarioAnswer['data']> =>
  ask(
    demarc.runTestScenario(
      { id: scenarioId },
      {
        ...(version === undefined ? {} : { version_number: version }),
        ...(channel === undefined ? {} : { channel }),
        trigger_source: 'dashboard',
      },
    ),
  );

export const cancelRun = (id: string): Promise<unknown> => ask(demarc.cancelTestRun({ id }));

export const analyzeRun = (id: string): Promise<Analysis> =>
  ask(demarc.analyzeTestRun({ id })).then(({ analysis }) => analysis);

export const readLabels = (id: string, signal?: AbortSignal): Promise<Review> =>
  ask(demarc.getTestLabels({ id }, { signal }));

export const setLabels = (id: string, labels: api.SetTestLabelsBody['labels']): Promise<Review> =>
  ask(demarc.setTestLabels({ id }, { labels }));

/** Without a new conversation. */
export const judgeRun = (id: string): Promise<api.TestJudgement> => ask(demarc.judgeTestRun({ id }));

/** What runs may take together; undefined: as the organization allows. */
export interface OrderedBudget {
  readonly tokens?: number | undefined;
  readonly cost?: number | undefined;
}

const budgetOf = ({ tokens, cost }: OrderedBudget) => ({ token_budget: tokens, cost_budget: cost });

export const startBatch = (
  scenarioIds: readonly string[],
  budget: OrderedBudget,
): Promise<api.RunTestBatchAnswer['data']> =>
  ask(
    demarc.runTestBatch({
      scenario_ids: [...scenarioIds],
      ...budgetOf(budget),
      trigger_source: 'dashboard',
    }),
  );

/** One page of a list, and where the next one begins. */
export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

const pageSize = 50;

/** @param after `next` of the page before; undefined: the first page */
export const pageOf = (after: string | undefined) => ({
  limit: pageSize,
  ...(after === undefined ? {} : { after }),
});

export const readBatches = (
  after: string | undefined,
  signal?: AbortSignal,
): Promise<Listed<api.ListedTestBatch>> =>
  ask(
    demarc
      .listTestBatches(pageOf(after), { signal })
      .then(({ data, next }) => ({ data: { rows: data.batches, next } })),
  );

export const cancelBatch = (id: string): Promise<Batch> => ask(demarc.cancelTestBatch({ id }));

export const readBatch = (id: string, signal?: AbortSignal): Promise<Batch> =>
  ask(demarc.getTestBatch({ id }, { signal }));

export type SimulationSet = api.SimulationSet;
export type ScenarioStatistics = api.ScenarioStatistics;

/** @param matrix what varies from run to run; undefined: nothing */
export const simulate = (
  scenarioIds: readonly string[],
  runs: number,
  matrix: api.StartSimulationSetBody['matrix'],
  budget: OrderedBudget,
): Promise<api.StartSimulationSetAnswer['data']> =>
  ask(
    demarc.startSimulationSet({
      scenario_ids: [...scenarioIds],
      simulations_per_scenario: runs,
      ...(matrix === undefined ? {} : { matrix }),
      ...budgetOf(budget),
      trigger_source: 'dashboard',
    }),
  );

export const readSimulationSet = (id: string, signal?: AbortSignal): Promise<SimulationSet> =>
  ask(demarc.getSimulationSet({ id }, { signal }));

export const readSimulationSets = (
  after: string | undefined,
  signal?: AbortSignal,
): Promise<Listed<api.ListedSimulationSet>> =>
  ask(
    demarc
      .listSimulationSets(pageOf(after), { signal })
      .then(({ data, next }) => ({ data: { rows: data.simulation_sets, next } })),
  );

export const compareSimulationSets = (
  id: string,
  compared: string,
  signal?: AbortSignal,
): Promise<api.CompareSimulationSetsAnswer['data']> =>
  ask(demarc.compareSimulationSets({ id }, { other: compared }, { signal }));

export const cancelSimulationSet = (id: string): Promise<SimulationSet> =>
  ask(demarc.cancelSimulationSet({ id }));

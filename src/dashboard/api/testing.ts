import type * as api from '../../../clients/typescript/src/index.js';
import { ask, demarc } from './client.js';
import type { ApiRequest } from './request.js';

export type Scenario = api.TestScenario;
export type ListedScenario = api.ListedTestScenario;
export type Assertion = api.TestAssertion;
export type Template = api.TestTemplate;
export type ScenarioBody = api.CreateTestScenarioBody;
export type Category = ListedScenario['category'];
export type ScenarioFilter = Pick<
  api.ListTestScenariosQuery,
  'pathway_id' | 'persona_id' | 'category' | 'enabled' | 'after'
>;

export const categories: Readonly<Record<Category, string>> = {
  HAPPY_PATH: 'Cooperative caller',
  ANGRY_CALLER: 'Angry caller',
  BELLIGERENT_CALLER: 'Abusive caller',
  CONFUSED_CALLER: 'Rambling caller',
  CALL_SCREENER: 'Call screener',
  VOICEMAIL: 'Voicemail',
  VOICEMAIL_SCREENER: 'Full mailbox',
  EDGE_CASE: 'Edge case',
  RED_TEAM: 'Red team',
  CUSTOM: 'Custom',
};

export const readScenarios = (
  filter: ScenarioFilter,
  signal?: AbortSignal,
): Promise<{ readonly scenarios: readonly ListedScenario[]; readonly next: string | null }> =>
  withNext(demarc.listTestScenarios({ limit: 100, ...filter }, { signal }));

/** The data of a page with the address of the next one. */
async function withNext<Data extends object>(
  asked: Promise<{ readonly data: Data; readonly next: string | null }>,
): Promise<Data & { readonly next: string | null }> {
  const answer = asked.then(({ data, next }) => ({ data: { ...data, next } }));
  return ask(answer);
}

export const readScenario = (id: string, signal?: AbortSignal): Promise<Scenario> =>
  ask(demarc.getTestScenario({ id }, { signal }));

export type Calibration = api.TestCalibration;

export const readCalibration = (id: string, signal?: AbortSignal): Promise<Calibration> =>
  ask(demarc.getJudgeCalibration({ id }, { signal }));

export const createScenario = (body: ScenarioBody): Promise<Scenario> => ask(demarc.createTestScenario(body));

export const changeScenario = (id: string, body: api.UpdateTestScenarioBody): Promise<Scenario> =>
  ask(demarc.updateTestScenario({ id }, body));

export const deleteScenario = (id: string): Promise<unknown> => ask(demarc.deleteTestScenario({ id }));

export const readTemplates = (signal?: AbortSignal): Promise<readonly Template[]> =>
  ask(demarc.listTestTemplates({}, { signal })).then(({ templates }) => templates);

export type ScenarioProposal = api.TestScenarioDraft;

/** An unsaved scenario. A language model writes it, which takes seconds. Throws `ApiFailure` `NO_TRANSCRIPT`. */
export const generateScenario = (
  from: api.GenerateTestScenarioBody,
  signal?: AbortSignal,
): Promise<ScenarioProposal> => ask(demarc.generateTestScenario(from, { signal }));

export type GeneratedScenario = api.GeneratedTestScenario;
export type PersonaSuite = api.PersonaTestSuite;
export type CallSuite = api.CallTestSuite;

/** Unsaved scenarios for the texts of a persona. A language model may write them, which takes up to two minutes. */
export const suiteOfPersona =
  (from: api.GenerateTestScenariosFromPersonaBody): ApiRequest<PersonaSuite> =>
  (client) =>
    client.generateTestScenariosFromPersona(from);

/** Unsaved scenarios of the latest calls. */
export const suiteOfCalls =
  (from: api.GenerateTestScenariosFromCallsBody): ApiRequest<CallSuite> =>
  (client) =>
    client.generateTestScenariosFromCalls(from);

export type EnhancedAnalytics = api.EnhancedTestAnalytics;

/** @param days up to now, 1 to 365 */
export const readAnalytics = (
  pathwayId: string,
  days: number,
  signal?: AbortSignal,
): Promise<EnhancedAnalytics> => ask(demarc.getEnhancedTestAnalytics({ pathwayId }, { days }, { signal }));

export type Coverage = api.PathwayCoverage;

export const readCoverage = (pathwayId: string, signal?: AbortSignal): Promise<Coverage> =>
  ask(demarc.getPathwayCoverage({ pathwayId }, {}, { signal }));

export type Budget = api.TestTokenBudget;

export const readBudget = (signal?: AbortSignal): Promise<Budget> => ask(demarc.getTestBudget({ signal }));

export const estimateTokens = (
  scenarioIds: readonly string[],
  runs: number,
  signal?: AbortSignal,
): Promise<api.TestEstimate> =>
  ask(demarc.estimateTestTokens({ scenario_ids: [...scenarioIds], runs_per_scenario: runs }, { signal }));

export const setBudget = (limits: api.SetTestBudgetBody): Promise<Budget> =>
  ask(demarc.setTestBudget(limits));

export type Prices = api.TestPrices;

export const readPrices = (signal?: AbortSignal): Promise<Prices> => ask(demarc.getTestPrices({ signal }));

export const setPrices = (prices: api.SetTestPricesBody): Promise<Prices> =>
  ask(demarc.setTestPrices(prices));

import { describe, expect, it } from 'vitest';
import type { AssertionResult, Batch, Run, RunSummary } from '../../../../../src/dashboard/api/runs.js';
import type { ListedScenario } from '../../../../../src/dashboard/api/testing.js';
import type { TornadoIteration, TornadoProgress } from '../../../../../src/dashboard/api/tornado.js';
import { AnalysisPanel } from '../../../../../src/dashboard/pages/testing/analysis-panel.js';
import { AssertionResults } from '../../../../../src/dashboard/pages/testing/assertion-results.js';
import { BatchView, OutcomeBar } from '../../../../../src/dashboard/pages/testing/batch-page.js';
import { AgreementTable } from '../../../../../src/dashboard/pages/testing/calibration-panel.js';
import { ConversationPanel } from '../../../../../src/dashboard/pages/testing/conversation-panel.js';
import { PricesForm, priceRows, pricesOf } from '../../../../../src/dashboard/pages/testing/prices-panel.js';
import { Labels } from '../../../../../src/dashboard/pages/testing/review-panel.js';
import { Details, Verdict } from '../../../../../src/dashboard/pages/testing/run-page.js';
import {
  hasEnded,
  type RunStatus,
  ScoreBar,
  scoreText,
} from '../../../../../src/dashboard/pages/testing/run-state.js';
import { RunTable } from '../../../../../src/dashboard/pages/testing/run-table.js';
import { ScenarioTable } from '../../../../../src/dashboard/pages/testing/scenario-table.js';
import { ScenarioTable as ResultTable } from '../../../../../src/dashboard/pages/testing/simulation-page.js';
import { TonePanel } from '../../../../../src/dashboard/pages/testing/tone-panel.js';
import { IterationPanel } from '../../../../../src/dashboard/pages/testing/tornado-session-page.js';
import { UsageFigures } from '../../../../../src/dashboard/pages/testing/usage-figures.js';
import { VoicePanel } from '../../../../../src/dashboard/pages/testing/voice-panel.js';
import { type Rendered, rendered } from '../../rendered.js';

const nothing = (): void => undefined;
const at = '2026-11-22T10:00:00.000Z';

const run = (fields: object = {}): Run =>
  ({
    id: 'r1',
    status: 'PASSED',
    channel: 'text',
    scenario: { id: 's1', name: 'Refund' },
    scenario_id: 's1',
    pathway_id: 'p1',
    version_number: 3,
    overall_score: 0.864,
    tone_score: null,
    turn_count: 4,
    duration_ms: 1_500,
    usage: { prompt_tokens: 1_000, completion_tokens: 234, cost: null, requests: 7 },
    error_message: null,
    reasoning: 'All required assertions passed.',
    chat_history: [],
    metadata: { turn_details: [], node_id_to_name: { n1: 'Greeting' } },
    webhooks: [],
    end_reason: null,
    models: { agent: 'a', tester: 't', judge: null, is_stand_in: false },
    variables_extracted: {},
    started_at: null,
    created_at: at,
    origin: 'ci',
    batch_id: null,
    simulation_set_id: null,
    ...fields,
  }) as unknown as Run;

describe('the status of a run', () => {
  it.each<[RunStatus, boolean]>([
    ['PENDING', false],
    ['RUNNING', false],
    ['PASSED', true],
    ['FAILED', true],
    ['ERROR', true],
    ['CANCELLED', true],
  ])('%s is an end: %s', (status, expected) => {
    expect(hasEnded(status)).toBe(expected);
  });

  it('has a score in percent, or a dash', () => {
    expect(scoreText(0.864)).toBe('86\u00a0%');
    expect(scoreText(0)).toBe('0\u00a0%');
    expect(scoreText(null)).toBe('–');
    expect(scoreText(undefined)).toBe('–');
  });

  it('is drawn as a bar that a low score does not hide', () => {
    const width = (score: number | null): string | undefined =>
      /<rect width="([\d.]+)"[^>]*score-part/.exec(rendered(<ScoreBar score={score} label="x" />).html)?.[1];
    expect([width(null), width(0), width(0.5)]).toEqual([undefined, '2', '50']);
  });
});

describe('the verdict on a run', () => {
  const verdict = (fields: object = {}): Rendered => rendered(<Verdict run={run(fields)} />);

  it.each([
    ['PASSED', 'verdict '],
    ['FAILED', 'verdict bad'],
    ['ERROR', 'verdict warn'],
    ['CANCELLED', 'verdict warn'],
    ['RUNNING', 'verdict busy'],
    ['PENDING', 'verdict busy'],
  ])('of a run that is %s is marked "%s"', (status, name) => {
    expect(verdict({ status }).html).toContain(`class="${name}"`);
  });

  it('has figures, tone and cost only where they are known', () => {
    expect(verdict().all('dt')).toEqual(['Score', 'Turns', 'Duration', 'Tokens']);
    expect(verdict().all('dd')).toEqual(['86 %', '4', '1.50 s', '1,234']);
    const full = verdict({
      tone_score: 0.5,
      usage: { prompt_tokens: 1, completion_tokens: 1, cost: { amount: 0.01234, currency: 'USD' } },
    });
    expect(full.all('dt')).toEqual(['Score', 'Tone', 'Turns', 'Duration', 'Tokens', 'Cost']);
    expect(full.all('dd').at(-1)).toBe('$0.0123');
  });

  it('gives the error before the reasoning', () => {
    expect(verdict().all('.verdict-reason')).toEqual(['All required assertions passed.']);
    expect(verdict({ error_message: 'The model is down.' }).all('.verdict-reason')).toEqual([
      'The model is down.',
    ]);
  });
});

describe('the details of a run', () => {
  const details = (fields: object = {}): Rendered => rendered(<Details run={run(fields)} />);

  it('say when it began, who asked for it, and what it belongs to', () => {
    const names = details().all('dt');
    expect(details().text).toContain('Started Not yet Started by CI pipeline');
    expect(details().text).toContain('Judge No model judged');
    expect(names).not.toContain('Batch');
    const full = details({ started_at: at, batch_id: 'b1', simulation_set_id: 'm1' });
    expect(full.html).toContain('href="/testing/batches/b1"');
    expect(full.html).toContain('href="/testing/simulations/m1"');
    expect(full.text).not.toContain('Not yet');
  });

  it('show the variables of a pathway, texts as they are', () => {
    expect(details().text).toContain('The pathway extracted none.');
    const shown = details({ variables_extracted: { name: 'Ada', age: 36 } });
    expect(shown.all('code').slice(0, 2)).toEqual(['Ada', '36']);
    expect(shown.text).not.toContain('extracted none');
    expect(details({ pathway_id: null }).all('h2')).toEqual(['Details']);
  });
});

describe('the conversation of a run', () => {
  const panel = (fields: object = {}, selected?: string): Rendered =>
    rendered(<ConversationPanel run={run(fields)} selected={selected} onSelect={nothing} />);
  const lines = [
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: '' },
  ];
  const turn_details = [{ turn: 0, node_id: 'n1', latency_ms: 420, extracted: ['name', 'age'] }];

  it('says why it is empty', () => {
    expect(panel().text).toContain('No conversation No line was spoken yet.');
    expect(panel({ status: 'RUNNING' }).text).toContain('The conversation begins …');
    expect(panel({ error_message: 'No model.' }).text).toContain('No conversation No model.');
  });

  it('names who spoke, from which node, how fast, and what was extracted', () => {
    const shown = panel({
      chat_history: lines,
      metadata: { turn_details, node_id_to_name: { n1: 'Greeting' } },
    });
    expect(shown.all('li')).toEqual(['Agent · Greeting · 420 msHelloExtracted: name, age', 'CallerSilence']);
    expect(panel({ chat_history: lines, metadata: { turn_details, node_id_to_name: {} } }).text).toContain(
      '· n1',
    );
  });

  it('marks the lines of the selected node', () => {
    const fields = { chat_history: lines, metadata: { turn_details, node_id_to_name: {} } };
    expect(panel(fields).html).not.toContain('selected');
    expect(panel(fields, 'n1').html.match(/ selected"/g)).toHaveLength(1);
    expect(panel(fields, 'n2').html).not.toContain(' selected"');
  });

  it('has webhooks before the line of their turn, and the last ones at the end', () => {
    const webhook = (turn: number, more: object = {}) => ({
      turn,
      node_id: 'n1',
      url: `https://x/${turn}`,
      arguments: {},
      status: 200,
      error: null,
      is_mocked: false,
      duration_ms: 12,
      ...more,
    });
    const webhooks = [webhook(1), webhook(2, { error: 'timeout', is_mocked: true, arguments: { day: 1 } })];
    expect(panel({ chat_history: lines, webhooks }).all('li')).toEqual([
      'AgentHello',
      'Webhook Greeting: https://x/1 status 200, 12 ms',
      'CallerSilence',
      expect.stringMatching(
        /^Webhook Greeting: https:\/\/x\/2 timeout, answered by the scenario ?Arguments ?\{ "day": 1 \}$/,
      ),
    ]);
  });

  it('says that it continues, or how it ended', () => {
    expect(panel({ chat_history: lines, status: 'RUNNING' }).text).toContain('The conversation continues …');
    expect(panel({ chat_history: lines }).text).not.toContain('continues');
    expect(panel({ status: 'RUNNING' }).text).not.toContain('continues');
    expect(panel({ chat_history: lines, end_reason: 'max_turns' }).text).toContain(
      'reached its limit of turns',
    );
    const ending = { ended_by: 'agent', transfer: 'transferred', transferred_to: '+14155550100' } as const;
    expect(panel({ end_reason: 'agent_ended', ending }).text).toContain('transferred to +14155550100.');
    expect(panel({ channel: 'voice' }).all('.chip')).toEqual(['By voice']);
    expect(panel().all('.chip')).toEqual([]);
  });
});

describe('the results of assertions', () => {
  const result = (fields: Partial<AssertionResult> = {}): AssertionResult =>
    ({
      assertion_id: 'a1',
      type: 'STRING_CHECK',
      name: null,
      status: 'PASSED',
      passed: true,
      is_required: true,
      score: 1,
      weight: 2,
      reasoning: 'Found.',
      expected: null,
      actual: null,
      judged_by: null,
      ...fields,
    }) as unknown as AssertionResult;
  const panel = (isEnded: boolean, ...results: AssertionResult[]): Rendered =>
    rendered(<AssertionResults results={results} isEnded={isEnded} />);

  it('say when there are none, and when they come', () => {
    expect(panel(true).text).toContain('No assertions were evaluated');
    expect(panel(false).text).toContain('Evaluated after the conversation');
    expect(panel(true).text).not.toContain('passed');
  });

  it('are counted', () => {
    const shown = panel(true, result(), result({ assertion_id: 'a2', status: 'FAILED', passed: false }));
    expect(shown.text).toContain('1 of 2 passed');
    expect(shown.all('.state')).toEqual(['Passed', 'Failed']);
  });

  it('mark optional ones, and name who judged', () => {
    expect(panel(true, result()).all('.chip')).toEqual([]);
    expect(panel(true, result({ is_required: false })).all('.chip')).toEqual(['Optional']);
    expect(panel(true, result({ judged_by: 'gpt' })).all('small')[0]).toBe('weight 2 · judged by gpt');
    expect(panel(true, result({ name: 'Greets' })).all('small')[0]).toMatch(/ · weight 2$/);
  });

  it('show expectation and finding of those that did not pass', () => {
    const values = { expected: 'yes', actual: 'no' };
    expect(panel(true, result(values)).all('dt')).toEqual([]);
    const failed = { status: 'FAILED' as const, passed: false };
    expect(panel(true, result({ ...values, ...failed })).all('dt')).toEqual(['Expected', 'Found']);
    expect(panel(true, result({ ...failed, actual: 'no' })).all('dt')).toEqual(['Found']);
    expect(panel(true, result({ ...failed, expected: 'yes' })).all('dt')).toEqual(['Expected']);
    expect(panel(true, result(failed)).html).not.toContain('<dl');
  });
});

describe('tables of runs', () => {
  it('have the scenario except on its own page', () => {
    const runs = [run({ channel: 'voice', version_number: null })] as unknown as RunSummary[];
    const all = rendered(<RunTable runs={runs} label="Runs" />);
    expect(all.all('th')).toContain('Scenario');
    expect(all.all('td')).toHaveLength(8);
    expect(all.text).toContain('By voice');
    expect(all.all('td')[3]).toBe('–');
    const own = rendered(
      <RunTable runs={[run()] as unknown as RunSummary[]} label="Runs" hidden="scenario" />,
    );
    expect(own.all('th')).not.toContain('Scenario');
    expect(own.all('td')).toHaveLength(7);
    expect(own.text).not.toContain('By voice');
  });

  it('say how many of a batch still run', () => {
    const batch = (passed: number, failed: number, isStandIn = false): Rendered =>
      rendered(
        <BatchView
          batch={
            {
              runs: [run({ models: { is_stand_in: isStandIn } })],
              total_scenarios: 5,
              passed_scenarios: passed,
              failed_scenarios: failed,
              created_at: at,
              token_budget: null,
              cost_budget: null,
              usage: { tokens: 9_876, cost: { amount: 0.5, currency: 'EUR' } },
            } as unknown as Batch
          }
        />,
      );
    expect(batch(3, 1).text).toContain('3 of 5 passed');
    expect(batch(3, 1).text).toContain('1 of 5 still running …');
    expect(batch(3, 2).text).not.toContain('still running');
    expect(batch(3, 2).text).toContain('Tokens 9,876 Cost €0.50');
    expect(batch(3, 2, true).html.length).toBeGreaterThan(batch(3, 2).html.length);
  });

  it('draw the shares of a bar', () => {
    const widths = (passed: number, failed: number, total: number): (string | undefined)[] => {
      const { html } = rendered(<OutcomeBar passed={passed} failed={failed} total={total} />);
      return [...html.matchAll(/<rect class="outcome-\w+"(?: x="([\d.]+)")? width="([\d.]+)"/g)].map(
        ([, x, width]) => (x === undefined ? width : `${width} at ${x}`),
      );
    };
    expect(widths(1, 2, 4)).toEqual(['250', '500 at 250']);
    expect(widths(0, 0, 0)).toEqual(['0', '0 at 0']);
  });
});

describe('what runs have taken', () => {
  const figures = (fields: Partial<Parameters<typeof UsageFigures>[0]>): readonly string[] =>
    rendered(
      <UsageFigures usage={{ tokens: 120, cost: null }} token_budget={null} cost_budget={null} {...fields} />,
    ).all('dd');

  it('is shown with its budgets, and a dash for a cost that is not known', () => {
    expect(figures({})).toEqual(['120', '–']);
    expect(
      figures({
        token_budget: { limit: 1_000, used: 130 },
        cost_budget: { limit: 2, used: 0.25, currency: 'EUR' },
      }),
    ).toEqual(['130 of 1,000', '€0.25 of €2.00']);
  });
});

describe('the prices of models', () => {
  const prices = {
    currency: 'EUR',
    models: [
      { model: 'small', prompt_price: 1, completion_price: 2 },
      { model: 'own-agent', prompt_price: 0, completion_price: 0 },
    ],
    service_models: [
      { model: 'small', use: 'conversation' as const, prompt_price: 1, completion_price: 2 },
      { model: 'large', use: 'judge' as const, prompt_price: null, completion_price: null },
      { model: 'large', use: 'conversation' as const, prompt_price: null, completion_price: null },
    ],
  };

  it('are a row for each model, and one for another', () => {
    expect(priceRows(prices).map(({ model, own }) => [model, own?.completion_price])).toEqual([
      ['small', 2],
      ['large', undefined],
      ['own-agent', 0],
    ]);
    const { html } = rendered(<PricesForm prices={prices} onSaved={nothing} />);
    expect(html.match(/name="model"/g)).toHaveLength(4);
  });

  it('are sent for the rows that have a name and both prices', () => {
    const fields = new FormData();
    fields.set('currency', ' eur');
    for (const [model, prompt, completion] of [
      ['small', '0.5', '0'],
      ['large', '', '3'],
      ['', '1', '2'],
    ] as const) {
      fields.append('model', model);
      fields.append('prompt', prompt);
      fields.append('completion', completion);
    }
    expect(pricesOf(fields)).toEqual({
      currency: 'EUR',
      models: [{ model: 'small', prompt_price: 0.5, completion_price: 0 }],
    });
  });
});

describe('the list of scenarios', () => {
  const scenario = (fields: object = {}): ListedScenario =>
    ({
      id: 's1',
      name: 'Refund',
      is_required_for_promotion: false,
      promotion_runs: 5,
      required_pass_rate: 0.65,
      channel: 'text',
      enabled: true,
      most_recent_run: null,
      pathway_id: null,
      persona_id: null,
      category: 'general',
      ...fields,
    }) as unknown as ListedScenario;
  const table = (...scenarios: ListedScenario[]): Rendered =>
    rendered(<ScenarioTable scenarios={scenarios} targets={[]} />);

  it('marks what is required, spoken or disabled', () => {
    expect(table(scenario()).all('.chip')).toEqual([]);
    const marked = scenario({ is_required_for_promotion: true, channel: 'voice', enabled: false });
    expect(table(marked).all('.chip')).toEqual(['Required', 'By voice', 'Disabled']);
  });

  it('has the last result, with its time when it ended', () => {
    expect(table(scenario()).text).toContain('Never run');
    const last = { id: 'r1', status: 'FAILED', score: 0.5, completed_at: null };
    expect(table(scenario({ most_recent_run: last })).text).toMatch(/Failed 50 %/);
    expect(table(scenario({ most_recent_run: last })).html).not.toContain('<time');
    expect(table(scenario({ most_recent_run: { ...last, completed_at: at } })).html).toContain('<time');
    expect(table(scenario({ most_recent_run: last })).text).not.toContain('Never run');
  });

  it('runs nothing before something is selected', () => {
    const { html, text } = table(scenario());
    expect(text).toContain('Select scenarios to run them.');
    expect(html.match(/<button[^>]* disabled/g)).toHaveLength(3);
    expect(html).not.toMatch(/<input[^>]* checked/);
  });
});

describe('the results of a simulation', () => {
  const statistics = (fields: object = {}) =>
    ({
      scenario_id: 's1',
      scenario_name: 'Refund',
      is_flaky: false,
      pass_rate: 0.5,
      pass_rate_interval: { lower: 0.25, upper: 0.75 },
      total_runs: 10,
      scores: { mean: 0.6 },
      confidence: 'low',
      ...fields,
    }) as never;
  const table = (fields: object = {}, chosen?: string): Rendered =>
    rendered(<ResultTable scenarios={[statistics(fields)]} chosen={chosen} onChoose={nothing} />);

  it('have the rate on its interval', () => {
    const { html, all } = table();
    expect(html).toMatch(/<line[^>]* x1="30" x2="90"/);
    expect(html).toMatch(/<circle[^>]* cx="60"/);
    expect(all('td')[1]).toBe('50 % 25 % to 75 %');
  });

  it('keep the point within the drawing, and draw nothing unknown', () => {
    expect(table({ pass_rate: 0 }).html).toMatch(/cx="5"/);
    expect(table({ pass_rate: 1 }).html).toMatch(/cx="115"/);
    const unknown = table({ pass_rate: null, pass_rate_interval: null });
    expect(unknown.html).not.toMatch(/<circle|<line/);
    expect(unknown.all('td')[1]).toBe('–');
  });

  it('mark flaky scenarios and the chosen one', () => {
    expect(table().all('.chip')).toEqual([]);
    expect(table({ is_flaky: true }).all('.chip')).toEqual(['Flaky']);
    expect(table({}, 's1').html).toContain('aria-pressed="true"');
    expect(table({}, 's2').html).toContain('aria-pressed="false"');
  });
});

describe('the verdicts of people', () => {
  const result = (assertion_id: string, status: string) => ({ assertion_id, status, name: assertion_id });
  const assertion_results = [result('Polite', 'PASSED'), result('Short', 'FAILED')] as never;

  it('stand beside those of the judge, also of the second', () => {
    const labels = [{ assertion_id: 'Polite', passed: false, labelled_by: 'Ada' }] as never;
    const judgement = { assertion_results: [result('Polite', 'FAILED')] } as never;
    const { html, all } = rendered(
      <Labels run={{ assertion_results }} labels={labels} judgement={judgement} onLabel={nothing} />,
    );
    expect(all('p')).toEqual(['Polite Passed Again: Failed', 'Short Failed']);
    expect([...html.matchAll(/aria-pressed="(\w+)"/g)].map(([, pressed]) => pressed)).toEqual([
      ...['false', 'true', 'false', 'false'],
    ]);
    expect(all('small')).toEqual(['Ada']);
  });

  it('are compared with kappa and its interval', () => {
    const agreement = (fields: object = {}) => ({
      compared: 20,
      errors: 1,
      only_judge_passed: 3,
      only_person_passed: 2,
      agreement: 0.75,
      kappa: 0.4,
      kappa_interval: { lower: 0.05, upper: 0.75 },
      ...fields,
    });
    const none = agreement({ compared: 0, errors: 0, agreement: null, kappa: null, kappa_interval: null });
    const table = (again: object) =>
      rendered(
        <AgreementTable
          assertions={
            [
              { assertion_id: 'a', name: 'Polite', type: 'LLM_JUDGE', run: agreement(), judged_again: again },
            ] as never
          }
        />,
      );
    expect(table(none).all('td')).toEqual(['20', '75 %', '0.40 (0.05 to 0.75)', '3', '2', '1']);
    expect(
      table(agreement({ kappa: 1 }))
        .all('th')
        .slice(-2),
    ).toEqual(['Polite', 'Polite, judged again']);
  });
});

describe('what was heard in a run by voice', () => {
  const voice = (fields: object = {}) =>
    ({
      turns: [{ speaker: 'caller', from_ms: 0, to_ms: 900, text: null }],
      call_id: null,
      duration_ms: 5_000,
      transcription: 'service',
      speech: 'tones',
      silence_share: 0.25,
      talk_over_ms: 120,
      talk_over_share: 0.024,
      unanswered_turns: 1,
      interruptions: 2,
      packets_lost: 3,
      codec: null,
      agent_talk_share: 0.6,
      agent_words_per_minute: null,
      agent_loudness_dbov: -23.4,
      caller_loudness_dbov: null,
      ...fields,
    }) as never;
  const panel = (fields: object = {}, ofRun: object = {}): Rendered =>
    rendered(
      <VoicePanel
        run={{ id: 'r1', chat_history: [], assertion_results: [], recording: null, ...ofRun } as never}
        voice={voice(fields)}
      />,
    );

  it('is measured', () => {
    const { text } = panel();
    expect(text).toContain('Turns without answer 1');
    expect(text).toContain('Silence 25 %');
    expect(text).toContain('Both speak 120 ms, 2.4 %');
    expect(text).toContain('Codec –');
    expect(text).toContain('Not understood');
    expect(text).toContain('Agent’s share of speech 60 %');
    expect(text).toContain('Agent’s words a minute –');
    expect(text).toContain('Agent’s loudness -23.4 dBov');
  });

  it('is played where it was recorded, with its lines and the assertions that they decide', () => {
    const turn = (speaker: string, from_ms: number, text: string, is_barge_in = false) => ({
      speaker,
      from_ms,
      to_ms: from_ms + 500,
      text,
      is_barge_in,
    });
    const turns = [
      turn('agent', 200, 'Hello'),
      turn('caller', 1_000, 'Stop', true),
      turn('caller', 2_000, 'Hours?'),
      turn('agent', 3_000, 'Nine'),
      turn('agent', 64_000, 'to five'),
    ];
    const chat_history = [
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Hours?' },
      { role: 'assistant', content: 'Nine to five' },
    ];
    const result = (name: string, status: string, lines: number[] | null) => ({
      type: 'PHRASES',
      name,
      status,
      turns: lines,
    });
    const assertion_results = [
      result('Greets', 'FAILED', [0]),
      result('Says hours', 'PASSED', [2]),
      result('Polite', 'PASSED', null),
    ];
    const ofRun = { chat_history, assertion_results, recording: { duration_ms: 70_000, octets: 1_120_058 } };
    const { html, all } = panel({ turns }, ofRun);
    expect(html).toContain('src="/v1/agent-testing/runs/r1/recording"');
    expect(all('li')).toEqual([
      'Play from 0:00.2 AgentHello Greets',
      'Play from 0:01.0 CallerStop',
      'Play from 0:02.0 CallerHours?',
      'Play from 0:03.0 AgentNine Says hours',
      'Play from 1:04.0 Agentto five Says hours',
    ]);
    expect(html.match(/class="assertion-mark (bad|good)"/g)).toHaveLength(3);
    const unrecorded = panel({ turns }, { ...ofRun, recording: null });
    expect(unrecorded.html).not.toContain('<audio');
    expect(unrecorded.text).toContain('This call has no recording');
  });

  it('leads to the call, and says what a tone code cannot tell', () => {
    expect(panel().html).not.toContain('/calls/');
    expect(panel({ call_id: 'c1' }).html).toContain('href="/calls/c1"');
    expect(panel().text).not.toContain('Only the tone code was understood');
    expect(panel({ transcription: 'tones' }).text).toContain('Only the tone code was understood');
  });

  it('has a tone with issues and examples where there are any', () => {
    const tone = (fields: object = {}): Rendered =>
      rendered(
        <TonePanel
          tone={{ overall_tone_score: 0.7, naturalness: 0.8, issues: [], examples: [], ...fields } as never}
        />,
      );
    expect(tone().all('h3')).toEqual([]);
    const example = { turn: 2, category: 'back_channeling', text: 'aha', sentiment: 'positive' };
    const full = tone({
      issues: ['Too long.'],
      examples: [example, { ...example, turn: 3, sentiment: 'negative' }],
    });
    expect(full.all('h3')).toEqual(['Issues', 'Examples']);
    expect(full.all('small')).toEqual(['line 3', 'line 4']);
    expect([...full.html.matchAll(/class="state (\w+)"/g)].map(([, name]) => name)).toEqual(['good', 'warn']);
  });
});

describe('the analysis of a run', () => {
  it('is offered', () => {
    expect(rendered(<AnalysisPanel run={run()} />).all('button')).toEqual(['Analyze this run']);
  });
});

describe('an iteration of tornado mode', () => {
  const iteration = (fields: object = {}): TornadoIteration =>
    ({
      iteration: 2,
      batch_id: 'b1',
      version_number: 5,
      started_at: at,
      completed_at: at,
      passed_ids: ['s1'],
      failed_ids: [],
      fix_plan: null,
      ...fields,
    }) as unknown as TornadoIteration;
  const fix = (id: string, fields: object = {}) => ({
    id,
    type: 'prompt_edit',
    target_node: null,
    path: 'nodes.a',
    description: `Fix ${id}`,
    before: 'a',
    after: 'b',
    is_applied: true,
    problem: null,
    ...fields,
  });
  const panel = (fields: object = {}, status = 'COMPLETED'): Rendered =>
    rendered(
      <IterationPanel
        iteration={iteration(fields)}
        names={new Map([['s2', 'Refund']])}
        session={{ session_id: 't1', status } as unknown as TornadoProgress}
        onChanged={nothing}
      />,
    );

  it('runs, or says how many passed', () => {
    expect(panel().text).toContain('Version 5: 1 passed, 0 failed.');
    expect(panel({ completed_at: null }).text).toContain('Running version 5 …');
    expect(panel().html).not.toContain('fault-list');
    expect(panel({ failed_ids: ['s2', 's3'] }).all('li')).toEqual(['Refund', 's3']);
  });

  it('has its changes in the order of their priority', () => {
    const plan = { fixes: [fix('f1'), fix('f2')], priority_order: ['f2', 'f1'] };
    expect(panel({ fix_plan: plan }).all('.prose')).toEqual(['Fix f2', 'Fix f1']);
    expect(panel().html).not.toContain('suggestions');
  });

  it('undoes only what was applied, after the session', () => {
    const plan = { fixes: [fix('f1', { problem: 'No such node.' })], priority_order: [] };
    expect(panel({ fix_plan: plan }).all('button')).toEqual(['Undo']);
    expect(panel({ fix_plan: plan }).all('.field-problem')).toEqual(['No such node.']);
    expect(panel({ fix_plan: plan }, 'RUNNING').all('button')).toEqual([]);
    const refused = { fixes: [fix('f1', { is_applied: false })], priority_order: [] };
    expect(panel({ fix_plan: refused }).all('button')).toEqual([]);
    expect(panel({ fix_plan: refused }).all('.warn')).toEqual(['Not applied']);
  });
});

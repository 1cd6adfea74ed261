import { describe, expect, it } from 'vitest';
import { scenarioCreation } from '../../../../src/control/agent-testing/schemas/scenario.js';
import { suiteOf, testedQuotes } from '../../../../src/control/agent-testing/suites/drafts.js';
import { untestedOf, writeDrafts } from '../../../../src/control/agent-testing/suites/persona-suite.js';
import { ruleScenarios } from '../../../../src/control/agent-testing/suites/rule-scenarios.js';
import { type Statement, statementsOf } from '../../../../src/control/agent-testing/suites/statements.js';
import type { Chat } from '../../../../src/control/models/chat-model.js';

const personaId = '4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d';
const passage = (position: number, heading: string, content: string) => ({
  baseId: 'base-1',
  baseName: 'Prices',
  position,
  heading,
  content,
});

const statements = statementsOf({
  orchestration:
    '# Task\nGreet with "Welcome to the ski school".\n\n- Never promise a refund before a person has\n  confirmed it.\n- Call the guest {{first_name}} by name.\n',
  personality: 'You are brief.',
  passages: [
    passage(
      0,
      'Lessons › Children',
      'What does a trial lesson cost?\nA trial lesson costs 20 euro for 45 minutes.',
    ),
    passage(1, 'Lessons', 'A trial lesson costs 20 euro for 45 minutes. Helmets are required for children.'),
  ],
});

describe('the statements of a persona', () => {
  it('are its sentences with their topics, each once, without headings and what depends on the call', () => {
    expect(statements.map(({ source, text, topic }) => [source, topic, text])).toEqual([
      ['orchestration_prompt', 'Task', 'Greet with "Welcome to the ski school".'],
      ['orchestration_prompt', 'Task', 'Never promise a refund before a person has confirmed it.'],
      ['personality_prompt', '', 'You are brief.'],
      ['knowledge', 'What does a trial lesson cost?', 'A trial lesson costs 20 euro for 45 minutes.'],
      ['knowledge', 'Lessons', 'Helmets are required for children.'],
    ]);
  });

  it('are tested once the description of a scenario quotes them, for knowledge by the passage', () => {
    const before = untestedOf(statements, testedQuotes([null, 'Something else']));
    expect(before).toMatchObject({
      prompts: { total: 3, covered: 0, percent: 0 },
      knowledge: { total: 2, covered: 0, percent: 0 },
    });
    const suite = suiteOf(personaId, ruleScenarios(before.untested, 50), []);
    expect(suite).toHaveLength(5);
    const after = untestedOf(statements, testedQuotes(suite.map(({ scenario }) => scenario.description)));
    expect(after).toMatchObject({
      prompts: { covered: 3, percent: 100 },
      knowledge: { covered: 2, percent: 100 },
      untested: [],
    });
  });
});

describe('a suite by rules', () => {
  const suite = suiteOf(personaId, ruleScenarios(statements, 50), ['Keeps: You are brief.']);
  const named = (name: string) => suite.find(({ scenario }) => scenario.name.startsWith(name))!;

  it('asks for figures of the knowledge in its own words, and requires them', () => {
    const { scenario, evidence } = named('Asks: What does a trial lesson cost?');
    expect(scenario).toMatchObject({
      scenario_type: 'REPLAY',
      input_messages: [{ role: 'user', content: 'What does a trial lesson cost?' }],
      assertions: [{ type: 'PHRASES', config: { required: ['20', '45'] } }],
    });
    expect(evidence).toEqual([
      {
        assertion: 0,
        source: 'knowledge',
        quote: 'A trial lesson costs 20 euro for 45 minutes.',
        kb_id: 'base-1',
        kb_name: 'Prices',
        call_id: null,
      },
    ]);
  });

  it.each([
    ['Lessons', 'A day ticket costs 40 euro.', 'Lessons: A day ticket costs?'],
    ['', 'Une leçon coûte 20 euros.', 'Une leçon coûte?'],
    ['Öffnungszeiten', '9 bis 18 Uhr an Werktagen.', 'Öffnungszeiten?'],
    ['', '24 hours a day we answer.', 'Prices?'],
  ])('asks under %j for %j: %j', (topic, text, question) => {
    const statement: Statement = {
      source: 'knowledge',
      topic,
      text,
      passage: { baseId: 'b', baseName: 'Prices', position: 0 },
    };
    expect(ruleScenarios([statement], 1)[0]!.caller).toEqual({ lines: [question] });
  });

  it('requires or forbids the phrases that prompts quote, and lets a judge read the quote on other promises', () => {
    expect(named('Keeps: Greet').scenario.assertions).toMatchObject([
      { type: 'PHRASES', config: { required: ['Welcome to the ski school'], forbidden: [] } },
    ]);
    const [forbidden] = ruleScenarios(
      [{ source: 'orchestration_prompt', topic: '', text: 'Never say “I guarantee it”.' }],
      1,
    );
    expect(forbidden!.assertions[0]!.assertion).toMatchObject({ config: { forbidden: ['I guarantee it'] } });
    const { scenario } = named('Keeps: Never promise');
    expect(scenario.scenario_type).toBe('AGENT');
    expect(scenario.tester_persona_prompt).toContain(
      'Never promise a refund before a person has confirmed it.',
    );
    expect(scenario.assertions).toMatchObject([
      {
        type: 'LLM_JUDGE',
        config: {
          rubric: expect.stringMatching(
            /\nQuote from the prompt on what the agent does:\nNever promise a refund before a person has confirmed it\.$/,
          ),
        },
      },
    ]);
  });

  it('takes prompts and knowledge in turns, with names that are free, and is accepted as scenarios', () => {
    expect(ruleScenarios(statements, 2).map(({ assertions }) => assertions[0]!.statement.source)).toEqual([
      'orchestration_prompt',
      'knowledge',
    ]);
    expect(suite.map(({ scenario }) => scenario.name)).toContain('Keeps: You are brief. (2)');
    for (const { scenario } of suite) expect(scenarioCreation.safeParse(scenario).error).toBeUndefined();
  });
});

describe('a suite by a model', () => {
  const written = (assertions: readonly object[]) => ({
    name: 'Asks for a refund',
    category: 'EDGE_CASE',
    tester_persona_name: 'Ada',
    tester_persona_prompt: 'You want your money back.',
    max_turns: 6,
    assertions,
  });
  const answering = (...scenarios: readonly object[]) => {
    const asked: string[] = [];
    const judge = {
      name: 'writer',
      priceOf: async () => undefined,
      complete: () => Promise.reject(new Error('not asked')),
      completeAs: async ({ messages }: { messages: readonly { content: string }[] }) => {
        asked.push(messages.map(({ content }) => content).join('\n'));
        return { content: { scenarios }, usage: { promptTokens: 1, completionTokens: 1 } };
      },
    } as unknown as Chat;
    return { asked, models: { judge, isStandIn: false } };
  };
  const signal = new AbortController().signal;

  it('has only assertions on statements that exist, whose quotes are those of the texts', async () => {
    const { asked, models } = answering(
      written([
        { statement: 1, name: 'Promises nothing', question: 'Did it promise no refund?' },
        { statement: 99, name: 'Made up', question: 'Did it sing?' },
      ]),
      written([{ statement: -1, name: 'Made up', question: 'Did it dance?' }]),
    );
    const { drafts, by } = await writeDrafts(models, 'org', statements, 10, signal);
    expect(by).toBe('writer');
    const suite = suiteOf(personaId, drafts, []);
    expect(suite).toMatchObject([
      {
        scenario: {
          name: 'Asks for a refund',
          scenario_type: 'AGENT',
          tester_persona_name: 'Ada',
          assertions: [{ name: 'Promises nothing', config: { prompt: 'Did it promise no refund?' } }],
        },
        evidence: [{ quote: 'Never promise a refund before a person has confirmed it.' }],
      },
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('"number":3,"from":"the knowledge base “Prices”"');
    expect(scenarioCreation.safeParse(suite[0]!.scenario).error).toBeUndefined();
  });

  it('is refused if nothing of it is based on a statement', async () => {
    const { models } = answering(written([]));
    await expect(writeDrafts(models, 'org', statements, 10, signal)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
  });

  it('is written by rules where no model or only the stand-in is configured', async () => {
    const { asked, models } = answering();
    for (const none of [
      { judge: undefined, isStandIn: false },
      { ...models, isStandIn: true },
    ]) {
      const { drafts, by } = await writeDrafts(none, 'org', statements, 3, signal);
      expect([drafts.length, by]).toEqual([3, null]);
    }
    expect(asked).toEqual([]);
  });
});

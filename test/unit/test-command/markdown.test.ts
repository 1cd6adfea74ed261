import { expect, it } from 'vitest';
import { markdownReport } from '../../../src/test-command/markdown.js';
import type { EndedTest } from '../../../src/test-command/test-records.js';

const test = (name: string, status: EndedTest['status'], reasoning = 'It did.'): EndedTest => ({
  id: name,
  scenario: { id: name, name },
  pathway_id: null,
  persona_id: null,
  version_number: null,
  status,
  duration_ms: 1,
  overall_score: status === 'ERROR' ? null : 0.5,
  error_message: status === 'ERROR' ? 'No model.' : null,
  models: { is_stand_in: false },
  chat_history: [],
  assertion_results: [{ type: 'PHRASES', name: null, status, is_required: true, reasoning }],
});

it('has those that did not pass first, with the reason', () => {
  const rows = markdownReport([test('good', 'PASSED'), test('bad', 'FAILED'), test('broken', 'ERROR')]).split(
    '\n',
  );
  expect(rows[0]).toBe('### Agent tests: 1 of 3 passed');
  expect(rows.filter((row) => row.startsWith('| ')).slice(1)).toEqual([
    '| ⚠️ | broken | – | No model. |',
    '| ❌ | bad | 0.50 | **PHRASES**: It did. |',
    '| ✅ | good | 0.50 |  |',
  ]);
});

it('neither mentions people nor is markup by what an agent says, and fits a comment', () => {
  const said = 'cc @everyone | <img src=x>\n# [link](http://x) `code`';
  const [row] = markdownReport([test('a|b', 'FAILED', said)])
    .split('\n')
    .slice(4);
  expect(row!.split('|')).toHaveLength(6);
  expect(row).not.toMatch(/@|<img|\[link|`/);
  const many = Array.from({ length: 1_000 }, (_, at) => test(`t${at}`, 'FAILED', 'x'.repeat(900)));
  const whole = markdownReport(many);
  expect(whole.length).toBeLessThan(65_536);
  expect(whole).toMatch(/\d+ more are left out\./);
});

import { expect, it } from 'vitest';
import { markdownReport } from '../../../src/test-command/markdown.js';
import type { Coverage, EndedTest } from '../../../src/test-command/test-records.js';

const test = (name: string, status: EndedTest['status'], reasoning = 'It did.'): EndedTest => ({
  id: name,
  scenario: { id: name, name },
  pathway_id: null,
  persona_id: null,
  version_number: null,
  channel: 'text',
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

it('ends with the coverage in per cent and what is missing, bounded and without markup', () => {
  const nodes = Array.from({ length: 25 }, (_, at) => ({
    id: `n${at}`,
    name: at === 0 ? '@all|' : `n${at}`,
  }));
  const coverage: Coverage = {
    pathway_id: 'p',
    version_number: 2,
    runs: 1,
    nodes: { total: 50, covered: 25, percent: 50 },
    edges: { total: 0, covered: 0, percent: 100 },
    missing_nodes: nodes,
    missing_edges: [],
  };
  const report = markdownReport([test('good', 'PASSED')], [coverage]);
  expect(report).toContain('- Pathway p, version 2: **25 of 50 nodes (50 %), 0 of 0 edges (100 %)**');
  expect(report).toMatch(/ {2}- Nodes not visited: &#64;all&#124; \(n0\); n1; .*; n19; 5 more\n/);
  expect(report).not.toContain('Edges not taken');
  const many = Array.from({ length: 1_000 }, (_, at) => test(`t${at}`, 'FAILED', 'x'.repeat(900)));
  const coverages = Array.from({ length: 100 }, () => coverage);
  const whole = markdownReport(many, coverages);
  expect(whole.length).toBeLessThan(65_536);
  expect(whole).toContain('90 more are left out.');
  expect(markdownReport([test('good', 'PASSED')])).not.toContain('Coverage');
});

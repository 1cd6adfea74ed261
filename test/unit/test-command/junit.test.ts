import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { junitReport } from '../../../src/test-command/junit.js';
import type { Coverage, EndedTest } from '../../../src/test-command/test-records.js';

const schema = readFileSync(new URL('junit.xsd', import.meta.url), 'utf8');
const problemsOf = async (xml: string): Promise<string[]> =>
  (await validateXML({ xml: { fileName: 'report.xml', contents: xml }, schema })).errors.map(
    ({ message }) => message,
  );

const ended = (name: string, values: Partial<EndedTest> = {}): EndedTest => ({
  id: 'r',
  scenario: { id: 's', name },
  pathway_id: 'p',
  persona_id: null,
  version_number: 2,
  channel: 'text',
  status: 'PASSED',
  duration_ms: 1_234,
  overall_score: 1,
  error_message: null,
  models: { is_stand_in: false },
  chat_history: [],
  assertion_results: [],
  ...values,
});
const failed = (name: string | null, reasoning: string) => ({
  type: 'STRING_CHECK',
  status: 'FAILED',
  is_required: true,
  name,
  reasoning,
});
const at = new Date('2026-11-22T15:04:05Z');

describe('the JUnit report', () => {
  it('holds passed, failed, erroneous and cancelled runs, and matches the schema', async () => {
    const report = junitReport(
      [
        ended('Price'),
        ended('Refund', {
          status: 'FAILED',
          assertion_results: [failed('Says the price', 'No price.'), failed(null, 'Rude.')],
        }),
        ended('Hours', { status: 'ERROR', error_message: 'The model did not answer.', duration_ms: null }),
        ended('Voice', { status: 'CANCELLED', pathway_id: null, version_number: null }),
      ],
      at,
    );
    expect(await problemsOf(report)).toEqual([]);
    expect(report).toContain(
      'tests="4" failures="1" errors="1" skipped="1" time="3.702" timestamp="2026-11-22T15:04:05"',
    );
    expect(report).toContain('<testcase name="Price" classname="pathway.p.version-2" time="1.234">');
    expect(report).toContain(
      '<failure message="Says the price, STRING_CHECK" type="FAILED">Says the price: No price.&#10;STRING_CHECK: Rude.</failure>',
    );
    expect(report).toContain('<error message="The model did not answer." type="ERROR"/>');
    expect(report).toContain('classname="agent"');
  });

  it('stays XML whatever was said', async () => {
    const nasty = "\"]]></system-out><script a='&amp;'>\u0000\u001b\ud800 \ufffe\r\n\t😀 &#x0;";
    const report = junitReport(
      [
        ended(nasty, {
          status: 'FAILED',
          chat_history: [{ role: 'user', content: nasty }],
          assertion_results: [failed(nasty, nasty)],
        }),
      ],
      at,
    );
    expect(await problemsOf(report)).toEqual([]);
    expect(report).toContain('😀');
    // The check finds what is wrong.
    expect(await problemsOf(report.replace('</testsuite>', ''))).not.toEqual([]);
    expect(await problemsOf(report.replace('tests="1"', 'tests="one"'))).not.toEqual([]);
  });
});

const coverage: Coverage = {
  pathway_id: 'p',
  version_number: 2,
  runs: 3,
  nodes: { total: 4, covered: 3, percent: 75 },
  edges: { total: 3, covered: 1, percent: 33.3 },
  missing_nodes: [{ id: 'end', name: 'Goodbye & thanks' }],
  missing_edges: [
    { id: 'e1', source: 'a', target: 'end', label: 'The caller says "bye"', is_reachable: true },
    { id: 'e2', source: 'b', target: 'end', label: 'Never', is_reachable: false },
  ],
};

describe('the properties of the JUnit report', () => {
  it('have the coverage in per cent and what is missing, and match the schema', async () => {
    const report = junitReport([ended('Price')], at, [coverage]);
    expect(await problemsOf(report)).toEqual([]);
    expect(report).toContain('<property name="coverage.pathway.p.version-2.nodes.percent" value="75"/>');
    expect(report).toContain('<property name="coverage.pathway.p.version-2.edges.percent" value="33.3"/>');
    expect(report).toContain(
      '<property name="coverage.pathway.p.version-2.nodes.missing" value="Goodbye &amp; thanks (end)"/>',
    );
    expect(report).toContain(
      'value="a → end: The caller says &quot;bye&quot;&#10;b → end: Never (not reachable)"/>',
    );
    expect(junitReport([ended('Price')], at)).not.toContain('<properties>');
  });
});

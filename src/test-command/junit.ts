import { coverageProperties } from './coverage.js';
import type { Coverage, EndedTest } from './test-records.js';

/** Of a report, and its longest text: CI systems show neither more. */
const maximumTextCharacters = 100_000;

/** XML 1.0 §2.2: characters that a document cannot hold, not even escaped. */
const notXml =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function escaped(text: string): string {
  return text
    .slice(0, maximumTextCharacters)
    .replace(notXml, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;');
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');

const seconds = (milliseconds: number | null): string => ((milliseconds ?? 0) / 1_000).toFixed(3);

/**
 * The report that CI systems read: one test case for each run, with its conversation. FAILED is a failure, ERROR an error, and a
 * cancelled run is skipped. Its properties have the coverage of the pathways.
 */
export function junitReport(
  tests: readonly EndedTest[],
  startedAt: Date,
  coverage: readonly Coverage[] = [],
): string {
  const counts = {
    tests: tests.length,
    failures: tests.filter(({ status }) => status === 'FAILED').length,
    errors: tests.filter(({ status }) => status === 'ERROR').length,
    skipped: tests.filter(({ status }) => status === 'CANCELLED').length,
    time: seconds(tests.reduce((total, { duration_ms: duration }) => total + (duration ?? 0), 0)),
  };
  const timestamp = startedAt.toISOString().slice(0, 19);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="demarc test run">',
    `  <testsuite${attributes({ name: 'Agent tests', ...counts, timestamp })}>`,
    ...properties(coverage),
    ...tests.flatMap(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function properties(coverage: readonly Coverage[]): string[] {
  const found = coverage.flatMap((pathway) => Object.entries(coverageProperties(pathway)));
  if (found.length === 0) return [];
  return [
    '    <properties>',
    ...found.map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    '    </properties>',
  ];
}

function testCase(test: EndedTest): string[] {
  const { scenario, status, duration_ms: duration } = test;
  return [
    `    <testcase${attributes({ name: scenario.name, classname: classOf(test), time: seconds(duration) })}>`,
    ...outcome(test),
    `      <system-out>${escaped(conversationOf(test))}</system-out>`,
    '    </testcase>',
  ].filter((line) => line !== '' || status === 'PASSED');
}

/** What was tested, with dots where reports group. */
function classOf({ pathway_id: pathway, persona_id: persona, version_number: version }: EndedTest): string {
  const subject = pathway !== null ? `pathway.${pathway}` : persona !== null ? `persona.${persona}` : 'agent';
  return version === null ? subject : `${subject}.version-${version}`;
}

function outcome(test: EndedTest): string[] {
  const { status, error_message: error } = test;
  if (status === 'PASSED') return [];
  if (status === 'CANCELLED') return ['      <skipped message="The run was cancelled."/>'];
  if (status === 'ERROR')
    return [
      `      <error${attributes({ message: error ?? 'The run could not be judged.', type: 'ERROR' })}/>`,
    ];
  const failed = failedAssertions(test);
  const message = failed.map(({ name, type }) => name ?? type).join(', ') || 'A required assertion failed.';
  const details = failed.map(({ name, type, reasoning }) => `${name ?? type}: ${reasoning}`).join('\n');
  return [`      <failure${attributes({ message, type: 'FAILED' })}>${escaped(details)}</failure>`];
}

export const failedAssertions = ({ assertion_results: results }: EndedTest) =>
  results.filter(({ status, is_required: isRequired }) => isRequired && status !== 'PASSED');

const conversationOf = ({ chat_history: lines }: EndedTest): string =>
  lines.map(({ role, content }) => `${role === 'user' ? 'caller' : 'agent'}: ${content}`).join('\n');

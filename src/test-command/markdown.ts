import { missingEdges, missingNodes, shareText } from './coverage.js';
import { failedAssertions } from './junit.js';
import type { Coverage, EndedTest } from './test-records.js';

/** GitHub takes comments of 65,536 characters. */
const maximumCharacters = 60_000;
const maximumReasonCharacters = 500;
/** Of one node or edge in the list of what was not visited. */
const maximumMissingCharacters = 100;
/** Of one list of what was not visited. */
const maximumMissing = 20;
/** Pathways and versions; more are left out. */
const maximumCoverages = 10;

/** What agents and callers say must neither mention people nor be markup. */
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, maximumReasonCharacters)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[@#|`*_~[\]!\\]/g, (character) => `&#${character.charCodeAt(0)};`);

const symbols = { PASSED: '✅', FAILED: '❌', ERROR: '⚠️', CANCELLED: '⏹️' } as const;

/** A summary for a comment on a change: a table of the tests, those that did not pass first, with the reasons, and what they covered. */
export function markdownReport(tests: readonly EndedTest[], coverage: readonly Coverage[] = []): string {
  const end = coverageSection(coverage);
  const passed = tests.filter(({ status }) => status === 'PASSED').length;
  const order = ['ERROR', 'FAILED', 'CANCELLED', 'PASSED'];
  const sorted = [...tests].sort((left, right) => order.indexOf(left.status) - order.indexOf(right.status));
  const head = [
    `### Agent tests: ${passed} of ${tests.length} passed`,
    '',
    ...(tests.some(({ models }) => models.is_stand_in)
      ? ['The stand-in that answers by rules took part: these results say nothing about the agent.', '']
      : []),
    '| | Scenario | Score | Why |',
    '|---|---|---|---|',
  ];
  const rows = sorted.map((test) => {
    const score = test.overall_score === null ? '–' : test.overall_score.toFixed(2);
    return `| ${symbols[test.status]} | ${plain(test.scenario.name)} | ${score} | ${reasons(test)} |`;
  });
  let length = [...head, ...end].join('\n').length;
  const kept: string[] = [];
  for (const row of rows) {
    length += row.length + 1;
    if (length > maximumCharacters) break;
    kept.push(row);
  }
  const left = rows.length - kept.length;
  return [...head, ...kept, ...(left === 0 ? [] : ['', `${left} more are left out.`]), ...end, ''].join('\n');
}

function coverageSection(coverage: readonly Coverage[]): string[] {
  if (coverage.length === 0) return [];
  const left = coverage.length - maximumCoverages;
  return [
    '',
    '#### Coverage of these tests',
    '',
    ...coverage
      .slice(0, maximumCoverages)
      .flatMap((pathway) => [
        `- Pathway ${plain(pathway.pathway_id)}, version ${pathway.version_number}: **${shareText(pathway, 'nodes')}, ${shareText(pathway, 'edges')}**`,
        ...missing('Nodes not visited', missingNodes(pathway)),
        ...missing('Edges not taken', missingEdges(pathway)),
      ]),
    ...(left > 0 ? [`- ${left} more are left out.`] : []),
  ];
}

function missing(title: string, found: readonly string[]): string[] {
  if (found.length === 0) return [];
  const left = found.length - maximumMissing;
  const named = found.slice(0, maximumMissing).map((text) => plain(text).slice(0, maximumMissingCharacters));
  return [`  - ${title}: ${named.join('; ')}${left > 0 ? `; ${left} more` : ''}`];
}

function reasons(test: EndedTest): string {
  if (test.status === 'ERROR') return plain(test.error_message ?? 'The run could not be judged.');
  return failedAssertions(test)
    .map(({ name, type, reasoning }) => `**${plain(name ?? type)}**: ${plain(reasoning)}`)
    .join('<br>');
}

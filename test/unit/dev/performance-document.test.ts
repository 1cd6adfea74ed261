import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { goals } from '../../../dev/bench/goals.js';
import { performanceDocument } from '../../../dev/bench/performance-document.js';
import { type Report, readCheckedIn } from '../../../dev/bench/report.js';

const report = readCheckedIn();

describe('docs/performance.md', () => {
  it('is what docs/performance.json says; otherwise run npm run docs:performance', () => {
    const { markdown, pictures } = performanceDocument(report);
    expect(readFileSync('docs/performance.md', 'utf8')).toBe(markdown);
    expect(readdirSync('docs/performance').sort()).toEqual(Object.keys(pictures).sort());
    for (const [name, picture] of Object.entries(pictures)) {
      expect(readFileSync(`docs/performance/${name}`, 'utf8')).toBe(picture);
    }
  });

  it('calls a goal missed when the figure is beyond its limit', () => {
    const slower: Report = {
      ...report,
      steps: report.steps.map((step) =>
        step.system === 'demarc' ? { ...step, cpu: { ...step.cpu, engine: 100 } } : step,
      ),
    };
    const goal = goals(slower).find(({ title }) => title === 'engine and edge, 100/s');
    expect(goal?.met).toBe(false);
    expect(performanceDocument(slower).markdown).toMatch(/\| engine and edge, 100\/s \|.*\*\*missed\*\* \|/);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { goals } from '../../../dev/bench/goals.js';
import { performanceDocument } from '../../../dev/bench/performance-document.js';
import { type Report, readCheckedIn } from '../../../dev/bench/report.js';

const report = readCheckedIn();

describe('docs/performance.md', () => {
  it('is what docs/performance.json says; otherwise run npm run docs:performance', () => {
    const { markdown, goals: goalsPage, pictures } = performanceDocument(report);
    expect(readFileSync('docs/performance.md', 'utf8')).toBe(markdown);
    expect(readFileSync('docs/decisions/performance-goals.md', 'utf8')).toBe(goalsPage);
    expect(readdirSync('docs/performance').sort()).toEqual(Object.keys(pictures).sort());
    for (const [name, picture] of Object.entries(pictures)) {
      expect(readFileSync(`docs/performance/${name}`, 'utf8')).toBe(picture);
    }
  });

  it('begins with what an operator plans with, for each measured system', () => {
    const [, summary = ''] = performanceDocument(report).markdown.split('## ');
    expect(summary).toMatch(/^What you get\n/);
    for (const { system, clean } of report.cleanRates) expect(summary, system).toContain(`| ${clean}/s |`);
    expect(summary).not.toContain('NaN');
  });

  it('does not judge the cost of a call at a rate at which calls were refused', () => {
    const overloaded: Report = {
      ...report,
      steps: report.steps.map((step) =>
        step.system === 'demarc' && step.callsPerSecond === 400
          ? { ...step, succeeded: step.succeeded * 0.8, refused: step.succeeded * 0.2 }
          : step,
      ),
    };
    const of = (from: Report) => goals(from).find(({ title }) => title.startsWith('engine and edge ÷'));
    expect(of(report)?.met).toBeDefined();
    expect(of(overloaded)).toMatchObject({ measured: undefined, met: undefined });
  });

  it('gives no memory of held calls where a process gave back more than they took', () => {
    const [first] = report.held;
    const shrunk: Report = { ...report, held: [{ ...first!, kilobytes: { server: 6, application: -50 } }] };
    const { markdown } = performanceDocument(shrunk);
    expect(markdown).toContain('**less than its garbage**');
    expect(markdown).not.toMatch(/-\d+ KB/);
  });

  it('calls a goal missed when the figure is beyond its limit', () => {
    const slower: Report = {
      ...report,
      steps: report.steps.map((step) =>
        step.system === 'demarc' ? { ...step, cpu: { ...step.cpu, engine: 100 } } : step,
      ),
    };
    const goal = goals(slower).find(({ title }) => title.startsWith('engine and edge ÷'));
    expect(goal?.met).toBe(false);
    expect(performanceDocument(slower).goals).toMatch(/\| engine and edge ÷ .* 400\/s \|.*\*\*missed\*\* \|/);
  });
});

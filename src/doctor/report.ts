import type { DoctorReport } from './doctor.js';
import type { Verdict } from './finding.js';

const marks: Readonly<Record<Verdict, string>> = {
  ok: 'ok      ',
  warning: 'WARNING ',
  problem: 'PROBLEM ',
  skipped: 'skipped ',
};

/** A line per finding, its advice below; a summary at the end. */
export function textOf(report: DoctorReport): string {
  const lines: string[] = [];
  const counts: Record<Verdict, number> = { ok: 0, warning: 0, problem: 0, skipped: 0 };
  for (const { title, findings } of report.checks) {
    lines.push(title);
    for (const { verdict, text, advice } of findings) {
      counts[verdict]++;
      lines.push(`  ${marks[verdict]}${text}`);
      if (advice !== undefined) lines.push(`          → ${advice}`);
    }
  }
  const { ok, warning, problem, skipped } = counts;
  lines.push('', `problems: ${problem}, warnings: ${warning}, ok: ${ok}, skipped: ${skipped}`);
  return `${lines.join('\n')}\n`;
}

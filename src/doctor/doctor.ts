import type { Check, DoctorContext } from './context.js';
import { type Finding, problem, skipped, type Verdict } from './finding.js';

export interface CheckReport {
  readonly name: string;
  readonly title: string;
  readonly findings: readonly Finding[];
}

export interface DoctorReport {
  readonly version: 1;
  /** The worst of all findings. */
  readonly verdict: Exclude<Verdict, 'skipped'>;
  readonly checks: readonly CheckReport[];
}

/** None of them waits longer than a few seconds for what it asks; this is for what hangs all the same. */
const boundMilliseconds = 15_000;

/** Runs all checks at the same time. Never rejects. */
export async function examine(checks: readonly Check[], context: DoctorContext): Promise<DoctorReport> {
  const reports = await Promise.all(
    checks.map(async (check) => ({
      name: check.name,
      title: check.title,
      findings: await bounded(check, context),
    })),
  );
  const verdicts = new Set(reports.flatMap(({ findings }) => findings.map(({ verdict }) => verdict)));
  const verdict = verdicts.has('problem') ? 'problem' : verdicts.has('warning') ? 'warning' : 'ok';
  return { version: 1, verdict, checks: reports };
}

async function bounded(check: Check, context: DoctorContext): Promise<readonly Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    timer = setTimeout(() => {
      const text = `The check did not end within ${boundMilliseconds / 1_000} s.`;
      resolve([problem(text, 'Look for a service or file system that hangs.')]);
    }, boundMilliseconds);
  });
  try {
    const findings = await Promise.race([check.run(context), late]);
    return findings.length > 0
      ? findings
      : [skipped('The settings that it needs are invalid, or of a role that does not run here.')];
  } catch (error) {
    const text = `The check failed: ${error instanceof Error ? error.message : String(error)}`;
    return [problem(text, 'Report this as a fault of Demarc.')];
  } finally {
    clearTimeout(timer);
  }
}

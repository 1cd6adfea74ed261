/** Scenarios end long before; without workers a promotion must not wait forever. */
export const longestMinutes = 60;

/** A run of a promotion's batch. */
export interface GateRun {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly error: string | null;
  readonly isStandIn: boolean;
  /** Required assertions that did not pass. */
  readonly failures: readonly string[];
}

export const hasEnded = (status: string): boolean => status !== 'PENDING' && status !== 'RUNNING';

/** Why the version must not become live: one reason for each scenario that did not pass. */
export function refusals(runs: readonly GateRun[]): string[] {
  if (runs.length === 0) return ['None of the required scenarios was run.'];
  return runs
    .filter(({ status }) => status !== 'PASSED')
    .map(({ name, status, error, failures }) => {
      const scenario = `Scenario “${name}”`;
      if (status === 'ERROR') return `${scenario} could not be run: ${error}`;
      if (status === 'CANCELLED') return `${scenario} was cancelled.`;
      if (status !== 'FAILED') return `${scenario} did not end within ${longestMinutes} minutes.`;
      return `${scenario} failed${failures.length === 0 ? '' : `: ${failures.join(', ')}`}.`;
    });
}

import { InvalidRequest } from '../../http/validation.js';
import { WorkerFailure, type WorkerPool, workerFile } from '../../workers/worker-pool.js';
import type { AssertionInput } from '../schemas/assertion.js';

const patternWorker = workerFile<string, string | undefined>('./pattern-worker', import.meta.url);

/** Undefined: it has no pattern. */
function patternOf({ type, config }: AssertionInput): { field: string; pattern: string } | undefined {
  if (type === 'REGEX_MATCH') return { field: 'pattern', pattern: config.pattern };
  if (type === 'VARIABLE_EXTRACTED' && config.match === 'regex')
    return { field: 'expected_value', pattern: String(config.expected_value) };
  return undefined;
}

/** Compiles the patterns of assertions in worker threads. Throws `InvalidRequest` for the first that is none, or too large. */
export async function checkPatterns(
  workers: Pick<WorkerPool, 'run'>,
  organizationId: string,
  assertions: readonly AssertionInput[] = [],
): Promise<void> {
  for (const [index, assertion] of assertions.entries()) {
    const found = patternOf(assertion);
    if (found === undefined) continue;
    const problem = await workers
      .run(patternWorker, organizationId, found.pattern)
      .catch((error: unknown) => {
        if (error instanceof WorkerFailure) return `The pattern is too large. ${error.message}`;
        throw error;
      });
    if (problem !== undefined) throw InvalidRequest.at(`assertions.${index}.config.${found.field}`, problem);
  }
}

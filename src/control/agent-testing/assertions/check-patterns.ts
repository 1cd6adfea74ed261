import { InvalidRequest } from '../../http/validation.js';
import { WorkerFailure, type WorkerPool, workerFile } from '../../workers/worker-pool.js';
import type { AssertionInput } from '../schemas/assertion.js';

const patternWorker = workerFile<string, string | undefined>('./pattern-worker', import.meta.url);

interface Pattern {
  readonly field: string;
  readonly pattern: string;
}

function patternsOf({ type, config }: AssertionInput): Pattern[] {
  if (type === 'REGEX_MATCH') return [{ field: 'pattern', pattern: config.pattern }];
  if (type === 'VARIABLE_EXTRACTED' && config.match === 'regex')
    return [{ field: 'expected_value', pattern: String(config.expected_value) }];
  if (type !== 'TOOL_CALLED') return [];
  return config.arguments.flatMap(({ operator, value }, index) =>
    operator === 'matches' ? [{ field: `arguments.${index}.value`, pattern: String(value) }] : [],
  );
}

/** Compiles the patterns of assertions in worker threads. Throws `InvalidRequest` for the first that is none, or too large. */
export async function checkPatterns(
  workers: Pick<WorkerPool, 'run'>,
  organizationId: string,
  assertions: readonly AssertionInput[] = [],
): Promise<void> {
  const patterns = assertions.flatMap((assertion, index) =>
    patternsOf(assertion).map((found) => ({ ...found, index })),
  );
  for (const { index, field, pattern } of patterns) {
    const problem = await workers.run(patternWorker, organizationId, pattern).catch((error: unknown) => {
      if (error instanceof WorkerFailure) return `The pattern is too large. ${error.message}`;
      throw error;
    });
    if (problem !== undefined) throw InvalidRequest.at(`assertions.${index}.config.${field}`, problem);
  }
}

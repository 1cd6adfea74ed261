import type { z } from 'zod';
import { seededRandom } from '../../../base/seeded-random.js';
import { InvalidRequest } from '../../http/validation.js';
import { type Definition, definitionSchema } from '../schemas/definition.js';
import { allCombinations, type Matrix, type Variation } from '../schemas/matrix.js';
import { scenarioUpdate } from '../schemas/scenario.js';

/** The combinations that are run: all in order, or a sample that the seed draws, without repetition. */
export function variationsOf({ fields, sample, seed }: Matrix): Variation[] {
  const names = Object.keys(fields);
  const count = allCombinations(fields);
  if (sample === undefined || sample >= count)
    return Array.from({ length: count }, (_, index) => combination(fields, names, index));
  const random = seededRandom(seed);
  const drawn = new Set<number>();
  while (drawn.size < sample) drawn.add(Math.floor(random() * count));
  return [...drawn].sort((left, right) => left - right).map((index) => combination(fields, names, index));
}

/** The number in the mixed base of the fields: the last field changes first. */
function combination(fields: Matrix['fields'], names: readonly string[], index: number): Variation {
  let rest = index;
  const digits = names.toReversed().map((name) => {
    const values = fields[name]!;
    const value = values[rest % values.length]!;
    rest = Math.floor(rest / values.length);
    return [name, value] as const;
  });
  return Object.fromEntries(digits.toReversed());
}

/** The scenario with the values of a variation. Throws `InvalidRequest` at the field that the scenario cannot have. */
export function varied(definition: Definition, variation: Variation): Definition {
  const changed: Record<string, unknown> = structuredClone(definition);
  // Only settings of the voice have defaults within them; data of the call may be null.
  for (const [path, value] of Object.entries(variation))
    set(changed, path.split('.'), value === null && path.startsWith('voice.') ? undefined : value);
  const tops = [...new Set(Object.keys(variation).map((path) => path.split('.', 1)[0]!))];
  // With the limits of a scenario, and the defaults of what a value begins (`voice.conditions`).
  const read = scenarioUpdate.safeParse(Object.fromEntries(tops.map((top) => [top, changed[top]])));
  if (!read.success) throw faultOf(read.error, definition.name, variation);
  return definitionSchema.parse({ ...definition, ...read.data });
}

/** The same with the seed of a repetition, where its line loses, delays or adds anything. */
export function seeded(definition: Definition, seed: number): Definition {
  const { voice } = definition;
  if (voice?.conditions === undefined) return definition;
  return { ...definition, voice: { ...voice, conditions: { ...voice.conditions, seed } } };
}

function set(target: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name!] = value;
    return;
  }
  const inner = target[name!];
  const next =
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? (inner as Record<string, unknown>)
      : {};
  target[name!] = next;
  set(next, rest, value);
}

function faultOf(error: z.ZodError, name: string, variation: Variation): InvalidRequest {
  const [issue] = error.issues;
  const at = issue!.path.join('.');
  const field =
    Object.keys(variation).find((path) => path === at || at.startsWith(`${path}.`) || path.startsWith(at)) ??
    Object.keys(variation)[0]!;
  const value = JSON.stringify(variation[field]).slice(0, 200);
  return InvalidRequest.at(
    `matrix.fields.${field}`,
    `Scenario ${name} cannot have ${value} as ${field}: ${issue!.message}`,
  );
}

import type { ApiFailure } from '../api/client.js';
import { valueAt } from './edits.js';

/** What the API refused of a form, and at which of its fields. */
export interface Refusal {
  readonly failure: ApiFailure;
  /** What was sent: a field that was changed since then is not refused any more. */
  readonly draft: unknown;
  /** Path of the form's field for a field that an error of the API names; undefined: the form has none. */
  readonly fieldOf: (apiPath: string) => string | undefined;
}

interface FieldFault {
  readonly message: string;
  readonly field: string | undefined;
}

const faultsOf = ({ failure, fieldOf }: Refusal): readonly FieldFault[] =>
  failure.faults.map(({ message, path }) => ({
    message,
    field: path === undefined ? undefined : fieldOf(path),
  }));

const isWithin = (field: string, path: string): boolean => field === path || field.startsWith(`${path}.`);

/** What was refused at a field or within it; undefined: nothing, or the field was changed since. */
export function refusalAt(refusal: Refusal, draft: unknown, path: string): string | undefined {
  if (valueAt(draft, path) !== valueAt(refusal.draft, path)) return undefined;
  const own = faultsOf(refusal).filter(({ field }) => field !== undefined && isWithin(field, path));
  return own.length === 0 ? undefined : own.map(({ message }) => message).join('; ');
}

/** What was refused at no field that the form shows; without faults, the failure itself. */
export function refusalElsewhere(refusal: Refusal, shown: ReadonlySet<string>): readonly string[] {
  if (refusal.failure.faults.length === 0) return [refusal.failure.message];
  return faultsOf(refusal)
    .filter(({ field }) => field === undefined || ![...shown].some((path) => isWithin(field, path)))
    .map(({ message, field }) => (field === undefined ? message : `${field}: ${message}`));
}

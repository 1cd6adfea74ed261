import { deepFreeze } from '../../config/environment.js';
import { type NumberDocument, numberDocumentSchema } from '../../contract/number.js';

export type ReadNumberDocument =
  | { readonly ok: true; readonly document: NumberDocument }
  | { readonly ok: false; readonly problem: string };

/** Names the invalid fields, never their values, which may be secrets. */
const maximumProblems = 5;

/** Reads the JSON of one number; `digits` is the number whose key it was found under. The document is frozen. */
export function readNumberDocument(raw: string, digits: string): ReadNumberDocument {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return { ok: false, problem: 'not JSON' };
  }
  const read = numberDocumentSchema.safeParse(value);
  if (!read.success) return { ok: false, problem: describeIssues(read.error.issues) };
  if (read.data.number !== digits) return { ok: false, problem: 'number: differs from its key' };
  return { ok: true, document: deepFreeze(read.data) };
}

/** `inbound.0.id: …; limits: …` */
function describeIssues(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const shown = issues
    .slice(0, maximumProblems)
    .map((issue) => `${issue.path.length === 0 ? 'document' : issue.path.join('.')}: ${issue.message}`);
  if (issues.length > maximumProblems) shown.push(`and ${issues.length - maximumProblems} more`);
  return shown.join('; ');
}

import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { unstorable } from '../database/storable.js';
import type { Fault } from './envelope.js';
import { messageFor } from './messages.js';

/** A request that does not match its schema: 400, one fault a field. */
export class InvalidRequest extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
    this.name = 'InvalidRequest';
  }

  static at(path: string, message: string): InvalidRequest {
    return new InvalidRequest([{ error: 'VALIDATION_ERROR', message, path }]);
  }
}

/** Maximum number of errors in a response: a request could cause thousands. */
const maximumFaults = 20;

/** What a fault's path says when the whole part of the request is meant. */
const partNames: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
};

/** For fastify: checks one part of a request against its zod schema, which may also change it. */
export function compileValidator({ schema, httpPart }: { schema: z.ZodType; httpPart?: string }) {
  return (value: unknown): { value: unknown } | { error: Error } => {
    const part = partNames[httpPart ?? ''] ?? 'body';
    const read = schema.safeParse(value, { error: (issue) => messageFor(issue, part) });
    if (read.success) return { value: read.data };
    return { error: new InvalidRequest(faultsOf(read.error.issues, part)) };
  };
}

/** One fault a field; `part` stands for an empty path. */
export function faultsOf(issues: readonly z.core.$ZodIssue[], part: string): Fault[] {
  const faults: Fault[] = [];
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        faults.push(fault([...issue.path, key], `${key.slice(0, 100)} is not a known field.`, part));
    } else {
      faults.push(fault(issue.path, issue.message, part));
    }
    if (faults.length >= maximumFaults) break;
  }
  return faults.slice(0, maximumFaults);
}

function fault(path: readonly PropertyKey[], message: string, part: string): Fault {
  const text = path.map((step) => String(step).slice(0, 100)).join('.');
  return { error: 'VALIDATION_ERROR', message, path: text === '' ? part : text };
}

const maximumDepth = 32;

/** Hook: refuses text that no field may hold, wherever in the request it is. Throws `InvalidRequest`. */
export async function refuseUnstorableText(request: FastifyRequest): Promise<void> {
  check(request.body, 'body');
  check(request.query, 'query');
  check(request.params, 'path');
}

function check(root: unknown, part: string): void {
  const waiting: { value: unknown; path: readonly string[] }[] = [{ value: root, path: [] }];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const { value, path } = item;
    const refuse = (message: string): InvalidRequest => new InvalidRequest([fault(path, message, part)]);
    if (typeof value === 'string') {
      if (unstorable.test(value)) throw refuse('Must be Unicode text without U+0000');
    } else if (typeof value === 'object' && value !== null) {
      if (path.length >= maximumDepth) throw refuse('Nested too deeply');
      for (const [key, inner] of Object.entries(value)) {
        if (unstorable.test(key)) throw refuse('Field names must be Unicode text without U+0000');
        waiting.push({ value: inner, path: [...path, key] });
      }
    }
  }
}

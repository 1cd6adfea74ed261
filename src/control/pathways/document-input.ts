import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../database/tables.js';
import type { Fault } from '../http/envelope.js';
import { messageFor } from '../http/messages.js';
import { faultsOf, InvalidRequest } from '../http/validation.js';
import { type References, readKnowledge } from '../knowledge/index.js';
import { maximumDocumentOctets, type PathwayDocument, pathwayDocumentSchema } from './document.js';
import { checkDocument } from './document-check.js';

/** Where requests have the document. */
const field = 'document';
const maximumFaults = 20;

/**
 * Hook before validation: checks the document's fields, because messages of the schema alone name a node by its position. Throws
 * `InvalidRequest`, one fault a field.
 */
export async function refuseInvalidNodes({ body }: { readonly body: unknown }): Promise<void> {
  const document = (body as Readonly<Record<string, unknown>> | null | undefined)?.[field];
  if (document === undefined) return;
  const read = pathwayDocumentSchema.safeParse(document, { error: (issue) => messageFor(issue, field) });
  if (read.success) return;
  const issues = read.error.issues.map(
    (issue): z.core.$ZodIssue => ({ ...issue, path: [field, ...issue.path] }),
  );
  throw new InvalidRequest(faultsOf(issues, field).map((fault) => named(fault, document)));
}

/**
 * A document that a conversation can follow, with UUIDs of knowledge bases. Throws `InvalidRequest`, whose faults name nodes and edges.
 */
export async function checkedDocument(
  database: Kysely<Database>,
  organizationId: string,
  document: PathwayDocument,
): Promise<PathwayDocument> {
  const octets = Buffer.byteLength(JSON.stringify(document));
  if (octets > maximumDocumentOctets) {
    const message = `The document has ${octets} octets of JSON; at most ${maximumDocumentOctets} are allowed.`;
    throw InvalidRequest.at(field, message);
  }
  const { faults } = checkDocument(document);
  if (faults.length > 0) {
    throw new InvalidRequest(
      faults
        .slice(0, maximumFaults)
        .map(({ path, message }) => ({ error: 'VALIDATION_ERROR', path: `${field}.${path}`, message })),
    );
  }
  const lists = document.nodes.map(
    (node, index): References => ({
      ids: node.type === 'default' ? node.kb_ids : [],
      path: `${field}.nodes.${index}.kb_ids`,
    }),
  );
  const knowledge = await readKnowledge(database, organizationId, lists).catch((error: unknown) => {
    if (error instanceof InvalidRequest)
      throw new InvalidRequest(error.faults.map((fault) => named(fault, document)));
    throw error;
  });
  return {
    ...document,
    nodes: document.nodes.map((node, index) =>
      node.type === 'default' ? { ...node, kb_ids: knowledge[index]! } : node,
    ),
  };
}

/** The fault with the id of its node or edge in front of its message. */
function named(fault: Fault, document: unknown): Fault {
  const [, list, position] = /^document\.(nodes|edges)\.(\d+)(?:\.|$)/.exec(fault.path ?? '') ?? [];
  if (list === undefined) return fault;
  const items = (document as Readonly<Record<string, unknown>>)[list];
  const item: unknown = Array.isArray(items) ? items[Number(position)] : undefined;
  const id = (item as { readonly id?: unknown } | null | undefined)?.id;
  if (typeof id !== 'string') return fault;
  const kind = list === 'nodes' ? 'Node' : 'Edge';
  return { ...fault, message: `${kind} ${id.slice(0, 64)}: ${fault.message}` };
}

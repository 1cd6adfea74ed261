import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Endpoint, endpointsOf } from './health.js';
import { type NumberDocument, transportSchema } from './number.js';
import { registrationsOf } from './registration.js';

/**
 * What numbers want of edges without a call: servers to probe and registrations. Control keeps it in the transaction that writes a
 * number's document, by server and by registration, so that an edge reads as much as there are of them, however many numbers are
 * configured.
 */

/** Hash: number → JSON array of its entries (`indexEntriesOf`), of numbers that have any. Edges never read it. */
export const numberIndexKey = 'demarc:number-index';

/** Hash: server id → JSON of an `Endpoint` with its `tls_ca`. */
export const indexedServersKey = 'demarc:indexed-servers';

/** Hash: server id → how many numbers name it. Edges never read it. */
export const indexedServerUsesKey = 'demarc:indexed-server-uses';

/** Set of registration ids. */
export const indexedRegistrationsKey = 'demarc:indexed-registrations';

/** Sorted set: the numbers that share a registration, by when they were configured last (Unix milliseconds). */
export const registrationNumbersKey = (id: string): string => `demarc:registration-numbers:${id}`;

/** Exists once the index is complete. Absent beside number documents: an earlier control wrote them. */
export const numberIndexVersionKey = 'demarc:number-index-version';
export const numberIndexVersion = '1';

/** Pub/sub: `servers` when one has come or gone, `registration ID` when its numbers have changed, `*` when anything may have. */
export const numberIndexChannel = 'demarc:number-index-changed';

export const indexedServerSchema = z.object({
  host: z.string(),
  port: z.int().optional(),
  transport: transportSchema,
  tls_ca: z.string().optional(),
});

export interface NumberIndex {
  /** `s SERVER`, or `r REGISTRATION MILLISECONDS`; none has blanks in its parts. */
  readonly entries: readonly string[];
  /** JSON of the servers, by id. */
  readonly servers: Readonly<Record<string, string>>;
}

const nothing: NumberIndex = { entries: [], servers: {} };

/** What a number adds to the index; undefined: it is not configured. */
export function indexOf(document: NumberDocument | undefined): NumberIndex {
  if (document === undefined) return nothing;
  const servers: Record<string, string> = {};
  for (const endpoint of endpointsOf(document)) {
    const json = jsonOf(endpoint);
    servers[createHash('sha256').update(json).digest('base64url').slice(0, 22)] = json;
  }
  const updatedAt = Date.parse(document.updated_at) || 0;
  const registrations = new Set(registrationsOf(document).map(({ id }) => id));
  const entries = [
    ...Object.keys(servers).map((id) => `s ${id}`),
    ...[...registrations].map((id) => `r ${id} ${updatedAt}`),
  ];
  return entries.length === 0 ? nothing : { entries: entries.toSorted(), servers };
}

const jsonOf = ({ host, port, transport, tls_ca }: Endpoint): string =>
  JSON.stringify({ host, port, transport, tls_ca });

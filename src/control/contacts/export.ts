import type { Kysely } from 'kysely';
import { exportPartyCalls, exportPartyOrders, type traceArchiveOf } from '../calls/index.js';
import type { Database } from '../database/tables.js';
import { numbersOf } from './contact-rows.js';
import type { ContactView } from './contact-view.js';
import { readMerges } from './merge.js';

/**
 * Everything that is stored of a contact, as the text of one JSON document in the envelope; calls are read while it is sent, so
 * memory stays bounded however many there are.
 */
export async function* exportLines(
  database: Kysely<Database>,
  organizationId: string,
  contact: ContactView,
  traces: ReturnType<typeof traceArchiveOf>,
): AsyncGenerator<string> {
  const party = { organizationId, numbers: await numbersOf(database, organizationId, contact.id) };
  const head = {
    exported_at: new Date().toISOString(),
    contact,
    merges: await readMerges(database, organizationId, contact.id),
    orders: (await exportPartyOrders(database, party)).map((order) => ({
      ...order,
      created_at: order.created_at.toISOString(),
      scheduled_at: order.scheduled_at?.toISOString() ?? null,
    })),
  };
  yield `{"data":${JSON.stringify(head).slice(0, -1)},"calls":[`;
  let separator = '';
  for await (const call of exportPartyCalls(database, party, traces)) {
    yield `${separator}${JSON.stringify(call)}`;
    separator = ',';
  }
  yield '\n]},"errors":null}\n';
}

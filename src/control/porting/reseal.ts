import { SecretError } from '../../contract/secret.js';
import type { ControlDeps } from '../http/api-server.js';
import type { Resealed } from '../secrets/secret-rotation.js';

/** Seals with the current key what the losing carrier compares, and the keys of documents. */
export async function resealPorting({
  database,
  secrets,
  log,
}: Pick<ControlDeps, 'database' | 'secrets' | 'log'>): Promise<Resealed> {
  const counts = { resealed: 0, unreadable: 0 };
  const reseal = async (
    id: string,
    sealed: string,
    store: (before: string, after: string) => Promise<unknown>,
  ): Promise<void> => {
    if (!secrets.isOutdated(sealed)) return;
    try {
      await store(sealed, secrets.seal(secrets.open(sealed)));
      counts.resealed++;
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      counts.unreadable++;
      log.error({ id, error: error.message }, 'A secret of number porting cannot be opened.');
    }
  };
  for (const { id, information } of await database
    .selectFrom('port_requests')
    .select(['id', 'information'])
    .execute()) {
    await reseal(id, information, (before, after) =>
      database
        .updateTable('port_requests')
        .set({ information: after })
        .where('id', '=', id)
        .where('information', '=', before)
        .execute(),
    );
  }
  for (const { id, sealed_key } of await database
    .selectFrom('port_documents')
    .select(['id', 'sealed_key'])
    .execute()) {
    await reseal(id, sealed_key, (before, after) =>
      database
        .updateTable('port_documents')
        .set({ sealed_key: after })
        .where('id', '=', id)
        .where('sealed_key', '=', before)
        .execute(),
    );
  }
  return counts;
}

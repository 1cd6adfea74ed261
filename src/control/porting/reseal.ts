import { SecretError, type SecretPlace } from '../../contract/secret.js';
import type { ControlDeps } from '../http/api-server.js';
import type { Resealed } from '../secrets/secret-rotation.js';
import { documentPlace, informationPlace } from './documents/document-storage.js';

/** Seals what the losing carrier compares, and the keys of documents, with the current key and for their rows. */
export async function resealPorting({
  database,
  secrets,
  log,
}: Pick<ControlDeps, 'database' | 'secrets' | 'log'>): Promise<Resealed> {
  const counts = { resealed: 0, unreadable: 0 };
  const reseal = async (
    place: SecretPlace,
    sealed: string,
    store: (before: string, after: string) => Promise<unknown>,
  ): Promise<void> => {
    if (!secrets.isOutdated(sealed, place)) return;
    try {
      await store(sealed, secrets.reseal(sealed, place));
      counts.resealed++;
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      counts.unreadable++;
      log.error({ id: place.id, error: error.message }, 'A secret of number porting cannot be opened.');
    }
  };
  for (const { id, organization_id, information } of await database
    .selectFrom('port_requests')
    .select(['id', 'organization_id', 'information'])
    .execute()) {
    await reseal(informationPlace({ organization_id, id }), information, (before, after) =>
      database
        .updateTable('port_requests')
        .set({ information: after })
        .where('id', '=', id)
        .where('information', '=', before)
        .execute(),
    );
  }
  for (const { id, organization_id, sealed_key } of await database
    .selectFrom('port_documents')
    .select(['id', 'organization_id', 'sealed_key'])
    .execute()) {
    await reseal(documentPlace(organization_id, id), sealed_key, (before, after) =>
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

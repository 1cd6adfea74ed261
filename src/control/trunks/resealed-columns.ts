import type { SecretBox, SecretPlace } from '../../contract/secret.js';
import type { Configuration } from '../numbers/tables.js';

export const passwordColumns = ['register_password', 'pbx_password', 'sip_password'] as const;

/** The sealed columns of a configuration. */
type Sealed = Pick<Configuration, (typeof passwordColumns)[number] | 'agent_streams'>;

/** What its passwords, and the header fields of its agents, are bound to. */
interface Places {
  readonly place: SecretPlace;
  readonly streams: SecretPlace;
}

/** True when an earlier key sealed one of the columns. */
export const isOutdated = (row: Sealed, secrets: SecretBox, { place, streams }: Places): boolean =>
  passwordColumns.some((name) => row[name] !== null && secrets.isOutdated(row[name], place)) ||
  row.agent_streams.some(({ headers }) => headers !== undefined && secrets.isOutdated(headers, streams));

/** The outdated columns, sealed with the current key. Throws `SecretError` for one that no key opens. */
export function resealedColumns(
  row: Sealed,
  secrets: SecretBox,
  { place, streams }: Places,
): Partial<Record<(typeof passwordColumns)[number], string>> & { agent_streams?: string } {
  const changed: ReturnType<typeof resealedColumns> = {};
  for (const name of passwordColumns) {
    const sealed = row[name];
    if (sealed !== null && secrets.isOutdated(sealed, place)) changed[name] = secrets.reseal(sealed, place);
  }
  const isOld = (sealed: string | undefined): sealed is string =>
    sealed !== undefined && secrets.isOutdated(sealed, streams);
  if (row.agent_streams.some(({ headers }) => isOld(headers)))
    changed.agent_streams = JSON.stringify(
      row.agent_streams.map((stream) =>
        isOld(stream.headers) ? { ...stream, headers: secrets.reseal(stream.headers, streams) } : stream,
      ),
    );
  return changed;
}

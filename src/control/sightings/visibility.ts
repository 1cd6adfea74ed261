import { isIP } from 'node:net';
import { type Kysely, sql } from 'kysely';
import { TimedCache } from '../../base/timed-cache.js';
import { endpointName } from '../../contract/health.js';
import type { Sighting } from '../../contract/sighting.js';
import type { SourceRange } from '../../contract/source-range.js';
import type { Database } from '../database/tables.js';
import { readChecks } from '../health/index.js';
import { trunkTransport } from '../numbers/compose-document.js';
import { claimsOf, hostOf, narrowRanges } from './claims.js';

/** Why an organization may see a sighting. */
export type Match = 'number' | 'address';

/** A changed configuration applies within this time. */
const claimMilliseconds = 3_000;
const exclusiveMilliseconds = 30_000;
const maximumClaims = 2_000;

interface Claims {
  readonly addresses: ReadonlySet<string>;
  readonly ranges: readonly SourceRange[];
}

/**
 * Which sightings an organization may see: those that name one of its numbers, and those from an address that only this
 * organization has configured and from which no other one was called. So listing a stranger's address shows nothing of it.
 */
export class Visibility {
  private readonly claims = new TimedCache<Claims>(claimMilliseconds);
  private readonly exclusive = new TimedCache<boolean>(exclusiveMilliseconds);

  constructor(private readonly database: Kysely<Database>) {}

  /** Undefined: it may not. Rejects while the database is down. */
  async matchOf(
    organizationId: string,
    { organization, source: { address } }: Pick<Sighting, 'organization' | 'source'>,
  ): Promise<Match | undefined> {
    if (organization !== null) return organization === organizationId ? 'number' : undefined;
    if (isIP(address) === 0) return undefined;
    const { addresses, ranges } = await this.claims.get(organizationId, () =>
      this.readClaims(organizationId),
    );
    const isClaimed = addresses.has(address) || ranges.some((range) => range.contains(address));
    if (!isClaimed) return undefined;
    const isExclusive = await this.exclusive.get(`${organizationId} ${address}`, () =>
      this.isExclusive(organizationId, address),
    );
    return isExclusive ? 'address' : undefined;
  }

  private async readClaims(organizationId: string): Promise<Claims> {
    const rows = await this.database
      .selectFrom('configurations')
      .innerJoin('numbers', 'numbers.number', 'configurations.number')
      .where('numbers.organization_id', '=', organizationId)
      .select(['direction', 'allowed_ips', 'sip_endpoint', 'registrar', 'options'])
      .distinct()
      .limit(maximumClaims)
      .execute();
    const trunks = await this.database
      .selectFrom('trunk_directions')
      .where('organization_id', '=', organizationId)
      .select('directions')
      .limit(maximumClaims)
      .execute();
    const { listed, servers } = claimsOf(
      rows,
      trunks.flatMap(({ directions }) => directions),
    );
    const names = servers
      .filter(({ host }) => isIP(host) === 0)
      .map((server) => endpointName({ ...server, transport: server.transport ?? trunkTransport }));
    return {
      addresses: new Set([
        ...servers.map(({ host }) => host).filter((host) => isIP(host) !== 0),
        ...(await this.resolved(names)),
      ]),
      ranges: narrowRanges(listed),
    };
  }

  /** The addresses at which probes found these servers. */
  private async resolved(names: readonly string[]): Promise<readonly string[]> {
    const checks = await readChecks(this.database, names);
    return [...checks.values()].flatMap((check) => check.targets.map(({ address }) => hostOf(address)));
  }

  /** True: no other organization lists the address, has a server there, or was called from it within a week. */
  private async isExclusive(organizationId: string, address: string): Promise<boolean> {
    const literal = address.includes(':') ? `[${address}]` : address;
    // Ranges may be written as IPv4-mapped IPv6, which PostgreSQL keeps apart from IPv4.
    const written = address.includes(':') ? [address] : [address, `::ffff:${address}`];
    const contains = sql`range::inet >>= any(${written}::inet[]) and masklen(range::inet) >= 16`;
    const { rows } = await sql<{ shared: boolean }>`
      select exists (
        select from organizations o where o.id <> ${organizationId} and exists (
          select from ended_calls c where c.organization_id = o.id and c.source_address = ${address}
            and c.started_at > now() - interval '7 days')
      ) or exists (
        select from configurations c join numbers n on n.number = c.number
        where n.organization_id <> ${organizationId} and (
          c.sip_endpoint like ${`%${literal}%`} or c.registrar like ${`%${literal}%`} or exists (
            select from jsonb_array_elements_text(c.allowed_ips) range where ${contains}))
      ) or exists (
        select from trunk_directions t where t.organization_id <> ${organizationId} and (
          t.directions::text like ${`%${literal}%`} or exists (
            select from jsonb_path_query(t.directions, '$[*].allowed_ips[*]') listed, lateral (select listed #>> '{}') as one (range)
            where ${contains}))
      ) or exists (
        select from server_checks h join configurations c
          on c.sip_endpoint is not null
          and position(split_part(split_part(h.endpoint, ':', 2), ':', 1) in lower(c.sip_endpoint)) > 0
        join numbers n on n.number = c.number
        where n.organization_id <> ${organizationId} and h.health::text like ${`%"${literal}:%`}
      ) as shared`.execute(this.database);
    return rows[0]?.shared === false;
  }
}

import { describe, expect, it } from 'vitest';
import {
  type CallFilter,
  matchingCalls,
  type Owner,
  pageQuery,
} from '../../../../src/control/calls/history/call-filter.js';
import { emptyDatabase } from '../../../support/empty-database.js';

const database = emptyDatabase();

/** What follows `where`, with each parameter in its place. */
function conditionsOf(
  filter: CallFilter,
  owner: Owner = 'acme',
  ...cursor: [] | [{ startedAt: Date; callId: string }]
) {
  const { sql, parameters } = matchingCalls(database, owner, filter, ...cursor).compile();
  const text = (value: unknown): string =>
    value instanceof Date ? value.toISOString() : JSON.stringify(value);
  return sql
    .replace(/^.*? where /, '')
    .replace(/\$(\d+)/g, (_, at: string) => text(parameters[Number(at) - 1]));
}

const own = '"organization_id" = "acme"';
const noon = new Date('2026-11-26T12:00:00Z');

describe('the filter of calls', () => {
  it('is the owner alone without conditions; calls of no organization have none', () => {
    expect(conditionsOf({})).toBe(own);
    expect(conditionsOf({}, null)).toBe('"organization_id" is null');
  });

  it.each<[CallFilter, string]>([
    [{ number: '1312' }, '"number" = "1312"'],
    [{ direction: 'inbound' }, '"direction" = "inbound"'],
    [{ outcome: 'failed' }, '"outcome" = "failed"'],
    [{ sipStatus: 486 }, '"sip_status" = 486'],
    [{ startedAfter: noon }, '"started_at" >= 2026-11-26T12:00:00.000Z'],
    [{ startedBefore: noon }, '"started_at" < 2026-11-26T12:00:00.000Z'],
    [{ caller: ['a', 'b'] }, '"caller" in ("a", "b")'],
    [{ called: ['c'] }, '"called" in ("c")'],
    [{ endReason: 'hung_up' as never }, '"end_reason" = "hung_up"'],
    [{ sipCallId: 'x@y' }, '"sip_call_id" = "x@y"'],
    [{ sourceAddress: '192.0.2.1' }, '"source_address" = "192.0.2.1"'],
    [{ sourceAddresses: ['192.0.2.1'] }, '"source_address" = any(["192.0.2.1"]::text[])'],
    [
      // No call lasts longer than 25 hours, which lets the index of the beginnings serve.
      { endedAfter: noon },
      '"ended_at" >= 2026-11-26T12:00:00.000Z and "started_at" >= 2026-11-25T11:00:00.000Z',
    ],
    [
      { endedBefore: noon },
      '"ended_at" < 2026-11-26T12:00:00.000Z and "started_at" < 2026-11-26T12:00:00.000Z',
    ],
  ])('%j adds one condition', (filter, condition) => {
    expect(conditionsOf(filter)).toBe(`${own} and ${condition}`);
  });

  it('finds a network by its addresses, and bad audio with or without failures', () => {
    expect(conditionsOf({ sourceAddress: '198.51.100.0/24' })).toContain('network("198.51.100.0/24"::inet)');
    const audio = conditionsOf({ problem: 'audio' });
    expect(audio).toContain('mos < ');
    expect(audio).not.toContain("'refused'");
    const any = conditionsOf({ problem: 'any' });
    expect(any).toContain("(outcome in ('failed', 'refused') and continued_as is null) or (mos < ");
  });

  it('finds metadata of the owner’s orders, as text and as what the text may stand for', () => {
    const conditions = conditionsOf({ metadata: { tier: 'gold', seats: '12' } });
    expect(conditions).toContain('"call_id" in (select');
    expect(conditions).toContain('"ordered_calls"."organization_id" = "acme"');
    expect(conditions).toContain(JSON.stringify(JSON.stringify({ tier: 'gold' })));
    for (const seats of ['12', 12]) expect(conditions).toContain(JSON.stringify(JSON.stringify({ seats })));
    expect(conditionsOf({ metadata: { tier: 'gold' } }, null)).not.toContain(
      '"ordered_calls"."organization_id"',
    );
  });

  it('continues after the last call of a page, in the order of the page', () => {
    expect(conditionsOf({}, 'acme', { startedAt: noon, callId: 'c9' })).toBe(
      `${own} and (started_at, call_id) < (2026-11-26T12:00:00.000Z, "c9")`,
    );
    const { sql } = pageQuery(database, { owner: 'acme', limit: 5 }).compile();
    expect(sql).toMatch(/order by "started_at" desc, "call_id" desc limit \$2$/);
  });
});

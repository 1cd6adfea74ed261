import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Logger } from '../../../../src/base/log.js';
import type { CallRecord } from '../../../../src/contract/call-record.js';
import { contactId } from '../../../../src/contract/contact-id.js';
import { readCall } from '../../../../src/control/calls/history/call-page.js';
import { readEntry, storeEntries } from '../../../../src/control/calls/history/call-storage.js';
import { resolveContact } from '../../../../src/control/contacts/contacts.js';
import { NewCallerSweep } from '../../../../src/control/contacts/new-caller-sweep.js';
import { createOrganization } from '../../../../src/control/organizations/organizations.js';
import { noteParties } from '../../../../src/control/parties/call-parties.js';
import {
  callersWithoutContact,
  maximumContacts,
  maximumNewCallers,
} from '../../../../src/control/parties/contact-bounds.js';
import { ControlBench } from '../control-bench.js';
import { sampleRecord } from '../history/sample-record.js';

let bench: ControlBench;
beforeAll(async () => {
  bench = await ControlBench.start();
});
afterAll(() => bench?.stop());

const caller = '+14155550199';

function recordOf(changes: Partial<CallRecord> = {}): CallRecord {
  return { ...sampleRecord(randomUUID()), organization: bench.organization, ...changes };
}

async function store(...records: CallRecord[]): Promise<void> {
  const entries = records.map((record, index) => ({ id: `${index}-1`, json: JSON.stringify(record) }));
  await storeEntries(bench.database, await Promise.all(entries.map(readEntry)));
}

const contactsOf = (organization: string) =>
  bench.database
    .selectFrom('contact_identifiers')
    .select(['contact_id', 'identifier_value'])
    .where('organization_id', '=', organization)
    .orderBy('identifier_value')
    .execute();

describe('the contacts of calls', () => {
  it('are made once, however many calls, processes and repetitions there are', async () => {
    const outbound = recordOf({
      direction: 'outbound',
      from: '<sip:+12025550100@localhost>',
      to: '<sip:+14155550188@localhost>',
    });
    const inbound = Array.from({ length: 20 }, () => recordOf());
    await Promise.all([
      store(...inbound, outbound),
      store(...inbound.slice(5), outbound),
      store(recordOf(), recordOf({ from: 'sip:14155550199;verstat=x@pbx.example' })),
    ]);
    await store(...inbound);
    expect(await contactsOf(bench.organization)).toEqual([
      { contact_id: contactId(bench.organization, '+14155550188'), identifier_value: '+14155550188' },
      { contact_id: contactId(bench.organization, caller), identifier_value: caller },
    ]);
    const terms = await bench.database
      .selectFrom('contact_terms')
      .select('term')
      .where('contact_id', '=', contactId(bench.organization, caller))
      .orderBy('term')
      .execute();
    expect(terms.map(({ term }) => term)).toEqual(['14155550199', '4155550199', '~99105555141']);
    const { rows } = await sql`select count(*)::int as count from calls`.execute(bench.database);
    expect(rows).toEqual([{ count: 23 }]);
  });

  it('are not made by callers without a number, refused calls, test calls and unknown organizations', async () => {
    const before = await contactsOf(bench.organization);
    const refused = { sip_call_ids: { trunk: 'x', agent: null }, answered_at: null };
    await store(
      recordOf({ from: '<sip:anonymous@anonymous.invalid>' }),
      recordOf({ from: '<sip:200@pbx.example>' }),
      recordOf({ from: '<sip:+14155550177@pbx.example>', ...refused }),
      recordOf({ from: '<sip:+12025550100@pbx.example>', number: '12025550100' }),
      recordOf({ from: '<sip:+14155550177@pbx.example>', organization: 'org_gone' }),
      recordOf({ from: '<sip:+14155550177@pbx.example>', organization: null }),
    );
    expect(await contactsOf(bench.organization)).toEqual(before);
    expect(await contactsOf('org_gone')).toEqual([]);
  });

  it('are stored under one spelling of the number', async () => {
    const record = recordOf({ from: '"J" <sip:+1-415-555.0155;verstat=TN@pbx.example>' });
    await store(record);
    const call = await readCall(bench.database, bench.organization, record.call_id);
    expect(call!.row.caller).toBe('+14155550155');
    expect(call!.record.from).toBe(record.from);
  });

  it('are missing in the record when they were deleted during the call', async () => {
    const from = '"Jane Doe" <sip:+14155550166@pbx.example>;tag=1';
    const contact = contactId(bench.organization, '+14155550166');
    const [early, listed, later] = [
      recordOf({ from, started_at: '2026-11-20T15:00:00.000Z' }),
      recordOf({ from, started_at: '2026-11-20T15:10:00.000Z' }),
      recordOf({ from, started_at: '2026-11-20T15:10:00.000Z', detail: 'Jane Doe hung up.' }),
    ];
    await bench.database
      .insertInto('contact_erasures')
      .values({
        organization_id: bench.organization,
        contact_id: contact,
        erased_at: new Date('2026-11-20T15:05:00Z'),
        call_ids: JSON.stringify([listed!.call_id]),
      })
      .execute();
    await store(early!, listed!);
    expect(await contactsOf(bench.organization)).not.toContainEqual(
      expect.objectContaining({ contact_id: contact }),
    );
    for (const { call_id } of [early!, listed!]) {
      const { row, record } = (await readCall(bench.database, bench.organization, call_id))!;
      expect(row).toMatchObject({ caller: 'removed', called: '+12025550100', outcome: 'completed' });
      expect(record).toMatchObject({ trace: [], trace_truncated: true, media: early!.media });
      expect(JSON.stringify({ row, record })).not.toMatch(/4155550166|Jane|pbx\.example/);
    }
    await store(later!);
    const { row } = (await readCall(bench.database, bench.organization, later!.call_id))!;
    expect(row.caller).toBe('+14155550166');
    expect(await contactsOf(bench.organization)).toContainEqual(
      expect.objectContaining({ contact_id: contact }),
    );
  });
});

describe('callers with a random number each', () => {
  const strangers = (count: number, number: string, organizationId: string) =>
    Array.from({ length: count }, (_, index) => {
      const stranger = `+1415${String(2_000_000 + index)}`;
      return {
        callId: randomUUID(),
        organizationId,
        contactId: contactId(organizationId, stranger),
        number: stranger,
        called: number,
        startedAt: new Date().toISOString(),
        makesContact: true,
      };
    });
  const note = (calls: ReturnType<typeof strangers>) =>
    bench.database.transaction().execute((transaction) => noteParties(transaction, calls));
  const newOrganization = (name: string) => createOrganization(bench.database, { name, sipEnabled: true });

  it('make so many contacts of a number a day and no more, and none less of others', async () => {
    const [{ id: attacked }, { id: beside }] = await Promise.all([
      newOrganization('x'),
      newOrganization('y'),
    ]);
    const calls = strangers(maximumNewCallers + 40, '12025550100', attacked);
    // Two processes store them.
    await Promise.all([note(calls.slice(0, 3_000)), note(calls.slice(3_000))]);
    expect(await contactsOf(attacked)).toHaveLength(maximumNewCallers);
    await store(recordOf({ organization: attacked, from: '<sip:+14155559999@pbx.example>' }));
    expect(await contactsOf(attacked)).toHaveLength(maximumNewCallers);
    expect(await callersWithoutContact(bench.database)).toBe(41);

    const sweep = (): Promise<unknown[]> => {
      const warnings: unknown[] = [];
      const log = { warn: (facts: unknown) => warnings.push(facts) } as unknown as Logger;
      return new NewCallerSweep({ database: bench.database, log }).sweep().then(() => warnings);
    };
    expect(await sweep()).toEqual([{ organization: attacked, number: '12025550100' }]);
    expect(await sweep()).toEqual([]);

    await note(strangers(calls.length + 1, '12025550101', attacked).slice(-1));
    expect(await contactsOf(attacked)).toHaveLength(maximumNewCallers + 1);
    await note(strangers(1, '12025550100', beside));
    expect(await contactsOf(beside)).toHaveLength(1);
  });

  it('make none in an organization that has as many contacts as it may', async () => {
    const { id } = await newOrganization('full');
    await sql`insert into contact_counts (organization_id, contacts, counted_at)
      values (${id}, ${maximumContacts - 1}, now())`.execute(bench.database);
    await note(strangers(2, '12025550100', id));
    expect(await contactsOf(id)).toHaveLength(1);
    await sql`update contact_counts set contacts = ${maximumContacts} where organization_id = ${id}`.execute(
      bench.database,
    );
    const creation = resolveContact(bench.database, id, [{ type: 'email', value: 'one@example.com' }], {});
    await expect(creation).rejects.toMatchObject({ code: 'TOO_MANY_CONTACTS' });
    // A count that is a minute old is renewed.
    await sql`update contact_counts set counted_at = now() - interval '2 minutes'
      where organization_id = ${id}`.execute(bench.database);
    await note(strangers(2, '12025550100', id));
    expect(await contactsOf(id)).toHaveLength(2);
  });
});

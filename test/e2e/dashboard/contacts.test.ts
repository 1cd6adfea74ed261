import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import type { Visitor } from '../browser.js';
import type { RunningSystem } from '../running-system.js';
import { answeredCall, from, inbound, shown, Visit } from './visit.js';

const answered = '+12065550161';

let visit: Visit;
let system: RunningSystem;
let visitor: Visitor;
let callers: SipPeer;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  system = visit.system;
  await visit.attach(answered, inbound());
  callers = await visit.peer();
  visitor = await visit.visitor();
});
afterAll(() => visit?.end());

describe('a contact', () => {
  const jane = '+14155550142';
  const secondNumber = '+14155550143';

  it('comes from a call, and is searched, read, merged, exported and deleted', async () => {
    const { page } = visitor;
    for (const number of [jane, secondNumber]) {
      const call = await answeredCall(callers, answered, from(number));
      await call.hangUp();
    }
    const found = (number: string) => system.ask('POST', '/v1/contacts/find', { phone_number: number });
    await until(
      async () => (await found(secondNumber)).data !== null,
      10_000,
      'the calls have made contacts',
    );
    const { id } = (await found(jane)).data;
    await system.ask('PATCH', `/v1/contacts/${id}/memory`, {
      summary: 'Jane moved her delivery from Wednesday to Friday. She prefers short calls in the afternoon.',
      facts: { preferred_name: 'Jane', language: 'English', calls_before_noon: false },
      messages: [
        {
          role: 'user',
          content: 'Hi, can you deliver on Friday instead?',
          timestamp: '2026-11-20T15:04:05Z',
        },
        {
          role: 'assistant',
          content: 'Yes, Friday between 1 and 3 p.m. works.',
          timestamp: '2026-11-20T15:04:11Z',
        },
        { role: 'user', content: 'Great, thank you.', timestamp: '2026-11-20T15:04:16Z' },
      ],
      open_items: [
        {
          type: 'follow_up',
          description: 'Confirm the new delivery date by SMS',
          priority: 'high',
          related_to: { entity_type: 'order', entity_id: '1042' },
        },
      ],
      entities: [
        {
          entity_type: 'order',
          entity_id: '1042',
          status: 'rescheduled',
          facts: { items: 3 },
          notes: 'Leave at the door',
        },
      ],
    });

    await visitor.open('/');
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await visitor.heading('Contacts');
    await page.getByLabel(/^Name, number/).fill(jane.slice(-7));
    await page.getByRole('button', { name: 'Search' }).click();
    const list = page.getByRole('region', { name: 'Contacts, newest first' });
    await list.getByRole('row').nth(1).waitFor();
    await expect.poll(() => list.getByRole('row').count()).toBe(2);
    await visitor.expectAccessible('contacts');
    await visitor.picture('contacts');
    await list.getByRole('link', { name: shown(jane) }).click();
    await visitor.heading(shown(jane));
    await page.getByLabel('Name').fill('Jane Doe');
    await page.getByRole('button', { name: 'Save name' }).click();
    await visitor.heading('Jane Doe');
    await page.getByText('Jane moved her delivery').waitFor();
    await page.getByRole('region', { name: 'Past calls, newest first' }).getByText('Completed').waitFor();
    await visitor.expectAccessible('contact');
    await visitor.picture('contact');
    await visitor.onPhone(async () => {
      await visitor.expectAccessible('contact on a phone');
      await visitor.picture('contact-phone');
    });

    const merging = page.getByRole('region', { name: 'Merge', exact: true });
    await merging.getByLabel('Other contact').fill(secondNumber);
    await merging.getByRole('button', { name: 'Find' }).click();
    await merging.getByRole('button', { name: 'Choose' }).click();
    await merging.getByText(`Merge ${shown(secondNumber)} into Jane Doe?`).waitFor();
    await merging.getByText('Show as curl').click();
    await merging.getByText('"duplicate_contact_id"').waitFor();
    await visitor.expectAccessible('contact before a merge');
    await visitor.picture('contact-merge');
    await merging.getByRole('button', { name: 'Merge for good' }).click();
    await page.getByRole('region', { name: 'Merges, newest first' }).getByText(shown(secondNumber)).waitFor();
    await page.getByRole('region', { name: 'Contact', exact: true }).getByText(shown(secondNumber)).waitFor();
    const calls = page.getByRole('region', { name: 'Past calls, newest first' }).getByRole('row');
    await expect.poll(() => calls.count()).toBe(3);

    const file = JSON.parse(
      (await visitor.download(page.getByRole('link', { name: 'Export data' }))).toString('utf8'),
    );
    expect(file.data.contact).toMatchObject({ id, name: 'Jane Doe' });
    expect(file.data.calls).toHaveLength(2);
    expect(file.data.calls[1].trace[0].message).toContain(jane);

    await page.getByRole('button', { name: 'Delete contact' }).click();
    const remove = page.getByRole('button', { name: 'Delete for good' });
    await page.getByLabel(/^Write Jane Doe to delete/).fill('Jane');
    expect(await remove.isDisabled()).toBe(true);
    await visitor.picture('contact-delete');
    await page.getByLabel(/^Write Jane Doe to delete/).fill('Jane Doe');
    await remove.click();
    await visitor.heading('Contact deleted');
    await visitor.expectAccessible('contact deleted');
    await visitor.open(`/contacts/${id}`);
    await page.getByText('Contact not found').waitFor();
    await visitor.open('/calls');
    await page
      .getByRole('region', { name: 'Past calls, newest first' })
      .getByText('removed')
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(visitor.problems).toEqual([]);
  });
});

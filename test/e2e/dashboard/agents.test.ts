import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import type { Visitor } from '../browser.js';
import type { RunningSystem } from '../running-system.js';
import { answeredCall, from, inbound, shown, Visit } from './visit.js';

/** What an agent uses, from the pages on which a person writes it to the calls that get it. */
const called = '+12065550161';
const attached = '+12075550161';
const document = {
  start_node_id: 'end',
  nodes: [{ id: 'end', name: 'End', type: 'end', text: 'Goodbye.' }],
  edges: [],
};

let visit: Visit;
let system: RunningSystem;
let visitor: Visitor;
let callers: SipPeer;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  system = visit.system;
  await visit.attach(called, inbound());
  await visit.attach(attached, inbound());
  callers = await visit.peer();
  visitor = await visit.visitor();
});
afterAll(() => visit?.end());

describe('knowledge', () => {
  it('adds a text, follows its progress, shows the passages that a question finds, and deletes it', async () => {
    const { page } = visitor;
    await visitor.open('/knowledge');
    await page.getByText('No knowledge bases').waitFor();
    await page.getByRole('button', { name: 'Add text' }).click();
    await page.getByLabel('Name').fill('Numbers of a customer');
    await page.getByLabel('Description').fill('How numbers are attached');
    await page.getByLabel('From a file').setInputFiles(join(import.meta.dirname, '../../../docs/numbers.md'));
    await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toContain('# ');
    await page.getByRole('button', { name: 'Learn this text' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Numbers of a customer' });
    await row.getByText('Learning').waitFor();
    const progress = row.getByRole('progressbar');
    await expect.poll(async () => Number(await progress.getAttribute('value'))).toBeGreaterThan(0.1);
    await row.getByText('Completed').waitFor();
    await row.getByText('English').waitFor();

    await page.getByLabel('Question', { exact: true }).fill('Which codecs are offered to a trunk?');
    await page.getByRole('button', { name: 'Search' }).click();
    const passages = page.getByRole('status').getByRole('listitem');
    await expect.poll(() => passages.count()).toBe(5);
    await passages.filter({ hasText: /codec/i }).first().waitFor();
    await passages
      .first()
      .getByText(/by words/)
      .waitFor();
    await visitor.expectAccessibleEverywhere('knowledge-search');

    await row.getByRole('button', { name: 'Delete Numbers of a customer' }).click();
    await row.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('No knowledge bases').waitFor();
    expect(visitor.problems).toEqual([]);
  });
});

describe('a pathway', () => {
  it('is created, edited beside its graph, corrected, promoted, forked and compared', async () => {
    const { page } = visitor;
    await visitor.open('/pathways');
    await page.getByText('No pathways').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Appointments');
    await page.getByRole('button', { name: 'Create' }).click();
    await visitor.heading('Appointments, version 1');
    const graph = page.getByRole('region', { name: 'Graph of the document' });
    await graph.getByRole('button', { name: /^Greeting/ }).press('Enter');
    await page.getByRole('button', { name: 'Add node' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Booking');
    await page.getByLabel('Prompt', { exact: true }).fill('Ask for the day and confirm {{day}}.');
    await graph.getByRole('button', { name: /^Booking/ }).waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    const refusal = page.getByRole('alert');
    await refusal.getByRole('button', { name: /uses day, but no node/ }).click();
    const text = page.getByLabel('Document as JSON');
    expect(
      await text.evaluate((area) => {
        const { value, selectionStart } = area as unknown as { value: string; selectionStart: number };
        return value.slice(selectionStart);
      }),
    ).toMatch(/^"Ask for the day and confirm/);
    await graph.locator('.faulty .node-name').getByText('Booking').waitFor();
    await visitor.expectAccessibleEverywhere('pathway-editor');
    await text.fill('{');
    await page.getByText('Line 1: expected a field name in double quotes.').waitFor();
    expect(await page.getByRole('button', { name: 'Save draft' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await graph.getByRole('button', { name: /^Greeting/ }).click();
    const prompt = page.getByLabel('Prompt', { exact: true });
    const before = await prompt.inputValue();
    await prompt.fill('Greet the caller by name.');
    await prompt.press('Control+z');
    await expect.poll(() => prompt.inputValue()).toBe(before);
    await page.getByRole('button', { name: 'Redo', exact: true }).click();
    await expect.poll(() => prompt.inputValue()).toBe('Greet the caller by name.');
    const greeting = graph.getByRole('button', { name: /^Greeting/ });
    await greeting.press('ArrowRight');
    const right = page.getByLabel('Right, in pixels of the graph');
    const moved = Number(await right.inputValue());
    const { x, y, width, height } = (await greeting.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 120, y + height / 2 + 40, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Number(await right.inputValue())).toBeGreaterThan(moved + 50);
    await greeting.press('Control+z');
    await expect.poll(() => right.inputValue()).toBe(String(moved));
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Promote version 1' }).click();
    await page.locator('.page-aside').getByText('Live').waitFor();
    await page.getByLabel('Reason').fill('Try a question first');
    await page.getByRole('button', { name: 'Fork version 1' }).click();
    await visitor.heading('Appointments, version 2');
    await page.getByText('No changes since version 1').waitFor();
    await graph.getByRole('button', { name: /^Goodbye/ }).click();
    await page.getByLabel('Exact words', { exact: true }).fill('Thank you for your patience. Goodbye.');
    await page.getByRole('button', { name: 'Save fork' }).click();
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.locator('ins').getByText('patience').waitFor();
    await page.getByRole('link', { name: 'Appointments' }).click();
    await visitor.heading('Appointments');
    await page.getByRole('region', { name: 'Versions' }).getByText('Try a question first').waitFor();
    await visitor.expectPageAccessible('pathway');
    await visitor.open('/pathways');
    await visitor.expectPageAccessible('pathways');
    expect(visitor.problems).toEqual([]);
  });
});

describe('a contact', () => {
  const jane = '+14155550142';
  const secondNumber = '+14155550143';

  it('comes from a call, and is searched, read, merged, exported and deleted', async () => {
    const { page } = visitor;
    for (const number of [jane, secondNumber]) {
      const call = await answeredCall(callers, called, from(number));
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

    const merging = page.getByRole('region', { name: 'Merge', exact: true });
    await merging.getByLabel('Other contact').fill(secondNumber);
    await merging.getByRole('button', { name: 'Find' }).click();
    await merging.getByRole('button', { name: 'Choose' }).click();
    await merging.getByText(`Merge ${shown(secondNumber)} into Jane Doe?`).waitFor();
    await merging.getByText('Show as curl').click();
    await merging.getByText('"duplicate_contact_id"').waitFor();
    await visitor.expectAccessibleEverywhere('contact');
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
    await page.getByLabel(/^Write Jane Doe to delete/).fill('Jane Doe');
    await remove.click();
    await visitor.heading('Contact deleted');
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

describe('a persona', () => {
  it('is created, given knowledge, promoted and attached to a number, whose next call gets it', async () => {
    const { page } = visitor;
    for (const name of ['Opening hours', 'Prices']) {
      const text = `All about ${name.toLowerCase()}.`;
      await system.ask('POST', '/v1/knowledge/learn', { type: 'text', name, text });
    }
    const { data: pathway } = await system.ask('POST', '/v1/pathways', { name: 'Shop', document });
    await system.ask('POST', `/v1/pathways/${pathway.id}/versions/promote`, {});
    await visitor.open('/personas');
    await page.getByText('No personas').waitFor();
    await page.getByLabel('Name').fill('Front desk');
    await page.getByRole('button', { name: 'Create' }).click();
    await visitor.heading('Front desk');
    const region = (name: string | RegExp) => page.getByRole('region', { name });
    await region('Live').getByText('Never promoted').waitFor();
    await page.getByLabel('Opening hours').check();
    await page.getByLabel('What the agent does').fill('Answer questions about the shop.');
    await page.getByLabel('Voice').fill('alto');
    await page.getByRole('combobox', { name: 'Pathway', exact: true }).selectOption('Shop');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await region(/^Draft/)
      .getByText('Opening hours')
      .waitFor();
    await page.getByRole('button', { name: 'Promote' }).click();
    await region('Live').getByText('alto').waitFor();
    await region('Live').getByRole('link', { name: 'Live version' }).waitFor();
    expect(await region(/^Draft/).count()).toBe(0);
    const number = page.getByRole('textbox', { name: 'Number', exact: true });
    await region('Numbers').getByText('Show as curl').click();
    await number.fill('+14155559999');
    await region('Numbers').getByText(`-d '{"inbound_numbers":["+14155559999"]}'`).waitFor();
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.getByRole('alert').getByText('is not one of your numbers').waitFor();
    await number.fill(attached);
    await page.getByRole('button', { name: 'Attach' }).click();
    await region('Numbers')
      .getByRole('link', { name: shown(attached) })
      .waitFor();
    // A change after the promotion: live and draft differ, and both are shown.
    await page.getByLabel('Prices').check();
    const form = page.getByRole('form', { name: 'Draft' });
    await form.getByRole('radio', { name: 'WebSocket server' }).check();
    await form.getByLabel('URL').fill('https://bot.example.com');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await form.getByRole('alert').getByText('wss').first().waitFor();
    await form.getByLabel('URL').fill('wss://bot.example.com/stream');
    await form.getByLabel('Parameters').fill('tenant: blue');
    await form.getByLabel('Headers').fill('Authorization: Bearer 1');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await region('Draft, version 2').getByText('Opening hours, Prices').waitFor();
    await region('Draft, version 2').getByText('wss://bot.example.com/stream').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    const { agent } = (await system.ask('GET', `/v1/personas/${id}`)).data.current_draft_version;
    expect(agent).toMatchObject({ parameters: { tenant: 'blue' }, headers: { Authorization: '[redacted]' } });
    await region('Live').getByText('Version 1').waitFor();
    await visitor.expectPageAccessible('persona');
    const call = await answeredCall(callers, attached);
    await call.hangUp();
    const path = `/v1/sip/calls?phone_number=${encodeURIComponent(attached)}`;
    const traceOf = async (): Promise<string> => {
      const [last] = (await system.ask('GET', path)).data.calls;
      return JSON.stringify(last && (await system.ask('GET', `/v1/sip/calls/${last.call_id}`))) ?? '';
    };
    await until(
      async () => (await traceOf()).includes('X-Demarc-Persona-Version: 1'),
      10_000,
      'the record of the call',
    );
    await visitor.open(`/trunks/${attached.slice(1)}`);
    const followed = page.getByRole('region', { name: 'Pathway', exact: true });
    await followed.getByRole('combobox', { name: 'Pathway', exact: true }).selectOption('Shop');
    await followed.getByLabel('Version of the pathway').fill('1');
    await followed.getByRole('button', { name: 'Save pathway' }).click();
    await followed.getByRole('link', { name: 'Open the pathway' }).click();
    await visitor.heading('Shop');
    await region('Numbers').getByText('Version 1').waitFor();
    await visitor.open('/personas');
    await visitor.expectPageAccessible('personas');
    expect(visitor.problems).toEqual([]);
  });
});

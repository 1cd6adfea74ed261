import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { until } from '../../../src/testkit/waiting.js';
import type { Visitor } from '../browser.js';
import type { RunningSystem } from '../running-system.js';
import { answeredCall, inbound, shown, Visit } from './visit.js';

const answered = '+12075550161';
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
  await visit.attach(answered, inbound());
  callers = await visit.peer();
  visitor = await visit.visitor();
});
afterAll(() => visit?.end());

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
    await number.fill(answered);
    await page.getByRole('button', { name: 'Attach' }).click();
    await region('Numbers')
      .getByRole('link', { name: shown(answered) })
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
    await visitor.expectAccessible('a persona with a draft');
    await visitor.picture('persona-draft');
    await visitor.onPhone(() => visitor.picture('persona-draft-phone'));
    const call = await answeredCall(callers, answered);
    await call.hangUp();
    const path = `/v1/sip/calls?phone_number=${encodeURIComponent(answered)}`;
    const traceOf = async (): Promise<string> => {
      const [last] = (await system.ask('GET', path)).data.calls;
      return JSON.stringify(last && (await system.ask('GET', `/v1/sip/calls/${last.call_id}`))) ?? '';
    };
    await until(
      async () => (await traceOf()).includes('X-Demarc-Persona-Version: 1'),
      10_000,
      'the record of the call',
    );
    await visitor.expectPageAccessible('persona', new URL(page.url()).pathname);
    await visitor.open(`/trunks/${answered.slice(1)}`);
    const followed = page.getByRole('region', { name: 'Pathway', exact: true });
    await followed.getByRole('combobox', { name: 'Pathway', exact: true }).selectOption('Shop');
    await followed.getByLabel('Version of the pathway').fill('1');
    await followed.getByRole('button', { name: 'Save pathway' }).click();
    await followed.getByRole('link', { name: 'Open the pathway' }).click();
    await visitor.heading('Shop');
    await region('Numbers').getByText('Version 1').waitFor();
    await visitor.expectAccessible('a pathway with a number');
    await visitor.expectPageAccessible('personas', '/personas');
    expect(visitor.problems).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SipPeer } from '../../../src/testkit/sip-peer.js';
import { secureAnswer } from '../../contract/transfer/answers.js';
import type { Visitor } from '../browser.js';
import type { Body, RunningSystem } from '../running-system.js';
import { answeredCall, closedUri, from, inbound, outbound, shown, Visit } from './visit.js';

const answered = '+12025550161';
const refusing = '+12025550162';
const consulting = '+12025550163';

let visit: Visit;
let system: RunningSystem;
let noc: Visitor;
let callers: SipPeer;

beforeAll(async () => {
  visit = await Visit.begin(import.meta.filename);
  system = visit.system;
  await visit.attach(answered, inbound());
  await visit.attach(refusing, inbound('203.0.113.0/24'));
  callers = await visit.peer();
  noc = await visit.visitor();
});
afterAll(() => visit?.end());

/** A row of past calls to that number. */
const pastCalls = (number: string) =>
  noc.page
    .getByRole('region', { name: 'Past calls, newest first' })
    .getByRole('row')
    .filter({ hasText: shown(number) });

/** Where a chart's first and last values are, as shares of its width. */
const extentOf = async (name: RegExp): Promise<readonly [first: number, last: number]> => {
  const path = noc.page.getByRole('img', { name }).first().locator('path.values').first();
  const data = (await path.getAttribute('d')) ?? '';
  const xs = [...data.matchAll(/[ML](\d+\.\d) /g)].map(([, x]) => Number(x) / 400);
  return [Math.min(...xs), Math.max(...xs)];
};

describe('live', () => {
  it('shows a call with its audio while it is active, and in the history as soon as it has ended', async () => {
    const { page } = noc;
    await noc.open('/calls');
    await page.getByText('No active calls').waitFor();
    const phone = system.phone(answered, 60);
    const row = page
      .getByRole('region', { name: 'Active calls' })
      .getByRole('row')
      .filter({ hasText: shown(answered) });
    await row.getByText('In conversation').waitFor();
    await noc.picture('calls-live');
    await row.getByRole('link').click();
    await noc.heading(/^Call from /);
    await page.getByText('In conversation').waitFor();
    await page.getByText('AES_CM_128_HMAC_SHA1_80').waitFor();
    const actions = page.getByRole('region', { name: 'Actions' });
    await actions.getByRole('button', { name: 'Listen', exact: true }).click();
    for (const side of ['Other party', 'Agent'])
      await expect
        .poll(async () => Number(await actions.getByLabel(side, { exact: true }).getAttribute('value')), {
          timeout: 60_000,
        })
        .toBeGreaterThan(0.3);
    await page.getByText(/listens since/).waitFor();
    await page.getByText('No reply heard yet.').waitFor();
    const audio = page.getByRole('region', { name: 'Audio over the call' });
    await audio.getByRole('img', { name: /^Packets\/s, from the agent: worst (4|5)\d/ }).waitFor();
    await audio.getByRole('img', { name: /^MOS, from the trunk: worst 4\.\d, last 4\.\d$/ }).waitFor();
    await audio.getByRole('img', { name: /^Jitter, from the agent/ }).waitFor();
    await noc.expectAccessibleEverywhere('call-live');
    await actions.getByRole('button', { name: 'Stop listening' }).click();
    await actions.getByText('Listening has ended.').waitFor();
    await page.getByRole('link', { name: 'Calls', exact: true }).first().click();
    await page.getByRole('region', { name: 'Active calls' }).waitFor();
    phone.signal('SIGINT');
    await phone.exit(30_000);
    await page.getByText('No active calls').waitFor();
    await pastCalls(answered).getByText('Completed').waitFor();
  });

  it('is held, sent digits and hung up from its page', async () => {
    const { page } = noc;
    const call = await answeredCall(callers, answered, from('act-on-me'));
    await noc.open('/calls');
    await page.getByRole('region', { name: 'Active calls' }).getByText('act-on-me').click();
    const actions = page.getByRole('region', { name: 'Actions' });
    await actions.getByRole('button', { name: 'Hold' }).click();
    await actions.getByText('The call is on hold.').waitFor();
    await actions.getByRole('button', { name: 'Resume' }).click();
    await actions.getByText('The call has resumed.').waitFor();
    await actions.getByLabel('Digits to the other party').fill('1#');
    await actions.getByRole('button', { name: 'Send digits' }).click();
    await actions.getByText('The digits are being sent.').waitFor();
    await actions.getByLabel('Transfer to').fill('+');
    await actions.getByRole('button', { name: 'Transfer' }).click();
    await actions.getByRole('alert').waitFor();
    await actions.getByRole('button', { name: 'Hang up' }).click();
    const bye = callers.expectRequest('BYE', { callId: call.callId, milliseconds: 20_000 });
    await actions.getByRole('button', { name: 'Hang up now' }).click();
    await call.respond(await bye, 200);
    await page.getByText('Ended by the API').first().waitFor();
    await expect.poll(() => actions.count()).toBe(0);
  });

  it('is transferred after a consultation, by keyboard', async () => {
    const { page } = noc;
    await visit.attach(consulting, inbound(), outbound(visit.pbx));
    const call = await answeredCall(callers, consulting, from('consult-me'));
    await noc.open('/calls');
    await page.getByRole('region', { name: 'Active calls' }).getByText('consult-me').click();
    const actions = page.getByRole('region', { name: 'Actions' });
    await actions.getByLabel('How').selectOption('warm');
    await actions.getByLabel('Transfer to').fill('sip:1001@127.0.0.1');
    await actions.getByLabel('Transfer to').press('Enter');
    await actions.getByText('The agent talks to the target.').waitFor();
    await noc.expectAccessible('call-consultation');
    await noc.picture('call-consultation');
    const reinvite = callers.expectRequest('INVITE', { callId: call.callId, milliseconds: 20_000 });
    await actions.getByRole('button', { name: 'Complete transfer' }).press('Enter');
    const { message } = await reinvite;
    await call.respond(await reinvite, 200, { body: secureAnswer(message.body) });
    await callers.expectRequest('ACK', { callId: call.callId });
    await actions.getByText('The transfer is complete.').waitFor();
    await page
      .getByRole('region', { name: 'Transfer', exact: true })
      .getByText('Completed')
      .first()
      .waitFor();
    await call.send('BYE');
    await call.response(200, 'BYE');
  });

  it('shows the messages of a call as they come, and becomes its record without a reload', async () => {
    const { page } = noc;
    const call = await answeredCall(callers, answered, from('follow-me'));
    await noc.open('/calls');
    await page.getByRole('region', { name: 'Active calls' }).getByText('follow-me').click();
    await noc.heading('Call from follow-me');
    await page.getByRole('region', { name: 'Now' }).getByText('In conversation').waitFor();
    await page.getByRole('region', { name: 'Media so far' }).getByText('PCMU').first().waitFor();
    // On this page alone: what is announced, which the next announcement replaces.
    await page.evaluate(`window.announced = [];
      new MutationObserver(() => {
        for (const { textContent } of document.querySelectorAll('[role=status]')) announced.push(textContent);
      }).observe(document.body, { childList: true, characterData: true, subtree: true })`);
    const announced = (pattern: RegExp) => () =>
      page.evaluate(`window.announced?.some((text) => ${pattern}.test(text))`);
    await page.getByRole('button', { name: / ACK ?, Caller to Demarc$/ }).press('Enter');
    const opened = page.getByRole('region', { name: /^Message \d+: ACK$/ });
    await opened.waitFor();
    const body = 'Signal=5\r\nDuration=160\r\n';
    await call.send('INFO', { headers: { 'Content-Type': 'application/dtmf-relay' }, body });
    await page.getByRole('button', { name: / INFO ?, Caller to Demarc$/ }).waitFor();
    await page
      .getByRole('status')
      .getByText(/INFO from Caller to Demarc|new messages/)
      .waitFor();
    await call.hangUp();
    await page.getByRole('region', { name: 'Outcome' }).getByText('Completed').waitFor();
    await expect.poll(announced(/The call has ended\./), { timeout: 30_000 }).toBe(true);
    await page.getByRole('button', { name: / BYE ?, Caller to Demarc$/ }).waitFor();
    await opened.waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-expanded")')).toBe('true');
    expect(noc.problems).toEqual([]);
  });
});

describe('hostile text in headers', () => {
  const payload = '<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>';

  it('is shown as the text that it is, live and in the history', async () => {
    const { page } = noc;
    await noc.open('/calls');
    const call = await answeredCall(callers, answered, ({ localTag }) => ({
      From: `"${payload.replaceAll('"', '\\"')}" <sip:mallory@127.0.0.1>;tag=${localTag}`,
      'User-Agent': payload,
      Subject: payload,
    }));
    await page.getByRole('region', { name: 'Active calls' }).getByText(payload).waitFor();
    await noc.picture('hostile-live');
    await page.getByRole('region', { name: 'Active calls' }).getByText('mallory').click();
    await page.getByText('In conversation').waitFor();
    await call.hangUp();
    await page.getByRole('button', { name: /INVITE SDP ?, Caller to Demarc/ }).click();
    const message = page.getByRole('region', { name: 'Message 1: INVITE' });
    await message.getByText(`User-Agent: ${payload}`).waitFor();
    await noc.picture('hostile-call');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('img[src="x"], main script').count()).toBe(0);
    expect(noc.problems).toEqual([]);
  });
});

describe('one call', () => {
  it('has its ladder, read by keyboard, with every message in full and the times between', async () => {
    const { page } = noc;
    await noc.open('/calls');
    const ofPhone = page.getByRole('cell', { name: 'caller', exact: true });
    await pastCalls(answered).filter({ has: ofPhone }).getByRole('link').click();
    await noc.heading('Call from caller');
    await page.getByRole('heading', { name: 'SIP messages' }).waitFor();
    for (const lane of ['Caller', 'Demarc', 'Agent'])
      await page.locator('.lane-names').getByText(lane).waitFor();
    const first = page.getByRole('button', { name: /^0\.000 INVITE SDP ?, Caller to Demarc$/ });
    await first.focus();
    await page.keyboard.press('Enter');
    const invite = page.getByRole('region', { name: 'Message 1: INVITE' });
    await invite.getByText('SRTP AES_CM_128_HMAC_SHA1_80').waitFor();
    await invite.getByText('inline:[redacted]').waitFor();
    await page.keyboard.press('ArrowDown');
    // The 100 is second only if the agent's leg takes longer than 200 ms.
    await page.getByRole('region', { name: /^Message 2: (100 Trying|INVITE)/ }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('region', { name: /^Message/ }).count()).toBe(0);
    await page
      .getByText(/^\d+\.\d s later$/)
      .first()
      .waitFor();
    await page.getByLabel('Since previous').check({ force: true });
    await page
      .getByText(/^\+\d\.\d{3}$/)
      .first()
      .waitFor();
  });

  it('has its media, and is copied and downloaded', async () => {
    const { page } = noc;
    const media = page.getByRole('region', { name: 'Media' });
    for (const text of [
      'PCMU',
      'SRTP AES_CM_128_HMAC_SHA1_80',
      'Packets received',
      'MOS (1 to 5)',
      'Jitter',
    ]) {
      await media.getByText(text).first().waitFor();
    }
    await page.getByRole('button', { name: /^Copy all/ }).click();
    await page.getByText('Copied').waitFor();
    expect(await noc.copied()).toMatch(/Caller +Demarc +Agent/);
    const file = await noc.download(page.getByRole('link', { name: /^pcap/ }));
    expect(file.readUInt32LE(0)).toBe(0xa1b2c3d4);
    const audio = page.getByRole('region', { name: 'Audio over the call' });
    await audio.getByText('Sampled every 5 s while the call was watched or bad').waitFor();
    const [begin, end] = await extentOf(/^Packets\/s, from the trunk/);
    // The first interval ends some seconds after the call began: the charts have the time of the whole call.
    expect(begin).toBeGreaterThan(0.05);
    expect(end).toBeLessThanOrEqual(1);
    await page.getByText('It is measured while a call’s page is open.').waitFor();
    await audio.getByText('As a table').first().click();
    await audio.getByRole('columnheader', { name: 'Round trip' }).waitFor();
    await audio
      .getByRole('row', { name: /From the trunk .*4\.\d/ })
      .first()
      .waitFor();
    await page.locator('[data-ordinal="1"]').click();
    await noc.expectPageAccessible('call');
    await page.getByRole('link', { name: 'Create test scenario' }).click();
    await noc.heading('New scenario');
    await page.getByRole('region', { name: 'What was said in the call' }).waitFor();
  });

  it('explains a refusal and the remedy', async () => {
    const { page } = noc;
    const phone = system.phone(refusing, 1);
    await phone.exit(30_000);
    await noc.open('/calls?outcome=refused');
    await pastCalls(refusing).getByRole('link').click();
    const outcome = page.getByRole('region', { name: 'Outcome' });
    await outcome
      .getByText("The call came from an address that is not in the number's allowed IPs.")
      .waitFor();
    await outcome.getByText('What to do:').waitFor();
    await page.getByRole('button', { name: /403 Forbidden INVITE ?, Demarc to Caller/ }).click();
    await page.getByRole('region', { name: /^Message \d+: 403/ }).waitFor();
    await noc.picture('call-refused');
  });

  it('is found by part of its caller, and by the cause that the overview counts', async () => {
    const { page } = noc;
    await noc.open('/calls');
    await page.getByLabel('Search').fill('follow-m');
    await page.keyboard.press('Enter');
    const past = page.getByRole('region', { name: 'Past calls, newest first' });
    await expect.poll(() => past.getByRole('row').count()).toBe(2);
    await past.getByText('follow-me').filter({ visible: true }).first().waitFor();
    expect(page.url()).toContain('q=follow-m');
    await noc.open('/?window=24h');
    await noc.expectPageAccessible('overview');
    await page
      .getByRole('region', { name: 'Causes of failed calls' })
      .getByText('403 Source not allowed')
      .click();
    await noc.heading('Calls');
    expect(new URL(page.url()).searchParams.get('end_reason')).toBe('refused_source');
    await pastCalls(refusing).getByText('Refused').waitFor();
    expect(await past.getByRole('row').count()).toBe(2);
    await page
      .getByRole('button', { name: /^Times in/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Times in UTC' }).first().waitFor();
  });
});

describe('a batch of calls', () => {
  it('has its progress and its calls by state, and is stopped after a confirmation', async () => {
    const number = '+12025550163';
    await visit.attach(number, outbound(await closedUri()));
    const ordered: Body = await system.ask('POST', '/v1/calls/batch', {
      name: 'Friday reminders',
      from: number,
      task: 'Remind the customer.',
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
      calls: [{ phone_number: '+12025550198' }, { phone_number: '+12025550199' }],
    });
    expect(ordered.errors).toBeNull();
    const { page } = noc;
    await noc.open('/calls');
    await page.getByRole('link', { name: 'Batches' }).click();
    await page.getByText('2 calls: 2 waiting').waitFor();
    await noc.expectPageAccessible('call-batches');
    await page.getByLabel('Call from').fill(number);
    await page.getByLabel('Name of the batch').fill('From the page');
    await page.getByLabel('Numbers to call').fill('+1 202 555 0195\n+1 202 555');
    await page.getByLabel('What the agent is to do').fill('Say hello.');
    await page.getByRole('button', { name: 'Order the calls' }).click();
    await page.getByText('Number 2 of the list').waitFor();
    await page.getByLabel('Numbers to call').fill('+1 202 555 0195\n+1 202 555 0196\n+1 202 555 0197');
    const later = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await page.getByLabel('Start at').fill(later);
    await page.getByRole('button', { name: 'Order the calls' }).click();
    await noc.heading('From the page');
    await page.getByText('3 calls: 3 waiting').first().waitFor();
    await noc.open('/calls/batches');
    await page.getByRole('link', { name: 'Friday reminders' }).click();
    await noc.heading('Friday reminders');
    await page.getByText('Scheduled', { exact: true }).waitFor();
    await page.getByText(shown('+12025550199')).waitFor();
    await noc.expectPageAccessible('call-batch');
    await page.getByRole('button', { name: 'Stop batch …' }).click();
    await page.getByText('2 waiting calls will not be dialled.').waitFor();
    await page.getByRole('button', { name: 'Stop for good' }).click();
    await page.getByText('2 calls: 2 cancelled').waitFor();
    await page.getByLabel('State').selectOption('failed');
    await page.getByText('No calls in this state').waitFor();
    await page.getByLabel('State').selectOption('cancelled');
    await page.getByText(shown('+12025550198')).waitFor();
    expect(noc.problems).toEqual([]);
  });
});

describe('the list of calls', () => {
  it('keeps the columns and the search that a person saves', async () => {
    const { page } = noc;
    await noc.open('/calls?outcome=refused&address=127.0.0.0/8');
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ calls?$/ })
      .waitFor();
    await page.getByLabel('Name of the search').fill('Refused');
    await page.getByRole('button', { name: 'Save search' }).click();
    const columns = page.getByText('Columns', { exact: true });
    await columns.press('Enter');
    await page.getByLabel('Call-ID', { exact: true }).press('Space');
    await noc.open('/calls?outcome=refused');
    await page.getByRole('link', { name: 'Refused', exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Call-ID', exact: true }).waitFor();
    await columns.click();
    await noc.expectPageAccessible('calls');
    expect(noc.problems).toEqual([]);
  });
});

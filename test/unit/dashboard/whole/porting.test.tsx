import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NewPortPage } from '../../../../src/dashboard/pages/porting/new-port-page.js';
import { PortPage } from '../../../../src/dashboard/pages/porting/port-page.js';
import { numbersIn, numbersText, PortingPage } from '../../../../src/dashboard/pages/porting/porting-page.js';
import { QueuedPage, QueuePage } from '../../../../src/dashboard/pages/porting/queue-pages.js';
import { signInAs } from '../visitor.js';
import { ExampleApi } from './example-api.js';
import { closePages, OpenedPage } from './opened-page.js';

let api: ExampleApi;
beforeEach(async () => {
  api = await ExampleApi.open();
  signInAs();
});
afterEach(closePages);

describe('numbers', () => {
  it.each([
    ['+14155550100', ['+14155550100']],
    [' +14155550100, +14155550101;\n+14155550102 ', ['+14155550100', '+14155550101', '+14155550102']],
    [' ', []],
  ])('are read from %j', (text, numbers) => expect(numbersIn(text)).toEqual(numbers));

  it.each([
    [1, /0100$/],
    [2, /0100 and 1 more$/],
    [3, /0100 and 2 more$/],
  ])('of a request for %d are named by the first', (count, text) => {
    const phone_numbers = Array.from({ length: count }, (_, index) => ({ number: `+1415555010${index}` }));
    expect(numbersText({ phone_numbers } as never)).toMatch(text);
  });
});

describe('the port requests', () => {
  const open = (): Promise<OpenedPage> => OpenedPage.open(api, '/porting', PortingPage);

  it('lead each to its page', async () => {
    api.answer('listPorts', (data) => ({
      ...data,
      port_requests: ['r1', 'r2'].map((id) => ({ ...data.port_requests[0], id })),
    }));
    const page = await open();
    const links = page.elements('a').map((link) => link.getAttribute('href'));
    expect(links).toEqual(expect.arrayContaining(['/porting/r1', '/porting/r2', '/porting/new']));
    // The queue is for operators.
    expect(links).not.toContain('/porting/queue');
    expect(page.all('th')).not.toContain('Organization');
    signInAs({ operator: true });
    expect((await open()).elements('a').map((link) => link.getAttribute('href'))).toContain('/porting/queue');
  });

  it('are explained where there are none', async () => {
    api.answer('listPorts', (data) => ({ ...data, port_requests: [] }));
    expect((await open()).all('.empty-title')).toEqual(['No port requests']);
  });

  it('say beforehand which numbers can be ported', async () => {
    const check = (phone_number: string, fields: object) => ({
      phone_number,
      portable: true,
      number_type: 'local',
      pin_required: false,
      reason: null,
      source: 'carrier',
      ...fields,
    });
    api.answer('checkPortability', (data) => ({
      ...data,
      results: [
        check('+14155550100', { pin_required: true }),
        check('+14155550101', { source: 'numbering_plan' }),
        check('+14155550102', { portable: false, reason: 'It is a mobile number', source: 'numbering_plan' }),
      ],
    }));
    const page = await open();
    await page.fill('Numbers to check', '+14155550100 +14155550101,+14155550102');
    await page.press('Check');
    const { url, body } = api.sent.at(-1)!;
    for (const number of ['14155550100', '14155550101', '14155550102'])
      expect(`${url} ${JSON.stringify(body)}`).toContain(number);
    expect(page.all('.checks')[0]).toBe(
      [
        '+14155550100 can be ported local, PIN required',
        '+14155550101 can be ported local (by the numbering plan; the losing carrier was not asked)',
        '+14155550102 cannot be ported It is a mobile number',
      ].join(' '),
    );
    api.refuse('checkPortability', 400, 'VALIDATION_ERROR', 'Too many numbers.');
    await page.press('Check');
    expect(page.all('.problem')).toEqual(['Check failed Too many numbers.']);
    expect(page.all('.checks')).toEqual([]);
  });
});

describe('a port request', () => {
  const open = (): Promise<OpenedPage> => OpenedPage.open(api, '/porting/:id', PortPage, '/porting/r1');
  const at = '2026-11-20T10:00:00Z';
  const port = (fields: object): void =>
    api.answer('getPort', (data) => ({
      ...data,
      id: 'r1',
      status: 'submitted',
      carrier_problem: null,
      ...fields,
    }));
  const buttons = (page: OpenedPage): string[] => page.elements('button').map(({ text }) => text);
  const facts = (page: OpenedPage): string[] => {
    const values = page.all('dd');
    return page.all('dt').map((name, index) => `${name}: ${values[index]}`);
  };

  it('waits for a signature, which can be asked for again', async () => {
    const signature = { email: 'ada@acme.example', expires_at: at, signed_at: null, signer_name: null };
    port({ status: 'waiting_for_signature', signature, carrier: 'manual', carrier_reference: null });
    const page = await open();
    expect(facts(page)).toEqual(
      expect.arrayContaining([
        'Carrier: An operator carries it out by hand',
        'Carrier’s reference: Not confirmed yet',
        expect.stringMatching(/^Signature: ada@acme.example, until /),
      ]),
    );
    await page.press('Send the letter again');
    expect(api.changesSent.map(({ operation }) => operation)).toEqual(['resendPortSignature']);
    expect(page.all('span')).toContain('A new link was sent to ada@acme.example.');
  });

  it('says who signed it, and does not ask again', async () => {
    const signature = { email: 'ada@acme.example', expires_at: at, signed_at: at, signer_name: 'Ada' };
    port({ signature, carrier: 'twilio', carrier_reference: 'KW1' });
    const page = await open();
    expect(facts(page)).toEqual(
      expect.arrayContaining([
        'Carrier: twilio',
        'Carrier’s reference: KW1',
        expect.stringMatching(/^Signature: Ada, /),
      ]),
    );
    expect(buttons(page)).toEqual(['Cancel the port']);
    expect(page.all('.problem')).toEqual([]);
  });

  it('is canceled at the second click, or says why it is not', async () => {
    port({});
    const page = await open();
    api.refuse('cancelPort', 409, 'PORT_NOT_CANCELABLE', 'The carrier has begun.');
    await page.press('Cancel the port');
    expect(api.changesSent).toEqual([]);
    await page.press('Cancel it for good');
    expect(page.all('span')).toContain('The carrier has begun.');
    api.answer('cancelPort', (data) => data);
    port({ status: 'canceled' });
    await page.press('Cancel it for good');
    expect(api.changesSent.map(({ operation }) => operation)).toEqual(['cancelPort', 'cancelPort']);
    expect(buttons(page)).toEqual([]);
  });

  it.each(['completed', 'failed', 'canceled'])('has no more actions once it is %s', async (status) => {
    port({ status });
    expect(buttons(await open())).toEqual([]);
  });

  it('says what the carrier objects to, and which numbers are active already', async () => {
    port({
      carrier_problem: 'The PIN is wrong.',
      phone_numbers: [
        { number: '+14155550100', status: 'completed', reason: null, active: true },
        { number: '+14155550101', status: 'failed', reason: 'Not of this account', active: false },
        { number: '+14155550102', status: 'submitted', reason: null, active: false },
      ],
    });
    const page = await open();
    expect(page.all('.problem')).toEqual(['The carrier The PIN is wrong.']);
    const [, first, second, third] = page.all('tr');
    expect(first).toMatch(/Inbound number of this organization$/);
    expect(second).toMatch(/Not of this account$/);
    expect(third).not.toMatch(/Inbound number/);
    const links = page.elements('a').map((link) => link.getAttribute('href'));
    expect(links).toContain('/trunks/14155550100');
    expect(links).not.toContain('/trunks/14155550102');
  });
});

describe('the queue of operators', () => {
  beforeEach(() => signInAs({ operator: true }));

  it('names the organization of each request', async () => {
    api.answer('listOperatorPorts', (data) => ({
      ...data,
      port_requests: [{ ...data.port_requests[0], id: 'r1', organization: 'Acme' }],
    }));
    const page = await OpenedPage.open(api, '/porting/queue', QueuePage);
    expect(page.all('th')).toContain('Organization');
    expect(page.all('td')).toContain('Acme');
    expect(page.elements('a').map((link) => link.getAttribute('href'))).toContain('/porting/queue/r1');
  });

  const open = (): Promise<OpenedPage> =>
    OpenedPage.open(api, '/porting/queue/:id', QueuedPage, '/porting/queue/r1');
  const queued = (fields: (data: Record<string, object>) => object): void =>
    api.answer('getOperatorPort', (data) => ({
      ...data,
      id: 'r1',
      phone_numbers: ['+14155550100', '+14155550101'].map((number) => ({
        ...data.phone_numbers[0],
        number,
      })),
      allowed_moves: ['progress', 'fail'],
      ...fields(data),
    }));
  const facts = (page: OpenedPage): string[] => {
    const values = page.all('dd');
    return page.all('dt').map((name, index) => `${name}: ${values[index]}`);
  };

  it('shows what the losing carrier compares, a person in place of a business', async () => {
    const account = { first_name: 'Ada', last_name: 'Byron', account_number: null, pin: null };
    queued((data) => ({ losing_carrier: { ...data.losing_carrier, ...account, business_name: null } }));
    expect(facts(await open())).toEqual(
      expect.arrayContaining(['Customer: Ada Byron', 'Account number: None', 'PIN: None']),
    );
    queued((data) => ({
      losing_carrier: {
        ...data.losing_carrier,
        ...account,
        business_name: 'Acme',
        account_number: '7',
        pin: '12',
      },
    }));
    expect(facts(await open())).toEqual(
      expect.arrayContaining([
        'Customer: Acme',
        'Authorized representative: Ada Byron',
        'Account number: 7',
        'PIN: 12',
      ]),
    );
  });

  it('is moved with a reason, for the numbers that are chosen', async () => {
    queued(() => ({}));
    const page = await open();
    const progress = 'In progress at the losing carrier';
    await expect(page.press(progress)).rejects.toThrow('disabled');
    await page.fill('Reason', ' ');
    await expect(page.press(progress)).rejects.toThrow('disabled');
    expect(page.button(progress).getAttribute('title')).toBe('Enter a reason first.');
    await page.fill('Reason', 'Accepted');
    const [first, second] = page.elements('input').filter((each) => each.getAttribute('type') === 'checkbox');
    expect([first!.checked, second!.checked]).toEqual([true, true]);
    await page.dispatch(first!, 'change');
    await page.press(progress);
    expect(api.changesSent.at(-1)!.body).toMatchObject({ reason: 'Accepted' });
    expect(JSON.stringify(api.changesSent.at(-1)!.body)).toContain('+14155550101');
    expect(JSON.stringify(api.changesSent.at(-1)!.body)).not.toContain('+14155550100');
    await page.dispatch(second!, 'change');
    expect(page.button(progress).getAttribute('title')).toBe('Choose at least one number.');
    await page.dispatch(first!, 'change');
    api.refuse('movePort', 409, 'X', 'Another operator was faster.');
    await page.press('Failed: refused');
    expect(page.all('.field-problem')).toEqual(['Another operator was faster.']);
  });

  it('has no moves for a request that is over', async () => {
    queued(() => ({ allowed_moves: [] }));
    const page = await open();
    expect(page.all('.empty-title')).toEqual(['The request is over']);
    expect(page.elements('input')).toEqual([]);
  });
});

describe('a new port request', () => {
  it('is opened with an empty form', async () => {
    const page = await OpenedPage.open(api, '/porting/new', NewPortPage);
    expect(api.changesSent).toEqual([]);
    expect(page.elements('form').length).toBeGreaterThan(0);
  });
});

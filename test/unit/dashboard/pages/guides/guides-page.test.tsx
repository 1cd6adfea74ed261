import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { session } from '../../../../../src/dashboard/api/session.js';
import type { Firewall, OutboundSetup, Sighting } from '../../../../../src/dashboard/api/setup.js';
import type { Configuration } from '../../../../../src/dashboard/api/trunks.js';
import { Callers } from '../../../../../src/dashboard/pages/guides/callers.js';
import { NothingYet, Seen } from '../../../../../src/dashboard/pages/guides/first-contact.js';
import { carriers, systems, usualPbx } from '../../../../../src/dashboard/pages/guides/guide.js';
import { valuesOf } from '../../../../../src/dashboard/pages/guides/guide-values.js';
import { GuidesPage, Steps } from '../../../../../src/dashboard/pages/guides/guides-page.js';
import { PlainValues } from '../../../../../src/dashboard/pages/guides/plain-values.js';
import { answerOf } from '../../../../../src/dashboard/pages/guides/sighting-words.js';
import { type Rendered, rendered } from '../../rendered.js';
import { at, signInAs } from '../../visitor.js';

const nothing = (): void => undefined;
const number = '+14155550100';

beforeEach(() => signInAs());
afterEach(() => {
  session.value = undefined;
});

const outbound = (fields: Partial<OutboundSetup> = {}): OutboundSetup =>
  ({
    sip_server: 'sip.demarc.example',
    port: 5_061,
    transport: 'tls',
    instructions: 'Send calls there.',
    ...fields,
  }) as OutboundSetup;

const firewall = { ports: { rtp: '10000-20000 UDP' }, ip_addresses: ['192.0.2.1'] } as unknown as Firewall;

const inbound = (fields: object = {}): Configuration =>
  ({
    id: 'c1',
    number,
    direction: 'inbound',
    options: {},
    register_auth: null,
    allowed_ips: null,
    codec_config: null,
    ...fields,
  }) as unknown as Configuration;

describe('the values of a guide', () => {
  it('are those of the service, without a number those of any', () => {
    expect(valuesOf('', outbound(), firewall, undefined)).toEqual({
      server: 'sip.demarc.example',
      port: 5_061,
      rtpPorts: '10000-20000',
      addresses: ['192.0.2.1'],
      authority: undefined,
      number: undefined,
      recognition: { by: 'address' },
      codecs: ['PCMU', 'PCMA'],
    });
    expect(valuesOf(number, outbound(), firewall, undefined).number).toBe(number);
  });

  it('have the certificate of a private authority', () => {
    const setup = outbound({ certificate_authority: { certificate: 'PEM' } } as never);
    expect(valuesOf('', setup, firewall, undefined).authority).toBe('PEM');
  });

  it.each<[object, object]>([
    [{}, { by: 'address' }],
    [{ options: { sip_username: 'pbx1' } }, { by: 'digest', username: 'pbx1' }],
    [{ register_auth: { username: 'demarc' } }, { by: 'registration', username: 'demarc' }],
    // A registered trunk recognizes its calls by the registration.
    [
      { register_auth: { username: 'demarc' }, options: { sip_username: 'pbx1' } },
      { by: 'registration', username: 'demarc' },
    ],
  ])('of the configuration %j recognize calls %j', (fields, recognition) => {
    expect(valuesOf(number, outbound(), firewall, inbound(fields)).recognition).toEqual(recognition);
  });

  it.each<[string[], string[]]>([
    [
      ['G.722', 'PCMA'],
      ['G722', 'PCMA'],
    ],
    [
      ['opus', 'G.729'],
      ['opus', 'G729'],
    ],
    // A codec that no guide can write must not end up in a file.
    [['PCMA', 'AMR', 'constructor'], ['PCMA']],
    [['AMR'], ['PCMU', 'PCMA']],
    [[], ['PCMU', 'PCMA']],
  ])('of the codecs %j have %j', (codecs, expected) => {
    expect(valuesOf(number, outbound(), firewall, inbound({ codec_config: { codecs } })).codecs).toEqual(
      expected,
    );
  });
});

describe('the steps of a guide', () => {
  const steps = (system: (typeof systems)[number], fields: object = {}): Rendered =>
    rendered(
      <Steps
        system={system}
        carrier="Twilio"
        values={{ ...valuesOf(number, outbound(), firewall, undefined), pbx: usualPbx, ...fields }}
        loaded={{
          outbound: outbound(),
          inbound: undefined,
          values: valuesOf(number, outbound(), firewall, undefined),
        }}
        phoneNumber={number}
        onChange={nothing}
      />,
    );

  it.each(systems)('for %s are numbered without a gap, and end with the first request', (system) => {
    const titles = steps(system)
      .all('h2')
      .filter((title) => /^\d+\. /.test(title));
    expect(titles.map((title) => Number.parseInt(title, 10))).toEqual(titles.map((_, index) => index + 1));
    expect(titles.at(-1)).toContain(system === 'Carrier' ? 'Wait for the carrier' : 'Wait for the PBX');
  });

  it.each(systems)('for %s say whether they are tested', (system) => {
    const note = steps(system).all('.note')[0];
    if (system === 'Asterisk') expect(note).toContain('loaded by a real Asterisk');
    else expect(note).toMatch(/Not tested with|are not tested/);
  });

  it('are refused with the reason where a file cannot hold a value', () => {
    const { text, all } = steps('Asterisk', { recognition: { by: 'digest', username: '#include' } });
    expect(text).toContain('begins with #');
    expect(all('li')).toEqual([]);
  });

  it('lead to the page of the number', () => {
    expect(
      steps('FreePBX')
        .elements('a')
        .map(({ href }) => href),
    ).toContain('/trunks/14155550100');
  });
});

describe('the page', () => {
  const page = (query: Record<string, string> = {}, route?: (url: string) => void): Rendered =>
    rendered(at({ path: '/setup/pbx', query, ...(route && { route }) }, <GuidesPage />));
  const input = (drawn: Rendered) =>
    drawn.elements('input').find(({ placeholder }) => placeholder !== undefined)!;

  it('shows the first system for an unknown one, and carriers only where they are asked for', () => {
    expect(page({ system: 'Avaya' }).text).not.toContain(carriers[1]);
    expect(page({ system: 'Carrier' }).text).toContain(carriers[1]);
  });

  it.each(['203.0.113.5', 'pbx.example.com', '[2001:db8::1]', ''])('accepts the address %j', (pbx) => {
    const drawn = page({ pbx });
    expect(input(drawn)['aria-invalid']).toBe(false);
    expect(drawn.text).not.toContain('is not a host name');
  });

  it.each(['sip:pbx.example.com', 'pbx.example.com:5061', '203.0.113.256', 'a b'])(
    'refuses the address %j',
    (pbx) => {
      const drawn = page({ pbx });
      expect(input(drawn)['aria-invalid']).toBe(true);
      expect(drawn.text).toContain(`${pbx} is not a host name or IP address. Omit sip: and the port.`);
    },
  );

  it('keeps what is chosen in its address', () => {
    const routes: string[] = [];
    const drawn = page({ system: 'Asterisk', number: '14155550100' }, (url) => routes.push(url));
    input(drawn).onChange({ currentTarget: { value: ' pbx.example.com ' } });
    input(drawn).onChange({ currentTarget: { value: ' ' } });
    expect(routes).toEqual([
      '/setup/pbx?system=Asterisk&number=14155550100&pbx=pbx.example.com',
      '/setup/pbx?system=Asterisk&number=14155550100',
    ]);
  });
});

it('the values alone name how calls are recognized', () => {
  const cells = (fields: object = {}) => rendered(<PlainValues outbound={outbound(fields)} />).text;
  expect(cells()).toContain('source address (allowed_ips)');
  expect(cells({ credentials: { username: 'pbx1' } })).toContain('digest, as pbx1');
  expect(cells()).toContain('TLS 1.2 or later, over TCP');
});

describe('the addresses that may call', () => {
  const callers = (configuration: Configuration | undefined, ...sources: string[]): Rendered =>
    rendered(
      <Callers configuration={configuration} phoneNumber={number} sources={sources} onChange={nothing} />,
    );

  it.each<[string, object | undefined, string[], string]>([
    ['no number', undefined, ['203.0.113.5'], 'Choose a number that 203.0.113.5 may call.'],
    [
      'digest',
      { options: { sip_username: 'a' } },
      ['203.0.113.5'],
      'recognizes its PBX by user and password',
    ],
    ['registration', { register_auth: { username: 'a' } }, ['203.0.113.5'], 'by user and password'],
    ['a host name', {}, ['pbx.example.com'], 'Enter the address from which pbx.example.com calls.'],
    [
      'a listed address',
      { allowed_ips: ['203.0.113.5'] },
      ['203.0.113.5'],
      '203.0.113.5 may call +14155550100.',
    ],
    [
      'a missing address',
      { allowed_ips: ['203.0.113.4'] },
      ['203.0.113.5'],
      '203.0.113.5 is not in the list',
    ],
    [
      'one of two',
      { allowed_ips: ['192.0.2.0/24'] },
      ['192.0.2.0/24', '2001:db8::/32'],
      '2001:db8::/32 is not in the list',
    ],
    ['two', {}, ['192.0.2.0/24', '203.0.113.5'], '192.0.2.0/24, 203.0.113.5 are not in the list'],
  ])('with %s', (_, configuration, sources, words) => {
    expect(callers(configuration && inbound(configuration), ...sources).text).toContain(words);
  });

  it('warn that the first listed address keeps all others out', () => {
    const warning = 'only listed addresses may call';
    expect(callers(inbound(), '203.0.113.5').text).toContain(warning);
    expect(callers(inbound({ allowed_ips: ['192.0.2.1'] }), '203.0.113.5').text).not.toContain(warning);
  });

  it('are allowed only by sessions that may change numbers', () => {
    const button = () => callers(inbound(), '203.0.113.5').elements('button')[0]!;
    expect(button()).toMatchObject({ disabled: false, children: 'Allow 203.0.113.5' });
    expect(callers(inbound(), '192.0.2.1', '192.0.2.2').elements('button')[0]!.children).toBe(
      'Allow these 2',
    );
    signInAs({ scopes: ['trunks:read'] });
    expect(button().disabled).toBe(true);
    expect(callers(inbound(), '203.0.113.5').text).toContain('This key lacks the scope for it.');
  });
});

const sighting = (fields: Partial<Sighting> = {}): Sighting =>
  ({
    at: '2026-11-22T10:00:00Z',
    kind: 'request',
    method: 'INVITE',
    source_address: '203.0.113.5',
    source_port: 5_061,
    protocol: 'tls',
    status: 403,
    end_reason: 'refused_source',
    phone_number: number,
    called: null,
    user_agent: null,
    tls: null,
    call_id: null,
    cause: 'The address is not listed.',
    advice: 'Allow it.',
    detail: null,
    ...fields,
  }) as Sighting;

describe('a request of the PBX', () => {
  const seen = (fields: Partial<Sighting> = {}, configuration?: Configuration): Rendered =>
    rendered(<Seen sighting={sighting(fields)} configuration={configuration} onChange={nothing} />);

  it.each<[Partial<Sighting>, string]>([
    [{ status: null, end_reason: null }, 'good'],
    [{ method: 'OPTIONS', status: 200, end_reason: null }, 'good'],
    [{ status: 403 }, 'bad'],
    [{ method: 'OPTIONS', status: 400, end_reason: null }, 'bad'],
    [{ kind: 'handshake', method: null, status: null }, 'bad'],
    [{ method: 'OPTIONS', status: 302, end_reason: null }, 'warn'],
  ] as never)('with %j is %s', (fields: Partial<Sighting>, tone: string) => {
    expect(seen(fields).html).toContain(`class="state ${tone}"`);
  });

  it('offers to allow its address only for the number that is shown, once', () => {
    const buttons = (fields: Partial<Sighting>, configuration?: Configuration) =>
      seen(fields, configuration).all('button');
    expect(buttons({}, inbound())).toEqual(['Allow 203.0.113.5']);
    expect(buttons({})).toEqual([]);
    expect(buttons({}, inbound({ number: '+14155550199' }))).toEqual([]);
    expect(buttons({ end_reason: 'refused_media', status: 488 }, inbound())).toEqual([]);
    const listed = seen({}, inbound({ allowed_ips: ['203.0.113.5'] }));
    expect(listed.all('button')).toEqual([]);
    expect(listed.text).toContain('203.0.113.5 is in the list now Call again.');
  });

  it('shows what the PBX said of itself, and its certificate', () => {
    const { text } = seen({
      user_agent: 'Asterisk',
      called: '+1999',
      tls: { version: 'TLSv1.3', cipher: 'AES', certificate: null },
    } as never);
    expect(text).toContain('User-Agent Asterisk');
    expect(text).toContain('Called +1999');
    expect(text).toContain('TLSv1.3, AES');
    expect(text).toContain('none presented');
    expect(seen().text).not.toMatch(/User-Agent|Called|TLS /);
  });

  it('leads to the messages of its call where the call is of a number', () => {
    const links = (fields: Partial<Sighting>) =>
      seen(fields)
        .elements('a')
        .map(({ href }) => href);
    expect(links({ call_id: 'c7' })).toEqual(['/calls/c7']);
    expect(links({ call_id: 'c7', phone_number: null })).toEqual([]);
  });

  it.each<[Partial<Sighting>, string]>([
    [{}, '403 over TLS, from port 5061'],
    [{ status: null, source_port: null }, 'admitted over TLS'],
    [{ kind: 'handshake' }, 'nothing: there was no SIP request'],
  ])('with %j was answered: %s', (fields, text) => expect(answerOf(sighting(fields))).toBe(text));
});

it.each<[string, string | undefined, string]>([
  ['', undefined, 'A number is chosen above.'],
  [number, undefined, 'Its address is entered above and allowed.'],
  [number, '203.0.113.5', 'It calls from 203.0.113.5.'],
])('without a request for %j of %j the checks say: %s', (phoneNumber, host, words) => {
  expect(
    rendered(<NothingYet phoneNumber={phoneNumber} host={host} />)
      .all('li')
      .at(-1),
  ).toContain(words);
});

import { describe, expect, it } from 'vitest';
import { type GuideValues, systems, usualPbx } from '../../../../../src/dashboard/pages/guides/guide.js';
import { guideOf } from '../../../../../src/dashboard/pages/guides/guides.js';
import { isAddress, readHost } from '../../../../../src/dashboard/pages/guides/written.js';

const values = (changes: Partial<GuideValues> = {}): GuideValues => ({
  server: 'sip.demarc.example',
  port: 5061,
  rtpPorts: '10000-20000',
  addresses: ['192.0.2.1', '192.0.2.8/30', '2001:db8::1'],
  authority: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  number: '+14155550100',
  recognition: { by: 'address' },
  codecs: ['PCMU', 'G722'],
  pbx: { ...usualPbx, host: '203.0.113.5' },
  ...changes,
});

/** All text of a guide. */
const textOf = (...values: Parameters<typeof guideOf>): string =>
  guideOf(...values)
    .steps.flatMap(({ parts }) =>
      parts.map((part) => {
        if (part.kind === 'file' || part.kind === 'note' || part.kind === 'warning') return part.text;
        if (part.kind === 'fields') return part.rows.map((row) => row.join('=')).join('\n');
        return part.kind === 'callers' ? part.addresses.join() : part.kind;
      }),
    )
    .join('\n');

const file = (system: Parameters<typeof guideOf>[0], title: string, values: GuideValues): string => {
  for (const { parts } of guideOf(system, 'Twilio', values).steps)
    for (const part of parts) if (part.kind === 'file' && part.title.includes(title)) return part.text;
  throw new Error(`${system} has no file ${title}.`);
};

describe('every guide', () => {
  it.each(systems)('for %s names the CA, the server and both directions', (system) => {
    const text = textOf(system, 'Another carrier', values());
    const titles = guideOf(system, 'Another carrier', values()).steps.map(({ title }) => title.toLowerCase());
    if (system !== '3CX') expect(text).toContain('sip.demarc.example');
    expect(titles.join()).toContain(system === 'Asterisk' ? 'route' : 'inbound route');
    expect(text.toLowerCase()).toContain(system === 'Asterisk' ? 'outbound route' : 'demarc');
    if (['FreePBX', 'Asterisk', 'Cisco CUBE'].includes(system)) expect(text).toContain('authority');
  });

  it.each(['FreePBX', 'Asterisk', 'Cisco CUBE'] as const)(
    'for %s has a placeholder for a password that is not known, and a known one as it is',
    (system) => {
      const digest = (password?: string) =>
        textOf(system, 'Twilio', values({ recognition: { by: 'digest', username: 'pbx1', password } }));
      expect(digest()).toContain('PASSWORD_OF_THE_NUMBER');
      expect(digest('s3cret')).toContain('s3cret');
      expect(digest('s3cret')).not.toContain('PASSWORD_OF_THE_NUMBER');
    },
  );

  const registered = values({ recognition: { by: 'registration', username: 'ext700' } as never });

  it('for FreePBX needs no routes where the number registers as an extension', () => {
    const text = textOf('FreePBX', 'Twilio', registered);
    expect(text).toContain('Dial ext700, or transfer to it');
    expect(text).toContain('arrive as those of the extension: nothing to add');
    expect(text).not.toContain('Add Outbound Route');
    expect(text).not.toContain('DID Number');
    const byAddress = textOf('FreePBX', 'Twilio', values());
    expect(byAddress).toContain('Add Outbound Route');
    expect(byAddress).toContain('DID Number');
    expect(byAddress).toContain('+14155550100');
    expect(byAddress).not.toContain('ext700');
    expect(textOf('FreePBX', 'Twilio', values({ number: undefined }))).toContain('+X.');
  });

  it('for Cisco CUBE warns where the number registers, and only there', () => {
    const warning = 'CUBE is no registrar';
    expect(textOf('Cisco CUBE', 'Twilio', registered)).toContain(warning);
    expect(textOf('Cisco CUBE', 'Twilio', values())).not.toContain(warning);
    expect(textOf('Cisco CUBE', 'Twilio', values())).not.toContain('Replace ');
  });

  it.each(['FreePBX', 'Cisco CUBE'] as const)('for %s installs no CA of a well-known authority', (system) => {
    const text = textOf(system, 'Twilio', values({ authority: undefined }));
    expect(text).toContain('well-known authority');
    expect(text).not.toContain('BEGIN CERTIFICATE');
    expect(textOf(system, 'Twilio', values())).toContain('BEGIN CERTIFICATE');
  });

  it('says of untested products that they are untested', () => {
    expect(systems.filter((system) => guideOf(system, 'Twilio', values()).isTested)).toEqual(['Asterisk']);
  });
});

describe('the files of Asterisk', () => {
  it('define every context, endpoint and transport that they name', () => {
    const pjsip = file('Asterisk', 'pjsip.conf', values());
    const extensions = file('Asterisk', 'extensions.conf', values());
    expect(pjsip).toContain('context=from-demarc');
    expect(extensions).toContain('[from-demarc]');
    expect(pjsip).toContain('[transport-tls]');
    expect(pjsip).toContain('transport=transport-tls');
    for (const match of ['192.0.2.1', '192.0.2.8/30', '2001:db8::1'])
      expect(pjsip).toContain(`match=${match}`);
    expect(pjsip).toContain('contact=sip:14155550100@sip.demarc.example:5061\\;transport=tls');
    expect(pjsip).toContain('allow=ulaw,g722\n');
    expect(extensions).toContain(`exten => +14155550100,1,Dial(PJSIP/\${EXTEN}@demarc,60)`);
  });

  it('put an IPv6 server in brackets, and match a server without listed addresses by its name', () => {
    expect(file('Asterisk', 'pjsip.conf', values({ server: '2001:db8::5', number: undefined }))).toContain(
      'contact=sip:[2001:db8::5]:5061\\;transport=tls',
    );
    expect(file('Asterisk', 'pjsip.conf', values({ addresses: [] }))).toContain('match=sip.demarc.example\n');
  });

  it('refuse outside numbers until the carrier is named', () => {
    expect(file('Asterisk', 'extensions.conf', values())).toContain('exten => _+X.,1,Hangup(1)');
    const through = values({ pbx: { ...usualPbx, carrier: 'my-carrier' } });
    expect(file('Asterisk', 'extensions.conf', through)).toContain(`Dial(PJSIP/\${EXTEN}@my-carrier,60)`);
  });

  it('escape what Asterisk would read as a comment', () => {
    const user = values({ recognition: { by: 'digest', username: 'a;b', password: 'x\\;y' } });
    const pjsip = file('Asterisk', 'pjsip.conf', user);
    expect(pjsip).toContain('username=a\\;b\n');
    expect(pjsip).toContain('password=x\\\\\\;y\n');
  });

  it.each([
    ['a line break in a password', { by: 'digest', username: 'u', password: 'a\ncontext=from-internal' }],
    ['a space at the end of a user name', { by: 'digest', username: 'u ' }],
    ['a user name that begins with #', { by: 'digest', username: '#include' }],
    ['a registered user that would end its section', { by: 'registration', username: '700]' }],
  ] as const)('refuse %s', (_, recognition) => {
    expect(() => guideOf('Asterisk', 'Twilio', values({ recognition }))).toThrow(/has|begins|may have/);
  });

  it.each(['x)\n same => n,System(reboot', 'a,b', 'a b', ''])(
    'refuse the carrier’s endpoint %j',
    (carrier) => {
      expect(() => guideOf('Asterisk', 'Twilio', values({ pbx: { ...usualPbx, carrier } }))).toThrow(
        /letters, digits/,
      );
    },
  );

  it('refuse a number that a dialplan would read as a pattern', () => {
    expect(() => guideOf('Asterisk', 'Twilio', values({ number: '+1415X.' }))).toThrow(/E.164/);
  });
});

describe('the configuration of CUBE', () => {
  it('writes ranges as address and mask, and codecs by IOS’s names', () => {
    const global = file('Cisco CUBE', 'Global', values());
    expect(global).toContain('  ipv4 192.0.2.8 255.255.255.252\n');
    expect(global).toContain('  ipv6 2001:db8::1\n');
    expect(global).toContain(' codec preference 1 g711ulaw\n codec preference 2 g722-64\n');
  });

  it.each(['what?', 'two words', 'bang!'])(
    'refuses the user name %j, which IOS reads otherwise',
    (username) => {
      expect(() =>
        guideOf('Cisco CUBE', 'Twilio', values({ recognition: { by: 'digest', username } })),
      ).toThrow(/IOS/);
    },
  );
});

describe('a carrier', () => {
  it('is warned of a certificate that it cannot verify', () => {
    expect(textOf('Carrier', 'Twilio', values())).toContain('a carrier cannot install');
    expect(textOf('Carrier', 'Twilio', values({ authority: undefined }))).not.toContain('cannot install');
    expect(textOf('Carrier', 'Telnyx', values({ authority: undefined, server: '192.0.2.1' }))).toContain(
      '192.0.2.1 is an address',
    );
  });

  it('gets its origination URI, and its addresses can be allowed', () => {
    const text = textOf('Carrier', 'Twilio', values());
    expect(text).toContain('sip:sip.demarc.example:5061;transport=tls');
    expect(text).toContain('54.172.60.0/30');
  });
});

describe('a host as users type it', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    [' PBX.example.com ', 'pbx.example.com'],
    ['[2001:db8::5]', '2001:db8::5'],
    ['localhost', 'localhost'],
  ])('%j is %j', (typed, host) => expect(readHost(typed)).toBe(host));

  it.each([
    'sip:pbx.example.com',
    'pbx.example.com:5061',
    '203.0.113.256',
    '203.0.113',
    'a b',
    'a;b',
    'a\nb',
    '-a.example',
    '',
    `${'a'.repeat(64)}.example`,
  ])('%j is none', (typed) => expect(readHost(typed)).toBeUndefined());

  it('is an address or a name', () => {
    expect(isAddress('2001:db8::5')).toBe(true);
    expect(isAddress('2001:db8::zz')).toBe(false);
    expect(isAddress('pbx.example.com')).toBe(false);
  });
});

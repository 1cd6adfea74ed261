import { describe, expect, it } from 'vitest';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import { checkReachable, checkUrl } from '../../../../src/control/numbers/private-endpoints.js';

type Settings = Parameters<typeof checkReachable>[0];
const settings = (fields: Partial<Settings> = {}): Settings => ({
  privateEndpoints: 'refuse',
  privateNetworks: [],
  ...fields,
});

/** Why it is refused; undefined: it is accepted. */
function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    expect(error.faults.map(({ path }) => path)).toEqual(['agent']);
    return error.faults[0]!.message;
  }
}
const reach = (endpoint: string | null, own = settings()) =>
  problemOf(() => checkReachable(own, endpoint, 'agent'));
const url = (text: string, own = settings()) => problemOf(() => checkUrl(own, text, 'agent'));
const listed = settings({ privateNetworks: ['10.1.0.0/16'] });

describe('an endpoint that customers name', () => {
  it.each(['8.8.8.8', 'pbx.example.com', 'sip:[2001:4860::1]:5061', 'wss://bot.example.com'])(
    'may be %s',
    (endpoint) => expect(reach(endpoint)).toBeUndefined(),
  );

  it.each([
    '10.0.0.1',
    'sip:192.168.1.1:5060',
    '127.0.0.1',
    'localhost',
    'a.localhost',
    'sip:[fd00::1]',
    '169.254.169.254',
    'wss://10.0.0.1',
    'wss://localhost',
    'wss://[::1]:8443/x',
  ])('must not be %s', (endpoint) => expect(reach(endpoint)).toMatch(/./));

  it('may be none', () => expect(reach(null)).toBeUndefined());

  it('may be private where operators allow it', () => {
    for (const endpoint of ['10.0.0.1', 'localhost', 'ws://10.0.0.1', 'not an endpoint at all'])
      expect(reach(endpoint, settings({ privateEndpoints: 'allow' }))).toBeUndefined();
  });

  it('may be in a private network that operators list', () => {
    expect(reach('10.1.2.3', listed)).toBeUndefined();
    expect(reach('10.2.2.3', listed)).toMatch(/./);
  });

  it('must be one', () =>
    expect(reach('a b')).toBe('The destination contains a space or a control character'));
});

describe('the URL of a bot or a file', () => {
  it('is encrypted', () => {
    expect(url('wss://bot.example.com')).toBeUndefined();
    expect(url('https://files.example.com/a.wav')).toBeUndefined();
    expect(url('ws://bot.example.com')).toBe('must be wss://: ws:// is not encrypted');
    expect(url('http://files.example.com')).toBe('must be https://: http:// is not encrypted');
  });

  it('may be plain in a private network that operators list, by address alone', () => {
    expect(url('ws://10.1.2.3:8080', listed)).toBeUndefined();
    expect(url('http://10.1.2.3/a.wav', listed)).toBeUndefined();
    expect(url('ws://10.2.2.3', listed)).toBe('must be wss://: ws:// is not encrypted');
    expect(url('ws://bot.example.com', listed)).toBe('must be wss://: ws:// is not encrypted');
    expect(url('ws://10.1.2.3')).toBe('must be wss://: ws:// is not encrypted');
  });

  it('may be plain anywhere where operators allow private endpoints', () =>
    expect(url('ws://127.0.0.1', settings({ privateEndpoints: 'allow' }))).toBeUndefined());

  it.each([
    'wss://10.0.0.1',
    'wss://[::1]',
    'wss://localhost',
    'https://x.localhost/a',
    'wss://169.254.169.254',
  ])('is not %s', (text) => expect(url(text)).toMatch(/./));

  it('does not take a name that only ends like localhost', () =>
    expect(url('wss://notlocalhost')).toBeUndefined());
});

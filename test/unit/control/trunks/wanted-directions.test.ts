import { describe, expect, it } from 'vitest';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import { InvalidRequest } from '../../../../src/control/http/validation.js';
import { identityOfWanted, wantedConfiguration } from '../../../../src/control/trunks/configuration.js';
import { directionSchema } from '../../../../src/control/trunks/direction-schema.js';
import { derivePbxPassword } from '../../../../src/control/trunks/passwords.js';
import { readDirections, rowFor } from '../../../../src/control/trunks/wanted-directions.js';
import { configurationRow, outboundRow } from '../numbers/configuration-row.js';

const key = generateSecretKey();
const settings = {
  secretKeys: [key],
  privateEndpoints: 'refuse',
  privateNetworks: [],
} as unknown as Parameters<typeof readDirections>[0]['settings'];
const read = (directions: object[], secrets = new SecretBox([key])) =>
  readDirections(
    { settings, secrets },
    'org_1',
    directions.map((direction) => directionSchema.parse(direction)),
  );
const refusal = (directions: object[]): [string | undefined, string] | undefined => {
  try {
    read(directions);
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    return [error.faults[0]!.path, error.faults[0]!.message];
  }
};
const outbound = (sip_endpoint: string, fields: object = {}) => ({
  type: 'outbound',
  sip_endpoint,
  ...fields,
});
const register = (username: string, fields: object = {}) => ({
  type: 'inbound',
  auth_mode: 'register',
  register_auth: { username, password: 'long enough' },
  ...fields,
});

describe('the directions of a request', () => {
  it('are each wanted once, when two are the same', () => {
    const twice = read([
      outbound('one.example.com'),
      outbound('two.example.com'),
      outbound('one.example.com'),
    ]);
    expect(twice.map(({ configuration }) => configuration.sipEndpoint)).toEqual([
      'one.example.com',
      'two.example.com',
    ]);
  });

  it('are refused when two contradict each other', () => {
    expect(
      refusal([
        outbound('one.example.com'),
        outbound('one.example.com', { options: { secure_media: false } }),
      ]),
    ).toEqual(['directions.1', 'Another direction in the request has the same server']);
    expect(
      refusal([
        { type: 'inbound', agent: 'a.example.com' },
        outbound('one.example.com'),
        { type: 'inbound', agent: 'b.example.com' },
      ]),
    ).toEqual(['directions.2', 'Another direction in the request has the same callers']);
  });

  it('have one registration at most, and the password that the PBX gets', () => {
    const [only] = read([register('pbx')]);
    expect(only!.pbxPassword).toBe(
      derivePbxPassword(key, 'org_1', { username: 'pbx', password: 'long enough' }),
    );
    expect(refusal([register('pbx'), register('pbx2')])).toEqual([
      'directions.1.auth_mode',
      'Only one direction in a request can have auth_mode register',
    ]);
    expect(read([register('pbx'), register('pbx')])).toHaveLength(1);
    expect(read([outbound('one.example.com')])[0]!.pbxPassword).toBeUndefined();
  });

  it('need a key for any password', () => {
    const without = new SecretBox([]);
    const missing = expect.objectContaining({ code: 'SECRET_KEY_MISSING' });
    expect(() => read([register('pbx')], without)).toThrow(missing);
    const options = { sip_username: 'user', sip_password: 'secret' };
    expect(() => read([outbound('one.example.com', { options })], without)).toThrow(missing);
    expect(read([outbound('one.example.com')], without)).toHaveLength(1);
  });

  it.each<[string, object]>([
    ['directions.1.sip_endpoint', outbound('10.0.0.1')],
    ['directions.1.agent', outbound('two.example.com', { agent: '10.0.0.1' })],
    [
      'directions.1.options.agents.endpoints.1',
      {
        type: 'inbound',
        options: { agents: { strategy: 'ring_all', endpoints: ['a.example.com', '10.0.0.1'] } },
      },
    ],
    ['directions.1.registrar', register('pbx', { registrar: '10.0.0.1' })],
    [
      'directions.1.agent.fallback',
      { type: 'inbound', agent: { type: 'websocket', url: 'wss://bot.example.com', fallback: '10.0.0.1' } },
    ],
  ])('are refused at %s where it leads into a private network', (path, direction) =>
    expect(refusal([outbound('one.example.com'), direction])?.[0]).toBe(path),
  );
});

describe('the configuration that a wanted one replaces', () => {
  const choose = (direction: object, existing: Parameters<typeof rowFor>[0]): string | undefined => {
    const configuration = wantedConfiguration(directionSchema.parse(direction));
    return rowFor(existing, configuration, identityOfWanted(configuration))?.id;
  };
  const known = configurationRow({ id: 'known', allowed_ips: ['192.0.2.1'] });
  const open = configurationRow({ id: 'open' });
  const server = outboundRow({ id: 'server', sip_endpoint: 'one.example.com' });

  it('is the one for the same calls', () => {
    expect(choose({ type: 'inbound', allowed_ips: ['192.0.2.1'] }, [open, known, server])).toBe('known');
    expect(choose(outbound('one.example.com'), [open, known, server])).toBe('server');
  });

  it('is an open one for new callers, which would leave the number open', () => {
    expect(choose({ type: 'inbound', allowed_ips: ['192.0.2.9'] }, [known, open])).toBe('open');
    expect(choose({ type: 'inbound', allowed_ips: ['192.0.2.9'] }, [known])).toBeUndefined();
  });

  it('is none for a new server, whatever else is there', () => {
    expect(choose(outbound('two.example.com'), [open, known, server])).toBeUndefined();
    expect(choose(outbound('one.example.com'), [])).toBeUndefined();
  });
});

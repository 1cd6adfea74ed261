import { describe, expect, it } from 'vitest';
import { type Discovery, discoveryBoundMilliseconds } from '../../../../src/contract/discovery.js';
import { unlessInterrupted } from '../../../../src/control/discovery/discoveries.js';
import { bodySchema, readWanted } from '../../../../src/control/discovery/routes.js';
import type { InvalidRequest } from '../../../../src/control/http/validation.js';

const begun = Date.parse('2026-11-20T12:00:00Z');
const discovery = (status: Discovery['status']): Discovery => ({
  discovery_id: 'disc_1',
  organization: 'org_1',
  status,
  failure: null,
  detail: null,
  host: 'pbx.example.com',
  port: null,
  transport: null,
  progress: { done: 1, total: 9 },
  resolved_addresses: [],
  srv_records: [],
  attempts: [],
  recommended: null,
  started_at: new Date(begun).toISOString(),
  completed_at: null,
});

describe('a discovery that runs', () => {
  it('is interrupted when an edge would have ended it ten seconds ago', () => {
    const end = begun + discoveryBoundMilliseconds + 10_000;
    const running = discovery('running');
    expect(unlessInterrupted(running, end - 1)).toBe(running);
    expect(unlessInterrupted(running, end)).toEqual({
      ...running,
      status: 'failed',
      failure: 'interrupted',
      detail: 'The edge that ran the discovery died',
    });
  });

  it('stays as it ended, whatever its age', () => {
    for (const status of ['completed', 'failed'] as const) {
      const ended = discovery(status);
      expect(unlessInterrupted(ended, begun + 86_400_000)).toBe(ended);
    }
  });
});

describe('a discovery that is asked for', () => {
  const read = (body: object, discoverPrivate = false, privateNetworks: string[] = []) =>
    readWanted(bodySchema.parse(body), { discoverPrivate, privateNetworks });
  const refusal = (body: object, ...allowed: [boolean?, string[]?]): [string | undefined, string] => {
    try {
      read(body, ...allowed);
      return [undefined, ''];
    } catch (error) {
      const [fault] = (error as InvalidRequest).faults;
      return [fault!.path, fault!.message];
    }
  };

  it('takes port and transport of the host, unless they are given', () => {
    expect(read({ host: 'sip:PBX.example.com:5070;transport=tcp' })).toEqual({
      host: 'pbx.example.com',
      port: 5_070,
      transport: 'tcp',
      tls_ca: undefined,
    });
    expect(read({ host: 'pbx.example.com:5070', port: 5_080, transport: 'udp' })).toMatchObject({
      port: 5_080,
      transport: 'udp',
    });
    expect(read({ host: 'pbx.example.com' })).toMatchObject({ port: undefined, transport: undefined });
  });

  it('is refused for an address in a private network', () => {
    const notAllowed: [string, string] = ['host', 'Discovery of this address is not allowed'];
    expect(refusal({ host: '10.0.0.1' })).toEqual(notAllowed);
    expect(refusal({ host: '127.0.0.1:5060' })).toEqual(notAllowed);
    expect(refusal({ host: '10.0.0.1' }, false, ['10.0.0.0/8'])[0]).toBeUndefined();
    expect(refusal({ host: '10.0.0.1' }, true)[0]).toBeUndefined();
    expect(refusal({ host: '8.8.8.8' })[0]).toBeUndefined();
  });

  it('is refused for what is no host', () => expect(refusal({ host: 'a b' })[0]).toBe('host'));

  it.each([{ port: 0 }, { port: 65_536 }, { transport: 'ws' }, { tls_ca: 'x' }, { other: 1 }, { host: '' }])(
    'is not read with %j',
    (fields) => expect(bodySchema.safeParse({ host: 'pbx.example.com', ...fields }).success).toBe(false),
  );
});

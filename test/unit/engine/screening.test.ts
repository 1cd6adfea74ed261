import { describe, expect, it } from 'vitest';
import { readEngineSettings } from '../../../src/config/engine-settings.js';
import { screen } from '../../../src/engine/screening.js';
import { Fixture as DialogFixture, peerRequest } from './dialog/fixture.js';
import { Fixture, ourAddress, requestBytes } from './transaction/fixture.js';

const screening = (...words: string[]) =>
  readEngineSettings(['--secret', 's', '--udp', '127.0.0.1:0', ...words]).screening;

function fixture(...words: string[]): Fixture {
  const settings = screening(...words);
  return new Fixture({}, undefined, ourAddress, undefined, (received) => screen(settings, received));
}

const scan = (method: string, extra: string, protocol = 'UDP'): string =>
  requestBytes({ method, protocol, callId: extra.replace(/\W/g, ''), extra: [extra] });

describe('requests of scanners', () => {
  const scanners = ['--scanner', 'friendly-scanner', '--scanner', 'To=bob@192', '--scanner', 'sipcli'];

  it('are refused 603, and reach no application; their ACK neither', () => {
    const f = fixture(...scanners.slice(0, 2), ...scanners.slice(4));
    f.deliver(scan('INVITE', 'User-Agent: Friendly-Scanner/1.0'));
    f.deliver(scan('REGISTER', 'User-Agent: a SIPcli b'));
    f.deliver(scan('ACK', 'User-Agent: Friendly-Scanner/1.0'));
    expect(f.wire()).toEqual(['603', '603']);
    expect(f.user.requests).toEqual([]);
    expect(f.user.acks).toEqual([]);
    expect(f.layer.statistics.screened).toBe(3);
    expect(f.layer.counts).toMatchObject({ server: 0, lingeringServer: 0 });
    f.deliver(scan('OPTIONS', 'User-Agent: Asterisk PBX'));
    expect(f.user.requests).toHaveLength(1);
  });

  it('are known by any header', () => {
    const f = fixture(...scanners);
    f.deliver(scan('OPTIONS', 'X-Any: 1'));
    expect(f.wire()).toEqual(['603']);
  });

  it('get no answer where so configured, with a separate setting for streams', () => {
    const f = fixture(
      ...scanners.slice(0, 2),
      '--scanner-action',
      'ignore',
      '--scanner-stream-action',
      'refuse',
    );
    f.deliver(scan('INVITE', 'User-Agent: friendly-scanner'));
    expect(f.wire()).toEqual([]);
    f.deliver(scan('INVITE', 'User-Agent: friendly-scanner', 'TCP'), f.flow('tcp'));
    expect(f.wire()).toEqual(['603']);
    const same = screening('--scanner', 'x', '--scanner-action', 'ignore');
    expect(same).toMatchObject({ action: 'ignore', streamAction: 'ignore' });
  });
});

describe('OPTIONS that the engine answers', () => {
  it('are those of the User-Agents that are set, and reach no application', () => {
    const f = new DialogFixture(['options']);
    f.deliver(peerRequest(f, 'OPTIONS', { headers: 'User-Agent: Pinger 2' }));
    expect(f.sentResponse(200).headers.get('Allow')).toContain('INVITE');
    expect(f.application.requests).toEqual([]);
    f.deliver(peerRequest(f, 'OPTIONS', { callId: 'other', headers: 'User-Agent: another' }));
    f.deliver(peerRequest(f, 'OPTIONS', { callId: 'third', headers: 'User-Agent: pinger\r\nRequire: x' }));
    expect(f.application.requests).toHaveLength(2);
    f.core.drain();
    f.deliver(peerRequest(f, 'OPTIONS', { callId: 'fourth', headers: 'User-Agent: pinger' }));
    expect(f.wire()).toEqual(['503']);
  });
});

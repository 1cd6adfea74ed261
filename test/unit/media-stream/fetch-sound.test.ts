import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { soundFetcher } from '../../../src/media-stream/sounds/fetch-sound.js';
import { EgressPolicy } from '../../../src/naming/egress.js';

const secureContext = createSecureContext();
let server: Server;
let requested: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    requested.push(request.url ?? '');
    if (request.url === '/moved') response.writeHead(302, { Location: '/tone.wav' }).end();
    else response.writeHead(200, { 'Content-Type': 'Audio/WAV; codecs=1' }).end('octets');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());
beforeEach(() => {
  requested = [];
});

const port = (): number => (server.address() as AddressInfo).port;

describe('loading a sound', () => {
  const policies = {
    'forbids private addresses': new EgressPolicy({ allowPrivate: false }),
    'allows them': new EgressPolicy({ allowPrivate: true }),
    'lists this one': new EgressPolicy({ allowPrivate: false, privateNetworks: ['127.0.0.0/8'] }),
  };

  it.each([
    '127.0.0.1',
    '[::1]',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '[::ffff:127.0.0.1]',
    'localhost',
  ])('reaches no private address where the policy forbids it: %s', async (host) => {
    const fetchSound = soundFetcher({ egress: policies['forbids private addresses'], secureContext });
    await expect(fetchSound(`https://${host}:${port()}/tone.wav`)).rejects.toMatchObject({
      name: 'SoundFailure',
      message: expect.stringMatching(/(is|leads to) a private address|is an address that no host can have/),
    });
    expect(requested).toEqual([]);
  });

  it.each(['forbids private addresses', 'lists this one'] as const)(
    'needs https where the policy %s',
    async (policy) => {
      const fetchSound = soundFetcher({ egress: policies[policy], secureContext });
      await expect(fetchSound(`http://127.0.0.1:${port()}/tone.wav`)).rejects.toThrow(
        'the URL must begin with https://',
      );
      expect(requested).toEqual([]);
    },
  );

  it('never reaches a listener of this service', async () => {
    const ownListeners = () => [{ protocol: 'tcp' as const, host: '127.0.0.1', port: port() }];
    const egress = new EgressPolicy({ allowPrivate: true, ownListeners });
    await expect(
      soundFetcher({ egress, secureContext })(`http://localhost:${port()}/tone.wav`),
    ).rejects.toThrow('leads to a listener of this service itself');
    expect(requested).toEqual([]);
  });

  it('loads from a private address where the policy allows it, and follows no redirection', async () => {
    const fetchSound = soundFetcher({ egress: policies['allows them'], secureContext });
    const origin = `http://localhost:${port()}`;
    expect(await fetchSound(`${origin}/tone.wav`)).toEqual({
      octets: Buffer.from('octets'),
      type: 'audio/wav',
    });
    await expect(fetchSound(`${origin}/moved`)).rejects.toThrow('the server answered 302');
    expect(requested).toEqual(['/tone.wav', '/moved']);
  });
});

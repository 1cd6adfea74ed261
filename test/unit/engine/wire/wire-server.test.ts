import { afterEach, describe, expect, test } from 'vitest';
import { SystemClock } from '../../../../src/base/system-clock.js';
import type { UserAgentCore } from '../../../../src/engine/dialog/user-agent-core.js';
import { extensionVerbs } from '../../../../src/engine/wire/app-connection.js';
import { AppRegistry } from '../../../../src/engine/wire/app-registry.js';
import { CallTraces } from '../../../../src/engine/wire/call-trace.js';
import { Commands } from '../../../../src/engine/wire/commands.js';
import { timeOfDay } from '../../../../src/engine/wire/meta.js';
import { FailedHandshakes } from '../../../../src/engine/wire/peer-commands.js';
import { type WireNotice, WireServer } from '../../../../src/engine/wire/wire-server.js';
import { WireClient } from '../../../support/wire-client.js';

/** Only what the connection layer itself calls. */
const core = { applicationGone: () => {} } as unknown as UserAgentCore;

class Bench {
  readonly registry = new AppRegistry();
  readonly notices: WireNotice[] = [];
  readonly clients: WireClient[] = [];
  readonly server: WireServer;
  private ids = 0;
  now = 0;

  constructor() {
    const settings = {
      host: '127.0.0.1',
      port: 0,
      maximumFrame: 12_228,
      maximumConnections: 4,
      maximumBacklog: 65_536,
      authenticationTimeout: 300,
      newMessageId: () => `e${++this.ids}`,
      time: () => 0,
      now: () => this.now,
      traces: new CallTraces(new SystemClock()),
    };
    const commands = new Commands(core, this.registry, {
      instance: 'engine-1',
      isReplaced: () => false,
      isSecret: (candidate) => candidate === 'right',
      version: 'v0.9.10-test',
      hostPorts: () => 'udp/192.0.2.1:5060',
      localHostPorts: () => 'udp/127.0.0.1:5060',
      peers: { session: () => undefined },
      failedHandshakes: new FailedHandshakes(),
    });
    this.server = new WireServer(settings, core, this.registry, commands, (notice) =>
      this.notices.push(notice),
    );
  }

  async client(secret?: string): Promise<WireClient> {
    const client = await WireClient.connect({ host: '127.0.0.1', port: this.server.port });
    this.clients.push(client);
    if (secret !== undefined) await client.authenticate(secret);
    return client;
  }
}

describe('connections of applications', () => {
  let bench: Bench;
  const open = async (): Promise<Bench> => {
    bench = new Bench();
    await bench.server.start();
    return bench;
  };
  afterEach(async () => {
    for (const client of bench.clients) await client.close();
    await bench.server.stop();
    expect(bench.server.connections).toBe(0);
  });

  test('authenticate, route, ping', async () => {
    const client = await (await open()).client();
    const reply = await client.authenticate('right', 'a,b');
    expect(reply.fields.slice(3)).toEqual([
      'OK',
      'udp/192.0.2.1:5060',
      'v0.9.10-test',
      'udp/127.0.0.1:5060',
      `adopt,adopt-some,forget,once,restore,release,yield,peers,alive,${extensionVerbs.join()}`,
    ]);
    expect((await client.command('ping|whatever')).fields.slice(3)).toEqual(['OK', 'pong']);
    for (const verb of ['INVITE', 'invite']) await client.route(verb);
    expect(bench.registry.choose('invite')).toBeDefined();
    await client.command('remove_route|invite');
    expect(bench.registry.choose('invite')).toBeUndefined();
  });

  test('turns go round among those that asked', async () => {
    await open();
    const clients = [await bench.client('right'), await bench.client('right')];
    for (const client of clients) await client.route('options', 'options');
    const turns = [1, 2, 3, 4].map(() => bench.registry.choose('options'));
    expect(turns[0]).not.toBe(turns[1]);
    expect([turns[2], turns[3]]).toEqual([turns[0], turns[1]]);
  });

  test('a preferred application is chosen as long as it asks for the verb and is not silent', async () => {
    await open();
    const clients = [await bench.client('right'), await bench.client('right')];
    for (const client of clients) await client.route('invite');
    const preferred = bench.registry.choose('invite')!;
    const choices = () => [1, 2].map(() => bench.registry.choose('invite', preferred) === preferred);
    expect(choices()).toEqual([true, true]);
    for (const client of clients) await client.command('alive');
    bench.now = 2_100;
    await clients
      .at(bench.registry.all().findIndex((application) => application !== preferred))!
      .command('alive');
    expect(choices()).toEqual([false, false]);
  });

  test('an application that stops sending `alive` has no turn until it sends it again, unless all are silent', async () => {
    await open();
    const clients = [await bench.client('right'), await bench.client('right'), await bench.client('right')];
    for (const client of clients) await client.route('invite');
    const [plain, first, second] = clients as [WireClient, WireClient, WireClient];
    const turns = () => new Set([1, 2, 3].map(() => bench.registry.choose('invite')));
    for (const client of [first, second]) expect((await client.command('alive')).fields[3]).toBe('OK');
    bench.now = 1_900;
    expect(turns().size).toBe(3);
    await second.command('alive');
    bench.now = 2_100;
    expect(turns().size).toBe(2);
    await first.command('alive');
    expect(turns().size).toBe(3);
    // It never said that it would send any.
    await plain.command('remove_route|invite');
    bench.now = 9_000;
    expect(turns().size).toBe(2);
  });

  test.each(['authenticate|wrong|', 'route|invite', 'ping', 'sip||', 'nonsense'])(
    '%s before authentication is answered NO, then the connection is closed',
    async (leader) => {
      const client = await (await open()).client();
      expect((await client.command(leader)).fields[3]).toBe('NO');
      await client.closed;
    },
  );

  test('are closed when the application never authenticates', async () => {
    const client = await (await open()).client();
    await client.closed;
  });

  test('a frame that is too long, or none, closes only its own connection', async () => {
    await open();
    const good = await bench.client('right');
    for (const bytes of ['12229#', 'GET / HTTP/1.1\r\n\r\n']) {
      const bad = await bench.client('right');
      bad.write(bytes);
      await bad.closed;
    }
    expect((await good.command('ping')).fields[4]).toBe('pong');
    expect(bench.notices.filter(({ kind }) => kind === 'malformed')).toHaveLength(2);
  });

  test('commands that make no sense get one reply each', async () => {
    const client = await (await open()).client('right');
    expect((await client.command('proxy|x')).fields.slice(3)).toEqual(['NOK', 'proxy not supported']);
    expect((await client.command('sip|x')).fields[3]).toBe('NO');
    expect((await client.command('sip||', 'SIP/2.0 200 OK\r\n\r\n')).fields[4]).toBe(
      'transaction id missing',
    );
    expect((await client.command('sip|x|', 'BYE sip:a@b SIP/2.0\r\n\r\n')).fields[3]).toBe('NOK');
    expect((await client.command('sip||', 'nonsense\r\n\r\n')).fields[4]).toContain('invalid request-uri');
  });
});

test('the time of day has microseconds', () => {
  expect(timeOfDay(Date.UTC(2026, 0, 2, 3, 4, 5) + 6.007)).toMatch(/^03:04:05\.00600[67]$/);
});

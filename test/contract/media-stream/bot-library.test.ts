import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type BotCall, type CallFacts, type PlayedMark, serveCalls } from '../../../src/bot/index.js';
import { until } from '../../../src/testkit/waiting.js';
import { demarcCommand } from '../../support/engine-under-test.js';
import { freePorts } from '../../support/free-ports.js';
import { TestProcess } from '../../support/processes.js';
import { sideBySide } from '../../support/side-by-side.js';

const root = join(import.meta.dirname, '..', '..', '..');
const example = readFileSync(join(root, 'examples', 'echo-bot.mjs'), 'utf8');

sideBySide(3, () => {
  const running: { stop(): unknown }[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });

  describe('the example bot', () => {
    it('is the one of the page', () => {
      const page = readFileSync(join(root, 'docs', 'agent-websocket.md'), 'utf8');
      expect(page).toContain(example.split('\n').slice(1).join('\n'));
    });

    it.each([
      ['media-streams', 'the secret', 0],
      ['pcm', 'the secret', 0],
      ['pcm', 'another secret', 1],
    ])('is checked in %s, signed with %s: exit status %i', async (format, secret, status) => {
      const [port] = await freePorts(1);
      const url = `ws://127.0.0.1:${port}/`;
      const bot = new TestProcess(process.execPath, [join(root, 'examples', 'echo-bot.mjs')], {
        env: { ...process.env, PORT: String(port), URL_OF_BOT: url, SIGNING_SECRET: 'the secret' },
      });
      running.push(bot);
      await bot.line(/A bot waits/, 10_000);
      const options = ['--format', format, '--secret', secret, '--seconds', '2'];
      const check = new TestProcess(...demarcCommand('bot', ['check', url, ...options]));
      expect(await check.exit(40_000), check.output).toBe(status);
      if (status === 0) expect(bot.output).toContain('has hung up');
    });
  });

  describe.each([
    ['plain-bot', 0, 'No problems.'],
    // A tone talks over its caller: that is all the check has to say of it.
    ['tone-bot', 1, 'problem  interruption'],
  ])('the example %s', (name, status, finding) => {
    it('is examined by the check of bots', async () => {
      const [port] = await freePorts(1);
      const bot = new TestProcess(process.execPath, [join(root, 'examples', `${name}.mjs`)], {
        env: { ...process.env, PORT: String(port) },
      });
      running.push(bot);
      await bot.line(/A bot waits/, 10_000);
      const check = new TestProcess(
        ...demarcCommand('bot', ['check', `ws://127.0.0.1:${port}/`, '--seconds', '2']),
      );
      expect(await check.exit(40_000), check.output).toBe(status);
      expect(check.output).toContain(finding);
      expect(check.output.match(/^problem/gm)?.length ?? 0).toBe(status);
    });
  });

  describe('a call at a bot', () => {
    /** A bot, and a socket that plays Demarc's side. */
    async function connect(start: object) {
      const server = createServer();
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const calls: BotCall[] = [];
      const served = serveCalls({ server, path: '/stream' }, (call) => calls.push(call));
      const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/stream`);
      await once(socket, 'open');
      const messages: (object | Buffer)[] = [];
      socket.on('message', (data: Buffer, isBinary) =>
        messages.push(isBinary ? data : (JSON.parse(String(data)) as object)),
      );
      running.push({
        stop: () => {
          socket.terminate();
          served.close();
          server.close();
        },
      });
      const send = (message: object): void => socket.send(JSON.stringify(message));
      send(start);
      await until(() => calls.length === 1, 5_000, 'the call');
      return { call: calls[0]!, send, socket, messages, served };
    }

    const facts = { from: '+13125550100', to: '+13125550199', direction: 'outbound' as const };
    const pcmStart = {
      event: 'start',
      version: 1,
      stream_id: 'MZ1',
      call_id: 'CA1',
      account_id: 'AC1',
      reconnected: true,
      media: { encoding: 'pcm_s16le', sample_rate: 24_000 },
      parameters: { tenant: 'blue' },
      ...facts,
    };
    const mediaStreamsStart = {
      event: 'start',
      streamSid: 'MZ1',
      start: {
        accountSid: 'AC1',
        callSid: 'CA1',
        customParameters: {
          from_number: facts.from,
          to_number: facts.to,
          direction: 'outbound',
          tenant: 'blue',
        },
      },
    };

    it('has the facts of its start, in both formats', async () => {
      const pcm = await connect(pcmStart);
      const common = { callId: 'CA1', accountId: 'AC1', streamId: 'MZ1', ...facts };
      expect(pcm.call.facts).toEqual({
        format: 'pcm',
        encoding: 'pcm_s16le',
        sampleRate: 24_000,
        parameters: { tenant: 'blue' },
        headers: {},
        isReconnected: true,
        ...common,
      } satisfies CallFacts);
      const streams = await connect(mediaStreamsStart);
      expect(streams.call.facts).toMatchObject({
        format: 'media-streams',
        encoding: 'mulaw',
        sampleRate: 8_000,
        parameters: { tenant: 'blue' },
        isReconnected: false,
        ...common,
      });
    });

    it('emits what the caller and the service do', async () => {
      const { call, send, socket } = await connect(pcmStart);
      const digits: string[] = [];
      const marks: PlayedMark[] = [];
      const failures: [number, string][] = [];
      const ends: number[] = [];
      const sounds: unknown[] = [];
      call.on('digit', (digit) => digits.push(digit));
      call.on('mark', (mark) => marks.push(mark));
      call.on('transferFailed', (status, reason) => failures.push([status, reason]));
      call.on('played', (sound) => sounds.push(sound));
      call.on('playFailed', ({ id }, reason) => sounds.push([id, reason]));
      call.on('metadataFailed', (reason) => sounds.push(reason));
      call.on('hears', (party, address) => sounds.push([party, address]));
      call.on('end', (code) => ends.push(code));
      const heard = once(call, 'audio');
      socket.send(Buffer.from([1, 2, 3, 4]));
      expect((await heard)[0]).toEqual(Buffer.from([1, 2, 3, 4]));
      send({ event: 'dtmf', digit: '5' });
      send({ event: 'mark', name: 'end', played: false, played_ms: 40 });
      send({ event: 'transfer_failed', status: 486, reason: 'Busy' });
      const url = 'https://example.com/hello.wav';
      send({ event: 'played', id: 'hello', url, played: true, played_ms: 900 });
      send({ event: 'play_failed', url, reason: 'the server answered 404' });
      send({ event: 'metadata_failed', reason: 'too many' });
      send({ event: 'hears', party: 'target', address: '+13125550123' });
      send({ event: 'hears', party: 'caller' });
      send({ event: 'hears', party: 'of a later version' });
      send({ event: 'of a later version' });
      socket.close(1_000);
      await until(() => ends.length > 0, 5_000, 'the end');
      expect([digits, ends]).toEqual([['5'], [1_000]]);
      expect(marks).toEqual([{ name: 'end', isPlayed: false, playedMilliseconds: 40 }]);
      expect(failures).toEqual([[486, 'Busy']]);
      expect(sounds).toEqual([
        { id: 'hello', url, isPlayed: true, playedMilliseconds: 900 },
        [undefined, 'the server answered 404'],
        'too many',
        ['target', '+13125550123'],
        ['caller', undefined],
      ]);
    });

    it('sends its orders in the shapes of the format', async () => {
      const orders = (call: BotCall): void => {
        call.send(Buffer.from([255, 127]));
        call.mark('end');
        call.clear();
        call.transfer('+13125550123');
        call.transferToCall('CA2');
        call.play('https://example.com/hello.wav', 'hello');
        call.setMetadata({ intent: 'billing' });
        call.sendDigits('1w2');
        call.hangUp('done');
      };
      const common = [
        { event: 'clear' },
        { event: 'transfer', to: '+13125550123' },
        { event: 'transfer', call: 'CA2' },
        { event: 'play', url: 'https://example.com/hello.wav', id: 'hello' },
        { event: 'metadata', values: { intent: 'billing' } },
        { event: 'send_dtmf', digits: '1w2' },
        { event: 'hangup', reason: 'done' },
      ];
      const pcm = await connect(pcmStart);
      orders(pcm.call);
      await until(() => pcm.messages.length === 9, 5_000, 'all orders');
      expect(pcm.messages).toEqual([Buffer.from([255, 127]), { event: 'mark', name: 'end' }, ...common]);
      const streams = await connect(mediaStreamsStart);
      orders(streams.call);
      await until(() => streams.messages.length === 9, 5_000, 'all orders');
      const streamSid = 'MZ1';
      expect(streams.messages).toEqual([
        { event: 'media', media: { payload: '/38=' }, streamSid },
        { event: 'mark', mark: { name: 'end' }, streamSid },
        ...common.map((order) => ({ ...order, streamSid })),
      ]);
    });

    it('ends when a message is no JSON', async () => {
      const { call, socket, served } = await connect(pcmStart);
      const end = once(call, 'end');
      expect(served.calls).toBe(1);
      socket.send('not JSON');
      expect((await end)[0]).toBe(1_003);
    });
  });
});

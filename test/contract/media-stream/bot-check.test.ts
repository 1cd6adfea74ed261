import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/bot-check/findings.js';
import { decode } from '../../../src/rtp/g711.js';
import { TestAuthority } from '../../support/certificates.js';
import { demarcCommand } from '../../support/engine-under-test.js';
import { TestProcess } from '../../support/processes.js';
import { type BotStream, StreamBot, toneOctets } from '../../support/stream-bot.js';

let authority: TestAuthority;
let bot: StreamBot;
beforeAll(async () => {
  authority = await TestAuthority.create();
  bot = await StreamBot.start({ certificate: await authority.issue('bot', ['localhost']) });
});
afterAll(async () => {
  await bot?.stop();
  authority?.remove();
});
afterEach(() => {
  bot.refuse = () => undefined;
});

/** What `demarc bot check` prints of the bot, and its exit status. */
async function check(serve: (stream: BotStream) => void, url = bot.url(), ...options: string[]) {
  bot.serve = serve;
  const [command, argv] = demarcCommand('bot', [
    'check',
    url,
    '--json',
    '--ca',
    authority.caFile,
    '--seconds',
    '2',
    ...options,
  ]);
  const process = new TestProcess(command, argv);
  const status = await process.exit(40_000);
  const findings = process.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Finding);
  const levelOf = (name: string): string | undefined =>
    findings.find(({ check: named }) => named === name)?.level;
  return { status, findings, levelOf, output: process.output };
}

const loudest = (stream: BotStream): number =>
  Math.max(0, ...decode('PCMU', Buffer.concat(stream.audio.slice(-5))));

/** Answers with ten seconds of tone at once, and is silent when the caller speaks. */
const polite = (stream: BotStream): void => {
  stream.socket.once('message', () => {
    stream.media(toneOctets(600, 10_000));
    stream.send({ event: 'mark', streamSid: stream.streamSid, mark: { name: 'end' } });
  });
  let isCleared = false;
  stream.socket.on('message', () => {
    if (isCleared || loudest(stream) < 2_000) return;
    isCleared = true;
    stream.send({ event: 'clear', streamSid: stream.streamSid });
  });
};

describe('demarc bot check', () => {
  it('has no problem with a bot that behaves', async () => {
    const { status, findings, levelOf } = await check(polite);
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(status).toBe(0);
    for (const name of ['handshake', 'interruption', 'digits', 'messages', 'hang-up', 'reconnection'])
      expect([name, levelOf(name)]).toEqual([name, 'ok']);
  });

  it('names a bot that talks over its caller', async () => {
    const { status, levelOf } = await check((stream) => {
      stream.socket.once('message', () => stream.media(toneOctets(600, 10_000)));
    });
    expect(status).toBe(1);
    expect(levelOf('interruption')).toBe('problem');
  });

  it('names a bot that says nothing, and one that sends what no format has', async () => {
    const { status, findings, levelOf } = await check((stream) => {
      stream.socket.once('message', () => stream.send({ event: 'speak', text: 'hello' }));
    });
    expect(status).toBe(1);
    expect(levelOf('audio')).toBe('problem');
    expect(findings.find(({ check: name }) => name === 'messages')).toMatchObject({
      level: 'problem',
      text: 'event speak (count: 1)',
    });
  });

  it('names a bot that refuses the second connection of a call', async () => {
    let connections = 0;
    bot.refuse = () => (++connections > 1 ? 409 : undefined);
    const { status, levelOf } = await check(polite);
    expect([status, levelOf('reconnection')]).toEqual([1, 'problem']);
  });

  it('says why there is no connection', async () => {
    bot.refuse = () => 401;
    const { status, findings } = await check(() => {});
    expect(status).toBe(1);
    expect(findings).toEqual([
      { level: 'problem', check: 'handshake', text: 'the server answered the handshake with HTTP 401' },
    ]);
  });

  it('refuses a URL that numbers could not have, with status 2', async () => {
    const { status, output } = await check(() => {}, 'wss://localhost/?token=1');
    expect(status).toBe(2);
    expect(output).toContain('must have no query');
  });
});

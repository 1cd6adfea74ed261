import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isSigned } from '../../../src/bot/index.js';
import type { Finding } from '../../../src/bot-check/findings.js';
import { decode } from '../../../src/rtp/g711.js';
import { TestAuthority } from '../../support/certificates.js';
import { demarcCommand } from '../../support/engine-under-test.js';
import { freePort } from '../../support/free-ports.js';
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
  const status = await process.exit(90_000);
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

const startOf = ({ start }: BotStream) => start!.start as { accountSid: string; callSid: string };

/** Posts to the call resource when the caller presses 9, then closes its stream, as Pipecat's bots do. */
const hangsUpByHttp =
  (
    port: number,
    change: (sids: { accountSid: string; callSid: string }) => typeof sids,
    closeCode?: number,
  ) =>
  (stream: BotStream): void => {
    polite(stream);
    let isDone = false;
    stream.socket.on('message', () => {
      if (isDone || (stream.of('dtmf').at(-1)?.dtmf as { digit?: string })?.digit !== '9') return;
      isDone = true;
      const { accountSid, callSid } = change(startOf(stream));
      void fetch(`http://127.0.0.1:${port}/2010-04-01/Accounts/${accountSid}/Calls/${callSid}.json`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${accountSid}:key`).toString('base64')}` },
        body: new URLSearchParams({ Status: 'completed' }),
      }).finally(() => stream.socket.close(closeCode));
    });
  };

/** Refuses handshakes that the secret did not sign, by the library for bots. */
const verified =
  (secret: string, serve: (stream: BotStream) => void) =>
  (stream: BotStream): void => {
    if (isSigned(stream.headers, { url: bot.url(), secrets: [secret] })) serve(stream);
    else stream.socket.close(1_008);
  };

/** Whether its audio comes and is read in time depends on the machine. */
const certain = [
  ...['handshake', 'interruption', 'digits', 'messages', 'marks', 'hang-up', 'reconnection'],
  ...['hang-up by HTTP', 'signature'],
];

describe('demarc bot check', () => {
  it('has no problem with a bot that behaves', async () => {
    const port = await freePort();
    const serve = verified(
      'secret',
      hangsUpByHttp(port, (sids) => sids),
    );
    const { status, findings, levelOf } = await check(
      serve,
      bot.url(),
      ...['--secret', 'secret', '--hang-up', '9', '--http', `127.0.0.1:${port}`, '--key', 'key'],
    );
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(status).toBe(0);
    for (const name of certain) expect([name, levelOf(name)]).toEqual([name, 'ok']);
    // The second connection is for the same call.
    const [first, again] = bot.streams.slice(-5);
    expect(startOf(again!).callSid).toBe(startOf(first!).callSid);
    expect(again!.start).toMatchObject({ start: { reconnected: true } });
  });

  it('names a bot that verifies no signature, and one that asks to end another call and closes as if broken', async () => {
    const port = await freePort();
    const wrongSid = hangsUpByHttp(port, (sids) => ({ ...sids, callSid: `CA${'0'.repeat(32)}` }), 1_011);
    const { status, findings } = await check(
      wrongSid,
      bot.url(),
      ...['--secret', 'secret', '--hang-up', '9', '--http', `127.0.0.1:${port}`],
    );
    expect(status).toBe(1);
    const problems = findings.filter(({ level }) => level === 'problem');
    expect(problems).toEqual([
      { level: 'problem', check: 'hang-up by HTTP', text: expect.stringContaining('is not the callSid') },
      { level: 'problem', check: 'hang-up by the bot', text: expect.stringContaining('code 1011') },
      { level: 'problem', check: 'signature', text: expect.stringContaining('strangers') },
    ]);
  });

  it('names a bot that does not read, never hangs up, and sends WAV files', async () => {
    const wave = Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(40), toneOctets(600, 1_000)]);
    const { status, findings, output } = await check(
      (stream) => {
        stream.socket.once('message', () => {
          stream.media(wave);
          stream.socket.pause();
        });
      },
      bot.url(),
      '--hang-up',
      '9',
    );
    const textOf = (name: string): string | undefined =>
      findings.find(({ level, check: named }) => level === 'problem' && named === name)?.text;
    expect(status, output).toBe(1);
    expect(textOf('reading')).toContain('did not read its stream');
    expect(textOf('messages')).toContain('WAV');
    expect(textOf('hang-up')).toContain('did not close');
    expect(textOf('hang-up by the bot')).toContain('did not hang up');
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

  it('refuses --http without the digits after which the bot hangs up, with status 2', async () => {
    const { status, output } = await check(() => {}, bot.url(), '--http', '127.0.0.1:8099');
    expect(status).toBe(2);
    expect(output).toContain('--http requires --hang-up');
  });

  it('refuses a URL that numbers could not have, with status 2', async () => {
    const { status, output } = await check(() => {}, 'wss://localhost/?token=1');
    expect(status).toBe(2);
    expect(output).toContain('must have no query');
  });
});

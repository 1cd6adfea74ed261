import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SpeechEndpoint } from '../../../../src/config/speech-settings.js';
import { RunFailure } from '../../../../src/control/agent-testing/conversation/channel.js';
import { espeak } from '../../../../src/control/agent-testing/voice/speech/espeak.js';
import { flite } from '../../../../src/control/agent-testing/voice/speech/flite.js';
import {
  speechService,
  transcriptionService,
} from '../../../../src/control/agent-testing/voice/speech/speech-service.js';
import { writeWave } from '../../../../src/control/agent-testing/voice/speech/wave.js';
import { levelOf } from '../../../../src/rtp/speech-detector.js';
import { encodeTones } from '../../../../src/rtp/tone-code.js';
import { readWave } from '../../../../src/rtp/wave.js';

const options = { language: 'en-US', voice: undefined };
const signal = AbortSignal.timeout(20_000);

it('espeak-ng speaks, and a longer line takes longer', async () => {
  const short = await espeak.speak('Hello.', options, signal);
  const long = await espeak.speak(
    '-v Hello, I would like to know when you are open on Saturday.',
    options,
    signal,
  );
  expect(levelOf(short)).toBeGreaterThan(-35);
  expect(short.length / 8_000).toBeGreaterThan(0.3);
  expect(long.length).toBeGreaterThan(3 * short.length);
});

it('espeak-ng speaks a variant of a language, and at another speed', async () => {
  const line = 'I would like to know when you are open.';
  const usual = await espeak.speak(line, options, signal);
  const fast = await espeak.speak(line, { ...options, speed: 1.8 }, signal);
  expect(fast.length).toBeLessThan(0.75 * usual.length);
  for (const language of ['en-US', 'en-GB', 'de-DE', 'en-GB-scotland']) {
    const own = await espeak.speak(line, { language, voice: undefined }, signal);
    const variant = await espeak.speak(line, { language, voice: '+f3' }, signal);
    expect(
      variant.every((sample, at) => sample === own[at]),
      language,
    ).toBe(false);
  }
});

it('a voice that espeak-ng does not have is named', async () => {
  await expect(espeak.speak('Hello.', { ...options, voice: 'nonesuch' }, signal)).rejects.toThrow(
    /nonesuch|voice/,
  );
});

it('flite speaks with its voices, each at another speed too', async () => {
  const line = '-v I would like to know when the café opens.';
  const spoken = (voice: string, speed = 1) => flite.speak(line, { language: 'en-GB', voice, speed }, signal);
  const slt = await spoken('flite-slt');
  const fast = await spoken('flite-slt', 1.8);
  const rms = await spoken('flite-rms');
  for (const samples of [slt, fast, rms]) expect(levelOf(samples)).toBeGreaterThan(-35);
  expect(slt.length / 8_000).toBeGreaterThan(1);
  expect(fast.length).toBeLessThan(0.75 * slt.length);
  expect(rms.length).not.toBe(slt.length);
  await expect(spoken('flite-nonesuch')).rejects.toThrow(/no voice flite-nonesuch.*flite-slt/);
});

it('a voice of flite speaks English alone', async () => {
  await expect(flite.speak('Hallo.', { language: 'de-DE', voice: 'flite-slt' }, signal)).rejects.toThrow(
    /English only.*de-DE/,
  );
});

it('without espeak-ng or flite the error says what to install', async () => {
  const path = process.env.PATH;
  process.env.PATH = '/nowhere';
  try {
    await expect(espeak.speak('Hello.', options, signal)).rejects.toThrow(
      /espeak-ng is not installed .*DEMARC_TTS_URL/,
    );
    await expect(flite.speak('Hello.', { ...options, voice: 'flite-slt' }, signal)).rejects.toThrow(
      /flite is not installed .*apt-get install flite/,
    );
  } finally {
    process.env.PATH = path;
  }
});

let server: Server;
let endpoint: SpeechEndpoint;
let requests: { url: string; authorization: string | undefined; body: Buffer }[] = [];
let answer: { status: number; type: string; body: Buffer | string };

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      requests.push({ url: request.url ?? '', authorization: request.headers.authorization, body });
      response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  endpoint = {
    url: `http://127.0.0.1:${port}/v1`,
    key: 'sk-secret',
    model: 'model-1',
    voice: 'alloy',
    voices: new Map([
      ['de', 'onyx'],
      ['en-gb', 'fable'],
    ]),
    timeoutMilliseconds: 5_000,
  };
});
afterAll(() => server.close());

it('a speech service gets text and voice, and its audio is converted', async () => {
  requests = [];
  const samples = encodeTones('HI');
  answer = { status: 200, type: 'audio/wav', body: writeWave(samples) };
  expect(await speechService(endpoint).speak('Hello', { ...options, voice: 'nova' }, signal)).toEqual(
    samples,
  );
  const [{ url, authorization, body }] = requests as [(typeof requests)[0]];
  expect([url, authorization]).toEqual(['/v1/audio/speech', 'Bearer sk-secret']);
  expect(JSON.parse(body.toString())).toEqual({
    model: 'model-1',
    input: 'Hello',
    response_format: 'wav',
    voice: 'nova',
  });
});

it.each([
  ['de-AT', 'onyx'],
  ['en-GB', 'fable'],
  ['en-US', 'alloy'],
])('a speech service speaks %s with the voice %s, at the speed of the scenario', async (language, voice) => {
  requests = [];
  answer = { status: 200, type: 'audio/wav', body: writeWave(encodeTones('HI')) };
  await speechService(endpoint).speak('Hello', { language, voice: undefined, speed: 1.5 }, signal);
  expect(JSON.parse(requests[0]!.body.toString())).toMatchObject({ voice, speed: 1.5 });
});

it('a transcription service gets a WAV file, and its text is returned', async () => {
  requests = [];
  answer = { status: 200, type: 'application/json', body: '{"text":" Nine to five. "}' };
  expect(await transcriptionService(endpoint).understand(encodeTones('HI'), options, signal)).toBe(
    'Nine to five.',
  );
  const [{ url, body }] = requests as [(typeof requests)[0]];
  expect(url).toBe('/v1/audio/transcriptions');
  for (const part of ['RIFF', 'name="model"\r\n\r\nmodel-1', 'name="language"\r\n\r\nen'])
    expect(body.includes(part), part).toBe(true);
});

it.each([
  [429, 'application/json', '{"error":"sk-secret is over its quota"}', /answered 429/],
  [200, 'audio/mpeg', 'no wave', /not 16-bit WAV/],
])(
  'a speech service that answers %i %s ends the run, without its key or words',
  async (status, type, body, message) => {
    answer = { status, type, body };
    const failure = await speechService(endpoint)
      .speak('Hello', options, signal)
      .catch((error: Error) => error);
    expect(failure).toBeInstanceOf(RunFailure);
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).message).not.toContain('sk-secret');
  },
);

it('an unusable answer of a transcription service ends the run', async () => {
  answer = { status: 200, type: 'application/json', body: '{"words":[]}' };
  await expect(transcriptionService(endpoint).understand(encodeTones('HI'), options, signal)).rejects.toThrow(
    /unusable answer/,
  );
});

it('an unreachable service ends the run', async () => {
  const deadEndpoint = { ...endpoint, url: 'http://127.0.0.1:9' };
  await expect(speechService(deadEndpoint).speak('Hello', options, signal)).rejects.toThrow(/unreachable/);
});

it('converts audio of other rates and channels', () => {
  // 24 kHz, stereo: 300 Hz left, silence right.
  const count = 24_000;
  const file = Buffer.alloc(44 + 4 * count);
  writeWave(new Int16Array(0)).copy(file);
  file.writeUInt16LE(2, 22);
  file.writeUInt32LE(24_000, 24);
  file.writeUInt32LE(4 * count, 40);
  for (let index = 0; index < count; index++)
    file.writeInt16LE(Math.round(10_000 * Math.sin((2 * Math.PI * 300 * index) / 24_000)), 44 + 4 * index);
  const samples = readWave(file);
  expect(samples).toHaveLength(8_000);
  let rising = 0;
  for (let index = 1; index < 8_000; index++) if (samples![index - 1]! < 0 && samples![index]! >= 0) rising++;
  expect(Math.abs(rising - 300)).toBeLessThanOrEqual(1);
  expect(readWave(Buffer.from('RIFF'))).toBeUndefined();
});

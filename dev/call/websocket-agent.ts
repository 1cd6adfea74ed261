import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BotCall, serveCalls } from '../../src/bot/index.js';
import { askApi } from '../../src/launcher/api-request.js';
import type { ReadyFile } from '../../src/launcher/ready-file.js';
import { encode } from '../../src/rtp/g711.js';

/** Reserved for fiction, and apart from the demo's. */
const number = '+12025550103';
const toneHertz = 440;
const toneMilliseconds = 2_000;

/** Runs a bot beside the call: a number whose agent is its URL is attached for as long. */
export async function withWebSocketAgent<Result>(
  ready: ReadyFile,
  act: (number: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer();
  const bot = serveCalls({ server }, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await attach(ready, url);
    return await act(number.slice(1));
  } finally {
    bot.close();
    server.close();
  }
}

/** The demo agent as a bot for media streams: a tone, then an echo. */
function serve(call: BotCall): void {
  const echoesFrom = performance.now() + toneMilliseconds;
  call.send(greeting);
  call.on('audio', (frame) => {
    if (performance.now() > echoesFrom) call.send(frame);
  });
}

const greeting = encode(
  'PCMU',
  Int16Array.from({ length: toneMilliseconds * 8 }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * toneHertz * index) / 8_000)),
  ),
);

async function attach(ready: ReadyFile, url: string): Promise<void> {
  const { url: api, apiKey, caFile } = ready.http;
  const body = {
    phone_numbers: [number],
    directions: [{ type: 'inbound', agent: url }],
    service: 'sip',
  };
  const { status, text } = await askApi(`${api}/v1/sip/attach`, caFile, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (status !== 200) throw new Error(`The number was not attached: ${text.slice(0, 300)}`);
}

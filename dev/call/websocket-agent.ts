import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
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
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', serve);
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    await attach(ready, url);
    return await act(number.slice(1));
  } finally {
    for (const socket of server.clients) socket.terminate();
    server.close();
  }
}

/** The demo agent as a bot for media streams: a tone, then an echo. */
function serve(socket: WebSocket): void {
  let streamSid = '';
  let echoesFrom = Number.POSITIVE_INFINITY;
  const send = (payload: string): void =>
    socket.send(JSON.stringify({ event: 'media', streamSid, media: { payload } }));
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as {
      event: string;
      streamSid: string;
      media: { payload: string };
    };
    if (message.event === 'start') {
      ({ streamSid } = message);
      echoesFrom = performance.now() + toneMilliseconds;
      send(greeting);
    } else if (message.event === 'media' && performance.now() > echoesFrom) send(message.media.payload);
  });
}

const greeting = encode(
  'PCMU',
  Int16Array.from({ length: toneMilliseconds * 8 }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * toneHertz * index) / 8_000)),
  ),
).toString('base64');

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

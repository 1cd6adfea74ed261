// A bot that answers calls, repeats what it hears, and hangs up at the digit 9: node examples/echo-bot.mjs
import { createServer } from 'node:http';
import { serveCalls } from 'demarc/bot';

const { PORT = '8080', URL_OF_BOT, SIGNING_SECRET } = process.env;
const server = createServer((_request, response) => response.writeHead(404).end());
const signing = SIGNING_SECRET && URL_OF_BOT ? { url: URL_OF_BOT, secrets: [SIGNING_SECRET] } : undefined;

serveCalls({ server, signing }, (call) => {
  const { from, to, encoding, sampleRate } = call.facts;
  console.log(`${from} calls ${to}: ${encoding} at ${sampleRate} Hz`);
  call.on('audio', (frame) => call.send(frame));
  call.on('digit', (digit) => {
    // The caller interrupts: what is still queued is not played.
    call.clear();
    if (digit === '9') call.hangUp();
  });
  call.on('end', () => console.log(`${from} has hung up`));
});

server.listen(Number(PORT), () => console.log(`A bot waits for calls at port ${PORT}.`));

// A bot that plays a tone until somebody presses a key, for tests of trunks: node examples/tone-bot.mjs
import { createServer } from 'node:http';
import { serveCalls } from 'demarc/bot';

const { PORT = '8080', HERTZ = '600' } = process.env;
const server = createServer((_request, response) => response.writeHead(404).end());

/** μ-law of one sample (ITU-T G.711). */
function muLaw(sample) {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132;
  const exponent = Math.floor(Math.log2(magnitude)) - 7;
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

/** A second of the tone in the encoding of the call; whole periods, so that it can be repeated. */
function second({ encoding, sampleRate }) {
  const samples = Int16Array.from({ length: sampleRate }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * Number(HERTZ) * index) / sampleRate)),
  );
  return encoding === 'mulaw' ? Uint8Array.from(samples, muLaw) : new Uint8Array(samples.buffer);
}

serveCalls({ server }, (call) => {
  const tone = second(call.facts);
  // Two seconds are always queued: the mark of one second asks for another one.
  const play = () => {
    call.send(tone);
    call.mark('second');
  };
  play();
  play();
  let isStopped = false;
  call.on('mark', () => {
    if (!isStopped) play();
  });
  call.on('digit', () => {
    isStopped = true;
    call.clear();
    call.hangUp();
  });
});

server.listen(Number(PORT), () => console.log(`A bot waits for calls at port ${PORT}.`));

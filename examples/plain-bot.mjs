// A bot on the package `ws` alone, without a library: it echoes the caller, and # hangs up. node examples/plain-bot.mjs
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const { PORT = '8080' } = process.env;
const server = createServer((_request, response) => response.writeHead(404).end());
const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload: 65_536 });

sockets.on('connection', (socket) => {
  let streamSid;
  let marks = 0;
  const send = (message) => socket.send(JSON.stringify({ ...message, streamSid }));

  socket.on('message', (data) => {
    const message = JSON.parse(data);
    switch (message.event) {
      case 'start': {
        ({ streamSid } = message);
        const { from_number, to_number } = message.start.customParameters;
        console.log(`${from_number} calls ${to_number}, call ${message.start.callSid}`);
        break;
      }
      case 'media':
        // 160 octets of μ-law: 20 ms of the caller. A bot that talks sends audio of its own, of any length.
        send({ event: 'media', media: { payload: message.media.payload } });
        break;
      case 'dtmf':
        if (message.dtmf.digit === '#') {
          // What is queued is dropped, and a clean close hangs up.
          send({ event: 'clear' });
          socket.close(1_000);
        } else {
          // Comes back when all that was sent before it has been heard.
          send({ event: 'mark', mark: { name: `digit ${message.dtmf.digit}, ${++marks}` } });
        }
        break;
      case 'mark':
        console.log(`heard: ${message.mark.name}`);
        break;
      case 'stop':
        console.log('the caller has hung up');
        break;
      default:
        // `connected`, and events of later versions.
        break;
    }
  });
  socket.on('error', (error) => console.error(error.message));
});

server.listen(Number(PORT), () => console.log(`A bot waits for calls at port ${PORT}.`));

// A bot that lets a model talk, through an endpoint that speaks OpenAI's Realtime protocol: node examples/realtime-bridge.mjs
import { createServer } from 'node:http';
import { serveCalls } from 'demarc/bot';
import { WebSocket } from 'ws';

const {
  PORT = '8080',
  REALTIME_URL = 'wss://api.openai.com/v1/realtime?model=gpt-realtime',
  REALTIME_KEY = '',
  INSTRUCTIONS = 'You answer the phone of a shop. Be brief.',
} = process.env;
const server = createServer((_request, response) => response.writeHead(404).end());

serveCalls({ server }, (call) => {
  const model = new WebSocket(REALTIME_URL, { headers: { Authorization: `Bearer ${REALTIME_KEY}` } });
  const tell = (event) => {
    if (model.readyState === WebSocket.OPEN) model.send(JSON.stringify(event));
  };
  /** What the model is saying: its item, how much of it was sent, and how much the caller has heard. */
  let turn;

  model.on('open', () => {
    // μ-law both ways, so that nothing is converted between the caller and the model.
    const audio = { input: { format: { type: 'audio/pcmu' } }, output: { format: { type: 'audio/pcmu' } } };
    const tools = [{ type: 'function', name: 'hang_up', description: 'Ends the call.', parameters: {} }];
    tell({ type: 'session.update', session: { type: 'realtime', instructions: INSTRUCTIONS, audio, tools } });
    tell({ type: 'response.create' });
  });

  model.on('message', (data) => {
    const event = JSON.parse(data);
    switch (event.type) {
      case 'response.output_audio.delta': {
        // Audio of a turn that the caller has interrupted may still arrive.
        if (turn?.isInterrupted && turn.item === event.item_id) break;
        if (turn?.item !== event.item_id)
          turn = {
            item: event.item_id,
            content: event.content_index,
            sent: 0,
            heard: 0,
            isInterrupted: false,
          };
        const octets = Buffer.from(event.delta, 'base64');
        call.send(octets);
        turn.sent += octets.length / 8;
        call.mark(`${turn.item} ${turn.sent}`);
        break;
      }
      case 'input_audio_buffer.speech_started':
        call.clear();
        if (turn === undefined || turn.isInterrupted || turn.heard >= turn.sent) break;
        turn.isInterrupted = true;
        // The model forgets what the caller did not hear.
        tell({
          type: 'conversation.item.truncate',
          item_id: turn.item,
          content_index: turn.content,
          audio_end_ms: Math.floor(turn.heard),
        });
        break;
      case 'response.function_call_arguments.done':
        if (event.name === 'hang_up') call.hangUp();
        break;
      case 'error':
        console.error(`the model: ${event.error?.message}`);
        break;
      default:
        break;
    }
  });

  call.on('audio', (frame) => tell({ type: 'input_audio_buffer.append', audio: frame.toString('base64') }));
  call.on('mark', ({ name }) => {
    const [item, milliseconds] = name.split(' ');
    // `clear` returns the marks that were not reached, too.
    if (turn?.item === item && !turn.isInterrupted) turn.heard = Number(milliseconds);
  });
  call.on('end', () => model.close());
  model.on('close', () => call.close());
  model.on('error', (error) => console.error(`the model: ${error.message}`));
});

server.listen(Number(PORT), () => console.log(`A bot waits for calls at port ${PORT}.`));

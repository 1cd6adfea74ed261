import type { BotCall, CallFacts, PlayedSound } from './bot-call.js';

/** A message of Demarc: fields are read with a check of each. */
export type Message = Readonly<Record<string, unknown>>;

export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const part = (message: Message, name: string): Message => {
  const value = message[name];
  return isMessage(value) ? value : {};
};

const text = (message: Message, name: string): string => {
  const value = message[name];
  return typeof value === 'string' ? value : '';
};

const number = (message: Message, name: string): number | undefined => {
  const value = message[name];
  return typeof value === 'number' ? value : undefined;
};

const directionOf = (message: Message): CallFacts['direction'] =>
  text(message, 'direction') === 'outbound' ? 'outbound' : 'inbound';

const texts = (message: Message): Record<string, string> =>
  Object.fromEntries(
    Object.entries(message).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** The facts of a call, from its `start` in either format. */
export function factsOf(message: Message): CallFacts {
  return message.version === undefined ? mediaStreamsFacts(message) : pcmFacts(message);
}

function pcmFacts(message: Message): CallFacts {
  return {
    format: 'pcm',
    encoding: 'pcm_s16le',
    sampleRate: number(part(message, 'media'), 'sample_rate') ?? 16_000,
    callId: text(message, 'call_id'),
    accountId: text(message, 'account_id'),
    streamId: text(message, 'stream_id'),
    from: text(message, 'from'),
    to: text(message, 'to'),
    direction: directionOf(message),
    parameters: { ...texts(part(message, 'agent')), ...texts(part(message, 'parameters')) },
    headers: texts(part(message, 'headers')),
    isReconnected: message.reconnected === true,
  };
}

function mediaStreamsFacts(message: Message): CallFacts {
  const start = part(message, 'start');
  const parameters = texts(part(start, 'customParameters'));
  return {
    format: 'media-streams',
    encoding: 'mulaw',
    sampleRate: 8_000,
    callId: text(start, 'callSid'),
    accountId: text(start, 'accountSid'),
    streamId: text(message, 'streamSid'),
    from: parameters.from_number ?? '',
    to: parameters.to_number ?? '',
    direction: directionOf(parameters),
    parameters,
    headers: Object.fromEntries(
      Object.entries(parameters).filter(([name]) => /^(x-|user-to-user$)/.test(name)),
    ),
    isReconnected: start.reconnected === true,
  };
}

function emitFailure(failure: Message, call: BotCall): void {
  call.emit('transferFailed', number(failure, 'status') ?? 500, text(failure, 'reason'));
}

const soundOf = (message: Message): Pick<PlayedSound, 'url' | 'id'> => ({
  url: text(message, 'url'),
  id: typeof message.id === 'string' ? message.id : undefined,
});

function emitPlayed(played: Message, call: BotCall): void {
  call.emit('played', {
    ...soundOf(played),
    isPlayed: played.played === true,
    playedMilliseconds: number(played, 'played_ms') ?? 0,
  });
}

/** Emits what the message says. Unknown ones have no effect: later versions may send more. */
export function passOn(message: Message, call: BotCall): void {
  const isPcm = call.facts.format === 'pcm';
  switch (message.event) {
    case 'media':
      call.emit('audio', Buffer.from(text(part(message, 'media'), 'payload'), 'base64'));
      break;
    case 'dtmf':
      call.emit('digit', text(isPcm ? message : part(message, 'dtmf'), 'digit'));
      break;
    case 'mark':
      call.emit('mark', {
        name: text(isPcm ? message : part(message, 'mark'), 'name'),
        isPlayed: typeof message.played === 'boolean' ? message.played : undefined,
        playedMilliseconds: number(message, 'played_ms'),
      });
      break;
    case 'transfer_failed':
      emitFailure(isPcm ? message : part(message, 'transfer_failed'), call);
      break;
    case 'hears': {
      const heard = isPcm ? message : part(message, 'hears');
      if (heard.party === 'target') call.emit('hears', 'target', text(heard, 'address'));
      else if (heard.party === 'caller') call.emit('hears', 'caller', undefined);
      break;
    }
    case 'played':
      emitPlayed(isPcm ? message : part(message, 'played'), call);
      break;
    case 'play_failed': {
      const failure = isPcm ? message : part(message, 'play_failed');
      call.emit('playFailed', soundOf(failure), text(failure, 'reason'));
      break;
    }
    case 'metadata_failed':
      call.emit('metadataFailed', text(isPcm ? message : part(message, 'metadata_failed'), 'reason'));
      break;
    default:
  }
}

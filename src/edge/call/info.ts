import { type MediaSide, otherSide } from '../media/rtp-statistics.js';
import { maximumMessageOctets } from './agent-headers.js';
import type { Call } from './call.js';
import { type ReceivedRequest, type ResponseSender, requestInDialog } from './engine-link.js';
import { cleanPhrase } from './reason.js';
import { mapInDialogFailure } from './status-map.js';

/** Above Timer F (32 s), after which the engine answers for a silent peer. */
const boundMilliseconds = 34_000;

/** What describes an INFO's content (RFC 6086 §5, and the older uses for DTMF). */
const relayedHeaders = ['Content-Type', 'Content-Disposition', 'Info-Package'];

/** Passes an INFO (DTMF mostly) to the other side and its answer back. */
export function info(call: Call, from: MediaSide, request: ReceivedRequest, response: ResponseSender): void {
  const other = call.dialogs[otherSide(from)];
  if (call.hasEnded || other === undefined || !other.connected) {
    response.send(call.hasEnded ? 481 : 500, undefined, {});
    return;
  }
  const body = request.body ?? '';
  if (Buffer.byteLength(body) > maximumMessageOctets - 600) {
    response.send(513, undefined, {});
    return;
  }
  const headers: Record<string, string> = {};
  for (const name of relayedHeaders) {
    const value = request.get(name);
    if (value !== undefined) headers[name] = value;
  }
  requestInDialog(
    other,
    body === '' ? { method: 'INFO', headers } : { method: 'INFO', headers, body },
    boundMilliseconds,
  ).then(
    ({ response: answer }) => {
      const isGood = answer.status < 300;
      response.send(
        isGood ? 200 : mapInDialogFailure(answer.status),
        isGood ? undefined : cleanPhrase(answer.reason),
        {},
      );
    },
    (error: unknown) => {
      call.log.warn({ error: String(error) }, 'INFO could not be passed on.');
      response.send(call.hasEnded ? 481 : 500, undefined, {});
    },
  );
}

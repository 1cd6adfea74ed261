import type { Logger } from '../../base/log.js';
import type { RtpSocketChoice } from '../../config/media-stream-settings.js';
import { loadSystemCalls } from '../system-calls/system-calls.js';
import { DgramSockets } from './dgram-sockets.js';
import { NativeSockets } from './native-sockets.js';
import type { RtpSockets } from './rtp-sockets.js';

/** Rejects when system calls are required and cannot be loaded. */
export async function chooseSockets(
  choice: RtpSocketChoice,
  log: Pick<Logger, 'warn'>,
  load = loadSystemCalls,
): Promise<RtpSockets> {
  if (choice === 'dgram') return new DgramSockets();
  try {
    return new NativeSockets(await load());
  } catch (error) {
    const [message = ''] = (error as Error).message.split('\n');
    if (choice === 'native')
      throw new Error(`DEMARC_STREAM_SOCKETS: native sockets are unavailable: ${message}`, { cause: error });
    log.warn(
      { error: message },
      'Native sockets are unavailable; RTP uses node:dgram, which takes more of a core.',
    );
    return new DgramSockets();
  }
}

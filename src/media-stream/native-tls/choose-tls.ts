import type { Logger } from '../../base/log.js';
import { loadSystemCalls } from '../system-calls/system-calls.js';
import { NativeTls } from './native-tls.js';
import { loadOpenSsl } from './open-ssl.js';

/**
 * For a process whose RTP sockets are native. Undefined, and the log says why: TLS is that of Node.js.
 * @param certificates PEM of the authorities; undefined: this Node.js does not say which it trusts
 */
export async function chooseTls(
  certificates: readonly string[] | undefined,
  log: Pick<Logger, 'info' | 'warn'>,
  load = loadOpenSsl,
): Promise<NativeTls | undefined> {
  if (certificates === undefined) {
    log.info(
      { docs: 'docs/agent-websocket.md#what-it-costs' },
      'Connections to bots use node:tls, which takes more of a core: without DEMARC_STREAM_CA, native TLS requires Node.js 22.15 or later.',
    );
    return undefined;
  }
  try {
    return new NativeTls(load(), await loadSystemCalls(), certificates);
  } catch (error) {
    const [message = ''] = (error as Error).message.split('\n');
    const text = 'Native TLS is unavailable; connections to bots use node:tls, which takes more of a core.';
    log.warn({ error: message }, text);
    return undefined;
  }
}

import { isRedisDown } from '../../../base/redis.js';
import type { TestCallSettings } from '../../../config/speech-settings.js';
import type { VoiceCallTarget } from '../../../contract/voice-call.js';
import { parseHostPort } from '../../../sip/uri.js';
import type { FleetReader } from '../../fleet/fleet-reader.js';
import { RunFailure } from '../conversation/channel.js';

/** TLS first, as carriers are asked to use it. */
const preference = ['tls', 'tcp'] as const;

/** `tls/192.0.2.1:5061`, as edges report their listeners. */
function readListener(text: string): VoiceCallTarget | undefined {
  const protocol = preference.find((name) => text.startsWith(`${name}/`));
  const { host, port } = (protocol && parseHostPort(text.slice(protocol.length + 1))) ?? {};
  return protocol === undefined || host === undefined || port === undefined
    ? undefined
    : { protocol, host, port };
}

/** The edge with the fewest calls, at its listener for trunks. Rejects with `RunFailure` when none takes calls. */
export async function chooseEdge(
  fleet: Pick<FleetReader, 'edges'>,
  { edge }: Pick<TestCallSettings, 'edge'>,
): Promise<VoiceCallTarget> {
  if (edge !== undefined) return edge;
  const edges = await fleet.edges().catch((error: unknown) => {
    if (!isRedisDown(error)) throw error;
    throw new RunFailure('The state of the edges is unknown, because Redis is unreachable.', {
      cause: error,
    });
  });
  const ready = edges
    .filter(({ isAlive, heartbeat }) => isAlive && !heartbeat.draining && heartbeat.engine.up)
    .sort((left, right) => left.heartbeat.counts.calls - right.heartbeat.counts.calls);
  for (const { heartbeat } of ready) {
    const listeners = (heartbeat.engine.addresses ?? []).flatMap((text) => readListener(text) ?? []);
    for (const protocol of preference) {
      const found = listeners.find((listener) => listener.protocol === protocol);
      if (found !== undefined) return found;
    }
  }
  throw new RunFailure(
    ready.length === 0
      ? 'No edge takes calls: see the state of the edges.'
      : 'No edge reports a listener for TLS or TCP: set DEMARC_TEST_CALL_EDGE.',
  );
}

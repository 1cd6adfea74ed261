import {
  type AgentStream,
  agentStreamSchema,
  isStreamUrl,
  processRefusal,
  type StreamOrder,
  type StreamProcess,
  streamOrderHeader,
} from '../../contract/agent-stream.js';
import type { CodecPolicy, InboundConfiguration } from '../../contract/number.js';
import type { SecretBox } from '../../contract/secret.js';
import { isMadeUp, type ReceivedResponse } from '../sip/messages.js';

/** Calls to agents that are WebSocket servers go to a media-stream process, which is a SIP agent to the edge. */

export interface StreamServices {
  /** The media-stream process for the next INVITE. */
  choose(tried: ReadonlySet<string>): StreamProcess | undefined;
  /** Waits for one that restarts; resolves with false where none is expected. */
  waitForOne(search: StreamSearch, isWanted: () => boolean): Promise<boolean>;
}

/** For a media-stream process that takes a call. */
export interface StreamSearch {
  /** When it began, by the clock of `performance`. */
  readonly since: number;
  /** URIs of those that could not take it. */
  readonly tried: Set<string>;
}

export const newSearch = (): StreamSearch => ({ since: performance.now(), tried: new Set() });

/** How a number's agent with this URL is configured; as it is by default where the configuration says nothing. */
export const streamOf = (
  configuration: Pick<InboundConfiguration, 'streams'> | undefined,
  url: string,
): AgentStream | undefined =>
  isStreamUrl(url)
    ? (configuration?.streams?.find((stream) => stream.url === url) ?? agentStreamSchema.parse({ url }))
    : undefined;

/** The header by which a media-stream process learns what to do. Throws `SecretError` without a key. */
export const orderHeader = (
  secrets: Pick<SecretBox, 'seal'>,
  order: StreamOrder,
): Readonly<Record<string, string>> => ({ [streamOrderHeader]: secrets.seal(JSON.stringify(order)) });

/** Media-stream processes speak G.711 alone, so that rtpengine converts what the trunk has instead. */
export function codecsFor(codecs: CodecPolicy, agentUris: readonly string[]): CodecPolicy {
  if (!agentUris.some(isStreamUrl)) return codecs;
  const hasG711 = codecs.order.includes('PCMU') || codecs.order.includes('PCMA');
  return { order: hasG711 ? codecs.order : [...codecs.order, 'PCMU'], transcode: true };
}

/** Media-stream processes send from where they say: learning it would cost the first of their audio. */
export const symmetryFor = (
  configured: boolean | undefined,
  agentUris: readonly string[],
): boolean | undefined => (agentUris.length > 0 && agentUris.every(isStreamUrl) ? false : configured);

/** True: the process itself cannot take the call now, and another one can. The bot has not decided. */
export function isProcessFailure(error: unknown): boolean {
  const { res, status } = (error ?? {}) as { res?: ReceivedResponse; status?: number };
  if (status === undefined) return false;
  if (res === undefined || isMadeUp(res)) return true;
  return status === 503 && (res.get('Reason') ?? '').includes(`"${processRefusal}`);
}

import type { AgentStream } from '../../contract/agent-stream.js';
import type { G711 } from '../../rtp/g711.js';
import type { BotFormat } from './format.js';
import { MediaStreamsFormat } from './media-streams.js';
import { PcmFormat } from './pcm.js';

/** The format that the number's agent is configured with. @param codec of the RTP side */
export function formatOf(stream: AgentStream, codec: G711): BotFormat {
  if (stream.format === 'media-streams') return new MediaStreamsFormat(codec);
  return new PcmFormat(codec, { sampleRate: stream.sample_rate, preamble: stream.preamble });
}

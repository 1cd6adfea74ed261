import type { NgReply } from './ng-client.js';

interface Stats {
  packets?: number;
  readonly errors?: number;
}

interface Media {
  readonly protocol?: string;
  readonly streams?: readonly { readonly stats?: Stats }[];
}

/**
 * The reply with packets counted as rtpengine 26 counts them: only those that it accepts. 10.5 leaves out what no SRTP key authenticates,
 * but counts plain RTP from a source that it refuses as a packet and as an error.
 */
export function withoutRefused(reply: NgReply): NgReply {
  const tags = reply.tags as Record<string, { readonly medias?: readonly Media[] }> | undefined;
  for (const { medias } of Object.values(tags ?? {}))
    for (const { protocol, streams } of medias ?? [])
      if (protocol === 'RTP/AVP')
        for (const { stats } of streams ?? [])
          if (stats?.packets !== undefined) stats.packets = Math.max(0, stats.packets - (stats.errors ?? 0));
  return reply;
}

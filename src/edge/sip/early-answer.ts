import { tagOf } from '../../sip/address.js';
import { headerOf, sdpOf } from './message-reading.js';
import type { SipMessage } from './messages.js';

/** rtpengine allocates ports for each and frees none before the call ends. */
const maximumChanges = 16;

/**
 * The answers to one offer of the edge, in provisional responses and the final one. The first answer in a reliable response is
 * *the* answer, and a later description of that dialog is ignored (RFC 3262 §5, RFC 6337 §3.1.1); an unreliable one is a
 * preview of the 200's answer, and is used if the 200 has none.
 */
export class EarlyAnswer {
  private latest: string | undefined;
  private changes = 0;
  /** By remote tag, because a forked INVITE has several dialogs. */
  private readonly binding = new Map<string, string>();

  /** The description of a provisional response; undefined: ignore it. */
  note(response: SipMessage): string | undefined {
    const tag = remoteTag(response);
    const bound = this.binding.get(tag);
    const sdp = sdpOf(response);
    if (sdp === undefined || bound !== undefined) return undefined;
    if (sdp !== this.latest && ++this.changes > maximumChanges) return undefined;
    if (headerOf(response, 'RSeq') !== undefined) this.binding.set(tag, sdp);
    this.latest = sdp;
    return sdp;
  }

  /** Our offer is answered in the dialog with that remote tag, so that a new offer may follow (RFC 3311 §5.1). */
  isBound(tag: string): boolean {
    return this.binding.has(tag);
  }

  /** A new offer of that dialog's peer describes it from now on. */
  renew(tag: string, sdp: string): void {
    this.binding.set(tag, sdp);
  }

  /** The answer that a 200 brings or confirms. */
  answerOf(response: SipMessage): string | undefined {
    return this.binding.get(remoteTag(response)) ?? sdpOf(response) ?? this.latest;
  }
}

const remoteTag = (response: SipMessage): string => tagOf(headerOf(response, 'To') ?? '') ?? '';

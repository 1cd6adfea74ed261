/** What tabs of one browser that show the same live state tell each other. */
export type TabMessage =
  /** Asks whether a tab has the stream. */
  | { readonly type: 'hello'; readonly from: string }
  /** Has the stream: a higher term replaces a lower one. */
  | { readonly type: 'lead'; readonly from: string; readonly term: number }
  | { readonly type: 'bye'; readonly from: string }
  /** All that the leader knows, for the tab that asked. */
  | { readonly type: 'snapshot'; readonly from: string; readonly to: string; readonly data: unknown }
  | { readonly type: 'event'; readonly from: string; readonly kind: string; readonly data: unknown }
  | { readonly type: 'connection'; readonly from: string; readonly isOpen: boolean };

export interface TabChannel {
  readonly post: (message: TabMessage) => void;
  readonly close: () => void;
}

/** Undefined in browsers without BroadcastChannel: each tab then has a separate stream. */
export function openTabChannel(
  name: string,
  onMessage: (message: TabMessage) => void,
): TabChannel | undefined {
  if (typeof BroadcastChannel !== 'function') return undefined;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => onMessage(data as TabMessage);
  return { post: (message) => channel.postMessage(message), close: () => channel.close() };
}

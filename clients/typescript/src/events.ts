import { ConnectionError, DemarcError } from './errors.js';
import type { StreamEventsQuery } from './generated.js';

/** One event of the live stream (GET /v1/noc/events). */
export interface LiveEvent {
  /** `snapshot` first, then `summary`, `call`, `trunk`, `alert`, `test_call`, `registration` and others. */
  readonly event: string;
  readonly data: unknown;
  /** Position in the stream; undefined: the event has none. */
  readonly id: string | undefined;
}

export interface LiveEventOptions {
  readonly signal?: AbortSignal | undefined;
  /** The position after which to begin: the `id` of the last event received. */
  readonly lastEventId?: string | undefined;
}

export type OpenStream = (
  query: StreamEventsQuery,
  options: { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> },
) => Promise<Response>;

/** The service sends a beat every four seconds; releases before 0.3 every five. */
const silenceMilliseconds = 12_000;
const pause = { first: 500, longest: 15_000 };

/**
 * Yields events as they arrive. After an interruption it reopens the stream where it ended, so no event is lost while the service
 * keeps it; after that the stream begins with a new `snapshot`. Ends with the signal, and when the key or session ends.
 * Throws `DemarcError` when the service refuses the stream permanently.
 */
export async function* liveEvents(
  open: OpenStream,
  query: StreamEventsQuery,
  { signal, lastEventId }: LiveEventOptions,
): AsyncGenerator<LiveEvent> {
  let last = lastEventId;
  for (let failures = 0; !isOver(signal); ) {
    const watch = silenceWatch(signal);
    try {
      const headers = last === undefined ? {} : { 'last-event-id': last };
      const answer = await open(query, { signal: watch.signal, headers });
      for await (const event of eventsIn(answer.body!, watch.heard)) {
        failures = 0;
        if (event.event === 'beat') continue;
        if (event.event === 'end' && (event.data as { reason?: unknown }).reason === 'session') return;
        if (event.event === 'end') break;
        last = event.id ?? last;
        yield event;
      }
    } catch (error) {
      if (isOver(signal)) return;
      const isFinal = error instanceof DemarcError && !(error instanceof ConnectionError);
      if (isFinal && error.status < 500 && error.status !== 429) throw error;
    } finally {
      watch.end();
    }
    failures += 1;
    const milliseconds = Math.min(pause.first * 2 ** (failures - 1), pause.longest);
    await new Promise((resolve) => setTimeout(resolve, milliseconds * (0.75 + Math.random() / 2)));
  }
}

const isOver = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

/** Aborts with the caller's signal, and after a period without data. */
function silenceWatch(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let timer = setTimeout(abort, silenceMilliseconds);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    heard: () => {
      clearTimeout(timer);
      timer = setTimeout(abort, silenceMilliseconds);
    },
    end: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      controller.abort();
    },
  };
}

/** Parses server-sent events (WHATWG HTML §9.2.6). */
async function* eventsIn(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<LiveEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop()!;
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function eventOf(block: string): LiveEvent | undefined {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line)!;
    if (name === 'event') event = value;
    else if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { event, data: JSON.parse(data.join('\n')), id };
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SharedStream } from '../../../src/dashboard/api/shared-stream.js';

/** The browser's EventSource, driven by the test. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static readonly OPEN = 1;
  static all: Source[] = [];
  readyState = 1;
  constructor(readonly url: string) {
    super();
    Source.all.push(this);
  }
  close(): void {
    this.readyState = 2;
  }
  send(kind: string, data: unknown): void {
    this.dispatchEvent(Object.assign(new Event(kind), { data: JSON.stringify(data) }));
  }
}

/** The browser's BroadcastChannel, at once and in one process. */
class Channel {
  static all = new Set<Channel>();
  /** Tabs that are hung read nothing. */
  static deaf = new Set<Channel>();
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor(readonly name: string) {
    Channel.all.add(this);
  }
  postMessage(data: unknown): void {
    for (const channel of [...Channel.all])
      if (channel !== this && channel.name === this.name && !Channel.deaf.has(channel))
        channel.onmessage?.({ data: structuredClone(data) });
  }
  close(): void {
    Channel.all.delete(this);
  }
}

interface Tab {
  readonly stream: SharedStream;
  readonly events: string[];
  readonly states: string[];
  knows: unknown;
}

const opened: Tab[] = [];

function open(id: string, name = 'acme'): Tab {
  const tab: Tab = {
    events: [],
    states: [],
    knows: undefined,
    stream: new SharedStream(
      { url: '/events', name, kinds: ['snapshot', 'beat', 'call'], id },
      {
        event: (kind, data) => {
          tab.events.push(`${kind} ${JSON.stringify(data)}`);
          if (kind === 'snapshot') tab.knows = data;
        },
        opened: () => tab.states.push('opened'),
        lost: (isRefused) => tab.states.push(isRefused ? 'refused' : 'lost'),
        snapshot: () => tab.knows,
      },
    ),
  };
  opened.push(tab);
  tab.stream.start();
  vi.advanceTimersByTime(100);
  return tab;
}

const live = (): Source[] => Source.all.filter(({ readyState }) => readyState === Source.OPEN);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Source);
  vi.stubGlobal('BroadcastChannel', Channel);
  Source.all = [];
});
afterEach(() => {
  for (const { stream } of opened.splice(0)) stream.stop();
  Channel.deaf.clear();
  expect(Channel.all.size).toBe(0);
  expect(live()).toEqual([]);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the tabs of a browser', () => {
  it('share one stream: twelve tabs get each event once', () => {
    const tabs = Array.from({ length: 12 }, (_, index) => open(`tab-${index}`));
    expect(live()).toHaveLength(1);
    live()[0]!.send('snapshot', { calls: 3 });
    live()[0]!.send('call', { id: 'a' });
    for (const tab of tabs) expect(tab.events).toEqual(['snapshot {"calls":3}', 'call {"id":"a"}']);
  });

  it('give a new one all they know, without a request', () => {
    const first = open('first');
    live()[0]!.send('snapshot', { calls: 3 });
    expect(open('second').events).toEqual(['snapshot {"calls":3}']);
    expect(first.events).toHaveLength(1);
    expect(live()).toHaveLength(1);
  });

  it('continue with another stream when the one that has it is closed', () => {
    const [first, second, third] = [open('a'), open('b'), open('c')];
    first!.stream.stop();
    vi.advanceTimersByTime(200);
    expect(live()).toHaveLength(1);
    live()[0]!.send('call', {});
    expect([second!.events.length, third!.events.length]).toEqual([1, 1]);
    expect([second, third].filter((tab) => tab!.stream.isLeading)).toHaveLength(1);
  });

  it('take over from one that hangs, which follows when it is back', () => {
    const [first, second] = [open('a'), open('b')];
    const [channel] = Channel.all;
    Channel.deaf.add(channel!);
    // A hung tab does not run its timers either.
    const check = vi.spyOn(first.stream as unknown as { check: () => void }, 'check').mockReturnValue();
    vi.advanceTimersByTime(16_000);
    expect(second.stream.isLeading).toBe(true);
    expect(second.states).toContain('lost');
    Channel.deaf.clear();
    check.mockRestore();
    // Two streams are open until the next word between the tabs.
    second.stream.stop();
    first.stream.stop();
    const again = [open('a'), open('b')];
    expect(again.map(({ stream }) => stream.isLeading)).toEqual([true, false]);
  });

  it('agree on one of two that began to lead at the same moment', () => {
    const [first, second] = ['a', 'b'].map((id) => open(id, id));
    expect(live()).toHaveLength(2);
    for (const channel of Channel.all) (channel as { name: string }).name = 'acme';
    // The next newcomer's question makes both speak.
    const third = open('c');
    expect(live()).toHaveLength(1);
    expect([first, second, third].filter((tab) => tab!.stream.isLeading)).toHaveLength(1);
    expect(first!.stream.isLeading).toBe(true);
  });

  it('do not share with those of another organization or scope', () => {
    open('a', 'acme organization');
    open('b', 'acme fleet');
    expect(live()).toHaveLength(2);
  });

  it('hear that the connection is lost and back', () => {
    const [, second] = [open('a'), open('b')];
    const [source] = live();
    source!.dispatchEvent(new Event('error'));
    source!.dispatchEvent(new Event('open'));
    expect(second!.states).toEqual(['lost', 'opened']);
  });
});

describe('a stream that is silent', () => {
  it('is reopened by the tab that has it, and its followers wait', () => {
    const [first, second] = [open('a'), open('b')];
    live()[0]!.send('beat', {});
    vi.advanceTimersByTime(13_000);
    expect([first!.states.at(-1), second!.states.at(-1)]).toEqual(['lost', 'lost']);
    expect(live()).toHaveLength(1);
    expect(Source.all).toHaveLength(2);
    expect(first!.stream.isLeading).toBe(true);
    vi.advanceTimersByTime(30_000);
    expect(first!.stream.isLeading).toBe(true);
    expect(second!.stream.isLeading).toBe(false);
  });
});

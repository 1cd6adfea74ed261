import { describe, expect, it } from 'vitest';
import { type Ladder, type LadderEntry, ladderOf, type Step } from '../../../../../src/contract/ladder.js';
import { LadderView, timeOf } from '../../../../../src/dashboard/pages/call/ladder-view.js';
import { MessageView } from '../../../../../src/dashboard/pages/call/message-view.js';
import { type Rendered, rendered } from '../../rendered.js';

const description = [
  'v=0',
  'o=- 1 1 IN IP4 192.0.2.1',
  's=-',
  'c=IN IP4 192.0.2.1',
  't=0 0',
  'm=audio 4000 RTP/AVP 8',
  'a=rtpmap:8 PCMA/8000',
  '',
].join('\r\n');

function entry(
  seconds: number,
  direction: 'received' | 'sent',
  start: string,
  body = '',
  headers = '',
): LadderEntry {
  const method = start.startsWith('SIP') ? 'INVITE' : start.split(' ')[0]!;
  const peer = '203.0.113.7:5061';
  const own = '192.0.2.9:5061';
  return {
    at: new Date(Date.parse('2026-11-22T10:00:00Z') + seconds * 1_000).toISOString(),
    leg: 'trunk',
    direction,
    protocol: 'tls',
    source: direction === 'received' ? peer : own,
    destination: direction === 'received' ? own : peer,
    summary: start.startsWith('SIP') ? start.slice(8) : method,
    message: [
      start,
      `Via: SIP/2.0/TLS x;branch=z9hG4bK${method}`,
      'Call-ID: a@b',
      `CSeq: 1 ${method}`,
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      ...(headers === '' ? [] : [headers]),
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  } as LadderEntry;
}

const invite = entry(0, 'received', 'INVITE sip:1@x SIP/2.0', description);
const trying = entry(0.0125, 'sent', 'SIP/2.0 100 Trying');
const busy = entry(1.0125, 'sent', 'SIP/2.0 486 Busy Here', '', 'Retry-After: 5');
const ladder = ladderOf([invite, trying, busy], 'inbound');

interface Options {
  readonly shown?: Ladder;
  readonly isTruncated?: boolean;
  readonly isUnavailable?: boolean;
  readonly isFollowed?: boolean;
  readonly selected?: string;
  readonly takeovers?: readonly { at: string; from: string; to: string }[];
}

const view = ({
  shown = ladder,
  isTruncated = false,
  isUnavailable = false,
  isFollowed = false,
  selected,
  takeovers = [],
}: Options): Rendered =>
  rendered(
    <LadderView
      ladder={shown}
      isTruncated={isTruncated}
      isUnavailable={isUnavailable}
      takeovers={takeovers}
      isFollowed={isFollowed}
      selected={selected}
      onSelect={() => undefined}
      messageId="message"
      below={<p class="below">open</p>}
    />,
  );

describe('the time of a step', () => {
  const step = { sinceStart: 1_012.5, sincePrevious: 1_000, trace: busy } as Step;

  it.each([
    ['start', '1.012'],
    ['previous', '+1.000'],
  ] as const)('since %s is %s', (kind, expected) => {
    expect(timeOf(step, kind)).toBe(expected);
  });

  it('by the clock has milliseconds', () => {
    expect(timeOf(step, 'clock')).toMatch(/^\d\d:\d\d:01\.012$/);
  });
});

describe('the ladder', () => {
  it('has an arrow for each message, to the right where it goes to the right', () => {
    const { html, all } = view({});
    expect(all('.arrow-label')).toEqual(
      [
        'INVITE SDP, Caller to Demarc',
        '100 Trying INVITE, Demarc to Caller',
        '486 Busy Here INVITE, Demarc to Caller',
      ].map((text) => expect.stringMatching(new RegExp(text.replace(/ /g, ' ?')))),
    );
    expect([...html.matchAll(/class="arrow (\w+)"/g)].map(([, way]) => way)).toEqual([
      'right',
      'left',
      'left',
    ]);
    expect([...html.matchAll(/class="step (\w+)"/g)].map(([, kind]) => kind)).toEqual([
      'request',
      'provisional',
      'refusal',
    ]);
  });

  it('shows a pause of a second or more as a gap', () => {
    expect(view({}).all('.gap-text')).toEqual(['1.0 s later']);
    const close = ladderOf([invite, trying, entry(1.0115, 'sent', 'SIP/2.0 486 Busy Here')], 'inbound');
    expect(view({ shown: close }).all('.gap-text')).toEqual([]);
  });

  it('marks a repeated message', () => {
    const twice = ladderOf([invite, invite], 'inbound');
    expect(view({ shown: twice }).all('.warn')).toEqual(['repeated']);
    expect(view({}).all('.warn')).toEqual([]);
  });

  it('opens the selected message alone', () => {
    expect(view({}).all('.below')).toEqual([]);
    const { html, all } = view({ selected: ladder.steps[1]!.key });
    expect(all('.below')).toEqual(['open']);
    expect([...html.matchAll(/aria-expanded="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'false',
      'true',
      'false',
    ]);
    expect(html.match(/aria-controls="message"/g)).toHaveLength(1);
  });

  it('says when more messages are expected, and when some are missing', () => {
    expect(view({}).text).not.toMatch(/so far|missing|not stored/);
    expect(view({ isFollowed: true }).text).toContain('Messages so far;');
    expect(view({ isTruncated: true }).text).toContain('Messages are missing:');
    const none = { shown: { lanes: ladder.lanes, steps: [] }, isTruncated: true };
    expect(view({ ...none, isUnavailable: true }).text).toContain('object store');
    expect(view({ shown: { lanes: ladder.lanes, steps: [] }, isTruncated: true }).text).toContain(
      'The messages of this call are not stored.',
    );
  });

  it('shows a takeover between the messages around it, and after the last one', () => {
    const takeover = { from: 'edge-1', to: 'edge-2' };
    const between = view({ takeovers: [{ ...takeover, at: '2026-11-22T10:00:00.500Z' }] });
    expect(between.html.indexOf('edge-2 took')).toBeLessThan(between.html.indexOf('486'));
    const after = view({ takeovers: [{ ...takeover, at: '2026-11-22T10:00:09.000Z' }] });
    expect(after.html.indexOf('edge-2 took')).toBeGreaterThan(after.html.indexOf('486'));
    expect(after.text.match(/took the call over/g)).toHaveLength(1);
  });
});

describe('a message', () => {
  const verdict = { cause: 'The line was busy.', advice: 'Call later.' };
  const message = (step: Step, explained?: typeof verdict): Rendered =>
    rendered(
      <MessageView id="m" step={step} lanes={ladder.lanes} verdict={explained} onClose={() => undefined} />,
    );
  const stepOf = (...trace: LadderEntry[]): Step => ladderOf(trace, 'inbound').steps.at(-1)!;

  it('is shown in full, with its number, way and transport', () => {
    const { all, text } = message(ladder.steps[0]!);
    expect(all('h3')).toEqual(['1. INVITE']);
    expect(all('.note')[0]).toMatch(/^Caller 203\.0\.113\.7:5061 → Demarc 192\.0\.2\.9:5061, TLS,/);
    expect(text).toContain('Call-ID: a@b');
    expect(text).toContain('a=rtpmap:8 PCMA/8000');
    expect(all('.header-name')).toContain('CSeq:');
  });

  it('describes the media of an offer, and of nothing else', () => {
    expect(message(ladder.steps[0]!).all('.explanation')).toHaveLength(1);
    expect(message(ladder.steps[1]!).all('.explanation')).toHaveLength(0);
  });

  it('explains a refusal of Demarc by the verdict on the call', () => {
    const { all } = message(ladder.steps[2]!, verdict);
    expect(all('.explanation')[0]).toContain('The line was busy. Call later.');
    expect(all('.explanation')[0]).toContain('Sent header: Retry-After: 5');
    expect(message(ladder.steps[2]!).all('.explanation')).toEqual([]);
    // No advice, no empty paragraph.
    expect(message(ladder.steps[2]!, { ...verdict, advice: '' }).all('p')).not.toContain('');
  });

  it('explains a received status by its meaning, whatever the verdict', () => {
    const step = stepOf(invite, entry(1, 'received', 'SIP/2.0 486 Busy Here', '', 'Warning: 399 x "y"'));
    const { text } = message(step, verdict);
    expect(text).not.toContain('The line was busy.');
    expect(text).toContain('Received header: Warning: 399 x "y"');
  });

  it('does not explain a request, a provisional response or the refusal of another method by the verdict', () => {
    const bye = { ...ladder.steps[2]!, message: { ...ladder.steps[2]!.message, method: 'BYE' } } as Step;
    for (const step of [ladder.steps[1]!, bye])
      expect(message(step, verdict).text).not.toContain('The line was busy.');
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallEvent, LiveCall } from '../../../../../../src/dashboard/api/noc.js';
import { session } from '../../../../../../src/dashboard/api/session.js';
import type { Configuration } from '../../../../../../src/dashboard/api/trunks.js';
import { SeenCall } from '../../../../../../src/dashboard/pages/trunks/add/seen-call.js';
import { type Rendered, rendered } from '../../../rendered.js';
import { signInAs } from '../../../visitor.js';

beforeEach(() => signInAs());
afterEach(() => {
  session.value = undefined;
});

type End = NonNullable<CallEvent['end']>;

const call = (address = '203.0.113.5:5061'): LiveCall =>
  ({ call_id: 'c1', from: '+4930123456', state: 'ringing', trunk: { address } }) as unknown as LiveCall;
const ended = (changes: Partial<End>): End =>
  ({
    outcome: 'refused',
    end_reason: 'refused_media',
    sip_status: 488,
    detail: 'Offered no SRTP.',
    cause: 'The offer was not acceptable.',
    advice: 'Turn on SDES.',
    ...changes,
  }) as End;

const shown = (end: Partial<End> | undefined, { allowed = ['198.51.100.1'], address = '' } = {}): Rendered =>
  rendered(
    <SeenCall
      call={address === '' ? call() : call(address)}
      end={end === undefined ? undefined : ended(end)}
      phoneNumber="+14155550100"
      inbound={{ id: 'pbx', allowed_ips: allowed } as unknown as Configuration}
      onChange={() => undefined}
    />,
  );

describe('a call to the new number', () => {
  it('has its state while it is active', () => {
    expect(shown(undefined).text).toMatch(/^Ringing from/);
  });

  it('is proof when it was answered and heard both ways, and not when a side was silent', () => {
    const good = shown({ outcome: 'completed', end_reason: 'caller_hung_up', sip_status: 200 });
    expect(good.text).toMatch(/^Answered, and heard both ways from/);
    expect(good.text).not.toContain('acceptable');
    const silent = shown({ outcome: 'completed', end_reason: 'one_way_audio', sip_status: 200 });
    expect(silent.text).toMatch(/^Answered, but one-way audio/);
  });

  it('says why it was refused, and where that is changed', () => {
    const media = shown({});
    expect(media.text).toContain('Refused: 488 SDP offer not acceptable');
    expect(media.text).toContain('Offered no SRTP.');
    expect(media.html).toContain('href="/trunks/14155550100/edit"');
    expect(media.html).toContain('href="/setup/pbx"');
    const digest = shown({ end_reason: 'refused_credentials', sip_status: 403 });
    expect(digest.html).toContain('step=callers&amp;number=14155550100');
    const agent = shown({ outcome: 'failed', end_reason: 'agent_unreachable', sip_status: 503 });
    expect(agent.text).toContain('Failed: 503 Agent unreachable');
    expect(agent.text).toContain('Check the agent');
  });

  it('offers to allow the address it came from, until it is in the list', () => {
    const source = { end_reason: 'refused_source', sip_status: 403 } as const;
    expect(shown(source).all('button')[0]).toBe('Allow 203.0.113.5');
    expect(shown(source, { address: '[2001:db8::7]:5061' }).all('button')[0]).toBe('Allow 2001:db8::7');
    expect(shown(source, { allowed: ['203.0.113.5'] }).text).toContain('203.0.113.5 may call now');
    signInAs({ scopes: ['calls:read'] });
    expect(shown(source).elements('button')[0]).toMatchObject({ disabled: true });
  });
});

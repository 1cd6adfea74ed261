import { describe, expect, it } from 'vitest';
import { trunkEvents } from '../../../../src/control/health/trunk-event.js';
import { healthy, unreachable } from './endpoint-health.js';

const server = 'tls:pbx.example.com';
const owned = (number: string, organization_id: string) => ({ number, organization_id });

describe('the events of a change of health', () => {
  it('go to each organization whose numbers use the server, with these numbers', () => {
    const events = trunkEvents(
      [unreachable()],
      [
        owned('1', 'org_1'),
        owned('2', 'org_2'),
        owned('3', 'org_1'),
        owned('4', 'org_3'),
        owned('5', 'org_3'),
      ],
      new Map([
        ['1', [server]],
        ['2', ['udp:first.example.com', server]],
        ['3', [server]],
        ['4', ['udp:first.example.com']],
      ]),
    );
    expect(events.map(({ organizationId, data }) => [organizationId, data.phone_numbers])).toEqual([
      ['org_1', ['+1', '+3']],
      ['org_2', ['+2']],
    ]);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(2);
  });

  it('say why the server is unreachable, and what to do', () => {
    const [event] = trunkEvents(
      [unreachable({ detail: 'No answer within 5 s.' })],
      [owned('14155550100', 'org_1')],
      new Map([['14155550100', [server]]]),
    );
    expect(event).toMatchObject({
      organizationId: 'org_1',
      subject: server,
      event: 'trunk.unreachable',
      occurred_at: '2026-11-20T12:00:00.000Z',
      sequence: Date.parse('2026-11-20T12:00:00.000Z'),
      data: {
        server,
        status: 'unreachable',
        reason: 'timeout',
        detail: 'No answer within 5 s.',
        sip_code: null,
        response_time_ms: null,
        phone_numbers: ['+14155550100'],
        phone_number_count: 1,
      },
    });
    expect(event!.data.cause).toMatch(/./);
    expect(event!.data.advice).toMatch(/./);
  });

  it('say that the server recovered', () => {
    const [event] = trunkEvents([healthy()], [owned('1', 'org_1')], new Map([['1', [server]]]));
    expect(event).toMatchObject({
      event: 'trunk.recovered',
      data: {
        status: 'healthy',
        reason: null,
        cause: null,
        advice: null,
        sip_code: 200,
        response_time_ms: 40,
      },
    });
  });

  it('name a hundred numbers at most, and count all', () => {
    const numbers = Array.from({ length: 101 }, (_, at) => owned(String(1_000 + at), 'org_1'));
    const [event] = trunkEvents(
      [healthy()],
      numbers,
      new Map(numbers.map(({ number }) => [number, [server]])),
    );
    expect(event!.data.phone_numbers).toHaveLength(100);
    expect(event!.data.phone_number_count).toBe(101);
  });

  it('are another one for each change, and the same for the same', () => {
    const users = [owned('1', 'org_1')];
    const names = new Map([['1', [server]]]);
    const idOf = (check: ReturnType<typeof healthy>) => trunkEvents([check], users, names)[0]!.event_id;
    expect(idOf(healthy())).toBe(idOf(healthy()));
    expect(idOf(healthy())).not.toBe(idOf(unreachable()));
    expect(idOf(healthy())).not.toBe(idOf(healthy({ checked_at: '2026-11-20T12:01:00.000Z' })));
  });

  it('are none without changes or users', () => {
    expect(trunkEvents([], [owned('1', 'org_1')], new Map([['1', [server]]]))).toEqual([]);
    expect(trunkEvents([healthy()], [], new Map())).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import {
  activeCallsOf,
  type LimitedDirection,
  limitsInUse,
} from '../../../../../src/control/alerts/number-limits/limits-in-use.js';
import {
  limitView,
  type NearNumber,
  noticeOfNumbers,
} from '../../../../../src/control/alerts/number-limits/notice.js';
import { percentOf } from '../../../../../src/control/alerts/number-limits/share.js';

const number = '14155550100';
const secondNumber = '14155550101';

const calls = (inbound: number, outbound = 0, of: string | null = number) => [
  ...Array.from({ length: inbound }, () => ({ number: of, direction: 'inbound' as const })),
  ...Array.from({ length: outbound }, () => ({ number: of, direction: 'outbound' as const })),
];

const settings = (
  direction: 'inbound' | 'outbound',
  concurrent: number | undefined,
  fields: Partial<LimitedDirection> = {},
): LimitedDirection => ({
  number,
  organization_id: 'acme',
  trunk_id: null,
  direction,
  limits: concurrent === undefined ? null : { concurrent_calls: concurrent },
  ...fields,
});

/** `inbound 3/10`, as the limits in use have it. */
const inUse = (rows: LimitedDirection[], active: ReturnType<typeof calls>): string[] =>
  limitsInUse(rows, activeCallsOf(active)).map(
    ({ limited, direction, measured, limit }) => `${limited} ${direction} ${measured}/${limit}`,
  );

describe('the active calls of a number', () => {
  it('are counted by direction', () => {
    const active = activeCallsOf([...calls(3, 2), ...calls(1, 0, secondNumber), ...calls(5, 5, null)]);
    expect([...active]).toEqual([
      [`${number} inbound`, 3],
      [`${number} outbound`, 2],
      [`${secondNumber} inbound`, 1],
    ]);
  });
});

describe('the limits in use', () => {
  it.each<[string, LimitedDirection[], ReturnType<typeof calls>, string[]]>([
    ['calls to a number', [settings('inbound', 10)], calls(3), [`${number} inbound 3/10`]],
    [
      'calls from it have the limit of calls to it',
      [settings('inbound', 10)],
      calls(1, 4),
      [`${number} inbound 1/10`, `${number} outbound 4/10`],
    ],
    [
      'unless they have their own',
      [settings('inbound', 10), settings('outbound', 6)],
      calls(1, 4),
      [`${number} inbound 1/10`, `${number} outbound 4/6`],
    ],
    [
      'which calls to it do not have',
      [settings('inbound', undefined), settings('outbound', 6)],
      calls(1, 4),
      [`${number} outbound 4/6`],
    ],
    [
      'limits without concurrent calls are their own all the same',
      [settings('inbound', 10), settings('outbound', 0, { limits: { calls_per_second: 5 } })],
      calls(1, 4),
      [`${number} inbound 1/10`],
    ],
    ['no active calls', [settings('inbound', 10)], [], []],
    ['no limit', [settings('inbound', undefined)], calls(3), []],
    ['a limit of 0 refuses all calls', [settings('inbound', 0)], calls(3), []],
    ['a limit of 1 is reached by each call', [settings('inbound', 1)], calls(1), []],
    ['the smallest limit that is watched', [settings('inbound', 2)], calls(2), [`${number} inbound 2/2`]],
  ])('%s', (_, rows, active, expected) => {
    expect(inUse(rows, active)).toEqual(expected);
  });

  it('count the numbers of a shared trunk together', () => {
    const rows = [
      settings('inbound', 10, { trunk_id: 'trk_1' }),
      settings('inbound', 10, { trunk_id: 'trk_1', number: secondNumber }),
      settings('inbound', 5, { number: '14155550102' }),
    ];
    const active = [...calls(3, 1), ...calls(4, 0, secondNumber), ...calls(2, 0, '14155550102')];
    expect(inUse(rows, active)).toEqual([
      'trk_1 inbound 7/10',
      'trk_1 outbound 1/10',
      '14155550102 inbound 2/5',
    ]);
  });

  it('have the organization of the number', () => {
    const rows = [settings('inbound', 10, { organization_id: 'initech' })];
    expect(limitsInUse(rows, activeCallsOf(calls(1)))[0]!.organizationId).toBe('initech');
  });
});

describe('the share of a limit', () => {
  it.each([
    [0, 10, 0],
    [8, 10, 80],
    [799, 1_000, 79],
    [1, 3, 33],
    [2, 3, 66],
    [11, 10, 110],
  ])('of %d of %d is %d %%', (measured, limit, percent) => {
    expect(percentOf({ measured, limit })).toBe(percent);
  });
});

describe('the notice of numbers near their limit', () => {
  const near = (limited: string, measured: number, allowed = 10, direction = 'inbound'): NearNumber => ({
    limited,
    direction: direction as NearNumber['direction'],
    measured,
    allowed,
  });
  const url = 'https://demarc.example/usage';
  const whatOf = (text: string) =>
    text.slice('What: '.length, text.indexOf('\nWhat to do:')).split('\n      ');

  it('has the number or the trunk, never both', () => {
    expect(limitView(near(number, 9))).toEqual({
      phone_number: '+14155550100',
      trunk_id: null,
      direction: 'inbound',
      measured: 9,
      limit: 10,
      percent: 90,
    });
    expect(limitView(near('trk_1', 9, 11, 'outbound'))).toEqual({
      phone_number: null,
      trunk_id: 'trk_1',
      direction: 'outbound',
      measured: 9,
      limit: 11,
      percent: 81,
    });
  });

  it('of one says how full it is', () => {
    const { title, text, short } = noticeOfNumbers([near(number, 9)], url);
    expect(title).toBe('[Demarc] USAGE: concurrent calls at 90 % of a number’s limit');
    expect(whatOf(text)).toEqual(['9 of 10 concurrent calls to +14155550100 (90 %)']);
    expect(text.endsWith(`\n\nDashboard: ${url}\n`)).toBe(true);
    expect(short).toBe(
      `Demarc USAGE: concurrent calls at 90 % of a number’s limit. 9 of 10 concurrent calls to +14155550100 (90 %). ${url}`,
    );
  });

  it('of several counts them and names the fullest first', () => {
    const { title, text, short } = noticeOfNumbers([near('trk_1', 10, 10, 'outbound'), near(number, 9)], url);
    expect(title).toBe('[Demarc] USAGE: concurrent calls of 2 numbers near their limit');
    expect(whatOf(text)).toEqual([
      '10 of 10 concurrent calls from trunk trk_1 (100 %)',
      '9 of 10 concurrent calls to +14155550100 (90 %)',
    ]);
    expect(short).toContain('. 10 of 10 concurrent calls from trunk trk_1 (100 %). ');
  });

  it.each([
    [10, 10, undefined],
    [11, 11, 'and 1 more'],
    [25, 11, 'and 15 more'],
  ])('of %d has %d lines, the last of which is %j', (count, lines, last) => {
    const all = Array.from({ length: count }, (_, index) => near(`1415555${1_000 + index}`, 9));
    const what = whatOf(noticeOfNumbers(all, url).text);
    expect(what).toHaveLength(lines);
    expect(what[9]).toContain('+14155551009');
    if (last !== undefined) expect(what.at(-1)).toBe(last);
  });
});

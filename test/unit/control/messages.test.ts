import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileValidator, InvalidRequest } from '../../../src/control/http/validation.js';

const schema = z.strictObject({
  phone_number: z.string().min(1).max(20),
  port: z.int().min(1).max(65_535),
  ratio: z.number().positive().optional(),
  transport: z.enum(['udp', 'tcp']).optional(),
  service: z.literal('sip').optional(),
  started_at: z.iso.datetime({ offset: true }).optional(),
  numbers: z.array(z.string()).min(1).max(2).optional(),
  direction: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('inbound') }),
      z.strictObject({ type: z.literal('outbound') }),
    ])
    .optional(),
});

const validate = compileValidator({ schema, httpPart: 'body' });

function messagesFor(body: unknown): string[] {
  const read = validate(body);
  if (!('error' in read) || !(read.error instanceof InvalidRequest)) return [];
  return read.error.faults.map(({ path, message }) => `${path}: ${message}`);
}

describe('what a caller reads of a body that is wrong', () => {
  const valid = { phone_number: '+1', port: 1 };
  it.each([
    [{ port: 1 }, 'phone_number: phone_number is required.'],
    [undefined, 'body: The body is required.'],
    [[], 'body: The body must be an object.'],
    [{ ...valid, phone_number: 7 }, 'phone_number: phone_number must be a string.'],
    [{ ...valid, phone_number: '' }, 'phone_number: phone_number must not be empty.'],
    [
      { ...valid, phone_number: '1'.repeat(21) },
      'phone_number: phone_number must have at most 20 characters.',
    ],
    [{ ...valid, port: 1.5 }, 'port: port must be a whole number.'],
    [{ ...valid, port: 70_000 }, 'port: port must be at most 65535.'],
    [{ ...valid, ratio: 0 }, 'ratio: ratio must be more than 0.'],
    [{ ...valid, transport: 'sctp' }, 'transport: transport must be one of udp, tcp.'],
    [{ ...valid, service: 'sms' }, 'service: service must be sip.'],
    [
      { ...valid, started_at: '2026-11-22' },
      'started_at: started_at must be ISO 8601 with a time zone, such as 2026-11-20T15:04:05Z.',
    ],
    [{ ...valid, numbers: [] }, 'numbers: numbers must have at least 1 item.'],
    [{ ...valid, numbers: ['a', 'b', 'c'] }, 'numbers: numbers must have at most 2 items.'],
    [{ ...valid, numbers: [1] }, 'numbers.0: numbers.0 must be a string.'],
    [{ ...valid, direction: {} }, 'direction.type: type is required: one of inbound, outbound.'],
    [{ ...valid, direction: { type: 'x' } }, 'direction.type: type must be one of inbound, outbound.'],
    [{ ...valid, nonsense: 1 }, 'nonsense: nonsense is not a known field.'],
  ])('%j', (body, message) => expect(messagesFor(body)).toEqual([message]));

  it('names no type of JavaScript', () => {
    const all = messagesFor({ phone_number: null, port: 'x', numbers: {}, direction: 1 }).join(' ');
    expect(all).not.toMatch(/undefined|Invalid input|expected|received|NaN/);
  });
});

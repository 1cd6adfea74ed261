import { describe, expect, it } from 'vitest';
import {
  inboundHeaderMappingsSchema,
  maximumHeaderMappings,
  outboundHeaderMappingsSchema,
} from '../../../../src/contract/header-mapping.js';
import { headerVariablesOf, trunkHeadersOf, variablesOf } from '../../../../src/edge/call/header-mapping.js';

const inbound = (...mappings: object[]) => inboundHeaderMappingsSchema.parse(mappings);
const outbound = (...mappings: object[]) => outboundHeaderMappingsSchema.parse(mappings);
const reader =
  (lines: Record<string, string>) =>
  (name: string): string | undefined =>
    Object.entries(lines).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

describe('from the trunk to the agent', () => {
  it('puts a header into the variable that is named for it', () => {
    const mappings = inbound({ type: 'custom', key: 'X-Customer', value: 'customer_id' });
    expect(variablesOf(mappings, reader({ 'x-customer': '42' }))).toEqual({ customer_id: '42' });
    expect(variablesOf(mappings, reader({}))).toEqual({});
  });

  it('sets a constant with passthrough', () => {
    const mappings = inbound({ type: 'custom', key: 'plan', value: 'gold', passthrough: true });
    expect(variablesOf(mappings, reader({}))).toEqual({ plan: 'gold' });
  });

  it.each([
    ['48656c6c6f;encoding=hex', {}, 'Hello'],
    ['48656C6C6F', {}, 'Hello'],
    ['5ac3bcrich'.replace('rich', '72696368'), {}, 'Zürich'],
    ['00446f65;encoding=hex;purpose=isdn-uui', { purpose: 'isdn-uui' }, 'Doe'],
    ['"a; b, \\"c\\"";encoding=ascii', { encoding: 'ascii' }, 'a; b, "c"'],
    ['ticket-7', { encoding: 'ascii' }, 'ticket-7'],
    ['aa;purpose=one, 4f4b;purpose=two', { purpose: 'two' }, 'OK'],
    ['"x,y";encoding=ascii;purpose=one, 4f4b;purpose=Two;content=c', { purpose: 'two', content: 'C' }, 'OK'],
    ['aa;purpose=other', { purpose: 'two' }, undefined],
    ['not hex', {}, undefined],
    ['abc', {}, undefined],
    ['0d0a', {}, undefined],
    ['58590d0a56696123', {}, undefined],
    ['"never ends;encoding=ascii', { encoding: 'ascii' }, undefined],
    ['a'.repeat(4_000), {}, undefined],
  ])('decodes User-to-User %s', (header, mapping, expected) => {
    const mappings = inbound({ type: 'uui', target: 'data', ...mapping });
    expect(variablesOf(mappings, reader({ 'User-to-User': header })).data).toBe(expected);
  });

  it('names every X- header as a variable, in lower case, but none that pretends to be ours', () => {
    const lines = {
      'X-Campaign': 'spring',
      'x-b': 'two',
      'X-Demarc-Org': 'evil',
      Subject: 'no',
      'X-Bad': 'a\r\nVia: b',
    };
    expect(headerVariablesOf(Object.keys(lines), reader(lines))).toEqual({
      'sip_header_x-campaign': 'spring',
      'sip_header_x-b': 'two',
    });
  });
});

describe('from the agent to the trunk', () => {
  it('puts variables into headers, constants and User-to-User beside them', () => {
    const mappings = outbound(
      { type: 'custom', key: 'customer_id', value: 'X-Customer' },
      { type: 'custom', key: 'X-Source', value: 'demarc', passthrough: true },
      { type: 'uui', target: 'data', purpose: 'isdn-uui', content: 'isdn-uui', encoding: 'hex' },
      { type: 'uui', target: 'note', encoding: 'ascii' },
    );
    const variables = reader({ customer_id: '42', data: 'Zürich', note: 'a "b"', unmapped: 'stays here' });
    expect(trunkHeadersOf(mappings, variables)).toEqual({
      'X-Customer': '42',
      'X-Source': 'demarc',
      'User-to-User':
        '5ac3bc72696368;purpose=isdn-uui;content=isdn-uui;encoding=hex, "a \\"b\\"";encoding=ascii',
    });
  });

  it('is undone by the other direction', () => {
    for (const encoding of ['hex', 'ascii'] as const) {
      const sent = trunkHeadersOf(
        outbound({ type: 'uui', target: 'data', encoding }),
        reader({ data: 'a, b; "c"' }),
      );
      const got = variablesOf(inbound({ type: 'uui', target: 'data', encoding }), reader({ ...sent }));
      expect(got).toEqual({ data: 'a, b; "c"' });
    }
  });

  it('sends nothing that could end a line', () => {
    const mappings = outbound(
      { type: 'custom', key: 'one', value: 'X-One' },
      { type: 'uui', target: 'two', encoding: 'ascii' },
    );
    expect(trunkHeadersOf(mappings, reader({ one: 'a\r\nVia: b', two: 'a\nb' }))).toEqual({});
  });
});

describe('what a configuration may map', () => {
  it.each([
    [{ type: 'custom', key: 'Via', value: 'path_taken' }, '0.key'],
    [{ type: 'custom', key: 'v', value: 'path_taken' }, '0.key'],
    [{ type: 'custom', key: 'Proxy-Authorization', value: 'secret_text' }, '0.key'],
    [{ type: 'custom', key: 'X-Demarc-Org', value: 'organization' }, '0.key'],
    [{ type: 'custom', key: 'X-Ok', value: 'Contact' }, '0.value'],
    [{ type: 'custom', key: 'X-Ok', value: 'P-Asserted-Identity' }, '0.value'],
    [{ type: 'custom', key: 'X-Ok', value: 'sip_header_x-other' }, '0.value'],
    [{ type: 'custom', key: 'X-Ok\r\nVia', value: 'name' }, '0.key'],
    [{ type: 'custom', key: 'plan', value: 'gold\r\nVia: x', passthrough: true }, '0.value'],
    [{ type: 'uui', target: 'Route' }, '0.target'],
    [{ type: 'uui', target: 'data', purpose: 'a;b' }, '0.purpose'],
    [{ type: 'uui', target: 'data', encoding: 'base64' }, '0.encoding'],
    [{ type: 'other' }, '0.type'],
  ])('refuses %j at %s', (mapping, path) => {
    const read = inboundHeaderMappingsSchema.safeParse([mapping]);
    expect(read.error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });

  it('refuses the headers of the protocol towards the trunk as well, and more mappings than fifteen', () => {
    const mapping = { type: 'custom', key: 'name', value: 'X-Name' };
    expect(outboundHeaderMappingsSchema.safeParse([{ ...mapping, value: 'Record-Route' }]).success).toBe(
      false,
    );
    expect(outboundHeaderMappingsSchema.safeParse(Array(maximumHeaderMappings).fill(mapping)).success).toBe(
      true,
    );
    expect(
      outboundHeaderMappingsSchema.safeParse(Array(maximumHeaderMappings + 1).fill(mapping)).success,
    ).toBe(false);
  });
});

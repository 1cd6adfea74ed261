/** Builds HEP3 packets as sofia-sip does: IDP for TLS, chunks in its order, no correlation id. */
export interface PacketFields {
  payload: string | Buffer;
  ipProtocol?: number;
  source?: string;
  sourcePort?: number;
  destination?: string;
  destinationPort?: number;
  /** Unix microseconds. */
  at?: number;
  correlationId?: string;
  protocolType?: number;
}

function chunk(type: number, value: Buffer, vendor = 0): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt16BE(vendor, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(6 + value.length, 4);
  return Buffer.concat([head, value]);
}

function number(length: 1 | 2 | 4, value: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

function address(text: string): Buffer {
  if (!text.includes(':')) return Buffer.from(text.split('.').map(Number));
  const [before = '', after] = text.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const head = groups(before);
  const tail = after === undefined ? [] : groups(after);
  const all = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return Buffer.concat(all.map((group) => number(2, Number.parseInt(group, 16))));
}

export function hepPacket(fields: PacketFields): Buffer {
  const {
    ipProtocol = 17,
    source = '192.0.2.1',
    sourcePort = 5060,
    destination = '192.0.2.2',
    destinationPort = 5061,
    at = 1_700_000_000_123_456,
    correlationId,
    protocolType = 1,
  } = fields;
  const isIpv6 = source.includes(':');
  const payload = typeof fields.payload === 'string' ? Buffer.from(fields.payload, 'utf8') : fields.payload;
  const body = Buffer.concat([
    chunk(1, number(1, isIpv6 ? 10 : 2)),
    chunk(2, number(1, ipProtocol)),
    chunk(7, number(2, sourcePort)),
    chunk(8, number(2, destinationPort)),
    chunk(9, number(4, Math.floor(at / 1_000_000))),
    chunk(10, number(4, at % 1_000_000)),
    chunk(11, number(1, protocolType)),
    chunk(12, number(4, 1)),
    chunk(1, Buffer.from('vendor chunk, to be skipped'), 0x1234),
    chunk(isIpv6 ? 5 : 3, address(source)),
    chunk(isIpv6 ? 6 : 4, address(destination)),
    ...(correlationId === undefined ? [] : [chunk(0x11, Buffer.from(correlationId))]),
    chunk(15, payload),
  ]);
  const head = Buffer.alloc(6);
  head.write('HEP3', 0, 'latin1');
  head.writeUInt16BE(6 + body.length, 4);
  return Buffer.concat([head, body]);
}

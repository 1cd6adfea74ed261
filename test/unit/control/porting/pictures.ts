import { crc32, deflateSync } from 'node:zlib';

/** Smallest files of each type, built by hand so that a test can bend each field. */

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32 === undefined ? 0 : crc32(body));
  return Buffer.concat([length, body, check]);
}

export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(64))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const application = Buffer.from([0xff, 0xe0, 0, 4, 0xff, 0xd9]);
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xff, 0x00, 3, 0xff, 0xd0, 4]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), application, frame, scan, Buffer.from([0xff, 0xd9])]);
}

export function gif(width: number, height: number, frames = 1): Buffer {
  const screen = Buffer.from([0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  screen.writeUInt16LE(width, 0);
  screen.writeUInt16LE(height, 2);
  const image = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0x4c, 0x01, 0]);
  image.writeUInt16LE(width, 5);
  image.writeUInt16LE(height, 7);
  const images = Array.from({ length: frames }, () => image);
  return Buffer.concat([Buffer.from('GIF89a'), screen, ...images, Buffer.from([0x3b])]);
}

export function webp(width: number, height: number): Buffer {
  const data = Buffer.alloc(10);
  data[0] = 0x2f;
  data.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 1);
  const chunk = Buffer.concat([Buffer.from('VP8L'), Buffer.from([10, 0, 0, 0]), data]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(4 + chunk.length);
  return Buffer.concat([Buffer.from('RIFF'), size, Buffer.from('WEBP'), chunk]);
}

/** A ZIP archive without files whose comment is the given octets: they are the end of the file. */
export const zipAround = (octets: Buffer): Buffer => {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(octets.length, 20);
  return Buffer.concat([end, octets]);
};

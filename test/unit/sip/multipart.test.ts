import { expect, it } from 'vitest';
import { bodyParts } from '../../../src/sip/multipart.js';

const part = (...head: string[]): string => `--b\r\n${[...head, '', 'x'].join('\r\n')}\r\n`;

it('reads the type and the handling of each part', () => {
  const body =
    part('Content-Type: application/SDP; charset=utf-8') +
    part(
      'content-disposition: signal;\r\n handling=Required',
      'Content-Type: application/isup;version=itu-t92+',
    ) +
    part('Content-Disposition: session') +
    '--b--\r\n';
  for (const type of ['multipart/mixed;boundary=b', 'multipart/mixed; charset=x; boundary="b"']) {
    expect(bodyParts(type, `preamble\r\n${body}`)).toEqual([
      { type: 'application/sdp', handling: undefined },
      { type: 'application/isup', handling: 'required' },
      { type: 'text/plain', handling: undefined },
    ]);
  }
});

it('finds no parts without a boundary', () => {
  expect(bodyParts('multipart/mixed', part('Content-Type: a/b'))).toEqual([]);
  expect(bodyParts('multipart/mixed;boundary=""', '')).toEqual([]);
});

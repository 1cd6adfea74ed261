import { describe, expect, it } from 'vitest';
import {
  linkSubject,
  readSubject,
  signatureMail,
  signedCopyMail,
} from '../../../../../src/control/porting/signing/mail-texts.js';

describe('the subject of the delivery of a link', () => {
  it('is the request for the first link, and has the number of a later one', () => {
    expect(linkSubject('port_1', 1)).toBe('port_1');
    expect(linkSubject('port_1', 2)).toBe('port_1#2');
    expect(linkSubject('port_1', 11)).toBe('port_1#11');
  });

  it('is read back', () => {
    for (const link of [1, 2, 11])
      expect(readSubject(linkSubject('port_1', link))).toEqual({ id: 'port_1', link });
  });
});

describe('the mail that asks for a signature', () => {
  const request = { name: 'Acme Corp', expires_at: new Date('2026-12-04T12:00:00Z') };
  const mail = signatureMail(request, ['+14155550100', '+14155550101'], 'https://c.example/sign/abc');

  it('names the organization and the first number in its title', () =>
    expect(mail.title).toBe('[Demarc] Please sign: move +14155550100 to “Acme Corp”'));

  it('lists the numbers, and has the link on a line for itself', () => {
    const lines = mail.text!.split('\n');
    expect(lines).toContain('  +14155550100');
    expect(lines).toContain('  +14155550101');
    expect(lines).toContain('https://c.example/sign/abc');
    expect(lines.at(-1)).toBe('');
  });

  it('says until when the link works', () =>
    expect(mail.text).toContain('The link works once, until 2026-12-04T12:00:00.000Z. Do not pass it on.'));

  it('has nothing attached', () => expect(mail.attachments).toBeUndefined());

  it('puts the name of an organization between quotes, so that it cannot pass for our words', () => {
    const { text } = signatureMail(
      { ...request, name: 'Click http://evil.example' },
      ['+1'],
      'https://c.example',
    );
    expect(text!.startsWith('“Click')).toBe(true);
    expect(text).not.toContain('http://evil.example');
  });
});

describe('the mail with the signed letter', () => {
  it('has the letter attached, and says when and for what it was signed', () => {
    const letter = Buffer.from('%PDF-');
    const signed = { id: 'port_1', name: 'Acme Corp', signed_at: new Date('2026-12-01T09:30:00Z') };
    expect(signedCopyMail(signed, ['+14155550100', '+14155550101'], letter)).toEqual({
      title: '[Demarc] Your copy of the signed Letter of Authorization',
      text: [
        'Attached is the letter that you signed at 2026-12-01T09:30:00.000Z.',
        'It authorizes “Acme Corp” to move: +14155550100, +14155550101.',
        '',
      ].join('\n'),
      attachments: [{ filename: 'letter-of-authorization-port_1.pdf', content: letter }],
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { LetterText } from '../../../../../src/control/porting/signing/letter-text.js';
import {
  messagePage,
  pageHeaders,
  signingPage,
} from '../../../../../src/control/porting/signing/signing-page.js';

const letter: LetterText = {
  title: 'Letter of Authorization',
  fields: [['Customer', 'Smith & Sons <b>']],
  numbers: ['+14155550100', '+14155550101'],
  paragraphs: ['I, Jane "J" Doe, authorize it.', "It's all right."],
};
const page = signingPage('token-1', letter, 'ab'.repeat(32));

describe('the page on which a letter is signed', () => {
  it('shows every field, number and paragraph of the letter, escaped', () => {
    expect(page).toContain('<dt>Customer</dt><dd>Smith &#38; Sons &#60;b&#62;</dd>');
    expect(page).toContain('<li>+14155550100</li><li>+14155550101</li>');
    expect(page).toContain('<p>I, Jane &#34;J&#34; Doe, authorize it.</p>');
    expect(page).toContain('<p>It&#39;s all right.</p>');
    expect(page).not.toContain('<b>');
  });

  it('sends the form, and leads to the PDF, by the token of the link', () => {
    expect(page).toContain('<form method="post" action="/sign/token-1">');
    expect(page).toContain('href="/sign/token-1/letter.pdf"');
  });

  it('sends back the hash of the letter that was shown, and shows it', () => {
    expect(page).toContain(`<input type="hidden" name="sha256" value="${'ab'.repeat(32)}">`);
    expect(page).toContain(`<code>${'ab'.repeat(32)}</code>`);
  });

  it('has no problem and no name at first', () => {
    expect(page).not.toContain('role="alert"');
    expect(page).toContain('autocomplete="name" value=""');
  });

  it('shows again what was typed, with the problem, both escaped', () => {
    const again = signingPage('token-1', letter, '00', {
      message: 'Enter <your> name.',
      name: '"><script>alert(1)</script>',
    });
    expect(again).toContain('<p role="alert" class="problem">Enter &#60;your&#62; name.</p>');
    expect(again).toContain('value="&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;"');
    expect(again).not.toContain('<script>alert');
  });

  it('asks for the consent in words', () =>
    expect(page).toMatch(/name="consent" value="yes" required> I have read this letter, I am authorized/));
});

describe('a page that only says something', () => {
  it('has the title twice and the text once, escaped', () => {
    const text = messagePage('A & B', '<i>no</i>');
    expect(text).toContain('<title>A &#38; B</title>');
    expect(text).toContain('<h1>A &#38; B</h1>\n<p>&#60;i&#62;no&#60;/i&#62;</p>');
    expect(text).not.toContain('<i>');
  });
});

describe('the headers of these pages', () => {
  it('allow nothing inline, no frame around them, and do not pass the link on', () => {
    const policy = pageHeaders['content-security-policy'].split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(pageHeaders['content-security-policy']).not.toContain('unsafe');
    expect(pageHeaders['referrer-policy']).toBe('no-referrer');
  });
});

import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../../../src/control/calls/twilio/xml.js';

describe('parseXml', () => {
  it('reads elements, attributes, text and references', () => {
    const root = parseXml(
      `<?xml version="1.0" encoding="UTF-8"?><!-- a --><R a="1 &lt; 2" b='&#65;&#x42;'>\n <E/>t &amp; u<!-- c --></R >\n`,
    );
    expect(root.name).toBe('R');
    expect([...root.attributes]).toEqual([
      ['a', '1 < 2'],
      ['b', 'AB'],
    ]);
    expect(root.elements.map(({ name }) => name)).toEqual(['E']);
    expect(root.text).toBe('t & u');
  });

  it('decodes each reference once', () => {
    expect(parseXml('<R>&amp;lt;</R>').text).toBe('&lt;');
  });

  it.each([
    ['a document type', '<!DOCTYPE R [<!ENTITY a "b">]><R>&a;</R>', /Expected an element/],
    ['an entity that XML does not define', '<R>&a;</R>', /Unknown entity &a;/],
    ['a property of objects as an entity', '<R>&constructor;</R>', /Unknown entity/],
    ['a bare ampersand', '<R>a & b</R>', /Unknown entity &/],
    ['a reference to no character', '<R>&#0;</R>', /Unknown entity &#0;/],
    ['a surrogate', '<R>&#xD800;</R>', /Unknown entity/],
    ['CDATA', '<R><![CDATA[a]]></R>', /Expected an element/],
    ['a processing instruction', '<R><?a b?></R>', /Expected an element/],
    ['an element that is not closed', '<R><E></R>', /E is not closed/],
    ['the end of the text in an element', '<R>a', /Expected an element/],
    ['two roots', '<R/><R/>', /Expected the end/],
    ['an attribute twice', '<R a="1" a="2"/>', /occurs twice/],
    ['an attribute without quotes', '<R a=1/>', /not well-formed/],
    ['deep nesting', '<R>'.repeat(9) + '</R>'.repeat(9), /too deeply/],
    ['nothing', '', /Expected an element/],
  ])('rejects %s', (_case, text, message) => {
    expect(() => parseXml(text)).toThrow(message);
  });
});

import { describe, expect, it } from 'vitest';
import { reachableContact } from '../../../../src/edge/sip/restore-dialogs.js';

describe('the Contact of a dialog that an engine restores', () => {
  const own = ['10.0.0.2:5061', '10.0.0.2:5060', '[2001:db8::2]:5061'];
  const contactHere = (contact: string) => reachableContact(contact, own);

  it('stays where the engine has that listener', () => {
    for (const contact of ['<sip:demarc@10.0.0.2:5061;transport=tls>', '<sips:demarc@[2001:db8::2]:5061>'])
      expect(contactHere(contact)).toBe(contact);
  });

  it('gets the host of a listener of that engine instead of an address of another one', () => {
    expect(contactHere('<sip:demarc@10.0.0.1:5061;transport=tls>')).toBe(
      '<sip:demarc@localhost;transport=tls>',
    );
    expect(contactHere('<sips:demarc@[2001:db8::1]:5061>')).toBe('<sips:demarc@localhost>');
    expect(contactHere('"A" <sip:demarc@10.0.0.1>;+sip.instance="x"')).toBe(
      '"A" <sip:demarc@localhost>;+sip.instance="x"',
    );
  });

  it('gets a user part, without which the engine replaces no host', () => {
    expect(contactHere('<sip:10.0.0.1:5060;transport=tcp>')).toBe('<sip:demarc@localhost;transport=tcp>');
  });

  it('stays where it is no SIP URI', () => {
    for (const contact of ['<tel:+12025550100>', '*']) expect(contactHere(contact)).toBe(contact);
  });
});

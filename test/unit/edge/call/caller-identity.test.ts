import { describe, expect, it } from 'vitest';
import { callerUser, identityVariables } from '../../../../src/edge/call/caller-identity.js';

const variables = (lines: Readonly<Record<string, string>>) =>
  identityVariables(
    (name) => Object.entries(lines).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1],
  );

describe('variables about the caller', () => {
  it('are what the INVITE says of who calls and where it was diverted', () => {
    expect(
      variables({
        'P-Asserted-Identity': '"Bob" <sip:+4930111@pbx.example>',
        'Remote-Party-ID': '<sip:bob@pbx.example>;party=calling',
        Diversion: '<sip:+4930222@pbx.example>;reason=busy',
        'History-Info': '<sip:+4930222@pbx.example>;index=1',
        Identity: 'eyJhbGciOiJFUzI1NiJ9..sig;info=<https://cert.example/a>;alg=ES256;ppt=shaken',
      }),
    ).toEqual({
      'sip_header_x-original-pai': '"Bob" <sip:+4930111@pbx.example>',
      'sip_header_x-original-rpid': '<sip:bob@pbx.example>;party=calling',
      'sip_header_x-original-div': '<sip:+4930222@pbx.example>;reason=busy',
      'sip_header_x-original-history': '<sip:+4930222@pbx.example>;index=1',
      sip_header_identity: 'eyJhbGciOiJFUzI1NiJ9..sig;info=<https://cert.example/a>;alg=ES256;ppt=shaken',
    });
  });

  it('are neither long nor more than one line', () => {
    expect(variables({ Identity: 'a'.repeat(1_501), Diversion: '<sip:a>\r\nRoute: <sip:evil>' })).toEqual({});
  });

  it.each([
    [{ From: '<sip:+1215;verstat=TN-Validation-Passed@x.example;user=phone>;tag=1' }, 'TN-Validation-Passed'],
    [{ From: '<tel:+1215;verstat=No-TN-Validation>;tag=1' }, 'No-TN-Validation'],
    [{ From: '<sip:+1215@x.example;verstat=TN-Validation-Failed>' }, 'TN-Validation-Failed'],
    [
      {
        From: '<sip:+1@x.example>;verstat=TN-Validation-Failed',
        'P-Asserted-Identity': '<sip:a@x.example>, <tel:+1215;verstat=TN-Validation-Passed>',
      },
      'TN-Validation-Passed',
    ],
    [{ From: '<sip:+1215@x.example>' }, undefined],
    [{ From: '<sip:+1215;verstat=a%0d%0ab@x.example>' }, undefined],
    [{ From: `<tel:+1215;verstat=${'x'.repeat(65)}>` }, undefined],
  ])('name the verification of %o: %s', (lines, verstat) => {
    expect(variables(lines as unknown as Record<string, string>).sip_header_verstat).toBe(verstat);
  });

  it('and the caller is named without the parameters of the number', () => {
    expect(callerUser('<sip:+1215;verstat=TN-Validation-Passed@x.example>')).toBe('+1215');
    expect(callerUser('<sip:x.example>')).toBeUndefined();
  });
});

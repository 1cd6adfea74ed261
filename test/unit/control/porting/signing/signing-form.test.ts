import { describe, expect, it } from 'vitest';
import { readSigningForm, typedName } from '../../../../../src/control/porting/signing/signing-form.js';
import { gif, jpeg, png } from '../pictures.js';

const sha256 = 'ab'.repeat(32);
const form = { name: 'Jane Doe', consent: 'yes', sha256, drawing: '' };
const read = (fields: object) => readSigningForm({ ...form, ...fields }, sha256);
const dataUrl = (octets: Buffer, type = 'image/png'): string =>
  `data:${type};base64,${octets.toString('base64')}`;

const incomplete = { ok: false, message: 'Enter your full name, and confirm that you agree.' };
const unreadable = {
  ok: false,
  message: 'The drawing could not be read. Draw it again, or leave it empty.',
};

describe('the form that signs a letter', () => {
  it('is signed with the typed name when nothing was drawn', () => {
    expect(read({})).toEqual({ ok: true, name: 'Jane Doe', drawing: undefined });
    expect(read({ drawing: undefined })).toEqual({ ok: true, name: 'Jane Doe', drawing: undefined });
  });

  it('is signed with the drawing as well', () => {
    const drawing = png(600, 200);
    expect(read({ drawing: dataUrl(drawing) })).toEqual({ ok: true, name: 'Jane Doe', drawing });
  });

  it('takes the name without the spaces around it', () =>
    expect(read({ name: '  Jane Doe ' })).toMatchObject({ ok: true, name: 'Jane Doe' }));

  it.each<[string, object | string | null | undefined]>([
    ['no body', undefined],
    ['an empty body', null],
    ['a text', 'name=Jane'],
    ['no name', { ...form, name: undefined }],
    ['a blank name', { ...form, name: '   ' }],
    ['a name of one letter', { ...form, name: ' J ' }],
    ['a name of 121 letters', { ...form, name: 'J'.repeat(121) }],
    ['a name of two lines', { ...form, name: 'Jane\nDoe' }],
    ['a name with a delete character', { ...form, name: 'Jane\x7f' }],
    ['no consent', { ...form, consent: undefined }],
    ['another consent', { ...form, consent: 'on' }],
    ['no hash', { ...form, sha256: undefined }],
    ['a long hash', { ...form, sha256: `${sha256}0` }],
  ])('is shown again with %s', (_, body) => expect(readSigningForm(body, sha256)).toEqual(incomplete));

  it.each(['Jo', 'J'.repeat(120), 'Zoë Müller-Łukasz', '王小明'])('takes the name %s', (name) =>
    expect(read({ name })).toMatchObject({ ok: true, name }),
  );

  it('is shown again when the letter is not the one that was read', () => {
    expect(read({ sha256: 'cd'.repeat(32) })).toEqual({
      ok: false,
      message: 'The letter has changed since you read it. Read it again.',
    });
    expect(read({ sha256: '' }).ok).toBe(false);
  });

  it.each<[string, string]>([
    ['a text', 'Jane Doe'],
    ['no octets', 'data:image/png;base64,'],
    ['another type by name', dataUrl(png(9, 9), 'image/jpeg')],
    ['a JPEG that is called PNG', dataUrl(jpeg(9, 9))],
    ['a GIF that is called PNG', dataUrl(gif(9, 9))],
    ['what is cut off', dataUrl(png(9, 9).subarray(0, -4))],
    ['what continues after its end', dataUrl(Buffer.concat([png(9, 9), Buffer.from('more')]))],
    ['what is not base64', 'data:image/png;base64,$$$$'],
    ['a line break at the end', `${dataUrl(png(9, 9))}\n`],
    ['text before it', ` ${dataUrl(png(9, 9))}`],
    ['more pixels than a canvas has', dataUrl(png(1_001, 1_000))],
  ])('is shown again when the drawing is %s', (_, drawing) => expect(read({ drawing })).toEqual(unreadable));

  it('takes a drawing of a million pixels', () =>
    expect(read({ drawing: dataUrl(png(1_000, 1_000)) }).ok).toBe(true));
});

describe('the name in a form that is shown again', () => {
  it('is what was typed, at most 120 characters of it', () => {
    expect(typedName({ name: ' Jane' })).toBe(' Jane');
    expect(typedName({ name: 'J'.repeat(120) })).toHaveLength(120);
    expect(typedName({ name: 'J'.repeat(121) })).toHaveLength(120);
  });

  it.each([undefined, null, {}, { name: 7 }, { name: ['Jane'] }, 'Jane'])('is empty for %j', (body) =>
    expect(typedName(body)).toBe(''),
  );
});

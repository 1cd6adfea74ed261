import { z } from 'zod';
import { DocumentInspection } from '../documents/document-inspection.js';

const formSchema = z.object({
  name: z
    .string()
    .trim()
    .min(2)
    .max(120)
    .regex(/^[^\x00-\x1f\x7f]*$/),
  consent: z.literal('yes'),
  sha256: z.string().max(64),
  drawing: z.string().default(''),
});

/** A form as it can be signed, or what its person does about it. */
export type SigningForm =
  | { readonly ok: true; readonly name: string; readonly drawing: Buffer | undefined }
  | { readonly ok: false; readonly message: string };

/** @param sha256 of the letter as it is now, in hex: that is what must have been read */
export function readSigningForm(body: unknown, sha256: string): SigningForm {
  const read = formSchema.safeParse(body);
  if (!read.success) return { ok: false, message: 'Enter your full name, and confirm that you agree.' };
  if (read.data.sha256 !== sha256)
    return { ok: false, message: 'The letter has changed since you read it. Read it again.' };
  const drawing = readDrawing(read.data.drawing);
  return drawing === 'unreadable'
    ? { ok: false, message: 'The drawing could not be read. Draw it again, or leave it empty.' }
    : { ok: true, name: read.data.name, drawing };
}

/** The name to show again in a form that could not be signed. */
export function typedName(body: unknown): string {
  const name = (body as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name.slice(0, 120) : '';
}

/** The PNG of a drawing; undefined: nothing was drawn. */
function readDrawing(text: string): Buffer | undefined | 'unreadable' {
  if (text === '') return undefined;
  const encoded = /^data:image\/png;base64,([A-Za-z0-9+/]+=*)$/.exec(text)?.[1];
  if (encoded === undefined) return 'unreadable';
  const octets = Buffer.from(encoded, 'base64');
  try {
    const inspection = new DocumentInspection();
    inspection.write(octets);
    if (inspection.end() !== 'image/png') return 'unreadable';
  } catch {
    return 'unreadable';
  }
  // The canvas has 600 × 200 pixels.
  return octets.readUInt32BE(16) * octets.readUInt32BE(20) > 1_000_000 ? 'unreadable' : octets;
}

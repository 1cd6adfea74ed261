import type { Codec } from './registered-codecs.js';

type Check = (value: string) => boolean;

const between =
  (least: number, most: number): Check =>
  (value) =>
    /^\d{1,6}$/.test(value) && Number(value) >= least && Number(value) <= most;
const flag = between(0, 1);
const yesOrNo: Check = (value) => value === 'yes' || value === 'no';

/** The parameters that pass, with the values that are allowed for them. */
const parameters: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  // RFC 7587 §6.1.
  opus: {
    maxplaybackrate: between(8_000, 48_000),
    'sprop-maxcapturerate': between(8_000, 48_000),
    maxptime: between(3, 120),
    ptime: between(3, 120),
    minptime: between(3, 120),
    maxaveragebitrate: between(6_000, 510_000),
    stereo: flag,
    'sprop-stereo': flag,
    cbr: flag,
    useinbandfec: flag,
    usedtx: flag,
  },
  // RFC 4856 §2.1.9 and §2.1.5.
  G729: { annexb: yesOrNo },
  G723: { annexa: yesOrNo },
};

/**
 * An `a=fmtp` value reduced to supported parameters: those of the codec's registration with values in range, each once.
 * Undefined: nothing is left.
 */
export function formatParameters({ name }: Codec, value: string): string | undefined {
  if (name === 'telephone-event') return isEventList(value.trim()) ? value.trim() : undefined;
  const allowed = parameters[name];
  if (allowed === undefined) return undefined;
  const kept = new Map<string, string>();
  for (const parameter of value.slice(0, 500).split(';')) {
    const [key = '', content = ''] = parameter.trim().toLowerCase().split(/ *= */, 2);
    if (Object.hasOwn(allowed, key) && allowed[key]!(content) && !kept.has(key)) kept.set(key, content);
  }
  return kept.size === 0 ? undefined : [...kept].map(([key, content]) => `${key}=${content}`).join(';');
}

/** A list of events and ranges of them, 0 to 255 (RFC 4733 §2.4.1). */
const isEventList = (value: string): boolean =>
  value.length <= 100 &&
  /^\d{1,3}(?:-\d{1,3})?(?:,\d{1,3}(?:-\d{1,3})?)*$/.test(value) &&
  value.split(/[,-]/).every((event) => Number(event) <= 255);

import { franc } from 'franc';

/** ISO 639-1 → ISO 639-3 of the detector, and PostgreSQL's text search configuration (14 and later). */
const languages: Readonly<Record<string, readonly [iso6393: string, configuration: string]>> = {
  ar: ['arb', 'arabic'],
  ca: ['cat', 'catalan'],
  da: ['dan', 'danish'],
  de: ['deu', 'german'],
  el: ['ell', 'greek'],
  en: ['eng', 'english'],
  es: ['spa', 'spanish'],
  eu: ['eus', 'basque'],
  fi: ['fin', 'finnish'],
  fr: ['fra', 'french'],
  ga: ['gle', 'irish'],
  hi: ['hin', 'hindi'],
  hu: ['hun', 'hungarian'],
  hy: ['hye', 'armenian'],
  id: ['ind', 'indonesian'],
  it: ['ita', 'italian'],
  lt: ['lit', 'lithuanian'],
  ne: ['npi', 'nepali'],
  nl: ['nld', 'dutch'],
  no: ['nob', 'norwegian'],
  pt: ['por', 'portuguese'],
  ro: ['ron', 'romanian'],
  ru: ['rus', 'russian'],
  sr: ['srp', 'serbian'],
  sv: ['swe', 'swedish'],
  ta: ['tam', 'tamil'],
  tr: ['tur', 'turkish'],
  yi: ['ydd', 'yiddish'],
  // Without stems: PostgreSQL has none for them.
  ja: ['jpn', 'simple'],
  ko: ['kor', 'simple'],
  pl: ['pol', 'simple'],
  th: ['tha', 'simple'],
  uk: ['ukr', 'simple'],
  vi: ['vie', 'simple'],
  zh: ['cmn', 'simple'],
};

export const undetermined = 'und';

const codes = new Map(Object.entries(languages).map(([code, [iso6393]]) => [iso6393, code]));
/** Enough for any language, and quick. */
const sampleCharacters = 20_000;
/** Shorter texts look like several languages: English is the likely one for Latin letters. */
const certainLetters = 120;
/** Of which nothing can be said. */
const fewLetters = 25;

/** ISO 639-1 code of a language that `configurationOf` knows, or `und`. */
export function detectLanguage(text: string): string {
  // Code and addresses look like no language.
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`|https?:\S+/g, ' ').slice(0, sampleCharacters);
  const letters = prose.match(/\p{L}/gu)?.length ?? 0;
  if (letters < certainLetters && /^[\p{Script=Latin}\P{L}]*$/u.test(prose)) {
    if (looksEnglish(prose)) return 'en';
    if (letters < fewLetters) return undetermined;
  }
  const found = franc(prose, { only: [...codes.keys()], minLength: 3 });
  return codes.get(found) ?? undetermined;
}

const looksEnglish = (text: string): boolean =>
  /\b(the|and|is|are|you|your|we|our|to|of|for|with|what|how|can)\b/i.test(text);

/** The text search configuration of a language; `simple` does not stem. */
export const configurationOf = (code: string): string => languages[code]?.[1] ?? 'simple';

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const words = new Intl.Segmenter('und', { granularity: 'word' });

/** What PostgreSQL reads words from: lower case in any locale, with blanks between words of scripts that write none. */
export const searchText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(unspaced, (run) => ` ${[...words.segment(run)].map(({ segment }) => segment).join(' ')} `);

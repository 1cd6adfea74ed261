/** What a page showed from one moment on. */
export interface Look {
  /** Monotonic milliseconds. */
  readonly at: number;
  /** `unknown`: its figures are too old for a verdict. */
  readonly tone: 'bad' | 'warn' | 'good' | 'idle' | 'unknown';
  readonly words: string;
  readonly texts: readonly string[];
}

/** What a page has to say of something. */
export interface Expected {
  readonly tone: 'bad' | 'warn' | 'unknown';
  /** The first reason has all of these. */
  readonly words: readonly string[];
}

export interface Notice {
  /** Until the verdict was neither green nor empty; undefined: never. */
  readonly notGreenAfter: number | undefined;
  /** Until it had the expected colour and its first reason the expected words; undefined: never. */
  readonly namedAfter: number | undefined;
  /** The first reason as it was named, or the last one that was shown. */
  readonly says: string;
  /** How long it was green or empty, in all. */
  readonly green: number;
  /** How long of that it was green or empty after it had not been. */
  readonly greenAgain: number;
}

const isGreen = ({ tone }: Look): boolean => tone === 'good' || tone === 'idle';

const saysOf = ({ words, texts }: Look): string => texts[0] ?? words;

const names = ({ tone, words }: Expected, look: Look): boolean =>
  look.tone === tone && words.every((word) => saysOf(look).includes(word));

/**
 * Whether and when a page shows what began at `from` and was watched until `to`.
 * @param looks in their order; the first one began before `from`
 */
export function noticeOf(looks: readonly Look[], expected: Expected, from: number, to: number): Notice {
  const stretches = looks
    .map((look, index) => ({
      look,
      begin: Math.max(look.at, from),
      end: Math.min(looks[index + 1]?.at ?? to, to),
    }))
    .filter(({ begin, end }) => end > begin);
  const first = stretches.find(({ look }) => !isGreen(look));
  const named = stretches.find(({ look }) => names(expected, look));
  const greenOf = (since: number): number =>
    stretches
      .filter(({ look, begin }) => isGreen(look) && begin >= since)
      .reduce((sum, { begin, end }) => sum + end - begin, 0);
  const shown = named ?? stretches.findLast(({ look }) => !isGreen(look)) ?? stretches.at(-1);
  return {
    notGreenAfter: first && first.begin - from,
    namedAfter: named && named.begin - from,
    says: shown === undefined ? '' : saysOf(shown.look),
    green: greenOf(from),
    greenAgain: first === undefined ? 0 : greenOf(first.begin),
  };
}

/** Of a person who looks at the page during an outage. */
const patienceMilliseconds = 10_000;

/** What was wrong with it; empty: nothing. */
export function problemsOf({ notGreenAfter, namedAfter, says, green, greenAgain }: Notice): string[] {
  if (notGreenAfter === undefined) return [`never noticed: ${says}`];
  return [
    ...(green > patienceMilliseconds ? [`green for ${seconds(green)}`] : []),
    ...(greenAgain > 0 ? [`green again for ${seconds(greenAgain)}`] : []),
    ...(namedAfter === undefined ? [`names another cause: ${says}`] : []),
    ...(namedAfter !== undefined && namedAfter > patienceMilliseconds
      ? [`names the cause after ${seconds(namedAfter)}`]
      : []),
  ];
}

export const seconds = (milliseconds: number | undefined): string =>
  milliseconds === undefined ? 'never' : `${(milliseconds / 1_000).toFixed(1)} s`;

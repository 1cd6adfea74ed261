import { InvalidArgumentError } from 'commander';

/**
 * The mutants of a list such as `3,7,10-12`, each with its number in the whole run.
 * @throws InvalidArgumentError where the text is no such list
 */
export function numbersOf(text: string): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const range of text.split(',')) {
    const [, first, last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(range) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (!(from >= 1 && from <= to))
      throw new InvalidArgumentError('Numbers from 1 and ranges, such as 3,7,10-12.');
    for (let number = from; number <= to; number += 1) numbers.add(number);
  }
  return numbers;
}

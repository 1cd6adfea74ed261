/**
 * Prints a progress line with the seconds since the command began, so that slow steps show.
 * @param {string} text one line, without newline
 */
export function report(text) {
  const seconds = (performance.now() / 1000).toFixed(1).padStart(6);
  process.stdout.write(`demarc ${seconds} s  ${text}\n`);
}

/** A failure whose message tells the user what to do; shown without a stack. */
export class PreparationError extends Error {}

/**
 * Exits with the message of the failure; an unexpected error keeps its stack.
 * @param {unknown} failure
 * @returns {never}
 */
export function giveUp(failure) {
  const text =
    failure instanceof PreparationError
      ? failure.message
      : (failure instanceof Error && failure.stack) || String(failure);
  process.stderr.write(`\ndemarc: ${text}\n`);
  process.exit(1);
}

const lastLinesMilliseconds = 50;

/**
 * Ends the process once its last log lines are out. At once would hang for ever when nobody reads stdout any more, as after
 * the death of the parent: at exit sonic-boom 4 repeats a write that fails with EPIPE, while its ordinary writes give up.
 */
export function exitAfterLastLines(code: number): void {
  setTimeout(() => process.exit(code), lastLinesMilliseconds);
}

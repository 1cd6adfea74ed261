/** Progress messages on the terminal, each with the seconds since the command began. */
export function report(text: string): void {
  const seconds = (performance.now() / 1000).toFixed(1).padStart(6);
  process.stdout.write(`demarc ${seconds} s  ${text}\n`);
}

export function complain(text: string): void {
  process.stderr.write(`\ndemarc: ${text}\n`);
}

let cachedSecond = -1;
let cachedText = '';

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** `HH:MM:SS.uuuuuu` in UTC. `at`: Unix time, milliseconds with a fraction. */
export function timeOfDay(at: number): string {
  const second = Math.floor(at / 1000);
  if (second !== cachedSecond) {
    const ofDay = second % 86_400;
    cachedSecond = second;
    cachedText = `${two(Math.floor(ofDay / 3600))}:${two(Math.floor(ofDay / 60) % 60)}:${two(ofDay % 60)}.`;
  }
  return cachedText + String(Math.floor((at - second * 1000) * 1000)).padStart(6, '0');
}

/** The six fields that describe a message (wire protocol §5.1), joined. */
export function metaBlock(
  source: 'network' | 'application',
  size: number,
  protocol: string,
  address: string,
  port: number,
  at: number,
): string {
  return `${source}|${size}|${protocol}|${address}|${port}|${timeOfDay(at)}`;
}

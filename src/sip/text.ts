/** Splits at top-level commas: not inside quotes, nor inside angle brackets. Elements are trimmed, empty ones dropped. */
export function splitList(value: string): string[] {
  const parts: string[] = [];
  let quoted = false;
  let bracketed = false;
  let start = 0;
  for (let i = 0; i < value.length; i++) {
    const c = value.charCodeAt(i);
    if (quoted) {
      if (c === 92) i++;
      else if (c === 34) quoted = false;
    } else if (c === 34) quoted = true;
    else if (c === 60) bracketed = true;
    else if (c === 62) bracketed = false;
    else if (c === 44 && !bracketed) {
      parts.push(value.slice(start, i).trim());
      start = i + 1;
    }
  }
  parts.push(value.slice(start).trim());
  return parts.filter((part) => part !== '');
}

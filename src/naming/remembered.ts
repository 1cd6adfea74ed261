/** Of one function; hostile texts empty it again and again, and cost no more than without it. */
const maximumResults = 1_024;
/** Longer texts are no addresses, and would cost memory. */
const longestText = 64;

/** A pure function of a text, with its last results: the addresses of a service are few, and each call asks about them many times. */
export function remembered<Result>(read: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const cached = results.get(text);
    // Undefined is a result, too.
    if (cached !== undefined || results.has(text)) return cached as Result;
    const result = read(text);
    if (text.length > longestText) return result;
    if (results.size >= maximumResults) results.clear();
    results.set(text, result);
    return result;
  };
}

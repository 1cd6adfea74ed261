/** Headers of a message as drachtio-srf has them: names in lower case, and looked up without regard to it. */
export function headerFields(given: Readonly<Record<string, string>>) {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value;
  return {
    headers,
    get: (name: string) => headers[name.toLowerCase()],
    has: (name: string) => name.toLowerCase() in headers,
  };
}
